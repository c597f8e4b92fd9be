/**
 * Pausing a world whose match is over when the person leaves Play: nothing of it is seen any more.
 * Owns: noticing that. A match that goes on, and a world without one, run on.
 */

import { effect, untracked } from '@preact/signals';
import type { PanelServices } from '../services.ts';
import { ask } from '../state/ask.ts';
import type { Navigation } from '../state/navigation.ts';
import type { WorldsState } from './worlds-state.ts';

/** Returns the function that ends this. */
export function pauseEndedMatches(
	services: PanelServices,
	navigation: Navigation,
	worlds: WorldsState,
): () => void {
	let played: string | null = null;
	return effect(() => {
		const isPlay = navigation.view.value === 'play';
		const now = isPlay ? worlds.selected.value : null;
		untracked(() => {
			if (played !== null && played !== now) void pauseIfOver(services, worlds, played);
		});
		played = now;
	});
}

async function pauseIfOver(services: PanelServices, worlds: WorldsState, world: string): Promise<void> {
	const info = worlds.infoOf(world);
	if (info?.playing !== true) return;
	const game = await ask(services, 'GET', '/game/state', { world, on: 'panels' });
	if (!game.ok || game.body.phase !== 'post_match') return;
	await ask(services, 'POST', '/pause', { world });
	worlds.refresh();
}
