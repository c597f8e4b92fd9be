/**
 * Naming one number of an entity: `health.current`, `velocity.linear.y`, `team`.
 * Owns: how such a path leads to a column, reading it, and writing it within its range.
 */

import { components } from '../../../shared/components/index.ts';
import { Rule } from '../../../shared/components/rule.ts';
import type { Component, NumberField } from '../../../shared/contract/component.ts';
import { nearest } from '../../../shared/contract/nearest.ts';
import { FAR } from '../../../shared/contract/values.ts';
import { has, read, type World, write } from '../core/world.ts';

/** One number of a component. */
export interface FieldPath {
	readonly component: Component;
	readonly field: string;
	/** Which of the field's numbers. */
	readonly lane: number;
	readonly kind: NumberField['kind'];
	readonly size: number;
}

const AXES = ['x', 'y', 'z', 'w'];

/** Shorter names. */
const ALIASES: Readonly<Record<string, string>> = {
	health: 'health.current',
	mana: 'mana.current',
	'pos.x': 'local_transform.position.x',
	'pos.y': 'local_transform.position.y',
	'pos.z': 'local_transform.position.z',
	'position.x': 'local_transform.position.x',
	'position.y': 'local_transform.position.y',
	'position.z': 'local_transform.position.z',
	x: 'local_transform.position.x',
	y: 'local_transform.position.y',
	z: 'local_transform.position.z',
};

const known = new Map<string, FieldPath>();
for (const component of components) {
	// Rules are no subject of rules.
	if (component === Rule) continue;
	const numeric = Object.entries(component.fields).filter(([, field]) => 'size' in field);
	for (const [name, field] of numeric) {
		const { kind, size } = field as NumberField;
		for (let lane = 0; lane < size; lane++) {
			const path = { component, field: name, lane, kind, size };
			const base = `${component.name}.${name}`;
			known.set(size === 1 ? base : `${base}.${AXES[lane] ?? lane}`, path);
			if (size === 1 && (numeric.length === 1 || name === component.name)) known.set(component.name, path);
		}
	}
}
for (const [alias, name] of Object.entries(ALIASES)) known.set(alias, known.get(name)!);

/** Every path that can be named. */
export const FIELD_PATHS: readonly string[] = [...known.keys()];

/** What is wrong with a path, and what to write instead. */
export class FieldPathError extends Error {
	readonly fix: string;

	constructor(message: string, fix: string) {
		super(message);
		this.fix = fix;
	}
}

/** Finds the number that a path names, in any letter case. Throws a FieldPathError. */
export function fieldPath(path: string): FieldPath {
	const found = known.get(path.trim().toLowerCase());
	if (found !== undefined) return found;
	const near = nearest(path, known.keys());
	const how =
		'name a component and a field, such as health.current, gold, level, position.x or combat.damage';
	throw new FieldPathError(
		`there is no field "${path}"; ${near === undefined ? '' : `did you mean "${near}"? `}${how}`,
		near === undefined
			? 'Name a component and a field, such as health.current; GET /schema?brief=true lists them.'
			: `Did you mean "${near}"?`,
	);
}

/** The number, or undefined when the entity does not have the component. */
export function readField(world: World, slot: number, path: FieldPath): number | undefined {
	if (!has(world, slot, path.component)) return undefined;
	const column = read(world, path.component, path.field) as unknown as ArrayLike<number>;
	return column[slot * path.size + path.lane];
}

const RANGES: Readonly<Record<NumberField['kind'], readonly [number, number]>> = {
	f32: [-1e9, 1e9],
	u32: [0, 0xffffffff],
	i32: [-0x80000000, 0x7fffffff],
	u8: [0, 255],
};

/** Sets the number, rounded and held within what the field can be; false when the entity lacks the component. */
export function writeField(world: World, slot: number, path: FieldPath, value: number): boolean {
	if (!has(world, slot, path.component)) return false;
	const [low, high] = rangeOf(path);
	const held = Math.min(high, Math.max(low, path.kind === 'f32' ? value : Math.round(value)));
	const column = write(world, path.component, path.field) as unknown as Float32Array;
	column[slot * path.size + path.lane] = held;
	if (path.size === 4) normalize(column, slot * 4);
	return true;
}

function rangeOf({ component, kind, size }: FieldPath): readonly [number, number] {
	if (kind !== 'f32') return RANGES[kind];
	if (component.name === 'collider') return [1e-3, 1e4];
	return size === 1 ? RANGES.f32 : [-FAR, FAR];
}

/** A rotation stays a unit quaternion; one of no length becomes none. */
function normalize(column: Float32Array, at: number): void {
	const [x, y, z, w] = [column[at]!, column[at + 1]!, column[at + 2]!, column[at + 3]!];
	const length = Math.sqrt(x * x + y * y + z * z + w * w);
	if (length < 1e-6) column.set([0, 0, 0, 1], at);
	else column.set([x / length, y / length, z / length, w / length], at);
}
