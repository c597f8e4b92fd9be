/**
 * The transports to the world (tab, service worker, relay), each with a lamp.
 * Owns: the words for the state of a transport.
 */

import { Lamp, type LampState } from '../drawn/marks.tsx';
import { formatMs } from '../numbers.ts';
import type { DoorStatus } from '../services.ts';
import { usePanels } from '../state/panels.ts';

const LAMPS: Readonly<Record<DoorStatus['state'], LampState>> = {
	ready: 'on',
	starting: 'waiting',
	off: 'hollow',
	lost: 'lost',
};
const WORDS: Readonly<Record<DoorStatus['state'], string>> = {
	ready: '',
	starting: 'starting',
	off: 'off',
	lost: 'lost, reconnecting',
};

export function DoorLamps() {
	const { services, navigation } = usePanels();
	const { tab, worker, relay } = services.doors.value;
	const isNoteClosed = services.holding.value === 'visiting' && navigation.isVisitNoteClosed.value;
	const doors = [
		['Tab', tab],
		['Service worker', worker],
		['Relay', relay],
	] as const;
	return (
		<ul class="doors" aria-label="Connections">
			{doors.map(([name, door]) => {
				const words = door.note ?? WORDS[door.state];
				const ms = door.p50_ms === undefined ? '' : `${formatMs(door.p50_ms)} ms`;
				return (
					<li
						key={name}
						class={door.state}
						title={`${name}: ${words || 'ready'}${ms ? `, median time of a call ${ms}` : ''}`}
					>
						<Lamp state={LAMPS[door.state]} />
						{name} <em class={door.state === 'ready' ? 'latency' : ''}>{words || ms}</em>
					</li>
				);
			})}
			{isNoteClosed && (
				<li>
					<button
						type="button"
						class="button small"
						title="Show which tab runs this world, and move it here"
						onClick={() => {
							navigation.isVisitNoteClosed.value = false;
						}}
					>
						Visiting
					</button>
				</li>
			)}
		</ul>
	);
}
