/**
 * Snapshots: labelled moments of a world that can be looked at, compared and gone back to.
 * Owns: how many are kept and which one a label means. Each keeps a clone of the world.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import { suggestion } from '../../../shared/contract/nearest.ts';
import { type AssertionVerdict, lastVerdicts } from '../assertions/assertion.ts';
import { clone } from '../core/clone.ts';
import { digest } from '../core/digest.ts';
import type { World } from '../core/world.ts';
import { summarize, type WorldSummary } from '../summary/summarize.ts';

/** Snapshots of one owner that are kept of one world, unless an agent may have fewer; older ones are dropped. */
export const MAX_SNAPSHOTS = 50;

/** Facts about a snapshot. */
export interface SnapshotView {
	readonly label: string;
	/** Ticks completed. */
	readonly tick: number;
	readonly state_digest: string;
	readonly entity_count: number;
	readonly summary: WorldSummary;
	/** The verdicts that had been reached at that time. */
	readonly assertion_results: readonly AssertionVerdict[];
}

export interface Snapshot {
	readonly view: SnapshotView;
	/** A clone that is never stepped. */
	readonly world: World;
	/** Number of the agent that took it; undefined for the operators. */
	readonly owner?: number;
}

/** Describes a world as a snapshot does, without keeping it. */
export function viewOf(world: World, label: string): SnapshotView {
	return {
		label,
		tick: world.tick,
		state_digest: digest(world),
		entity_count: world.entities.count,
		summary: summarize(world),
		assertion_results: lastVerdicts(world),
	};
}

/** Takes a snapshot of a world as it is now. */
export function takeSnapshot(world: World, label: string, owner?: number): Snapshot {
	return { view: viewOf(world, label), world: clone(world), ...(owner === undefined ? {} : { owner }) };
}

function missing(list: readonly Snapshot[], label: string): ApiError {
	if (list.length === 0)
		return new ApiError('snapshot_missing', 'There are no snapshots yet.', {
			fix: 'Take one with POST /snapshot.',
		});
	const fix = suggestion(
		label,
		list.map(({ view }) => view.label),
	);
	return new ApiError('snapshot_missing', `There is no snapshot "${label}".`, { fix });
}

/** Returns the snapshot of a label: the last one that was taken with it. Throws `snapshot_missing`. */
export function newestSnapshot(list: readonly Snapshot[], label: string): Snapshot {
	const found = list.findLast(({ view }) => view.label === label);
	if (found === undefined) throw missing(list, label);
	return found;
}
