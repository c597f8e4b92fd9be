/** The odds of the dungeon are those of /peek, and forks have the predicted outcomes. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Engine } from '../../../web/host/engine.ts';
import { clientOf, testEngine } from '../../support/engine.ts';
import { openScene } from '../../support/scenes.ts';

interface PeekOutcome {
	readonly probability: { readonly num: string; readonly den: string };
	readonly p: number;
	readonly choices: readonly { readonly rule: number | string; readonly label: string }[];
	readonly state_digest: string;
}

let engine: Engine;
beforeEach(async () => {
	engine = await openScene('dungeon', 1);
});
afterEach(() => engine.close());

const post = async (path: string, body: unknown = {}) =>
	(await clientOf(engine.handle).call('POST', path, body)).body;

async function ruleId(name: string): Promise<number> {
	const { rules } = (await clientOf(engine.handle).call('GET', '/rule/list')).body;
	return rules.find((rule: { name?: string }) => rule.name === name).id;
}

interface Draws {
	readonly tick: number;
	readonly sampled: readonly { readonly rule: number | string }[];
}

/** Steps until the next tick has a draw of the rule, which a fork finds. Returns the outcomes of that tick from /peek. */
async function stepToChance(rule: number): Promise<PeekOutcome[]> {
	for (let tick = 0; tick < 4000; tick += 30) {
		await post('/fork', { fork_id: 'ahead' });
		const { trace } = await post('/step?world=ahead', { ticks: 30, trace: 'draws' });
		const draws = (trace as Draws[]).find(({ sampled }) => sampled.some((choice) => choice.rule === rule));
		if (draws === undefined) {
			await post('/fork/ahead/promote');
			continue;
		}
		const { new_tick: now } = await post('/step', { ticks: 0 });
		await post('/step', { ticks: draws.tick - now });
		const { distribution, exact } = await post('/peek');
		expect(exact).toBe(true);
		return distribution;
	}
	throw new Error('the rule never made a draw');
}

const oddsOf = (ways: readonly PeekOutcome[]) =>
	Object.fromEntries(
		ways.map(({ choices, probability: { num, den } }) => [choices[0]!.label, `${num}/${den}`]),
	);

test('a chest has a treasure with 1/4, and forks with other seeds take the outcomes of peek', async () => {
	const chest = await ruleId('chest 1');
	const ways = await stepToChance(chest);
	expect(oddsOf(ways)).toEqual({ treasure: '1/4', cobwebs: '3/4' });
	const visited = new Set<string>();
	for (let seed = 1; seed <= 16; seed++) {
		const fork_id = `chest-${seed}`;
		await post('/fork', { fork_id, seed });
		const { sampled, state_digest } = await post(`/step?world=${fork_id}`);
		const { label } = sampled.find((choice: { rule: number | string }) => choice.rule === chest);
		expect(ways.find(({ choices }) => choices[0]!.label === label)?.state_digest).toBe(state_digest);
		visited.add(label);
	}
	expect([...visited].sort()).toEqual(['cobwebs', 'treasure']);
});

test('the lock opens with 2/5, and the die is fair', async () => {
	expect(oddsOf(await stepToChance(await ruleId('lock')))).toEqual({ click: '2/5', stuck: '3/5' });
	const faces = Object.fromEntries(['1', '2', '3', '4', '5', '6'].map((face) => [face, '1/6']));
	expect(oddsOf(await stepToChance(await ruleId('the die')))).toEqual(faces);
});

test('walls stop a walk by keys, and a click on another room leads there through the doors', async () => {
	const game = testEngine(engine);
	await game.must('POST', '/entities/0/components', { player: true });
	await game.must('POST', '/input/press', { action: 'stop', entity_id: 0 });
	await game.must('POST', '/input/press', { key: 'ArrowUp', entity_id: 0, hold: true });
	await game.step(600);
	const [x, , z] = await game.position(0);
	expect(x).toBe(-12);
	expect(z, 'before the wall of the first room').toBeCloseTo(-8.5, 1);
	await game.must('POST', '/input/release', { key: 'ArrowUp', entity_id: 0 });
	await game.must('POST', '/input/press', { key: 'MouseRight', entity_id: 0, point: [0, 0.5, 4.5] });
	const rooms = new Set<string>();
	for (let tick = 0; tick < 1500; tick += 10) {
		await game.step(10);
		const [x, , z] = await game.position(0);
		rooms.add(`${x! < -4.5 ? 'left' : x! < 4.5 ? 'middle' : 'right'} ${z! < 0 ? 'far' : 'near'}`);
		if (Math.hypot(x!, z! - 4.5) < 0.5) break;
	}
	expect([...rooms]).toEqual(['left far', 'middle far', 'right far', 'right near', 'middle near']);
});
