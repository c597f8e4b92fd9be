/**
 * Behaviour of a kind of condition in a world: its inputs and its results.
 *
 * A condition with a subject returns the entities for which it holds. A condition without a subject returns true or false.
 */

import type { Component, Fields, FieldValue } from '../../../../shared/contract/component.ts';
import type { EventKind } from '../../../../shared/documents/event.ts';
import type {
	ConditionName,
	ConditionOf,
	InnerCondition,
} from '../../../../shared/verbs/conditions/index.ts';
import type { SentEvent } from '../../core/events.ts';
import type { World } from '../../core/world.ts';
import type { Occurrence } from './occurrence.ts';
import type { NumberBounds } from './ordered-values.ts';

/** Read access to an entity for conditions. A despawned entity has only the values that the event recorded. */
export interface EntityReader {
	readonly id: number;
	readonly generation: number;
	has(component: Component): boolean;
	/** Returns a field of a component, or undefined without the component. */
	value<F extends Fields, K extends keyof F & string>(
		component: Component<F>,
		field: K,
	): FieldValue<F[K]> | undefined;
}

export type Test = (entity: EntityReader) => boolean;

/** Occurrences of a condition with a subject; a boolean for a condition without a subject. */
export type Holds = boolean | readonly Occurrence[];

/** Result of a condition that is evaluated as a statement. */
export interface ConditionFinding {
	readonly passed: boolean;
	/** There was no entity to test, so it neither holds nor fails. It does not pass. */
	readonly vacuous?: true;
	/** Its opposite holds although it is vacuous, because it claims that a matching entity exists. */
	readonly opposite?: true;
	/** Sentence for people; entities are written E<id>. */
	readonly message: string;
}

/** Inputs of a condition. */
export interface ConditionScope {
	readonly world: World;
	/** Completed ticks, including the current one. */
	readonly now: number;
	/** Tick at which periods start. */
	readonly since: number;
	/** Returns the new events of a kind. */
	events(kind: EventKind): readonly SentEvent[];
	/** Returns true if the last evaluation remembered a key. */
	wasRemembered(key: string): boolean;
	/** True if the last evaluation remembered no key. */
	readonly isMemoryEmpty: boolean;
	/** Remembers a key for the next evaluation. */
	remember(key: string): void;
	/** Evaluates an inner condition. `path` distinguishes the parts of one condition. */
	holds(condition: InnerCondition, path: string): Holds;
	/** Returns a test of a condition for one entity. */
	test(condition: InnerCondition): Test;
	/** Returns true if a condition is tested for single entities. */
	isEntityTest(condition: InnerCondition): boolean;
	find(condition: InnerCondition): ConditionFinding;
	/** Returns the components that every entity has if the condition holds for it. */
	guaranteedComponents(condition: InnerCondition): readonly Component[];
	/** Returns the components that an entity needs to be in the group of the condition. */
	requiredComponents(condition: InnerCondition): readonly Component[];
	/** Returns a reader of an entity, valid until the next call. */
	entity(id: number): EntityReader;
	/** Returns true if an entity passes the filter and has the components. */
	passesFilter(id: number, components: readonly Component[]): boolean;
	/**
	 * Visits, in slot order, the entities that pass the filter and have the components. It may skip entities outside one
	 * of the bounds.
	 */
	each(
		components: readonly Component[],
		visit: (slot: number) => void,
		within?: readonly NumberBounds[],
	): void;
	/** Returns all entities for which a condition holds, in slot order. Ignores the filter. */
	members(condition: InnerCondition): number[];
	/**
	 * Returns a reader of the entity that an event names in a field; null if it names none. If the entity is despawned,
	 * the reader has the values that the event recorded.
	 */
	namedEntity(event: SentEvent, field: string): EntityReader | null;
	/** Returns true if the entity that an event names in a field passes the filter. */
	passes(event: SentEvent, field: string): boolean;
}

/** Kinds of names that conditions refer to. */
export type NameKind = 'tag' | 'name' | 'effect' | 'element' | 'action';

export interface KnownName {
	readonly kind: NameKind;
	readonly name: string;
}

interface CommonBehaviour<C> {
	/** Returns warnings about parts that can currently never hold. Each begins with its field, such as `.zone: ...`. */
	warn?(world: World, condition: C): readonly string[];
	/** Returns the names in it that should exist in the world. */
	names?(condition: C): readonly KnownName[];
	/** Returns true if its entities are expected only later, so that there is no warning if none exists now. */
	isExpectedLater?(condition: C): boolean;
}

/** Condition that is tested for single entities. */
export interface Predicate<C> extends CommonBehaviour<C> {
	test(condition: C, scope: ConditionScope): Test;
	/** Returns components that every entity has if it holds for it. */
	guaranteedComponents?(condition: C, scope: ConditionScope): readonly Component[];
	/** Returns the components that an entity needs to be in its group, such as the component whose field it compares. */
	requiredComponents?(condition: C, scope: ConditionScope): readonly Component[];
	/** Returns bounds of numbers. It holds for no entity that is outside of any of them. */
	bounds?(condition: C, scope: ConditionScope): readonly NumberBounds[];
	/** Returns the only entity for which it can hold. */
	onlyId?(condition: C): number;
	/** Replaces the default, which tests all entities of the scope. */
	holds?(condition: C, scope: ConditionScope, path: string): Holds;
	find?(condition: C, scope: ConditionScope): ConditionFinding;
}

/** Condition about the world, without a subject. */
export interface Statement<C> extends CommonBehaviour<C> {
	find(condition: C, scope: ConditionScope): ConditionFinding;
	/** Returns true if it holds. Faster than `find`, for rules on every tick. */
	holds?(condition: C, scope: ConditionScope): boolean;
}

/** Condition about events. */
export interface HappeningBehaviour<C> extends CommonBehaviour<C> {
	holds(condition: C, scope: ConditionScope, path: string): Holds;
}

export type ConditionBehaviour<N extends ConditionName> =
	| Predicate<ConditionOf<N>>
	| Statement<ConditionOf<N>>
	| HappeningBehaviour<ConditionOf<N>>;

/** Returns true if the opposite of a finding holds. */
export const isOpposite = ({ passed, vacuous, opposite }: ConditionFinding): boolean =>
	!passed && (vacuous !== true || opposite === true);

/** Returns a finding that is not vacuous. */
export const createFinding = (passed: boolean, message: string): ConditionFinding => ({ passed, message });

/** Returns the finding that no entity matches. Pass `opposite` if the opposite of the condition then holds. */
export const createVacuousFinding = (message: string, opposite?: true): ConditionFinding => ({
	passed: false,
	vacuous: true,
	...(opposite && { opposite }),
	message,
});

const MAX_IDS = 10;

/** Returns ids as `E1, E2 and 3 more`. */
export function idList(ids: readonly number[]): string {
	const names = ids.slice(0, MAX_IDS).map((id) => `E${id}`);
	const ending = ids.length > MAX_IDS ? ` and ${ids.length - MAX_IDS} more` : '';
	return `${names.join(', ')}${ending}`;
}
