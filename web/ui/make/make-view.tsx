/**
 * The view Make, for editing a world: entities, picture, inspector, and the latest calls.
 * Owns: their layout. It stays on the page while another view is shown, so that the picture continues, unless that view has
 * the picture.
 */

import { useEffect, useState } from 'preact/hooks';
import type { PageView } from '../chrome/views.ts';
import { Stage } from '../stage/stage.tsx';
import { later } from '../state/later.tsx';
import { usePanels } from '../state/panels.ts';
import { EntityList } from './entity-list.tsx';
import { LatestCalls } from './latest-calls.tsx';
import { ToolBar } from './tool-bar.tsx';

/** The inspector is loaded later, because its forms are most of the panels' code. */
const Inspector = later(
	async () => (await import('./inspector.tsx')).Inspector,
	(words) => (
		<aside class="pane inspector" aria-label="Inspector">
			<p class="empty">{words}</p>
		</aside>
	),
);

export const make: PageView = {
	label: 'Make',
	icon: 'make',
	stays: true,
	selects: true,
	undoes: true,
	Component: MakeView,
};

function MakeView() {
	const { navigation } = usePanels();
	const [visited, setVisited] = useState(false);
	const isShown = navigation.view.value === 'make';
	useEffect(() => {
		if (isShown) setVisited(true);
	}, [isShown]);
	return (
		<main class={`view view-make${isShown ? '' : ' away'}`} aria-label="Make" inert={!isShown}>
			{isShown && <h1 class="only-said">Make</h1>}
			<EntityList />
			{!navigation.shown.value.stage && <Stage tools={isShown && <ToolBar />} />}
			{visited && <Inspector />}
			<LatestCalls />
		</main>
	);
}
