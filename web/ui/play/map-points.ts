/**
 * The map: positions of all entities from above, with -z at the top.
 * Owns: the geometry of the dial. Never: draws.
 */

import type { Entity, Vector } from '../entities/entity.ts';
import { isUnit } from './units.ts';

export interface MapPoint {
	readonly id: number;
	/** From -1 to 1, to the right and downwards. */
	readonly x: number;
	readonly y: number;
	readonly team: number | undefined;
	readonly kind: 'hero' | 'building' | 'unit';
}

export interface MapFrame {
	readonly x: number;
	readonly z: number;
	/** Metres from the middle to the rim. */
	readonly reach: number;
}

/** Ratio of the radius to the distance of the outermost unit. */
const MARGIN = 1.12;
const MIN_REACH = 6;

/**
 * Returns a circle that contains all living units. Returns `before` as long as it contains them, so that the map does not move.
 */
export function mapFrame(entities: readonly Entity[], before: MapFrame | null): MapFrame {
	const places = entities.filter((entity) => isUnit(entity) && entity.dead !== true).map(at);
	const inside = ([x, , z]: Vector): boolean =>
		before !== null && Math.hypot(x - before.x, z - before.z) <= before.reach;
	if (before !== null && places.every(inside)) return before;
	if (places.length === 0) return before ?? { x: 0, z: 0, reach: MIN_REACH };
	const range = (axis: 0 | 2): readonly [number, number] => [
		Math.min(...places.map((position) => position[axis])),
		Math.max(...places.map((position) => position[axis])),
	];
	const [[west, east], [north, south]] = [range(0), range(2)];
	const [x, z] = [(west + east) / 2, (north + south) / 2];
	const furthest = Math.max(...places.map((position) => Math.hypot(position[0] - x, position[2] - z)));
	return { x, z, reach: Math.max(MIN_REACH, furthest * MARGIN) };
}

const at = (entity: Entity): Vector => entity.transform!.position;

const KINDS: Readonly<Record<string, MapPoint['kind']>> = {
	Hero: 'hero',
	Tower: 'building',
	Structure: 'building',
};

/** Returns all living entities, buildings first, so that heroes are drawn over them. */
export function mapPoints(entities: readonly Entity[], { x, z, reach }: MapFrame): readonly MapPoint[] {
	const order = { building: 0, unit: 1, hero: 2 } as const;
	return entities
		.filter((entity) => isUnit(entity) && entity.dead !== true)
		.map(
			(entity): MapPoint => ({
				id: entity.id,
				x: (at(entity)[0] - x) / reach,
				y: (at(entity)[2] - z) / reach,
				team: entity.team,
				kind: entity.player === true ? 'hero' : (KINDS[entity.role ?? ''] ?? 'unit'),
			}),
		)
		.sort((a, b) => order[a.kind] - order[b.kind]);
}

/** Returns the place on the ground, along x and z, of a point on the dial; null outside the dial. */
export function placeOn(
	{ x, z, reach }: MapFrame,
	point: readonly [x: number, y: number],
): GroundPlace | null {
	if (Math.hypot(...point) > 1) return null;
	return [x + point[0] * reach, z + point[1] * reach];
}

export type GroundPlace = readonly [x: number, z: number];

/** Returns the entity nearest to a place. */
export function nearestTo([x, z]: GroundPlace, entities: readonly Entity[]): Entity | null {
	const far = (entity: Entity): number => Math.hypot(at(entity)[0] - x, at(entity)[2] - z);
	return entities.reduce<Entity | null>(
		(best, entity) => (best === null || far(entity) < far(best) ? entity : best),
		null,
	);
}
