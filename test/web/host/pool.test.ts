/** Work on copies of worlds that workers share: the bytes of answers are the same as without workers. */

import { afterAll, expect, test } from 'vitest';
import { poolThreads } from '../../../relay/thread/pool-threads.ts';
import type { FromPoolWorker, PoolPort, ToPoolWorker } from '../../../web/host/pool.ts';
import { poolEngine } from '../../../web/host/pool-engine.ts';
import { jsonOf, requestOf, startEngine, type TestEngine } from '../../support/engine.ts';
import { scatter } from '../../support/scatter.ts';

/** Messages to and from workers, and the callbacks that wait for the next message of a worker. */
let sent: ToPoolWorker[] = [];
let got: FromPoolWorker[] = [];
let heard = (): void => {};
const reset = () => {
	sent = [];
	got = [];
};
const worlds = () => sent.reduce((sum, message) => sum + message.worlds.length, 0);
const results = () => got.filter(({ result }) => result !== null).length;

/** Returns the port. Records its messages. */
function notedPort({ send, listen, end }: PoolPort): PoolPort {
	return {
		send(message, moved) {
			sent.push(message);
			send(message, moved);
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

/** Engines of ready workers. A search does not wait for a worker that starts, and may end before. */
const ready = await Promise.all(
	Array.from({ length: 16 }, async () => {
		const answer = poolEngine();
		await answer({ id: 0, worlds: [], drop: [] });
		return answer;
	}),
);

/** Returns a worker in this thread. Its messages are copied, as between threads. */
function inThread(): PoolPort {
	const answer = ready.pop() ?? poolEngine();
	let take = (_: FromPoolWorker): void => {};
	return {
		send(message) {
			void answer(structuredClone(message)).then((given) => take(structuredClone(given)));
		},
		listen(taken) {
			take = taken;
		},
		end() {
			take = () => {};
		},
	};
}

/** Returns a clock that advances on each read, so that the work seems long enough to share. */
function slowClock(): () => number {
	let now = 0;
	return () => (now += 2);
}

const opened: TestEngine[] = [];
async function engineWith(open?: () => PoolPort, size = 1): Promise<TestEngine> {
	const pool = open && { pool: { size, open: () => notedPort(open()) } };
	const engine = await startEngine({ now: slowClock(), ...pool });
	opened.push(engine);
	const purse = await engine.spawn({ tags: ['purse'], gold: 0 });
	await engine.spawn({ tags: ['boss'], health: 20 });
	await scatter(engine.engine, 6);
	const coin = (label: string) => [
		{ label, weight: 1, do: ['add_field tag:purse gold 1'] },
		{ label: 'lose', weight: 2 },
	];
	await engine.rule({ when: 'tick:1', outcomes: coin('win') });
	await engine.rule({ when: 'tick:2', outcomes: coin('luck') });
	for (let i = 0; i < 12; i++) {
		await engine.spawn({ tags: ['hero'], health: 20 });
		await engine.step(2);
	}
	await engine.change(purse, { gold: 0 });
	for (const fork_id of ['a', 'b']) {
		await engine.post('/fork', { fork_id });
		await engine.post(`/spawn?world=${fork_id}`, { tags: [fork_id] });
	}
	return engine;
}
afterAll(() => Promise.all(opened.map(({ engine }) => engine.close())));

/** Entity with health. */
const BOSS = 1;

const forks = (of: readonly string[], more: object = {}) => [
	'/fork/step',
	{
		steps: Array.from({ length: 40 }, (_, seed) => ({
			fork_id: `s${seed}`,
			from: of[Math.floor((seed * of.length) / 40)],
			seed,
			requests: [{ path: '/entity/heal', body: { entity_id: seed === 31 ? 999 : BOSS, amount: 1 } }],
		})),
		ticks: 8,
		until: 'field:gold>=6',
		where: { rich: 'field:gold>=3 & tag:purse' },
		fields: ['gold', 'position'],
		digest: true,
		keep: false,
		...more,
	},
];

const despawn = (entity_id: number) => ({ path: '/despawn', body: { entity_id } });

/** Calls about futures, of all kinds that workers share. */
const CASES: Readonly<Record<string, readonly [path: string, body: object]>> = {
	forks: forks(['main']) as [string, object],
	'forks of several worlds': forks(['main', 'a', 'b'], { form: 'columns' }) as [string, object],
	'a grid': [
		'/sweep',
		{
			vary: [{ as: 'hp', field: 'health', of: 'tag:hero', from: 1, to: 5 }],
			requests: [despawn(BOSS)],
			seeds: 6,
			ticks: 5,
			where: { rich: 'field:gold>=2' },
			fields: { gold: { field: 'gold', of: 'tag:purse' } },
		},
	],
	'a search': [
		'/sweep',
		{
			vary: [{ as: 'gold', field: 'gold', of: 'tag:purse', from: 0, to: 12 }],
			find: 'smallest',
			seeds: 4,
			ticks: 2,
			where: { rich: 'field:gold>=9' },
		},
	],
	'calls left out': [
		'/sweep',
		{ leave_out: { calls: 12 }, ticks: 2, where: { few: 'count tag:hero max=11' } },
	],
	'runs up to a limit': [
		'/sweep',
		{ vary: [{ as: 'n', field: 'gold', of: 'tag:purse', from: 1, to: 60 }], ticks: 3, max_ticks: 100 },
	],
	'a refused variant': [
		'/sweep',
		{
			variants: Array.from({ length: 30 }, (_, i) => ({
				requests: [despawn(i === 22 ? 999 : BOSS)],
			})),
			ticks: 3,
		},
	],
	'the last way out': [
		'/inevitable',
		{
			outcome: 'count tag:hero min=12',
			interventions: [
				...['any', 'other', 'boss'].map((name) => ({ name, requests: [despawn(BOSS)] })),
				{ name: 'late', requests: [despawn(28)] },
			],
			look_back: 12,
		},
	],
	'odds of all states': ['/peek', { ticks: 6, max_branches: 500, limit: 50 }],
	'odds of a condition': ['/peek', { until: 'field:gold>=4', ticks: 5, limit: 50 }],
	'odds of what matters': ['/peek', { condition: 'field:gold>=4', ticks: 8, merge: 'observable', limit: 50 }],
	'odds with few states': ['/peek', { until: 'field:gold>=4', ticks: 8, max_branches: 5, limit: 50 }],
	'odds up to a limit': ['/peek', { ticks: 9, max_ticks: 90, limit: 50 }],
};

const bytesOf = async ({ engine }: TestEngine, [path, body]: readonly [string, object]) =>
	new TextDecoder().decode((await engine.handle(requestOf('POST', path, body))).body);

const plain = engineWith();
const alone: Record<string, Promise<string>> = {};
for (const [name, call] of Object.entries(CASES)) alone[name] = plain.then((engine) => bytesOf(engine, call));

test.each<[string, number, () => PoolPort, readonly string[]]>([
	['a worker in this thread', 1, inThread, Object.keys(CASES)],
	['two workers in this thread', 2, inThread, Object.keys(CASES)],
	['two threads', 2, poolThreads().open, ['a grid', 'odds of a condition']],
])('%s: equal bytes, and nothing is kept', async (_, size, open, names) => {
	const shared = await engineWith(open, size);
	const before = shared.bytes();
	// The engine does not wait for starting workers.
	const loaded = new Promise<void>((resolve) => {
		heard = () => got.length === size && resolve();
	});
	reset();
	await shared.post(...(CASES.forks as [string, object]));
	await loaded;
	for (const name of names) {
		reset();
		expect.soft(await bytesOf(shared, CASES[name]!), name).toBe(await alone[name]);
		expect.soft(results(), name).toBeGreaterThan(0);
	}
	expect(shared.bytes()).toBe(before);
	expect((await shared.get('/fork/list')).count).toBe(2);
});

test('a worker gets a world once, and again after a change', async () => {
	const shared = await engineWith(inThread);
	const call = CASES.forks as [string, object];
	const count = async () => {
		reset();
		await shared.post(...call);
		return worlds();
	};
	expect([await count(), await count()]).toEqual([1, 0]);
	await shared.spawn({});
	expect(await count()).toBe(1);
});

test('the engine itself computes what a worker cannot, and the work of a worker that ends twice', async () => {
	let lose = (): void => {};
	const dying = (): PoolPort => ({
		send: ({ task }) => (task === undefined ? take() : lose()),
		listen(taken, lost) {
			take = () => void Promise.resolve().then(() => taken({ id: 1, result: null }));
			lose = lost;
		},
		end() {},
	});
	let take = (): void => {};
	const mute = (): PoolPort => {
		let take = (_: FromPoolWorker): void => {};
		return {
			send: ({ id }) => void Promise.resolve().then(() => take({ id, result: null })),
			listen(taken) {
				take = taken;
			},
			end() {},
		};
	};
	for (const open of [dying, mute]) {
		const engine = await engineWith(open);
		for (const name of ['forks', 'a grid', 'odds of a condition']) {
			reset();
			expect(await bytesOf(engine, CASES[name]!)).toBe(await alone[name]);
			expect(sent.some(({ task }) => task !== undefined)).toBe(true);
		}
	}
});

test.each(['forks', 'a grid', 'odds up to a limit'])(
	'of %s, the work of an ended worker runs again',
	async (name) => {
		let started = 0;
		/** The first worker ends at its second task. */
		const fragile = (): PoolPort => {
			const port = inThread();
			if (started++ > 0) return port;
			let tasks = 0;
			let lose = (): void => {};
			return {
				...port,
				send: (message, moved) =>
					message.task !== undefined && ++tasks === 2 ? lose() : port.send(message, moved),
				listen(take, lost) {
					lose = lost;
					port.listen(take, lost);
				},
			};
		};
		const shared = await engineWith(fragile);
		reset();
		expect(await bytesOf(shared, CASES[name]!)).toBe(await alone[name]);
		expect(started).toBe(2);
		expect(results()).toBeGreaterThan(1);
	},
);

test('cancelling a call ends its workers', async () => {
	let abort = new AbortController();
	let ended = 0;
	const silent = (): PoolPort => {
		const port = inThread();
		return {
			...port,
			send(message, moved) {
				const isBegin = (message.task?.body as { call?: string } | undefined)?.call === 'begin';
				if (message.task === undefined || isBegin) port.send(message, moved);
				else setImmediate(() => abort.abort());
			},
			end: () => void ended++,
		};
	};
	const shared = await engineWith(silent);
	for (const name of ['forks', 'a grid', 'odds of all states']) {
		abort = new AbortController();
		ended = 0;
		const [path, body] = CASES[name]!;
		const answer = jsonOf(await shared.engine.handle(requestOf('POST', path, body), abort.signal));
		expect([answer.code, ended]).toEqual(['cancelled', 1]);
	}
});
