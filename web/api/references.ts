/**
 * References within a batch: `$name.field` stands for a value of an earlier answer.
 * Owns: how they are written and followed.
 */

import { Fault } from '../../shared/contract/errors.ts';
import { nearest } from '../../shared/contract/nearest.ts';

/** Answers by name. */
export type Answers = ReadonlyMap<string, unknown>;

const STEPS = String.raw`(?:\.\w+|\[\d+\])*`;
const WHOLE = new RegExp(String.raw`^\$([A-Za-z_]\w*)(${STEPS})$`);
const WITHIN = new RegExp(String.raw`\$([A-Za-z_]\w*)(${STEPS})`, 'g');

function follow(answers: Answers, name: string, steps: string, text: string): unknown {
	if (!answers.has(name)) {
		const near = nearest(name, answers.keys());
		throw new Fault('unknown_reference', `"${text}" names no earlier request of the batch.`, {
			...(near === undefined ? {} : { fix: `Did you mean "$${near}"?` }),
		});
	}
	let value: unknown = answers.get(name);
	let way = `$${name}`;
	for (const [step] of steps.matchAll(/\.\w+|\[\d+\]/g)) {
		const key = step.replace(/[.[\]]/g, '');
		const known = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
		if (!known) {
			const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
			const near = nearest(key, keys);
			throw new Fault('unknown_reference', `"${text}": ${way} has no ${key}.`, {
				...(near === undefined ? {} : { fix: `Did you mean "${way}.${near}"?` }),
			});
		}
		value = (value as Record<string, unknown>)[key];
		way += step;
	}
	return value;
}

/** A body with its references filled in, at any depth. Throws `unknown_reference`. */
export function fillValue(value: unknown, answers: Answers): unknown {
	if (typeof value === 'string') {
		if (value.startsWith('$$')) return value.slice(1);
		const [text, name, steps] = WHOLE.exec(value) ?? [];
		return name === undefined ? value : follow(answers, name, steps!, text!);
	}
	if (Array.isArray(value)) return value.map((part) => fillValue(part, answers));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fillValue(part, answers)]));
}

/** A path with its references filled in. Throws `unknown_reference`. */
export function fillPath(path: string, answers: Answers): string {
	return path.replace(WITHIN, (text, name: string, steps: string) => {
		const value = follow(answers, name, steps, text);
		if (typeof value === 'string' || typeof value === 'number') return encodeURIComponent(String(value));
		throw new Fault(
			'unknown_reference',
			`"${text}" is neither a text nor a number, so it cannot be in a path.`,
		);
	});
}
