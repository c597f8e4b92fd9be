/**
 * The bar: which world, its time, its state, and the doors.
 * Owns: the order in the bar.
 */

import { DoorLamps } from './door-lamps.tsx';
import { TickBox } from './tick-box.tsx';
import { TimeButtons } from './time-buttons.tsx';
import { WorldSelector } from './world-selector.tsx';

export function Bar() {
	return (
		<header class="bar">
			<WorldSelector />
			<TimeButtons />
			<span class="divider" />
			<TickBox />
			<span class="grow" />
			<DoorLamps />
		</header>
	);
}
