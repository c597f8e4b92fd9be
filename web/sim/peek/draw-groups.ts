/**
 * Finds groups of draws in a tick that can influence each other.
 * Owns: following writes to later reads in a tick, with a union-find (Tarjan 1975) over the actors. The cost grows with the
 * number of reads and writes, not with the number of pairs.
 */

import { ANYTHING } from '../../../shared/verbs/access.ts';

/** A part of the tick that reads and writes: a system, or a rule. */
export interface DrawActor {
	/** Id of the rule, or key of the engine's source of chance. */
	readonly key: number;
	/** True if it draws. */
	readonly draws: boolean;
	/** Names that decide if it acts, and for which entities. */
	readonly when: ReadonlySet<string>;
	/** Names that decide its effect. */
	readonly how: ReadonlySet<string>;
	readonly writes: ReadonlySet<string>;
	/** Names whose values its own draws decide. */
	readonly changes: ReadonlySet<string>;
	/** Names that it reads between one of its draws and the next. */
	readonly between: ReadonlySet<string>;
}

/** Groups of dependent draws. */
export interface DrawGroups {
	/** Group of each source of chance, by its key. */
	readonly groupByKey: ReadonlyMap<number, number>;
	/** Groups in which one draw can influence another, in the order of the tick. */
	readonly entangled: readonly number[];
}

/**
 * The actors whose draws influence a name: actors by their position in the tick, and the influences on their reads. It is
 * flattened only when a draw depends on it. Then all of them form one group.
 */
interface Influence {
	own: readonly number[];
	others: readonly Influence[];
}

/** Returns the groups of actors in the order of the tick. The key of a group is that of its first member. */
export function findGroups(actors: readonly DrawActor[]): DrawGroups {
	const parents = Int32Array.from(actors, (_, index) => index);
	const rootOf = (member: number): number => {
		let index = member;
		while (parents[index] !== index) {
			parents[index] = parents[parents[index]!]!;
			index = parents[index]!;
		}
		return index;
	};
	const join = (member: number, other: number): void => {
		const [a, b] = [rootOf(member), rootOf(other)];
		parents[Math.max(a, b)] = Math.min(a, b);
	};
	const entangled = new Set<number>();
	const written = new Map<string, Influence>();
	const add = (name: string, influence: Influence): void => {
		const before = written.get(name);
		written.set(name, before === undefined ? influence : { own: [], others: [before, influence] });
	};
	actors.forEach(({ draws: chance, when, how, writes, changes, between }, at) => {
		const deciding = influencesOn(written, when);
		if (chance && deciding.length > 0) {
			for (const actor of flatten(deciding, at)) join(actor, at);
			entangled.add(at);
		}
		// An actor that influences its own later draws, such as a rule that can remove itself.
		if (chance && [...changes].some((name) => between.has(name))) entangled.add(at);
		// Later actions that depend on an outcome are influenced by the actor that drew it.
		const others = [...deciding, ...influencesOn(written, how)];
		const influence: Influence = { own: [at], others };
		if (chance) for (const name of changes) add(name, influence);
		if (others.length === 0) return;
		const inherited: Influence = { own: [], others };
		for (const name of writes) if (!chance || !changes.has(name)) add(name, inherited);
	});
	const of = new Map<number, number>();
	actors.forEach(({ key, draws: chance }, at) => {
		if (chance) of.set(key, actors[rootOf(at)]!.key);
	});
	const groups = [...new Set([...entangled].map(rootOf))].sort((a, b) => a - b);
	return { groupByKey: of, entangled: groups.map((at) => actors[at]!.key) };
}

/** Returns the influences on a set of names. */
function influencesOn(written: ReadonlyMap<string, Influence>, names: ReadonlySet<string>): Influence[] {
	if (names.has(ANYTHING)) return [...new Set(written.values())];
	const found = new Set<Influence>();
	for (const name of names) {
		const influence = written.get(name);
		if (influence !== undefined) found.add(influence);
	}
	return [...found];
}

/** Returns all actors of influences. They form one group with `actor`, which then represents them in these influences. */
function flatten(influences: readonly Influence[], actor: number): number[] {
	const actors: number[] = [];
	const unvisited = [...influences];
	for (let influence = unvisited.pop(); influence !== undefined; influence = unvisited.pop()) {
		actors.push(...influence.own);
		unvisited.push(...influence.others);
		influence.own = [actor];
		influence.others = [];
	}
	return actors;
}
