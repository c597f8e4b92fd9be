/**
 * The top corners: the title of the world, sound, pause, and the button to Make.
 * Owns: the buttons.
 */

import { Icon } from '../drawn/icon.tsx';
import { Emblem } from '../drawn/wordmark.tsx';
import { formatNumber } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';
import { MAIN } from '../worlds/fork-list.ts';
import type { Play } from './play-state.ts';

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

export function GameHead({ play }: { readonly play: Play }) {
	const { navigation, scenes, services, worlds } = usePanels();
	const { muted } = services.sound.value;
	const world = worlds.selected.value;
	const running = play.running.value;
	const mode = play.game.match.value?.mode ?? '';
	const title = (world === MAIN ? scenes.title.value : null) ?? capital(mode || world);
	return (
		<>
			<button
				type="button"
				class="plate game-title"
				title="To the start page"
				onClick={() => navigation.go('start')}
			>
				<Emblem />
				<span>
					<b>{title}</b>
					<small>
						world {world}, tick {formatNumber(worlds.selectedInfo.value?.tick ?? play.game.tick.value)}
					</small>
				</span>
			</button>
			<div class="game-tools">
				<button
					type="button"
					class="button sound-switch"
					aria-pressed={muted}
					aria-label={muted ? 'Sound is off' : 'Sound is on'}
					title={muted ? 'Switch the sound on' : 'Switch the sound off'}
					onClick={() => services.mute(!muted)}
				>
					<Icon name={muted ? 'mute' : 'sound'} />
				</button>
				<button
					type="button"
					class="button"
					aria-label={running ? 'Pause' : 'Run'}
					title={running ? 'Pause (Esc)' : 'Run (Esc)'}
					onClick={() => void (running ? play.hold() : play.run())}
				>
					<Icon name={running ? 'pause' : 'play'} />
				</button>
				<button
					type="button"
					class="button"
					aria-label="Open in Make"
					title="Open in Make"
					onClick={() => navigation.go('make')}
				>
					<Icon name="make" />
				</button>
			</div>
		</>
	);
}
