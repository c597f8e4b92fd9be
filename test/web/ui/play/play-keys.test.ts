/**
 * Keys of the view Play itself.
 * Owns: the cases of play-keys.ts.
 */

import { signal } from '@preact/signals';
import { expect, test, vi } from 'vitest';
import { pressPlayKey } from '../../../../web/ui/play/play-keys.ts';
import type { Play } from '../../../../web/ui/play/play-state.ts';
import type { Navigation } from '../../../../web/ui/state/navigation.ts';

test('Esc pauses a game that runs behind a notice, and closes the notice while it is paused', () => {
	const [running, notice] = [signal(true), signal<object | null>({})];
	const [hold, run] = [vi.fn(), vi.fn()];
	const play = { running, hold, run, ending: signal(null), mine: signal(null), open: signal(null) };
	const navigation = { notice, popup: signal(null) };
	const pressEscape = () =>
		pressPlayKey(
			{ key: 'Escape', target: null } as KeyboardEvent,
			play as unknown as Play,
			navigation as unknown as Navigation,
		);
	expect([pressEscape(), hold.mock.calls.length, notice.value]).toEqual([true, 1, {}]);
	running.value = false;
	expect([pressEscape(), run.mock.calls.length, notice.value]).toEqual([true, 0, null]);
	expect([pressEscape(), run.mock.calls.length]).toEqual([true, 1]);
});
