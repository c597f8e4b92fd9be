/**
 * Which draws of a tick can have a say in whether others are made.
 * Owns: following what is written to what is read later in the tick, in time that grows with what the actors read and
 * write together, not with the number of their pairs: a union-find (Tarjan 1975) over the actors.
 */

import { ANYTHING } from '../../../shared/verbs/access.ts';

/** Something that acts in a tick: a system, or a rule. */
export interface Actor {
	/** Id of the rule, or key of the engine's source of chance. */
	readonly key: number;
	/** Whether it draws. */
	readonly chance: boolean;
	/** What decides whether it acts, and for whom. */
	readonly when: ReadonlySet<string>;
	/** What decides what it does then. */
	readonly how: ReadonlySet<string>;
	readonly writes: ReadonlySet<string>;
	/** What its own draws decide of that. */
	readonly changes: ReadonlySet<string>;
	/** What it looks at from one of its draws to the next. */
	readonly between: ReadonlySet<string>;
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
	const add = (name: string, sayers: Sayers): void => {
		const before = written.get(name);
		written.set(name, before === undefined ? sayers : { own: [], others: [before, sayers] });
	};
	actors.forEach(({ chance, when, how, writes, changes, between }, at) => {
		const deciding = sayersIn(written, when);
		if (chance && deciding.length > 0) {
			for (const sayer of takeApart(deciding, at)) join(sayer, at);
			entangled.add(at);
		}
		// What meets its own later draws, as a rule does that can remove itself.
		if (chance && [...changes].some((name) => between.has(name))) entangled.add(at);
		// What others do later because of an outcome is also the doing of who drew it.
		const others = [...deciding, ...sayersIn(written, how)];
		const drawn: Sayers = { own: [at], others };
		if (chance) for (const name of changes) add(name, drawn);
		if (others.length === 0) return;
		const carried: Sayers = { own: [], others };
		for (const name of writes) if (!chance || !changes.has(name)) add(name, carried);
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
	if (names.has(ANYTHING)) return [...new Set(written.values())];
	const found = new Set<Sayers>();
	for (const name of names) {
		const sayers = written.get(name);
		if (sayers !== undefined) found.add(sayers);
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
