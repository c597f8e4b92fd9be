/**
 * Names that a system or a verb reads and writes.
 * Owns: the syntax of such names, and lists that several declarations share.
 *
 * `health.current` is a column, for all entities with the component. `health` is all its columns, and which entities
 * have it. `entities` means the set of existing entities, with all components of an entity when it appears. Reading a
 * component includes reading it for entities that have just appeared. `match`, `items` and similar ones are resources,
 * `physics` is a part. `rule:ID` is whether that rule exists, `event:KIND` the events of that kind, and `*`
 * everything. Writing to an entity that has just appeared is part of `entities`.
 */

import { components } from '../components/index.ts';
import type { EventKind } from '../documents/event.ts';

/** Columns that are read and written only of entities that have all of these components. */
export interface ComponentQuery {
	readonly with: readonly string[];
	readonly reads?: readonly string[];
	readonly writes?: readonly string[];
}

export interface VerbAccess {
	readonly reads?: readonly string[];
	readonly writes?: readonly string[];
	readonly queries?: readonly ComponentQuery[];
	/** Events it sends. */
	readonly emits?: readonly EventKind[];
	/** Events it receives. */
	readonly drains?: readonly EventKind[];
	/** Components that an entity spawned by it can have; left out, where `entities` is written: any. */
	readonly spawns?: readonly string[];
}

/** Read instead of many names: everything there is. */
export const ANYTHING = '*';

/** Names of an entity's position in the middle of a tick. */
export const PLACE_READ = ['local_transform.position', 'global_transform.position', 'parent'];

/** Names read to check that there is room for one more body at a position. */
export const ROOM_READ = [
	'local_transform.position',
	'local_transform.rotation',
	'collider',
	'physics_body.kind',
	'parent',
];

/** Names of the share that an owner has left for spawning an entity. */
export const SHARE_READ = ['agent_id', 'entity_shares'];

/** Names that teleporting an entity reads. */
export const TELEPORT_READ = [...ROOM_READ, 'local_transform', 'global_transform'];

/** Names that resolving stats again reads, and names that it writes. */
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
export const STATS_WRITTEN = [
	'modifiers',
	'stats',
	'health.current',
	'health.max',
	'mana.current',
	'mana.max',
];

const columns = new Map(
	components.map(({ name, fields }) => [
		name,
		[name, ...Object.keys(fields).map((field) => `${name}.${field}`)],
	]),
);

/** Returns the same with every component's columns beside it: two lists touch the same where they share a name. */
export const withColumns = (names: readonly string[]): string[] =>
	names.flatMap((name) => columns.get(name) ?? [name]);
