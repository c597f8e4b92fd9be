/**
 * When a rule fires, and for whom.
 * Owns: what of a condition must be remembered from tick to tick.
 *
 * What lasts (health, field, score, phase, and compounds of these) fires when it begins to hold; what happens
 * (death, timer, tick, event, enter, leave, a field with the edge `level`, and compounds with one of these) fires
 * on every tick on which it holds.
 */

import type { RuleMemory } from '../../../shared/components/rule.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import type { EventKind } from '../../../shared/documents/event.ts';
import type { RuleDocument } from '../../../shared/documents/rule.ts';
import { aboutOf, conditionKind, isMomentary } from '../../../shared/verbs/conditions/index.ts';
import { slotOf } from '../core/entities.ts';
import type { SentEvent } from '../core/events.ts';
import { spend } from '../core/tick-budget.ts';
import type { World } from '../core/world.ts';
import { type Filter, sizeOf } from './conditions/filter.ts';
import { ANYBODY, Look } from './conditions/look.ts';
import type { Occurrence } from './conditions/occurrence.ts';

/** What a condition looks at besides the world. */
export interface TickEvents {
	/** Events that rules have not had yet, by kind. */
	events(kind: EventKind): readonly SentEvent[];
}

const keyOf = ({ id, generation }: EntityHandle) => `${id}:${generation}`;

const NOBODY: Occurrence = { subject: null, source: null };

/** The firings of a rule on this tick, and what it remembers afterwards. */
export function firingsOf(
	world: World,
	events: TickEvents,
	{ when }: RuleDocument,
	filter: Filter,
	since: number,
	memory: RuleMemory,
): { occurrences: readonly Occurrence[]; memory: RuleMemory } {
	if (aboutOf(when).subject) spend(world, 'searched', world.entities.count * (sizeOf(when) + sizeOf(filter)));
	const before = new Set(memory.entities);
	const look = new Look(world, {
		filter: conditionKind(filter).everybody === true ? ANYBODY : filter,
		since,
		before,
		events: (kind) => events.events(kind),
	});
	const holding = look.holds(when, '');
	if (typeof holding === 'boolean') {
		const level = isMomentary(when);
		const fires = holding && (level || !memory.holds);
		return {
			occurrences: fires ? [NOBODY] : [],
			memory: remember(memory, level ? false : holding, look.remembered),
		};
	}
	if (isMomentary(when)) return { occurrences: holding, memory: remember(memory, false, look.remembered) };
	const occurrences = holding.filter(({ subject }) => subject === null || !before.has(`|${keyOf(subject)}`));
	const now = holding.flatMap(({ subject }) => (subject === null ? [] : [`|${keyOf(subject)}`]));
	// What is once in an entity's life stays so whatever happens to it afterwards.
	const kept = conditionKind(when).onceInLife
		? memory.entities.filter((key) => !now.includes(key) && lives(world, key))
		: [];
	return { occurrences, memory: remember(memory, false, [...look.remembered, ...now, ...kept]) };
}

function lives(world: World, key: string): boolean {
	const [id, generation] = key.slice(1).split(':').map(Number) as [number, number];
	return slotOf(world, { id, generation }) >= 0;
}

function remember(memory: RuleMemory, holds: boolean, entities: string[]): RuleMemory {
	entities.sort();
	const same =
		holds === memory.holds &&
		entities.length === memory.entities.length &&
		entities.every((key, i) => key === memory.entities[i]);
	return same ? memory : { ...memory, holds, entities };
}
