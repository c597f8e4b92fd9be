/**
 * The entity list as a tree of teams with their entities.
 * Owns: grouping, searching, and the flat list of rows. Never: draws.
 */

import { componentKeys, type Entity, entityName, kindName, teamName } from '../entities/entity.ts';
import { byId, parentOf } from '../entities/poses.ts';

/** `t1`, `t2`, ... for teams, `w` for entities without a team. */
export type GroupKey = string;

export interface TreeGroup {
	readonly key: GroupKey;
	readonly name: string;
	readonly team: number | null;
	readonly entities: readonly Entity[];
}

export type TreeRow =
	| { readonly kind: 'group'; readonly group: TreeGroup; readonly open: boolean }
	| {
			readonly kind: 'entity';
			readonly entity: Entity;
			/** Number of ancestors in its group. */
			readonly depth: number;
			/** Number among its siblings, from 1. */
			readonly position: number;
			readonly of: number;
	  };

export function groupKey(entity: Entity): GroupKey {
	return entity.team === undefined ? 'w' : `t${entity.team}`;
}

/** Groups entities by team: teams by number, entities without a team last, ids ascending. */
export function groupByTeam(entities: readonly Entity[]): readonly TreeGroup[] {
	const groups = new Map<GroupKey, { team: number | null; entities: Entity[] }>();
	for (const entity of entities) {
		const key = groupKey(entity);
		let group = groups.get(key);
		if (group === undefined) {
			group = { team: entity.team ?? null, entities: [] };
			groups.set(key, group);
		}
		group.entities.push(entity);
	}
	const order = (team: number | null) => team ?? Number.POSITIVE_INFINITY;
	return [...groups]
		.sort(([, a], [, b]) => order(a.team) - order(b.team))
		.map(([key, { team, entities: members }]) => ({
			key,
			name: team === null ? 'No team' : teamName(team),
			team,
			entities: members,
		}));
}

/** Returns true if every word of the search is in the name, id, tags, team or components of an entity. */
export function matches(entity: Entity, search: string): boolean {
	const words = search.toLowerCase().split(/\s+/).filter(Boolean);
	if (words.length === 0) return true;
	const line = [
		entityName(entity),
		kindName(entity),
		entity.mesh ?? '',
		entity.team === undefined ? '' : teamName(entity.team),
		...(entity.tags ?? []),
		...componentKeys(entity),
	]
		.join('\n')
		.toLowerCase();
	return words.every((word) => line.includes(word) || word === String(entity.id));
}

/**
 * Returns the rows from top to bottom, children below their parents. A group in `closed` has only its head. An entity whose
 * parent is in another group, or in a cycle, is at the top level of its group.
 */
export function treeRows(groups: readonly TreeGroup[], closed: ReadonlySet<GroupKey>): readonly TreeRow[] {
	const rows: TreeRow[] = [];
	for (const group of groups) {
		const open = !closed.has(group.key);
		rows.push({ kind: 'group', group, open });
		if (!open) continue;
		const members = byId(group.entities);
		const children = Map.groupBy(group.entities, (entity) => parentOf(entity, members)?.id);
		const placed = new Set<number>();
		const place = (siblings: readonly Entity[], depth: number): void => {
			siblings.forEach((entity, index) => {
				if (placed.has(entity.id)) return;
				placed.add(entity.id);
				rows.push({ kind: 'entity', entity, depth, position: index + 1, of: siblings.length });
				place(children.get(entity.id) ?? [], depth + 1);
			});
		};
		place(children.get(undefined) ?? [], 0);
		if (placed.size < group.entities.length) place(group.entities, 0);
	}
	return rows;
}

/** Splits a name at the hit of a search. The middle part is the hit. */
export function splitHits(name: string, search: string): readonly string[] {
	const word = search
		.toLowerCase()
		.split(/\s+/)
		.find((part) => part !== '' && name.toLowerCase().includes(part));
	if (word === undefined) return [name];
	const at = name.toLowerCase().indexOf(word);
	return [name.slice(0, at), name.slice(at, at + word.length), name.slice(at + word.length)];
}
