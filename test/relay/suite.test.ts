/**
 * The suite: each task is solvable and none passes without action, budgets are enforced, and agents connect as in the guide.
 * Owns: computing some answers without the engine.
 */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommandLine } from '../../relay/cli/run-command-line.ts';
import { PUBLIC } from '../../relay/folders.ts';
import { canonicalText, parseAnswer } from '../../relay/suite/answer.ts';
import { taskWith } from '../../relay/suite/numbers.ts';
import {
	emptySolver,
	referenceSolver,
	runTask,
	type TaskResult,
	TaskRun,
} from '../../relay/suite/run-task.ts';
import { TaskServer } from '../../relay/suite/task-server.ts';
import { tasks } from '../../shared/suite/index.ts';
import type { GroupedTask } from '../../shared/suite/task.ts';
import { clientOf, startEngine, type TestEngine } from '../support/engine.ts';
import { times } from '../support/property.ts';
import { readPublic } from '../support/public-files.ts';
import { serveHandle } from '../support/serve-engine.ts';
import { createTestTerminal } from './cli/test-terminal.ts';

const SEED = 1;
const taskOf = (id: string, seed = SEED): GroupedTask =>
	taskWith(tasks.find((task) => task.id === id)!, seed);

let world: TestEngine;
let folder: string;
beforeAll(async () => {
	world = await startEngine({ readPublic });
	folder = await mkdtemp(join(tmpdir(), 'orrery-suite-'));
});
afterAll(async () => {
	await world.engine.close();
	await rm(folder, { recursive: true, force: true });
});

test('each of five groups has eight tasks, with unique names', () => {
	const counts = Map.groupBy(tasks, ({ group }) => group);
	expect([...counts].map(([group, own]) => [group, own.length])).toEqual(
		['build', 'understand', 'repair', 'play', 'prove'].map((group) => [group, 8]),
	);
	expect(new Set(tasks.map(({ id }) => id)).size).toBe(40);
	for (const task of tasks) {
		expect(task.id).toMatch(/^[a-z]+(-[a-z]+)*$/);
		// A verdict needs claims or a truth.
		expect(task.claims ?? task.truth, task.id).toBeDefined();
		expect(JSON.stringify(taskWith(task, SEED)), task.id).not.toContain('{{');
	}
});

test('each of the five games is in a task', () => {
	const text = JSON.stringify(tasks.map(({ start }) => start));
	for (const name of ['arena', 'dungeon', 'market', 'skirmish', 'towers'])
		expect(text).toContain(JSON.stringify({ path: '/scene/open', body: { name } }).slice(1, -1));
});

/** Answers of the reference solutions, by task. */
const answers = new Map<string, unknown>();

describe.each(tasks.map(({ id, group }) => [`${group}/${id}`, id] as const))('%s', (_, id) => {
	test('is passed by its reference within its budget, and not without any action', async () => {
		const task = taskOf(id);
		// Without claims and solution, the truth comes from the reference's own calls, so comparing would prove nothing.
		const isOwnTruth = task.claims === undefined && task.solution === undefined;
		const run = await TaskRun.start(task, world.engine.handle, SEED);
		const answer = await referenceSolver(task, run.budget.handle);
		answers.set(id, answer);
		if (isOwnTruth) expect(canonicalText(answer)).toMatch(/\w/);
		else expect((await run.end(answer)).failure).toBeNull();
		expect(run.budget.calls).toBeLessThanOrEqual(task.budget.calls);
		expect(run.budget.bytes).toBeLessThanOrEqual(task.budget.bytes);
		const idle = isOwnTruth ? run : await TaskRun.start(task, world.engine.handle, SEED);
		expect(await idle.end(await emptySolver(task, idle.budget.handle))).toMatchObject({ passed: false });
	});
});

// `npm run deep` tries more seeds.
test.each(Array.from({ length: times(1) - 1 }, (_, i) => i + 2))('seed %i: all pass', async (seed) => {
	for (const task of tasks) {
		const result = await runTask(taskWith(task, seed), world.engine.handle, seed, referenceSolver);
		expect(result.failure, task.id).toBeNull();
		const idle = await runTask(taskWith(task, seed), world.engine.handle, seed, emptySolver);
		expect(idle.passed, task.id).toBe(false);
	}
});

