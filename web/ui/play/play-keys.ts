/**
 * Keys of the view Play itself, if the world does not use them.
 * Owns: the action of each key.
 */

import type { Navigation } from '../state/navigation.ts';
import type { Play } from './play-state.ts';

/** Performs the action of a key in the view. Returns true if the key has one. */
export function pressPlayKey({ key, target }: KeyboardEvent, play: Play, navigation: Navigation): boolean {
	if (navigation.popup.value !== null) return false;
	const isOver = play.ending.value !== null;
	const isPlayed = play.mine.value !== null;
	const toggleTime = () => void (play.running.value ? play.hold() : play.run());
	const togglePanel = (panel: 'shop' | 'map') => {
		play.open.value = play.open.value === panel ? null : panel;
	};
	switch (key === 'Escape' ? key : key.toLowerCase()) {
		case 'Escape':
			// In a game that runs, a person presses it to pause, whatever else it closes.
			if (navigation.notice.value !== null && !play.running.value) navigation.notice.value = null;
			else if (play.open.value !== null) play.open.value = null;
			else if (isOver) return false;
			else toggleTime();
			return true;
		case ' ':
			if (isOver || (target instanceof Element && target.closest('button, summary') !== null)) return false;
			toggleTime();
			return true;
		case 'b':
			if (!isPlayed || play.game.items.value.length === 0) return false;
			togglePanel('shop');
			return true;
		case 'm':
			togglePanel('map');
			return true;
		case 'n':
			if (isPlayed) return false;
			play.next();
			return true;
		case 'c':
			if (isPlayed) return false;
			play.free();
			return true;
		default:
			return false;
	}
}
