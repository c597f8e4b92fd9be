/**
 * GET /schema, derived from the declarations: all of it, or what one path, one definition or one component needs.
 * Owns: its layout, and how much of the definitions comes with a part. Never: a second list of routes, components or
 * errors.
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
	if (Array.isArray(alternatives)) return alternatives.map((s) => typeText(s as JsonSchema)).join(' | ');
	if (Array.isArray(schema.prefixItems))
		return `[${schema.prefixItems.map((s) => typeText(s as JsonSchema)).join(', ')}]`;
	if (schema.type === 'array') return `list of ${typeText((schema.items ?? {}) as JsonSchema)}`;
	return String(schema.type ?? 'any');
}

function meaningOf(json: JsonSchema): string {
	const description = typeof json.description === 'string' ? `: ${json.description}` : '';
	return `${typeText(json)}${description}`;
}

const describeField = (schema: z.ZodType): string => meaningOf(jsonSchema(schema, 'output'));

type Texts = Record<string, string>;

/** Returns the alternatives of a component that is shown as one of some: words, or by their name what each holds. */
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

/** Returns a component in short: its fields, once beside its note and variants and once by themselves. */
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
	/** Only the routes of this path, or of it and those below it (`/fork/`), with the definitions and errors they refer to. */
	readonly path?: string | undefined;
	/** Only this definition, and what it refers to. */
	readonly definition?: string | undefined;
	/** Only this component, by its name or title. */
	readonly component?: string | undefined;
	/** Only the lists of what there is, without JSON Schemas. */
	readonly brief?: boolean;
}

/** `/entities/:id` and `/entities/{id}` are the same path. */
const inBraces = (path: string): string => path.replace(/:(\w+)/g, '{$1}');
const inColons = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** Returns the routes of a path; those of the path and below it when there are none, or when it ends with a slash. */
export function routesAt(routes: readonly Route[], path: string): readonly Route[] {
	const requested = inBraces(path);
	const exact = routes.filter((route) => route.path === requested);
	if (exact.length > 0) return exact;
	const top = requested.replace(/\/+$/, '');
	return routes.filter((route) => route.path === top || route.path.startsWith(`${top}/`));
}

/** Maximum number of characters of an answer about a part that definitions beside those that it is about fill up. */
const ENOUGH = 24_300;
const BASE = '#/definitions/';
const addressOf = (name: string): string => `/schema?definition=${name}${BASE}${name}`;

/** Characters of a part, with the addresses that its references may become. */
const lengthOf = (part: unknown): number =>
	JSON.stringify(part).length + definitionsReferredTo(part).length * addressOf('').length;

/**
 * Returns the definitions for a part: those that it is about, and those that they refer to, nearest first, as far as
 * the answer has room.
 */
function nearby(
	all: Readonly<Record<string, JsonSchema>>,
	about: readonly string[],
	referring: unknown,
	beside: unknown,
): ReadonlySet<string> {
	const near = new Set(about);
	const met = new Set(about);
	let from = [referring, ...about.map((name) => all[name])];
	let room = ENOUGH - lengthOf([...from, beside]);
	while (from.length > 0) {
		const next: JsonSchema[] = [];
		for (const name of definitionsReferredTo(from)) {
			if (met.has(name)) continue;
			met.add(name);
			const length = lengthOf(all[name]);
			if (length > room) continue;
			room -= length;
			near.add(name);
			next.push(all[name]!);
		}
		from = next;
	}
	return near;
}

/** The definitions of all routes, and the names of those that are the whole body of a request. */
interface AllDefinitions {
	readonly definitions: Readonly<Record<string, JsonSchema>>;
	readonly bodies: readonly string[];
	readonly documents: readonly RouteDocument[];
}

const definitionsMemo = new WeakMap<readonly Route[], AllDefinitions>();

/** Building the definitions takes long, so this happens once for each list. */
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
 * Returns the body of GET /schema. A part carries the definitions that there is room for; a reference to another one
 * is the address that tells it. Throws `bad_query` for a definition or component that there is not.
 */
export function schemaDocument(
	all: readonly Route[],
	everyComponent: readonly Component[],
	{ path, definition, component, brief = false }: SchemaPart = {},
) {
	const whole = path === undefined && definition === undefined && component === undefined;
	const routes = whole ? all : path === undefined ? [] : routesAt(all, path);
	const components = whole
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
	const about = definition === undefined ? bodies : [definition];
	const errors = Object.entries(ERRORS)
		.filter(([code]) => whole || codes.has(code))
		.map(([code, [status, fix]]) => ({ code, status, fix }));
	const near = whole ? undefined : nearby(definitions, about, listed, errors);
	const readout = Object.fromEntries(
		Object.entries(definitions).filter(([name]) => near === undefined || near.has(name)),
	);
	const refer = <T>(part: T): T =>
		near === undefined
			? part
			: withOtherReferences(part, (name) => (near.has(name) ? BASE + name : addressOf(name)));
	return {
		ok: true as const,
		version: VERSION,
		components: Object.fromEntries(
			components.map((component) => [component.title, componentSummary(component)]),
		),
		endpoints: Object.fromEntries(
			routes.flatMap(({ method, path: at, summary }) => {
				const keys = whole && !brief ? new Set([at, inColons(at)]) : [at];
				return [...keys].map((key) => [`${method} ${key}`, summary]);
			}),
		),
		component_schemas: (brief ? [] : components).map(componentDocument),
		routes: refer(listed),
		definitions: refer(readout),
		errors,
	};
}

/** Returns the name of a definition. Throws `bad_query` if there is none of that name. */
export function requireDefinition(routes: readonly Route[], name: string): string {
	const { definitions } = definitionsOf(routes);
	if (Object.hasOwn(definitions, name)) return name;
	throw unknown('definition', name, Object.keys(definitions));
}

/** Returns the component of this name or title. Throws `bad_query` if there is none. */
export function componentNamed(components: readonly Component[], requested: string): Component {
	const low = requested.toLowerCase();
	const found = components.find(({ name, title }) => name === low || title.toLowerCase() === low);
	if (found !== undefined) return found;
	throw unknown(
		'component',
		requested,
		components.map(({ title }) => title),
	);
}

function unknown(what: string, requested: string, names: readonly string[]): ApiError {
	const fix = suggestion(requested, names);
	return new ApiError('bad_query', `There is no ${what} "${requested.slice(0, 100)}".`, { fix, path: what });
}

/** Events of a world, as GET /schema shows them. */
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
