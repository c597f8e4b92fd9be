/**
 * Notice of a page that visits a world: the owner of the world, and a button to take the world over.
 * Owns: the words. Never: takes the world over by itself.
 */

import { Icon } from '../drawn/icon.tsx';
import type { Arriving } from '../services.ts';
import { usePanels } from '../state/panels.ts';

const HOLDERS = {
	headless: 'The server runs this world.',
	tab: 'Another tab runs this world.',
	nobody: 'No tab runs a world at the moment. One is being started.',
} as const;

function progress(arriving: Arriving): string {
	if ('failed' in arriving) return `The world was not moved: ${arriving.failed}`;
	return 'Waiting for the end of the current call.';
}

export function VisitNote() {
	const { services, navigation } = usePanels();
	const arriving = services.arriving.value;
	const moving = arriving !== null && !('failed' in arriving);
	return (
		<aside class="visit-note" aria-label="Visiting">
			<Icon name="look" small />
			<p role="status">
				<b>Visiting.</b> {HOLDERS[services.holder.value]}{' '}
				<span class="soft">
					{arriving === null ? 'You can watch and control it from here.' : progress(arriving)}
				</span>
			</p>
			<button
				type="button"
				class="button small"
				disabled={moving}
				title="Move the world to this tab, with its forks and snapshots"
				onClick={() => services.takeOver()}
			>
				{moving && <span class="waiting-ring" />}
				Move the world here
			</button>
			<button
				type="button"
				class="button small square quiet"
				aria-label="Close"
				title="Close; beside the connections it can be opened again"
				onClick={() => {
					navigation.isVisitNoteClosed.value = true;
				}}
			>
				<Icon name="close" small />
			</button>
		</aside>
	);
}
