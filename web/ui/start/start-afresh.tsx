/**
 * Another world in place of the one that this browser keeps.
 * Owns: asking first, and that only the tab that holds the world offers it. Nothing is shown where a relay keeps the world.
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
