/**
 * The start page: a few words, where agents send their requests, worlds to open, and the first calls.
 * Owns: its words. Never: a call.
 */

import cards from 'virtual:scenes';
import { DoorLamps } from '../chrome/door-lamps.tsx';
import type { View } from '../chrome/views.ts';
import { CopyButton } from '../controls/copy-button.tsx';
import { Icon } from '../drawn/icon.tsx';
import { Rings, Wordmark } from '../drawn/wordmark.tsx';
import { formatNumber } from '../numbers.ts';
import { usePanels } from '../state/panels.ts';
import { MAIN } from '../worlds/fork-list.ts';
import { FirstCalls } from './first-calls.tsx';
import { openedScene, sceneTitle } from './opened-scene.ts';
import { OfferedWorld, OwnWorlds } from './own-worlds.tsx';
import { titleOf } from './own-worlds-state.ts';
import { SceneCards } from './scene-cards.tsx';
import { StartAfresh } from './start-afresh.tsx';

/** World that the brass button plays: the first. */
const FIRST_GAME = cards[0]!;

const keys = (views: number) =>
	[
		[['1', '…', String(views)], 'the views'],
		[['Space'], 'run or pause'],
		[['.'], 'one tick (1/60 s)'],
		[['?'], 'all keys'],
	] as const;

export const start: View = {
	label: 'Start',
	icon: 'start',
	around: 'rail',
	Component: StartView,
};

function StartView() {
	const panels = usePanels();
	const { navigation, ownWorlds, scenes, services, worlds } = panels;
	const relay = services.doors.value.relay.state;
	const here = worlds.here.value;
	const ending = ownWorlds.facts.value.get(here?.id ?? MAIN)?.ending ?? null;
	const again = ending === null ? null : openedScene(panels);
	const empty = (here?.entityCount ?? 0) === 0;
	const opening = scenes.opening.value !== null;
	const port = /:(\d+)/.exec(services.address)?.[1] ?? '3917';
	return (
		<main class="view view-start" aria-label="Start">
			<section class="intro">
				<Rings tick={worlds.main.value?.tick ?? 0} />
				<Wordmark />
				<h1>
					One world,
					<br />
					two ways in.
				</h1>
				<p>
					A 3D game engine in a browser tab. Build worlds and play them here; agents drive the same world with
					JSON over HTTP. The same calls give the same result on every machine, to the bit.
				</p>
				{ending !== null && (
					<p class="last-result">
						<b>{ending.title}.</b> {ending.why}
					</p>
				)}
				<div class="start-buttons">
					{again !== null && (
						<button
							type="button"
							class="button primary large"
							disabled={opening}
							title="A new match from the first tick"
							onClick={() => void scenes.again(again)}
						>
							<Icon name="play" />
							{sceneTitle(again)} again
						</button>
					)}
					<button
						type="button"
						class={`button large${again === null ? ' primary' : ''}`}
						disabled={opening || here === null}
						title="Play from the first tick. The current world is kept as a fork."
						onClick={() => void scenes.play(FIRST_GAME.name)}
					>
						<Icon name="play" />
						{opening ? 'Opening' : `Play ${FIRST_GAME.title}`}
					</button>
					{!empty && (
						<button type="button" class="button large" onClick={() => navigation.go('play')}>
							{ending === null
								? `Continue ${here === null ? '' : titleOf(here)}, tick ${formatNumber(here?.tick ?? 0)}`
								: 'See how it ended'}
						</button>
					)}
					<button type="button" class="button large" onClick={() => navigation.go('make')}>
						<Icon name="make" />
						{empty ? 'Make something' : 'Open in Make'}
					</button>
					{!empty && <StartAfresh />}
				</div>
				<div class="agents">
					<span class="caps">Agents send requests to</span>
					<div class="address">
						<code>{services.address}</code>
						<CopyButton text={() => services.address} name="Copy the address" label="Copy" />
					</div>
					<DoorLamps />
					{(relay === 'off' || relay === 'lost') && (
						<p class="no-relay">
							Outside agents cannot reach this world: nothing answers on port {port}. The page works without
							it.
						</p>
					)}
				</div>
				<h2 class="caps press">Keys</h2>
				<dl class="keys">
					{keys(navigation.names.length).map(([caps, does]) => (
						<div key={does}>
							<dt>
								{caps.map((cap) => (cap === '…' ? <span key={cap}>…</span> : <kbd key={cap}>{cap}</kbd>))}
							</dt>
							<dd>{does}</dd>
						</div>
					))}
				</dl>
				<p class="page-links">
					<a href="guide/">Guide</a>
					<a href="proof/">Proof: the same digests in your browser</a>
				</p>
			</section>
			<div class="offers">
				<OfferedWorld />
				<OwnWorlds />
				<SceneCards />
				<FirstCalls />
			</div>
		</main>
	);
}
