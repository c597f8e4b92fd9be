/**
 * Answer of GET /schema, derived from the declarations: the whole schema, or the part for a path, a definition or a
 * component.
 * Owns: its layout, and the choice of definitions for a part. Never: has a second list of routes, components or errors.
 */

import type * as z from 'zod';
import { errorsOf, type RouteDocument, routeDocument, VERSION } from './api-documents.ts';
import { type Component, fieldSchema, readoutKey, readoutSchema } from './component.ts';
import { ApiError, ERRORS } from './errors.ts';
import { type EventType, eventTitle } from './event.ts';
import { type JsonSchema, jsonSchema, SchemaDefinitions } from './json-schema.ts';
import { suggestion } from './nearest.ts';
import type { Route } from './route.ts';
import { definitionsReferredTo, withOtherReferences } from './schema-references.ts';

function typeText(schema: JsonSchema): string {
	if (Array.isArray(schema.enum)) return schema.enum.join(' | ');
	if (schema.const !== undefined) return String(schema.const);
	const alternatives = schema.anyOf ?? schema.oneOf;
	if (Array.isArray(alternatives))
		return alternatives.map((option) => typeText(option as JsonSchema)).join(' | ');
	if (Array.isArray(schema.prefixItems))
		return `[${schema.prefixItems.map((option) => typeText(option as JsonSchema)).join(', ')}]`;
	if (schema.type === 'array') return `list of ${typeText((schema.items ?? {}) as JsonSchema)}`;
	return String(schema.type ?? 'any');
}

function meaningOf(json: JsonSchema): string {
	const description = typeof json.description === 'string' ? `: ${json.description}` : '';
	return `${typeText(json)}${description}`;
}

const describeField = (schema: z.ZodType): string => meaningOf(jsonSchema(schema, 'output'));

type Texts = Record<string, string>;

/** Returns the alternatives in a component's read-out: a list of words, or the fields of each by its name. Undefined without any. */
function variantsOf(component: Component): readonly string[] | Record<string, Texts> | undefined {
	const readout = jsonSchema(readoutSchema(component), 'output');
	if (Array.isArray(readout.enum)) return readout.enum.map(String);
	if (!Array.isArray(readout.oneOf)) return undefined;
	return Object.fromEntries(
		(readout.oneOf as { properties: Record<string, JsonSchema> }[]).map(({ properties }) => {
			const fields = Object.entries(properties);
			const [, name] = fields.find(([, { const: word }]) => word !== undefined)!;
			const freeFields = fields.filter(([, { const: word }]) => word === undefined);
			return [
				String(name.const),
				Object.fromEntries(freeFields.map(([key, schema]) => [key, meaningOf(schema)])),
			];
		}),
	);
}

/** Returns a summary of a component. Its fields are members of the summary, and again in `fields`, for older clients. */
export function componentSummary(component: Component) {
	const fields: Texts = Object.fromEntries(
		Object.entries(component.fields).map(([name, field]) => [name, describeField(fieldSchema(field))]),
	);
	const variants = variantsOf(component);
	return { ...fields, note: component.summary, fields, ...(variants === undefined ? {} : { variants }) };
}

function componentDocument(component: Component) {
	const second = component.readout?.second;
	return {
		name: component.name,
		title: component.title,
		scope: component.scope,
		summary: component.summary,
		in_digest: component.scope === 'state',
		readout_key: readoutKey(component),
		readout: jsonSchema(readoutSchema(component), 'output'),
		...(second ? { also: { key: second.key, schema: jsonSchema(second.schema, 'output') } } : {}),
		fields: Object.entries(component.fields).map(([name, field]) => ({
			name,
			kind: field.kind,
			unit: field.unit ?? null,
			doc: field.doc,
			...('words' in field ? { words: field.words } : {}),
			...('initial' in field ? { initial: field.initial } : {}),
		})),
	};
}

/** Part of GET /schema that is requested; by default all of it. */
export interface SchemaPart {
	/** Only the routes with this path, or below it (`/fork/`), with their definitions and errors. */
	readonly path?: string | undefined;
	/** Only this definition, with the definitions to which it refers. */
	readonly definition?: string | undefined;
	/** Only this component, by its name or title. */
	readonly component?: string | undefined;
	/** Only lists of names and summaries, without JSON Schemas. */
	readonly brief?: boolean;
}

/** Returns a path with `{id}` instead of `:id`. Both are the same path. */
const withBraces = (path: string): string => path.replace(/:(\w+)/g, '{$1}');
const withColons = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** Returns the routes with exactly a path. If there are none, or the path ends with a slash, returns the routes below it too. */
export function routesAt(routes: readonly Route[], path: string): readonly Route[] {
	const requested = withBraces(path);
	const exact = routes.filter((route) => route.path === requested);
	if (exact.length > 0) return exact;
	const top = requested.replace(/\/+$/, '');
	return routes.filter((route) => route.path === top || route.path.startsWith(`${top}/`));
}

/** Maximum characters to which an answer about a part is filled with further definitions. */
const MAX_PART_LENGTH = 24_300;
const BASE = '#/definitions/';
const addressOf = (name: string): string => `/schema?definition=${name}${BASE}${name}`;

/** Returns the characters of a part, including the addresses that may replace its references. */
const lengthOf = (part: unknown): number =>
	JSON.stringify(part).length + definitionsReferredTo(part).length * addressOf('').length;

/**
 * Returns the names of the definitions in an answer about a part: the `requested` ones, and those to which they refer.
 * The nearest come first, until the answer is full. `otherContent`: content of the answer without references.
 */
