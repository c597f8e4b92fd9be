/**
 * Lists of requests that are made as one call: a batch, or an action of a game.
 * Owns: making them in order, all or nothing if that is asked for, and the answer with their results.
 */

import { statusOf } from '../../shared/contract/dispatch.ts';
import { ApiError, errorBody, MAX_PATH_LENGTH, shortened } from '../../shared/contract/errors.ts';
import { joinBytes } from '../../shared/contract/joined-bytes.ts';
import type { Answer, Body } from '../../shared/contract/route.ts';
import { MAX_DOCUMENT_BYTES } from '../../shared/contract/wire.ts';
import type { batch } from '../../shared/routes/batch.ts';
import type { Stop } from '../store/call-list.ts';
import type { Worlds } from '../store/worlds.ts';
import type { Host } from './context.ts';
import { valueAt } from './entity-fields.ts';
import { RawAnswer } from './raw-answer.ts';
import { fillPath, fillValue, type KnownAnswer } from './references.ts';
import { stampOf } from './world-stamp.ts';

type Requests = Readonly<Body<typeof batch>['requests']>;
type Result = Answer<typeof batch>['results'][number];

/** A list of requests, and how its call is named in refusals. */
export interface RequestList {
	readonly requests: Requests;
	readonly kind: 'batch' | 'action' | 'variant';
	/** Values that references may name besides answers. */
	readonly given?: ReadonlyMap<string, KnownAnswer>;
}

/** The result of a request without its body; with `answer`, method, path and status are left out. */
interface RequestHead {
	readonly as?: string;
	readonly method: string;
	readonly path: string;
	readonly status: number;
	readonly ok: boolean;
	readonly short: boolean;
}

/** Results of the requests, with their answers as JSON, which is parsed only if a value of it is needed. */
export interface RequestsRun {
	readonly results: readonly RequestHead[];
	readonly bodies: readonly Uint8Array[];
	/** Reason that requests were left undone: one was refused, its answer had no room beside the others, or the call was stopped. */
	readonly ended: 'refused' | 'full' | Stop | null;
	/** Reason that the call was cancelled, as a sentence, if that is known. */
	readonly why?: string | undefined;
}

/** Bytes that an answer needs around one result. */
const AROUND_RESULT = 256;

/** The status of an answer that has no room. */
const TOO_LARGE = statusOf('answer_too_large');

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const parsed = (json: Uint8Array): unknown => JSON.parse(decoder.decode(json));

/**
 * Makes the requests in order, and yields to other calls in between. If `strict`, it stops after the first that is
 * refused.
 */
export async function runAll(
	host: Host,
	world: string,
	{ requests, given, kind }: RequestList,
	strict: boolean,
): Promise<RequestsRun> {
	const { running } = host;
	const answers = new Map<string, KnownAnswer>(given);
	const results: RequestHead[] = [];
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
				aside: kind === 'variant',
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
		const content = short ? valuesOf(answer.body, fields) : answer.body;
		room -= content.length;
		results.push({ ...(as == null ? {} : { as }), method, path, status, ok, short });
		bodies.push(content);
		running.requests++;
		running.edge();
		if (!ok && strict && running.stop === null) return { results, bodies, ended: 'refused' };
		// What comes after it would find no more room, and take as long.
		if (status === TOO_LARGE && at + 1 < requests.length) return { results, bodies, ended: 'full' };
		const rest = host.breathe();
		if (rest !== undefined) await rest;
		if (at + 1 === requests.length && ok) break;
		const ended = running.endsHere();
		if (ended !== null) return { results, bodies, ended, why: running.refusal?.message };
	}
	return { results, bodies, ended: null };
}

/** Returns the reason why a request was refused. */
export const refusalIn = ({ bodies }: RequestsRun, at: number): RefusedBody =>
	parsed(bodies[at]!) as RefusedBody;

/** Returns the values of some fields of an answer, as JSON. */
function valuesOf(body: Uint8Array, fields: readonly string[]): Uint8Array {
	const answer = parsed(body);
	return encoder.encode(JSON.stringify(fields.map((field) => valueAt(answer, field.split('.')))));
}

