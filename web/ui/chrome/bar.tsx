/**
 * The bar: the selected world, its time, its state, and its connections.
 * Owns: their order.
 */

import { usePanels } from '../state/panels.ts';
import { DoorLamps } from './door-lamps.tsx';
import { TickBox } from './tick-box.tsx';
import { TimeButtons } from './time-buttons.tsx';
import { WorldName } from './world-name.tsx';
import { WorldSelector } from './world-selector.tsx';

export function Bar() {
	const world = usePanels().worlds.selectedInfo.value;
	return (
		<header class="bar">
			<WorldSelector />
			{world !== null && world.name !== '' && <WorldName key={world.id} world={world} />}
			<TimeButtons />
			<span class="divider" />
			<TickBox />
			<span class="grow" />
			<DoorLamps />
		</header>
	);
}
