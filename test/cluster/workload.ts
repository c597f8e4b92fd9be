/**
 * Calls to worlds of a cluster, and the same calls to one engine that nothing disturbs.
 * Owns: the calls of each world, in order; asking another server if one does not answer; and when answers came.
 */

import { createEngine } from '../../relay/package/engine.ts';
import type { ClusterServer } from './servers.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Milliseconds after which a server that has not answered is asked no longer. */
const ANSWER_MS = 8000;
/** Milliseconds for which servers are asked. */
const PATIENCE_MS = 90_000;

export interface WorkloadCall {
	readonly path: string;
	readonly body: object;
}

type Json = Readonly<Record<string, unknown>>;

/** Answers of the cluster: when they came, and how long they took. */
export class AnswerTimes {
	/** On the steady clock. */
	readonly came: number[] = [];
	readonly took: number[] = [];

	add(began: number): void {
		const now = performance.now();
		this.came.push(now);
		this.took.push(now - began);
	}

	/** Longest time without an answer between two moments. */
	stall(from: number, to: number): number {
		const all = [from, ...this.came.filter((at) => at > from && at < to).sort((a, b) => a - b), to];
		return Math.max(...all.slice(1).map((at, i) => at - all[i]!));
	}
}

/** Returns the value below which a share of numbers is. */
export function share(numbers: readonly number[], part: number): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

/** One attempt at a call. Rejects if the server does not answer it. */
export async function ask(
	server: Pick<ClusterServer, 'url'>,
	method: string,
	path: string,
	body?: object,
	key?: string,
	most = ANSWER_MS,
): Promise<Json> {
	const response = await fetch(`${server.url}${path}`, {
		method,
		headers: {
			'content-type': 'application/json',
			...(key === undefined ? {} : { 'idempotency-key': key }),
		},
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
		signal: AbortSignal.timeout(most),
	});
	const answer = (await response.json()) as Json;
	if (response.status >= 500) throw new Error(`${response.status} ${String(answer.message)}`);
	if (!response.ok || answer.ok === false)
		throw new RefusedCall(`${method} ${path}: ${response.status} ${JSON.stringify(answer).slice(0, 500)}`);
	return answer;
}

/** A call that a server refused: sending it again changes nothing. */
class RefusedCall extends Error {}

/** Sends a call to one server after the other, under one key, until one answers. */
export async function askAny(
	servers: readonly Pick<ClusterServer, 'url'>[],
	first: number,
	method: string,
	path: string,
	body?: object,
	key?: string,
): Promise<Json> {
	const end = performance.now() + PATIENCE_MS;
	for (let at = first; ; at++)
		try {
			return await ask(servers[at % servers.length]!, method, path, body, key);
		} catch (error) {
			if (error instanceof RefusedCall || performance.now() > end) throw error;
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
}

/** A named world with the calls that were made in it. */
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
		await ask(
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
		const began = performance.now();
		const answer = await askAny(servers, first, 'POST', `${call.path}?world=${this.name}`, call.body, key);
		answers?.add(began);
		this.keys.push(key);
		return answer;
	}

	/** Makes the next call of a fixed series: writes and ticks. */
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
		return String((await askAny(servers, first, 'GET', `/digest?world=${this.name}`)).state_digest);
	}

	/** Returns the digest of the same calls in an engine of this process. */
	async undisturbed(): Promise<string> {
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
