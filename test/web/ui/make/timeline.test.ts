/**
 * The timeline of Make: its span, its marks, and views of the past with a real engine.
 * Owns: the cases of make/timeline.
 */

import { afterEach, expect, test, vi } from 'vitest';
import {
	labelsOf,
	marksOf,
	shareOf,
	spanOf,
	thinned,
	tickAt,
} from '../../../../web/ui/make/timeline/timeline-marks.ts';
import { createTimeline } from '../../../../web/ui/make/timeline/timeline-state.ts';
import { createDoings } from '../../../../web/ui/state/doings.ts';
import { WorldsState } from '../../../../web/ui/worlds/worlds-state.ts';
import { startPanels } from '../../../support/panels.ts';

const endings: (() => void)[] = [];
afterEach(() => {
	for (const end of endings.splice(0)) end();
	vi.unstubAllGlobals();
});

test('the last three minutes are shown, with labels at equal distances and marks of events', async () => {
	expect(spanOf(100)).toEqual({ from: 0, to: 600 });
	const span = spanOf(12_000);
	expect(span).toEqual({ from: 1200, to: 12_000 });
	expect(labelsOf(span, 600)).toEqual([1800, 3600, 5400, 7200, 9000]);
	expect(labelsOf(span, 250)).toEqual([3600, 7200]);
	expect(labelsOf(span, 0)).toEqual([]);
	expect([shareOf(6600, span), tickAt(0.5, span, 12_000), tickAt(2, span, 11_000)]).toEqual([
		0.5, 6600, 11_000,
	]);
	const { started } = await startPanels();
	endings.push(() => started.engine.close());
	await started.must('POST', '/spawn', { health: 10, name: 'Crate' });
	await started.must('POST', '/step', { ticks: 30 });
	await started.must('POST', '/entity/damage', { entity_id: 0, amount: 99 });
	await started.must('POST', '/step', { ticks: 30 });
	const { lines } = (await started.call('GET', '/history?of=main')).body;
	const { events } = (await started.call('GET', '/events/stream?since=0&events=death')).body;
	const kept = [{ tick: 20, kind: 'fork' as const, words: 'fork plan' }];
	const marks = marksOf(lines, events, kept, 'main', spanOf(60), () => 'Crate');
	expect(marks.map(({ tick, kind }) => [tick, kind])).toEqual([
		[0, 'agent'],
		[20, 'fork'],
		[30, 'agent'],
		[30, 'fall'],
	]);
	expect(marks.at(-1)!.words).toBe('Crate fell');
});

test('marks of a kind that would overlap are one, and those of other kinds stay', () => {
	const span = spanOf(600);
	const you = [0, 6, 9, 300, 590].map((tick) => ({ tick, kind: 'you' as const, words: `Move ${tick}` }));
	const fall = { tick: 8, kind: 'fall' as const, words: 'Crate fell' };
	const marks = [...you, fall].sort((a, b) => a.tick - b.tick);
	expect(thinned(marks, span, 600)).toEqual([
		{ tick: 9, kind: 'you', words: '3 from tick 0 on, the last: Move 9' },
		fall,
		you[3],
		you[4],
	]);
	expect(thinned(marks, span, 6000)).toEqual(marks);
});

test('looking back shows a fork inside a run of ticks; the present takes it away, a branch keeps it', async () => {
	const panels = await startPanels(0, 'make');
	const { started, services, navigation } = panels;
	const worlds = new WorldsState(services, navigation, createDoings());
	const timeline = createTimeline(services, navigation, worlds);
	endings.push(
		timeline.stop,
		() => worlds.stop(),
		() => started.engine.close(),
	);
	await started.must('POST', '/spawn', { physics_body: 'Dynamic', position: [0, 9, 0] });
	await started.must('POST', '/step', { ticks: 90 });
	const forks = async () => (await started.must('GET', '/fork/list')).details;

	await Promise.all([timeline.look('main', 20), timeline.look('main', 44)]);
	expect(await forks()).toMatchObject([{ parent: 'main', tick: 44 }]);
	expect(timeline.looking.value).toMatchObject({ of: 'main', tick: 44, fork: worlds.selected.value });
	await timeline.leave();
	expect([worlds.selected.value, await forks()]).toEqual(['main', []]);

	await started.must('POST', '/play');
	await vi.waitFor(() => expect(worlds.main.value?.playing).toBe(true), 60_000);
	await timeline.look('main', 61);
	expect((await started.must('GET', '/')).playing).toBe(false);
	await timeline.branch();
	expect(await forks()).toMatchObject([{ fork_id: 'past-1', parent: 'main', tick: 61 }]);
	expect([worlds.selected.value, timeline.looking.value]).toEqual(['past-1', null]);
	expect(panels.refused).toEqual([]);
});

test('a fork of the past is deleted with its page, or by the next page if that failed', async () => {
	const page = new EventTarget();
	vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
	vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
	const panels = await startPanels(0, 'make');
	const { started, navigation } = panels;
	const last: string[] = [];
	const services = {
		...panels.services,
		callLast: (method: string, path: string) => void last.push(`${method} ${path}`),
	};
	const worlds = new WorldsState(services, navigation, createDoings());
	const timeline = createTimeline(services, navigation, worlds);
	endings.push(
		timeline.stop,
		() => worlds.stop(),
		() => started.engine.close(),
	);
	await started.must('POST', '/step', { ticks: 30 });
	await timeline.look('main', 20);
	page.dispatchEvent(new Event('pagehide'));
	expect(last).toEqual(['DELETE /fork/look-1']);

	// Entries of a killed page: one fork still exists, and the name of the other belongs to a newer fork.
	await started.must('POST', '/fork', { fork_id: 'look-7' });
	await started.must('POST', '/fork', { fork_id: 'look-8' });
	const kept = JSON.parse(services.kept.getItem('orrery-page-forks')!);
	expect(kept).toMatchObject([{ id: 'look-1', parent: 'main', parentTick: 20 }]);
	kept.push(
		{ id: 'look-7', parent: 'main', parentTick: 30 },
		{ id: 'look-8', parent: 'main', parentTick: 3 },
	);
	services.kept.setItem('orrery-page-forks', JSON.stringify(kept));
	const next = createTimeline(services, navigation, worlds);
	endings.push(next.stop);
	const forks = async () => (await started.must('GET', '/fork/list')).forks;
	await vi.waitFor(async () => expect(await forks()).toEqual(['look-1', 'look-8']), 60_000);
});
