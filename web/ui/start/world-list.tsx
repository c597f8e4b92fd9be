/**
 * The list of the person's worlds on the start page.
 * Owns: its texts, and asking before a world is deleted.
 */

import { WorldName } from '../chrome/world-name.tsx';
import { Icon } from '../drawn/icon.tsx';
import { formatNumber } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';
import { MAIN, type WorldInfo } from '../worlds/fork-list.ts';
import { agoWords, titleOf } from './own-worlds-state.ts';

/** Maximum number of worlds listed here. The view Forks lists all. */
const MAX_ROWS = 12;

/** Returns a text about the address of a world for agents. */
const addressText = (id: string): string =>
	id === MAIN ? 'Agents drive it with calls that name no world' : `Agents drive it with ?world=${id}`;

function deleteQuestion(world: WorldInfo): string {
	const rest = world.id === MAIN ? 'This empties main. Its forks remain.' : 'It cannot be opened again.';
	return `Delete "${titleOf(world)}" at tick ${world.tick}? ${rest}`;
}

function Row({ world }: { readonly world: WorldInfo }) {
	const { ownWorlds, navigation, scenes, worlds } = usePanels();
	const facts = ownWorlds.facts.value.get(world.id);
	const title = titleOf(world);
	const isOpening = scenes.opening.value !== null;
	const result = facts?.ending?.title;
	return (
		<li aria-current={world.id === worlds.selected.value ? 'true' : undefined}>
			<WorldName world={world} />
			<span class="soft cut" title={addressText(world.id)}>
				{world.id}
			</span>
			<span class="soft cut">{result ?? facts?.scene ?? ''}</span>
			<span class="soft">tick {formatNumber(world.tick)}</span>
			{world.playing ? (
				<b class="soft running">running</b>
			) : (
				<span class="soft">{facts?.used == null ? '' : agoWords(facts.used, Date.now())}</span>
			)}
			<span class="row-buttons">
				<button
					type="button"
					class="button small"
					aria-label={`Continue ${title}`}
					disabled={isOpening}
					onClick={() => void scenes.resume(world, facts?.ending != null)}
				>
					<Icon name="play" small />
					Continue
				</button>
				<button
					type="button"
					class="button small quiet square"
					aria-label={`Open ${title} in Make`}
					title="Open in Make"
					disabled={isOpening}
					onClick={() => {
						worlds.select(world.id);
						navigation.go('make');
					}}
				>
					<Icon name="make" small />
				</button>
				<button
					type="button"
					class="button small quiet square"
					aria-label={`Delete ${title}`}
					title="Delete"
					disabled={isOpening}
					onClick={() => confirm(deleteQuestion(world)) && void ownWorlds.remove(world.id)}
				>
					<Icon name="bin" small />
				</button>
			</span>
		</li>
	);
}

export function WorldList() {
	const worlds = usePanels().ownWorlds.list.value;
	if (worlds.length === 0) return null;
	const hiddenCount = worlds.length - MAX_ROWS;
	return (
		<>
			<ul class="world-list" aria-label="Worlds that you can continue">
				{worlds.slice(0, MAX_ROWS).map((world) => (
					<Row key={world.id} world={world} />
				))}
			</ul>
			{hiddenCount > 0 && <p class="soft">{formatNumber(hiddenCount)} more in the view Forks.</p>}
		</>
	);
}
