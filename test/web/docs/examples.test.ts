/**
 * Examples of the API reference against an engine in this process: run as the page runs them.
 * Owns: the checks that a run leaves nothing behind, and that an example that does not run has a recorded answer.
 */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordExamples } from '../../../relay/build/recorded-examples.ts';
import { openApiDocument } from '../../../shared/contract/api-documents.ts';
import { exampleIsolation, isolationOf } from '../../../shared/contract/isolation.ts';
import { pathAndQuery } from '../../../shared/contract/path-and-query.ts';
import { routes } from '../../../shared/routes/index.ts';
import { readDocument } from '../../../web/docs/document.ts';
import { type CompletedRun, runExample, type SendCall } from '../../../web/docs/run-example.ts';
import { callsOf, curlText, typescriptText } from '../../../web/docs/snippets.ts';
import { refusalIn } from '../../../web/ui/state/ask.ts';
import { requestOf, startEngine, type TestEngine } from '../../support/engine.ts';
import { objections } from '../../support/open-api.ts';

const api = readDocument(JSON.parse(JSON.stringify(openApiDocument(routes))));
const all = api.routes.flatMap((route) => route.examples.map((example) => ({ route, example })));
const recorded = await recordExamples(join(import.meta.dirname, '../../../public'));
const isolationAt = ({ route, example }: (typeof all)[number]) =>
	exampleIsolation(api.find, route, example).in;

const senderTo =
	({ engine }: TestEngine, seen: string[] = []): SendCall =>
	async ({ method, path, body }) => {
		seen.push(`${method} ${path}`);
		const { status, body: bytes } = await engine.handle(requestOf(method, path, body));
		const text = new TextDecoder().decode(bytes);
		return { status, ms: 0, body: text === '' ? null : (JSON.parse(text) as unknown) };
	};

/** Returns a world whose entities have the ids that examples name. */
async function livedIn(): Promise<TestEngine> {
	const lived = await startEngine();
	await lived.must('POST', '/batch', {
		atomic: true,
		requests: [
			...Array.from({ length: 5 }, (_, x) => ({ path: '/spawn', body: { position: [x, 9, 0], health: 40 } })),
			{ path: '/rule/create', body: { name: 'first', when: 'tick:7', actions: ['heal this 1'] } },
			{ path: '/snapshot', body: { label: 'kept' } },
			{ path: '/step', body: { ticks: 3 } },
		],
	});
	return lived;
}

/** Returns everything that a run could change. */
async function traces({ bytes, get }: TestEngine) {
	const { forks } = await get('/fork/list');
	const { assets } = await get('/asset/list');
	const { snapshots } = await get('/snapshot/list');
	return { bytes: bytes(), forks, assets, snapshots };
}

const fork = 'docs-test';

test('every runnable example leaves the live world, its forks and its files unchanged', async () => {
	const lived = await livedIn();
	const before = await traces(lived);
	const runnable = all.filter((candidate) => isolationAt(candidate) !== 'none');
	expect(runnable.length).toBeGreaterThan(200);
	const changed: string[] = [];
	for (const { route, example } of runnable) {
		const ran = await runExample(route, example, { document: api, send: senderTo(lived), fork });
		if (ran.main[0].digest !== ran.main[1].digest) changed.push(`${route.id} ${example.name}`);
		if (JSON.stringify(await traces(lived)) !== JSON.stringify(before)) changed.push(route.id);
	}
	expect(changed).toEqual([]);
	await lived.engine.close();
});

test('examples work in a world that is not empty: their ids are those of their own entities', async () => {
	const lived = await livedIn();
	const refused: string[] = [];
	const runOf = async (id: string, name?: string): Promise<CompletedRun> => {
		const { route, example } = all.find(
			(one) => one.route.id === id && (name === undefined || one.example.name === name),
		)!;
		const { made = [] } = recorded.examples[`${id} ${example.name}`] ?? {};
		return runExample(route, example, { document: api, send: senderTo(lived), fork, recordedNames: made });
	};
	for (const { route, example } of all.filter((candidate) => isolationAt(candidate) === 'fork')) {
		const { answer, sent } = await runOf(route.id, example.name);
		const refusal = refusalIn(answer.status, answer.body);
		if (refusal !== null) refused.push(`${route.id} ${example.name}: ${sent.path} ${refusal.sentence}`);
	}
	expect(refused).toEqual([]);
	// The ids of the world are 0 to 5, because a rule is an entity too.
	expect((await runOf('world.entity')).sent.path).toBe(`/entities/6?world=${fork}`);
	expect((await runOf('rules.get')).sent.path).toBe(`/rule/6?world=${fork}`);
	await lived.engine.close();
});

