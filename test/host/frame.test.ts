/** What a frame brings of the texts over the picture: all of them once, and again only when they are others. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { frameOf } from '../../web/host/frame.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';

let started: TestEngine;
beforeEach(async () => {
	started = await startEngine();
});
afterEach(() => started.engine.close());

const show = (text: string, when: unknown) => ({
	when,
	do: [{ action: 'show_text', text, x: 0.5, y: 0.86 }],
});

test('texts come once, and again when a rule shows another', async () => {
	const { engine, must } = started;
	const { main } = engine.worlds;
	const first = frameOf(main);
	expect(first.elements).toEqual([]);
	expect(frameOf(main, first).elements).toBeUndefined();

	await must('POST', '/rule/create', { ...show('Treasure!', { kind: 'tick', every: 1 }), once: true });
	await must('POST', '/step');
	const second = frameOf(main, first);
	expect(second.hud).not.toBe(first.hud);
	expect(second.elements).toEqual([
		expect.objectContaining({ type: 'text', text: 'Treasure!', x: 0.5, y: 0.86, size: 20, color: 'white' }),
	]);
	await must('POST', '/step', { ticks: 3 });
	const third = frameOf(main, second);
	expect(third.hud).toBe(second.hud);
	expect(third.elements).toBeUndefined();
});

test('a fork has the texts of its parent under the same number, until it shows its own', async () => {
	const { engine, must } = started;
	await must('POST', '/rule/create', { ...show('Treasure!', { kind: 'tick', every: 1 }), once: true });
	await must('POST', '/step');
	const known = frameOf(engine.worlds.main);
	await must('POST', '/fork', { fork_id: 'plan' });
	const fork = engine.worlds.find('plan')!;
	expect(frameOf(fork, { layout: -1, hud: known.hud })).toMatchObject({ hud: known.hud });
	expect(frameOf(fork, { layout: -1, hud: known.hud }).elements).toBeUndefined();

	await must('POST', '/rule/create?world=plan', show('Spikes!', { kind: 'tick', every: 1 }));
	await must('POST', '/step?world=plan');
	expect(frameOf(fork, known).elements?.map(({ text }) => text)).toEqual(['Spikes!']);
	expect(frameOf(engine.worlds.main, known).elements).toBeUndefined();
});
