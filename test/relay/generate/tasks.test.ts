/** Tasks that generate models from words: their progress, refusals, failures, prices, and continuation after a restart. */

import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DataFiles } from '../../../relay/data-files.ts';
import { Faults } from '../../../relay/faults.ts';
import type { PaidRules } from '../../../relay/generate/paid-budget.ts';
import { modelOf } from '../../../relay/generate/procedural/model-of.ts';
import { procedural } from '../../../relay/generate/procedural/procedural.ts';
import { type ModelProvider, ProviderError, type TaskProgress } from '../../../relay/generate/provider.ts';
import { Tasks } from '../../../relay/generate/tasks.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { gltfOf } from '../../../web/sim/models/gltf.ts';

let folder: string;
let files: DataFiles;
/** Waiting times (ms). */
let waits: number[];
let faults: unknown[];
const runners: Tasks[] = [];

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'orrery-generate-'));
	files = new DataFiles(folder);
	waits = [];
	faults = [];
});
afterEach(async () => {
	for (const tasks of runners.splice(0)) await tasks.close();
	await rm(folder, { recursive: true, force: true });
});

const CRATE = modelOf('a crate', 'low').glb();

function tasksWith(...providers: ModelProvider[]): Tasks {
	const tasks = new Tasks({
		files,
		providers,
		paid: { perDay: undefined, allowed: true, gated: false },
		wait: async (ms, signal) => {
			waits.push(ms);
			await new Promise((resolve) => setImmediate(resolve));
			signal.throwIfAborted();
		},
		faults: new Faults(folder, (error) => faults.push(error)),
	});
	runners.push(tasks);
	return tasks;
}

/** Returns a provider that gives these answers in order, and then repeats the last one. */
function scriptedProvider(answers: readonly (TaskProgress | Error)[], options: Partial<ModelProvider> = {}) {
	const counts = { submits: 0, polls: 0 };
	const provider: ModelProvider = {
		name: 'scripted',
		missing: undefined,
		submit: async () => `remote-${counts.submits++}`,
		async poll() {
			const answer = answers[Math.min(counts.polls++, answers.length - 1)]!;
			if (answer instanceof Error) throw answer;
			return answer;
		},
		...options,
	};
	return { provider, counts };
}

const done = (bytes: Uint8Array = CRATE): TaskProgress => ({ state: 'done', fetch: async () => bytes });
const pending = (progress: number): TaskProgress => ({ state: 'pending', progress });
const caller = { agent: '', operator: true, paid_models: 0 };
const request = { prompt: 'a crate', provider: 'scripted', quality: 'medium' };
const order = { ...request, by: caller };

async function refusal(work: Promise<unknown>): Promise<ApiError> {
	const error = await work.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	expect(error).toBeInstanceOf(ApiError);
	return error as ApiError;
}

test('a model is started, polled less and less often, checked and written', async () => {
	const { provider } = scriptedProvider([...Array.from({ length: 12 }, (_, i) => pending(i / 12)), done()]);
	const tasks = tasksWith(provider);
	const task = await tasks.generate(order);
	expect(task).toEqual({ task_id: 'gen_0', status: 'pending', progress: 0, ...request });
	await tasks.waitForEnd('gen_0');
	expect(await tasks.task('gen_0')).toEqual({
		task_id: 'gen_0',
		status: 'complete',
		file_path: 'generated/gen_0.glb',
		...request,
	});
	expect(Buffer.compare(await readFile(join(folder, 'generated/gen_0.glb')), CRATE)).toBe(0);
	expect(waits).toEqual([...waits].sort((a, b) => a - b));
	expect(waits[0]).toBe(2000);
	expect(waits.at(-1)).toBe(30_000);
	expect(faults).toEqual([]);
});

test('a model never overwrites an existing file', async () => {
	await files.write('generated/gen_0.glb', Buffer.from('{}'));
	await mkdir(join(folder, 'generated/gen_0-2.glb'));
	const tasks = tasksWith(scriptedProvider([done(), done()]).provider);
	await tasks.generate(order);
	await tasks.waitForEnd('gen_0');
	expect(await tasks.task('gen_0')).toMatchObject({ status: 'complete', file_path: 'generated/gen_0-3.glb' });
	expect(await readFile(join(folder, 'generated/gen_0.glb'), 'utf8')).toBe('{}');
	// A server may be killed after it wrote the model and before it stored that. The next server uses that file.
	await files.write('generated/gen_1.glb', CRATE);
	await tasks.generate(order);
	await tasks.waitForEnd('gen_1');
	expect(await tasks.task('gen_1')).toMatchObject({ status: 'complete', file_path: 'generated/gen_1.glb' });
});

