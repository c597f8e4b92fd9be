/**
 * Documents about the contract, read off the declarations: GET /schema and GET /openapi.json.
 * Owns: their layout. Never: a second list of routes, components or errors.
 */

import * as z from 'zod';
import { type Component, fieldSchema, readoutKey, readoutSchema } from './component.ts';
import { ERRORS, type ErrorCode, MAX_PATH_LENGTH, MAX_SENTENCE_LENGTH } from './errors.ts';
import { type EventType, eventTitle } from './event.ts';
import { type JsonSchema, jsonSchema, SchemaDefinitions } from './json-schema.ts';
import { COMMON_ERRORS, type Route, TAGS } from './route.ts';
import { text } from './values.ts';

/** Version of the engine and of its interface. */
export const VERSION = '1.1.0';

const BODY_ERRORS: readonly ErrorCode[] = ['content_type', 'bad_json', 'invalid_body', 'too_large'];

/** Every code a route can answer with, and the status it has there. */
export function errorsOf(route: Route): Partial<Record<ErrorCode, number>> {
	const codes: Partial<Record<ErrorCode, number>> = {};
	const usual = (code: ErrorCode) => {
		codes[code] = ERRORS[code][0];
	};
	for (const code of COMMON_ERRORS) if (code !== 'unknown_world' || route.world !== false) usual(code);
	if (route.params) usual('bad_path');
	if (route.method === 'POST') for (const code of BODY_ERRORS) usual(code);
	return { ...codes, ...route.errors };
}

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

function describeField(schema: z.ZodType): string {
	const json = jsonSchema(schema, 'output');
	const description = typeof json.description === 'string' ? `: ${json.description}` : '';
	return `${typeText(json)}${description}`;
}

/** What of GET /schema is asked for; all of it when nothing is said. */
export interface SchemaPart {
	/** Only the routes of this path, or of it and those below it (`/fork/`), with the definitions and errors they refer to. */
	readonly path?: string | undefined;
	/** Only the lists of what there is, without JSON Schemas. */
	readonly brief?: boolean;
}

/** The routes of a path; those of the path and below it when there are none, or when it ends with a slash. */
function routesAt(routes: readonly Route[], path: string): readonly Route[] {
	const exact = routes.filter((route) => route.path === path);
	if (exact.length > 0) return exact;
	const top = path.replace(/\/+$/, '');
	return routes.filter((route) => route.path === top || route.path.startsWith(`${top}/`));
}

/** The body of GET /schema. With a path it tells nothing of components. */
export function schemaDocument(
	all: readonly Route[],
	everyComponent: readonly Component[],
	{ path, brief = false }: SchemaPart = {},
) {
	const routes = path === undefined ? all : routesAt(all, path);
	const components = path === undefined ? everyComponent : [];
	const codes = new Set(routes.flatMap((route) => Object.keys(errorsOf(route))));
	const shared = new SchemaDefinitions('#/definitions/');
	const listed = (brief ? [] : routes).map((route) =>
		routeDocument(route, (schema, io) => shared.schema(schema, io)),
	);
	return {
		ok: true as const,
		version: VERSION,
		components: Object.fromEntries(
			components.map((component) => [
				component.title,
				Object.fromEntries(
					Object.entries(component.fields).map(([name, field]) => [name, describeField(fieldSchema(field))]),
				),
			]),
		),
		endpoints: Object.fromEntries(routes.map((route) => [`${route.method} ${route.path}`, route.summary])),
		component_schemas: (brief ? [] : components).map((component) => ({
			name: component.name,
			title: component.title,
			scope: component.scope,
			summary: component.summary,
			in_digest: component.scope === 'state',
			readout_key: readoutKey(component),
			readout: jsonSchema(readoutSchema(component), 'output'),
			...(component.readout?.also
				? {
						also: {
							key: component.readout.also.key,
							schema: jsonSchema(component.readout.also.schema, 'output'),
						},
					}
				: {}),
			fields: Object.entries(component.fields).map(([name, field]) => ({
				name,
				kind: field.kind,
				unit: field.unit ?? null,
				doc: field.doc,
				...('words' in field ? { words: field.words } : {}),
				...('initial' in field ? { initial: field.initial } : {}),
			})),
		})),
		routes: listed,
		definitions: shared.definitions,
		errors: Object.entries(ERRORS)
			.filter(([code]) => path === undefined || codes.has(code))
			.map(([code, [status, fix]]) => ({ code, status, fix })),
	};
}

/** What can happen in a world, as GET /schema shows it. */
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

/** One route as GET /schema, `discover` and `explain` show it. */
export function routeDocument(route: Route, json: typeof jsonSchema = jsonSchema) {
	return {
		id: route.id,
		tag: route.tag,
		method: route.method,
		path: route.path,
		cli: route.cli,
		summary: route.summary,
		...(route.description ? { description: route.description } : {}),
		effect: route.effect,
		world: route.world !== false,
		status: route.status ?? 200,
		...(route.params ? { params: json(route.params, 'input') } : {}),
		...(route.query ? { query: json(route.query, 'input') } : {}),
		...(route.body ? { body: json(route.body, 'input') } : {}),
		answer: json(route.answer, 'output'),
		...(route.accepts ? { accepts: route.accepts } : {}),
		...(route.media ? { media: route.media } : {}),
		errors: errorsOf(route),
		examples: route.examples,
	};
}

