/**
 * The start page: a few words, where agents send their requests, worlds to open, and the first calls.
 * Owns: its words. Never: a call.
 */

import { DoorLamps } from '../chrome/door-lamps.tsx';
import { VIEW_NAMES } from '../chrome/keys.ts';
import { CopyButton } from '../controls/copy-button.tsx';
import { Icon } from '../drawn/icon.tsx';
import { Rings, Wordmark } from '../drawn/wordmark.tsx';
import { usePanels } from '../state/panels.ts';
import { FirstCalls } from './first-calls.tsx';
import { SceneCards } from './scene-cards.tsx';

const KEYS = [
	[['1', '…', String(VIEW_NAMES.length)], 'the views'],
	[['Space'], 'run or pause'],
	[['.'], 'one tick (1/60 s)'],
	[['?'], 'all keys'],
] as const;

export function StartView() {
	const { navigation, services, worlds } = usePanels();
	const relay = services.doors.value.relay.state;
	const empty = (worlds.main.value?.entityCount ?? 0) === 0;
	const port = /:(\d+)/.exec(services.address)?.[1] ?? '3917';
	return (
		<main class="view view-start" aria-label="Start">
			<section class="intro">
				<Rings />
				<Wordmark />
				<h1>
					One world,
					<br />
					two ways in.
				</h1>
				<p>You build it in this tab. Agents drive it over HTTP. Both see exactly the same tick.</p>
				<div class="start-buttons">
					<button type="button" class="button primary large" onClick={() => navigation.go('make')}>
						<Icon name="make" />
						{empty ? 'Make something' : 'Open the world'}
					</button>
					<button type="button" class="button large" onClick={() => navigation.go('api')}>
						Read the API
					</button>
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
					{KEYS.map(([caps, does]) => (
						<div key={does}>
							<dt>
								{caps.map((cap) => (cap === '…' ? <span key={cap}>…</span> : <kbd key={cap}>{cap}</kbd>))}
							</dt>
							<dd>{does}</dd>
						</div>
					))}
				</dl>
			</section>
			<div class="offers">
				<SceneCards />
				<FirstCalls />
			</div>
		</main>
	);
}
