/** Names of things that a call has created. Owns: reading them from the request or the answer, as the route declares. */

import type { CreatedThing } from './thing.ts';

export type ThingName = string | number;

/** Returns each created thing with its name. Skips names that are missing. */
export function createdThings(
	makes: CreatedThing | undefined,
	request: unknown,
	answer: unknown,
): readonly (readonly [thing: string, name: ThingName])[] {
	return Object.entries(makes?.named ?? {}).flatMap(([thing, expression]) => {
		const [, message, pointer = ''] = /^\$(request|response)\.body#(.*)$/.exec(expression) ?? [];
		const name = valueAt(message === 'request' ? request : answer, pointer);
		return typeof name === 'string' || typeof name === 'number' ? [[thing, name] as const] : [];
	});
}

/** Returns the value at a JSON pointer without escapes. */
function valueAt(value: unknown, pointer: string): unknown {
	return pointer
		.split('/')
		.slice(1)
		.reduce<unknown>((part, key) => (part as Readonly<Record<string, unknown>> | undefined)?.[key], value);
}
