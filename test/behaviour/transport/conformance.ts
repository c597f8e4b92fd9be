/**
 * One suite that checks every declared route on each transport.
 * Owns: the requirements. Never: lists routes, fields or errors; they are derived from the declarations.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { errorBodySchema, errorsOf } from '../../../shared/contract/api-documents.ts';
import { statusOf } from '../../../shared/contract/dispatch.ts';
import type { ErrorCode } from '../../../shared/contract/errors.ts';
import { jsonSchema } from '../../../shared/contract/json-schema.ts';
import {
	acceptsWorld,
	type Example,
	type ExampleCall,
	hasBody,
	type Route,
} from '../../../shared/contract/route.ts';
import {
	type CallHandler,
	MAX_BODY_BYTES,
	MAX_DOCUMENT_BYTES,
	type WireRequest,
	type WireResponse,
} from '../../../shared/contract/wire.ts';
import { routes as declaredRoutes } from '../../../shared/routes/index.ts';
import { type Json, jsonOf, requestOf } from '../../support/engine.ts';
import { badValuesOf, fits, fittingValuesOf, spreadOver } from '../../support/json-samples.ts';
import { objections, takesBody } from '../../support/open-api.ts';
import { SEED, times } from '../../support/seed.ts';

/** As a plain list: the compiler takes seconds for what is done with 245 types. */
const routes: readonly Route[] = declaredRoutes;

/** A way to an engine. */
export interface TestedTransport {
	readonly handle: CallHandler;
	/** Makes calls in order and returns their answers. A remote transport sends them in one batch. */
	readonly handleAll?: (requests: readonly WireRequest[]) => Promise<WireResponse[]>;
	/** Resets the engine: no entities, tick 0, paused, no forks. Also provides what an example needs. */
	reset(needs?: Example['needs']): Promise<void>;
	/** Number of refused calls between two checks of the world. Default: 1. */
	readonly refusalsPerLook?: number;
	/** Approximate number of valid bodies, and of invalid ones, for each route. Every kind of fault is included. */
	readonly maxBodies: number;
	/** Available parts of the engine. Examples that need other parts are skipped. */
	readonly has: { readonly view: boolean; readonly files: boolean; readonly journal?: boolean };
	close(): Promise<void>;
}

const words = z.string().min(1);
/** Schema of a refusal. */
const failure = errorBodySchema.extend({ error: words, message: words, fix: words });
/** Schema of the refusal of a bad call, which has no field about results. */
const bareFailure = failure.pick({
	ok: true,
	error: true,
	message: true,
	code: true,
	fix: true,
	path: true,
	world: true,
});

/** A call that must be refused, with the expected status and code. */
interface BadCall {
	readonly what: string;
	readonly request: WireRequest;
	readonly status: number;
	readonly code: ErrorCode;
	/** Route that declares the refusal; undefined for an unknown path. */
	readonly route?: Route;
}

/** Maximum number of calls before their answers are checked. The answers to all bodies of a scenario would fill the memory. */
const CALLS_AT_ONCE = 500;

const utf8 = new TextEncoder();

/** Returns the path of an example, or else that of its route. */
const pathOf = (route: Route, example: Example): string => example.path ?? route.path;

/** Returns true for a stream, whose answer does not end. Other tests read streams. */
const isStream = ({ media = [] }: Route): boolean => media.includes('text/event-stream');

/** Returns true if the example sets the form of its answer itself, so that the header `accept` has no effect. */
const choosesForm = (route: Route, example: Example): boolean =>
	/[?&](format|report|ghosts)=/.test(pathOf(route, example)) ||
	['cameras', 'spawn'].some((field) => field in Object(example.body));

/**
 * Returns the examples for a remote transport: the first of the route, and those that need the view, which only remote
 * transports have.
 */
const farExamples = ({ examples }: Route): Example[] =>
	examples.filter((example, i) => i === 0 || example.needs === 'view');

/** Selection of calls for a remote transport. `npm run deep` makes all calls on each transport. */
interface Far {
	/** Every second route has its examples, values that fit, and bad calls tried at this door. The seed chooses which. */
	readonly half: 0 | 1;
	/** Bad calls that are sent of each of these routes. */
	readonly refusals: number;
}

