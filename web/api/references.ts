/**
 * References within a batch: `$name.field` stands for a value of an earlier answer, `${name.field}` for the same within a text.
 * Owns: their syntax, and the search for their values.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { suggestion } from '../../shared/contract/nearest.ts';

/** Value of a name: an answer, or the index of the refused request. */
export type KnownAnswer = { readonly value: unknown } | { readonly refused: number };

export type Answers = ReadonlyMap<string, KnownAnswer>;

const STEPS = String.raw`(?:\.\w+|\[\d+\])*`;
const WHOLE = new RegExp(String.raw`^\$([A-Za-z_]\w*)(${STEPS})$`);
const WITHIN = new RegExp(String.raw`\$([A-Za-z_]\w*)(${STEPS})`, 'g');
const BRACED = new RegExp(String.raw`\$?\$\{([A-Za-z_]\w*)(${STEPS})\}`, 'g');

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
const isLater = (key: string, value: unknown): boolean => key === 'requests' && Array.isArray(value);

/** Replaces the references in a body, at any depth, by their values. Throws `unknown_reference`. */
export function fillValue(value: unknown, answers: Answers): unknown {
	if (typeof value === 'string') {
		if (!value.includes('$')) return value;
		if (value.startsWith('$$')) return value.slice(1);
		const [text, name, steps] = WHOLE.exec(value) ?? [];
		return name === undefined ? fillText(value, answers) : valueOfReference(answers, name, steps!, text!);
	}
	if (Array.isArray(value)) return value.map((part) => fillValue(part, answers));
	if (typeof value !== 'object' || value === null) return value;
	const filled: Record<string, unknown> = {};
	for (const [key, part] of Object.entries(value))
		filled[key] = isLater(key, part) ? part : fillValue(part, answers);
	return filled;
}

function fillText(text: string, answers: Answers): string {
	return text.replace(BRACED, (found, name: string, steps: string) =>
		found.startsWith('$$') ? found.slice(1) : referenceText(answers, name, steps, found, 'inside a text'),
	);
}

/** Replaces the references in a path, with or without braces, by their values. Throws `unknown_reference`. */
export function fillPath(path: string, answers: Answers): string {
	if (!path.includes('$')) return path;
	const fill = (found: string, name: string, steps: string) =>
		encodeURIComponent(referenceText(answers, name, steps, found, 'in a path'));
	return path.replace(BRACED, fill).replace(WITHIN, fill);
}

/** Returns the names that the references of a path and a body begin with, in their order. */
export function referredNames(path: string, body: unknown): string[] {
	const plain = [...path.matchAll(BRACED), ...path.replace(BRACED, '').matchAll(WITHIN)];
	return [...plain.map(([, name]) => name!), ...namesIn(body)];
}

function namesIn(value: unknown): string[] {
	if (typeof value === 'string') {
		if (value.startsWith('$$')) return [];
		const [, whole] = WHOLE.exec(value) ?? [];
		if (whole !== undefined) return [whole];
		return [...value.matchAll(BRACED)].filter(([found]) => !found.startsWith('$$')).map(([, name]) => name!);
	}
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, part]) => (isLater(key, part) ? [] : namesIn(part)));
}

/** Returns the value of a reference as a text, for use within a longer text. */
function referenceText(answers: Answers, name: string, steps: string, found: string, place: string): string {
	const value = valueOfReference(answers, name, steps, found);
	if (typeof value === 'string' || typeof value === 'number') return String(value);
	throw new ApiError(
		'unknown_reference',
		`"${found}" is neither a text nor a number, so it cannot be used ${place}.`,
	);
}
