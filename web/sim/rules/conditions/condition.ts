/**
 * Behaviour of a kind of condition in a world: its inputs and its answers.
 *
 * A condition either is about entities and gives the ones it holds for, or is about no entity and holds or not.
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

/** Read access to an entity for conditions. A removed entity has only the values that were remembered. */
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

/** Entities for which a condition holds; true if one without a subject holds. */
export type Holds = boolean | readonly Occurrence[];

/** Result of a condition as a statement: true if it holds, and the finding. */
export interface ConditionFinding {
	readonly passed: boolean;
	/** There was no entity for it to be about, so that it neither holds nor fails: it does not pass. */
	readonly vacuous?: true;
	/** Although vacuous, its opposite holds: it claimed that there is such an entity. */
	readonly opposite?: true;
	/** Finding, for people; entities are written E<id>. */
	readonly message: string;
}

/** Inputs of a condition. */
export interface ConditionScope {
	readonly world: World;
	/** Ticks completed, the one that runs among them. */
	readonly now: number;
	/** The tick from which conditions count. */
	readonly since: number;
	/** Returns the events that are news. */
	events(kind: EventKind): readonly SentEvent[];
	/** Returns true if a key was remembered when this was looked at before. */
	was(key: string): boolean;
	/** True if no key was. */
	readonly wasEmpty: boolean;
	/** Remembers a key until this is looked at again. */
	remember(key: string): void;
	/** Returns entities for which a condition within this one holds; `path` tells the parts of one condition apart. */
	holds(condition: InnerCondition, path: string): Holds;
	/** Returns a test of a condition for one entity. */
	test(condition: InnerCondition): Test;
	/** Returns true if a condition is about each entity by itself. */
	asksEach(condition: InnerCondition): boolean;
	find(condition: InnerCondition): ConditionFinding;
	/** Components that every entity has for which the condition holds. */
	carries(condition: InnerCondition): readonly Component[];
	/** Components that an entity needs for the condition to be about it. */
	concerns(condition: InnerCondition): readonly Component[];
	/** Returns a reader of an entity, valid until the next call. */
	entity(id: number): EntityReader;
	/** Returns true if an entity passes the filter and has some components. */
	looksAt(id: number, having: readonly Component[]): boolean;
	/**
	 * Visits, in slot order, entities that match the filter and have some components. Those outside one of the bounds
	 * may be left out.
	 */
	each(having: readonly Component[], visit: (slot: number) => void, within?: readonly NumberBounds[]): void;
	/** Returns all entities for which a condition holds, in slot order, whatever the filter. */
	members(condition: InnerCondition): number[];
	/**
	 * Entity that an event names in a field, as it is or, when it is gone, as the event remembers it; null for none.
	 */
	named(event: SentEvent, field: string): EntityReader | null;
	/** Returns true if the filter takes the entity that an event names in a field. */
	passes(event: SentEvent, field: string): boolean;
}

/** Kinds of names that the parts of a world have. */
export type NameKind = 'tag' | 'name' | 'effect' | 'element' | 'action';

export interface KnownName {
	readonly kind: NameKind;
	readonly name: string;
}

interface Common<C> {
	/** Returns warnings of parts that can currently never hold, with the field, such as `.zone: ...`. */
	warn?(world: World, condition: C): readonly string[];
	/** Returns the names in it that the world should know. */
	names?(condition: C): readonly KnownName[];
	/** Returns true if entities that it chooses come later as a matter of course, so that none now is no mistake. */
	comesLater?(condition: C): boolean;
}

/** Is about each entity by itself. */
export interface Predicate<C> extends Common<C> {
	test(condition: C, scope: ConditionScope): Test;
	/** Components that every entity has for which it holds. */
	carries?(condition: C, scope: ConditionScope): readonly Component[];
	/** Components without which it is not about an entity, whether it holds or not: the one whose field it compares. */
	concerns?(condition: C, scope: ConditionScope): readonly Component[];
	/** NumberBounds of numbers outside of any of which it holds for no entity. */
	bounds?(condition: C, scope: ConditionScope): readonly NumberBounds[];
	/** Returns the only entity that it can hold for. */
	only?(condition: C): number;
	/** In its own way. */
	holds?(condition: C, scope: ConditionScope, path: string): Holds;
	find?(condition: C, scope: ConditionScope): ConditionFinding;
}

/** Without a subject: it is about the world. */
export interface Statement<C> extends Common<C> {
	find(condition: C, scope: ConditionScope): ConditionFinding;
	/** Returns true if it holds. Faster than `find`, for rules on every tick. */
	holds?(condition: C, scope: ConditionScope): boolean;
}

/** Is about what happens. */
export interface HappeningBehaviour<C> extends Common<C> {
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
export const found = (passed: boolean, message: string): ConditionFinding => ({ passed, message });

/** Returns the finding that no entity matches. `opposite`: true if the opposite then holds. */
export const foundNoEntity = (message: string, opposite?: true): ConditionFinding => ({
	passed: false,
	vacuous: true,
	...(opposite && { opposite }),
	message,
});

const SHOWN = 10;

/** Returns ids as `E1, E2 and 3 more`. */
export function idList(ids: readonly number[]): string {
	const names = ids.slice(0, SHOWN).map((id) => `E${id}`);
	const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : '';
	return `${names.join(', ')}${more}`;
}