describe('answers', () => {
	const answer = async (id: string) => {
		const run = await TaskRun.start(taskOf(id), world.engine.handle, SEED);
		return canonicalText(answers.get(id) ?? (await referenceSolver(run.task, run.budget.handle)));
	};
	const numberIn = (id: string, pattern: RegExp) => Number(pattern.exec(taskOf(id).prompt)![1]);

	test('a sum of dice is computed by enumeration', async () => {
		const least = numberIn('sum-of-dice', /at least (\d+)/);
		const throws = [1, 2, 3, 4, 5, 6].flatMap((a) =>
			[1, 1, 3, 3, 5, 7].flatMap((b) => [0, 2].map((c) => a + b + c)),
		);
		const hits = throws.filter((sum) => sum >= least).length;
		expect(await answer('sum-of-dice')).toBe(canonicalText(`${hits}/${throws.length}`));
	});

	test('ruin is computed by its paths', async () => {
		const ticks = numberIn('ruin', /next (\d+) ticks/);
		let alive = new Map([[numberIn('ruin', /has (\d+) gold/), 1]]);
		let ruined = 0;
		for (let tick = 1; tick <= ticks; tick++) {
			const next = new Map<number, number>();
			for (const [gold, ways] of alive)
				for (const [change, weight] of [
					[1, 2],
					[-1, 3],
				] as const) {
					const ended = gold + change === 0;
					if (ended) ruined += ways * weight * 5 ** (ticks - tick);
					else next.set(gold + change, (next.get(gold + change) ?? 0) + ways * weight);
				}
			alive = next;
		}
		expect(await answer('ruin')).toBe(canonicalText(`${ruined}/${5 ** ticks}`));
	});

	test('sequences of signals are computed by trial', async () => {
		const { start, limit, goal } = (() => {
			const task = taskOf('opening-sequences');
			const rule = JSON.stringify(task.start);
			return {
				start: Number(/"gold":(\d+)/.exec(rule)![1]),
				limit: Number(/field:gold>=(\d+)/.exec(rule)![1]),
				goal: numberIn('opening-sequences', /at least (\d+)/),
			};
		})();
		const moves = [
			(gold: number) => gold + 3,
			(gold: number) => gold - 2,
			(gold: number) => (gold >= limit ? gold + 7 : gold),
		];
		const ends = moves.flatMap((a) => moves.flatMap((b) => moves.map((c) => c(b(a(start))))));
		expect(await answer('opening-sequences')).toBe(String(ends.filter((gold) => gold >= goal).length));
	});

	test('equal answers have one spelling, without rounding', () => {
		for (const [text, other] of [
			['10/72', { num: '5', den: '36' }],
			['0.5', '1/2'],
			[' 7 ', 7],
			['[1, 0.25]', [1, '1/4']],
			['[true,false]', [true, false]],
			['-0', 0],
		] as const)
			expect(canonicalText(parseAnswer(String(text))), String(text)).toBe(canonicalText(other));
		expect(canonicalText('0.333')).not.toBe(canonicalText('1/3'));
		expect(canonicalText('1/0')).toBe('1/0');
	});

	test('the numbers of a task depend on the seed, and the seed affects nothing else', () => {
		const prompts = [1, 2, 3, 4, 5].map((seed) => taskOf('ruin', seed).prompt);
		expect(new Set(prompts).size).toBeGreaterThan(1);
		expect([1, 2, 3, 4, 5].map((seed) => taskOf('ruin', seed).prompt)).toEqual(prompts);
	});
});

