/**
 * Finds the entities that enter or leave a zone.
 * Owns: the test for the inside of a zone. Entities inside are remembered; a change is an occurrence.
 */

import { LocalTransform } from '../../../../shared/components/local-transform.ts';
import type { ZoneArea } from '../../../../shared/verbs/conditions/zone.ts';
import { handleOf, isAlive } from '../../core/entities.ts';
import { has, type World } from '../../core/world.ts';
import { globalPosition, globalPositions } from '../../space/global-position.ts';
import type { ConditionScope } from './condition.ts';
import { positionColumn } from './measure.ts';
import type { Occurrence } from './occurrence.ts';
import type { NumberBounds } from './ordered-values.ts';

export function findCrossings(
	direction: 'in' | 'out',
	zone: ZoneArea,
	scope: ConditionScope,
	path: string,
): Occurrence[] {
	const { world } = scope;
	const positions = globalPositions(world);
	const isInsideZone = createInsideTest(world, zone);
	const crossings: Occurrence[] = [];
	// Entities that were inside may be anywhere now, so the search for leaving entities has no bounds.
	const bounds = direction === 'in' || scope.isMemoryEmpty ? boundsOf(world, zone) : [];
	const checkSlot = (slot: number) => {
		if ('entity' in zone && zone.entity === slot) return;
		const subject = handleOf(world, slot);
		const key = `${path}|${subject.id}:${subject.generation}`;
		const wasInside = scope.wasRemembered(key);
		const isInside = isInsideZone(positions[slot * 3]!, positions[slot * 3 + 1]!, positions[slot * 3 + 2]!);
		if (isInside) scope.remember(key);
		if (direction === 'in' ? isInside && !wasInside : wasInside && !isInside)
			crossings.push({ subject, source: null });
	};
	scope.each([LocalTransform], checkSlot, bounds);
	return crossings;
}

/** Returns bounds of the positions inside a zone along x and z. A margin covers rounding errors. */
function boundsOf(world: World, zone: ZoneArea): NumberBounds[] {
	const center = centerOf(world, zone);
	if (center === null) return [];
	return ([0, 2] as const).flatMap((axis) => {
		const column = positionColumn(world, axis);
		if (column === undefined) return [];
		const middle = center[axis];
		const reach = 'half' in zone ? zone.half[axis] : Math.abs(zone.radius);
		const margin = (Math.abs(middle) + reach) * 1e-6;
		return [{ ...column, low: middle - reach - margin, high: middle + reach + margin }];
	});
}

/** Returns the centre of a zone; null if it is around an entity without a position. */
function centerOf(world: World, zone: ZoneArea): readonly [number, number, number] | null {
	if ('center' in zone) return zone.center;
	return has(world, zone.entity, LocalTransform) ? globalPosition(world, zone.entity) : null;
}

function createInsideTest(world: World, zone: ZoneArea): (x: number, y: number, z: number) => boolean {
	if ('half' in zone) {
		const [cx, cy, cz] = zone.center;
		const [hx, hy, hz] = zone.half;
		return (x, y, z) => Math.abs(x - cx) < hx && Math.abs(y - cy) < hy && Math.abs(z - cz) < hz;
	}
	const center = centerOf(world, zone);
	if (center === null) return () => false;
	const squaredRadius = zone.radius * zone.radius;
	const [cx, cy, cz] = center;
	return (x, y, z) => {
		const [dx, dy, dz] = [x - cx, y - cy, z - cz];
		return dx * dx + dy * dy + dz * dz < squaredRadius;
	};
}

export function zoneWarnings(world: World, { zone }: { readonly zone: ZoneArea }): string[] {
	if ('entity' in zone && !isAlive(world, zone.entity))
		return [`.zone: there is currently no entity ${zone.entity}`];
	const isEmpty = 'half' in zone ? zone.half.some((extent) => extent <= 0) : zone.radius <= 0;
	return isEmpty ? ['.zone: a zone without extent contains nothing'] : [];
}