describe('an invalid model is not stored', () => {
	test.each<[string, Uint8Array, string]>([
		['a page', Buffer.from('<html>Not found</html>'), 'not send a GLB'],
		['nothing', new Uint8Array(0), 'not send a GLB'],
		['half of one', CRATE.slice(0, CRATE.length / 2), ''],
		['one with its bytes turned', CRATE.map((byte, i) => (i < 12 ? byte : 255 - byte)), ''],
	])('%s', async (_, bytes, words) => {
		const tasks = tasksWith(scriptedProvider([done(bytes)]).provider);
		await tasks.generate(order);
		await tasks.waitForEnd('gen_0');
		const task = await tasks.task('gen_0');
		expect(task.status).toBe('failed');
		expect(task.error).toContain(words);
		expect(task).not.toHaveProperty('file_path');
		expect((await files.read('generated/gen_0.glb')).outcome).toBe('missing');
		expect(faults).toEqual([]);
	});
});

describe('failures', () => {
	const blip = new ProviderError('The provider answered 503.', true);

	test('that are temporary are retried without loss', async () => {
		const { provider, counts } = scriptedProvider([blip, blip, pending(0.5), blip, done()]);
		const tasks = tasksWith(provider);
		await tasks.generate(order);
		await tasks.waitForEnd('gen_0');
		expect((await tasks.task('gen_0')).status).toBe('complete');
		expect(counts.submits).toBe(1);
	});

	test('that are permanent end the task with an error', async () => {
		const tasks = tasksWith(
			scriptedProvider([new ProviderError('The provider answered 400: no.', false)]).provider,
		);
		await tasks.generate(order);
		await tasks.waitForEnd('gen_0');
		expect(await tasks.task('gen_0')).toMatchObject({
			status: 'failed',
			error: 'The provider answered 400: no.',
		});
	});

	test('that stay temporary end the task after a while', async () => {
		const { provider, counts } = scriptedProvider([blip]);
		const tasks = tasksWith(provider);
		await tasks.generate(order);
		await tasks.waitForEnd('gen_0');
		expect((await tasks.task('gen_0')).status).toBe('failed');
		expect(counts.polls).toBe(8);
	});

	test('of the program itself are reported and end the task', async () => {
		const tasks = tasksWith(scriptedProvider([new TypeError('a fault')]).provider);
		await tasks.generate(order);
		await tasks.waitForEnd('gen_0');
		expect((await tasks.task('gen_0')).status).toBe('failed');
		expect(faults).toHaveLength(1);
	});
});