describe("the task's transport", () => {
	test('counts calls and bytes, and refuses those beyond the budget', async () => {
		const task = { ...taskOf('one-hero'), budget: { calls: 2, bytes: 10_000 } };
		const { budget } = await TaskRun.start(task, world.engine.handle, SEED);
		const { call } = clientOf(budget.handle);
		const { headers } = await call('GET', '/digest');
		expect(headers['content-type']).toContain('json');
		await call('POST', '/spawn', {});
		expect(budget.calls).toBe(2);
		expect(budget.bytes).toBeGreaterThan(100);
		const { status, body } = await call('GET', '/digest');
		expect([status, body.code]).toEqual([429, 'budget_spent']);
		expect(budget.calls).toBe(2);
	});

	test('lets only the moves of a task change main, and permits all forks', async () => {
		const { budget } = await TaskRun.start(taskOf('troll'), world.engine.handle, SEED);
		const { call, digest } = clientOf(budget.handle);
		const before = await digest();
		const hit = { entity_id: 1, amount: 1000 };
		const inList = { requests: [{ path: '/entity/damage?%77orld=main', body: hit }] };
		await call('POST', '/fork', { fork_id: 'plan' });
		for (const [path, body] of [
			['/entity/damage', hit],
			['/entity/damage?world=main&world=plan', hit],
			['/step', { ticks: 1 }],
			['/play', {}],
			['/batch', { requests: [{ path: '/entity/damage', body: hit }] }],
			['/batch?world=plan', inList],
			['/fork/step', { steps: [{ fork_id: 'plan', ...inList }] }],
			['/fork/plan/promote', {}],
		] as const)
			expect((await call('POST', path, body)).body.code, path).toBe('not_allowed');
		expect(await digest()).toBe(before);
		for (const [path, body] of [
			['/action/strike?world=plan', {}],
			['/entity/damage?world=plan', hit],
			['/step?world=plan', { ticks: 2 }],
		] as const)
			expect((await call('POST', path, body)).body, path).toMatchObject({ ok: true });
		expect((await call('POST', '/action/strike', {})).body.ok).toBe(true);
		expect(await digest()).not.toBe(before);
	});
});

