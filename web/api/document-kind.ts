/**
 * Kind of a document, guessed from its keys.
 * Owns: the code and fix of the refusal for a document that was sent to the wrong route.
 */

import type { ErrorCode } from '../../shared/contract/errors.ts';

/** Guesses the kind of a file from its keys, and the route that accepts it; undefined if the keys fit no kind. */
export function guessKind(sent: unknown): { description: string; code: ErrorCode; fix: string } | undefined {
	const keysOf = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value) : []);
	const keys = keysOf(sent);
	const { entities } = Object(sent) as { entities?: unknown };
	const entryKeys = new Set(Array.isArray(entities) ? entities.flatMap(keysOf) : []);
	const hasAny = (keys: Iterable<string>, ...names: string[]) => [...keys].some((key) => names.includes(key));
	if (hasAny(entryKeys, 'generation', 'transform') || hasAny(keys, 'tick'))
		return {
			description: 'a scene file',
			code: 'invalid_scene',
			fix: 'Send its path to POST /scene/load.',
		};
	if (hasAny(keys, 'exact'))
		return {
			description: 'a scenario file',
			code: 'invalid_scenario',
			fix: 'Send its content as the body of POST /scenario.',
		};
	if (
		hasAny(entryKeys, 'position', 'template', 'components') ||
		hasAny(keys, 'rules', 'templates', 'camera', 'game')
	)
		return { description: 'a level file', code: 'invalid_level', fix: 'Send its path to POST /level/load.' };
	return undefined;
}
