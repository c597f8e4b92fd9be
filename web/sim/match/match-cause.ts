/**
 * Cause of a match's end. View scope: forked and never digested, since nothing in a world depends on it. Owns: that
 * it is kept as long as its match.
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

/** Returns the cause of the match's end, or null: it continues, or it ended before this was kept. */
export function causeIn(world: World): MatchCause | null {
	return resource(world, Cause) ?? null;
}

export function keepCause(world: World, cause: MatchCause): void {
	setResource(world, Cause, cause);
}

export function forgetCause(world: World): void {
	clearResource(world, Cause);
}