describe('an agent takes part', () => {
	test('over HTTP: task, calls, answer, and the next task', async () => {
		const tasks = ['one-hero', 'sum-of-dice'].map((id) => taskOf(id));
		const results: TaskResult[] = [];
		const settings = { tasks, engine: world.engine.handle, seed: SEED, port: 0 };
		const front = await TaskServer.start({ ...settings, onResult: (result) => void results.push(result) });
		const ask = async (path: string, body?: unknown) => {
			const options = {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			};
			return (await fetch(front.url + path, body === undefined ? {} : options)).json();
		};
		const { task } = await ask('/suite/task');
		expect(task).toMatchObject({ id: 'one-hero', at: 1, of: 2, used: { calls: 0, bytes: 0 } });
		const { path, body } = tasks[0]!.solution!.calls[0]!;
		expect((await ask(path, body)).ok).toBe(true);
		expect(await ask('/suite/answer', [1])).toMatchObject({ ok: false, code: 'invalid_body' });
		expect(await ask('/suite/tasks')).toMatchObject({ ok: false, code: 'no_such_route' });
		const first = await ask('/suite/answer', {});
		expect(first).toMatchObject({ result: { passed: true, calls: 1 }, next: 'sum-of-dice' });
		// Closes like the command: the last answer is sent before.
		const closed = front.done.then(() => front.close());
		const second = await ask('/suite/answer', { answer: '1/7' });
		expect(second.result).toMatchObject({ passed: false, failure: expect.stringContaining('not 1/7') });
		expect(second.next).toBeNull();
		await closed;
		expect(await front.done).toEqual(results);
	});

	test('for no other page, and after the last task only calls below /suite', async () => {
		const settings = { tasks: [taskOf('one-hero')], engine: world.engine.handle, seed: SEED, port: 0 };
		const front = await TaskServer.start({ ...settings, onResult: () => {} });
		const elsewhere = await fetch(`${front.url}/suite/task`, { headers: { origin: 'http://other.test' } });
		expect(elsewhere.status).toBe(403);
		await front.end(undefined);
		const get = async (path: string) => (await fetch(front.url + path)).json();
		expect(await get('/suite/task')).toEqual({ ok: true, done: true, passed: 0, of: 1 });
		expect(await get('/digest')).toMatchObject({ ok: false, code: 'not_allowed' });
		await front.close();
	});

	test('as the command of the guide: it passes its one known task', async () => {
		const page = await readFile(join(PUBLIC, 'guide/suite.md'), 'utf8');
		const [, code] = /```js\n([\s\S]*?)```/.exec(page)!;
		const program = join(folder, 'agent.mjs');
		await writeFile(program, code!);
		const [, typed] = /npx orrery (suite run --agent .*)/.exec(page)!;
		expect(typed).toBe(
			'suite run --agent "node agent.mjs" --only understand --json results.json --junit results.xml',
		);
		const files = new Map<string, string | Uint8Array>();
		const { terminal, printed } = createTestTerminal({}, new Map(), files);
		const command = `"${process.execPath}" "${program}"`;
		// Runs two of the eight tasks, because each starts a process.
		const words = ['suite', 'run', '--agent', command, '--only', 'sum-of-dice,ruin'];
		const code1 = await runCommandLine([...words, '--json', 'r.json', '--junit', 'r.xml'], terminal);
		expect(code1).toBe(1);
		expect(printed.out).toBe('1 of 2 tasks passed with seed 1: understand 1/2.\n');
		expect(printed.error.split('\n')[1]).toMatch(
			/^pass {2}1\/2 {2}understand\/sum-of-dice {2}1 calls, \d+ bytes$/,
		);
		const results = JSON.parse(String(files.get('r.json')));
		expect(results).toMatchObject({ ok: false, seed: 1, passed: 1, total: 2 });
		expect(results.results[1]).toMatchObject({
			id: 'ruin',
			passed: false,
			failure: 'No answer was submitted.',
		});
		expect(files.get('r.xml')).toContain('<testsuite name="orrery suite" tests="2" failures="1">');
	});

	test('on the engine of a server with an empty world, which is empty again afterwards', async () => {
		const other = await startEngine({ readPublic });
		const server = await serveHandle(other.engine.handle);
		const run = async (...more: string[]) => {
			const { terminal, printed } = createTestTerminal({}, new Map(), new Map());
			const words = [
				'suite',
				'--solution',
				'reference',
				'--only',
				'unfair-draw,sum-of-dice',
				'--json',
				'-',
				...more,
			];
			return { code: await runCommandLine(words, terminal), ...printed };
		};
		const remote = await run('--server', server.url);
		expect(remote.code).toBe(0);
		expect(remote.out).toBe((await run()).out);
		expect(await other.get('/')).toMatchObject({ tick: 0, entity_count: 0 });
		await other.spawn({ tags: ['mine'] });
		const refused = await run('--server', server.url);
		expect([refused.code, refused.error]).toEqual([2, expect.stringContaining('has a world')]);
		expect((await other.get('/')).entity_count).toBe(1);
		await server.close();
		const gone = await run('--server', server.url);
		expect([gone.code, gone.error]).toEqual([1, expect.stringContaining(server.url)]);
		await other.engine.close();
	});

	test('an agent that fails or does not end fails the task', async () => {
		const outcome = async (command: string) => {
			const { terminal, printed } = createTestTerminal({}, new Map(), new Map());
			const words = ['suite', '--agent', command, '--only', 'ruin', '--timeout', '1', '--json', '-'];
			expect(await runCommandLine(words, terminal)).toBe(1);
			return JSON.parse(printed.out).results[0].failure;
		};
		const node = `"${process.execPath}"`;
		expect(await outcome(`${node} -e "process.exit(3)"`)).toBe('The agent ended with exit code 3.');
		expect(await outcome(`${node} -e "setInterval(() => {}, 1000)"`)).toBe(
			'The agent did not end within 1 s.',
		);
	});

	test('unknown words get advice and exit code 2', async () => {
		for (const [words, advice] of [
			[['suite', 'rum'], 'list, run or serve'],
			[['suite', 'run'], '--agent'],
			[['suite', 'run', '--solution', 'best'], 'reference or nothing'],
			[['suite', 'list', '--only', 'ruine'], 'Did you mean "ruin"?'],
			[['suite', 'list', '--seed', '-1'], 'whole number'],
			[['suite', 'list', '--sed', '1'], '--seed'],
		] as const) {
			const { terminal, printed } = createTestTerminal({}, new Map(), new Map());
			expect(await runCommandLine(words, terminal), words.join(' ')).toBe(2);
			expect(printed.error, words.join(' ')).toContain(advice);
		}
		const { terminal, printed } = createTestTerminal({}, new Map(), new Map());
		expect(await runCommandLine(['suite', 'list', '--only', 'play'], terminal)).toBe(0);
		expect(printed.out.split('\n')).toHaveLength(9);
	});
});
