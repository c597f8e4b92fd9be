/**
 * The plate over the picture while it shows another world than the panels.
 * Owns: its words. Never: switches a world.
 */

import { usePanels } from '../state/panels.ts';

export function ArrivalPlate() {
	const { scenes, services, worlds } = usePanels();
	const shows = services.shows.value;
	const selected = worlds.selected.value;
	const arriving = scenes.arriving.value;
	if (arriving === null && (shows === null || shows.world === selected)) return null;
	return (
		<div class="arrival" role="status">
			<span class="waiting-ring" />
			<p>{arriving ?? selected}</p>
		</div>
	);
}