function exampleRequest(route: Route, example: Example, accept = 'application/json'): WireRequest {
	const request = requestOf(route.method, pathOf(route, example), example.body);
	return { ...request, headers: { ...request.headers, accept } };
}

function givenRequest(call: ExampleCall): WireRequest {
	return requestOf(call.method ?? (call.body === undefined ? 'GET' : 'POST'), call.path, call.body);
}

function withQuery(path: string, query: string): string {
	return path.includes('?') ? `${path}&${query}` : `${path}?${query}`;
}

/** Returns the code of a refusal. Throws if the answer is not a refusal that the route declares. */
function declaredFailure(route: Route, { status, body }: { status: number; body: Json }): ErrorCode {
	const { code, error, message } = failure.parse(body);
	expect(message).toBe(error);
	expect(
		errorsOf(route)[code],
		`${code} with status ${status} is not declared for ${route.method} ${route.path}`,
	).toBe(status);
	return code;
}

/** Part of the suite. */
interface Part {
	/** Selects the tested routes. Default: all. */
	readonly only?: (route: Route) => boolean;
	/**
	 * Selection for a remote transport. It skips checks that do not depend on the transport, such as the future after a call;
	 * these run in process.
	 */
	readonly far?: Far;
}

/** Declares the suite for one transport. */
export function describeConformance(
	name: string,
	startTransport: () => Promise<TestedTransport>,
	{ only = () => true, far }: Part = {},
): void {
	describe(name, () => {
		let transport: TestedTransport;
		const isFar = far !== undefined;
		const tested = routes.filter(only);
		const halved =
			isFar && times(1) === 1 ? tested.filter((_, index) => (index + SEED) % 2 === far.half) : tested;

		beforeAll(async () => {
			transport = await startTransport();
		});
		afterAll(() => transport?.close());

		async function ask(...requests: WireRequest[]): Promise<WireResponse[]> {
			if (transport.handleAll !== undefined) return transport.handleAll(requests);
			const answers: WireResponse[] = [];
			for (const request of requests) answers.push(await transport.handle(request));
			return answers;
		}

		async function must(...requests: WireRequest[]): Promise<Json[]> {
			const answers = await ask(...requests);
			return answers.map((answer, i) => {
				const body = jsonOf(answer);
				if (answer.status >= 400 || body.ok === false)
					throw new Error(`${requests[i]!.path} answered ${answer.status}: ${JSON.stringify(body)}`);
				return body;
			});
		}

		const DIGEST = requestOf('GET', '/digest');
		const FORKS = requestOf('GET', '/fork/list');
		const CAMERA = requestOf('GET', '/camera');

		// Examples that need the relay would end the transport. They are tested in test/relay.
		const isMissing = ({ needs }: Example) =>
			needs !== undefined && (needs === 'relay' || !transport.has[needs]);

		describe('examples', () => {
			for (const route of halved) {
				for (const example of isFar ? farExamples(route) : route.examples) {
					test(`${route.method} ${route.path}: ${example.name}`, async ({ skip }) => {
						if (isMissing(example)) skip();
						await transport.reset(example.needs);
						await must(...(example.given ?? []).map(givenRequest));
						await keepsItsEffect(route, example);
						if (route.method === 'GET') await answersHead(route, example);
						for (const media of choosesForm(route, example) ? [] : (route.media ?? [])) {
							// A remote transport returns a stream that does not end.
							if (isFar && isStream(route)) continue;
							const [answer] = await ask(exampleRequest(route, example, media));
							expect(answer!.status).toBe(route.status ?? 200);
							expect(answer!.headers['content-type']).toBe(media);
							expect(answer!.body.length).toBeGreaterThan(0);
						}
					});
				}
			}
		});

		/** Returns true if the call runs in a copy of the world. */
		function runsInCopy({ body }: Example): boolean {
			const { fork, dry_run } = (body ?? {}) as Json;
			return fork === true || dry_run === true;
		}

		async function keepsItsEffect(route: Route, example: Example): Promise<void> {
			const request = exampleRequest(route, example);
			const twin = (fork_id: string) => requestOf('POST', '/fork', { fork_id });
			// Examples that need the view have no other transport.
			const looksAhead = !isFar || example.needs === 'view';
			const [before] = await must(DIGEST, ...(looksAhead ? [twin('twin-before')] : []));
			const [answer, after] = await ask(request, DIGEST);
			const now = jsonOf(after!);
			expect(answer!.headers['content-type']).toBe('application/json');
			const body = jsonOf(answer!);
			expect(answer!.status, JSON.stringify(body)).toBe(route.status ?? 200);
			expect(route.answer.safeParse(body).error).toBeUndefined();
			if (!isFar)
				expect(objections(route.method, route.path, route.status ?? 200, body), 'in OpenAPI').toEqual([]);
			if ((route.effect === 'step' || route.effect === 'replace') && !runsInCopy(example)) {
				if (route.effect === 'step')
					expect(now.tick).toBe((before!.tick as number) + (body.ticks_advanced as number));
				else expect(now.tick).toBe(body.tick);
				expect(now.state_digest).toBe(body.state_digest);
				return;
			}
			const [status] = await must(requestOf('GET', '/'), requestOf('POST', '/pause'));
			// While the world plays, the tick may change.
			if (route.effect === 'write') {
				if (status!.playing !== true) expect(now.tick).toBe(before!.tick);
				return;
			}
			expect(now).toEqual(before);
			if (route.effect === 'fork' || !looksAhead) return;
			const step = (fork: string) => requestOf('POST', `/fork/${fork}/step`, { ticks: 5 });
			const [, one, other] = await must(twin('twin-after'), step('twin-before'), step('twin-after'));
			expect(other!.state_digest, 'the call changed the future').toBe(one!.state_digest);
		}

		async function answersHead(route: Route, example: Example): Promise<void> {
			const [answer] = await ask(requestOf('HEAD', pathOf(route, example)));
			expect(answer!.status).toBe(route.status ?? 200);
			expect(answer!.body.length).toBe(0);
		}

		describe('refusals', () => {
			beforeAll(async () => {
				await transport.reset();
				await must(
					requestOf('POST', '/spawn', { mesh: 'cube', health: 100, velocity: { linear: [1, 0, 0] } }),
					requestOf('POST', '/step', { ticks: 2 }),
					requestOf('POST', '/fork', { fork_id: 'plan' }),
				);
			});

			if (isFar) {
				// Few checks of the world, because this suite tests the transport.
				test('every route', async () => {
					const calls = halved.flatMap((route) => {
						const light = badCalls(route, transport.maxBodies, isFar).filter(({ request }) =>
							isLight(request),
						);
						return spreadOver(light, far.refusals).map((call) => ({ ...call, route }));
					});
					await expectRefusals(calls);
				});
			} else {
				for (const route of tested)
					test(`${route.method} ${route.path}`, async () => {
						await expectRefusals(badCalls(route, transport.maxBodies).map((call) => ({ ...call, route })));
					});
			}

			test('unknown paths', async () => {
				const bad = (what: string, path: string): BadCall => ({
					what,
					request: requestOf('GET', path),
					status: 404,
					code: 'no_such_route',
				});
				const calls = [bad('a word', '/nowhere'), bad('a misspelt word', '/diagnos')];
				for (const { path } of tested) {
					const filled = path.replaceAll(/\{\w+\}/g, '0');
					calls.push(bad('one segment more', `${filled === '/' ? '' : filled}/nowhere/at/all`));
					if (path !== '/') calls.push(bad('a slash at the end', `${filled}/`));
				}
				await expectRefusals(isFar ? spreadOver(calls, 20) : calls);
				const [misspelt] = await ask(requestOf('GET', '/diagnos'));
				expect(jsonOf(misspelt!).fix).toBe('Did you mean /diagnose?');
			});

			test('a body of exactly 2 MiB is accepted, and one byte more is refused', async () => {
				const ofLength = (bytes: number) =>
					requestOf('POST', '/observe', utf8.encode('{}'.padEnd(bytes, ' ')));
				const [full, over] = await ask(ofLength(MAX_BODY_BYTES), ofLength(MAX_BODY_BYTES + 1));
				expect(full!.status).toBe(200);
				expect({ status: over!.status, ...pick(jsonOf(over!), 'ok', 'code') }).toEqual({
					status: 413,
					ok: false,
					code: 'too_large',
				});
			});
		});

		/** Sends bad calls, expects their refusals, and checks between them that the world has not changed. */
		async function expectRefusals(calls: readonly BadCall[]): Promise<void> {
			const looks = [DIGEST, FORKS, CAMERA];
			const before = (await ask(...looks)).map(jsonOf);
			const every = transport.refusalsPerLook ?? 1;
			for (const some of inRows(calls, CALLS_AT_ONCE)) {
				const groups = [...inRows(some, every)];
				const answers = await ask(
					...groups.flatMap((group) => [...group.map(({ request }) => request), ...looks]),
				);
				const take = () => answers.shift()!;
				for (const group of groups) {
					for (const bad of group) expectRefused(bad, take());
					const after = looks.map(() => jsonOf(take()));
					expect(after, `the world after ${group.map(({ what }) => what).join(', ')}`).toEqual(before);
				}
			}
		}

		function expectRefused({ what, request, status, code, route }: BadCall, answer: WireResponse): void {
			const where = `${request.method} ${request.path}${request.query && `?${request.query}`}: ${what}`;
			const body = jsonOf(answer);
			expect({ where, status: answer.status, ...pick(body, 'ok', 'code') }).toEqual({
				where,
				status,
				ok: false,
				code,
			});
			expect(bareFailure.safeParse(body).error, where).toBeUndefined();
			expect(answer.headers['content-type'], where).toBe('application/json');
			if (status === 405) expect(answer.headers.allow, where).toBe(allowed(request.path));
			else if (route !== undefined) declaredFailure(route, { status, body });
		}

		describe('every body that fits the schema is answered as declared', () => {
			// A remote transport tests only routes with a query, because it encodes the query.
			const sent = (isFar ? halved.filter(({ query }) => query !== undefined) : tested).filter(
				(route) => !isStream(route),
			);
			for (const route of sent) {
				test(`${route.method} ${route.path}`, async ({ skip }) => {
					if (route.examples.some((example) => example.needs === 'view')) skip();
					await inSandbox(route);
				});
			}
		});

		/** Sends valid values of all kinds to a fork, which must still be able to step. */
		async function inSandbox(route: Route): Promise<void> {
			const [{ forks }] = (await must(FORKS)) as [{ forks: string[] }];
			const drop = (id: string) => requestOf('DELETE', `/fork/${id}`);
			await must(...forks.map(drop));
			await must(
				requestOf('POST', '/fork', { fork_id: 'sandbox' }),
				requestOf('POST', '/spawn?world=sandbox', { health: 10, tags: ['a'], color: 'red' }),
				requestOf('POST', '/spawn?world=sandbox', { mesh: 'cube', health: 0 }),
			);
			const [before] = await must(DIGEST);
			for (const calls of inRows(fittingCalls(route, transport.maxBodies, isFar), CALLS_AT_ONCE)) {
				const answers = await ask(...calls);
				for (const [i, request] of calls.entries()) expectDeclared(request, answers[i]!, route);
			}
			// The fork has replaced main.
			if (route.effect === 'replace' && route.world === false) return transport.reset();
			const [list] = (await must(FORKS)) as [{ forks: string[] }];
			if (list.forks.includes('sandbox')) await must(requestOf('POST', '/fork/sandbox/step', { ticks: 2 }));
			await must(...list.forks.map(drop));
			expect((await must(DIGEST))[0], 'main, while a fork was used').toEqual(before);
		}

		function expectDeclared(request: WireRequest, given: WireResponse, route: Route): void {
			const answer = { status: given.status, body: jsonOf(given) };
			const where = `${request.path}?${request.query} ${new TextDecoder().decode(request.body.subarray(0, 300))}`;
			if (answer.body.ok === false) {
				// The code `internal` means a fault of the engine.
				expect(declaredFailure(route, answer), where).not.toBe('internal');
				return;
			}
			expect(answer.status, where).toBe(route.status ?? 200);
			expect(route.answer.safeParse(answer.body).error, where).toBeUndefined();
		}
	});
}

