/**
 * The plates of a fallen hero, of a paused world, and of a finished match with the winner and the reason.
 * Owns: their texts and buttons.
 */

import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../drawn/icon.tsx';
import { formatNumber } from '../numbers.ts';
import { openedScene } from '../start/opened-scene.ts';
import { usePanels } from '../state/panels.ts';
import { Controls, Goal } from './brief.tsx';
import { EndStory } from './end-story.tsx';
import { lookBack } from './look-back.ts';
import type { Play } from './play-state.ts';

/** The plate that is shown while the played unit is dead, with the time of its return. */
export function FallenPlate({ play }: { readonly play: Play }) {
	const hero = play.mine.value;
	if (hero?.dead !== true || play.ending.value !== null) return null;
	const killer = play.log.killer.value;
	const { at } = (hero.respawn_timer ?? {}) as { readonly at?: number };
	const seconds = at === undefined ? null : Math.max(0, Math.ceil((at - play.game.tick.value) / 60));
	return (
		<div class="plate down-plate" role="status">
			<h2>You have fallen.</h2>
			{killer !== null && <p>The last blow: {killer}.</p>}
			<p>
				{seconds === null
					? 'This unit does not return.'
					: `You return at your base in ${formatNumber(seconds)} s.`}
			</p>
		</div>
	);
}

export function PausePlate({ play }: { readonly play: Play }) {
	const panels = usePanels();
	const { navigation, scenes, worlds } = panels;
	const end = play.ending.value;
	const story = play.story.value;
	// While a game is opened, no plate is shown.
	const isOpen = play.game.known.value && scenes.opening.value === null;
	const isShown = isOpen && (end !== null || !play.running.value);
	const first = useRef<HTMLButtonElement>(null);
	useEffect(() => {
		if (isShown) first.current?.focus();
	}, [isShown]);
	if (!isShown) return null;
	const empty = play.game.entities.value.length === 0;
	const again = openedScene(panels, worlds.selected.value);
	const leave = (
		<button type="button" class="button large" onClick={() => navigation.go('start')}>
			Leave
		</button>
	);
	const tick = formatNumber(worlds.selectedInfo.value?.tick ?? play.game.tick.value);
	return (
		<div class="pause" role="dialog" aria-label={end?.title ?? 'Paused'}>
			<div class="plate">
				{end !== null ? (
					<>
						<h2>{end.title}</h2>
						<p>{end.why}</p>
						{story !== null && <EndStory story={story} />}
						<div class="pause-buttons">
							{again !== null && (
								<button
									ref={first}
									type="button"
									class="button primary large"
									disabled={scenes.opening.value !== null}
									onClick={() => void scenes.again(again)}
								>
									<Icon name="play" />
									Again
								</button>
							)}
							<button
								ref={again === null ? first : null}
								type="button"
								class="button large"
								title="Pauses, and shows the world in Make as it was when the match turned"
								onClick={() => void lookBack(play, panels)}
							>
								<Icon name="history" />
								Look back
							</button>
							<button type="button" class="button large" onClick={() => navigation.go('make')}>
								<Icon name="make" />
								Open in Make
							</button>
							{leave}
						</div>
					</>
				) : empty ? (
					<>
						<h2>Nothing to play</h2>
						<p>This world is empty. The start page has games.</p>
						<div class="pause-buttons">{leave}</div>
					</>
				) : (
					<>
						<h2>Paused at tick {tick}</h2>
						<Goal play={play} />
						<Controls play={play} />
						<p>Nothing moves until you resume. Agents can still look, fork and step.</p>
						<div class="pause-buttons">
							<button ref={first} type="button" class="button primary large" onClick={() => void play.run()}>
								<Icon name="play" />
								Resume
							</button>
							<button type="button" class="button large" onClick={() => void worlds.time.step(1)}>
								<Icon name="step" />
								One tick
							</button>
							{leave}
						</div>
					</>
				)}
			</div>
		</div>
	);
}
