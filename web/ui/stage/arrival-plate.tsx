/**
 * Plate over the picture while the world of the panels is not drawn yet.
 * Owns: its words. Never: switches the world.
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
