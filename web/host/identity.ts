/**
 * The identity of what an engine holds: main with its forks and snapshots, from an empty world until they are lost.
 * Owns: refusing a call that is meant for another. Never: part of a world; no digest knows it.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { IDENTITY_HEADER } from '../../shared/contract/wire.ts';

/** Throws `other_world` when a call names another world than this one in its header. */
export function checkIdentity(identity: string, headers: Readonly<Record<string, string>>): void {
	const named = headers[IDENTITY_HEADER];
	if (named === undefined || named === identity) return;
	const message = `The call is for the world ${named.slice(0, 100)}, but this engine runs the world ${identity}.`;
	throw new ApiError('other_world', message, { details: { world: identity } });
}
