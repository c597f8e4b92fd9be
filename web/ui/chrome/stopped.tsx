/**
 * Message that the engine has stopped.
 * Owns: the words, and the buttons that reload the page or start afresh.
 */

import { Icon } from '../drawn/icon.tsx';
import { StartAfresh } from '../start/start-afresh.tsx';

export function Stopped({ reason }: { readonly reason: string }) {
	return (
		<main class="whole-page" aria-label="The engine stopped">
			<div class="card-plate error">
				<Icon name="warn" />
				<h1>The engine stopped</h1>
				<p>{reason}</p>
				<button type="button" class="button primary large" onClick={() => location.reload()}>
					Reload the page
				</button>
				<StartAfresh />
			</div>
		</main>
	);
}
