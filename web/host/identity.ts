/**
 * Identity of an engine's worlds: main with its forks and snapshots, from an empty world until they are lost.
 * Owns: the refusal of a call that is meant for another world. Never: is part of a world or a digest.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { IDENTITY_HEADER } from '../../shared/contract/wire.ts';

/** Throws `other_world` if a call's header names another identity. */
export function checkIdentity(identity: string, headers: Readonly<Record<string, string>>): void {
	const expected = headers[IDENTITY_HEADER];
	if (expected === undefined || expected === identity) return;
	const message = `The call is for the world ${expected.slice(0, 100)}, but this engine runs the world ${identity}.`;
	throw new ApiError('other_world', message, { details: { world: identity } });
}
