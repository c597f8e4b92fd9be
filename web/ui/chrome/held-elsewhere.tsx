/**
 * Notice of a tab that waits because another tab owns this world.
 * Owns: the words. Never: takes the world over by itself.
 */

import { Emblem } from '../drawn/wordmark.tsx';
import { usePanels } from '../state/panels.ts';

export function HeldElsewhere() {
	const { services } = usePanels();
	return (
		<main class="whole-page" aria-label="Another tab runs this world">
			<div class="card-plate">
				<Emblem />
				<h1>Another tab runs this world</h1>
				<p>
					This tab is waiting. You can move the world to this tab. It keeps its forks and snapshots, and
					waiting requests continue here.
				</p>
				<button type="button" class="button primary large" onClick={() => services.takeOver()}>
					Move the world here
				</button>
				<p class="faint">Or continue in the other tab.</p>
			</div>
		</main>
	);
}
