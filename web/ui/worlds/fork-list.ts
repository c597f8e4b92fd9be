/**
 * The list of worlds: main and its forks.
 * Owns: reading /fork/list, the order and the marks of forks, and names for new forks. Never: draws.
 */

import { count, formatNumber } from '../numbers.ts';

export const MAIN = 'main';

const STYLES = ['one', 'two', 'three'] as const;

/** A world in the lists of panels. */
export interface WorldInfo {
	readonly id: string;
	/** Name for people, or empty. */
	readonly name: string;
	/** Null for main. */
	readonly parent: string | null;
	readonly parentTick: number;
	/** True if the parent was deleted or replaced. A world with its name is then another one. */
	readonly parentGone: boolean;
	readonly tick: number;
	readonly digest: string;
	/** Number of entities, rules included. */
	readonly entityCount: number;
	readonly ruleCount: number;
	readonly playing: boolean;
	/** Number of its colour and line, from 0; -1 for main. It never changes. */
	readonly mark: number;
}

/** A fork and the number of its colour and line. */
export type MarkedFork = Pick<WorldInfo, 'id' | 'mark'>;

/**
 * Returns the forks of /fork/list in drawing order; empty if the answer has no details. Forks in `before` keep their
 * marks. A new fork takes the first free mark. It reuses the mark of a deleted fork only if no other is free.
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
 * Returns the forks in the order of a tree, each below its parent, the latest first, so that no lines cross. Forks of the same
 * tick are sorted by name.
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

/** Returns the style of a world's mark: a colour and a line, so that it is distinct without colour. */
export function worldStyle({ mark }: WorldInfo): 'main' | (typeof STYLES)[number] | 'more' {
	return mark < 0 ? 'main' : (STYLES[mark] ?? 'more');
}

/** Returns the origin of a fork, such as `main, tick 120`. */
export function originWords({ parent, parentTick, parentGone }: WorldInfo): string {
	if (parent === null) return '';
	return `${parentGone ? 'an earlier ' : ''}${parent}, tick ${formatNumber(parentTick)}`;
}

/** Returns the content of a world, such as `7 entities, 1 rule`. Rules are not counted as entities. */
export function contentWords({ entityCount, ruleCount }: WorldInfo): string {
	const others = count(entityCount - ruleCount, 'entity', 'entities');
	return ruleCount === 0 ? others : `${others}, ${count(ruleCount, 'rule')}`;
}

/** Returns an unused name for a new fork: `plan-1`, `plan-2`, ... */
export function freeForkName(usedNames: ReadonlySet<string>, stem = 'plan'): string {
	for (let number = 1; ; number++) {
		const name = `${stem}-${number}`;
		if (!usedNames.has(name)) return name;
	}
}

/** Returns words as part of a fork's name: at most 24 letters, digits and dashes, or empty. */
export function forkStem(words: string): string {
	const plain = words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
	return plain.slice(0, 24).replaceAll(/^-+|-+$/g, '');
}

/** Returns the name of a fork from its outcomes. */
export const wayName = (choices: readonly { readonly label: string }[]): string =>
	forkStem(choices.map(({ label }) => label).join(' ')) || 'way';
