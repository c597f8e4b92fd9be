/**
 * The view Play, in which a game is played or watched in a picture of full size.
 * Owns: the place of the picture, which is available immediately. The plates over it are loaded when the view is first shown.
 */

import type { PageView } from '../chrome/views.ts';
import { Stage } from '../stage/stage.tsx';
import { later } from '../state/later.tsx';

const Game = later(
	async () => (await import('./game.tsx')).Game,
	(words) => <p class="plate play-waiting">{words}</p>,
);

export const play: PageView = {
	label: 'Play',
	icon: 'play',
	stage: true,
	around: 'nothing',
	Component: PlayView,
};

function PlayView() {
	return (
		<main class="view view-play" aria-label="Play">
			<h1 class="only-said">Play</h1>
			<Stage lane />
			<Game />
		</main>
	);
}
