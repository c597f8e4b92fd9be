/**
 * What the view knows of the world that it shows: the newest value of each block of its frames.
 * Owns: putting frames together, which bring only what is new. Never: asks for frames or draws.
 */

import type { BlockName, BlockVersions, Frame, FrameBlocks, FrameEvent } from '../host/frames.ts';

/** A world at one moment, whole. */
export interface Shown {
	readonly world: string;
	readonly tick: number;
	readonly playing: boolean;
	readonly blocks: FrameBlocks;
}

export interface Taken {
	readonly shown: Shown;
	/** The same world before this frame; null when another was shown. */
	readonly before: Shown | null;
	/** The blocks that are not what they were before. */
	readonly changed: ReadonlySet<BlockName>;
	/** What happened since the frame before. */
	readonly events: readonly FrameEvent[];
}

export class KnownWorld {
	#shown: Shown | null = null;
	#versions: Partial<BlockVersions> = {};

	/** What is shown, or null before the first frame. */
	get shown(): Shown | null {
		return this.#shown;
	}

	/** The versions to ask with for a frame of `world`: none of another world's. */
	versions(world: string): Partial<BlockVersions> {
		return this.#shown?.world === world ? this.#versions : {};
	}

	/** Takes a frame in. Null when it leaves out what is not known here: all of it is to be asked for again. */
	take(frame: Frame): Taken | null {
		const before = this.#shown?.world === frame.world ? this.#shown : null;
		const known = before === null ? {} : this.#versions;
		const changed = new Set(Object.keys(frame.blocks) as BlockName[]);
		for (const name of Object.keys(frame.versions) as BlockName[]) {
			if (changed.has(name) || known[name] === frame.versions[name]) continue;
			this.#shown = null;
			this.#versions = {};
			return null;
		}
		const blocks = { ...before?.blocks, ...frame.blocks } as FrameBlocks;
		const shown = { world: frame.world, tick: frame.tick, playing: frame.playing, blocks };
		this.#shown = shown;
		this.#versions = frame.versions;
		return { shown, before, changed, events: before === null ? [] : frame.events };
	}
}
