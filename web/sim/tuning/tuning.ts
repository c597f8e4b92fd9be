/**
 * Tuning values: numbers of a world that a designer changes.
 * Owns: their storage. A world whose values all are the defaults stores none.
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
	// A document may omit values; those are the defaults.
	schema: tuningChange.transform((change) => withGroups(DEFAULT_TUNING, change)),
	initial: () => undefined,
};

/** Returns all tuning values of a world. */
export function tuning(world: World): TuningDocument {
	return resource(world, Tuning) ?? DEFAULT_TUNING;
}

/** Changes some values and returns all. Stats that depend on them change on the next tick. */
export function tune(world: World, change: TuningChange): TuningDocument {
	const next = withGroups(tuning(world), change);
	if (canonicalJson(next) === canonicalJson(DEFAULT_TUNING)) resetTuning(world);
	else {
		setResource(world, Tuning, next);
		invalidateStats(world);
	}
	return next;
}

/** Returns `before` with the values of `change`. Groups that are null stay unchanged. */
function withGroups(before: TuningDocument, change: TuningChange): TuningDocument {
	const groups = Object.entries(change).filter(([, group]) => group !== null);
	return merge(before, Object.fromEntries(groups)) as TuningDocument;
}

/** Merges `change` into `before`: records recursively; any other value replaces the old one. */
function merge(before: unknown, change: unknown): unknown {
	if (change === undefined) return before;
	if (!isRecord(before) || !isRecord(change)) return withoutMinusZero(change);
	const after = { ...before };
	for (const [key, value] of Object.entries(change)) after[key] = merge(before[key], value);
	return after;
}

/** Replaces -0 by 0. They are equal in files and comparisons, but not in the physics library. */
function withoutMinusZero(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutMinusZero);
	return Object.is(value, -0) ? 0 : value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Resets all values to their defaults. */
export function resetTuning(world: World): void {
	clearResource(world, Tuning);
	invalidateStats(world);
}

/** Makes the next tick resolve stats again: stats of buildings depend on tuning values. */
function invalidateStats(world: World): void {
	world.processedVersions.delete('resolve-stats');
}
