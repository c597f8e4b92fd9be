/**
 * The button that deletes the world that this browser stores, and starts an empty one.
 * Owns: the question, and offering it only in the tab that runs the world. With a relay, nothing is shown.
 */

import { usePanels } from '../state/panels.ts';

const QUESTION = 'Delete this world with its forks and snapshots from this browser, and start an empty one?';

export function StartAfresh() {
	const { forget, holding } = usePanels().services;
	if (forget === undefined) return null;
	if (holding.value === 'visiting')
		return (
			<p class="soft">To start afresh, use the tab that runs this world, or move the world here first.</p>
		);
	return (
		<button type="button" class="button large" onClick={() => confirm(QUESTION) && void forget()}>
			Start afresh
		</button>
	);
}
