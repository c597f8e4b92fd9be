/**
 * Frames for views in other tabs.
 * Owns: that a frame is made and encoded once, however many ask for it.
 */

import type { World } from '../sim/core/world.ts';
import type { EventTrails } from '../store/event-trail.ts';
import type { WorldEntry } from '../store/worlds.ts';
import { frameOf } from './frame.ts';
import { encodeFrame, FRAME_TYPE } from './frame-bytes.ts';
import type { BlockVersions, Frame } from './frames.ts';

export interface EncodedFrame {
	readonly frame: Frame;
	readonly bytes: Uint8Array;
	readonly type: string;
}

/** Keeps the frame that was made last. */
export function frameMaker(
	happened: EventTrails,
): (entry: WorldEntry, known: Partial<BlockVersions>, since: number | undefined) => EncodedFrame {
	let last: { readonly world: World; readonly key: string; readonly made: EncodedFrame } | undefined;
	return (entry, known, since) => {
		const { id, world, playing, speed } = entry;
		const key = `${id} ${world.version} ${world.tick} ${playing} ${speed} ${since} ${JSON.stringify(known)}`;
		if (last === undefined || last.world !== world || last.key !== key) {
			const frame = frameOf(entry, known, since === undefined ? [] : happened.since(entry, since));
			last = { world, key, made: { frame, bytes: encodeFrame(frame), type: FRAME_TYPE } };
		}
		return last.made;
	};
}
