/**
 * Documents about routes, derived from the declarations: entries of GET /schema, and GET /openapi.json.
 * Owns: their layout. Never: has a second list of routes or errors.
 */

import * as z from 'zod';
import { statusOf } from './dispatch.ts';
import { ERRORS, type ErrorCode, MAX_PATH_LENGTH, MAX_SENTENCE_LENGTH } from './errors.ts';
import { type JsonSchema, jsonSchema, SchemaDefinitions, withPlainSchemas } from './json-schema.ts';
import { pathMatcher } from './path-matcher.ts';
import {
	acceptsWorld,
	BODY_ERRORS,
	CHANGE_ERRORS,
	COMMON_ERRORS,
	canBeBatched,
	hasBody,
	type Route,
	TAGS,
} from './route.ts';
import { linksOf } from './thing.ts';
import { text } from './values.ts';

/** Version of the engine and of its interface. */
export const VERSION = '1.2.0';

/** Returns the error codes of a route, each with its HTTP status. */
export function errorsOf(route: Route): Partial<Record<ErrorCode, number>> {
	const codes: Partial<Record<ErrorCode, number>> = {};
	const add = (code: ErrorCode) => {
		codes[code] = statusOf(code, route);
	};
	for (const code of COMMON_ERRORS) if (code !== 'unknown_world' || acceptsWorld(route)) add(code);
	if (route.effect !== 'read' && route.overtakes !== true) {
		add('out_of_room');
		for (const code of CHANGE_ERRORS) add(code);
	}
	if (route.params) add('bad_path');
	if (hasBody(route.method)) for (const code of BODY_ERRORS) add(code);
	for (const code of [...route.errors, ...(route.inside ?? [])]) add(code);
	return codes;
}

/**
 * Returns true if a parameter value makes the path equal to that of another route that lacks this method.
 */
function isHidden(route: Route, routes: readonly Route[]): boolean {
	if (!route.params) return false;
	const find = pathMatcher([route]);
	const matching = routes.filter(({ path }) => !path.includes('{') && find(path) !== undefined);
	const withMethod = new Set(
		matching.filter(({ method }) => method === route.method).map(({ path }) => path),
	);
	return matching.some(({ path }) => !withMethod.has(path));
}

/** Describes a route as in GET /schema. `json` converts its Zod schemas. */
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
		world: acceptsWorld(route),
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

/** Fields of any refusal. All details of refusals must be declared here: the schema allows no others. */
export const errorBodySchema = z.strictObject({
	ok: z.literal(false),
	error: text('Refused call or field, and the reason', MAX_SENTENCE_LENGTH),
	message: text('The same text as error', MAX_SENTENCE_LENGTH),
	code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
	fix: text('Instruction: the change that makes the call valid', MAX_SENTENCE_LENGTH),
	path: text('Field that caused it', MAX_PATH_LENGTH).optional(),
	world: z.string().optional().describe('With other_world: the current world'),
	failed_at: z.int().optional().describe('With batch_failed: index of the refused request, from 0'),
	failed_request: z
		.strictObject({ method: z.string(), path: z.string(), status: z.int(), code: z.string().optional() })
		.optional()
		.describe('With batch_failed: that request and its refusal'),
	rolled_back: z.literal(true).optional().describe('With batch_failed: nothing was changed'),
	committed: z
		.boolean()
		.optional()
		.describe('In a batch: true if the changes of its requests are kept; never with batch_failed'),
	results: z
		.array(z.unknown())
		.optional()
		.describe('In a batch: the answers up to the refused or last request'),
	ticks_advanced: z
		.int()
		.optional()
		.describe('In a call that makes ticks: ticks completed before the error; they are kept'),
	new_tick: z.int().optional().describe('With ticks_advanced: ticks completed now'),
	state_digest: z.string().optional().describe('With ticks_advanced: current digest of the world'),
	diverged: z
		.strictObject({ world: z.string(), tick: z.int() })
		.optional()
		.describe('With diverged: world and tick that gave two different results'),
	entry: z
		.int()
		.nullable()
		.optional()
		.describe(
			'With depended_on: journal entry that would have another result; with answer_gone: entry of the call',
		),
	sender: z.string().optional().describe('With depended_on: sender of that entry'),
	applied: z
		.boolean()
		.optional()
		.describe('With not_kept, answer_gone and a lost call: true if its changes are in the world'),
	busy: z.record(z.string(), z.unknown()).optional().describe('With busy: current work of the engine'),
	last_world: z
		.record(z.string(), z.unknown())
		.nullable()
		.optional()
		.describe('With no_engine: end of the last world; null if none has ended'),
});