/** Splits values into rows of `length`; the last one may be shorter. */
function* inRows<T>(values: Iterable<T>, length: number): Generator<T[]> {
	let row: T[] = [];
	for (const value of values) {
		row.push(value);
		if (row.length < length) continue;
		yield row;
		row = [];
	}
	if (row.length > 0) yield row;
}

function pick(value: Json, ...keys: string[]): Json {
	return Object.fromEntries(keys.map((key) => [key, value[key]]));
}

const patterns = new Map(
	routes.map((route) => [route, new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)] as const),
);

/**
 * Returns the methods that are declared for a path. Routes without parameters have precedence over those with parameters.
 */
function methodsAt(path: string): Set<string> {
	const fitting = [...patterns].flatMap(([route, pattern]) => (pattern.test(path) ? [route] : []));
	const parameters = (route: Route) => route.path.split('{').length;
	const fewest = Math.min(...fitting.map(parameters));
	return new Set(fitting.filter((route) => parameters(route) === fewest).map(({ method }) => method));
}

function allowed(path: string): string {
	const methods = methodsAt(path);
	return [...methods, ...(methods.has('GET') ? ['HEAD'] : [])].sort().join(', ');
}

/** Returns the path of the first example without its query, so that the path is valid. */
function plainPath(route: Route): string {
	return pathOf(route, route.examples[0]).split('?')[0]!;
}

