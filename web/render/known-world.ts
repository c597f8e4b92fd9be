/**
 * State of the shown world in the view: the newest value of each block of its frames.
 * Owns: the combination of frames, which contain only changed blocks. Never: requests frames or draws.
 */

import type {
	BlockName,
	BlockVersions,
	Frame,
	FrameBlocks,
	FrameEvent,
	FrameTerrains,
} from '../frames/frames.ts';

/** All blocks of a world at one tick. */
export interface ShownWorld {
	readonly world: string;
	readonly line: number;
	readonly tick: number;
	readonly playing: boolean;
	readonly speed: number;
	readonly blocks: FrameBlocks;
}

export interface FrameChange {
	readonly shown: ShownWorld;
	/** State of the same world before this frame; null if another world was shown. */
	readonly previous: ShownWorld | null;
	/** Blocks that changed with this frame. */
	readonly changed: ReadonlySet<BlockName>;
	/** Events since the previous frame. */
	readonly events: readonly FrameEvent[];
}

export class KnownWorld {
	#current: ShownWorld | null = null;
	#versions: Partial<BlockVersions> = {};

	/** Shown world; null before the first frame. */
	get shown(): ShownWorld | null {
		return this.#current;
	}

	/** Returns the known versions of blocks for a request of `world`; none if another world is shown. */
	versions(world: string): Partial<BlockVersions> {
		return this.#current?.world === world ? this.#versions : {};
	}

	/** Returns tick and play state of the last frame of `world`, for the next request. */
	state(world: string): { readonly since: number; readonly playing: boolean } {
		const shown = this.#current?.world === world ? this.#current : null;
		return { since: shown?.tick ?? -1, playing: shown?.playing ?? false };
	}

	/** Adds a frame. Returns null if the frame omits blocks that are unknown here, so that all must be requested again. */
	addFrame(frame: Frame): FrameChange | null {
		const previous = this.#current?.world === frame.world ? this.#current : null;
		const known = previous === null ? {} : this.#versions;
		const changed = new Set(Object.keys(frame.blocks) as BlockName[]);
		const isComplete = (Object.keys(frame.versions) as BlockName[]).every(
			(name) => changed.has(name) || known[name] === frame.versions[name],
		);
		const sentTerrains = frame.blocks.terrains;
		const terrains =
			sentTerrains === undefined
				? previous?.blocks.terrains
				: withChunks(sentTerrains, previous?.blocks.terrains.chunks ?? []);
		if (!isComplete || terrains === undefined) {
			this.#current = null;
			this.#versions = {};
			return null;
		}
		const blocks = { ...previous?.blocks, ...frame.blocks, terrains } as FrameBlocks;
		const { world, line, tick, playing, speed } = frame;
		const shown = { world, line, tick, playing, speed, blocks };
		this.#current = shown;
		this.#versions = frame.versions;
		return { shown, previous, changed, events: previous === null ? [] : frame.events };
	}
}

/** Returns terrains with all their chunks, from the frame and from known ones; undefined if a chunk is missing. */
function withChunks(
	sentTerrains: FrameTerrains,
	knownChunks: FrameTerrains['chunks'],
): FrameTerrains | undefined {
	const chunkByNumber = new Map(
		[...knownChunks, ...sentTerrains.chunks].map((chunk) => [chunk.number, chunk]),
	);
	const neededNumbers = new Set(sentTerrains.terrains.flatMap(({ chunks }) => chunks));
	neededNumbers.delete(0);
	const chunks = [...neededNumbers].flatMap((number) => chunkByNumber.get(number) ?? []);
	return chunks.length < neededNumbers.size ? undefined : { terrains: sentTerrains.terrains, chunks };
}
