/**
 * Test of an entity's survival, in a copy of an earlier world.
 * Owns: the definition of survival, and the fields that may alter it.
 */

import { Dead } from '../../../shared/components/dead.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { slotOf } from '../core/entities.ts';
import type { SlicedWork } from '../core/sliced-work.ts';
import { has, type World } from '../core/world.ts';
import { step } from '../step.ts';
import { type Candidate, entityCandidates, ruleCandidates } from './candidate.ts';

/** Ticks that an entity must outlive its former death to count as a survivor. */
export const OUTLIVES_TICKS = 60;

/** Steps a copy up to a tick. Returns the tick at which the entity died or was despawned; null if it lives. */
export function* findDeathTick(copy: World, entity: EntityHandle, tick: number): SlicedWork<number | null> {
	while (copy.tick < tick) {
		step(copy);
		const slot = slotOf(copy, entity);
		if (slot < 0 || has(copy, slot, Dead)) return copy.tick;
		yield;
	}
	return null;
}

/** Maximum number of attackers, and of rules, whose fields are candidates. */
const MAX_INVOLVED = 3;

/** Returns candidates for fields of the entity, of its attackers, and of the rules that fired when it died. */
export function survivalCandidates(
	world: World,
	id: number,
	sources: readonly number[],
	rules: readonly number[],
): Candidate[] {
	const others = [...new Set(sources)].filter((candidate) => candidate !== id).slice(0, MAX_INVOLVED);
	return [
		...[id, ...others].flatMap((entityId) => entityCandidates(world, entityId)),
		...rules.slice(0, MAX_INVOLVED).flatMap((rule) => ruleCandidates(world, rule, true)),
	];
}
