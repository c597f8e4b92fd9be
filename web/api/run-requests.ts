/**
 * Runs lists of requests as one call: a batch, an action of a game, or a variant.
 * Owns: the order of the requests, the option that all or none apply, and the answer with their results.
 */

import { statusOf } from '../../shared/contract/dispatch.ts';
import { ApiError, errorBody, MAX_PATH_LENGTH, shortenMiddle } from '../../shared/contract/errors.ts';
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

/** A list of requests, and the name of its call in refusals. */
export interface RequestList {
	readonly requests: Requests;
	readonly kind: 'batch' | 'action' | 'variant';
	/** Values that references may name in addition to answers. */
	readonly values?: ReadonlyMap<string, KnownAnswer>;
}

/** Result of a request without its body. `isShort`: answers omit method, path and status. */
interface RequestHead {
	readonly as?: string;
	readonly method: string;
	readonly path: string;
	readonly status: number;
	readonly ok: boolean;
	readonly isShort: boolean;
}

/** Results of requests. Their answers are JSON texts, which are parsed only if a value is needed. */
export interface RequestsRun {
	readonly results: readonly RequestHead[];
	readonly bodies: readonly Uint8Array[];
	/** Reason why later requests did not run: a refusal, an answer that did not fit, or the end of the call. */
	readonly ended: 'refused' | 'full' | Stop | null;
	/** Reason why the call was cancelled, as a sentence; undefined if it is unknown. */
	readonly why?: string | undefined;
}

/** Bytes per result that an answer needs in addition to the result's body. */
const RESULT_OVERHEAD = 256;

/** Status of an answer that does not fit. */
const TOO_LARGE = statusOf('answer_too_large');

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const parseBytes = (json: Uint8Array): unknown => JSON.parse(decoder.decode(json));

/** Runs the requests in order, and yields to other calls in between. If `strict`, it stops after the first refusal. */
export async function runAll(
	host: Host,
	world: string,
	{ requests, values, kind }: RequestList,
	strict: boolean,
): Promise<RequestsRun> {
	const { running } = host;
	const answers = new Map<string, KnownAnswer>(values);
	const results: RequestHead[] = [];
	const bodies: Uint8Array[] = [];
	let remainingBytes = MAX_DOCUMENT_BYTES - RESULT_OVERHEAD;
	for (const [index, { method = 'POST', path: sent, body, as, answer: fields }] of requests.entries()) {
		let path = sent;
		let answer: { readonly status: number; readonly ok: boolean; readonly body: Uint8Array };
		remainingBytes -= RESULT_OVERHEAD + path.length + (as?.length ?? 0);
		try {
			path = fillPath(sent, answers);
			const { response, ok } = await host.answerInner({
				method,
				path,
				body: fillValue(body, answers),
				world,
				maxAnswerBytes: Math.max(0, remainingBytes),
				isAside: kind === 'variant',
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
		if (as != null) answers.set(as, ok ? { value: parseBytes(answer.body) } : { refused: index });
		const short = ok && fields != null;
		const content = short ? valuesOf(answer.body, fields) : answer.body;
		remainingBytes -= content.length;
		results.push({ ...(as == null ? {} : { as }), method, path, status, ok, isShort: short });
		bodies.push(content);
		running.requests++;
		running.countEdge();
		if (!ok && strict && running.stop === null) return { results, bodies, ended: 'refused' };
		// Later answers would not fit either, and would take as long.
		if (status === TOO_LARGE && index + 1 < requests.length) return { results, bodies, ended: 'full' };
		const pause = host.pauseIfDue();
		if (pause !== undefined) await pause;
		if (index + 1 === requests.length && ok) break;
		const ended = running.stopAtEdge();
		if (ended !== null) return { results, bodies, ended, why: running.refusal?.message };
	}
	return { results, bodies, ended: null };
}

/** Returns the reason why a request was refused. */
export const refusalIn = ({ bodies }: RequestsRun, at: number): RefusedBody =>
	parseBytes(bodies[at]!) as RefusedBody;

/** Returns the values of some fields of an answer, as JSON. */
function valuesOf(body: Uint8Array, fields: readonly string[]): Uint8Array {
	const answer = parseBytes(body);
	return encoder.encode(JSON.stringify(fields.map((field) => valueAt(answer, field.split('.')))));
}

/** Returns a result as answers show it, without its body. */
const headView = ({ isShort, as, ok, ...rest }: RequestHead) => ({
	...(as === undefined ? {} : { as }),
	...(isShort ? {} : rest),
	ok,
});

const resultList = ({ results, bodies }: RequestsRun): Result[] =>
	results.map((result, at) => ({ ...headView(result), body: parseBytes(bodies[at]!) }) as Result);

interface RefusedBody {
	readonly message?: string;
	readonly fix?: string;
	readonly code?: string;
}

/** Returns the warning of a batch that continued after a refusal; no field if none was refused. */
function refusalWarning({ results, bodies }: RequestsRun): { warnings?: string[] } {
	const at = results.findIndex(({ ok }) => !ok);
	if (at < 0) return {};
	const { method, path } = results[at]!;
	const { message = '' } = parseBytes(bodies[at]!) as RefusedBody;
	const count = results.filter(({ ok }) => !ok).length;
	return {
		warnings: [
			`${count} of ${results.length} requests were refused. The first: requests[${at}] (${method} ${shortenMiddle(path, MAX_PATH_LENGTH)}): ${message}`,
		],
	};
}

/** Returns the error of an all-or-nothing list whose last request was refused. */
function atomicError(outcome: RequestsRun, kind: RequestList['kind']): ApiError {
	const at = outcome.results.length - 1;
	const { method, path, status } = outcome.results[at]!;
	const { message, fix, code } = parseBytes(outcome.bodies[at]!) as RefusedBody;
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
				results: resultList(outcome),
			},
		},
	);
}

