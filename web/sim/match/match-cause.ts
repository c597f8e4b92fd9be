/**
 * Cause of a match's end. View scope: forked and never digested, because no tick depends on it.
 * Owns: the stored cause. It lasts as long as its match.
 */

import { type MatchCause, matchCause } from '../../../shared/documents/match.ts';
import { clearResource, type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';

export const Cause: Resource<MatchCause> = {
	name: 'match_cause',
	scope: 'view',
	transient: true,
	summary: 'Cause of the end of the match',
	schema: matchCause,
	initial: () => undefined,
};

/** Returns a cause that is not a rule. */
export const causeOf = (kind: Exclude<MatchCause['kind'], 'rule'>): MatchCause => ({
	kind,
	rule: null,
	text: null,
});

/** Returns the cause of the match's end; null while the match continues, or if its end has no stored cause. */
export function causeOfEnd(world: World): MatchCause | null {
	return resource(world, Cause) ?? null;
}

export function setCause(world: World, cause: MatchCause): void {
	setResource(world, Cause, cause);
}

export function clearCause(world: World): void {
	clearResource(world, Cause);
}