function definitionsInPart(
	definitions: Readonly<Record<string, JsonSchema>>,
	requested: readonly string[],
	routeDocuments: unknown,
	otherContent: unknown,
): ReadonlySet<string> {
	const included = new Set(requested);
	const visited = new Set(requested);
	let level = [routeDocuments, ...requested.map((name) => definitions[name])];
	let room = MAX_PART_LENGTH - lengthOf([...level, otherContent]);
	while (level.length > 0) {
		const nextLevel: JsonSchema[] = [];
		for (const name of definitionsReferredTo(level)) {
			if (visited.has(name)) continue;
			visited.add(name);
			const length = lengthOf(definitions[name]);
			if (length > room) continue;
			room -= length;
			included.add(name);
			nextLevel.push(definitions[name]!);
		}
		level = nextLevel;
	}
	return included;
}

/** Definitions and documents of all routes, and the names of definitions that are the body of a request. */
interface AllDefinitions {
	readonly definitions: Readonly<Record<string, JsonSchema>>;
	readonly bodies: readonly string[];
	readonly documents: readonly RouteDocument[];
}

const definitionsMemo = new WeakMap<readonly Route[], AllDefinitions>();

/** Returns the definitions of routes. They are cached for each list, because building them is slow. */
export function definitionsOf(routes: readonly Route[]): AllDefinitions {
	const allDefinitions = definitionsMemo.get(routes);
	if (allDefinitions !== undefined) return allDefinitions;
	const shared = new SchemaDefinitions(BASE);
	const documents = routes.map((route) => routeDocument(route, (schema, io) => shared.schema(schema, io)));
	const bodies = documents.flatMap(({ body }) =>
		body?.$ref === undefined ? [] : definitionsReferredTo(body),
	);
	const built = { definitions: shared.definitions, bodies: [...new Set(bodies)], documents };
	definitionsMemo.set(routes, built);
	return built;
}

/**
 * Returns the body of GET /schema. A part contains the definitions for which it has room. References to others become
 * addresses of GET /schema. Throws `bad_query` for an unknown definition or component.
 */
export function schemaDocument(
	all: readonly Route[],
	everyComponent: readonly Component[],
	{ path, definition, component, brief = false }: SchemaPart = {},
) {
	const isWhole = path === undefined && definition === undefined && component === undefined;
	const routes = isWhole ? all : path === undefined ? [] : routesAt(all, path);
	const components = isWhole
		? everyComponent
		: component === undefined
			? []
			: [componentNamed(everyComponent, component)];
	const codes = new Set(routes.flatMap((route) => Object.keys(errorsOf(route))));
	const shared = new SchemaDefinitions(BASE);
	const listed = brief
		? []
		: routes.map((route) => routeDocument(route, (schema, io) => shared.schema(schema, io)));
	// Any route may refer to a definition that is requested by name.
	const definitions = definition === undefined ? shared.definitions : definitionsOf(all).definitions;
	if (definition !== undefined) requireDefinition(all, definition);
	const bodies = listed.flatMap(({ body }) => ('$ref' in (body ?? {}) ? definitionsReferredTo(body) : []));
	const requested = definition === undefined ? bodies : [definition];
	const errors = Object.entries(ERRORS)
		.filter(([code]) => isWhole || codes.has(code))
		.map(([code, [status, fix]]) => ({ code, status, fix }));
	const included = isWhole ? undefined : definitionsInPart(definitions, requested, listed, errors);
	const shownDefinitions = Object.fromEntries(
		Object.entries(definitions).filter(([name]) => included === undefined || included.has(name)),
	);
	const withAddresses = <T>(part: T): T =>
		included === undefined
			? part
			: withOtherReferences(part, (name) => (included.has(name) ? BASE + name : addressOf(name)));
	return {
		ok: true as const,
		version: VERSION,
		components: Object.fromEntries(
			components.map((component) => [component.title, componentSummary(component)]),
		),
		endpoints: Object.fromEntries(
			routes.flatMap(({ method, path: routePath, summary }) => {
				const keys = isWhole && !brief ? new Set([routePath, withColons(routePath)]) : [routePath];
				return [...keys].map((key) => [`${method} ${key}`, summary]);
			}),
		),
		component_schemas: (brief ? [] : components).map(componentDocument),
		routes: withAddresses(listed),
		definitions: withAddresses(shownDefinitions),
		errors,
	};
}

/** Returns the name of a definition unchanged. Throws `bad_query` for any other name. */
export function requireDefinition(routes: readonly Route[], name: string): string {
	const { definitions } = definitionsOf(routes);
	if (Object.hasOwn(definitions, name)) return name;
	throw unknownName('definition', name, Object.keys(definitions));
}

/** Returns the component of this name or title. Throws `bad_query` if there is none. */
export function componentNamed(components: readonly Component[], requested: string): Component {
	const lowerName = requested.toLowerCase();
	const found = components.find(({ name, title }) => name === lowerName || title.toLowerCase() === lowerName);
	if (found !== undefined) return found;
	throw unknownName(
		'component',
		requested,
		components.map(({ title }) => title),
	);
}

function unknownName(parameter: string, requested: string, names: readonly string[]): ApiError {
	const fix = suggestion(requested, names);
	return new ApiError('bad_query', `There is no ${parameter} "${requested.slice(0, 100)}".`, {
		fix,
		path: parameter,
	});
}

/** Returns the descriptions of events for GET /schema. */
export function eventDocuments(events: readonly EventType[]) {
	return events.map((type) => ({
		kind: type.kind,
		type: eventTitle(type),
		summary: type.summary,
		subject: type.subject ?? null,
		source: type.source ?? null,
		fields: Object.fromEntries(
			Object.entries(type.fields).map(([name, field]) => [name, describeField(field)]),
		),
		remembers: (type.remembers ?? []).map((component) => readoutKey(component) ?? component.name),
	}));
}
