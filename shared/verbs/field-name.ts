/**
 * Names of numbers of an entity: `health.current`, `velocity.linear.y`, `team`.
 * Owns: the list of names, and the column of each.
 */

import { components } from '../components/index.ts';
import { Rule } from '../components/rule.ts';
import type { Component, NumberField } from '../contract/component.ts';
import { Refusal } from '../contract/errors.ts';
import { nearest } from '../contract/nearest.ts';

/** One number of a component. */
export interface FieldPath {
	readonly component: Component;
	readonly field: string;
	/** Index of the number within the field. */
	readonly lane: number;
	readonly kind: NumberField['kind'];
	/** Number of numbers in the field. */
	readonly size: number;
}

const AXES = ['x', 'y', 'z', 'w'];

/** Short names, and the full name of each. */
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

const pathByName = new Map<string, FieldPath>();
for (const component of components) {
	// Rules cannot refer to fields of rules.
	if (component === Rule) continue;
	const numeric = Object.entries(component.fields).filter(
		([, field]) => 'size' in field && field.hidden === undefined,
	);
	for (const [name, field] of numeric) {
		const { kind, size } = field as NumberField;
		for (let lane = 0; lane < size; lane++) {
			const path = { component, field: name, lane, kind, size };
			const base = `${component.name}.${name}`;
			pathByName.set(size === 1 ? base : `${base}.${AXES[lane] ?? lane}`, path);
			if (size === 1 && (numeric.length === 1 || name === component.name))
				pathByName.set(component.name, path);
		}
	}
}
for (const [alias, name] of Object.entries(ALIASES)) pathByName.set(alias, pathByName.get(name)!);

/** All paths of numbers. */
export const FIELD_PATHS: readonly string[] = [...pathByName.keys()];

/** Returns the number at a path, in any letter case. Throws a Refusal. */
export function fieldPath(path: string): FieldPath {
	const found = pathByName.get(path.trim().toLowerCase());
	if (found !== undefined) return found;
	const near = nearest(path, pathByName.keys());
	const rule =
		'name a component and a field, such as health.current, gold, level, position.x or combat.damage';
	throw new Refusal(
		`there is no field "${path}"; ${near === undefined ? '' : `did you mean "${near}"? `}${rule}`,
		near === undefined
			? 'Name a component and a field, such as health.current; GET /schema?form=compact lists the components.'
			: `Did you mean "${near}"?`,
	);
}

/**
 * Returns the columns that a number is read from: its own, and the one that decides how many numbers the field has.
 */
export function fieldReads({ component, field }: FieldPath): readonly string[] {
	const { lengthBy } = component.fields[field] as NumberField;
	return [field, ...(lengthBy === undefined ? [] : [lengthBy.field])].map(
		(name) => `${component.name}.${name}`,
	);
}
