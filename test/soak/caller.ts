/**
 * Calls as a careful client makes them: each write has a key, and whatever breaks, it is sent again until it is answered.
 * Owns: when it is sent again, and noting what was answered.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { count, type SoakTally } from './tally.ts';

export type Answer = Record<string, unknown>;

/** An answer that is no break: it was done, or refused. */
export interface CallOutcome {
	readonly ok: boolean;
	readonly status: number;
	readonly answer: Answer;
	/** Undefined for a read. */
	readonly key: string | undefined;
}

/**
 * Milliseconds between two tries, milliseconds after which a missing answer is a fault, and those after which its
 * fate is no longer asked for.
 */
const AGAIN = 100;
const PATIENCE = 120_000;
const GIVEN_UP = 240_000;
/** Milliseconds after which an answer is not waited for any more: longer than the relay has a call wait. */
const ANSWER = 120_000;

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

	/** Something that is only read: its answer, undefined if it was refused, which is noted. */
	async read(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer | undefined> {
		return this.#must(await this.#call(method, path, body, undefined), method, path);
	}

	/** Something that changes a world: its answer with its key, undefined if it was refused, which is noted. */
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
		const began = performance.now();
		let last = '';
		let late = false;
		for (;;) {
			const sent = performance.now();
			try {
				const response = await fetch(this.#url + path, {
					method,
					headers,
					...(body === undefined ? {} : { body: JSON.stringify(body) }),
					signal: AbortSignal.timeout(ANSWER),
				});
				const answer = (await response.json()) as Answer;
				if (response.status < 500) {
					tally.answered(sent);
					tally.times.push(performance.now() - began);
					if (response.headers.get('idempotency-replayed') === 'true') tally.replayed++;
					return { ok: response.status < 400 && answer.ok !== false, status: response.status, answer, key };
				}
				last = `${response.status} ${String(answer.code)}`;
				count(tally.fives, `${last} (${name})`);
			} catch (error) {
				last = saidBy(error);
				count(tally.breaks, last);
			}
			if (!late && performance.now() - began > PATIENCE) {
				late = true;
				tally.errors.push(
					`${name} (${key ?? 'a read'}): not answered in ${PATIENCE / 1000} s; the last time: ${last}`,
				);
			}
			if (performance.now() - began > GIVEN_UP) return { ok: false, status: 0, answer: { error: last }, key };
			await wait(AGAIN);
		}
	}
}

/** Returns a call without what differs from one client to another. */
function nameOf(method: string, path: string): string {
	return `${method} ${path.split('?')[0]!.replace(/\/(?:\d+|[a-z]+-\d+[^/]*|[0-9a-f]{64})(?=\/|$)/g, '/{id}')}`;
}

function saidBy(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const { cause } = error;
	if (!(cause instanceof Error)) return error.message;
	const code = (cause as NodeJS.ErrnoException).code;
	return code ?? cause.message;
}
