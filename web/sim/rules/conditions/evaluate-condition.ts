/**
 * Evaluation of a condition in a world.
 * Owns: the results that follow from the behaviour of each kind: the entities for which it holds, and its finding.
 */

import type { Component, EntityHandle, Fields, FieldValue } from '../../../../shared/contract/component.ts';
import type { EventKind } from '../../../../shared/documents/event.ts';
import type { InnerCondition } from '../../../../shared/verbs/conditions/index.ts';
import { comingTick } from '../../core/coming-tick.ts';
import { eachEntity, handleOf, isAlive } from '../../core/entities.ts';
import { newEventsOf, rowFor, type SentEvent } from '../../core/events.ts';
import { spend } from '../../core/tick-budget.ts';
import { each, has, type World } from '../../core/world.ts';
import type { ConditionFinding, ConditionScope, EntityReader, Holds, Test } from './condition.ts';
import { findAny } from './find-any.ts';
import { behaviourOf } from './index.ts';
import { LiveEntityReader } from './live-entity-reader.ts';
import type { Occurrence } from './occurrence.ts';
import { type NumberBounds, slotsWithin } from './ordered-values.ts';

/** Inputs of an evaluation beside the world. */
export interface Circumstances {
	/** Filter of the entities. Default: all entities. */
	readonly filter?: InnerCondition;
	/** Tick at which periods start. Default: 0. */
	readonly since?: number;
	/** Returns the new events of a kind. Default: the events of the current tick, or between ticks, of the last one. */
	events?(kind: EventKind): readonly SentEvent[];
	/** Keys that the last evaluation remembered. */
	readonly rememberedKeys?: ReadonlySet<string>;
}

export const ANY_ENTITY: InnerCondition = { type: 'any' };

/** Reader of an entity that an event names. If the entity is despawned, it reads the values that the event recorded. */
class NamedReader implements EntityReader {
	readonly #world: World;
	readonly #event: SentEvent;
	readonly #field: string;
	readonly id: number;
	readonly generation: number;

	constructor(world: World, event: SentEvent, field: string, { id, generation }: EntityHandle) {
		this.#world = world;
		this.#event = event;
		this.#field = field;
		this.id = id;
		this.generation = generation;
	}

	has(component: Component): boolean {
		return rowFor(this.#world, this.#event, this.#field, component) !== undefined;
	}

	value<F extends Fields, K extends keyof F & string>(
		component: Component<F>,
		field: K,
	): FieldValue<F[K]> | undefined {
		return rowFor(this.#world, this.#event, this.#field, component)?.[field];
	}
}

/** One evaluation of a condition in a world. */
export class ConditionLook implements ConditionScope {
	readonly world: World;
	readonly now: number;
	readonly since: number;
	/** Keys for the next evaluation, as `path|id:generation`. */
	readonly rememberedKeys: string[] = [];
	readonly #filter: InnerCondition;
	#filterTest: Test | undefined;
	readonly #lastKeys: ReadonlySet<string> | undefined;
	readonly #circumstances: Circumstances;
	#reader: LiveEntityReader | undefined;

	constructor(world: World, circumstances: Circumstances = {}) {
		this.world = world;
		this.now = comingTick(world);
		this.since = circumstances.since ?? 0;
		this.#circumstances = circumstances;
		this.#lastKeys = circumstances.rememberedKeys;
		this.#filter = circumstances.filter ?? ANY_ENTITY;
	}

	// Most evaluations look at no entity, so the test is created when it is first needed.
	get #passes(): Test {
		this.#filterTest ??= this.test(this.#filter);
		return this.#filterTest;
	}

	get #entity(): LiveEntityReader {
		this.#reader ??= new LiveEntityReader(this.world);
		return this.#reader;
	}

	events(kind: EventKind): readonly SentEvent[] {
		const events = this.#circumstances.events?.(kind) ?? newEventsOf(this.world, kind);
		// Each event counts as one visited entity.
		spend(this.world, 'searched', events.length);
		return events;
	}

	wasRemembered(key: string): boolean {
		return this.#lastKeys?.has(key) === true;
	}

	get isMemoryEmpty(): boolean {
		return this.#lastKeys === undefined || this.#lastKeys.size === 0;
	}

	remember(key: string): void {
		this.rememberedKeys.push(key);
	}