type ToJson = typeof jsonSchema;

const REFUSAL = { $ref: '#/components/schemas/ErrorBody' };

/** Name of a route's schemas: `world.spawn` is `WorldSpawn`. */
const schemaName = (route: Route): string =>
	route.id.replace(/(?:^|[._])(\w)/g, (_, letter) => letter.toUpperCase());

/** Gives a name to each one-key record in a named union. Client generators repeat or omit unnamed alternatives. */
function nameAlternatives(shared: SchemaDefinitions): void {
	const visit = (name: string, schema: JsonSchema): JsonSchema => {
		if (Array.isArray(schema.anyOf))
			return { ...schema, anyOf: schema.anyOf.map((item) => visit(name, item as JsonSchema)) };
		const [key, ...others] = Object.keys((schema.properties ?? {}) as object);
		const isRecord = key !== undefined && others.length === 0 && /^[A-Z]/.test(key);
		return isRecord ? shared.define(name + key, schema) : schema;
	};
	for (const [name, schema] of Object.entries(shared.definitions))
		shared.definitions[name] = Array.isArray(schema.anyOf) ? visit(name, schema) : schema;
}

/** Defines a schema under a name, unless it already is a reference. Returns a reference. */
function defineNamed(name: string, schema: JsonSchema, shared: SchemaDefinitions): JsonSchema {
	if (Object.keys(schema).join() === '$ref') return schema;
	return shared.define(name, schema);
}

/** Returns the parameters of a route, with references to those that all routes share. */
function parameters(route: Route, toJson: ToJson): JsonSchema[] {
	const listed: JsonSchema[] = [];
	const addFields = (location: 'path' | 'query', shape: z.ZodObject | undefined) => {
		for (const [name, schema] of Object.entries(shape?.shape ?? {})) {
			const required = location === 'path' || !(schema as z.ZodType).safeParse(undefined).success;
			const json = toJson(schema as z.ZodType, 'input');
			listed.push({
				name,
				in: location,
				required,
				schema: json,
				...(json.description ? { description: json.description } : {}),
			});
		}
	};
	addFields('path', route.params);
	addFields('query', route.query);
	const commonNames = [
		...(acceptsWorld(route) ? ['world'] : []),
		...(route.effect === 'read' ? [] : ['idempotencyKey']),
		'wantedWorld',
	];
	return [...listed, ...commonNames.map((name) => ({ $ref: `#/components/parameters/${name}` }))];
}

/** Returns the answers of a route by status. */
function responses(
	route: Route,
	routes: readonly Route[],
	toJson: ToJson,
	shared: SchemaDefinitions,
): JsonSchema {
	const byStatus: Record<string, JsonSchema> = {};
	const name = schemaName(route);
	const answer = defineNamed(`${name}Answer`, toJson(route.answer, 'output'), shared);
	const content: JsonSchema = { 'application/json': { schema: answer } };
	for (const media of route.media ?? [])
		content[media] = {
			schema: { type: 'string', ...(media.startsWith('text/') ? {} : { format: 'binary' }) },
		};
	const success = String(route.status ?? 200);
	const failures = new Map<string, string[]>();
	const hidden = isHidden(route, routes) ? { method_not_allowed: ERRORS.method_not_allowed[0] } : {};
	for (const [code, status] of Object.entries({ ...errorsOf(route), ...hidden }))
		failures.set(String(status), [...(failures.get(String(status)) ?? []), code]);
	byStatus[success] = { description: 'Done', content };
	for (const [status, codes] of failures) {
		if (status === success) {
			byStatus[status] = {
				description: `Done; or, with ok false: ${codes.join(', ')}`,
				'x-codes': codes,
				content: {
					...content,
					'application/json': {
						schema: shared.define(`${name}AnswerOrRefusal`, { anyOf: [answer, REFUSAL] }),
					},
				},
			};
		} else
			byStatus[status] = {
				description: codes.join(', '),
				'x-codes': codes,
				content: { 'application/json': { schema: REFUSAL } },
			};
	}
	const links = linksOf(route, routes);
	if (Object.keys(links).length > 0) byStatus[success] = { ...byStatus[success], links };
	return byStatus;
}

