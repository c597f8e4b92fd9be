/**
 * Entering zones and leaving them.
 * Owns: which entities are inside a zone. Those inside are remembered; a change of an entity is an occurrence.
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

export function crossing(
	direction: 'in' | 'out',
	zone: ZoneArea,
	scope: ConditionScope,
	path: string,
): Occurrence[] {
	const { world } = scope;
	const position = globalPositions(world);
	const inside = insideTest(world, zone);
	const found: Occurrence[] = [];
	// Entities that were inside are looked at wherever they are now.
	const within = direction === 'in' || scope.wasEmpty ? boundsOf(world, zone) : [];
	const look = (slot: number) => {
		if ('entity' in zone && zone.entity === slot) return;
		const subject = handleOf(world, slot);
		const key = `${path}|${subject.id}:${subject.generation}`;
		const wasInside = scope.was(key);
		const isInside = inside(position[slot * 3]!, position[slot * 3 + 1]!, position[slot * 3 + 2]!);
		if (isInside) scope.remember(key);
		if (direction === 'in' ? isInside && !wasInside : wasInside && !isInside)
			found.push({ subject, source: null });
	};
	scope.each([LocalTransform], look, within);
	return found;
}

/** NumberBounds of the positions inside a zone along x and z, a little wider than it. */
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

/** Middle of a zone; null for one around an entity without a position. */
function centerOf(world: World, zone: ZoneArea): readonly [number, number, number] | null {
	if ('center' in zone) return zone.center;
	return has(world, zone.entity, LocalTransform) ? globalPosition(world, zone.entity) : null;
}

function insideTest(world: World, zone: ZoneArea): (x: number, y: number, z: number) => boolean {
	if ('half' in zone) {
		const [cx, cy, cz] = zone.center;
		const [hx, hy, hz] = zone.half;
		return (x, y, z) => Math.abs(x - cx) < hx && Math.abs(y - cy) < hy && Math.abs(z - cz) < hz;
	}
	const center = centerOf(world, zone);
	if (center === null) return () => false;
	const reach = zone.radius * zone.radius;
	const [cx, cy, cz] = center;
	return (x, y, z) => {
		const [dx, dy, dz] = [x - cx, y - cy, z - cz];
		return dx * dx + dy * dy + dz * dz < reach;
	};
}

export function zoneWarnings(world: World, { zone }: { readonly zone: ZoneArea }): string[] {
	if ('entity' in zone && !isAlive(world, zone.entity))
		return [`.zone: there is currently no entity ${zone.entity}`];
	const empty = 'half' in zone ? zone.half.some((extent) => extent <= 0) : zone.radius <= 0;
	return empty ? ['.zone: a zone without extent contains nothing'] : [];
}
