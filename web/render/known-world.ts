/**
 * State of the shown world in the view: the newest value of each block of its frames.
 * Owns: combining frames, which bring only what is new. Never: asks for frames or draws.
 */

import type {
	BlockName,
	BlockVersions,
	Frame,
	FrameBlocks,
	FrameEvent,
	FrameTerrains,
} from '../frames/frames.ts';

/** A world at one moment, whole. */
export interface Shown {
	readonly world: string;
	readonly line: number;
	readonly tick: number;
	readonly playing: boolean;
	readonly speed: number;
	readonly blocks: FrameBlocks;
}

export interface Taken {
	readonly shown: Shown;
	/** The same world before this frame; null when another was shown. */
	readonly before: Shown | null;
	/** The blocks that are not what they were before. */
	readonly changed: ReadonlySet<BlockName>;
	/** Events since the frame before. */
	readonly events: readonly FrameEvent[];
}

export class KnownWorld {
	#current: Shown | null = null;
	#versions: Partial<BlockVersions> = {};

	/** World that is shown, or null before the first frame. */
	get shown(): Shown | null {
		return this.#current;
	}

	/** Returns the versions to ask with for a frame of `world`: none of another world's. */
	versions(world: string): Partial<BlockVersions> {
		return this.#current?.world === world ? this.#versions : {};
	}

	/** Returns the last frame of `world`, to ask with for the next one. */
	state(world: string): { readonly since: number; readonly playing: boolean } {
		const shown = this.#current?.world === world ? this.#current : null;
		return { since: shown?.tick ?? -1, playing: shown?.playing ?? false };
	}

	/** Takes a frame in. Null if it leaves out what is not known here: all of it is to be asked for again. */
	take(frame: Frame): Taken | null {
		const before = this.#current?.world === frame.world ? this.#current : null;
		const known = before === null ? {} : this.#versions;
		const changed = new Set(Object.keys(frame.blocks) as BlockName[]);
		const whole = (Object.keys(frame.versions) as BlockName[]).every(
			(name) => changed.has(name) || known[name] === frame.versions[name],
		);
		const sent = frame.blocks.terrains;
		const terrains =
			sent === undefined ? before?.blocks.terrains : withChunks(sent, before?.blocks.terrains.chunks ?? []);
		if (!whole || terrains === undefined) {
			this.#current = null;
			this.#versions = {};
			return null;
		}
		const blocks = { ...before?.blocks, ...frame.blocks, terrains } as FrameBlocks;
		const { world, line, tick, playing, speed } = frame;
		const shown = { world, line, tick, playing, speed, blocks };
		this.#current = shown;
		this.#versions = frame.versions;
		return { shown, before, changed, events: before === null ? [] : frame.events };
	}
}

/** Terrains with all of their chunks, those that were not sent from the ones held; undefined when some are nowhere. */
function withChunks(sent: FrameTerrains, frameChunks: FrameTerrains['chunks']): FrameTerrains | undefined {
	const found = new Map([...frameChunks, ...sent.chunks].map((chunk) => [chunk.number, chunk]));
	const wanted = new Set(sent.terrains.flatMap(({ chunks }) => chunks));
	wanted.delete(0);
	const chunks = [...wanted].flatMap((number) => found.get(number) ?? []);
	return chunks.length < wanted.size ? undefined : { terrains: sent.terrains, chunks };
}
