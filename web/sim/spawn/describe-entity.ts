/** From an entity to the spawn document that comes nearest to it: the other side of spawning. */

import type { Component, Fields, Row, RowOf } from '../../../shared/contract/component.ts';
import type { SpawnDocument } from '../../../shared/documents/spawn.ts';
import { withSortedKeys } from '../core/canonical-json.ts';
import { shortestFloat32 } from '../core/float32.ts';
import { get, type World } from '../core/world.ts';
import { spawnable } from './spawn-entity.ts';

/** Returns the rows of an entity, numbers of 32 bits in their shortest form, records in the order of their keys. */
export function shortRows(world: World, id: number): RowOf {
	return <F extends Fields>(component: Component<F>) => {
		const row = get(world, id, component);
		if (row === undefined) return undefined;
		const short = Object.entries(component.fields).map(([name, field]) => [
			name,
			field.kind === 'f32'
				? shortNumbers(row[name] as number | readonly number[])
				: withSortedKeys(row[name]),
		]);
		return Object.fromEntries(short) as Row<F>;
	};
}

function shortNumbers(value: number | readonly number[]): number | readonly number[] {
	return typeof value === 'number' ? shortestFloat32(value) : value.map(shortestFloat32);
}

/** Returns the components of an entity as a spawn document, with defaults. */
export function describeEntity(world: World, id: number): SpawnDocument {
	const rowOf = shortRows(world, id);
	const parts = spawnable.map((component) => component.spawn!.describe(rowOf(component), rowOf));
	return Object.assign({}, ...parts) as SpawnDocument;
}
