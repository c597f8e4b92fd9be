/**
 * Numeric fields of entities, read from and written to their columns.
 * Owns: the check that an entity has a field, and the range of written values.
 */

import type { NumberField, WordField } from '../../../shared/contract/component.ts';
import { FAR } from '../../../shared/contract/values.ts';
import type { FieldPath } from '../../../shared/verbs/field-name.ts';
import { has, read, type World, write } from '../core/world.ts';

/**
 * Returns true if an entity has a field. An entity without the component does not have it, and a ball has no half extent
 * along z.
 */
export function hasField(world: World, slot: number, { component, field, lane }: FieldPath): boolean {
	if (!has(world, slot, component)) return false;
	const { lengthBy } = component.fields[field] as NumberField;
	if (lengthBy === undefined) return true;
	const { words } = component.fields[lengthBy.field] as WordField;
	const word = (read(world, component, lengthBy.field) as unknown as ArrayLike<number>)[slot]!;
	return lane < lengthBy.lengths[words[word]!]!;
}

/** Returns the value of a field, or undefined if the entity does not have it. */
export function readField(world: World, slot: number, path: FieldPath): number | undefined {
	if (!hasField(world, slot, path)) return undefined;
	const column = read(world, path.component, path.field) as unknown as ArrayLike<number>;
	return column[slot * path.size + path.lane];
}

/** Range of each kind of number, for fields that declare none. */
const RANGES: Readonly<Record<NumberField['kind'], readonly [number, number]>> = {
	f32: [-1e9, 1e9],
	u32: [0, 0xffffffff],
	i32: [-0x80000000, 0x7fffffff],
	u8: [0, 255],
};

/** Sets a field, rounded for whole numbers and clamped to its range. Returns false if the entity does not have it. */
export function writeField(world: World, slot: number, path: FieldPath, value: number): boolean {
	if (!hasField(world, slot, path)) return false;
	const [low, high] = rangeOf(path);
	const clamped = Math.min(high, Math.max(low, path.kind === 'f32' ? value : Math.round(value)));
	const column = write(world, path.component, path.field) as unknown as Float32Array;
	column[slot * path.size + path.lane] = clamped;
	if (path.size === 4) normalizeRotation(column, slot * 4);
	return true;
}

function rangeOf({ component, field, kind, size }: FieldPath): readonly [number, number] {
	const { range } = component.fields[field] as NumberField;
	return range ?? (kind === 'f32' && size > 1 ? [-FAR, FAR] : RANGES[kind]);
}

/** Normalises the quaternion at an offset. A quaternion of length 0 becomes the identity. */
function normalizeRotation(column: Float32Array, offset: number): void {
	const [x, y, z, w] = [column[offset]!, column[offset + 1]!, column[offset + 2]!, column[offset + 3]!];
	const length = Math.sqrt(x * x + y * y + z * z + w * w);
	if (length < 1e-6) column.set([0, 0, 0, 1], offset);
	else column.set([x / length, y / length, z / length, w / length], offset);
}