describe('a restarted server', () => {
	test('resumes running tasks without starting them again', async () => {
		const first = scriptedProvider([pending(0.2)]);
		const before = tasksWith(first.provider);
		await before.generate(order);
		while (first.counts.polls < 3) await new Promise((resolve) => setImmediate(resolve));
		await before.close();
		const second = scriptedProvider([done()]);
		const after = tasksWith(second.provider);
		expect((await after.task('gen_0')).status).toBe('pending');
		await after.waitForEnd('gen_0');
		expect((await after.task('gen_0')).status).toBe('complete');
		expect(second.counts.submits).toBe(0);
		expect((await after.generate(order)).task_id).toBe('gen_1');
	});

	test('does not pay twice for a task that it was about to start', async () => {
		const never = scriptedProvider([], {
			submit: (_, signal) =>
				new Promise((__, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
		});
		const before = tasksWith(never.provider);
		await before.generate(order);
		await new Promise((resolve) => setTimeout(resolve, 50));
		await before.close();
		const again = scriptedProvider([done()]);
		const after = tasksWith(again.provider);
		await after.tasks();
		await after.waitForEnd('gen_0');
		expect(await after.task('gen_0')).toMatchObject({
			status: 'failed',
			error: expect.stringContaining('may or may not have started'),
		});
		expect(again.counts.submits).toBe(0);
	});
});

test('a task can be cancelled once', async () => {
	const tasks = tasksWith(scriptedProvider([pending(0.1)]).provider);
	await tasks.generate(order);
	expect(await tasks.cancel('gen_0')).toMatchObject({ status: 'cancelled' });
	expect((await refusal(tasks.cancel('gen_0'))).code).toBe('task_over');
	expect((await tasks.tasks()).map(({ status }) => status)).toEqual(['cancelled']);
});

describe('models that cost money', () => {
	const DAY = 24 * 60 * 60 * 1000;
	let now: number;
	let submits: number;
	const paid: ModelProvider = {
		...scriptedProvider([done()]).provider,
		submit: async () => `remote-${submits++}`,
	};
	const serve = (rules: PaidRules): Tasks => {
		const tasks = new Tasks({ files, providers: [paid, procedural()], paid: rules, now: () => now });
		runners.push(tasks);
		return tasks;
	};
	const customer = (agent: string, paid_models: number, operator = false) => ({
		...order,
		by: { agent, paid_models, operator },
	});
	const anyone = customer('', 0, true);

	beforeEach(() => {
		now = 1000 * DAY;
		submits = 0;
	});

	test('need permission: --allow-paid, or an admin with sign-in', async () => {
		const closed = serve({ perDay: undefined, allowed: false, gated: false });
		expect(await refusal(closed.generate(anyone))).toMatchObject({
			code: 'not_allowed',
			fix: expect.stringContaining('--allow-paid'),
		});
		expect((await closed.generate({ ...anyone, provider: 'procedural' })).status).toBe('pending');
		const gated = serve({ perDay: undefined, allowed: false, gated: true });
		expect(await refusal(gated.generate(customer('ada', 100)))).toMatchObject({ code: 'not_allowed' });
		expect(submits).toBe(0);
		expect((await gated.generate(customer('op', 0, true))).status).toBe('pending');
		const allowed = serve({ perDay: undefined, allowed: true, gated: false });
		expect((await allowed.generate(anyone)).status).toBe('pending');
	});

	test('have a daily budget, in all and for each agent, also across restarts and tasks', async () => {
		const rules = { perDay: 3, allowed: false, gated: true };
		let tasks = serve(rules);
		const [ada, bob] = [customer('ada', 2), customer('bob', 2)];
		for (let i = 0; i < 2; i++) await tasks.waitForEnd((await tasks.generate(ada)).task_id);
		expect(await refusal(tasks.generate(ada))).toMatchObject({
			code: 'budget_spent',
			message: '"ada" has ordered 2 paid models today, which is the limit.',
			headers: { 'retry-after': '86400' },
		});
		await tasks.close();
		tasks = serve(rules);
		expect((await refusal(tasks.generate(ada))).code).toBe('budget_spent');
		await tasks.waitForEnd((await tasks.generate(bob)).task_id);
		for (const agent of [bob, customer('op', 100, true)])
			expect((await refusal(tasks.generate(agent))).message).toContain('The callers have ordered 3');
		expect(submits).toBe(3);
		now += DAY;
		expect((await tasks.generate(ada)).status).toBe('pending');
	});
});

test('impossible requests are refused with a clear error', async () => {
	const tasks = tasksWith(scriptedProvider([pending(0)]).provider, {
		...scriptedProvider([]).provider,
		name: 'keyed',
		missing: 'Set KEY.',
	});
	expect(await refusal(tasks.generate({ ...order, provider: 'scriptd' }))).toMatchObject({
		code: 'unknown_provider',
		fix: 'Did you mean "scripted"?',
	});
	expect(await refusal(tasks.generate({ ...order, provider: 'Keyed' }))).toMatchObject({
		code: 'no_provider_key',
		fix: expect.stringContaining('Set KEY.'),
	});
	expect((await refusal(tasks.task('gen_9'))).code).toBe('unknown_task');
	for (let i = 0; i < 16; i++) await tasks.generate(order);
	expect((await refusal(tasks.generate(order))).code).toBe('too_many_tasks');
	expect(tasks.providers()).toEqual([
		{ name: 'scripted', available: true },
		{ name: 'keyed', available: false, hint: 'Set KEY.' },
	]);
});

test('lists are in order of creation, also beyond ten', async () => {
	const tasks = tasksWith(procedural());
	for (let i = 0; i < 12; i++) {
		const { task_id } = await tasks.generate({
			prompt: `crate ${i}`,
			provider: 'procedural',
			quality: 'low',
			by: caller,
		});
		await tasks.waitForEnd(task_id);
	}
	const listed = await tasks.tasks();
	expect(listed.map(({ task_id }) => task_id)).toEqual(Array.from({ length: 12 }, (_, i) => `gen_${i}`));
	expect(listed.every(({ status }) => status === 'complete')).toBe(true);
});

test('a refusal of the file system is an error of the task', async () => {
	const tasks = tasksWith(scriptedProvider([done()]).provider);
	await files.write('generated', Buffer.from('a file in the place of the folder'));
	await tasks.generate(order);
	await tasks.waitForEnd('gen_0');
	expect((await tasks.task('gen_0')).status).toBe('failed');
});

test('a task that cannot be stored is refused without a path in the error, and does not exist', async () => {
	const tasks = tasksWith(scriptedProvider([done()]).provider);
	const file = join(folder, '.orrery-generated.json');
	await mkdir(join(file, 'in-its-place'), { recursive: true });
	const { code, message } = await refusal(tasks.generate(order));
	expect(code).toBe('file_failed');
	expect(message).not.toContain(folder);
	expect(String(faults[0])).toContain(folder);
	expect(await tasks.tasks()).toEqual([]);
	await rm(file, { recursive: true });
	await tasks.generate(order);
	await tasks.waitForEnd('gen_1');
	expect(await tasks.tasks()).toMatchObject([{ task_id: 'gen_1', status: 'complete' }]);
});

describe('models from words', () => {
	const bytesOf = (prompt: string) => Buffer.from(modelOf(prompt, 'medium').glb());
	const boundsOf = (prompt: string) => {
		const { json } = gltfOf(modelOf(prompt, 'medium').glb(), 'it');
		const positions = json.meshes[0]!.primitives.map(
			({ attributes }) => json.accessors[attributes.POSITION!]!,
		);
		const [least, most] = [positions.map(({ min }) => min!), positions.map(({ max }) => max!)];
		const end = (axis: number) =>
			Math.max(...most.map((point) => point[axis]!)) - Math.min(...least.map((point) => point[axis]!));
		return [end(0), end(1), end(2)] as const;
	};

	test.each([
		'a red house',
		'glowing blue crystal',
		'a small wooden chair with a cushion',
		'golden sword',
		'GIANT mushrooms!!!',
		'an old stone tower',
		'a rusty robot',
		'zzz qqq',
		'日本の城',
		'__proto__ constructor toString',
		'a',
		'x'.repeat(2000),
	])('%s is a model, always the same', (prompt) => {
		const bytes = bytesOf(prompt);
		expect(() => gltfOf(bytes, 'it')).not.toThrow();
		expect(bytes.equals(bytesOf(prompt))).toBe(true);
		expect(bytes.length).toBeLessThan(512 * 1024);
		for (const side of boundsOf(prompt)) {
			expect(side).toBeGreaterThan(0.02);
			expect(side).toBeLessThan(60);
		}
	});

	test('different words make different models', () => {
		const prompts = [
			'a house',
			'a red house',
			'a huge house',
			'a golden house',
			'a crystal',
			'another thing',
			'some thing',
		];
		expect(new Set(prompts.map((prompt) => bytesOf(prompt).toString('base64'))).size).toBe(prompts.length);
	});

	test('sizes are as requested', () => {
		const high = (prompt: string): number => boundsOf(prompt)[1];
		expect(high('a tiny house')).toBeLessThan(high('a house') / 2);
		expect(high('a huge house')).toBeGreaterThan(high('a house') * 1.7);
	});

	test('colours are as requested', () => {
		const mean = (prompt: string): number[] => {
			const { json, buffers } = gltfOf(modelOf(prompt, 'medium').glb(), 'it');
			const sums = [0, 0, 0];
			const { materials } = json as unknown as { materials: readonly { name: string }[] };
			for (const { attributes, ...rest } of json.meshes[0]!.primitives) {
				// Windows are lit in any house.
				if (materials[rest.material as number]!.name === 'glow') continue;
				const { bufferView, count } = json.accessors[attributes.COLOR_0!]!;
				const view = json.bufferViews[bufferView!]! as unknown as { byteOffset: number };
				for (let i = 0; i < count * 4; i++) if (i % 4 < 3) sums[i % 4]! += buffers[0]![view.byteOffset + i]!;
			}
			return sums;
		};
		const [red, green, blue] = ['red', 'green', 'blue'].map((hue) => mean(`a ${hue} house`));
		expect(red!.indexOf(Math.max(...red!))).toBe(0);
		expect(green!.indexOf(Math.max(...green!))).toBe(1);
		expect(blue!.indexOf(Math.max(...blue!))).toBe(2);
	});
});
