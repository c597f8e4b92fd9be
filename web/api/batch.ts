/** Handlers of the tag Batch. */

import { statusOf } from '../../shared/contract/dispatch.ts';
import { ApiError, errorBody, MAX_PATH_LENGTH, shortened } from '../../shared/contract/errors.ts';
import { joinedBytes } from '../../shared/contract/joined-bytes.ts';
import type { Answer, Body } from '../../shared/contract/route.ts';
import { MAX_DOCUMENT_BYTES } from '../../shared/contract/wire.ts';
import * as routes from '../../shared/routes/batch.ts';
import type { Stop } from '../host/call-list.ts';
import type { Host } from '../host/context.ts';
import type { Worlds } from '../host/worlds.ts';
import { digest } from '../sim/core/digest.ts';
import { diffWorlds } from '../sim/diff/diff-worlds.ts';
import { valueAt } from './entity-fields.ts';
import { handler } from './handler.ts';
import { RawAnswer } from './raw-answer.ts';
import { fillPath, fillValue, type Known } from './references.ts';
import { diffOf } from './snapshots.ts';
import { stampOf } from './world-stamp.ts';

type Requests = Body<typeof routes.batch>['requests'];
type Result = Answer<typeof routes.batch>['results'][number];

/** The result of a request without its body; with `answer`, method, path and status are left out. */
interface Head {
	readonly as?: string;
	readonly method: string;
	readonly path: string;
	readonly status: number;
	readonly ok: boolean;
	readonly short: boolean;
}

/** What the requests of a batch came to, and their answers' JSON, which is only parsed where somebody needs its value. */
interface Outcome {
	readonly results: readonly Head[];
	readonly bodies: readonly Uint8Array[];
	/** Why requests were left undone: one was refused, its answer had no room beside the others, or the call was cancelled, its world paused, or a tick did not come to the same once more. */
	readonly ended: 'refused' | 'full' | Stop | null;
}

/** Bytes that an answer needs for what stands around one result. */
const AROUND_RESULT = 256;

/** The status of an answer that has no room. */
const TOO_LARGE = statusOf('answer_too_large');

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const parsed = (json: Uint8Array): unknown => JSON.parse(decoder.decode(json));

/** Does the requests in order, with room for others in between; stops after the first that is refused when `strict`. */
export async function runAll(
	host: Host,
	world: string,
	requests: readonly Requests[number][],
	strict: boolean,
): Promise<Outcome> {
	const { running } = host;
	const answers = new Map<string, Known>();
	const results: Head[] = [];
	const bodies: Uint8Array[] = [];
	let room = MAX_DOCUMENT_BYTES - AROUND_RESULT;
	for (const [at, { method = 'POST', path: sent, body, as, answer: fields }] of requests.entries()) {
		let path = sent;
		let answer: { readonly status: number; readonly ok: boolean; readonly body: Uint8Array };
		room -= AROUND_RESULT + path.length + (as?.length ?? 0);
		try {
			path = fillPath(sent, answers);
			const { response, ok } = await host.call({
				method,
				path,
				body: fillValue(body, answers),
				world,
				room: Math.max(0, room),
			});
			answer = { status: response.status, ok, body: response.body };
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			answer = {
				status: statusOf(error.code),
				ok: false,
				body: encoder.encode(JSON.stringify(errorBody(error))),
			};
		}
		const { ok, status } = answer;
		if (as != null) answers.set(as, ok ? { value: parsed(answer.body) } : { refused: at });
		const short = ok && fields != null;
		const shown = short ? valuesOf(answer.body, fields) : answer.body;
		room -= shown.length;
		results.push({ ...(as == null ? {} : { as }), method, path, status, ok, short });
		bodies.push(shown);
		running.requests++;
		running.edge();
		if (!ok && strict && running.stop === null) return { results, bodies, ended: 'refused' };
		// What comes after it would find no more room, and take as long.
		if (status === TOO_LARGE && at + 1 < requests.length) return { results, bodies, ended: 'full' };
		const rest = host.breathe();
		if (rest !== undefined) await rest;
		if (at + 1 === requests.length && ok) break;
		const ended = running.endsHere();
		if (ended !== null) return { results, bodies, ended };
	}
	return { results, bodies, ended: null };
}

/** The values of some fields of an answer, as JSON. */
function valuesOf(body: Uint8Array, fields: readonly string[]): Uint8Array {
	const answer = parsed(body);
	return encoder.encode(JSON.stringify(fields.map((field) => valueAt(answer, field.split('.')))));
}

/** A result as answers show it, without its body. */
const shownHead = ({ short, as, ok, ...rest }: Head) => ({
	...(as === undefined ? {} : { as }),
	...(short ? {} : rest),
	ok,
});

const listed = ({ results, bodies }: Outcome): Result[] =>
	results.map((result, at) => ({ ...shownHead(result), body: parsed(bodies[at]!) }) as Result);

interface Refusal {
	readonly message?: string;
	readonly fix?: string;
	readonly code?: string;
}

