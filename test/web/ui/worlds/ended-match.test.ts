/**
 * Leaving Play at the end of a match, on a real engine in this process.
 * Owns: the cases of ended-match.ts.
 */

import { expect, it, onTestFinished, vi } from 'vitest';
import { createDoings } from '../../../../web/ui/state/doings.ts';
import { pauseEndedMatches } from '../../../../web/ui/worlds/ended-match.ts';
import { WorldsState } from '../../../../web/ui/worlds/worlds-state.ts';
import { startPanels } from '../../../support/panels.ts';

it('a match that is over is paused when the person leaves Play, and one that goes on runs on', async () => {
	const { started, services, navigation, calls } = await startPanels(0, 'play');
	const worlds = new WorldsState(services, navigation, createDoings());
	const end = pauseEndedMatches(services, navigation, worlds);
	onTestFinished(() => {
		end();
		worlds.stop();
		return started.engine.close();
	});
	const isRunning = async () => (await started.must('GET', '/')).playing;
	await started.must('POST', '/game/create', { mode: 'duel' });
	await started.must('POST', '/play');
	await vi.waitFor(() => expect(worlds.main.value?.playing).toBe(true), 60_000);
	navigation.go('make');
	await vi.waitFor(() => expect(calls.filter((call) => call === 'GET /game/state')).toHaveLength(1), 60_000);
	expect(await isRunning()).toBe(true);
	navigation.go('play');
	await started.must('POST', '/game/end', { winner_team: 1 });
	navigation.go('start');
	await vi.waitFor(async () => expect(await isRunning()).toBe(false), 60_000);
});