	holds(condition: InnerCondition, path: string): Holds {
		const behaviour = behaviourOf(condition);
		if (behaviour.holds !== undefined) return behaviour.holds(condition, this, path);
		if (behaviour.test === undefined) return behaviour.find!(condition, this).passed;
		const test = behaviour.test(condition, this);
		const occurrences: Occurrence[] = [];
		const entity = this.#entity;
		const visitSlot = (slot: number) => {
			entity.id = slot;
			if (test(entity)) occurrences.push({ subject: handleOf(this.world, slot), source: null });
		};
		this.each(
			behaviour.guaranteedComponents?.(condition, this) ?? [],
			visitSlot,
			behaviour.bounds?.(condition, this),
		);
		return occurrences;
	}

	test(condition: InnerCondition): Test {
		const behaviour = behaviourOf(condition);
		if (behaviour.test !== undefined) return behaviour.test(condition, this);
		// A condition without a subject holds for all entities or for none. An event holds for its subject.
		const unfilteredLook =
			this.#filter === ANY_ENTITY
				? this
				: new ConditionLook(this.world, { ...this.#circumstances, filter: ANY_ENTITY });
		const holds = unfilteredLook.holds(condition, '');
		if (typeof holds === 'boolean') return () => holds;
		// A new entity may use the slot now, so generations are compared.
		const generations = new Map<number, number[]>();
		for (const { subject } of holds) {
			if (subject === null) continue;
			const list = generations.get(subject.id);
			if (list === undefined) generations.set(subject.id, [subject.generation]);
			else list.push(subject.generation);
		}
		return (entity) => generations.get(entity.id)?.includes(entity.generation) === true;
	}

	isEntityTest(condition: InnerCondition): boolean {
		return behaviourOf(condition).test !== undefined;
	}

	find(condition: InnerCondition): ConditionFinding {
		return behaviourOf(condition).find?.(condition, this) ?? findAny(condition, this);
	}

	guaranteedComponents(condition: InnerCondition): readonly Component[] {
		return behaviourOf(condition).guaranteedComponents?.(condition, this) ?? [];
	}

	requiredComponents(condition: InnerCondition): readonly Component[] {
		return behaviourOf(condition).requiredComponents?.(condition, this) ?? [];
	}

	entity(id: number): EntityReader {
		const entity = this.#entity;
		entity.id = id;
		return entity;
	}

	passesFilter(id: number, components: readonly Component[]): boolean {
		return components.every((component) => has(this.world, id, component)) && this.#passes(this.entity(id));
	}

	each(
		components: readonly Component[],
		visit: (slot: number) => void,
		within: readonly NumberBounds[] = [],
	): void {
		this.#visit(this.#filter, components, visit, within);
	}

	/** Visits, in slot order, the entities that have the components and for which a condition holds. Ignores the filter. */
	eachOf(condition: InnerCondition, components: readonly Component[], visit: (slot: number) => void): void {
		this.#visit(condition, components, visit, []);
	}

	#visit(
		condition: InnerCondition,
		components: readonly Component[],
		visit: (slot: number) => void,
		within: readonly NumberBounds[],
	): void {
		const { world } = this;
		// The test is created even if no entity is visited. Its creation spends budget, which must not depend on sorted lists.
		const test = condition === this.#filter ? this.#passes : this.test(condition);
		const behaviour = behaviourOf(condition);
		const onlyId = behaviour.onlyId?.(condition);
		const bounds = behaviour.bounds?.(condition, this) ?? [];
		const allBounds = within.length === 0 ? bounds : [...within, ...bounds];
		const slots =
			onlyId !== undefined ? [onlyId] : allBounds.length === 0 ? null : slotsWithin(world, allBounds);
		if (slots?.length === 0) return;
		const entity = new LiveEntityReader(world);
		const visitSlot = (slot: number) => {
			entity.id = slot;
			if (test(entity)) visit(slot);
		};
		if (slots !== null) {
			for (const slot of slots)
				if (isAlive(world, slot) && components.every((component) => has(world, slot, component)))
					visitSlot(slot);
			return;
		}
		const guaranteed = behaviour.guaranteedComponents?.(condition, this) ?? [];
		const allComponents = guaranteed.length === 0 ? components : [...components, ...guaranteed];
		if (allComponents.length === 0) eachEntity(world, visitSlot);
		else each(world, allComponents, visitSlot);
	}

	members(condition: InnerCondition): number[] {
		const ids: number[] = [];
		this.eachOf(condition, [], (id) => ids.push(id));
		return ids;
	}

	namedEntity(event: SentEvent, field: string): EntityReader | null {
		const handle = (event.data[field] ?? null) as EntityHandle | null;
		return handle === null ? null : new NamedReader(this.world, event, field, handle);
	}

	passes(event: SentEvent, field: string): boolean {
		return this.#filter === ANY_ENTITY || this.#passes(this.namedEntity(event, field)!);
	}
}
