/** Steps that change nothing, shared with worker threads: the same rows as in place. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { poolThreads } from '../../../relay/thread/pool-threads.ts';
import type { FromPoolWorker, PoolPort, ToPoolWorker } from '../../../web/host/pool.ts';
import { poolEngine } from '../../../web/host/pool-engine.ts';
import { jsonOf, requestOf, startEngine, type TestEngine } from '../../support/engine.ts';
import { scatter } from '../../support/scatter.ts';

/** Messages that workers got and gave, and what waits for the next that they give. */
let sent: ToPoolWorker[] = [];
let got: FromPoolWorker[] = [];
let heard = (): void => {};
const reset = () => {
	sent = [];
	got = [];
};
const worlds = () => sent.filter(({ world }) => world !== undefined).length;

/** The port, with what goes through it noted. */
function noted({ send, listen, end }: PoolPort): PoolPort {
	return {
		send(message) {
			sent.push(message);
			send(message);
		},
		listen(take, lost) {
			listen((message) => {
				got.push(message);
				take(message);
				heard();
			}, lost);
		},
		end,
	};
}

/** A worker in this thread. */
function inThread(): PoolPort {
	const answer = poolEngine();
	let take = (_: FromPoolWorker): void => {};
	return {
		send: (message) => void answer(message).then((given) => take(given)),
		listen(taken) {
			take = taken;
		},
		end() {},
	};
}

/** A clock on which each look takes a while, so that work seems worth sharing. */
function slowClock(): () => number {
	let now = 0;
	return () => (now += 5);
}

const opened: TestEngine[] = [];
async function engineWith(open?: () => PoolPort): Promise<TestEngine> {
	const pool = open && { pool: { size: 1, open: () => noted(open()) } };
	const engine = await startEngine({ now: slowClock(), ...pool });
	opened.push(engine);
	await scatter(engine.engine, 6);
	await engine.spawn({ tags: ['purse'], gold: 0 });
	await engine.rule({
		when: 'tick:1',
		outcomes: [
			{ label: 'win', weight: 1, do: ['add_field tag:purse gold 1'] },
			{ label: 'lose', weight: 1 },
		],
	});
	return engine;
}
afterAll(() => Promise.all(opened.map(({ engine }) => engine.close())));

const body = {
	steps: Array.from({ length: 40 }, (_, seed) => ({
		fork_id: `s${seed}`,
		from: 'main',
		seed,
		requests: [{ path: '/entity/heal', body: { entity_id: seed === 31 ? 99 : 0, amount: 1 } }],
	})),
	ticks: 20,
	until: 'field:gold>=12',
	where: { rich: 'field:gold>=10 & tag:purse' },
	fields: ['gold', 'position'],
	digest: true,
	keep: false,
};

let plain: TestEngine;
let alone: unknown;
beforeAll(async () => {
	plain = await engineWith();
	const before = await plain.bytes();
	alone = await plain.post('/fork/step', body);
	expect(await plain.bytes()).toBe(before);
	expect((await plain.get('/fork/list')).forks).toEqual([]);
});

test.each<[string, () => PoolPort]>([
	['this thread', inThread],
	['a thread', poolThreads().open],
])('an engine in %s makes the same rows, and nothing is kept', { timeout: 60_000 }, async (_, open) => {
	reset();
	const shared = await engineWith(open);
	const loaded = new Promise<void>((resolve) => {
		heard = resolve;
	});
	// The engine does not wait for a worker that starts.
	expect(await shared.post('/fork/step', body)).toEqual(alone);
	await loaded;
	got = [];
	expect(await shared.post('/fork/step', body)).toEqual(alone);
	expect(got.filter(({ response }) => response !== null).length).toBeGreaterThan(0);
	expect(worlds()).toBe(1);
	await shared.spawn({});
	await shared.post('/fork/step', body);
	expect(worlds()).toBe(2);
	expect((await shared.get('/fork/list')).forks).toEqual([]);
});

test('what a worker cannot tell, or a worker that ends, the engine makes itself', async () => {
	let lose = (): void => {};
	const dying = (): PoolPort => ({
		send: () => lose(),
		listen(_, lost) {
			lose = lost;
		},
		end() {},
	});
	const mute = (): PoolPort => {
		let take = (_: FromPoolWorker): void => {};
		return {
			send: ({ id }) => void Promise.resolve().then(() => take({ id, response: null })),
			listen(taken) {
				take = taken;
			},
			end() {},
		};
	};
	for (const open of [dying, mute]) {
		reset();
		const engine = await engineWith(open);
		expect(await engine.post('/fork/step', body)).toEqual(alone);
		expect(sent.length).toBeGreaterThan(0);
	}
});

test('a call that is cancelled ends its workers', async () => {
	const abort = new AbortController();
	let ended = 0;
	const silent = (): PoolPort => ({
		send: () => void setImmediate(() => abort.abort()),
		listen() {},
		end: () => void ended++,
	});
	const { engine } = await engineWith(silent);
	const answer = jsonOf(await engine.handle(requestOf('POST', '/fork/step', body), abort.signal));
	expect([answer.code, ended]).toEqual(['cancelled', 1]);
});
