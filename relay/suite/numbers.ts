/**
 * Numbers of a task, which the seed of the run chooses.
 * Owns: the choice, and the replacement of `{{name}}` in a task.
 */

import type { GroupedTask } from '../../shared/suite/task.ts';

/** Returns the task with the numbers of a seed instead of each `{{name}}`. */
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
	return fillIn(task, numberOf) as GroupedTask;
}

/** Placeholder: a name, or a calculation that runs from left to right, such as `{{price+rise*2}}`. */
const PLACEHOLDER = /\{\{(\w+(?:[-+*]\w+)*)\}\}/g;

/** Replaces the placeholders in all texts of a value. A text that is one placeholder becomes a number. */
function fillIn(value: unknown, numberOf: (name: string) => number): unknown {
	if (typeof value === 'string') {
		const text = value.replace(PLACEHOLDER, (_, calculation: string) =>
			String(resultOf(calculation, numberOf)),
		);
		return text !== value && value.replace(PLACEHOLDER, '') === '' ? Number(text) : text;
	}
	if (Array.isArray(value)) return value.map((item) => fillIn(item, numberOf));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillIn(item, numberOf)]));
}

function resultOf(calculation: string, numberOf: (name: string) => number): number {
	const [first = '', ...rest] = calculation.split(/([-+*])/);
	const termValue = (term: string) => (/^\d+$/.test(term) ? Number(term) : numberOf(term));
	let result = termValue(first);
	for (let i = 0; i < rest.length; i += 2) {
		const operand = termValue(rest[i + 1]!);
		if (rest[i] === '+') result += operand;
		else if (rest[i] === '-') result -= operand;
		else result *= operand;
	}
	return result;
}

/** Returns the 32-bit FNV-1a hash of a text, with its bits mixed. */
function hashOf(text: string): number {
	let hash = 0x811c9dc5;
	for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
	hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
	return (hash ^ (hash >>> 16)) >>> 0;
}
