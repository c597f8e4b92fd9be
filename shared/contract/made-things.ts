/** The names of things that a call has made. Owns: finding them in what was sent and answered, where its route says. */

import type { CreatedThing } from './thing.ts';

export type ThingName = string | number;

/** Returns each thing that was made, and its name. */
export function madeThings(
	makes: CreatedThing | undefined,
	sent: unknown,
	answered: unknown,
): readonly (readonly [thing: string, name: ThingName])[] {
	return Object.entries(makes?.named ?? {}).flatMap(([thing, expression]) => {
		const [, message, pointer = ''] = /^\$(request|response)\.body#(.*)$/.exec(expression) ?? [];
		const name = at(message === 'request' ? sent : answered, pointer);
		return typeof name === 'string' || typeof name === 'number' ? [[thing, name] as const] : [];
	});
}

/** Returns the value at a JSON pointer without escapes. */
function at(value: unknown, pointer: string): unknown {
	return pointer
		.split('/')
		.slice(1)
		.reduce<unknown>((part, key) => (part as Readonly<Record<string, unknown>> | undefined)?.[key], value);
}
