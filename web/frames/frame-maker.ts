/**
 * Frames for views in other tabs.
 * Owns: the reuse of an encoded frame for equal requests.
 */

import type { SlicedWork } from '../sim/core/sliced-work.ts';
import type { World } from '../sim/core/world.ts';
import type { EventTrails } from '../store/event-trail.ts';
import type { WorldEntry } from '../store/worlds.ts';
import { frameWork } from './frame.ts';
import { encodeFrame, FRAME_TYPE } from './frame-bytes.ts';
import type { BlockVersions, Frame } from './frames.ts';

export interface EncodedFrame {
	readonly frame: Frame;
	readonly bytes: Uint8Array;
	readonly type: string;
}

/** Makes a frame in slices. `copy`: a copy of the entry's world if it may change meanwhile, or that world. */
export type FrameMaker = (
	copy: World,
	entry: WorldEntry,
	versions: Partial<BlockVersions>,
	since: number | undefined,
) => SlicedWork<EncodedFrame>;

/** Returns a maker that keeps its last frame for equal requests. */
export function frameMaker(happened: EventTrails): FrameMaker {
	let last: { readonly world: World; readonly key: string; readonly made: EncodedFrame } | undefined;
	return function* (copy, entry, versions, since) {
		const { id, world, playing, speed } = entry;
		const key = `${id} ${world.version} ${world.tick} ${playing} ${speed} ${since} ${JSON.stringify(versions)}`;
		if (last === undefined || last.world !== world || last.key !== key) {
			const events = since === undefined ? [] : happened.since(entry, since);
			const frame = yield* frameWork(entry, versions, events, copy);
			const result = { frame, bytes: encodeFrame(frame), type: FRAME_TYPE };
			last = { world, key, made: result };
			return result;
		}
		return last.made;
	};
}
