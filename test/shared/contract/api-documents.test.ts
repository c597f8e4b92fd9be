/**
 * The documents derived from the declarations: OpenAPI and GET /schema.
 */

import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { components } from '../../../shared/components/index.ts';
import { errorsOf, routeDocument } from '../../../shared/contract/api-documents.ts';
import { readoutKey } from '../../../shared/contract/component.ts';
import { ERRORS } from '../../../shared/contract/errors.ts';
import { type JsonSchema, jsonSchema, SchemaDefinitions } from '../../../shared/contract/json-schema.ts';
import { acceptsWorld, hasBody, TAGS } from '../../../shared/contract/route.ts';
import { eventDocuments, schemaDocument } from '../../../shared/contract/schema-document.ts';
import { events } from '../../../shared/events/index.ts';
import { routes } from '../../../shared/routes/index.ts';
import { type Json, startEngine, type TestEngine } from '../../support/engine.ts';
import { objections, openApi } from '../../support/open-api.ts';

const byId = routes.map((route) => [route.id, route] as const);

let world: TestEngine;
beforeAll(async () => {
	world = await startEngine();
});
afterAll(() => world.engine.close());

/**
 * Returns the objections of the OpenAPI document to the answer of a call; a path that it lists as it stands beats one
 * with parameters.
 * `of`: the path that the caller expects.
 */
async function undeclared(
	method: string,
	path: string,
	body?: unknown,
	of = path,
): Promise<readonly string[]> {
	const { status, body: answer } = await world.call(method, path, body);
	const verb = method.toLowerCase();
	const operation = openApi.paths[of]?.[verb];
	if (operation === undefined) return status === 405 ? [] : [`${method} ${path} answers ${status}`];
	if (operation.responses[String(status)] === undefined) return [`${method} ${path} answers ${status}`];
	return objections(method, of, status, answer);
}

test('the OpenAPI document has vectors as lists of fixed length, and keeps lists of different parts', () => {
	const { components } = openApi as unknown as { components: { schemas: JsonSchema } };
	const camera = JSON.stringify(components.schemas.CameraGetAnswer);
	expect(camera).toContain('"items":{"type":"number","minimum":-1000000,"maximum":1000000}');
	expect(camera).not.toContain('prefixItems');
	const kinds = tuplesIn(components.schemas).map((parts) => parts.map(({ type }) => type));
	expect(kinds).toContainEqual(['string', 'string', 'number']);
});

/**
 * Returns the paths of the document that are what an operation's path becomes with names in place of its parameters,
 * and lack its method.
 */
function hiding(method: string, path: string): string[] {
	if (!path.includes('{')) return [];
	const named = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
	return Object.entries(openApi.paths).flatMap(([other, methods]) =>
		!other.includes('{') && named.test(other) && methods[method.toLowerCase()] === undefined ? [other] : [],
	);
}

/** Returns the parts of every list of different parts in a schema. */
function tuplesIn(schema: unknown): JsonSchema[][] {
	if (typeof schema !== 'object' || schema === null) return [];
	const own = 'prefixItems' in schema ? [schema.prefixItems as JsonSchema[]] : [];
	return [...own, ...Object.values(schema).flatMap(tuplesIn)];
}

