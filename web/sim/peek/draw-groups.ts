/**
 * Which draws of a tick can have a say in whether others are made.
 * Owns: following what is written to what is read later in the tick, in time that grows with what the actors read and
 * write together, not with the number of their pairs: a union-find (Tarjan 1975) over the actors.
 */

import { ANYTHING } from '../../../shared/verbs/touches.ts';

/** Something that acts in a tick: a rule, or what the engine itself leaves to chance. */
export interface Actor {
	/** Id of the rule, or key of the engine's source. */
	readonly key: number;
	/** Whether it draws. */
	readonly chance: boolean;
	/** What decides whether it acts, and for whom. */
	readonly when: ReadonlySet<string>;
	/** What decides what it does then. */
	readonly how: ReadonlySet<string>;
	readonly writes: ReadonlySet<string>;
}

/** Which draws belong together. */
export interface Groups {
	/** Group of each source of chance, by its key. */
	readonly of: ReadonlyMap<number, number>;
	/** Groups in which one draw can have a say in another, in the order of the tick. */
	readonly entangled: readonly number[];
}

/**
 * Whose draws have a say in something: the actors themselves, by their place in the tick, and whoever had a say in what
 * these read. Taken apart only when a draw depends on it, and then all of them are one group for good.
 */
interface Sayers {
	own: readonly number[];
	others: readonly Sayers[];
}

/** The groups of actors in the order of the tick. A group goes by the key of its first member. */
export function findGroups(actors: readonly Actor[]): Groups {
	const above = Int32Array.from(actors, (_, at) => at);
	const first = (member: number): number => {
		let at = member;
		while (above[at] !== at) {
			above[at] = above[above[at]!]!;
			at = above[at]!;
		}
		return at;
	};
	const join = (one: number, other: number): void => {
		const [a, b] = [first(one), first(other)];
		above[Math.max(a, b)] = Math.min(a, b);
	};
	const entangled = new Set<number>();
	const written = new Map<string, Sayers>();
	actors.forEach(({ key, chance, when, how, writes }, at) => {
		const deciding = sayersIn(written, when);
		if (chance && deciding.length > 0) {
			for (const sayer of takeApart(deciding, at)) join(sayer, at);
			entangled.add(at);
		}
		// A rule that can remove itself cuts off its own later draws.
		if (chance && writes.has(`rule:${key}`)) entangled.add(at);
		if (writes.size === 0) return;
		// What others do later because of an outcome is also the doing of who drew it.
		const sayers = { own: chance ? [at] : [], others: [...deciding, ...sayersIn(written, how)] };
		if (sayers.own.length === 0 && sayers.others.length === 0) return;
		for (const name of writes) {
			const before = written.get(name);
			written.set(name, before === undefined ? sayers : { own: [], others: [before, sayers] });
		}
	});
	const of = new Map<number, number>();
	actors.forEach(({ key, chance }, at) => {
		if (chance) of.set(key, actors[first(at)]!.key);
	});
	const groups = [...new Set([...entangled].map(first))].sort((a, b) => a - b);
	return { of, entangled: groups.map((at) => actors[at]!.key) };
}

/** Who had a say in any of some names. */
function sayersIn(written: ReadonlyMap<string, Sayers>, names: ReadonlySet<string>): Sayers[] {
	const found = new Set<Sayers>(names.has(ANYTHING) ? written.values() : []);
	const anything = written.get(ANYTHING);
	for (const name of names) {
		const sayers = written.get(name);
		if (sayers !== undefined) found.add(sayers);
		if (anything !== undefined && !name.startsWith('rule:')) found.add(anything);
	}
	return [...found];
}

/** All actors in some sayers. From then on `one` stands for them: they are to be one group with it. */
function takeApart(all: readonly Sayers[], one: number): number[] {
	const actors: number[] = [];
	const open = [...all];
	for (let sayers = open.pop(); sayers !== undefined; sayers = open.pop()) {
		actors.push(...sayers.own);
		open.push(...sayers.others);
		sayers.own = [one];
		sayers.others = [];
	}
	return actors;
}
