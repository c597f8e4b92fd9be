/**
 * Worlds as lines over the ticks, from the branching of each fork to its current tick.
 * Owns: placing the lines. Never: draws.
 */

import type { WorldInfo } from '../worlds/fork-list.ts';

export interface WorldLine {
	readonly world: WorldInfo;
	/** Row from the top, 0 = main. */
	readonly row: number;
	/** Row of the line at which it branches; null for main, and if no line has that tick. */
	readonly parentRow: number | null;
	/** Start and end from 0 to 1 along the ticks. */
	readonly from: number;
	readonly to: number;
}

export interface WorldLines {
	readonly lines: readonly WorldLine[];
	/** Round ticks for the scale, with their place from 0 to 1. */
	readonly marks: readonly { readonly tick: number; readonly at: number }[];
}

/**
 * Places main and its forks. The scale starts shortly before the first branching, and ends at the latest tick.
 */
export function worldLines(main: WorldInfo, forks: readonly WorldInfo[]): WorldLines {
	const all = [main, ...forks];
	const ends = all.flatMap(({ tick, parentTick, parent }) => (parent === null ? [tick] : [tick, parentTick]));
	const last = Math.max(...ends);
	const first = Math.min(...ends);
	const span = Math.max(60, last - first);
	const begin = Math.max(0, first - span * 0.25);
	const length = Math.max(1, last - begin);
	const at = (tick: number) => Math.min(1, Math.max(0, (tick - begin) / length));
	const rows = new Map(all.map(({ id }, row) => [id, row]));
	/** Returns the ancestor whose line has the branching. A parent that was created later has the past of its own parent. */
	const leaves = ({ parent, parentTick }: WorldInfo): WorldInfo | null => {
		let from = all.find(({ id }) => id === parent) ?? main;
		for (let up = all.length; up > 0 && from.parent !== null && from.parentTick > parentTick; up--)
			from = all.find(({ id }) => id === from.parent) ?? main;
		return from.tick < parentTick ? null : from;
	};
	const lines = all.map((world, row): WorldLine => {
		const from = world.parent === null ? null : leaves(world);
		return {
			world,
			row,
			parentRow: from === null ? null : rows.get(from.id)!,
			from: world.parent === null ? 0 : at(world.parentTick),
			to: at(world.tick),
		};
	});
	const rough = length / 5;
	const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
	const step = Math.max(1, [1, 2, 5, 10].map((m) => m * power).find((m) => m >= rough) ?? rough);
	const marks: { tick: number; at: number }[] = [];
	for (let tick = Math.ceil(begin / step) * step; tick <= last; tick += step)
		marks.push({ tick, at: at(tick) });
	return { lines, marks };
}
