/**
 * Calls of an example with the ids of the world in which they run. In that world, the first created entity may have another id.
 * Owns: the search for names of things in path, query and body, by the marks of the schemas.
 */

import { type TextMark, withIdsInText } from '../../shared/contract/entity-mark.ts';
import type { ThingName } from '../../shared/contract/made-things.ts';
import { pathAndQuery } from '../../shared/contract/path-and-query.ts';
import type { ExampleCall } from '../../shared/contract/route.ts';
import type { DocRoute, JsonSchema, Schemas } from './document.ts';
import { alternativesOf, resolveSchema } from './schema.ts';

/** Returns the name of a thing in this world for its name in the example. */
export type NameReplacer = (thing: string, name: ThingName) => ThingName;

/** Replaces the names in a call by those that `nameOf` returns. */
export function withOwnNames(
	call: ExampleCall,
	route: DocRoute,
	schemas: Schemas,
	nameOf: NameReplacer,
): ExampleCall {
	const { path, query } = pathAndQuery(call.path);
	const callSegments = path.split('/');
	const segments = route.path.split('/').map((segment, at) => {
		const name = /^\{(\w+)\}$/.exec(segment)?.[1];
		return name === undefined ? callSegments[at]! : renameText(callSegments[at]!, route, name, nameOf);
	});
	const search = new URLSearchParams(query);
	for (const [name, value] of [...search]) search.set(name, renameText(value, route, name, nameOf));
	const queryText = search.size === 0 ? '' : `?${search}`;
	return {
		...call,
		path: segments.join('/') + queryText,
		...(call.body === undefined || route.body === undefined
			? {}
			: { body: renameValue(call.body, route.body, schemas, nameOf) }),
	};
}

/** Returns the kind of thing that a value names, according to the mark of its schema; undefined if it names none. */
function thingIn({ names, entity }: JsonSchema): string | undefined {
	if (typeof names === 'string') return names;
	return entity === 'id' || entity === 'handle' ? 'entity' : undefined;
}

function renameText(text: string, route: DocRoute, name: string, nameOf: NameReplacer): string {
	const thing = thingIn(route.parameters.find((parameter) => parameter.name === name)?.schema ?? {});
	if (thing === undefined) return text;
	return String(nameOf(thing, /^\d+$/.test(text) ? Number(text) : text));
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Replaces the names in a value. Returns the same value if it has none. */
function renameValue(value: unknown, schema: JsonSchema, schemas: Schemas, nameOf: NameReplacer): unknown {
	const resolved = resolveSchema(schema, schemas);
	if (typeof value === 'number' || typeof value === 'string') {
		const thing = thingIn(resolved);
		if (thing !== undefined) return nameOf(thing, value);
		if (typeof value === 'string' && typeof resolved.entity === 'string')
			return withIdsInText(resolved.entity as TextMark, value, (id) => Number(nameOf('entity', id)));
	}
	for (const part of alternativesOf(resolved, schemas)) {
		if (!matchesConstants(value, part, schemas)) continue;
		const changed = renameValue(value, part, schemas, nameOf);
		if (JSON.stringify(changed) !== JSON.stringify(value)) return changed;
	}
	if (Array.isArray(value)) {
		const parts = resolved.prefixItems as readonly JsonSchema[] | undefined;
		return value.map((item, at) => {
			const itemSchema = parts?.[at] ?? resolved.items;
			return isRecord(itemSchema) ? renameValue(item, itemSchema, schemas, nameOf) : item;
		});
	}
	if (!isRecord(value)) return value;
	const properties = (resolved.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
	return Object.fromEntries(
		Object.entries(value).map(([key, member]) => {
			const memberSchema = properties[key] ?? resolved.additionalProperties;
			return [key, isRecord(memberSchema) ? renameValue(member, memberSchema, schemas, nameOf) : member];
		}),
	);
}

/** Returns true if the constants of a form match the value. */
function matchesConstants(value: unknown, schema: JsonSchema, schemas: Schemas): boolean {
	if (!isRecord(value)) return true;
	const { properties } = resolveSchema(schema, schemas);
	return Object.entries((properties ?? {}) as Readonly<Record<string, JsonSchema>>).every(([key, field]) => {
		const { const: constant } = resolveSchema(field, schemas);
		return typeof constant !== 'string' || value[key] === undefined || value[key] === constant;
	});
}
