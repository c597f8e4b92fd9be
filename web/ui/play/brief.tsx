/**
 * Goal of the game and its keys, at the start of a game.
 * Owns: the plate with both, which is shown until the first input.
 */

import { usePanels } from '../state/panels.ts';
import { controlsText } from './control-words.ts';
import type { PlayInput } from './play-input.ts';
import type { Play } from './play-state.ts';
import { abilitiesOf } from './units.ts';

/** The keys of the played unit. */
export function Controls({ play }: { readonly play: Play }) {
	const hero = play.mine.value;
	const words =
		hero === null
			? ''
			: controlsText((action) => play.keysOf(action), hero.combat !== undefined, abilitiesOf(hero), [
					...play.walkLetters.value.keys(),
				]);
	return words === '' ? null : <p class="key-words">{words}</p>;
}

export function Brief({ play, input }: { readonly play: Play; readonly input: PlayInput }) {
	const { scenes } = usePanels();
	const about = play.game.about.value;
	const isBegun = input.used.value || play.ending.value !== null;
	const isCovered = play.open.value !== null || (!play.running.value && scenes.opening.value === null);
	if (isBegun || isCovered || play.mine.value === null) return null;
	return (
		<section class="plate brief" aria-label="How to play">
			{about !== null && <p class="goal-words">{about}</p>}
			<Controls play={play} />
			<p class="key-words faint">
				<kbd>Esc</kbd> pauses and shows this again, <kbd>?</kbd> lists all keys.
			</p>
			<p class="finger-words">Walk with the stick at the left, and press the buttons at the right.</p>
		</section>
	);
}
