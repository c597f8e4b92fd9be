/**
 * Component rows in documents: exact values, in which entities are referred to by their ids within the document.
 * Owns: the document form of a row, and the checks of a row.
 */

import type * as z from 'zod';
import { Assertion } from '../../../shared/components/assertion.ts';
import { components } from '../../../shared/components/index.ts';
import { Rule } from '../../../shared/components/rule.ts';
import type { Component, EntityHandle, Field, JsonField } from '../../../shared/contract/component.ts';
import { entityMark } from '../../../shared/contract/entity-mark.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { shapeError } from '../../../shared/contract/explain-issue.ts';
import { replaceMarked } from '../../../shared/contract/marks.ts';
import { suggestion } from '../../../shared/contract/nearest.ts';
import { moveTicks } from '../../../shared/contract/tick.ts';
import { spawnFields } from '../../../shared/documents/spawn.ts';
import { withSortedKeys } from '../core/canonical-json.ts';
import { slotOf } from '../core/entities.ts';
import { shortestFloat32 } from '../core/float32.ts';
import { get, has, type World } from '../core/world.ts';
import { atPath } from './at-path.ts';
import { withOwnIds } from './own-ids.ts';

const REFERENCE = '$entity';
/** Id of an entity that no longer exists or has no entry. Rules and assertions have sections instead of entries. */
const GONE = -1;
/** Handle that refers to no entity, because slots never reach this number. */
const GONE_HANDLE: EntityHandle = { id: 0xfffffffe, generation: 0xffffffff };

/** Components that an entry can contain. */
export const entryComponents: readonly Component[] = components.filter(
	({ scope, inEntries }) => scope !== 'derived' && inEntries !== false,
);

function isHandle(value: object): value is EntityHandle {
	const keys = Object.keys(value);
	return keys.length === 2 && 'id' in value && 'generation' in value && Number.isInteger(value.id);
}

/** Returns the id of an entity in documents; -1 if the entity has no entry. */
export function idInDocument(world: World, handle: EntityHandle | null): number {
	const id = slotOf(world, handle);
	return isDescribed(world, id) ? id : GONE;
}

/** Returns true if documents have an entry for the entity in a slot; rules and assertions have none. */
export function isDescribed(world: World, id: number): boolean {
	return id >= 0 && !has(world, id, Rule) && !has(world, id, Assertion);
}

/** Returns a value that fits a schema, with every handle in it replaced by a reference. */
export function withReferences(world: World, schema: z.ZodType, value: unknown): unknown {
	return replaceMarked(schema, value, (marks, part) =>
		entityMark(marks) === 'handle' && typeof part === 'object' && part !== null
			? referenceTo(world, part as EntityHandle)
			: undefined,
	);
}

function referenceTo(world: World, handle: EntityHandle): Record<string, number> {
	return { [REFERENCE]: idInDocument(world, handle) };
}

/** Returns the entity with an id in the document; undefined if there is none. */
export type Resolve = (id: number) => EntityHandle | undefined;

/** Entities that were allocated for entries. They have no components yet. */
export interface ClaimedEntities {
	/** Handles in the order of the entries. */
	readonly handles: readonly EntityHandle[];
	/** Maps an id of the document to the id in the world. Returns other ids unchanged. */
	readonly idOf: (id: number) => number;
	readonly resolve: Resolve;
}

/** Replaces every reference in a JSON value by a handle. Calls `refuse` for a reference to an unknown entity. */
export function withHandles(value: unknown, resolve: Resolve, refuse: (reason: string) => never): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map((part) => withHandles(part, resolve, refuse));
	if (Object.hasOwn(value, REFERENCE)) {
		const id = (value as Record<string, unknown>)[REFERENCE];
		if (id === GONE) return GONE_HANDLE;
		const handle = typeof id === 'number' ? resolve(id) : undefined;
		return handle ?? refuse(`there is no entity ${JSON.stringify(id)} in the document`);
	}
	return Object.fromEntries(
		Object.entries(value).map(([key, part]) => [key, withHandles(part, resolve, refuse)]),
	);
}

/** Returns true if a JSON value contains a reference to an entity of the document. */
export function hasReferences(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return Object.hasOwn(value, REFERENCE) || Object.values(value).some(hasReferences);
}

/** Returns a component of an entity in document form; undefined if the entity does not have the component. */
export function rowInDocument(
	world: World,
	id: number,
	component: Component,
): Record<string, unknown> | undefined {
	const row = get(world, id, component);
	if (row === undefined) return undefined;
	return Object.fromEntries(
		Object.entries(component.fields)
			.filter(([name, field]) => !(isSparse(field) && row[name] === null))
			.map(([name, field]) => [
				name,
				valueInDocument(world, field, moveTicks(field, row[name], -world.tick, 0)),
			]),
	);
}

const isSparse = (field: Field): boolean => field.kind === 'json' && field.sparse === true;

function valueInDocument(world: World, field: Field, value: unknown): unknown {
	if (field.kind === 'entity') return value === null ? null : referenceTo(world, value as EntityHandle);
	if (field.kind === 'json') return withSortedKeys(withReferences(world, schemaOf(field), value));
	if (field.kind !== 'f32') return value;
	return Array.isArray(value) ? value.map(shortestFloat32) : shortestFloat32(value as number);
}

/** Returns the schema of a JSON field's value in documents. */
export function schemaOf({ documentField, schema }: JsonField): z.ZodType {
	return documentField === undefined ? schema : spawnSchemas[documentField]!;
}

