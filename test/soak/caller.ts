/**
 * Calls of a careful client: each write has a key, and after any failure the call is repeated until it is answered.
 * Owns: the repetition, and recording the answers.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { count, type SoakTally } from './tally.ts';

export type Answer = Record<string, unknown>;

/** Outcome of an answered call: it was applied or refused. */
export interface CallOutcome {
	readonly ok: boolean;
	readonly status: number;
	readonly answer: Answer;
	/** Undefined for a read. */
	readonly key: string | undefined;
}

/**
 * Times (ms): the pause between two attempts, the time after which a missing answer is an error, and the time after which
 * the call is abandoned.
 */
const RETRY_MS = 100;
const ERROR_AFTER_MS = 120_000;
const ABANDON_AFTER_MS = 240_000;
/** Timeout of one attempt (ms). It is longer than the relay lets a call wait. */
const ATTEMPT_TIMEOUT_MS = 120_000;

export class SoakCaller {
	readonly #url: string;
	readonly #name: string;
	readonly #tally: SoakTally;
	#writes = 0;

	constructor(url: string, name: string, tally: SoakTally) {
		this.#url = url;
		this.#name = name;
		this.#tally = tally;
	}

	/** Makes a call that reads. Returns its answer, or records the refusal and returns undefined. */
	async read(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer | undefined> {
		return this.#must(await this.#call(method, path, body, undefined), method, path);
	}

	/** Makes a call that writes. Returns its answer with its key, or records the refusal and returns undefined. */
	async write(
		method: 'POST' | 'DELETE',
		path: string,
		body?: object,
	): Promise<(Answer & { readonly key: string }) | undefined> {
		const key = `${this.#name}-${++this.#writes}`;
		const outcome = await this.#call(method, path, method === 'POST' ? (body ?? {}) : undefined, key);
		const answer = this.#must(outcome, method, path);
		if (answer === undefined) return undefined;
		const digest = typeof answer.state_digest === 'string' ? answer.state_digest : undefined;
		this.#tally.acknowledged.set(key, { name: nameOf(method, path), digest });
		return { ...answer, key };
	}

	#must(outcome: CallOutcome, method: string, path: string): Answer | undefined {
		if (outcome.ok) return outcome.answer;
		const { status, answer, key } = outcome;
		this.#tally.errors.push(
			`${method} ${path}${key === undefined ? '' : ` (${key})`}: ${status} ${String(answer.code)}: ${String(answer.error)}`,
		);
		return undefined;
	}

	async #call(
		method: string,
		path: string,
		body: object | undefined,
		key: string | undefined,
	): Promise<CallOutcome> {
		const tally = this.#tally;
		const name = nameOf(method, path);
		count(tally.calls, name);
		const headers = {
			'x-agent': this.#name,
			...(body === undefined ? {} : { 'content-type': 'application/json' }),
			...(key === undefined ? {} : { 'idempotency-key': key }),
		};
		const startTime = performance.now();
		let lastFailure = '';
		let isReported = false;
		for (;;) {
			const sendTime = performance.now();
			try {
				const response = await fetch(this.#url + path, {
					method,
					headers,
					...(body === undefined ? {} : { body: JSON.stringify(body) }),
					signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS),
				});
				const answer = (await response.json()) as Answer;
				if (response.status < 500) {
					tally.recordAnswer(sendTime);
					tally.times.push(performance.now() - startTime);
					if (response.headers.get('idempotency-replayed') === 'true') tally.replayed++;
					return { ok: response.status < 400 && answer.ok !== false, status: response.status, answer, key };
				}
				lastFailure = `${response.status} ${String(answer.code)}`;
				count(tally.serverErrors, `${lastFailure} (${name})`);
			} catch (error) {
				lastFailure = messageOf(error);
				count(tally.breaks, lastFailure);
			}
			if (!isReported && performance.now() - startTime > ERROR_AFTER_MS) {
				isReported = true;
				tally.errors.push(
					`${name} (${key ?? 'a read'}): not answered in ${ERROR_AFTER_MS / 1000} s; the last time: ${lastFailure}`,
				);
			}
			if (performance.now() - startTime > ABANDON_AFTER_MS)
				return { ok: false, status: 0, answer: { error: lastFailure }, key };
			await wait(RETRY_MS);
		}
	}
}

/** Returns the name of a call without ids, which differ between clients. */
function nameOf(method: string, path: string): string {
	return `${method} ${path.split('?')[0]!.replace(/\/(?:\d+|[a-z]+-\d+[^/]*|[0-9a-f]{64})(?=\/|$)/g, '/{id}')}`;
}

function messageOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const { cause } = error;
	if (!(cause instanceof Error)) return error.message;
	const code = (cause as NodeJS.ErrnoException).code;
	return code ?? cause.message;
}
