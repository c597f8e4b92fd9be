/**
 * Handing the worlds from the tab that loses the place to the one that takes it.
 * Owns: the channel between them. Neither waits for the other for ever.
 */

import type { SavedWorlds } from './frames.ts';

const CHANNEL = 'orrery-handover';
/** Longest time the tab that takes over waits for the worlds (ms). */
const WAIT_MS = 5000;

export function handOver(saved: SavedWorlds): void {
	const channel = new BroadcastChannel(CHANNEL);
	channel.postMessage(saved);
	channel.close();
}

/** The worlds of the tab that held the place, or undefined when they do not come: it may have crashed. */
export function receiveWorlds(): Promise<SavedWorlds | undefined> {
	const channel = new BroadcastChannel(CHANNEL);
	return new Promise((resolve) => {
		const end = (saved: SavedWorlds | undefined) => {
			clearTimeout(late);
			channel.close();
			resolve(saved);
		};
		const late = setTimeout(() => end(undefined), WAIT_MS);
		channel.onmessage = ({ data }: MessageEvent<SavedWorlds>) => end(data);
	});
}
