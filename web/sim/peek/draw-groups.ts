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
	readonly canDraw: boolean;
	/** Names that decide if it acts, and for which entities. */
	readonly activationReads: ReadonlySet<string>;
	/** Names that decide its effect. */
	readonly effectReads: ReadonlySet<string>;
	readonly writes: ReadonlySet<string>;
	/** Names whose values its own draws decide. */
	readonly changes: ReadonlySet<string>;
	/** Names that it reads between one of its draws and the next. */
	readonly readsBetweenDraws: ReadonlySet<string>;
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
	actors: readonly number[];
	sources: readonly Influence[];
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
		const previous = written.get(name);
		written.set(name, previous === undefined ? influence : { actors: [], sources: [previous, influence] });
	};
	actors.forEach(({ canDraw, activationReads, effectReads, writes, changes, readsBetweenDraws }, index) => {
		const activationInfluences = influencesOn(written, activationReads);
		if (canDraw && activationInfluences.length > 0) {
			for (const actor of flatten(activationInfluences, index)) join(actor, index);
			entangled.add(index);
		}
		// An actor that influences its own later draws, such as a rule that can remove itself.
		if (canDraw && [...changes].some((name) => readsBetweenDraws.has(name))) entangled.add(index);
		// Later actions that depend on an outcome are influenced by the actor that drew it.
		const sources = [...activationInfluences, ...influencesOn(written, effectReads)];
		const influence: Influence = { actors: [index], sources };
		if (canDraw) for (const name of changes) add(name, influence);
		if (sources.length === 0) return;
		const inherited: Influence = { actors: [], sources };
		for (const name of writes) if (!canDraw || !changes.has(name)) add(name, inherited);
	});
	const groupByKey = new Map<number, number>();
	actors.forEach(({ key, canDraw }, index) => {
		if (canDraw) groupByKey.set(key, actors[rootOf(index)]!.key);
	});
	const groupIndices = [...new Set([...entangled].map(rootOf))].sort((a, b) => a - b);
	return { groupByKey, entangled: groupIndices.map((index) => actors[index]!.key) };
}

/** Returns the influences on a set of names. */
function influencesOn(written: ReadonlyMap<string, Influence>, names: ReadonlySet<string>): Influence[] {
	if (names.has(ANYTHING)) return [...new Set(written.values())];
	const influences = new Set<Influence>();
	for (const name of names) {
		const influence = written.get(name);
		if (influence !== undefined) influences.add(influence);
	}
	return [...influences];
}

/** Returns all actors of influences. They form one group with `actor`, which then represents them in these influences. */
function flatten(influences: readonly Influence[], actor: number): number[] {
	const actors: number[] = [];
	const unvisited = [...influences];
	for (let influence = unvisited.pop(); influence !== undefined; influence = unvisited.pop()) {
		actors.push(...influence.actors);
		unvisited.push(...influence.sources);
		influence.actors = [actor];
		influence.sources = [];
	}
	return actors;
}