/** Returns bad calls of a route, one for each possible fault. */
function badCalls(route: Route, maxBodies: number, isFar = false): BadCall[] {
	const path = plainPath(route);
	const { method } = route;
	const body = route.examples[0].body ?? {};
	const calls: BadCall[] = [];
	const add = (what: string, request: WireRequest, status: number, code: ErrorCode) =>
		calls.push({ what, request, status, code });

	for (const other of ['GET', 'POST', 'DELETE', 'PUT', 'PATCH'])
		if (!methodsAt(path).has(other))
			add(
				'the wrong method',
				requestOf(other, path, other === 'GET' ? undefined : {}),
				405,
				'method_not_allowed',
			);

	if (route.params !== undefined) {
		for (const text of badTexts(route.params))
			add(
				'a bad path parameter',
				requestOf(method, route.path.replace(/\{\w+\}/, text), hasBody(method) ? body : undefined),
				400,
				'bad_path',
			);
	}
	const query = (text: string, status: number, code: ErrorCode, on = path) =>
		add(
			'a bad query',
			requestOf(method, withQuery(on, text), hasBody(method) ? body : undefined),
			status,
			code,
		);
	query('nonsense=1', 400, 'bad_query');
	for (const [name, schema] of Object.entries(route.query?.shape ?? {})) {
		query(`${name}x=0`, 400, 'bad_query');
		const shape = jsonSchema(schema as z.ZodType, 'input');
		for (const { value } of badValuesOf(shape, (value) => fits(shape, value))) {
			if (typeof value !== 'string' && typeof value !== 'number') continue;
			// Digits in a query are valid for a number and for a text.
			if (value === '1' || (typeof value === 'number' && fits(shape, String(value)))) continue;
			query(`${name}=${encodeURIComponent(value)}`, 400, 'bad_query');
		}
	}
	if (!acceptsWorld(route)) query('world=main', 400, 'bad_query');
	// Everything else must be valid, including the required query.
	else query('world=nowhere', 404, 'unknown_world', pathOf(route, route.examples[0]));

	if (hasBody(method)) calls.push(...badBodies(route, path, body, maxBodies, isFar));
	return calls;
}