test('an example that does not run has a recorded answer that fits its schema, and the reason', () => {
	const still = all.filter((candidate) => isolationAt(candidate) === 'none');
	expect(still.length).toBeGreaterThan(40);
	for (const { route, example } of still) {
		const { answer } = recorded.examples[`${route.id} ${example.name}`] ?? {};
		const wrong = objections(route.method, route.path, route.status, answer);
		expect({ id: route.id, wrong }).toEqual({ id: route.id, wrong: [] });
	}
});

test('a call beyond a fork is not isolated, also in an edited example', async () => {
	const where = (path: string, body: unknown = {}, method: 'GET' | 'POST' | 'DELETE' = 'POST') => {
		const isolation = isolationOf(api.find, { method, path, body });
		return isolation.in === 'none' ? isolation.why : isolation.in;
	};
	expect(where('/spawn')).toBe('fork');
	expect(where('/observe')).toBe('live');
	expect(where('/spawn?world=main')).toMatch(/names a world/);
	expect(where('/fork/plan/step')).toMatch(/not about one world/);
	expect(where('/fork', { fork_id: 'x' })).toMatch(/creates a fork/);
	expect(where('/asset/upload')).toMatch(/not about one world/);
	expect(where('/scene/save', { path: 'a.json' })).toMatch(/writes a file/);
	expect(where('/undo')).toMatch(/affects the journal/);
	expect(where('/auth/logout')).toMatch(/not about one world/);
	expect(where('/nowhere')).toMatch(/No route/);
	const inBatch = (request: object) => where('/batch', { requests: [{ path: '/spawn' }, request] });
	expect(inBatch({ path: '/entities/$hero.id', method: 'get' })).toBe('fork');
	expect(inBatch({ path: '/step?world=main', body: {} })).toMatch(/names a world/);
	expect(inBatch({ path: '/fork', body: { fork_id: 'x' } })).toMatch(/creates a fork/);

	const lived = await livedIn();
	const seen: string[] = [];
	const spawn = api.routes.find(({ id }) => id === 'world.spawn')!;
	const edited = { ...spawn.examples[0]!, path: '/spawn?world=main' };
	const run = runExample(spawn, edited, { document: api, send: senderTo(lived, seen), fork });
	await expect(run).rejects.toThrow('The call names a world.');
	expect(seen).toEqual([]);
	await lived.engine.close();
});

test('a refused run deletes its fork too, and names the refused call', async () => {
	const lived = await livedIn();
	const route = api.routes.find(({ id }) => id === 'gameplay.damage')!;
	const example = { ...route.examples[0]!, given: [{ path: '/spawn', body: { mesh: 7 } }] };
	const seen: string[] = [];
	const ran = await runExample(route, example, { document: api, send: senderTo(lived, seen), fork });
	expect(ran).toMatchObject({
		isRefused: true,
		sent: { path: `/spawn?world=${fork}` },
		answer: { status: 422 },
	});
	expect(seen).toContain(`DELETE /fork/${fork}`);
	expect((await lived.get('/fork/list')).forks).toEqual([]);
	await lived.engine.close();
});

test('each address of the reference is one route, and each route can be copied for a shell and for the typed client', () => {
	expect(new Set(api.routes.map(({ anchor }) => anchor)).size).toBe(routes.length);
	expect(Object.keys(recorded.declared).sort()).toEqual(routes.map(({ id }) => id).sort());
	const { route, example } = all.find((candidate) => candidate.route.id === 'world.entity')!;
	const calls = callsOf(route, example);
	expect(curlText('http://127.0.0.1:3917', calls).split('\n')).toHaveLength(calls.length);
	const { path } = pathAndQuery(calls.at(-1)!.path);
	expect(curlText('http://127.0.0.1:3917', calls)).toContain(`curl http://127.0.0.1:3917${path}`);
	const text = typescriptText('http://127.0.0.1:3917', calls, api, recorded.declared);
	expect(text).toContain("from './shared/routes/world.ts';");
	expect(text).toContain('const answer = await client.call(');
	expect(text).toMatch(/params: \{\s*id: 0/);
});
