/**
 * Viewing the past from the end of a match, with a real engine in this process.
 * Owns: the cases of look-back.ts.
 */

import { expect, onTestFinished, test, vi } from 'vitest';
import { lookBack } from '../../../../web/ui/play/look-back.ts';
import { Play } from '../../../../web/ui/play/play-state.ts';
import { createDoings } from '../../../../web/ui/state/doings.ts';
import { WorldsState } from '../../../../web/ui/worlds/worlds-state.ts';
import { startPanels } from '../../../support/panels.ts';

test('pauses the world before it shows the past', async () => {
	const { services, navigation, started } = await startPanels(0, 'play');
	const worlds = new WorldsState(services, navigation, createDoings());
	const play = new Play({ services, navigation, worlds });
	onTestFinished(() => {
		play.stop();
		worlds.stop();
		started.engine.close();
	});
	await started.must('POST', '/game/create', {});
	await started.must('POST', '/step', { ticks: 200 });
	await started.must('POST', '/game/end', { winner_team: 1 });
	await started.must('POST', '/play');
	await vi.waitFor(
		() => expect([play.running.value, play.ending.value !== null]).toEqual([true, true]),
		60_000,
	);
	const looked: unknown[] = [];
	const timeline = {
		async look(of: string, tick: number) {
			looked.push([of, tick, (await started.must('GET', '/')).playing, navigation.view.value]);
		},
	};
	await lookBack(play, { services, navigation, worlds, timeline });
	expect(looked).toEqual([['main', 80, false, 'make']]);
});
