/**
 * The start page: an introduction, the address for agents, worlds to open, and the first calls.
 * Owns: its texts. Never: makes a call.
 */

import { DoorLamps } from '../chrome/door-lamps.tsx';
import type { PageView } from '../chrome/views.ts';
import { CopyButton } from '../controls/copy-button.tsx';
import { Rings, Wordmark } from '../drawn/wordmark.tsx';
import { usePanels } from '../state/panels.ts';
import { FirstCalls } from './first-calls.tsx';
import { OfferedWorld, OwnWorlds } from './own-worlds.tsx';
import { SceneCards } from './scene-cards.tsx';
import { StartButtons } from './start-buttons.tsx';

const keys = (views: number) =>
	[
		[['1', '…', String(views)], 'the views'],
		[['Space'], 'run or pause'],
		[['.'], 'one tick (1/60 s)'],
		[['?'], 'all keys'],
	] as const;

export const start: PageView = {
	label: 'Start',
	icon: 'start',
	around: 'rail',
	Component: StartView,
};

function StartView() {
	const { navigation, services, worlds } = usePanels();
	const relay = services.doors.value.relay.state;
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
				<StartButtons />
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
