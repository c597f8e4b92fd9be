/**
 * Another world in place of the one that this browser keeps.
 * Owns: asking first. Nothing is shown where a relay keeps the world.
 */

import { usePanels } from '../state/panels.ts';

const QUESTION = 'Delete this world from this browser, with its forks and snapshots, and begin an empty one?';

export function StartAfresh() {
	const { forget } = usePanels().services;
	if (forget === undefined) return null;
	return (
		<button type="button" class="button large" onClick={() => confirm(QUESTION) && void forget()}>
			Start afresh
		</button>
	);
}
