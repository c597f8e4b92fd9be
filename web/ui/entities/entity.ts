/**
 * An entity as the API returns it, and its names for people.
 * Owns: reading the rows of /observe, and the words for names, shapes, roles and teams. Never: asks the engine.
 */

import type { WalkGoal } from '../../../shared/components/ai.ts';
import type { ColliderDocument } from '../../../shared/components/collider.ts';
import type { Vector } from '../../../shared/contract/vector.ts';

export type { Vector };
export type Quaternion = readonly [number, number, number, number];

export interface EntityPose {
	readonly position: Vector;
	readonly rotation: Quaternion;
	readonly scale: Vector;
}

export type Collider = Readonly<ColliderDocument>;

export type BodyKind = 'Dynamic' | 'Static' | 'Kinematic';

/** One row of /observe. It may have other components, which are shown unchanged. */
export interface Entity {
	readonly id: number;
	readonly generation: number;
	readonly name?: string;
	readonly transform?: EntityPose;
	readonly local_transform?: EntityPose;
	readonly velocity?: { readonly linear: Vector; readonly angular: Vector };
	readonly collider?: Collider;
	readonly physics_body?: BodyKind;
	readonly health?: readonly [current: number, max: number];
	readonly team?: number;
	readonly role?: string;
	readonly dead?: true;
	readonly mesh?: string;
	readonly color?: string;
	readonly tags?: readonly string[];
	readonly agent_id?: number;
	readonly ai_goal?: WalkGoal;
	readonly parent?: { readonly id: number; readonly generation: number } | null;
	readonly [component: string]: unknown;
}

export const TEAM_NAMES: Readonly<Record<number, string>> = { 1: 'Lapis', 2: 'Vermilion' };

/** Returns the name of a team: `Lapis`, `Vermilion`, or `Team 3`. */
export function teamName(team: number): string {
	return TEAM_NAMES[team] ?? `Team ${team}`;
}

export const MESH_NAMES: Readonly<Record<string, string>> = {
	cube: 'Box',
	sphere: 'Ball',
	plane: 'Plane',
	cylinder: 'Cylinder',
	cone: 'Cone',
};

/** Names of entities without a shape, by component. */
const KIND_NAMES: readonly (readonly [component: string, name: string])[] = [
	['spawn_point', 'Spawn point'],
	['terrain', 'Terrain'],
	['water', 'Water'],
	['decal', 'Decal'],
	['particles', 'Emitter'],
	['light', 'Light'],
	['sound', 'Sound'],
	['trigger', 'Zone'],
];

/** Returns the name of an entity, or else its kind. */
export const entityName = (entity: Entity): string => entity.name ?? kindName(entity);

/** Returns the name of an entity, or else its kind and id: "Box 12". */
export const entityLabel = (entity: Entity): string => entity.name ?? `${kindName(entity)} ${entity.id}`;

/** Returns the name of the entity with this id, or else "entity 12". */
export const labelOfId = (entities: readonly Entity[], id: number): string =>
	entities.find((entity) => entity.id === id)?.name ?? `entity ${id}`;

/** Returns a title with the lowest number that makes an unused name: "Box 3". */
export function freeName(title: string, entities: readonly Pick<Entity, 'name'>[]): string {
	const usedNames = new Set(entities.map(({ name }) => name));
	for (let number = 1; ; number++) if (!usedNames.has(`${title} ${number}`)) return `${title} ${number}`;
}

/** Returns the kind of an entity: its role, shape or main component, or else "Entity". A rule has no visible components. */
export function kindName(entity: Entity): string {
	if (componentKeys(entity).length === 0) return 'Rule';
	if (entity.assertion !== undefined) return 'Assertion';
	if (entity.role !== undefined) return entity.role;
	const mesh = entity.mesh;
	if (mesh === undefined && entity.tags?.includes('group')) return 'Group';
	if (mesh === undefined) return KIND_NAMES.find(([key]) => entity[key] !== undefined)?.[1] ?? 'Entity';
	return (
		MESH_NAMES[mesh] ??
		mesh
			.split('/')
			.at(-1)!
			.replace(/\.[^.]*$/, '')
	);
}

/** Returns the names of the components that an entity has. */
export function componentKeys(entity: Entity): readonly string[] {
	return Object.keys(entity).filter((key) => key !== 'id' && key !== 'generation');
}

/** Reads the list out of an answer of /observe; null if it is not one. */
export function readEntities(body: unknown): readonly Entity[] | null {
	if (typeof body !== 'object' || body === null || !('entities' in body)) return null;
	return Array.isArray(body.entities) ? (body.entities as readonly Entity[]) : null;
}

/** Reads the answer of /entities/{id}; null if it is not an entity. */
export function readEntity(body: unknown): Entity | null {
	if (typeof body !== 'object' || body === null) return null;
	if (!('id' in body) || typeof body.id !== 'number') return null;
	// The answer also has the field `ok`, which is not a component.
	const { ok: _, ...entity } = body as Entity & { readonly ok?: unknown };
	return entity as Entity;
}

/** Named colours with their sRGB bytes, as the engine paints them. */
export const NAMED_COLORS: Readonly<Record<string, Vector>> = {
	red: [214, 69, 56],
	orange: [232, 128, 52],
	gold: [210, 166, 80],
	yellow: [236, 200, 74],
	green: [86, 153, 84],
	cyan: [76, 188, 201],
	blue: [59, 130, 214],
	magenta: [196, 82, 168],
	white: [242, 238, 228],
	silver: [188, 194, 201],
	gray: [128, 132, 138],
	black: [32, 35, 41],
};

/** Converts a colour of the engine to CSS. */
export function cssColor(color: string): string {
	const named = NAMED_COLORS[color];
	if (named !== undefined) return `rgb(${named.join(' ')})`;
	const parts = color.split(',').map((part) => Math.round(Number(part) * 255));
	return parts.length === 3 && parts.every(Number.isFinite) ? `rgb(${parts.join(' ')})` : 'transparent';
}
