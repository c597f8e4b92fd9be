/**
 * The numbers of a task, which the seed of the run chooses.
 * Owns: that choice, and the places of a task where a number goes.
 */

import type { GroupedTask } from '../../shared/suite/task.ts';

/** Returns the task with the numbers of a seed in place of `{{name}}`. */
export function taskWith(task: GroupedTask, seed: number): GroupedTask {
	const numbers = new Map(
		Object.entries(task.numbers ?? {}).map(([name, values]) => [
			name,
			values[hashOf(`${seed} ${task.id} ${name}`) % values.length]!,
		]),
	);
	const numberOf = (name: string): number => {
		const value = numbers.get(name);
		if (value === undefined) throw new Error(`The task ${task.id} has no number "${name}".`);
		return value;
	};
	return filled(task, numberOf) as GroupedTask;
}

/** A sum, difference or product of numbers, from left to right: `price+rise*2`. */
const PLACE = /\{\{(\w+(?:[-+*]\w+)*)\}\}/g;

function filled(value: unknown, numberOf: (name: string) => number): unknown {
	if (typeof value === 'string') {
		const texts = value.replace(PLACE, (_, sum: string) => String(resultOf(sum, numberOf)));
		return texts !== value && value.replace(PLACE, '') === '' ? Number(texts) : texts;
	}
	if (Array.isArray(value)) return value.map((item) => filled(item, numberOf));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, numberOf)]));
}

function resultOf(sum: string, numberOf: (name: string) => number): number {
	const [first = '', ...rest] = sum.split(/([-+*])/);
	const one = (name: string) => (/^\d+$/.test(name) ? Number(name) : numberOf(name));
	let result = one(first);
	for (let at = 0; at < rest.length; at += 2) {
		const next = one(rest[at + 1]!);
		if (rest[at] === '+') result += next;
		else if (rest[at] === '-') result -= next;
		else result *= next;
	}
	return result;
}

/** 32-bit FNV-1a of a text, with its bits mixed. */
function hashOf(text: string): number {
	let hash = 0x811c9dc5;
	for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
	hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
	return (hash ^ (hash >>> 16)) >>> 0;
}