function requestBody(route: Route, toJson: ToJson, shared: SchemaDefinitions): JsonSchema {
	if (!hasBody(route.method)) return {};
	const examples = Object.fromEntries(
		route.examples
			.filter(({ body }) => body !== undefined)
			.map(({ name, body }) => [name.replace(/\W+/g, '_').toLowerCase(), { summary: name, value: body }]),
	);
	return {
		requestBody: {
			required: route.body?.safeParse(undefined).success === false,
			content: {
				'application/json': {
					schema: route.body
						? defineNamed(`${schemaName(route)}Body`, toJson(route.body, 'input'), shared)
						: shared.define('NoFields', { type: 'object', additionalProperties: false }),
					...(Object.keys(examples).length > 0 ? { examples } : {}),
				},
				...Object.fromEntries(
					(route.accepts ?? []).map((media) => [media, { schema: { type: 'string', format: 'binary' } }]),
				),
			},
		},
	};
}

/** Returns the OpenAPI 3.1 document of GET /openapi.json. `server`: base URL of the API. */
export function openApiDocument(routes: readonly Route[], server = '/'): JsonSchema {
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
			...requestBody(route, toJson, shared),
			responses: responses(route, routes, toJson, shared),
			'x-effect': route.effect,
			...(route.world === false ? { 'x-world': false } : {}),
			...(canBeBatched(route) ? {} : { 'x-batch': false }),
			...(route.access ? { 'x-access': route.access } : {}),
			...(route.adminFields ? { 'x-admin-fields': route.adminFields } : {}),
			...(route.makes ? { 'x-makes': route.makes } : {}),
			...(route.runs ? { 'x-runs': route.runs } : {}),
			'x-cli': route.cli.join(' '),
			'x-examples': route.examples,
		};
	}
	nameAlternatives(shared);
	return withPlainSchemas({
		openapi: '3.1.0',
		info: {
			title: 'Orrery',
			version: VERSION,
			description: 'A deterministic 3D world engine: observe, peek, step, fork.',
			license: { name: 'MIT', identifier: 'MIT' },
		},
		servers: [{ url: server }],
		// A call without a session is refused only by a server that was started with --auth.
		security: [{}, { session: [] }],
		tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
		paths,
		components: {
			schemas: { ErrorBody: jsonSchema(errorBodySchema, 'output'), ...shared.definitions },
			parameters: {
				world: {
					name: 'world',
					in: 'query',
					required: false,
					description:
						'World that the call is for: main (the default), the id of a fork, the name of another world, or NAME/FORK. With x-world false, it may be any world of the same engine',
					schema: { type: 'string', default: 'main' },
				},
				idempotencyKey: {
					name: 'Idempotency-Key',
					in: 'header',
					required: false,
					description:
						'Unique text for this call, such as a UUID. If it is sent again with the same key, it is not applied twice',
					schema: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[!-~]+$' },
				},
				wantedWorld: {
					name: 'X-Orrery-World',
					in: 'header',
					required: false,
					description:
						'Identity of the world that the call is for, from the same header of an answer; refused if the engine now has another world',
					schema: { type: 'string' },
				},
			},
			securitySchemes: {
				session: {
					type: 'http',
					scheme: 'bearer',
					description: 'The session_token of POST /auth/login, if the server requires sign-in',
				},
			},
		},
	}) as JsonSchema;
}
