/**
 * What a tab says that stands by: another one holds this world.
 * Owns: the words. Never: takes over by itself.
 */

import { Emblem } from '../drawn/wordmark.tsx';
import { usePanels } from '../state/panels.ts';

export function HeldElsewhere() {
	const { services } = usePanels();
	return (
		<main class="whole-page" aria-label="Another tab holds this world">
			<div class="card-plate">
				<Emblem />
				<h1>Another tab holds this world</h1>
				<p>
					This one stands by. When it holds the world, that comes here as it is, with its forks and snapshots,
					and requests that wait go on here.
				</p>
				<button type="button" class="button primary large" onClick={() => services.takeOver()}>
					Hold the world here
				</button>
				<p class="faint">Or go on in the other.</p>
			</div>
		</main>
	);
}
