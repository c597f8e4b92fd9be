/**
 * Draws beyond the next tick: the run to the next draw, the tree of outcomes, and the chance of a condition.
 * Owns: the cases of next-chance.ts, chance-tree.ts and question.ts, with a real engine in this process.
 */

import { afterEach, beforeEach, expect, it } from 'vitest';
import { CERTAIN, type NextDraw, nextDraw } from '../../../../web/ui/odds/chance-tree.ts';
import { OddsState } from '../../../../web/ui/odds/odds-state.ts';
import { askChance } from '../../../../web/ui/odds/question.ts';
import type { Refusal } from '../../../../web/ui/state/ask.ts';
import { createDoings } from '../../../../web/ui/state/doings.ts';
import { WorldsState } from '../../../../web/ui/worlds/worlds-state.ts';
import { startPanels, type TestPanels } from '../../../support/panels.ts';

let panels: TestPanels;
let worlds: WorldsState;

beforeEach(async () => {
	panels = await startPanels(3, 'make');
	worlds = new WorldsState(panels.services, panels.navigation, createDoings());
	const { must } = panels.started;
	await must('POST', '/spawn', { gold: 0, tags: ['purse'] });
	await must('POST', '/rule/create', {
		name: 'coin',
		when: { kind: 'tick', every: 50 },
		outcomes: [
			{ label: 'heads', weight: 1, do: ['add_field tag:purse gold 1'] },
			{ label: 'tails', weight: 3 },
		],
	});
});
afterEach(() => {
	worlds.stop();
	panels.started.engine.close();
});

const found = (next: NextDraw | Refusal): NextDraw => {
	expect(next).not.toHaveProperty('sentence');
	return next as NextDraw;
};

it('runs until right before a draw, and then to the next one', async () => {
	const odds = new OddsState(panels.services, panels.navigation, worlds);
	const tick = () => panels.started.engine.worlds.main.world.tick;
	await odds.run.toggle();
	expect(tick()).toBe(49);
	await odds.run.toggle();
	expect([tick(), odds.run.running.value]).toEqual([99, false]);
	// Without draws, the run ends by itself with a notice.
	await panels.started.must('DELETE', '/rule/1');
	await odds.run.toggle();
	expect([tick(), panels.notices]).toEqual([99 + 3600, [expect.stringMatching(/^No draw in 1 min 0.0 s\./)]]);
	odds.stop();
});

it('the tree has the exact chance of each outcome, and a fork can follow one', async () => {
	const { must } = panels.started;
	const before = await must('GET', '/digest');
	const root = found(await nextDraw(panels.services, 'main', { key: '', way: [], probability: CERTAIN }));
	expect(root).toMatchObject({ tick: 49, rest: null, isEnd: false });
	expect(root.nodes.map(({ label, share, p, tick }) => [label, share, p, tick])).toEqual([
		['tails', { num: '3', den: '4' }, 0.75, 50],
		['heads', { num: '1', den: '4' }, 0.25, 50],
	]);
	const second = found(await nextDraw(panels.services, 'main', root.nodes[1]!));
	expect(second.nodes.map(({ key, probability }) => [key, probability])).toEqual([
		['1/0', { num: '3', den: '16' }],
		['1/1', { num: '1', den: '16' }],
	]);
	expect(await must('GET', '/digest')).toEqual(before);
	expect((await must('GET', '/fork/list?all=true')).count).toBe(0);

	const rare = second.nodes[1]!;
	await worlds.forking.branchAlong('main', rare.way);
	expect(worlds.selectedInfo.value).toMatchObject({ id: 'heads-1', tick: 100, digest: rare.digest });
	await must('DELETE', '/rule/1');
	const end = found(await nextDraw(panels.services, 'main', { key: '', way: [], probability: CERTAIN }));
	expect(end).toMatchObject({ isEnd: true, nodes: [] });
});

it('a condition has an exact chance, within some ticks or after them, and an invalid one is refused with a fix', async () => {
	const question = { text: 'field:gold>=2 & tag:purse', ticks: 100, when: 'within' } as const;
	expect(await askChance(panels.services, 'main', question)).toMatchObject({
		probability: { num: '1', den: '16' },
		p: 1 / 16,
		atMost: null,
		byTick: [{ tick: 100 }],
		way: [{ tick: 49 }, { tick: 99 }],
		reading: expect.stringContaining('gold'),
	});
	expect(
		await askChance(panels.services, 'main', {
			...question,
			text: 'field:gold<1 & tag:purse',
			when: 'after',
		}),
	).toMatchObject({ probability: { num: '9', den: '16' } });
	expect(await askChance(panels.services, 'main', { ...question, text: 'feld:gold>=2' })).toMatchObject({
		fix: expect.stringContaining('field:gold>=2'),
	});
});
