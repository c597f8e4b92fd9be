/**
 * Goal of the game and the keys for it, for a person who begins, and hints while it is played.
 * Owns: the plate with both, until the person has begun, and the one with a hint.
 */

import { usePanels } from '../state/panels.ts';
import { controlsText } from './control-words.ts';
import { lifeText } from './match.ts';
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

/** The goal of the game, and the only life of the played unit. */
export function Goal({ play }: { readonly play: Play }) {
	const hero = play.mine.value;
	const life = hero === null ? '' : lifeText(hero, play.game.match.value);
	const words = [play.game.about.value ?? '', life].filter(Boolean).join(' ');
	return words === '' ? null : <p class="goal-words">{words}</p>;
}

export function Brief({ play }: { readonly play: Play }) {
	const { scenes } = usePanels();
	const isBegun = play.begun.value || play.ending.value !== null;
	const isCovered = play.open.value !== null || (!play.running.value && scenes.opening.value === null);
	if (isBegun || isCovered || play.mine.value === null) return null;
	return (
		<section class="plate brief" aria-label="How to play">
			<Goal play={play} />
			<Controls play={play} />
			<p class="key-words faint">
				<kbd>Esc</kbd> pauses and shows this again, <kbd>?</kbd> lists all keys.
			</p>
			<p class="finger-words">Move with the stick at the left, and press the buttons at the right.</p>
		</section>
	);
}

export function HintPlate({ play }: { readonly play: Play }) {
	const hint = play.hints.shown.value;
	if (hint === null || play.ending.value !== null || play.mine.value === null) return null;
	return (
		<p class="plate brief hint" role="status">
			{hint.text}
		</p>
	);
}
