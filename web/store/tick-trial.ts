/**
 * Makes a tick three times: on the world, on a fork of it, and on the world saved and loaded, as in a takeover. All
 * three must be equal.
 * Owns: what is compared, and naming what is not the same. Never: changes anything of the world but by its tick.
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

/** Way in which the tick was re-run. */
export type TrialWay = 'fork' | 'save';

export interface Divergence {
	/** The tick that was made: ticks completed before it. */
	readonly tick: number;
	readonly way: TrialWay;
	/** The system after which the two were first seen to differ, made again for that; null if that did not show it. */
	readonly system: string | null;
	/** True if they differed already before the first system: the copy was none. */
	readonly before: boolean;
	/** From the world to its copy. */
	readonly differs: WorldDiff | null;
	/** Parts that hold something else which is not part of the state, such as the contact impulses of physics. */
	readonly hidden: readonly string[];
	/** Systems that declare that they write what differs. */
	readonly written_by: Writers;
	/** Reason that the copy could not be made, or its tick. */
	readonly refused: string | null;
}

/**
 * Makes a tick by `make`, and again each way. Answers the first that differed; null when both did. Throws what `make`
 * does.
 */
export function tryTick(
	world: World,
	choosing: ChooserFactory | undefined,
	make: () => void,
): Divergence | null {
	const { tick } = world;
	const still = clone(world);
	const fork = clone(world);
	const used: World[] = [still, fork];
	try {
		const bytes = encodeWorld(world);
		make();
		const copies: Record<TrialWay, () => World> = {
			fork: () => clone(still),
			save: () => loadWorld(bytes, world.assets),
		};
		const marks = marksOf(world);
		const again = (way: TrialWay, begin: () => World): TrialResult => {
			const made = madeAgain(begin, choosing);
			if (made.world !== null) used.push(made.world);
			const isSame = made.refused === null && marksOf(made.world!) === marks;
			return { way, same: isSame, ...made };
		};
		const made = [again('fork', () => fork), again('save', copies.save)];
		const apart = made.find(({ same }) => !same);
		if (apart === undefined) return null;
		// The world itself is a tick further: what came to the same stands for it.
		const other = made.find(({ same }) => same)?.way ?? apart.way;
		return { tick, ...namedDivergence(world, apart, { a: copies[other], b: copies[apart.way] }, choosing) };
	} finally {
		for (const copy of new Set(used)) dispose(copy);
	}
}

interface TrialResult {
	readonly way: TrialWay;
	readonly same: boolean;
	readonly world: World | null;
	readonly refused: string | null;
}

/** Marks that must be equal. A digest that no call asked for is removed again: the journal has that of every world that was. */
function marksOf(world: World): string {
	const before = world.digest;
	const marks = `${digest(world)} ${futureDigest(world)}`;
	world.digest = before;
	return marks;
}

function madeAgain(
	begin: () => World,
	choosing: ChooserFactory | undefined,
): { readonly world: World | null; readonly refused: string | null } {
	let world: World | null = null;
	try {
		world = begin();
		step(world, undefined, choosing?.());
		return { world, refused: null };
	} catch (error) {
		return { world, refused: reasonOf(error) };
	}
}

function namedDivergence(
	world: World,
	{ way, world: copy, refused }: TrialResult,
	begin: { readonly a: () => World; readonly b: () => World },
	choosing: ChooserFactory | undefined,
): Omit<Divergence, 'tick'> {
	const found = copy === null ? null : seenParting(begin, choosing);
	if (found !== null) return { way, refused, ...found };
	const last = copy === null || refused !== null ? NOTHING : differenceOf(world, copy);
	return { way, refused, system: null, before: false, ...last };
}

type TrialDifference = Pick<Divergence, 'differs' | 'hidden' | 'written_by'>;

const NOTHING: TrialDifference = { differs: null, hidden: [], written_by: {} };

function differenceOf(a: World, b: World): TrialDifference {
	const before = a.digest;
	const differs = diffWorlds(a, b, MAX_NAMED);
	a.digest = before;
	return { differs, hidden: hiddenParts(a, b), written_by: writersOf(differs, [a, b]) };
}

/** Makes the tick on two copies system by system, and looks at them where they part; null if they do not. */
function seenParting(
	begin: { readonly a: () => World; readonly b: () => World },
	choosing: ChooserFactory | undefined,
): (TrialDifference & Pick<Divergence, 'system' | 'before'>) | null {
	const [a, b] = [begin.a(), begin.b()];
	try {
		const parting = findDivergence(a, b, choosing);
		if (parting === null) return null;
		const before = parting === 'before';
		return { system: before ? null : parting.system, before, ...differenceOf(a, b) };
	} finally {
		dispose(a);
		dispose(b);
	}
}

/** Parts whose state is the same, but not all that they hold. */
function hiddenParts(a: World, b: World): string[] {
	return [...a.parts].flatMap(([name, { part, state }]) => {
		const other = b.parts.get(name);
		if (part.scope === 'derived' || other === undefined) return [];
		return equal(part.encode(state), part.encode(other.state)) ? [] : [name];
	});
}

const equal = (a: Uint8Array, b: Uint8Array): boolean =>
	a.length === b.length && a.every((byte, i) => byte === b[i]);
