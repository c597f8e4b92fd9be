/**
 * Filters: which entities something is about.
 * Owns: their text form (`team:2+role:hero`), and what matches.
 */

import { components } from '../../../shared/components/index.ts';
import { ROLES, Role } from '../../../shared/components/role.ts';
import { Tags } from '../../../shared/components/tags.ts';
import { Team } from '../../../shared/components/team.ts';
import type { Component, Fields, Row } from '../../../shared/contract/component.ts';
import { nearest } from '../../../shared/contract/nearest.ts';
import type { Filter } from '../../../shared/documents/filter.ts';
import { eachEntity, isAlive } from '../core/entities.ts';
import { each, has, read, type World } from '../core/world.ts';

type Leaf = Exclude<Filter, { type: 'and' }>;

export const ANY: Filter = { type: 'any' };

export type { Filter };

/** Other names that components go by in filters. */
const ALIASES: Readonly<Record<string, string>> = {
	spawnpoint: 'spawn_point',
	globaltransform: 'global_transform',
	localtransform: 'local_transform',
	transform: 'global_transform',
	entityrole: 'role',
	entity_role: 'role',
	meshrenderer: 'mesh',
	mesh_renderer: 'mesh',
};

/** The component that a word names, in any letter case; undefined when none. */
export function componentNamed(name: string) {
	const low = name.toLowerCase();
	const known = Object.hasOwn(ALIASES, low) ? ALIASES[low] : low;
	return components.find((c) => c.name === known || c.title.toLowerCase() === known);
}

/** What is wrong with a filter's text, and what to write instead. */
export class FilterError extends Error {
	readonly fix: string;

	constructor(message: string, fix: string) {
		super(message);
		this.fix = fix;
	}
}

/** Reads `any`, `entity:3`, `team:2`, `role:hero`, `tag:boss`, `component:health`, joined with `+`. Throws a FilterError. */
export function parseFilter(sent: string): Filter {
	const parts = sent.split('+').map((part) => parseLeaf(part.trim()));
	return parts.length === 1 ? parts[0]! : { type: 'and', filters: parts };
}

const FORMS =
	'any, entity:ID, team:0-255, role:hero|minion|tower|structure, tag:NAME, component:NAME, joined with +';

const KINDS = ['any', 'all', 'entity', 'team', 'role', 'tag', 'component'];

function parseLeaf(part: string): Leaf {
	const at = part.indexOf(':');
	const kind = (at < 0 ? part : part.slice(0, at)).toLowerCase();
	const value = at < 0 ? '' : part.slice(at + 1).trim();
	if (at < 0 && (kind === 'any' || kind === 'all' || kind === '*')) return { type: 'any' };
	const whole = /^\d+$/.test(value) ? Number(value) : Number.NaN;
	if (kind === 'entity' && whole <= 0xffffffff) return { type: 'entity', entity: whole };
	if (kind === 'team' && whole <= 255) return { type: 'team', team: whole };
	if (kind === 'role') {
		const role = ROLES.find((known) => known.toLowerCase() === value.toLowerCase());
		if (role !== undefined) return { type: 'role', role };
	}
	if (kind === 'tag' && value !== '') return { type: 'tag', tag: value };
	if (kind === 'component' && componentNamed(value) !== undefined)
		return { type: 'has_component', component: value };
	const words = kind === 'role' ? ROLES : kind === 'component' ? components.map(({ name }) => name) : [];
	const near = KINDS.includes(kind) ? nearest(value, words) : nearest(kind, KINDS);
	const meant = KINDS.includes(kind) ? `${kind}:${near?.toLowerCase()}` : at < 0 ? near : `${near}:${value}`;
	const guess = near === undefined ? '' : `did you mean "${meant}"? `;
	throw new FilterError(
		`the filter "${part}" is not understood; ${guess}known: ${FORMS}`,
		`${near === undefined ? '' : `Did you mean "${meant}"? `}Filters are ${FORMS}.`,
	);
}

/** The text of a filter. */
export function filterText(filter: Filter): string {
	switch (filter.type) {
		case 'any':
			return 'any';
		case 'entity':
			return `entity:${filter.entity}`;
		case 'team':
			return `team:${filter.team}`;
		case 'role':
			return `role:${filter.role.toLowerCase()}`;
		case 'tag':
			return `tag:${filter.tag}`;
		case 'has_component':
			return `component:${filter.component}`;
		case 'and':
			return filter.filters.length === 0 ? 'any' : filter.filters.map(filterText).join('+');
	}
}

/** Whether the entity in a slot matches. */
export function matches(world: World, slot: number, filter: Filter): boolean {
	switch (filter.type) {
		case 'any':
			return true;
		case 'entity':
			return slot === filter.entity;
		case 'team':
			return has(world, slot, Team) && read(world, Team, 'team')[slot] === filter.team;
		case 'role':
			return has(world, slot, Role) && ROLES[read(world, Role, 'role')[slot]!] === filter.role;
		case 'tag':
			return has(world, slot, Tags) && read(world, Tags, 'tags')[slot]!.includes(filter.tag);
		case 'has_component': {
			const component = componentNamed(filter.component);
			return component !== undefined && has(world, slot, component);
		}
		case 'and':
			return filter.filters.every((part) => matches(world, slot, part));
	}
}

/** What an entity has of a component, or undefined. */
export type RowOf = <F extends Fields>(component: Component<F>) => Row<F> | undefined;

/** Whether an entity that may be gone matches, by what is known of it. */
export function matchesKnown(filter: Filter, id: number, rowOf: RowOf): boolean {
	switch (filter.type) {
		case 'any':
			return true;
		case 'entity':
			return id === filter.entity;
		case 'team':
			return rowOf(Team)?.team === filter.team;
		case 'role':
			return rowOf(Role)?.role === filter.role;
		case 'tag':
			return rowOf(Tags)?.tags.includes(filter.tag) === true;
		case 'has_component': {
			const component = componentNamed(filter.component);
			return component !== undefined && rowOf(component) !== undefined;
		}
		case 'and':
			return filter.filters.every((part) => matchesKnown(part, id, rowOf));
	}
}

/** Components that whatever matches has. */
function carried(filter: Filter): Component[] {
	switch (filter.type) {
		case 'team':
			return [Team];
		case 'role':
			return [Role];
		case 'tag':
			return [Tags];
		case 'has_component': {
			const component = componentNamed(filter.component);
			return component === undefined ? [] : [component];
		}
		case 'and':
			return filter.filters.flatMap(carried);
		default:
			return [];
	}
}

/** Visits, in slot order, the living entities that match and have some components. Nobody else is looked at. */
export function eachMatch(
	world: World,
	filter: Filter,
	having: readonly Component[],
	visit: (slot: number) => void,
): void {
	if (filter.type === 'entity') {
		const { entity } = filter;
		if (isAlive(world, entity) && having.every((component) => has(world, entity, component))) visit(entity);
		return;
	}
	const all = [...having, ...carried(filter)];
	const look = (slot: number) => {
		if (matches(world, slot, filter)) visit(slot);
	};
	if (all.length === 0) eachEntity(world, look);
	else each(world, all, look);
}
