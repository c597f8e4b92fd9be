/** Handlers of the tag Batch. */

import { Fault, failure } from '../../shared/contract/errors.ts';
import type { Answer, Body } from '../../shared/contract/route.ts';
import * as routes from '../../shared/routes/batch.ts';
import type { Host, InnerAnswer } from '../host/context.ts';
import type { Worlds } from '../host/worlds.ts';
import { digest } from '../sim/core/digest.ts';
import { diffWorlds } from '../sim/diff/diff-worlds.ts';
import { handler } from './handler.ts';
import { momentOf } from './moment.ts';
import { fillPath, fillValue, type Known } from './references.ts';
import { diffOf } from './snapshots.ts';

type Requests = Body<typeof routes.batch>['requests'];
type Result = Answer<typeof routes.batch>['results'][number];

function went({ status, body }: InnerAnswer): boolean {
	return status < 400 && (body as { ok?: unknown } | null)?.ok !== false;
}

/** Does the requests in order; stops after the first that is refused when `strict`. */
async function runAll(host: Host, world: string, requests: Requests, strict: boolean): Promise<Result[]> {
	const answers = new Map<string, Known>();
	const results: Result[] = [];
	for (const [at, { method = 'POST', path: sent, body, as }] of requests.entries()) {
		let path = sent;
		let answer: InnerAnswer;
		try {
			path = fillPath(sent, answers);
			answer = await host.call({ method, path, body: fillValue(body, answers) }, world);
		} catch (error) {
			if (!(error instanceof Fault)) throw error;
			answer = { status: 200, body: failure(error) };
		}
		const ok = went(answer);
		if (as != null) answers.set(as, ok ? { value: answer.body } : { refused: at });
		results.push({ ...(as == null ? {} : { as }), method, path, ok, ...answer });
		if (!ok && strict) break;
	}
	return results;
}

/** The refusal of a batch that was to be done whole. */
function brokenAt(results: readonly Result[]): Fault {
	const at = results.length - 1;
	const { method, path, body } = results[at]!;
	const { message, fix } = body as { message?: string; fix?: string };
	return new Fault(
		'batch_failed',
		`requests[${at}] (${method} ${path}) was refused: ${message} Nothing of the batch was done.`,
		{
			...(fix === undefined ? {} : { fix }),
			path: `requests[${at}]`,
			details: { failed_at: at, committed: false, results },
		},
	);
}

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

/** Where the world of a batch stands after it. */
function standing(worlds: Worlds, id: string) {
	const held = worlds.find(id);
	return { world: id, ...(held === undefined ? { tick: null, state_digest: null } : momentOf(held.world)) };
}

export const handlers = [
	handler(routes.batch, async ({ host, held }, { body }) => {
		const { requests, atomic, dry_run, limit } = body;
		const { id } = held;
		const counted = (results: Result[]) => {
			const succeeded = results.filter(({ ok }) => ok).length;
			return { results, count: results.length, succeeded, failed: results.length - succeeded };
		};
		if (!atomic && !dry_run) {
			const results = await runAll(host, id, requests, false);
			return { ...counted(results), committed: true, ...standing(host.worlds, id) };
		}
		const draft = host.draft();
		let kept = false;
		try {
			const results = await runAll(draft.host, id, requests, atomic);
			if (atomic && results.some(({ ok }) => !ok)) throw brokenAt(results);
			const { worlds } = draft.host;
			if (dry_run) {
				const after = worlds.find(id);
				return {
					...counted(results),
					committed: false,
					...standing(worlds, id),
					...(after && { changes: diffOf(diffWorlds(held.world, after.world, limit)) }),
					other_worlds: otherWorlds(host.worlds, worlds, id),
					snapshots: otherSnapshots(host.worlds, worlds),
					files: [...draft.files()],
				};
			}
			const moment = standing(worlds, id);
			await draft.keep();
			kept = true;
			return { ...counted(results), committed: true, ...moment };
		} finally {
			if (!kept) draft.drop();
		}
	}),
];
