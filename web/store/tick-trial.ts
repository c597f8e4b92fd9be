/**
 * Runs a tick three times: on the world, on a fork, and on a copy that was saved and loaded. All three results must be equal.
 * Owns: the comparison, and the description of the first difference.
 * Never: changes the world, except by its tick.
 */

import { reasonOf } from '../../shared/contract/reason.ts';
import type { ChooserFactory } from '../sim/core/chance.ts';
import { clone, dispose } from '../sim/core/clone.ts';
import { encodeWorld } from '../sim/core/codec.ts';
import { digest, futureDigest } from '../sim/core/digest.ts';
import type { World } from '../sim/core/world.ts';
import { loadWorld } from '../sim/create-world.ts';
import { diffWorlds, type WorldDiff } from '../sim/diff/diff-worlds.ts';
import { findDivergence } from '../sim/diff/first-system.ts';
import { type Writers, writersOf } from '../sim/diff/writers.ts';
import { step } from '../sim/step.ts';

/** Maximum number of entities that a divergence names. */
const MAX_NAMED = 10;

/** Copy on which the tick was re-run: a fork, or a saved and loaded world. */
export type Trial = 'fork' | 'save';

/** Difference between a tick and a re-run of it. */
export interface Divergence {
	/** Number of ticks completed before the tick. */
	readonly tick: number;
	readonly way: Trial;
	/** System after which the worlds first differ, in a further re-run; null if that re-run shows no difference. */
	readonly system: string | null;
	/** True if the worlds differed before the first system, so the copy was not exact. */
	readonly before: boolean;
	/** Differences from the world to its copy. */
	readonly differs: WorldDiff | null;
	/** Parts with other hidden data, such as the contact impulses of physics, which are not in the digest. */
	readonly hidden: readonly string[];
	/** Systems that declare that they write the differing fields. */
	readonly written_by: Writers;
	/** Error that prevented the copy or its tick; null if there was none. */
	readonly refused: string | null;
}

/**
 * Runs a tick with `runOnce`, and re-runs it on both copies. Returns the first difference; null if both are equal. Throws the
 * errors of `runOnce`.
 */
export function tryTick(
	world: World,
	choosing: ChooserFactory | undefined,
	runOnce: () => void,
): Divergence | null {
	const { tick } = world;
	const original = clone(world);
	const fork = clone(world);
	const worlds: World[] = [original, fork];
	try {
		const bytes = encodeWorld(world);
		runOnce();
		const copies: Record<Trial, () => World> = {
			fork: () => clone(original),
			save: () => loadWorld(bytes, world.assets),
		};
		const marks = marksOf(world);
		const rerun = (trial: Trial, createCopy: () => World): TrialResult => {
			const result = rerunTick(createCopy, choosing);
			if (result.world !== null) worlds.push(result.world);
			const isSame = result.refused === null && marksOf(result.world!) === marks;
			return { way: trial, isSame, ...result };
		};
		const results = [rerun('fork', () => fork), rerun('save', copies.save)];
		const different = results.find(({ isSame }) => !isSame);
		if (different === undefined) return null;
		// The world has already run the tick, so a copy with an equal result represents it.
		const equalTrial = results.find(({ isSame }) => isSame)?.way ?? different.way;
		return {
			tick,
			...describeDivergence(world, different, { a: copies[equalTrial], b: copies[different.way] }, choosing),
		};
	} finally {
		for (const copy of new Set(worlds)) dispose(copy);
	}
}

interface TrialResult {
	readonly way: Trial;
	readonly isSame: boolean;
	readonly world: World | null;
	readonly refused: string | null;
}

/** Returns the digests to compare. Removes a cached digest again, because the journal stores the digests that are cached. */
function marksOf(world: World): string {
	const ownDigest = world.digest;
	const marks = `${digest(world)} ${futureDigest(world)}`;
	world.digest = ownDigest;
	return marks;
}

function rerunTick(
	createCopy: () => World,
	choosing: ChooserFactory | undefined,
): { readonly world: World | null; readonly refused: string | null } {
	let world: World | null = null;
	try {
		world = createCopy();
		step(world, undefined, choosing?.());
		return { world, refused: null };
	} catch (error) {
		return { world, refused: reasonOf(error) };
	}
}

function describeDivergence(
	world: World,
	{ way, world: copy, refused }: TrialResult,
	copies: { readonly a: () => World; readonly b: () => World },
	choosing: ChooserFactory | undefined,
): Omit<Divergence, 'tick'> {
	const located = copy === null ? null : locateDivergence(copies, choosing);
	if (located !== null) return { way, refused, ...located };
	const difference = copy === null || refused !== null ? NO_DIFFERENCE : differenceOf(world, copy);
	return { way, refused, system: null, before: false, ...difference };
}

type TrialDifference = Pick<Divergence, 'differs' | 'hidden' | 'written_by'>;

const NO_DIFFERENCE: TrialDifference = { differs: null, hidden: [], written_by: {} };

function differenceOf(a: World, b: World): TrialDifference {
	const ownDigest = a.digest;
	const differs = diffWorlds(a, b, MAX_NAMED);
	a.digest = ownDigest;
	return { differs, hidden: hiddenParts(a, b), written_by: writersOf(differs, [a, b]) };
}

/** Runs the tick on two copies system by system. Returns the first difference; null if there is none. */
function locateDivergence(
	begin: { readonly a: () => World; readonly b: () => World },
	choosing: ChooserFactory | undefined,
): (TrialDifference & Pick<Divergence, 'system' | 'before'>) | null {
	const [a, b] = [begin.a(), begin.b()];
	try {
		const divergence = findDivergence(a, b, choosing);
		if (divergence === null) return null;
		const isBeforeTick = divergence === 'before';
		return { system: isBeforeTick ? null : divergence.system, before: isBeforeTick, ...differenceOf(a, b) };
	} finally {
		dispose(a);
		dispose(b);
	}
}

/** Returns the names of parts whose hidden data differs. */
function hiddenParts(a: World, b: World): string[] {
	return [...a.parts].flatMap(([name, { part, state }]) => {
		const other = b.parts.get(name);
		if (part.scope === 'derived' || other === undefined) return [];
		return areEqual(part.encode(state), part.encode(other.state)) ? [] : [name];
	});
}

const areEqual = (a: Uint8Array, b: Uint8Array): boolean =>
	a.length === b.length && a.every((byte, i) => byte === b[i]);
