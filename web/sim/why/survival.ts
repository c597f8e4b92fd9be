/** Test of an entity's survival, in a copy of an earlier world. Owns: what counts as surviving, and the fields that may alter it. */

import { Dead } from '../../../shared/components/dead.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { slotOf } from '../core/entities.ts';
import type { SlicedWork } from '../core/sliced-work.ts';
import { has, type World } from '../core/world.ts';
import { step } from '../step.ts';
import { type Candidate, entityCandidates, ruleCandidates } from './candidate.ts';

/** Ticks after its former death for which it must live to have survived. */
export const OUTLIVES_TICKS = 60;

/** Steps a copy up to a tick; the tick after which the entity is dead or gone, or null if it lives. */
export function* diesBy(copy: World, entity: EntityHandle, tick: number): SlicedWork<number | null> {
	while (copy.tick < tick) {
		step(copy);
		const slot = slotOf(copy, entity);
		if (slot < 0 || has(copy, slot, Dead)) return copy.tick;
		yield;
	}
	return null;
}

/** Attackers and rules whose fields are changed. */
const MAX_INVOLVED = 3;

/** Fields of the entity, of those that hurt it, and of the rules that fired when it died. */
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
