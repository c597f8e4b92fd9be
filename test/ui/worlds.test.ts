/**
 * What the panels do to forks: on a real engine in this process.
 * Owns: the cases of state/worlds.ts.
 */

import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EngineStatus } from '../../web/host/frames.ts';
import type { PanelServices } from '../../web/ui/services.ts';
import type { Refusal } from '../../web/ui/state/ask.ts';
import type { Places } from '../../web/ui/state/places.ts';
import { createWorlds, type Worlds } from '../../web/ui/state/worlds.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';

let started: TestEngine;
let refused: string[];
let worlds: Worlds;

beforeEach(async () => {
	started = await startEngine();
	const { engine, call } = started;
	refused = [];
	const status = signal<EngineStatus | null>(null);
	const tell = () => {
		status.value = { ...engine.takeStatus(), relay: 'off' };
	};
	const services = {
		status,
		call: async (method: string, path: string, body?: unknown) => {
			const answer = await call(method, path, body);
			return { status: answer.status, body: answer.body, ms: 0 };
		},
	} as unknown as PanelServices;
	const places = {
		refuse: (what: string, { sentence }: Refusal) => refused.push(`${what}: ${sentence}`),
	} as unknown as Places;
	worlds = createWorlds(services, places);
	engine.onChange = tell;
	tell();
});
afterEach(() => {
	worlds.stop();
	started.engine.close();
});

const untilForks = (...ids: string[]) =>
	vi.waitFor(() => expect(worlds.forks.value.map(({ id }) => id)).toEqual(ids), { timeout: 5000 });

it('promotes a fork: it is main then, what was main is kept as a fork, and nobody is told that a fork is gone', async () => {
	await worlds.branch('main', 'plan');
	await worlds.step(3, 'plan');
	await untilForks('plan');
	worlds.select('plan');
	const plan = (await started.must('GET', '/digest?world=plan')).state_digest;

	await worlds.promote('plan');
	await untilForks('was-main-1');
	expect(worlds.selected.value).toBe('main');
	expect((await started.must('GET', '/digest')).state_digest).toBe(plan);
	await vi.waitFor(() => expect(worlds.main.value?.tick).toBe(3));
	expect(worlds.forks.value[0]).toMatchObject({ parent: 'main', tick: 0 });
	expect(refused).toEqual([]);
});

it('says why a fork could not be promoted, and goes on looking at the same world', async () => {
	await worlds.branch('main', 'plan');
	await untilForks('plan');
	worlds.select('plan');
	await worlds.promote('gone');
	expect(worlds.selected.value).toBe('plan');
	expect(refused).toEqual([expect.stringMatching(/^Promote: .*gone/)]);
});