describe('refusals are in the document too', () => {
	test('a failed batch names the place, and has the answers until then', async () => {
		const requests = [
			{ path: '/spawn', body: {} },
			{ path: '/entity/damage', body: { entity_id: 4e9, amount: 1 } },
		];
		expect((await world.call('POST', '/batch', { atomic: true, requests })).body.results).toHaveLength(2);
		expect(await undeclared('POST', '/batch', { atomic: true, requests })).toEqual([]);
	});

	test('sentences are limited, for any number and length of faults', async () => {
		const long = 'x'.repeat(3000);
		for (const [path, body] of [
			['/rule/create', { when: `((${long}`, do: ['despawn'] }],
			['/rule/create', { when: Array.from({ length: 400 }, (_, i) => `nonsense-${i}`), do: ['despawn'] }],
			['/spawn', Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`key_${i}`, 1]))],
			['/spawn', { [long]: 1 }],
			['/batch', { atomic: true, requests: [{ path: `/${long}` }] }],
		] as const) {
			const { body: answer } = await world.call('POST', path, body);
			expect(answer.ok).toBe(false);
			expect(await undeclared('POST', path, body)).toEqual([]);
		}
	});

	test('a path of the document accepts its own methods and no others', async () => {
		const { paths } = openApi;
		for (const path of Object.keys(paths)) {
			if (path.includes('{')) continue;
			for (const method of ['GET', 'POST', 'DELETE'])
				if (paths[path]![method.toLowerCase()] === undefined)
					expect(await undeclared(method, path, method === 'POST' ? {} : undefined)).toEqual([]);
		}
	});

	test('an operation lists 405 exactly where a name in its path makes it another path, without its method', async () => {
		const hidden: string[] = [];
		for (const { method, path } of routes) {
			const others = hiding(method, path);
			const { responses } = openApi.paths[path]![method.toLowerCase()]!;
			expect('405' in responses, `${method} ${path}`).toBe(others.length > 0);
			for (const other of others) {
				hidden.push(`${method} ${other}`);
				expect((await world.call(method, other, method === 'POST' ? {} : undefined)).status).toBe(405);
				expect(await undeclared(method, other, method === 'POST' ? {} : undefined, path)).toEqual([]);
			}
		}
		for (const kind of ['template', 'hero', 'prefab', 'material', 'ui'])
			expect(hidden).toContain(`DELETE /${kind}/list`);
		const { status, body } = await world.call('DELETE', '/hero/list');
		expect([status, body.fix]).toEqual([
			405,
			'Use GET, HEAD. To delete an item named "list", write %6cist in the path.',
		]);
		expect((await world.call('DELETE', '/hero/%6cist')).body.code).toBe('unknown_hero');
	});
});

