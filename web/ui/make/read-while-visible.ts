/**
 * Reads the journal for the view Make.
 * Owns: the times of reading: after each call and each second of play, while the view is visible.
 */

import { effect, untracked } from '@preact/signals';
import { showsWorld } from '../services.ts';
import type { Paced } from '../state/paced.ts';
import type { Panels } from '../state/panels.ts';

/** Runs `reader` after each change while Make is visible. Returns a function that stops it. */
export function readWhileVisible(
	{ services, navigation, worlds }: Pick<Panels, 'services' | 'navigation' | 'worlds'>,
	reader: Paced,
) {
	const stopEffect = effect(() => {
		if (worlds.changes.value === 0 || navigation.view.value !== 'make' || !showsWorld(services.holding.value))
			return;
		untracked(() => reader.ask());
	});
	return () => {
		stopEffect();
		reader.stop();
	};
}
