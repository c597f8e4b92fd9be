/** Handlers of the tag Batch. */

import type { Answer } from '../../shared/contract/route.ts';
import * as routes from '../../shared/routes/batch.ts';
import { digest } from '../sim/core/digest.ts';
import { diffWorlds } from '../sim/diff/diff-worlds.ts';
import type { Worlds } from '../store/worlds.ts';
import { handler } from './handler.ts';
import { answerOf, endedEarlyError, requireWhole, runAll, runWhole, stampOfWorld } from './run-requests.ts';
import { diffOf } from './snapshots.ts';

type OtherWorld = NonNullable<Answer<typeof routes.batch>['other_worlds']>[number];

/** Returns the changes of the batch to other worlds. */
function otherWorlds(before: Worlds, after: Worlds, world: string): OtherWorld[] {
	const ids = [...new Set([...before.all(), ...after.all()].map(({ id }) => id))].sort();
	return ids.flatMap((id): OtherWorld[] => {
		if (id === world) return [];
		const [entryBefore, entryAfter] = [before.find(id), after.find(id)];
		const digestAfter = entryAfter === undefined ? null : digest(entryAfter.world);
		if (entryBefore === undefined) return [{ world: id, change: 'created', state_digest: digestAfter }];
		if (entryAfter === undefined) return [{ world: id, change: 'deleted', state_digest: null }];
		if (digest(entryBefore.world) === digestAfter) return [];
		return [{ world: id, change: 'changed', state_digest: digestAfter }];
	});
}

/** Returns the worlds whose snapshots the batch changes, each with its new labels. */
function otherSnapshots(before: Worlds, after: Worlds) {
	return after
		.all()
		.filter(({ id, snapshots }) => snapshots !== (before.find(id)?.snapshots ?? NO_SNAPSHOTS))
		.map(({ id, snapshots }) => ({ world: id, labels: snapshots.map(({ view }) => view.label) }));
}
const NO_SNAPSHOTS: readonly unknown[] = [];

export const handlers = [
	handler(routes.batch, async ({ host, entry }, { body }) => {
		const { requests, atomic, dry_run, limit } = body;
		const { id } = entry;
		const list = { requests, kind: 'batch' } as const;
		if (!atomic && !dry_run) {
			const outcome = await runAll(host, id, list, false);
			const { ended } = outcome;
			if (ended === 'cancelled' || ended === 'diverged') throw endedEarlyError(outcome, list, true);
			const stopped = ended === 'paused' || ended === 'full' ? { stopped: ended } : {};
			return answerOf(outcome, { committed: true, ...stopped, ...stampOfWorld(host.worlds, id) });
		}
		if (!dry_run) return runWhole(host, id, list, {});
		const transaction = host.begin();
		try {
			const outcome = await runAll(transaction.host, id, list, atomic);
			requireWhole(outcome, list, atomic);
			const { worlds } = transaction.host;
			const after = worlds.find(id);
			return answerOf(outcome, {
				committed: false,
				...stampOfWorld(worlds, id),
				...(after && { changes: diffOf(diffWorlds(entry.world, after.world, limit)) }),
				other_worlds: otherWorlds(host.worlds, worlds, id),
				snapshots: otherSnapshots(host.worlds, worlds),
				files: [...transaction.files()],
			});
		} finally {
			transaction.rollback();
		}
	}),
];