/** Returns a result as answers show it, without its body. */
const shownHead = ({ short, as, ok, ...rest }: RequestHead) => ({
	...(as === undefined ? {} : { as }),
	...(short ? {} : rest),
	ok,
});

const listed = ({ results, bodies }: RequestsRun): Result[] =>
	results.map((result, at) => ({ ...shownHead(result), body: parsed(bodies[at]!) }) as Result);

interface RefusedBody {
	readonly message?: string;
	readonly fix?: string;
	readonly code?: string;
}

/** Warning of a batch that continued after a refusal; empty if none was refused. */
function warned({ results, bodies }: RequestsRun): { warnings?: string[] } {
	const at = results.findIndex(({ ok }) => !ok);
	if (at < 0) return {};
	const { method, path } = results[at]!;
	const { message = '' } = parsed(bodies[at]!) as RefusedBody;
	const count = results.filter(({ ok }) => !ok).length;
	return {
		warnings: [
			`${count} of ${results.length} requests were refused. The first: requests[${at}] (${method} ${shortened(path, MAX_PATH_LENGTH)}): ${message}`,
		],
	};
}

/** Returns the refusal of requests that were to be done whole. */
function brokenAt(outcome: RequestsRun, kind: RequestList['kind']): ApiError {
	const at = outcome.results.length - 1;
	const { method, path, status } = outcome.results[at]!;
	const { message, fix, code } = parsed(outcome.bodies[at]!) as RefusedBody;
	return new ApiError(
		'batch_failed',
		`requests[${at}] (${method} ${path}) was refused: ${message} No change of the ${kind} was kept.`,
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

/** Returns the refusal of requests that were ended before they were through. */
export function endedAt(outcome: RequestsRun, { kind, requests }: RequestList, committed: boolean): ApiError {
	const done = outcome.results.length;
	const diverged = outcome.ended === 'diverged';
	const why = diverged
		? ((parsed(outcome.bodies[done - 1]!) as RefusedBody).message ?? '')
		: outcome.ended === 'paused'
			? `The world of the ${kind} was paused.`
			: (outcome.why ?? 'The call was cancelled.');
	const stays = committed ? 'Their changes are kept.' : `No change of the ${kind} was kept.`;
	return new ApiError(
		diverged ? 'diverged' : 'cancelled',
		`${why} ${done} of ${requests.length} requests were answered before. ${stays}`,
		{
			details: { committed, results: listed(outcome) },
		},
	);
}

/** Returns tick and digest of the requests' world after them. */
export function worldStamp(worlds: Worlds, id: string) {
	const entry = worlds.find(id);
	return { world: id, ...(entry === undefined ? { tick: null, state_digest: null } : stampOf(entry.world)) };
}

/** Returns the answer: `head` with the results, whose bodies are put in as the JSON that they are. */
export function answerOf(outcome: RequestsRun, head: object): RawAnswer {
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
		body: joinBytes(parts),
	});
}

/**
 * Makes requests on a copy, and keeps what they did if all of them were accepted. Throws `batch_failed`, `cancelled` or
 * `diverged`, with nothing changed.
 */
export async function runWhole(
	host: Host,
	world: string,
	list: RequestList,
	head: object,
): Promise<RawAnswer> {
	const transaction = host.begin();
	let committed = false;
	try {
		const outcome = await runAll(transaction.host, world, list, true);
		requireWhole(outcome, list, true);
		const stamp = worldStamp(transaction.host.worlds, world);
		await transaction.commit();
		committed = true;
		return answerOf(outcome, { ...head, committed: true, ...stamp });
	} finally {
		if (!committed) transaction.rollback();
	}
}

/** Throws for requests that were not all answered and, if `atomic`, accepted. */
export function requireWhole(outcome: RequestsRun, list: RequestList, atomic: boolean): void {
	const { ended } = outcome;
	const isOver = ended === 'cancelled' || ended === 'diverged';
	if (atomic && !isOver && outcome.results.some(({ ok }) => !ok)) throw brokenAt(outcome, list.kind);
	if (ended === 'full') throw brokenAt(outcome, list.kind);
	if (ended !== null) throw endedAt(outcome, list, false);
}