/** Returns the error of a list that was ended before its last request. */
export function endedEarlyError(
	outcome: RequestsRun,
	{ kind, requests }: RequestList,
	committed: boolean,
): ApiError {
	const answeredCount = outcome.results.length;
	const diverged = outcome.ended === 'diverged';
	const reason = diverged
		? ((parseBytes(outcome.bodies[answeredCount - 1]!) as RefusedBody).message ?? '')
		: outcome.ended === 'paused'
			? `The world of the ${kind} was paused.`
			: (outcome.why ?? 'The call was cancelled.');
	const changesText = committed ? 'Their changes are kept.' : `No change of the ${kind} was kept.`;
	return new ApiError(
		diverged ? 'diverged' : 'cancelled',
		`${reason} ${answeredCount} of ${requests.length} requests were answered before. ${changesText}`,
		{
			details: { committed, results: resultList(outcome) },
		},
	);
}

/** Returns tick and digest of the requests' world after them. */
export function stampOfWorld(worlds: Worlds, id: string) {
	const entry = worlds.find(id);
	return { world: id, ...(entry === undefined ? { tick: null, state_digest: null } : stampOf(entry.world)) };
}

/** Returns the answer: `head` with the results. Their bodies are inserted as JSON text, without parsing. */
export function answerOf(outcome: RequestsRun, head: object): RawAnswer {
	const parts: Uint8Array[] = [];
	const text = (part: string) => parts.push(encoder.encode(part));
	const { results, bodies } = outcome;
	const succeeded = results.filter(({ ok }) => ok).length;
	const counts = { count: results.length, succeeded, failed: results.length - succeeded };
	const all_ok = succeeded === results.length;
	text(
		`${JSON.stringify({ ok: true, all_ok, ...refusalWarning(outcome), ...counts, ...head }).slice(0, -1)},"results":[`,
	);
	for (const [at, result] of results.entries()) {
		text(`${at === 0 ? '' : '},'}${JSON.stringify(headView(result)).slice(0, -1)},"body":`);
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
 * Runs requests on a copy, and keeps their changes if all succeed. Otherwise throws `batch_failed`, `cancelled` or `diverged`, and
 * changes nothing.
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
		const stamp = stampOfWorld(transaction.host.worlds, world);
		await transaction.commit();
		committed = true;
		return answerOf(outcome, { ...head, committed: true, ...stamp });
	} finally {
		if (!committed) transaction.rollback();
	}
}

/** Throws unless all requests were answered and, if `atomic`, accepted. */
export function requireWhole(outcome: RequestsRun, list: RequestList, atomic: boolean): void {
	const { ended } = outcome;
	const isStopped = ended === 'cancelled' || ended === 'diverged';
	if (atomic && !isStopped && outcome.results.some(({ ok }) => !ok)) throw atomicError(outcome, list.kind);
	if (ended === 'full') throw atomicError(outcome, list.kind);
	if (ended !== null) throw endedEarlyError(outcome, list, false);
}
