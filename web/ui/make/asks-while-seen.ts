/**
 * Reading what the journal has, as the view Make needs it.
 * Owns: when it is asked for: whenever a call or a second of play may have brought an entry, while it is visible.
 */

import { effect, untracked } from '@preact/signals';
import { showsWorld } from '../services.ts';
import type { Paced } from '../state/paced.ts';
import type { Panels } from '../state/panels.ts';

/** Asks `reader` until the function is called that this answers. */
export function asksWhileSeen(
	{ services, navigation, worlds }: Pick<Panels, 'services' | 'navigation' | 'worlds'>,
	reader: Paced,
) {
	const end = effect(() => {
		if (worlds.changes.value === 0 || navigation.view.value !== 'make' || !showsWorld(services.holding.value))
			return;
		untracked(() => reader.ask());
	});
	return () => {
		end();
		reader.stop();
	};
}
