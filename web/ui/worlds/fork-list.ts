/**
 * The existing worlds: main and its forks.
 * Owns: reading /fork/list, the order and the marks of forks, and names for new ones. Never: draws.
 */

import { count, formatNumber } from '../numbers.ts';

export const MAIN = 'main';

const STYLES = ['one', 'two', 'three'] as const;

/** One world as panels list it. */
export interface WorldInfo {
	readonly id: string;
	/** Its own name, for people; empty: none. */
	readonly name: string;
	/** Null of main. */
	readonly parent: string | null;
	readonly parentTick: number;
	/** The parent was deleted or replaced; a world of that name now is another one. */
	readonly parentGone: boolean;
	readonly tick: number;
	readonly digest: string;
	/** Rules are among them. */
	readonly entityCount: number;
	readonly ruleCount: number;
	readonly playing: boolean;
	/** Number of its colour and line for as long as it lives, from 0; -1 of main. */
	readonly mark: number;
}

/** A fork and the number of its colour and line. */
export type MarkedFork = Pick<WorldInfo, 'id' | 'mark'>;

/**
 * Reads /fork/list into the order of the drawing; empty if the answer has no details. Forks that were there `before`
 * keep their marks. New ones take the first that is free, and one of a fork that has just gone only if no other is
 * left.
 */
export function readForks(body: unknown, before: readonly MarkedFork[] = []): readonly WorldInfo[] {
	if (typeof body !== 'object' || body === null || !('details' in body) || !Array.isArray(body.details))
		return [];
	const rows: readonly Record<string, unknown>[] = body.details;
	const ids = new Set(rows.map((row) => String(row.fork_id)));
	const marks = new Map(before.filter(({ id }) => ids.has(id)).map(({ id, mark }) => [id, mark]));
	const usedNumbers = new Set(marks.values());
	const earlierMarks = new Set(before.map(({ mark }) => mark));
	const markOf = (id: string): number => {
		let mark =
			marks.get(id) ?? STYLES.map((_, at) => at).find((at) => !usedNumbers.has(at) && !earlierMarks.has(at));
		for (let free = 0; mark === undefined; free++) if (!usedNumbers.has(free)) mark = free;
		usedNumbers.add(mark);
		return mark;
	};
	const forks = rows.map((row) => ({
		id: String(row.fork_id),
		name: typeof row.world_name === 'string' ? row.world_name : '',
		parent: String(row.parent),
		parentTick: Number(row.parent_tick),
		parentGone: row.parent_gone === true,
		tick: Number(row.tick),
		digest: String(row.state_digest),
		entityCount: Number(row.entity_count),
		ruleCount: Number(row.rule_count),
		playing: row.playing === true,
		mark: markOf(String(row.fork_id)),
	}));
	return inTreeOrder(forks);
}

/**
 * Returns each fork below its parent, the latest branched first, so that no line crosses another; those of the same
 * tick as their names count.
 */
function inTreeOrder(forks: readonly WorldInfo[]): readonly WorldInfo[] {
	const ids = new Set(forks.map(({ id }) => id));
	const children = new Map<string, WorldInfo[]>();
	for (const fork of forks) {
		const parent = fork.parent !== null && ids.has(fork.parent) ? fork.parent : MAIN;
		children.set(parent, [...(children.get(parent) ?? []), fork]);
	}
	const below = (id: string): readonly WorldInfo[] =>
		(children.get(id) ?? [])
			.sort((a, b) => b.parentTick - a.parentTick || a.id.localeCompare(b.id, 'en', { numeric: true }))
			.flatMap((fork) => [fork, ...below(fork.id)]);
	return below(MAIN);
}

/** Colour and line of a world by its mark: never colour alone. */
export function worldStyle({ mark }: WorldInfo): 'main' | (typeof STYLES)[number] | 'more' {
	return mark < 0 ? 'main' : (STYLES[mark] ?? 'more');
}

/** `main, tick 120`, as the list of worlds names where a fork comes from. */
export function originWords({ parent, parentTick, parentGone }: WorldInfo): string {
	if (parent === null) return '';
	return `${parentGone ? 'an earlier ' : ''}${parent}, tick ${formatNumber(parentTick)}`;
}

/** `7 entities, 1 rule`: the rules of a world are not counted twice. */
export function contentWords({ entityCount, ruleCount }: WorldInfo): string {
	const others = count(entityCount - ruleCount, 'entity', 'entities');
	return ruleCount === 0 ? others : `${others}, ${count(ruleCount, 'rule')}`;
}

/** A name for a new fork that is not taken: `plan-1`, `plan-2`, ... */
export function freeForkName(usedNames: ReadonlySet<string>, stem = 'plan'): string {
	for (let number = 1; ; number++) {
		const name = `${stem}-${number}`;
		if (!usedNames.has(name)) return name;
	}
}

/** Words as a part of a fork's name: letters, digits and dashes, at most 24; empty if there are none. */
export function forkStem(words: string): string {
	const plain = words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
	return plain.slice(0, 24).replaceAll(/^-+|-+$/g, '');
}

/** Name for the fork that goes a way, from what is drawn on it. */
export const wayName = (choices: readonly { readonly label: string }[]): string =>
	forkStem(choices.map(({ label }) => label).join(' ')) || 'way';
