/**
 * The worlds as lines along the ticks: where each fork left its parent and how far it has come.
 * Owns: reading /fork/list and placing the lines. Never: draws.
 */

export const MAIN = 'main';

/** One world as the Forks view lists it. */
export interface WorldInfo {
	readonly id: string;
	/** Null of main. */
	readonly parent: string | null;
	readonly parentTick: number;
	readonly tick: number;
	readonly digest: string;
	readonly entityCount: number;
	readonly playing: boolean;
}

/** Reads /fork/list; empty when the answer has no details. */
export function readForks(body: unknown): readonly WorldInfo[] {
	if (typeof body !== 'object' || body === null || !('details' in body) || !Array.isArray(body.details))
		return [];
	return body.details.map((row: Record<string, unknown>) => ({
		id: String(row.fork_id),
		parent: String(row.parent),
		parentTick: Number(row.parent_tick),
		tick: Number(row.tick),
		digest: String(row.state_digest),
		entityCount: Number(row.entity_count),
		playing: row.playing === true,
	}));
}

/** Colour and line of a fork by its place in the list: never colour alone. */
export function forkStyle(index: number): 'one' | 'two' | 'three' | 'more' {
	return (['one', 'two', 'three'] as const)[index] ?? 'more';
}

export interface WorldLine {
	readonly world: WorldInfo;
	/** Row from the top, 0 = main. */
	readonly row: number;
	/** Row of the parent, or null. */
	readonly parentRow: number | null;
	/** 0 to 1 along the ticks. */
	readonly from: number;
	readonly to: number;
}

export interface WorldLines {
	readonly lines: readonly WorldLine[];
	/** Round ticks for the scale, with their place from 0 to 1. */
	readonly marks: readonly { readonly tick: number; readonly at: number }[];
}

/** Places main and its forks. The scale begins a little before the first branching and ends at the furthest tick. */
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
	const lines = all.map(
		(world, row): WorldLine => ({
			world,
			row,
			parentRow: world.parent === null ? null : (rows.get(world.parent) ?? 0),
			from: world.parent === null ? 0 : at(world.parentTick),
			to: at(world.tick),
		}),
	);
	const rough = length / 5;
	const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
	const step = Math.max(1, [1, 2, 5, 10].map((m) => m * power).find((m) => m >= rough) ?? rough);
	const marks: { tick: number; at: number }[] = [];
	for (let tick = Math.ceil(begin / step) * step; tick <= last; tick += step)
		marks.push({ tick, at: at(tick) });
	return { lines, marks };
}

/** A name for a new fork that is not taken: `plan-1`, `plan-2`, ... */
export function freeForkName(taken: ReadonlySet<string>, stem = 'plan'): string {
	for (let number = 1; ; number++) {
		const name = `${stem}-${number}`;
		if (!taken.has(name)) return name;
	}
}

/** Name for the fork that goes a way, from what is drawn on it: letters, digits and dashes, at most 24. */
export function wayName(choices: readonly { readonly label: string }[]): string {
	const words = choices.map(({ label }) => label).join(' ');
	const plain = words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
	return plain.slice(0, 24).replaceAll(/^-+|-+$/g, '') || 'way';
}