export type RouteDocument = ReturnType<typeof routeDocument>;
export type SchemaDocument = ReturnType<typeof schemaDocument>;

const failureSchema = z.strictObject({
	ok: z.literal(false),
	error: text('What went wrong', MAX_SENTENCE_LENGTH),
	message: text('The same sentence', MAX_SENTENCE_LENGTH),
	code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
	fix: text('What to send instead', MAX_SENTENCE_LENGTH),
	path: text('Where the fault lies', MAX_PATH_LENGTH).optional(),
	world: z.string().optional().describe('With other_world: the world that is here'),
	failed_at: z.int().optional().describe('With batch_failed: which request was refused, counted from 0'),
	failed_request: z
		.strictObject({ method: z.string(), path: z.string(), status: z.int(), code: z.string().optional() })
		.optional()
		.describe('With batch_failed: that request, and what it was refused with'),
	rolled_back: z.literal(true).optional().describe('With batch_failed: everything is as it was before'),
	committed: z.literal(false).optional().describe('With batch_failed: nothing was done'),
	results: z.array(z.unknown()).optional().describe('With batch_failed: the answers up to the refused one'),
});

type ToJson = typeof jsonSchema;

function parameters(route: Route, toJson: ToJson): JsonSchema[] {
	const listed: JsonSchema[] = [];
	const from = (place: 'path' | 'query', shape: z.ZodObject | undefined) => {
		for (const [name, schema] of Object.entries(shape?.shape ?? {})) {
			const required = place === 'path' || !(schema as z.ZodType).safeParse(undefined).success;
			const json = toJson(schema as z.ZodType, 'input');
			listed.push({
				name,
				in: place,
				required,
				schema: json,
				...(json.description ? { description: json.description } : {}),
			});
		}
	};
	from('path', route.params);
	from('query', route.query);
	if (route.world !== false) listed.push({ $ref: '#/components/parameters/world' });
	return listed;
}

function responses(route: Route, toJson: ToJson): JsonSchema {
	const byStatus: Record<string, JsonSchema> = {};
	const content: JsonSchema = { 'application/json': { schema: toJson(route.answer, 'output') } };
	for (const media of route.media ?? []) content[media] = { schema: { type: 'string', format: 'binary' } };
	const success = String(route.status ?? 200);
	const failures = new Map<string, string[]>();
	for (const [code, status] of Object.entries(errorsOf(route)))
		failures.set(String(status), [...(failures.get(String(status)) ?? []), code]);
	byStatus[success] = { description: 'It happened', content };
	for (const [status, codes] of failures) {
		const failed = { $ref: '#/components/schemas/Failure' };
		if (status === success) {
			byStatus[status] = {
				description: `It happened; or, with ok false: ${codes.join(', ')}`,
				content: {
					...content,
					'application/json': { schema: { anyOf: [toJson(route.answer, 'output'), failed] } },
				},
			};
		} else
			byStatus[status] = {
				description: codes.join(', '),
				content: { 'application/json': { schema: failed } },
			};
	}
	return byStatus;
}

function requestBody(route: Route, toJson: ToJson): JsonSchema {
	if (route.method !== 'POST') return {};
	const examples = Object.fromEntries(
		route.examples
			.filter(({ body }) => body !== undefined)
			.map(({ name, body }) => [name.replace(/\W+/g, '_').toLowerCase(), { summary: name, value: body }]),
	);
	return {
		requestBody: {
			required: route.body !== undefined,
			content: {
				'application/json': {
					schema: route.body ? toJson(route.body, 'input') : { type: 'object', additionalProperties: false },
					...(Object.keys(examples).length > 0 ? { examples } : {}),
				},
				...Object.fromEntries(
					(route.accepts ?? []).map((media) => [media, { schema: { type: 'string', format: 'binary' } }]),
				),
			},
		},
	};
}

/** The body of GET /openapi.json: OpenAPI 3.1. */
export function openApiDocument(routes: readonly Route[]): JsonSchema {
	const shared = new SchemaDefinitions('#/components/schemas/');
	const toJson: ToJson = (schema, io) => shared.schema(schema, io);
	const paths: Record<string, JsonSchema> = {};
	for (const route of routes) {
		paths[route.path] ??= {};
		paths[route.path]![route.method.toLowerCase()] = {
			operationId: route.id,
			tags: [route.tag],
			summary: route.summary,
			...(route.description ? { description: route.description } : {}),
			parameters: parameters(route, toJson),
			...requestBody(route, toJson),
			responses: responses(route, toJson),
			'x-effect': route.effect,
			'x-cli': route.cli.join(' '),
		};
	}
	return {
		openapi: '3.1.0',
		info: {
			title: 'Orrery',
			version: VERSION,
			description: 'A deterministic 3D world engine: observe, peek, step, fork.',
			license: { name: 'MIT', identifier: 'MIT' },
		},
		servers: [{ url: 'http://127.0.0.1:3917' }],
		tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
		paths,
		components: {
			schemas: { Failure: jsonSchema(failureSchema, 'output'), ...shared.definitions },
			parameters: {
				world: {
					name: 'world',
					in: 'query',
					required: false,
					description: 'Which world the call is about: main (the default) or the id of a fork',
					schema: { type: 'string', default: 'main' },
				},
			},
		},
	};
}
