/**
 * The plate over a world that stands still: paused, or over, with the winner and the reason.
 * Owns: its words and ways out.
 */

import cards from 'virtual:scenes';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../drawn/icon.tsx';
import { formatNumber } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';
import { MAIN } from '../worlds/fork-list.ts';
import { Controls } from './brief.tsx';
import { EndStory } from './end-story.tsx';
import type { Play } from './play-state.ts';

/** Ticks before the turn of a match at which a look back begins. */
const LEAD_IN = 120;

/** Says that the played unit is dead, and when it returns. */
export function FallenPlate({ play }: { readonly play: Play }) {
	const hero = play.mine.value;
	if (hero?.dead !== true || play.ending.value !== null) return null;
	const { at } = (hero.respawn_timer ?? {}) as { readonly at?: number };
	const seconds = at === undefined ? null : Math.max(0, Math.ceil((at - play.game.tick.value) / 60));
	return (
		<div class="plate down-plate" role="status">
			<h2>You have fallen.</h2>
			<p>
				{seconds === null
					? 'This unit does not return.'
					: `You return at your base in ${formatNumber(seconds)} s.`}
			</p>
		</div>
	);
}

export function PausePlate({ play }: { readonly play: Play }) {
	const { navigation, scenes, timeline, worlds } = usePanels();
	const end = play.ending.value;
	const story = play.story.value;
	// A game that is being opened has not begun.
	const isOpen = play.game.known.value && scenes.opening.value === null;
	const isShown = isOpen && (end !== null || !play.running.value);
	const first = useRef<HTMLButtonElement>(null);
	useEffect(() => {
		if (isShown) first.current?.focus();
	}, [isShown]);
	if (!isShown) return null;
	const empty = play.game.entities.value.length === 0;
	// A page that was loaded again knows the scene by the name that it gave its world.
	const opened = scenes.opened.value ?? cards.find(({ title }) => title === scenes.title.value)?.name ?? null;
	const again = worlds.selected.value === MAIN ? opened : null;
	const leave = (
		<button type="button" class="button large" onClick={() => navigation.go('start')}>
			Leave
		</button>
	);
	const tick = formatNumber(worlds.here.value?.tick ?? play.game.tick.value);
	const lookBack = () => {
		const to = story?.turn?.tick ?? play.game.match.value?.ended_at ?? play.game.tick.value;
		const from = play.game.match.value?.started_at ?? 0;
		navigation.go('make');
		void timeline.look(worlds.selected.value, Math.max(from, to - LEAD_IN));
	};
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
								title="Shows the world in Make as it was when the match turned"
								onClick={lookBack}
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
						{play.game.about.value !== null && <p class="goal-words">{play.game.about.value}</p>}
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
