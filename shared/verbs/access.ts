/**
 * Names that a system or a verb reads and writes.
 * Owns: the syntax of such names, and lists that several declarations share.
 *
 * `health.current` is a column, for all entities with the component. `health` means all its columns, and the set of
 * entities that have it. `entities` means the set of existing entities, with all components of an entity when it
 * appears. Reading a component includes reading it for entities that have just appeared. `match` and `items` are
 * examples of resources, and `physics` is a part. `rule:ID` means the existence of that rule, `event:KIND` the events of
 * that kind, and `*` everything. Writing to an entity that has just appeared is part of `entities`.
 */

import { components } from '../components/index.ts';
import type { EventKind } from '../documents/event.ts';

/** Components that an entity must have. Columns of other entities are neither read nor written. */
export interface ComponentQuery {
	readonly with: readonly string[];
	readonly reads?: readonly string[];
	readonly writes?: readonly string[];
}

/** Names that a condition, action, target or system reads and writes. */
export interface VerbAccess {
	readonly reads?: readonly string[];
	readonly writes?: readonly string[];
	readonly queries?: readonly ComponentQuery[];
	/** Events that it sends. */
	readonly emits?: readonly EventKind[];
	/** Events that it receives. */
	readonly drains?: readonly EventKind[];
	/** Components of entities that it spawns. If it writes `entities`, the default is all components. */
	readonly spawns?: readonly string[];
}

/** Name that means all names. */
export const ANYTHING = '*';

/** Names read to find the position of an entity in the middle of a tick. */
export const PLACE_READ = ['local_transform.position', 'global_transform.position', 'parent'];

/** Names read to check the room for one more body at a position. */
export const ROOM_READ = [
	'local_transform.position',
	'local_transform.rotation',
	'collider',
	'physics_body.kind',
	'parent',
];

/** Names read to check an owner's remaining share of entities. */
export const SHARE_READ = ['agent_id', 'entity_shares'];

/** Names that teleporting an entity reads. */
export const TELEPORT_READ = [...ROOM_READ, 'local_transform', 'global_transform'];

/** Names that are read when stats are resolved again. */
export const STATS_READ = [
	'base_stats',
	'building',
	'combat.damage',
	'combat.range',
	'combat.speed',
	'crowd_control',
	'defense',
	'effects',
	'equipment',
	'health',
	'items',
	'mana',
	'modifiers',
	'stats',
	'tuning',
];
/** Names that are written when stats are resolved again. */
export const STATS_WRITTEN = [
	'modifiers',
	'stats',
	'health.current',
	'health.max',
	'mana.current',
	'mana.max',
];

const columnsByComponent = new Map(
	components.map(({ name, fields }) => [
		name,
		[name, ...Object.keys(fields).map((field) => `${name}.${field}`)],
	]),
);

/** Returns the names, and for each component also its columns. Two expanded lists conflict if they share a name. */
export const withColumns = (names: readonly string[]): string[] =>
	names.flatMap((name) => columnsByComponent.get(name) ?? [name]);
