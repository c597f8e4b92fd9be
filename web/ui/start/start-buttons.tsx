/**
 * The first buttons of the start page: play, continue or make. After a match, its result and a button for a new match.
 * Owns: the choice of the primary button.
 */

import cards from 'virtual:scenes';
import { Icon } from '../drawn/icon.tsx';
import { formatNumber } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';
import { openedScene, sceneTitle } from './opened-scene.ts';
import { titleOf } from './own-worlds-state.ts';
import { StartAfresh } from './start-afresh.tsx';

/** Game that the start page offers. */
const FIRST_GAME = cards[0]!;

export function StartButtons() {
	const panels = usePanels();
	const { navigation, ownWorlds, scenes, timeline, worlds } = panels;
	// While the past of a world is shown, the button continues its present.
	const shownPast = timeline.looking.value;
	const currentWorld =
		shownPast === null
			? worlds.selectedInfo.value
			: (ownWorlds.list.value.find(({ id }) => id === shownPast.of) ?? worlds.main.value);
	const ending = currentWorld === null ? null : (ownWorlds.facts.value.get(currentWorld.id)?.ending ?? null);
	const finishedScene =
		currentWorld === null || ending === null ? null : openedScene(panels, currentWorld.id);
	const isEmpty = (currentWorld?.entityCount ?? 0) === 0;
	const isOpening = scenes.opening.value !== null;
	return (
		<>
			{ending !== null && (
				<p class="last-result">
					<b>{ending.title}.</b> {ending.why}
				</p>
			)}
			<div class="start-buttons">
				{finishedScene !== null && (
					<button
						type="button"
						class="button primary large"
						disabled={isOpening}
						title="A new match from the first tick"
						onClick={() => void scenes.again(finishedScene)}
					>
						<Icon name="play" />
						{sceneTitle(finishedScene)} again
					</button>
				)}
				{finishedScene !== FIRST_GAME.name && (
					<button
						type="button"
						class={`button large${finishedScene === null ? ' primary' : ''}`}
						disabled={isOpening || currentWorld === null}
						title="Play from the first tick. The current world is kept as a fork."
						onClick={() => void scenes.play(FIRST_GAME.name)}
					>
						<Icon name="play" />
						{isOpening ? 'Opening' : `Play ${FIRST_GAME.title}`}
					</button>
				)}
				{currentWorld !== null && !isEmpty && (
					<button
						type="button"
						class="button large"
						onClick={() => void scenes.resume(currentWorld, ending !== null)}
					>
						{ending === null
							? `Continue ${titleOf(currentWorld)}, tick ${formatNumber(currentWorld.tick)}`
							: 'See how it ended'}
					</button>
				)}
				<button type="button" class="button large" onClick={() => navigation.go('make')}>
					<Icon name="make" />
					{isEmpty ? 'Make something' : 'Open in Make'}
				</button>
				{!isEmpty && <StartAfresh />}
			</div>
		</>
	);
}
