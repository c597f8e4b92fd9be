/**
 * Decides when a rule fires, and for which entities. Owns: the memory of a condition from tick to tick.
 *
 * A lasting condition (health, field, score, phase and their compounds) fires when it begins to hold. A momentary one
 * fires on every tick on which it holds: death, timer, tick, event, enter, leave, a field with the edge `level`, and
 * compounds with one of these.
 */

import type { RuleMemory } from '../../../shared/components/rule.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import type { EventKind } from '../../../shared/documents/event.ts';
import type { RuleDocument } from '../../../shared/rules/rule.ts';
import {
	aboutOf,
	conditionKind,
	type InnerCondition,
	isMomentary,
} from '../../../shared/verbs/conditions/index.ts';
import { slotOf } from '../core/entities.ts';
import type { SentEvent } from '../core/events.ts';
import { spend } from '../core/tick-budget.ts';
import type { World } from '../core/world.ts';
import { ANY_ENTITY, ConditionLook } from './conditions/evaluate-condition.ts';
import { parseFilter, sizeOf } from './conditions/filter.ts';
import type { Occurrence } from './conditions/occurrence.ts';

/** Events that a condition reads besides the world. */
export interface TickEvents {
	/** Events that rules have not had yet, by kind. */
	events(kind: EventKind): readonly SentEvent[];
}

const keyOf = ({ id, generation }: EntityHandle) => `${id}:${generation}`;

const NO_ENTITIES: Occurrence = { subject: null, source: null };
const NONE: ReadonlySet<string> = new Set();

/** Facts of a rule's condition and filter that are computed once. */
export interface PreparedCondition {
	readonly filter: InnerCondition;
	/** Number of conditions that are evaluated for each entity; 0 for a condition without a subject. */
	readonly looks: number;
	readonly momentary: boolean;
	readonly onceInLife: boolean;
}

export function prepareCondition({ when, filter }: Pick<RuleDocument, 'when' | 'filter'>): PreparedCondition {
	const parsed = parseFilter(filter);
	return {
		filter: conditionKind(parsed).matchesAll === true ? ANY_ENTITY : parsed,
		looks: aboutOf(when).subject ? sizeOf(when) + sizeOf(parsed) : 0,
		momentary: isMomentary(when),
		onceInLife: conditionKind(when).isOncePerLife === true,
	};
}

/** Returns the firings of a rule on this tick, and its memory afterwards. */
export function firingsOf(
	world: World,
	events: TickEvents,
	{ when }: RuleDocument,
	{ filter, looks, momentary, onceInLife }: PreparedCondition,
	since: number,
	memory: RuleMemory,
): { occurrences: readonly Occurrence[]; memory: RuleMemory } {
	if (looks > 0) spend(world, 'searched', world.entities.count * looks);
	const rememberedKeys = memory.entities.length === 0 ? NONE : new Set(memory.entities);
	const look = new ConditionLook(world, { filter, since, rememberedKeys, events: events.events });
	const holding = look.holds(when, '');
	if (typeof holding === 'boolean') {
		const isFiring = holding && (momentary || !memory.holds);
		return {
			occurrences: isFiring ? [NO_ENTITIES] : [],
			memory: updateMemory(memory, momentary ? false : holding, look.rememberedKeys),
		};
	}
	if (momentary) return { occurrences: holding, memory: updateMemory(memory, false, look.rememberedKeys) };
	const occurrences = holding.filter(
		({ subject }) => subject === null || !rememberedKeys.has(`|${keyOf(subject)}`),
	);
	const holdingKeys = holding.flatMap(({ subject }) => (subject === null ? [] : [`|${keyOf(subject)}`]));
	// A condition that holds once in an entity's life stays fulfilled while the entity lives.
	const holdingNow = new Set(holdingKeys);
	const fulfilledBefore = onceInLife
		? memory.entities.filter((key) => !holdingNow.has(key) && isKeyAlive(world, key))
		: [];
	const keys = [...look.rememberedKeys, ...holdingKeys, ...fulfilledBefore];
	return { occurrences, memory: updateMemory(memory, false, keys) };
}

function isKeyAlive(world: World, key: string): boolean {
	const [id, generation] = key.slice(1).split(':').map(Number) as [number, number];
	return slotOf(world, { id, generation }) >= 0;
}

/** Returns the new memory; the same object if nothing changed. */
function updateMemory(memory: RuleMemory, holds: boolean, entities: string[]): RuleMemory {
	entities.sort();
	const isSame =
		holds === memory.holds &&
		entities.length === memory.entities.length &&
		entities.every((key, i) => key === memory.entities[i]);
	return isSame ? memory : { ...memory, holds, entities };
}
