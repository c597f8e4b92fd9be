/**
 * The numbers of an entity that a field check can look at.
 * Owns: the names that stand for more than one column: health.percent, position, gold, level, team.
 */

import { GlobalTransform } from '../../../shared/components/global-transform.ts';
import { Health } from '../../../shared/components/health.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Parent } from '../../../shared/components/parent.ts';
import { fieldPath } from '../../../shared/verbs/field-name.ts';
import { shortest } from '../core/float32.ts';
import { has, read, type World } from '../core/world.ts';
import { readField } from '../fields/field-path.ts';

/** Reads one number of an entity; undefined when the entity does not have it. */
export type Measure = (world: World, slot: number) => number | undefined;

/** Health in hundredths of the most it can be; 0 when that is not above 0. */
const percent: Measure = (world, slot) => {
	if (!has(world, slot, Health)) return undefined;
	const max = read(world, Health, 'max')[slot]!;
	return max <= 0 ? 0 : (read(world, Health, 'current')[slot]! / max) * 100;
};

/** Where an entity is in the world: where it is now, or, on a parent, as of the last step. */
export function placeOf(world: World, slot: number): readonly [number, number, number] | undefined {
	const component = has(world, slot, Parent) ? GlobalTransform : LocalTransform;
	if (!has(world, slot, component)) return undefined;
	const column = read(world, component, 'position');
	return [column[slot * 3]!, column[slot * 3 + 1]!, column[slot * 3 + 2]!];
}

function along(axis: 0 | 1 | 2): Measure {
	return (world, slot) => {
		const place = placeOf(world, slot);
		return place === undefined ? undefined : shortest(place[axis]);
	};
}

const named = new Map<string, Measure>([
	['health.percent', percent],
	['health.pct', percent],
]);
(['x', 'y', 'z'] as const).forEach((axis, i) => {
	for (const name of [axis, `pos.${axis}`, `position.${axis}`]) named.set(name, along(i as 0 | 1 | 2));
});

/** The measure that a name stands for, in any letter case. Throws a FieldPathError. */
export function measure(name: string): Measure {
	const low = name.trim().toLowerCase();
	const known = named.get(low);
	if (known !== undefined) return known;
	const path = fieldPath(low === 'gold' ? 'gold.amount' : low === 'level' ? 'level.level' : low);
	if (path.kind !== 'f32') return (world, slot) => readField(world, slot, path);
	return (world, slot) => {
		const value = readField(world, slot, path);
		return value === undefined ? undefined : shortest(value);
	};
}
