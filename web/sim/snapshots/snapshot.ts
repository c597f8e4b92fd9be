/**
 * Snapshots: labelled states of a world that can be viewed, compared and restored.
 * Owns: the maximum number, and the choice of the snapshot that a label names. Each contains a clone of the world.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import { suggestion } from '../../../shared/contract/nearest.ts';
import { type AssertionVerdict, lastVerdicts } from '../assertions/assertion.ts';
import { clone } from '../core/clone.ts';
import { digest } from '../core/digest.ts';
import type { World } from '../core/world.ts';
import { summarize, type WorldSummary } from '../summary/summarize.ts';

/** Maximum number of snapshots of one owner in one world. Older ones are dropped. An agent may have a lower limit. */
export const MAX_SNAPSHOTS = 50;

/** Facts about a snapshot. */
export interface SnapshotView {
	readonly label: string;
	/** Ticks completed. */
	readonly tick: number;
	readonly state_digest: string;
	readonly entity_count: number;
	readonly summary: WorldSummary;
	/** Verdicts that the assertions had reached. */
	readonly assertion_results: readonly AssertionVerdict[];
}

export interface Snapshot {
	readonly view: SnapshotView;
	/** A clone that is never stepped. */
	readonly world: World;
	/** Number of the agent that took it; undefined for the operators. */
	readonly owner?: number;
}

/** Describes a world as a snapshot does, without storing it. */
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

/** Takes a snapshot of the current state of a world. */
export function takeSnapshot(world: World, label: string, owner?: number): Snapshot {
	return { view: viewOf(world, label), world: clone(world), ...(owner === undefined ? {} : { owner }) };
}

function missingError(list: readonly Snapshot[], label: string): ApiError {
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

/** Returns the newest snapshot with a label. Throws `snapshot_missing`. */
export function newestSnapshot(list: readonly Snapshot[], label: string): Snapshot {
	const snapshot = list.findLast(({ view }) => view.label === label);
	if (snapshot === undefined) throw missingError(list, label);
	return snapshot;
}
