/**
 * The view in which a world is made: entities, picture, inspector, the latest calls.
 * Owns: their places. It stays on the page while another view is shown, so that the picture lives on, unless that one
 * has the picture.
 */

import { StateBox } from '../chrome/tick-box.tsx';
import { Stage } from '../stage/stage.tsx';
import { usePanels } from '../state/panels.ts';
import { EntityList } from './entity-list.tsx';
import { Inspector } from './inspector.tsx';
import { LatestCalls } from './latest-calls.tsx';

export function MakeView() {
	const { navigation } = usePanels();
	const here = navigation.view.value === 'make';
	return (
		<main class={`view view-make${here ? '' : ' away'}`} aria-label="Make" inert={!here}>
			<EntityList />
			{navigation.view.value !== 'odds' && <Stage />}
			<Inspector />
			<LatestCalls />
			<StateBox />
		</main>
	);
}