/** What is said of a batch that went on after a refusal; nothing when none was refused. */
function warned({ results, bodies }: Outcome): { warnings?: string[] } {
	const at = results.findIndex(({ ok }) => !ok);
	if (at < 0) return {};
	const { method, path } = results[at]!;
	const { message = '' } = parsed(bodies[at]!) as Refusal;
	const count = results.filter(({ ok }) => !ok).length;
	return {
		warnings: [
			`${count} of ${results.length} requests were refused. The first: requests[${at}] (${method} ${shortened(path, MAX_PATH_LENGTH)}): ${message}`,
		],
	};
}

/** The refusal of a batch that was to be done whole. */
function brokenAt(outcome: Outcome): ApiError {
	const at = outcome.results.length - 1;
	const { method, path, status } = outcome.results[at]!;
	const { message, fix, code } = parsed(outcome.bodies[at]!) as Refusal;
	return new ApiError(
		'batch_failed',
		`requests[${at}] (${method} ${path}) was refused: ${message} No change of the batch was kept.`,
		{
			...(fix === undefined ? {} : { fix }),
			path: `requests[${at}]`,
			details: {
				failed_at: at,
				failed_request: { method, path, status, ...(code === undefined ? {} : { code }) },
				rolled_back: true,
				committed: false,
				results: listed(outcome),
			},
		},
	);
}

/** The refusal of a batch that was ended before it was through. */
function endedAt(outcome: Outcome, of: number, committed: boolean): ApiError {
	const done = outcome.results.length;
	const diverged = outcome.ended === 'diverged';
	const why = diverged
		? ((parsed(outcome.bodies[done - 1]!) as Refusal).message ?? '')
		: outcome.ended === 'paused'
			? 'The world of the batch was paused.'
			: 'The call was cancelled.';
	const stays = committed ? 'Their changes are kept.' : 'No change of the batch was kept.';
	return new ApiError(
		diverged ? 'diverged' : 'cancelled',
		`${why} ${done} of ${of} requests were answered before. ${stays}`,
		{
			details: { committed, results: listed(outcome) },
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
	const entry = worlds.find(id);
	return { world: id, ...(entry === undefined ? { tick: null, state_digest: null } : stampOf(entry.world)) };
}

/** The answer to a batch: `head` with the results, whose bodies are put in as the JSON that they are. */
function answerOf(outcome: Outcome, head: object): RawAnswer {
	const parts: Uint8Array[] = [];
	const text = (part: string) => parts.push(encoder.encode(part));
	const { results, bodies } = outcome;
	const succeeded = results.filter(({ ok }) => ok).length;
	const counts = { count: results.length, succeeded, failed: results.length - succeeded };
	const all_ok = succeeded === results.length;
	text(
		`${JSON.stringify({ ok: true, all_ok, ...warned(outcome), ...counts, ...head }).slice(0, -1)},"results":[`,
	);
	for (const [at, result] of results.entries()) {
		text(`${at === 0 ? '' : '},'}${JSON.stringify(shownHead(result)).slice(0, -1)},"body":`);
		parts.push(bodies[at]!);
	}
	text(results.length === 0 ? ']}' : '}]}');
	return new RawAnswer({
		status: 200,
		headers: { 'content-type': 'application/json' },
		body: joinedBytes(parts),
	});
}

export const handlers = [
	handler(routes.batch, async ({ host, entry }, { body }) => {
		const { requests, atomic, dry_run, limit } = body;
		const { id } = entry;
		if (!atomic && !dry_run) {
			const outcome = await runAll(host, id, requests, false);
			const { ended } = outcome;
			if (ended === 'cancelled' || ended === 'diverged') throw endedAt(outcome, requests.length, true);
			const stopped = ended === 'paused' || ended === 'full' ? { stopped: ended } : {};
			return answerOf(outcome, { committed: true, ...stopped, ...standing(host.worlds, id) });
		}
		const transaction = host.begin();
		let committed = false;
		try {
			const outcome = await runAll(transaction.host, id, requests, atomic);
			const { ended } = outcome;
			const isOver = ended === 'cancelled' || ended === 'diverged';
			if (atomic && !isOver && outcome.results.some(({ ok }) => !ok)) throw brokenAt(outcome);
			if (ended === 'full') throw brokenAt(outcome);
			if (ended !== null) throw endedAt(outcome, requests.length, false);
			const { worlds } = transaction.host;
			if (dry_run) {
				const after = worlds.find(id);
				return answerOf(outcome, {
					committed: false,
					...standing(worlds, id),
					...(after && { changes: diffOf(diffWorlds(entry.world, after.world, limit)) }),
					other_worlds: otherWorlds(host.worlds, worlds, id),
					snapshots: otherSnapshots(host.worlds, worlds),
					files: [...transaction.files()],
				});
			}
			const stamp = standing(worlds, id);
			await transaction.commit();
			committed = true;
			return answerOf(outcome, { committed: true, ...stamp });
		} finally {
			if (!committed) transaction.rollback();
		}
	}),
];
