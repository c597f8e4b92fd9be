/**
 * References within a batch. `$name.field` represents a value of an earlier answer, and `${name.field}` does so within a text.
 * Owns: the syntax of references, and the search for their values.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { suggestion } from '../../shared/contract/nearest.ts';

/** Value of a name: an answer, or the index of the refused request. */
export type KnownAnswer = { readonly value: unknown } | { readonly refused: number };

export type Answers = ReadonlyMap<string, KnownAnswer>;

const STEPS_PATTERN = String.raw`(?:\.\w+|\[\d+\])*`;
const WHOLE_REFERENCE = new RegExp(String.raw`^\$([A-Za-z_]\w*)(${STEPS_PATTERN})$`);
const INNER_REFERENCE = new RegExp(String.raw`\$([A-Za-z_]\w*)(${STEPS_PATTERN})`, 'g');
const BRACED_REFERENCE = new RegExp(String.raw`\$?\$\{([A-Za-z_]\w*)(${STEPS_PATTERN})\}`, 'g');

function valueOfReference(answers: Answers, name: string, steps: string, text: string): unknown {
	const known = answers.get(name);
	if (known === undefined)
		throw new ApiError('unknown_reference', `"${text}" does not refer to an earlier request of the batch.`, {
			fix: suggestion(name, answers.keys()),
		});
	if ('refused' in known)
		throw new ApiError('unknown_reference', `"${text}": requests[${known.refused}] was refused.`, {
			fix: `Correct requests[${known.refused}] first.`,
		});
	let { value } = known;
	let path = `$${name}`;
	for (const [step] of steps.matchAll(/\.\w+|\[\d+\]/g)) {
		const key = step.replace(/[.[\]]/g, '');
		const hasKey = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
		if (!hasKey) {
			const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
			throw new ApiError('unknown_reference', `"${text}": ${path} has no ${key}.`, {
				fix: suggestion(key, keys),
			});
		}
		value = (value as Record<string, unknown>)[key];
		path += step;
	}
	return value;
}

/** Returns true for a nested list of requests, whose references are filled in later. */
const isFilledLater = (key: string, value: unknown): boolean => key === 'requests' && Array.isArray(value);

/** Replaces the references in a body, at any depth, by their values. Throws `unknown_reference`. */
export function fillValue(value: unknown, answers: Answers): unknown {
	if (typeof value === 'string') {
		if (!value.includes('$')) return value;
		if (value.startsWith('$$')) return value.slice(1);
		const [text, name, steps] = WHOLE_REFERENCE.exec(value) ?? [];
		return name === undefined ? fillText(value, answers) : valueOfReference(answers, name, steps!, text!);
	}
	if (Array.isArray(value)) return value.map((part) => fillValue(part, answers));
	if (typeof value !== 'object' || value === null) return value;
	const record: Record<string, unknown> = {};
	for (const [key, part] of Object.entries(value))
		record[key] = isFilledLater(key, part) ? part : fillValue(part, answers);
	return record;
}

function fillText(text: string, answers: Answers): string {
	return text.replace(BRACED_REFERENCE, (reference, name: string, steps: string) =>
		reference.startsWith('$$')
			? reference.slice(1)
			: referenceText(answers, name, steps, reference, 'inside a text'),
	);
}

/** Replaces the references in a path, with or without braces, by their values. Throws `unknown_reference`. */
export function fillPath(path: string, answers: Answers): string {
	if (!path.includes('$')) return path;
	const fill = (reference: string, name: string, steps: string) =>
		encodeURIComponent(referenceText(answers, name, steps, reference, 'in a path'));
	return path.replace(BRACED_REFERENCE, fill).replace(INNER_REFERENCE, fill);
}

/** Returns the names that the references of a path and a body begin with, in their order. */
export function referredNames(path: string, body: unknown): string[] {
	const matches = [
		...path.matchAll(BRACED_REFERENCE),
		...path.replace(BRACED_REFERENCE, '').matchAll(INNER_REFERENCE),
	];
	return [...matches.map(([, name]) => name!), ...namesIn(body)];
}

function namesIn(value: unknown): string[] {
	if (typeof value === 'string') {
		if (value.startsWith('$$')) return [];
		const [, name] = WHOLE_REFERENCE.exec(value) ?? [];
		if (name !== undefined) return [name];
		return [...value.matchAll(BRACED_REFERENCE)]
			.filter(([found]) => !found.startsWith('$$'))
			.map(([, name]) => name!);
	}
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, part]) => (isFilledLater(key, part) ? [] : namesIn(part)));
}

/** Returns the value of a reference as a text, for use within a longer text. */
function referenceText(
	answers: Answers,
	name: string,
	steps: string,
	reference: string,
	position: string,
): string {
	const value = valueOfReference(answers, name, steps, reference);
	if (typeof value === 'string' || typeof value === 'number') return String(value);
	throw new ApiError(
		'unknown_reference',
		`"${reference}" is neither a text nor a number, so it cannot be used ${position}.`,
	);
}