/** Maximum length of bodies that are soon carried through a far door. */
const LIGHT_BYTES = 65_536;

const isLight = ({ body }: WireRequest): boolean => body.length <= LIGHT_BYTES;

/**
 * Returns a validator for bodies of a route, from the OpenAPI document. For a remote transport it uses the declaration, because
 * compiling the document takes longer than all calls.
 */
const takes = (route: Route, isFar: boolean) => (value: unknown) =>
	isFar ? route.body!.safeParse(value).success : takesBody(route.method, route.path, value);

function badBodies(route: Route, path: string, body: unknown, maxBodies: number, isFar: boolean): BadCall[] {
	const calls: BadCall[] = [];
	const send = (
		what: string,
		bytes: unknown,
		status: number,
		code: ErrorCode,
		headers?: Record<string, string>,
	) => calls.push({ what, request: requestOf(route.method, path, bytes, headers), status, code });
	const json = utf8.encode(JSON.stringify(body));
	for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx'])
		send(`content type ${type}`, json, 415, 'content_type', { 'content-type': type });
	send('no content type', json, 415, 'content_type', {});
	for (const text of ['{', '{"a":}', 'words', '{}{}', "{'a':1}"])
		send(text, utf8.encode(text), 400, 'bad_json');
	send('bytes that are not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), 400, 'bad_json');
	const most = route.document === true ? MAX_DOCUMENT_BYTES : MAX_BODY_BYTES;
	send('a body over the limit', utf8.encode('{}'.padEnd(most + 1, ' ')), 413, 'too_large');
	if (route.body === undefined) {
		send('an unknown key', { nonsense: 1 }, 422, 'invalid_body');
		for (const value of [null, true, 5, 'words', []])
			send('not an object', value ?? utf8.encode('null'), 422, 'invalid_body');
		return calls;
	}
	if (route.body?.safeParse(undefined).success !== true)
		send('an empty body', new Uint8Array(0), 400, 'bad_json');
	// To a far door all bodies are alike, and deriving bad ones takes longer than all calls.
	const bad = isFar
		? [{ what: 'an unknown key', value: { ...(body as object), nonsense: 1 } }]
		: badValuesOf(jsonSchema(route.body, 'input'), takes(route, isFar), maxBodies);
	for (const { what, value } of bad) refused(what, value);
	return calls;

	function refused(what: string, value: unknown): void {
		// Faults beyond the shape, such as in the words of a rule, may have their own code.
		const own = [...route.errors, ...(route.inside ?? [])].find((code) => CONTENT_CODES.has(code));
		const code = own !== undefined && route.body!.safeParse(value).success ? own : 'invalid_body';
		send(what, utf8.encode(JSON.stringify(value)), statusOf(code, route), code);
	}
}

/** Codes for values of the right shape whose content the handler refuses. */
const CONTENT_CODES: ReadonlySet<ErrorCode> = new Set(['invalid_rule', 'invalid_view_rule']);

/** Returns texts that are invalid for a path parameter. */
function badTexts(params: z.ZodObject): string[] {
	const [schema] = Object.values(params.shape) as z.ZodType[];
	const broken = ['%ZZ', '%E0%A4'];
	if (jsonSchema(schema!, 'input').type === 'string') return broken;
	return [...broken, 'abc', '-1', '4294967296', '1.5', '%20', '1e3', '0x1'];
}

/** Returns calls that fit the schema of a route, on the fork `sandbox`. */
function* fittingCalls(route: Route, maxBodies: number, isFar: boolean): Generator<WireRequest> {
	const place = route.world === false ? '' : 'world=sandbox';
	const path = plainPath(route).replace('/fork/plan', '/fork/sandbox');
	const query = jsonSchema(route.query ?? z.strictObject({}), 'input');
	const queries = fittingValuesOf(query, (value) => fits(query, value), maxBodies);
	const bodies =
		route.body === undefined
			? [undefined]
			: fittingValuesOf(jsonSchema(route.body, 'input'), takes(route, isFar), maxBodies);
	expect(queries, 'queries that fit').not.toEqual([]);
	expect(bodies, 'bodies that fit').not.toEqual([]);
	for (const query of queries as Json[]) {
		const texts = Object.entries(query)
			.filter(([, value]) => value !== null)
			.map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`);
		const all = [...texts, place].filter((text) => text !== '').join('&');
		const target = all === '' ? path : withQuery(path, all);
		for (const body of bodies) yield requestOf(route.method, target, body);
	}
}
