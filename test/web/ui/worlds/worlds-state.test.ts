/**
 * Actions of the panels with forks, with a real engine in this process.
 * Owns: the cases of worlds-state.ts.
 */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { JournalMemory, MemoryJournal } from '../../../../shared/transport/memory-journal.ts';
import { createDoings } from '../../../../web/ui/state/doings.ts';
import { WorldsState } from '../../../../web/ui/worlds/worlds-state.ts';
import type { TestEngine } from '../../../support/engine.ts';
import { startPanels, type TestPanels } from '../../../support/panels.ts';

let panels: TestPanels;
let started: TestEngine;
let worlds: WorldsState;

beforeEach(async () => {
	panels = await startPanels();
	started = panels.started;
	worlds = new WorldsState(panels.services, panels.navigation, createDoings());
});
afterEach(() => {
	worlds.stop();
	started.engine.close();
});

const untilForks = (...ids: string[]) =>
	vi.waitFor(() => expect(worlds.forks.value.map(({ id }) => id)).toEqual(ids), 60_000);

it('a new fork is selected and listed', async () => {
	expect(await worlds.forking.branch('main', 'plan')).toBe('plan');
	expect(worlds.selected.value).toBe('plan');
	expect(worlds.selectedInfo.value).toMatchObject({ id: 'plan', parent: 'main' });
	expect(await worlds.forking.branch('main', 'plan')).toBeNull();
	expect(worlds.selected.value).toBe('plan');
	expect(panels.refused).toHaveLength(1);
});

it('a notice says where a new fork is, opens the comparison, and takes it back', async () => {
	const tell = vi.spyOn(panels.navigation, 'tell');
	await worlds.forking.branch('main', 'plan');
	const [text, , open, undo] = tell.mock.lastCall!;
	expect([text, open!.label, undo!.label]).toEqual(['plan is a copy of main.', 'Compare in Forks', 'Undo']);
	undo!.take();
	expect(worlds.selected.value).toBe('main');
	await untilForks();
	open!.take();
	expect(panels.navigation.view.value).toBe('forks');
	// Forks shows the new line itself.
	await worlds.forking.branch('main', 'plan');
	expect(tell).toHaveBeenCalledTimes(1);
	expect(panels.refused).toEqual([]);
});

it('main is selected as soon as the status lacks the fork, before forks are listed', async () => {
	await worlds.forking.branch('main', 'plan');
	await vi.waitFor(() => expect(panels.services.status.value?.forks).toEqual(['plan']));
	const listed: number[] = [];
	const end = worlds.selected.subscribe((id) => id === 'main' && listed.push(worlds.forks.peek().length));
	await started.must('DELETE', '/fork/plan');
	await vi.waitFor(() => expect(listed).toEqual([1]));
	expect(panels.refused).toEqual(['World: The fork "plan" no longer exists.']);
	await untilForks();
	expect(panels.refused).toHaveLength(1);
	end();
});

it('promoting a fork keeps the old main as a fork, without a report of a deleted fork', async () => {
	await worlds.forking.branch('main', 'plan');
	await worlds.time.step(3, 'plan');
	await untilForks('plan');
	worlds.select('plan');
	const plan = (await started.must('GET', '/digest?world=plan')).state_digest;

	await worlds.forking.promote('plan');
	await untilForks('was-main-1');
	expect(worlds.selected.value).toBe('main');
	expect((await started.must('GET', '/digest')).state_digest).toBe(plan);
	await vi.waitFor(() => expect(worlds.main.value?.tick).toBe(3), 60_000);
	expect(worlds.forks.value[0]).toMatchObject({ parent: 'main', tick: 0 });
	expect(panels.refused).toEqual([]);
});

it('a promoted fork stays paused or playing, and main still plays after a refused promotion', async () => {
	const isRunning = async () => (await started.must('GET', '/')).playing;
	const untilRuns = (runs: boolean) =>
		vi.waitFor(() => expect(worlds.main.value?.playing).toBe(runs), 60_000);
	await worlds.forking.branch('main', 'still');
	await started.must('POST', '/play');
	await untilRuns(true);
	await worlds.forking.promote('gone');
	expect(await isRunning()).toBe(true);
	await worlds.forking.promote('still');
	expect([await isRunning(), (await started.must('GET', '/digest')).tick]).toEqual([false, 0]);

	await worlds.forking.branch('main', 'lively');
	await started.must('POST', '/play?world=lively');
	await untilRuns(false);
	worlds.refresh();
	await vi.waitFor(() => expect(worlds.forks.value.some(({ playing }) => playing)).toBe(true), 60_000);
	await worlds.forking.promote('lively');
	expect(await isRunning()).toBe(true);
	await started.must('POST', '/pause');
});

it('a refused promotion has a reason, and the same world stays selected', async () => {
	await worlds.forking.branch('main', 'plan');
	await untilForks('plan');
	worlds.select('plan');
	await worlds.forking.promote('gone');
	expect(worlds.selected.value).toBe('plan');
	expect(panels.refused).toEqual([expect.stringMatching(/^Promote: .*gone/)]);
});

it('undo and redo affect changes of this person, with a notice of the change or of the refusal', async () => {
	worlds.stop();
	await started.engine.close();
	panels = await startPanels(0, 'make', { journal: new MemoryJournal(new JournalMemory()) });
	started = panels.started;
	worlds = new WorldsState(panels.services, panels.navigation, createDoings());
	const agent = { 'content-type': 'application/json', 'x-agent': 'agent-1' };
	const stateDigest = async () => (await started.must('GET', '/digest')).state_digest;

	await started.must('POST', '/spawn', {});
	const before = await stateDigest();
	await started.must('POST', '/step', { ticks: 3 });
	const after = await stateDigest();
	await worlds.undo(false);
	expect([await stateDigest(), panels.notices.pop()]).toEqual([
		before,
		'Undone: Step. From tick 3 to tick 0.',
	]);
	await worlds.undo(true);
	expect([await stateDigest(), panels.notices.pop()]).toEqual([
		after,
		'Redone: Step. From tick 0 to tick 3.',
	]);
	await started.call('POST', '/entities/0/components', { gold: 5 }, agent);
	await worlds.undo(false);
	await worlds.undo(false);
	expect(panels.notices.splice(0)).toEqual(['Undone: Step. From tick 3 to tick 0.']);
	expect(panels.refused).toEqual([expect.stringMatching(/^Undo: .*components of "agent-1" \(entry \d+\)/)]);
	expect(worlds.turning.value).toBe(0);

	expect(await worlds.forking.branchAt('main', { entry: 1 })).toBe('past-1');
	expect(worlds.selectedInfo.value).toMatchObject({ id: 'past-1', tick: 3, digest: after });
	expect(panels.notices).toEqual(['past-1 is main as it was at tick 3. The panels now show it.']);
	expect(await worlds.forking.branchAt('main', { entry: 99 })).toBeNull();
	expect(worlds.selected.value).toBe('past-1');
	expect(panels.refused).toHaveLength(2);
});
