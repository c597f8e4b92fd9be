/**
 * Kind of a document, guessed from its keys.
 * Owns: the words for one that was sent to the wrong route.
 */

import type { ErrorCode } from '../../shared/contract/errors.ts';

/** Guesses the kind of a file from its keys, and the route that takes it; undefined if they do not tell. */
export function kindOf(sent: unknown): { what: string; code: ErrorCode; fix: string } | undefined {
	const keysOf = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value) : []);
	const keys = keysOf(sent);
	const { entities } = Object(sent) as { entities?: unknown };
	const entryKeys = new Set(Array.isArray(entities) ? entities.flatMap(keysOf) : []);
	const has = (among: Iterable<string>, ...names: string[]) => [...among].some((key) => names.includes(key));
	if (has(entryKeys, 'generation', 'transform') || has(keys, 'tick'))
		return {
			what: 'a scene file',
			code: 'invalid_scene',
			fix: 'Send its path to POST /scene/load.',
		};
	if (has(keys, 'exact'))
		return {
			what: 'a scenario file',
			code: 'invalid_scenario',
			fix: 'Send its content as the body of POST /scenario.',
		};
	if (
		has(entryKeys, 'position', 'template', 'components') ||
		has(keys, 'rules', 'templates', 'camera', 'game')
	)
		return { what: 'a level file', code: 'invalid_level', fix: 'Send its path to POST /level/load.' };
	return undefined;
}
