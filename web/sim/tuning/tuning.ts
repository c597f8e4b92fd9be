/**
 * The numbers of a world that a designer tunes.
 * Owns: that an untuned world stores none of them, and has the defaults.
 */

import {
	DEFAULT_TUNING,
	type TuningChange,
	type TuningDocument,
	tuningChange,
} from '../../../shared/documents/tuning.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { clearResource, type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';

export const Tuning: Resource<TuningDocument> = {
	name: 'tuning',
	scope: 'state',
	summary: 'Tuning values; stored only if one of them differs from its default',
	// A document may hold some of them; the others are as they are by default.
	schema: tuningChange.transform((change) => over(DEFAULT_TUNING, change)),
	initial: () => undefined,
};

/** All the numbers as they are in force. */
export function tuning(world: World): TuningDocument {
	return resource(world, Tuning) ?? DEFAULT_TUNING;
}

/** Changes some of the numbers; what is left out stays. What follows from them is in force on the next tick. */
export function tune(world: World, change: TuningChange): TuningDocument {
	const next = over(tuning(world), change);
	if (canonicalJson(next) === canonicalJson(DEFAULT_TUNING)) resetTuning(world);
	else {
		setResource(world, Tuning, next);
		resolveAgain(world);
	}
	return next;
}

/** The numbers with those changed that a change has. */
function over(before: TuningDocument, change: TuningChange): TuningDocument {
	const groups = Object.entries(change).filter(([, group]) => group !== null);
	return changed(before, Object.fromEntries(groups)) as TuningDocument;
}

/** `before` with the keys that `change` gives a value; records within are changed in the same way, all else is replaced. */
function changed(before: unknown, change: unknown): unknown {
	if (change === undefined) return before;
	if (!isRecord(before) || !isRecord(change)) return withoutMinusZero(change);
	const after = { ...before };
	for (const [key, value] of Object.entries(change)) after[key] = changed(before[key], value);
	return after;
}

/** -0 as 0: what is the same in a file and in every comparison is to be the same for the physics library. */
function withoutMinusZero(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutMinusZero);
	return Object.is(value, -0) ? 0 : value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Gives every number its default again. */
export function resetTuning(world: World): void {
	clearResource(world, Tuning);
	resolveAgain(world);
}

/** Stats of buildings build on these numbers. */
function resolveAgain(world: World): void {
	world.seen.delete('resolve-stats');
}
