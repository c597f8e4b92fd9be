/**
 * Numbers of an entity that conditions can compare.
 * Owns: the numbers that are computed from several columns: `health.percent`, and the position.
 */

import { GlobalTransform } from '../../../../shared/components/global-transform.ts';
import { Health } from '../../../../shared/components/health.ts';
import { LocalTransform } from '../../../../shared/components/local-transform.ts';
import { Parent } from '../../../../shared/components/parent.ts';
import type { Component, NumberField } from '../../../../shared/contract/component.ts';
import { fieldPath } from '../../../../shared/verbs/field-name.ts';
import { fullMeasureName } from '../../../../shared/verbs/measure-name.ts';
import { shortestFloat32 } from '../../core/float32.ts';
import { count, type World } from '../../core/world.ts';
import type { EntityReader } from './condition.ts';
import type { NumberBounds } from './ordered-values.ts';

export interface EntityMeasure {
	/** Component that contains the number. */
	readonly component: Component;
	/** Returns the number, or undefined if the entity does not have it. */
	of(entity: EntityReader): number | undefined;
	/** Returns the column that contains the number; undefined if the number is computed. */
	column?(world: World): Omit<NumberBounds, 'low' | 'high'> | undefined;
}

/** Health as a percentage of its maximum; 0 if the maximum is not above 0. */
const percent: EntityMeasure = {
	component: Health,
	of: (entity) => {
		const max = entity.value(Health, 'max');
		if (max === undefined) return undefined;
		return max <= 0 ? 0 : (entity.value(Health, 'current')! / max) * 100;
	},
};

/** Returns the global position of an entity. For a child, it is the position at the end of the last tick. */
export function positionOf(entity: EntityReader): readonly [number, number, number] | undefined {
	return entity.has(Parent)
		? entity.value(GlobalTransform, 'position')
		: entity.value(LocalTransform, 'position');
}

/** Returns the column with the positions of entities along an axis; undefined while one of them has a parent. */
export function positionColumn(
	world: World,
	axis: 0 | 1 | 2,
): Omit<NumberBounds, 'low' | 'high'> | undefined {
	return count(world, Parent) > 0 ? undefined : { component: LocalTransform, field: 'position', lane: axis };
}

const alongAxis = (axis: 0 | 1 | 2): EntityMeasure => ({
	component: LocalTransform,
	of: (entity) => positionOf(entity)?.[axis],
	column: (world) => positionColumn(world, axis),
});

const measuresByName = new Map<string, EntityMeasure>([
	['health.percent', percent],
	['health.pct', percent],
]);
(['x', 'y', 'z'] as const).forEach((axis, i) => {
	for (const name of [axis, `pos.${axis}`, `position.${axis}`])
		measuresByName.set(name, alongAxis(i as 0 | 1 | 2));
});

/** Returns the measure with a name, in any letter case. Throws a Refusal if there is none. */
export function measure(name: string): EntityMeasure {
	const key = fullMeasureName(name);
	const cached = measuresByName.get(key);
	if (cached !== undefined) return cached;
	const { component, field, lane, size } = fieldPath(key);
	const { lengthBy } = component.fields[field] as NumberField;
	const fieldMeasure: EntityMeasure = {
		component,
		column: () => ({ component, field, lane }),
		of: (entity) => {
			const word = lengthBy && (entity.value(component, lengthBy.field) as string | undefined);
			if (lengthBy !== undefined && word !== undefined && lane >= lengthBy.lengths[word]!) return undefined;
			const value = entity.value(component, field) as number | readonly number[] | undefined;
			return typeof value === 'object' && size > 1 ? value[lane] : (value as number | undefined);
		},
	};
	measuresByName.set(key, fieldMeasure);
	return fieldMeasure;
}

/** Returns a number of an entity as the API shows it: 32-bit numbers in their shortest form. */
export function shownMeasure(name: string, entity: EntityReader): number {
	const number = measure(name).of(entity)!;
	return Math.fround(number) === number ? shortestFloat32(number) : number;
}
