/**
 * Search for the smallest change of one field that alters a result.
 * Owns: the values that are tried, and their order. The search tries a small change of each field first, then larger
 * ones. It makes a change that works smaller by bisection. Each try runs in a copy of the world.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import { clone, dispose } from '../core/clone.ts';
import { rebuildParts } from '../core/derived-parts.ts';
import type { SlicedWork } from '../core/sliced-work.ts';
import type { World } from '../core/world.ts';
import { type Candidate, type ChangeRequest, tryApply } from './candidate.ts';
import type { LeafValue } from './leaves.ts';

export interface FoundChange {
	readonly of: Candidate['of'];
	readonly id: number | null;
	readonly field: string;
	readonly from: LeafValue;
	readonly to: LeafValue;
	/** Size of the change as a share of the former value, or of 1 if that is 0; null for a boolean. */
	readonly relative: number | null;
	readonly request: ChangeRequest;
}

export interface ChangeSearch {
	readonly change: FoundChange | null;
	readonly tried: number;
	/** False if the search ran out of tries or time. */
	readonly finished: boolean;
}

export interface SearchLimits {
	readonly tries: number;
	/** Returns true if the search takes too long; with `much`, only if it takes far too long. */
	readonly isLate: (much: boolean) => boolean;
}

/** Number of tries that run unless they take far too long, so that answers do not depend on the load of the machine. */
const FIRST_TRIES = 40;

/** Stage that tries the values that a candidate suggests. */
const SUGGESTED = 0;
/** Sizes of the tried changes, as shares of the former value. */
const SHARES = [SUGGESTED, 0.02, 0.1, 0.3, 1, 3, 10, 100];
/** Share of the stage that toggles booleans, and reduces numbers to `REMAINING_SHARES`. */
const FULL_CHANGE = 1;
/** Shares of the former value that remain after a large reduction. */
const REMAINING_SHARES = [0.5, 0.2, 0.05, 0.01];
/** Number of times that a change that works is halved. */
const HALVINGS = 6;
/** Maximum number of changes of one size that the search makes smaller. */
const MAX_REFINED = 3;

interface ChangeHit {
	readonly candidate: Candidate;
	readonly to: LeafValue;
	/** Nearest smaller change in the same direction that did not alter the result. */
	readonly below: LeafValue;
}

/** Searches for the smallest change. `alters`: returns true if a changed copy of the world has another result. */
export function* findSmallestChange(
	world: World,
	candidates: readonly Candidate[],
	alters: (copy: World) => SlicedWork<boolean> | boolean,
	limits: SearchLimits,
): SlicedWork<ChangeSearch> {
	const search = new ChangeSearcher(world, alters, limits);
	const failedValues = new Map<string, number>();
	for (const share of SHARES) {
		const hits: ChangeHit[] = [];
		for (const [i, candidate] of candidates.entries()) {
			if (search.isOver) break;
			for (const to of valuesAt(candidate, share)) {
				const key = `${i} ${Number(to) > Number(candidate.from)}`;
				const below = failedValues.get(key) ?? candidate.from;
				if (to === below) continue;
				if (yield* search.tryChange(candidate, to)) hits.push({ candidate, to, below });
				else if (typeof to === 'number') failedValues.set(key, to);
				if (search.isOver) break;
			}
		}
		if (hits.length > 0) {
			const refinedChanges: FoundChange[] = [];
			for (const hit of hits.sort((a, b) => sizeOf(a) - sizeOf(b)).slice(0, MAX_REFINED))
				refinedChanges.push(describeChange(hit.candidate, yield* search.refineChange(hit)));
			refinedChanges.sort((a, b) => (a.relative ?? FULL_CHANGE) - (b.relative ?? FULL_CHANGE));
			return { change: refinedChanges[0]!, tried: search.tried, finished: !search.isOver };
		}
		if (search.isOver) break;
	}
	return { change: null, tried: search.tried, finished: !search.isOver };
}