describe('GET /openapi.json', () => {
	test('is a valid OpenAPI 3.1 document', async () => {
		const document = await world.must('GET', '/openapi.json');
		const result = await new Validator().validate(structuredClone(document));
		expect(result.errors ?? []).toEqual([]);
		expect(result.valid).toBe(true);
		expect(document.openapi).toMatch(/^3\.1\./);
	});

	test('has every route with its parameters, body, errors and examples, and nothing else', () => {
		const { paths } = openApi as { paths: Record<string, Record<string, Json>> };
		const listed = Object.entries(paths).flatMap(([path, methods]) =>
			Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
		);
		expect(listed.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
		for (const route of routes) {
			const operation = paths[route.path]![route.method.toLowerCase()]!;
			expect(operation.operationId).toBe(route.id);
			const parameters = operation.parameters as { name?: string; in?: string; $ref?: string }[];
			const named = [...Object.keys(route.params?.shape ?? {}), ...Object.keys(route.query?.shape ?? {})];
			expect(parameters.flatMap(({ name }) => name ?? [])).toEqual(named);
			expect(parameters.some(({ $ref }) => $ref === '#/components/parameters/world')).toBe(
				acceptsWorld(route),
			);
			expect('requestBody' in operation).toBe(hasBody(route.method));
			const statuses = new Set(Object.values(errorsOf(route)).map(String));
			statuses.add(String(route.status ?? 200));
			if (hiding(route.method, route.path).length > 0) statuses.add('405');
			expect(Object.keys(operation.responses as object).sort(), route.id).toEqual([...statuses].sort());
		}
	});

	test('requires a body exactly where a call without one is refused', async () => {
		const { paths } = openApi as { paths: Record<string, Record<string, Json>> };
		for (const path of ['/observe', '/step', '/spawn', '/pause']) {
			const { status } = await world.call('POST', path, new Uint8Array(0), {});
			const { requestBody } = paths[path]!.post as { requestBody: { required: boolean } };
			expect([path, requestBody.required]).toEqual([path, status === 415]);
		}
	});

	test('has only references to its own parts', () => {
		const document: JsonSchema = openApi;
		const lost: string[] = [];
		const follow = (value: unknown, root: JsonSchema): void => {
			if (typeof value !== 'object' || value === null) return;
			const { $ref } = value as { $ref?: unknown };
			if (typeof $ref === 'string') {
				let at: unknown = root;
				for (const part of $ref.slice(2).split('/')) at = (at as Json | undefined)?.[part];
				if (at === undefined) lost.push($ref);
			}
			for (const member of Object.values(value)) follow(member, root);
		};
		follow(document, document);
		expect(lost).toEqual([]);
	});

	test('has tags that every operation uses', () => {
		const { tags } = openApi;
		expect(tags.map(({ name }) => name)).toEqual(Object.keys(TAGS));
		expect([...new Set(routes.map(({ tag }) => tag))].sort()).toEqual(Object.keys(TAGS).sort());
	});
});

/**
 * Returns the differences between a schema in place and one that refers to `definitions`. Both refer to schemas that
 * contain themselves.
 */
function differences(whole: unknown, referring: unknown, definitions: Json, where = ''): string[] {
	if (typeof whole !== 'object' || whole === null || typeof referring !== 'object' || referring === null)
		return Object.is(whole, referring) ? [] : [where];
	const { $ref, ...own } = referring as Json;
	const name = typeof $ref === 'string' ? $ref.slice('#/$defs/'.length) : undefined;
	if ('$ref' in whole) return whole.$ref === $ref || `${whole.$ref}Answer` === $ref ? [] : [where];
	const resolved: object = name === undefined ? referring : { ...(definitions[name] as Json), ...own };
	if (name !== undefined && '$ref' in resolved) return differences(whole, resolved, definitions, where);
	const keys = new Set([...Object.keys(whole), ...Object.keys(resolved)]);
	return [...keys].flatMap((key) =>
		differences((whole as Json)[key], (resolved as Json)[key], definitions, `${where}/${key}`),
	);
}

describe('GET /schema', () => {
	test('equals the declarations, over the wire as well', async () => {
		const whole = { ...schemaDocument(routes, components), events: eventDocuments(events) };
		const expected = JSON.parse(JSON.stringify(whole)) as Json;
		expect(await world.must('GET', '/schema')).toEqual(expected);
	});

	test('answers one path, or a list of the existing paths, on request', async () => {
		const whole = await world.must('GET', '/schema');
		const size = (document: Json) => JSON.stringify(document).length;
		const brief = await world.must('GET', '/schema?brief=true');
		const endpoints = Object.fromEntries(
			Object.entries(whole.endpoints as Json).filter(([key]) => !key.includes(':')),
		);
		expect(brief).toEqual({ ...whole, endpoints, component_schemas: [], routes: [], definitions: {} });
		expect(size(brief) * 10).toBeLessThan(size(whole));
		const one = await world.must('GET', '/schema?path=/rule/create');
		const local = <T>(part: T): T =>
			JSON.parse(JSON.stringify(part).replaceAll(/\/schema\?definition=\w+#/g, '#')) as T;
		expect(local(one.routes)).toEqual((whole.routes as Json[]).filter(({ path }) => path === '/rule/create'));
		expect(Object.keys(one.endpoints as Json)).toEqual(['POST /rule/create']);
		for (const [name, definition] of Object.entries(one.definitions as Json))
			expect((whole.definitions as Json)[name]).toEqual(local(definition));
		const fork = await world.must('GET', '/schema?path=/fork');
		expect(Object.keys(fork.endpoints as Json)).toEqual(['POST /fork']);
		expect(fork.definitions).toEqual({});
		const below = await world.must('GET', '/schema?path=/snapshot/');
		expect(Object.keys(below.endpoints as Json)).toEqual(
			Object.keys(endpoints).filter((name) => / \/snapshot(\/|$)/.test(name)),
		);
		expect((await world.call('GET', '/schema?path=/rule/crate')).body).toMatchObject({
			code: 'no_such_route',
			fix: 'Did you mean /rule/create?',
		});
	});

	test('a part is short, and has its references resolved or as addresses', async () => {
		const references = (part: unknown) =>
			new Set([...JSON.stringify(part).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference!));
		const answers = new Map<string, Json>();
		for (const path of new Set(routes.map((route) => route.path))) {
			const part = await world.must('GET', `/schema?path=${path}`);
			expect(JSON.stringify(part).length, path).toBeLessThan(25 * 1024);
			for (const reference of references(part)) {
				const [address = '', pointer = ''] = reference.split('#');
				const name = pointer.slice('/definitions/'.length);
				if (address === '') expect(part.definitions, path).toHaveProperty(name);
				else if (!answers.has(address)) answers.set(address, await world.must('GET', address));
				if (address !== '') expect(answers.get(address)!.definitions, reference).toHaveProperty(name);
			}
		}
		expect(answers.size).toBeGreaterThan(20);
		// A caller that spawns needs no further request for the fields of most entities.
		const { definitions } = await world.must('GET', '/schema?path=/spawn');
		for (const name of ['Spawn', 'Collider', 'Velocity']) expect(definitions).toHaveProperty(name);
	});

	test('a definition or a component can be asked for by its name', async () => {
		const { definitions: whole } = await world.must('GET', '/schema');
		const action = await world.must('GET', '/schema?definition=DamageAction');
		expect((action.definitions as Json).DamageAction).toEqual((whole as Json).DamageAction);
		expect(action).toMatchObject({ routes: [], endpoints: {}, components: {} });
		const collider = await world.must('GET', '/schema?component=collider');
		expect(Object.keys(collider.components as Json)).toEqual(['Collider']);
		expect(collider.component_schemas).toMatchObject([{ name: 'collider' }]);
		expect((await world.call('GET', '/schema?definition=DamageActoin')).body).toMatchObject({
			code: 'bad_query',
			fix: 'Did you mean "DamageAction"?',
		});
		expect((await world.call('GET', '/schema?component=Colider')).body).toMatchObject({
			code: 'bad_query',
			fix: 'Did you mean "Collider"?',
		});
	});

	test('a client of the baseline finds fields, variants and notes, and paths with colons', async () => {
		const { components: told, endpoints } = (await world.must('GET', '/schema')) as Record<
			string,
			Record<string, { fields: Json; variants?: unknown; note: string }>
		>;
		expect(Object.keys(told!.LocalTransform!.fields)).toEqual(['position', 'rotation', 'scale']);
		expect(told!.GlobalTransform!.note).toContain('Read-only');
		expect(told!.PhysicsBody!.variants).toEqual(['Dynamic', 'Static', 'Kinematic']);
		expect(told!.Role!.variants).toEqual(['Hero', 'Minion', 'Tower', 'Structure']);
		expect(told!.Collider!.variants).toMatchObject({
			Aabb: { hx: expect.stringMatching(/^number: Half extent along x/) },
			Sphere: { radius: expect.stringMatching(/^number: /) },
		});
		expect(told!.Health!.variants).toBeUndefined();
		for (const { title, fields, summary } of components) {
			expect(Object.keys(told![title]!.fields)).toEqual(Object.keys(fields));
			expect(told![title]!.note).toBe(summary);
			for (const key of ['fields', 'variants', 'note']) expect(Object.keys(fields), title).not.toContain(key);
		}
		expect(endpoints!['GET /entities/:id']).toBe(endpoints!['GET /entities/{id}']);
		expect(Object.keys((await world.must('GET', '/schema?path=/entities/:id')).endpoints as Json)).toEqual([
			'GET /entities/{id}',
		]);
	});

	test('lists every component with every field, its kind, unit, words and scope', () => {
		const document = schemaDocument(routes, components);
		expect(Object.keys(document.components).sort()).toEqual(components.map(({ title }) => title).sort());
		for (const component of components) {
			const listed = document.component_schemas.find(({ name }) => name === component.name)!;
			expect(listed.fields.map(({ name }) => name)).toEqual(Object.keys(component.fields));
			expect(listed).toMatchObject({ scope: component.scope, readout_key: readoutKey(component) });
			for (const field of listed.fields) {
				const declared = component.fields[field.name]!;
				expect(field.kind).toBe(declared.kind);
				expect(field.doc.length).toBeGreaterThan(3);
				if (declared.kind === 'word') expect(field.words).toEqual(declared.words);
				const summary: Json = document.components[component.title]!;
				expect(summary[field.name]).toContain(declared.doc);
			}
		}
	});

	test('lists every error code with its fix', () => {
		const { errors } = schemaDocument(routes, components);
		expect(errors.map(({ code }) => code)).toEqual(Object.keys(ERRORS));
		for (const { fix, status } of errors) {
			expect(fix).toMatch(/^[A-Z].*\.$/);
			expect(status).toBeGreaterThanOrEqual(400);
		}
	});

	test('shows the short form of every action, and the entity that `this` means in every simple condition', () => {
		const { definitions } = schemaDocument(routes, components);
		const named = (name: string) => definitions[name] as { description: string; oneOf: { $ref: string }[] };
		const meant = ({ $ref }: { $ref: string }) => definitions[$ref.slice($ref.lastIndexOf('/') + 1)]!;
		expect(named('Action').oneOf.length).toBeGreaterThan(20);
		for (const { properties } of named('Action').oneOf.map(meant) as {
			properties: Record<string, JsonSchema>;
		}[]) {
			const verb = String(properties.action!.const);
			expect(named('ActionText').description).toMatch(new RegExp(`[:;] ${verb} `));
		}
		const conditions = definitions.Condition as unknown as { anyOf: { oneOf: { $ref: string }[] }[] };
		for (const { oneOf } of conditions.anyOf)
			for (const { description } of oneOf.map(meant)) expect(description).toContain('this');
	});

	test.each(byId)('%s is in it with its whole declaration', (_, route) => {
		const routeSchema = routeDocument(route, (schema, io) => ({ schema, io }));
		expect(routeSchema).toMatchObject({ method: route.method, path: route.path, effect: route.effect });
		for (const part of ['params', 'query', 'body'] as const) {
			expect(routeSchema[part]?.schema).toBe(route[part]);
			expect(routeSchema[part]?.io).toBe(route[part] && 'input');
		}
		expect(route.summary).toMatch(/^[A-Z].*[^.]$/);
		for (const code of Object.keys(routeSchema.errors)) expect(Object.keys(ERRORS)).toContain(code);
	});

	test('a schema in place equals the one that refers to shared definitions', () => {
		for (const route of routes) {
			for (const [schema, io] of [
				[route.params, 'input'],
				[route.query, 'input'],
				[route.body, 'input'],
				[route.answer, 'output'],
			] as const) {
				if (schema === undefined) continue;
				const shared = new SchemaDefinitions('#/$defs/');
				const referring = shared.schema(schema, io);
				const { $defs = {}, ...whole } = jsonSchema(schema, io);
				expect(differences(whole, referring, shared.definitions), route.id).toEqual([]);
				for (const [name, definition] of Object.entries($defs as Json)) {
					const key = io === 'input' ? name : `${name}Answer`;
					expect(differences(definition, shared.definitions[key], shared.definitions), name).toEqual([]);
				}
			}
		}
	});

	test('every field that can be sent has its words, its range or its length', () => {
		const vague: string[] = [];
		const look = (schema: JsonSchema, where: string): void => {
			const keys = Object.keys(schema).filter((key) => key !== 'default');
			if (keys.length === 0) vague.push(where);
			for (const [key, member] of Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>))
				look(member, `${where}.${key}`);
			for (const key of ['anyOf', 'oneOf', 'prefixItems'] as const)
				for (const member of (schema[key] ?? []) as JsonSchema[]) look(member, where);
		};
		for (const route of routes) if (route.body) look(jsonSchema(route.body, 'input'), route.id);
		expect(vague).toEqual([]);
	});
});

test('every default of a body or query is in it, words and lists among them', () => {
	const defaults = routes.flatMap(({ method, path, body, query }) =>
		[body, query].flatMap((schema) => {
			if (!(schema instanceof z.ZodObject)) return [];
			const { properties = {} } = jsonSchema(schema, 'input') as { properties?: Record<string, Json> };
			return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
				const { success, data } = field.safeParse(undefined);
				if (!success || data === undefined) return [];
				return [{ field: `${method} ${path} ${name}`, data, told: properties[name]?.default }];
			});
		}),
	);
	expect(defaults.length).toBeGreaterThan(50);
	for (const { field, data, told: shown } of defaults)
		expect(shown, field).toEqual(typeof shown === 'string' ? String(data) : data);
});
