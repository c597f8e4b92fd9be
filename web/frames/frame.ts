/**
 * Reads frames for the view from worlds, without the blocks that the reader already has. `drawn/index.ts` lists all blocks.
 */

import { finishWork, type SlicedWork } from '../sim/core/sliced-work.ts';
import type { World } from '../sim/core/world.ts';
import type { WorldEntry } from '../store/worlds.ts';
import type { DrawnBlock } from './drawn/drawn.ts';
import { toOwnNumber, toViewNumber } from './drawn/identity.ts';
import { type BlockName, drawn, type FrameBlocks } from './drawn/index.ts';
import { drawnSlots } from './drawn/rows.ts';
import type { BlockVersions, Frame, FrameEvent } from './frames.ts';

const names = Object.keys(drawn) as BlockName[];

/**
 * Returns the current frame of a world, without the blocks whose versions are known. Some blocks contain only their changes since
 * the known version.
 */
export const frameOf = (
	entry: WorldEntry,
	versions: Partial<BlockVersions> = {},
	events: readonly FrameEvent[] = [],
): Frame => finishWork(frameWork(entry, versions, events, entry.world));

/** Returns the same frame, read in slices, one per block. The blocks are read from `copy`, because the world may change meanwhile. */
export function* frameWork(
	{ id, world, line, playing, speed }: WorldEntry,
	known: Partial<BlockVersions>,
	events: readonly FrameEvent[],
	copy: World,
): SlicedWork<Frame> {
	const { tick } = world;
	const versions = Object.fromEntries(
		names.map((name) => [name, toViewNumber(drawn[name].version(world))]),
	) as {
		[Name in BlockName]: number;
	};
	const blocks: { [Name in BlockName]?: unknown } = {};
	let slots: readonly number[] | undefined;
	for (const name of names) {
		const block: DrawnBlock<unknown> = drawn[name];
		const knownVersion = known[name];
		if (knownVersion === versions[name]) continue;
		slots ??= drawnSlots(copy);
		blocks[name] = block.read(
			copy,
			slots,
			knownVersion === undefined ? undefined : toOwnNumber(knownVersion),
		);
		yield;
	}
	return {
		world: id,
		line: line.number,
		tick,
		playing,
		speed,
		versions,
		blocks: blocks as Partial<FrameBlocks>,
		events,
	};
}

/** Returns all blocks of a world, for a picture. */
export function blocksOf(world: World): FrameBlocks {
	const slots = drawnSlots(world);
	const read = (name: BlockName): unknown => (drawn[name] as DrawnBlock<unknown>).read(world, slots);
	return Object.fromEntries(names.map((name) => [name, read(name)])) as unknown as FrameBlocks;
}

/** Returns the buffers of blocks, for the transfer list of a message. */
export function blockBuffers(blocks: Partial<FrameBlocks>): ArrayBuffer[] {
	const buffers: ArrayBuffer[] = [];
	for (const block of Object.values(blocks)) {
		const values = ArrayBuffer.isView(block) ? [block] : Object.values(block);
		for (const value of values) if (ArrayBuffer.isView(value)) buffers.push(value.buffer as ArrayBuffer);
	}
	return buffers;
}