/** Returns the values to try for a field: changes by a share of the former value in both directions. */
function valuesAt({ from, allows, values = [] }: Candidate, share: number): LeafValue[] {
	if (share === SUGGESTED) return values.filter((to) => to !== from && allows(to));
	if (typeof from === 'boolean') return share === FULL_CHANGE ? [!from] : [];
	if (typeof from === 'string') return [];
	const isWhole = Number.isInteger(from) && !allows(from + 0.5) && !allows(from - 0.5);
	const size = isWhole ? Math.max(1, Math.round(share * scaleOf(from))) : share * scaleOf(from);
	const reductions =
		share === FULL_CHANGE
			? REMAINING_SHARES.map((remainingShare) =>
					isWhole ? Math.round(from * remainingShare) : from * remainingShare,
				)
			: [];
	return [from + size, ...reductions, from - size]
		.map(roundedValue)
		.filter((to) => to !== from && allows(to));
}

const scaleOf = (from: number): number => (from === 0 ? 1 : Math.abs(from));

/** Removes digits that result from inexact arithmetic. */
const roundedValue = (value: number): number => Number(value.toPrecision(7));

const sizeOf = ({ candidate: { from }, to }: Pick<ChangeHit, 'candidate' | 'to'>): number =>
	typeof from === 'number' ? Math.abs(Number(to) - from) / scaleOf(from) : FULL_CHANGE;

const describeChange = (candidate: Candidate, to: LeafValue): FoundChange => ({
	of: candidate.of,
	id: candidate.id,
	field: candidate.field,
	from: candidate.from,
	to,
	relative: typeof to === 'number' ? Number(sizeOf({ candidate, to }).toPrecision(3)) : null,
	request: candidate.request(to),
});

class ChangeSearcher {
	tried = 0;
	readonly #world: World;
	readonly #alters: (copy: World) => SlicedWork<boolean> | boolean;
	readonly #limits: SearchLimits;

	constructor(world: World, alters: (copy: World) => SlicedWork<boolean> | boolean, limits: SearchLimits) {
		this.#world = world;
		this.#alters = alters;
		this.#limits = limits;
	}

	get isOver(): boolean {
		return this.tried >= this.#limits.tries || this.isLate;
	}

	get isLate(): boolean {
		return this.#limits.isLate(this.tried < FIRST_TRIES);
	}

	*tryChange(candidate: Candidate, to: LeafValue): SlicedWork<boolean> {
		this.tried++;
		const copy = clone(this.#world);
		try {
			if (!tryApply(candidate, copy, to)) return false;
			yield* rebuildParts(copy);
			const alters = this.#alters(copy);
			return typeof alters === 'boolean' ? alters : yield* alters;
		} catch (error) {
			// A change that makes the world invalid, for example a navigation mesh that is too large, does not count.
			if (error instanceof ApiError) return false;
			throw error;
		} finally {
			dispose(copy);
		}
	}

	/** Returns a smaller change that works as well, with few digits. */
	*refineChange({ candidate, to, below }: ChangeHit): SlicedWork<LeafValue> {
		if (typeof to !== 'number' || typeof below !== 'number') return to;
		let [works, fails] = [to, below];
		for (let i = 0; i < HALVINGS && !this.isLate; i++) {
			const middle = candidate.allows((works + fails) / 2)
				? roundedValue((works + fails) / 2)
				: Math.round((works + fails) / 2);
			if (middle === works || middle === fails || !candidate.allows(middle)) break;
			if (yield* this.tryChange(candidate, middle)) works = middle;
			else fails = middle;
		}
		for (const digits of [1, 2, 3])
			for (const round of roundedTo(works, digits)) {
				if (round === works) return works;
				const isBeyond = works > fails ? round > fails : round < fails;
				if (!isBeyond || !isNear(round, works, candidate) || !candidate.allows(round) || this.isLate)
					continue;
				if (yield* this.tryChange(candidate, round)) return round;
			}
		return works;
	}
}

/** Returns the two numbers nearest to a value that have at most this number of significant digits. */
function roundedTo(value: number, digits: number): number[] {
	const nearest = Number(value.toPrecision(digits));
	const unit = 10 ** Number(nearest.toExponential().split('e')[1]) / 10 ** (digits - 1);
	const secondNearest = Number((nearest + (nearest > value ? -unit : unit)).toPrecision(digits));
	return [nearest, secondNearest];
}

/** Returns true if the change to a value is at most slightly larger than the change that works. */
function isNear(to: number, works: number, candidate: Candidate): boolean {
	const from = Number(candidate.from);
	const increase = Math.abs(to - from) - Math.abs(works - from);
	return increase <= Math.max(Math.abs(works - from) / 4, scaleOf(from) / 100);
}
