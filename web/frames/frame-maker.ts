/**
 * Makes frames for views in other tabs.
 * Owns: the reuse of an encoded frame for equal requests.
 */

import type { SlicedWork } from '../sim/core/sliced-work.ts';
import type { World } from '../sim/core/world.ts';
import type { EventTrails } from '../store/event-trail.ts';
import type { WorldEntry } from '../store/worlds.ts';
import { frameWork } from './frame.ts';
import { encodeFrame, FRAME_TYPE } from './frame-bytes.ts';
import type { BlockVersions, Frame } from './frames.ts';

/** A frame, with its bytes and their media type. */
export interface EncodedFrame {
	readonly frame: Frame;
	readonly bytes: Uint8Array;
	readonly type: string;
}

/** Makes a frame in slices. `copy`: a copy of the entry's world, or that world if it cannot change meanwhile. */
export type FrameMaker = (
	copy: World,
	entry: WorldEntry,
	versions: Partial<BlockVersions>,
	since: number | undefined,
) => SlicedWork<EncodedFrame>;

/** Returns a maker that keeps its last frame for equal requests. */
export function createFrameMaker(trails: EventTrails): FrameMaker {
	let last: { readonly world: World; readonly key: string; readonly result: EncodedFrame } | undefined;
	return function* (copy, entry, versions, since) {
		const { id, world, playing, speed } = entry;
		const key = `${id} ${world.version} ${world.tick} ${playing} ${speed} ${since} ${JSON.stringify(versions)}`;
		if (last === undefined || last.world !== world || last.key !== key) {
			const events = since === undefined ? [] : trails.viewEventsSince(entry, since);
			const frame = yield* frameWork(entry, versions, events, copy);
			const result = { frame, bytes: encodeFrame(frame), type: FRAME_TYPE };
			last = { world, key, result };
			return result;
		}
		return last.result;
	};
}
