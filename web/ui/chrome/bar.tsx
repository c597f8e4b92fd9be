/**
 * The bar: which world, its time, its state, and the doors.
 * Owns: the order in the bar.
 */

import { usePanels } from '../state/panels.ts';
import { DoorLamps } from './door-lamps.tsx';
import { TickBox } from './tick-box.tsx';
import { TimeButtons } from './time-buttons.tsx';
import { WorldName } from './world-name.tsx';
import { WorldSelector } from './world-selector.tsx';

export function Bar() {
	const here = usePanels().worlds.selectedInfo.value;
	return (
		<header class="bar">
			<WorldSelector />
			{here !== null && here.name !== '' && <WorldName key={here.id} world={here} />}
			<TimeButtons />
			<span class="divider" />
			<TickBox />
			<span class="grow" />
			<DoorLamps />
		</header>
	);
}
