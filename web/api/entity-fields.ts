/**
 * Selected fields of entities, for answers with tables.
 * Owns: the valid names: measures of conditions, `position`, and keys of an entity's read-out.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { suggestion } from '../../shared/contract/nearest.ts';
import { entityView } from '../../shared/routes/entity-view.ts';
import { isMeasure, MEASURES } from '../../shared/verbs/measure-name.ts';
import { shortestFloat32 } from '../sim/core/float32.ts';
import type { World } from '../sim/core/world.ts';
import { type EntityView, entityReader } from '../sim/observe/read-out.ts';
import { LiveEntityReader } from '../sim/rules/conditions/live-entity-reader.ts';
import { measure, positionOf, shownMeasure } from '../sim/rules/conditions/measure.ts';

/** Keys of the read-out of entities. */
const KEYS: readonly string[] = Object.keys(entityView.shape);

/** Reads one field; null if the entity does not have it. */
type FieldReader = (entity: LiveEntityReader, view: () => EntityView) => unknown;

function readerOf(name: string): FieldReader | undefined {
	if (name === 'position') return (entity) => positionOf(entity)?.map(shortestFloat32) ?? null;
	if (isMeasure(name))
		return (entity) => (measure(name).of(entity) === undefined ? null : shownMeasure(name, entity));
	const [key = '', ...rest] = name.split('.');
	if (!KEYS.includes(key)) return undefined;
	return (_, view) => valueAt(view()[key], rest);
}

/** Returns the part of a value below some keys; null if there is none. */
export function valueAt(value: unknown, keys: readonly string[]): unknown {
	let part = value;
	for (const key of keys) {
		if (typeof part !== 'object' || part === null || !Object.hasOwn(part, key)) return null;
		part = (part as Record<string, unknown>)[key];
	}
	return part ?? null;
}

/** Throws `invalid_body` for a name that is not a field. `path`: position of the list in the body. */
export function requireFields(names: readonly string[], path: string): void {
	for (const [index, name] of names.entries())
		if (readerOf(name) === undefined)
			throw new ApiError('invalid_body', `${path}[${index}]: there is no field "${name}".`, {
				fix: suggestion(name, ['position', ...KEYS, ...MEASURES]),
				path: `${path}[${index}]`,
			});
}

/** Readers by the list of their names. Many worlds are read with the same list. */
const readersOf = new WeakMap<readonly string[], readonly FieldReader[]>();

/** Returns a function that reads the named fields of an entity. It is valid until the world changes. */
export function fieldsReader(world: World, names: readonly string[]): (id: number) => unknown[] {
	let fieldReaders = readersOf.get(names);
	if (fieldReaders === undefined) {
		fieldReaders = names.map((name) => readerOf(name)!);
		readersOf.set(names, fieldReaders);
	}
	const readers = fieldReaders;
	const entity = new LiveEntityReader(world);
	let readEntity: ((id: number) => EntityView) | undefined;
	let currentView: EntityView | undefined;
	const view = (): EntityView => {
		readEntity ??= entityReader(world);
		currentView ??= readEntity(entity.id);
		return currentView;
	};
	return (id) => {
		entity.id = id;
		currentView = undefined;
		return readers.map((read) => read(entity, view));
	};
}
