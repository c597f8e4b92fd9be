/** Handlers of the tag Batch. */

import type { Answer } from '../../shared/contract/route.ts';
import * as routes from '../../shared/routes/batch.ts';
import { digest } from '../sim/core/digest.ts';
import { diffWorlds } from '../sim/diff/diff-worlds.ts';
import type { Worlds } from '../store/worlds.ts';
import { handler } from './handler.ts';
import { answerOf, endedAt, requireWhole, runAll, runWhole, worldStamp } from './run-requests.ts';
import { diffOf } from './snapshots.ts';

type OtherWorld = NonNullable<Answer<typeof routes.batch>['other_worlds']>[number];

function otherWorlds(before: Worlds, after: Worlds, world: string): OtherWorld[] {
	const ids = [...new Set([...before.all(), ...after.all()].map(({ id }) => id))].sort();
	return ids.flatMap((id): OtherWorld[] => {
		if (id === world) return [];
		const [was, is] = [before.find(id), after.find(id)];
		const now = is === undefined ? null : digest(is.world);
		if (was === undefined) return [{ world: id, change: 'created', state_digest: now }];
		if (is === undefined) return [{ world: id, change: 'deleted', state_digest: null }];
		if (digest(was.world) === now) return [];
		return [{ world: id, change: 'changed', state_digest: now }];
	});
}

/** Worlds whose list of snapshots would be another, each with the labels of the list it would have. */
function otherSnapshots(before: Worlds, after: Worlds) {
	return after
		.all()
		.filter(({ id, snapshots }) => snapshots !== (before.find(id)?.snapshots ?? NONE))
		.map(({ id, snapshots }) => ({ world: id, labels: snapshots.map(({ view }) => view.label) }));
}
const NONE: readonly unknown[] = [];

export const handlers = [
	handler(routes.batch, async ({ host, entry }, { body }) => {
		const { requests, atomic, dry_run, limit } = body;
		const { id } = entry;
		const list = { requests, kind: 'batch' } as const;
		if (!atomic && !dry_run) {
			const outcome = await runAll(host, id, list, false);
			const { ended } = outcome;
			if (ended === 'cancelled' || ended === 'diverged') throw endedAt(outcome, list, true);
			const stopped = ended === 'paused' || ended === 'full' ? { stopped: ended } : {};
			return answerOf(outcome, { committed: true, ...stopped, ...worldStamp(host.worlds, id) });
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
				...worldStamp(worlds, id),
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
