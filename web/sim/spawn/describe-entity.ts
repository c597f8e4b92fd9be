/** Converts an entity to the spawn document that is nearest to it, as the reverse of spawning. */

import type { Component, Fields, Row, RowOf } from '../../../shared/contract/component.ts';
import type { SpawnDocument } from '../../../shared/documents/spawn.ts';
import { withSortedKeys } from '../core/canonical-json.ts';
import { shortestFloat32 } from '../core/float32.ts';
import { get, type World } from '../core/world.ts';
import { spawnable } from './spawn-entity.ts';

/**
 * Returns a function that reads the rows of an entity. It gives 32-bit numbers in their shortest form, and records with
 * sorted keys.
 */
export function rowReaderOf(world: World, id: number): RowOf {
	return <F extends Fields>(component: Component<F>) => {
		const row = get(world, id, component);
		if (row === undefined) return undefined;
		const shortEntries = Object.entries(component.fields).map(([name, field]) => [
			name,
			field.kind === 'f32'
				? shortNumbers(row[name] as number | readonly number[])
				: withSortedKeys(row[name]),
		]);
		return Object.fromEntries(shortEntries) as Row<F>;
	};
}

function shortNumbers(value: number | readonly number[]): number | readonly number[] {
	return typeof value === 'number' ? shortestFloat32(value) : value.map(shortestFloat32);
}

/** Returns the components of an entity as a spawn document. Fields with their default value are included. */
export function describeEntity(world: World, id: number): SpawnDocument {
	const rowOf = rowReaderOf(world, id);
	const fragments = spawnable.map((component) => component.spawn!.describe(rowOf(component), rowOf));
	return Object.assign({}, ...fragments) as SpawnDocument;
}