/** Returns the component with a name. Throws `invalid_scenario`. */
export function requireComponent(name: string, path: string): Component {
	const component = entryComponents.find((candidate) => candidate.name === name);
	if (component !== undefined) return component;
	const names = entryComponents.map((candidate) => candidate.name);
	const fix = suggestion(name, names) ?? `Known components: ${names.join(', ')}.`;
	throw new ApiError('invalid_scenario', `${path}: there is no component "${name}".`, { fix, path });
}

/** Minimum and maximum of each kind of number. */
const LIMITS = {
	f32: [-1e9, 1e9],
	u32: [0, 0xffffffff],
	i32: [-0x80000000, 0x7fffffff],
	u8: [0, 255],
} as const;

/**
 * Converts a row from document form to stored values for a world at `tick`. Throws `invalid_scenario` with the path of
 * the field.
 */
export function rowFromDocument(
	component: Component,
	sent: Readonly<Record<string, unknown>>,
	{ resolve, idOf }: Pick<ClaimedEntities, 'resolve' | 'idOf'>,
	tick: number,
	path: string,
): Record<string, unknown> {
	const values: Record<string, unknown> = {};
	if (component.whole === true)
		for (const [name, field] of Object.entries(component.fields)) if (isSparse(field)) values[name] = null;
	for (const [name, value] of Object.entries(sent)) {
		const fieldPath = `${path}.${name}`;
		const refuse = (reason: string): never => {
			throw new ApiError('invalid_scenario', `${fieldPath}: ${reason}.`, {
				fix: `Send ${fieldPath} as GET /schema describes ${component.title}.`,
				path: fieldPath,
			});
		};
		const field = Object.hasOwn(component.fields, name) ? component.fields[name] : undefined;
		if (field === undefined)
			return refuse(`the component has no such field; known: ${Object.keys(component.fields).join(', ')}`);
		const shifted = moveTicks(field, value, tick, tick);
		const resolved = withHandles(shifted, resolve, refuse);
		const mapped = field.kind === 'json' ? withOwnIds(schemaOf(field), resolved, idOf) : resolved;
		values[name] = storedValue(field, mapped, { component, name, fieldPath }, refuse);
	}
	checkShape(component, values, path);
	return values;
}

function parseAs(schema: z.ZodType, value: unknown, path: string): unknown {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	return atPath(path, () => {
		throw shapeError('invalid_scenario', schema, parsed.error, value, 'it');
	});
}

/** Schemas of the fields of spawn documents. A document must not contain values that a call would refuse. */
const spawnSchemas: Readonly<Record<string, z.ZodType>> = spawnFields;

interface FieldLocation {
	readonly component: Component;
	readonly name: string;
	readonly fieldPath: string;
}

/** Checks a value of a field and returns it as it is stored. */
function storedValue(
	field: Field,
	value: unknown,
	{ component, name, fieldPath }: FieldLocation,
	refuse: (reason: string) => never,
): unknown {
	if (field.kind === 'json') {
		const parsed = parseAs(schemaOf(field), value, fieldPath);
		if (field.documentField === undefined) return parsed;
		const fields = { [field.documentField]: parsed };
		return component.spawn!.row(fields, [])![name];
	}
	if (field.kind === 'word')
		return field.words.includes(value as string)
			? value
			: refuse(`it must be one of ${field.words.join(', ')}`);
	if (field.kind === 'entity') {
		const isReference = value === null || (typeof value === 'object' && isHandle(value));
		return isReference ? value : refuse('it must be {"$entity": id} or null');
	}
	const [low, high] = (field.size === 1 ? field.range : undefined) ?? LIMITS[field.kind];
	const isInRange = (part: unknown) =>
		typeof part === 'number' &&
		part >= low &&
		part <= high &&
		(field.kind === 'f32' || Number.isInteger(part));
	if (field.size === 1)
		return isInRange(value) ? value : refuse(`it must be a number from ${low} to ${high}`);
	if (!Array.isArray(value) || value.length !== field.size || !value.every(isInRange))
		return refuse(`it must be a list of ${field.size} numbers from ${low} to ${high}`);
	return value;
}

/** Checks that the values of one component are consistent, because the physics library relies on it. */
function checkShape(component: Component, values: Record<string, unknown>, path: string): void {
	const refuse = (name: string, reason: string) => {
		throw new ApiError('invalid_scenario', `${path}.${name}: ${reason}.`, { path: `${path}.${name}` });
	};
	if (component.whole === true) {
		const names = Object.keys(component.fields);
		const missing = names.find((name) => values[name] === undefined);
		if (missing !== undefined) refuse(missing, `${names.join(' and ')} must be sent together`);
		const described = component.spawn!.describe(values as never, () => undefined);
		const fields = Object.fromEntries(
			Object.entries(described).map(([key, value]) => [key, parseAs(spawnSchemas[key]!, value, path)]),
		);
		const expected = component.spawn!.row(fields, []) as Readonly<Record<string, readonly number[]>>;
		for (const [name, field] of Object.entries(component.fields)) {
			if (!('size' in field) || field.size === 1) continue;
			const sent = values[name] as readonly number[];
			if (expected[name]!.some((part, i) => Math.fround(part) !== Math.fround(sent[i]!)))
				refuse(
					name,
					`it does not match the other values sent, which make it ${JSON.stringify(expected[name])}. ${field.doc}`,
				);
		}
	}
	const rotation = values.rotation as number[] | undefined;
	if (rotation !== undefined && Math.abs(rotation.reduce((sum, part) => sum + part * part, 0) - 1) > 1e-3)
		refuse('rotation', 'a rotation must be a quaternion of length 1');
}
