/**
 * The view in which a game is played or watched: the picture is the whole of it.
 * Owns: its place for the picture, which is there at once. What lies over it is loaded when it is first shown.
 */

import { Stage } from '../stage/stage.tsx';
import { later } from '../state/later.tsx';

const Game = later(
	async () => (await import('./game.tsx')).Game,
	(words) => <p class="plate play-waiting">{words}</p>,
);

export function PlayView() {
	return (
		<main class="view view-play" aria-label="Play">
			<h1 class="only-said">Play</h1>
			<Stage lane />
			<Game />
		</main>
	);
}
