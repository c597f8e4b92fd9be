/**
 * Calls to worlds of a cluster, and the same calls to one undisturbed engine.
 * Owns: the calls of each world, in order; trying another server if one does not answer; and the times of answers.
 */

import { createEngine } from '../../relay/package/engine.ts';
import type { ClusterServer } from './servers.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Timeout of one attempt (ms). */
const ANSWER_MS = 8000;
/** Time after which a call fails (ms). */
const PATIENCE_MS = 90_000;

export interface WorkloadCall {
	readonly path: string;
	readonly body: object;
}

type Json = Readonly<Record<string, unknown>>;

/** Times and durations of the cluster's answers (ms). */
export class AnswerTimes {
	/** Times of arrival, on the steady clock. */
	readonly arrivals: number[] = [];
	readonly durations: number[] = [];

	add(began: number): void {
		const now = performance.now();
		this.arrivals.push(now);
		this.durations.push(now - began);
	}

	/** Returns the longest time without an answer between two times. */
	stall(from: number, to: number): number {
		const times = [
			from,
			...this.arrivals.filter((time) => time > from && time < to).sort((a, b) => a - b),
			to,
		];
		return Math.max(...times.slice(1).map((at, i) => at - times[i]!));
	}
}

/** Returns the quantile of some numbers. */
export function quantile(numbers: readonly number[], part: number): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

/** Makes a call once. Rejects if the server does not answer. */
export async function sendCall(
	server: Pick<ClusterServer, 'url'>,
	method: string,
	path: string,
	body?: object,
	key?: string,
	timeoutMs = ANSWER_MS,
): Promise<Json> {
	const response = await fetch(`${server.url}${path}`, {
		method,
		headers: {
			'content-type': 'application/json',
			...(key === undefined ? {} : { 'idempotency-key': key }),
		},
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
		signal: AbortSignal.timeout(timeoutMs),
	});
	const answer = (await response.json()) as Json;
	if (response.status >= 500) throw new Error(`${response.status} ${String(answer.message)}`);
	if (!response.ok || answer.ok === false)
		throw new RefusedCall(`${method} ${path}: ${response.status} ${JSON.stringify(answer).slice(0, 500)}`);
	return answer;
}

/** Error of a refused call. Repeating the call is useless. */
class RefusedCall extends Error {}

/** Sends a call to one server after the other, under one key, until one answers. */
export async function sendToAny(
	servers: readonly Pick<ClusterServer, 'url'>[],
	first: number,
	method: string,
	path: string,
	body?: object,
	key?: string,
): Promise<Json> {
	const end = performance.now() + PATIENCE_MS;
	for (let i = first; ; i++)
		try {
			return await sendCall(servers[i % servers.length]!, method, path, body, key);
		} catch (error) {
			if (error instanceof RefusedCall || performance.now() > end) throw error;
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
}

/** A named world and the calls to it. */
export class TestWorld {
	readonly name: string;
	readonly seed: number;
	readonly calls: WorkloadCall[] = [];
	/** Keys of acknowledged calls. */
	readonly keys: string[] = [];

	constructor(name: string, seed: number) {
		this.name = name;
		this.seed = seed;
	}

	async create(server: ClusterServer): Promise<void> {
		await sendCall(
			server,
			'POST',
			'/worlds',
			{ name: this.name, profile: 'bare', seed: this.seed },
			`create-${this.name}`,
		);
	}

	/** Makes a call. Resolves when it is acknowledged. */
	async call(
		servers: readonly ClusterServer[],
		first: number,
		call: WorkloadCall,
		answers?: AnswerTimes,
	): Promise<Json> {
		const key = `${this.name}-${this.calls.length}`;
		this.calls.push(call);
		const startTime = performance.now();
		const answer = await sendToAny(servers, first, 'POST', `${call.path}?world=${this.name}`, call.body, key);
		answers?.add(startTime);
		this.keys.push(key);
		return answer;
	}

	/** Makes the next call of a fixed sequence of writes and ticks. */
	next(servers: readonly ClusterServer[], first: number, answers?: AnswerTimes): Promise<Json> {
		const i = this.calls.length;
		const spawn = {
			path: '/spawn',
			body: { position: [i % 7, 1 + (i % 3), i % 5], tags: [`w${i}`], health: 10 + i },
		};
		const step = { path: '/step', body: { ticks: 1 + (i % 4) } };
		return this.call(servers, first, i % 3 === 0 ? spawn : step, answers);
	}

	async digest(servers: readonly ClusterServer[], first = 0): Promise<string> {
		return String((await sendToAny(servers, first, 'GET', `/digest?world=${this.name}`)).state_digest);
	}

	/** Returns the digest of the same calls in an engine of this process. */
	async referenceDigest(): Promise<string> {
		const engine = await createEngine({ profile: 'bare', seed: this.seed });
		const send = async (method: string, path: string, body?: object) => {
			const bytes = body === undefined ? new Uint8Array(0) : encoder.encode(JSON.stringify(body));
			const headers = { 'content-type': 'application/json' };
			const answer = await engine.handle({ method, path, query: '', headers, body: bytes });
			return JSON.parse(decoder.decode(answer.body)) as Json;
		};
		for (const { path, body } of this.calls) await send('POST', path, body);
		const { state_digest } = await send('GET', '/digest');
		engine.worlds.dispose();
		return String(state_digest);
	}
}
