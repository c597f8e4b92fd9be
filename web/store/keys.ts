/**
 * Keys of calls. A call with a known key gets the stored answer, and is not applied again. A caller's key is remembered for a
 * day, and its
 * answer is in the journal entry of the call. A transport's key is remembered with the answer until the answer was delivered.
 * Owns: the time and number of remembered keys.
 * Never: remembers a refused call that changed nothing.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import type { Principal } from '../../shared/contract/principal.ts';
import { KEY_HEADER, type WireRequest, type WireResponse } from '../../shared/contract/wire.ts';
import { type Journal, JournalError } from '../../shared/transport/journal.ts';
import {
	type CallHead,
	decodeEntry,
	KEPT_HOURS,
	type ReadEntry,
} from '../../shared/transport/journal-entry.ts';
import { fnv1a } from '../sim/core/fnv.ts';
import { bodyOfCall } from './journal-body.ts';

/** Milliseconds for which a caller's key is remembered. */
export const KEPT_MS = KEPT_HOURS * 60 * 60 * 1000;
/** Maximum number of keys of all callers without a session, and of each agent. The oldest are dropped first, but never another agent's. */
const MAX_KEYS = 100_000;
const MAX_AGENT_KEYS = 10_000;

/** A caller's key, the entry of its call, and the time at which the call was applied (ms since 1970). */
export type StoredKey = readonly [key: string, entry: number, at: number];

/** The entry of a call. */
type CallEntry = ReadEntry & { readonly head: CallHead };

/** Returns the key of a call, with the agent's id; undefined without a key. Throws `bad_key`. */
export function keyOf({ headers }: WireRequest, { agent }: Principal): string | undefined {
	const header = headers[KEY_HEADER];
	return header === undefined ? undefined : agentKey(header, agent?.id);
}

function agentKey(key: string, agent: string | undefined): string {
	if (!/^[\x21-\x7e]{1,200}$/.test(key))
		throw new ApiError('bad_key', 'Idempotency-Key is not 1 to 200 visible ASCII characters.');
	return agent === undefined ? key : `${agent} ${key}`;
}

/** An answer that was not yet delivered, with the transport's key of its call. */
export interface StoredCall {
	readonly key: string;
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array;
}

/**
 * Maximum number of undelivered answers, and of their bytes. The relay permits fewer waiting calls. The oldest are dropped first.
 */
const MAX_STORED_CALLS = 4096;
const MAX_CALL_BYTES = 64 * 1024 * 1024;

/** Returns a text that differs for different requests. */
export function requestHash({ method, path, query, body }: WireRequest): string {
	return `${method} ${path}?${query} ${body.length} ${fnv1a(body).toString(16)}`;
}

export class Keys {
	readonly #journal: Pick<Journal, 'read' | 'blob'>;
	readonly #clock: () => number;
	/** Keys of each agent, oldest first; those of callers without a session have an empty name. */
	readonly #keysByAgent = new Map<string, Map<string, StoredKey>>();
	readonly #runningCalls = new Map<string, Promise<unknown>>();
	/** Marks of the requests of applied calls that the journal does not have yet, by key. */
	readonly #unstored = new Map<string, string>();
	/** Undelivered answers by the key of their transport, oldest first. */
	readonly #calls = new Map<string, StoredCall>();
	#callBytes = 0;

	/** `clock`: milliseconds since 1970. `storedKeys` and `calls`: as `all` and `calls` returned them. */
	constructor(
		journal: Pick<Journal, 'read' | 'blob'>,
		clock: () => number,
		storedKeys: readonly StoredKey[] = [],
		calls: readonly StoredCall[] = [],
	) {
		this.#journal = journal;
		this.#clock = clock;
		for (const call of calls) this.keepCall(call);
		for (const item of storedKeys) this.keepKey(item);
	}

	/**
	 * Applies a call at most once per key. A repeat waits for the running call. Returns the result of `work`, or the stored answer. Throws
	 * `bad_key` for another request with the same key, and `answer_gone` if the answer is no longer stored.
	 */
	async applyOnce<T>(
		key: string,
		request: string,
		work: () => Promise<T>,
	): Promise<{ readonly done: T } | { readonly again: WireResponse }> {
		for (
			let running = this.#runningCalls.get(key);
			running !== undefined;
			running = this.#runningCalls.get(key)
		)
			await running;
		const remove = () => {
			this.#runningCalls.delete(key);
		};
		const outcome = this.#applyUnlessAnswered(key, request, work);
		this.#runningCalls.set(key, outcome.then(remove, remove));
		return outcome;
	}

	async #applyUnlessAnswered<T>(key: string, request: string, work: () => Promise<T>) {
		const earlierAnswer = await this.findAnswer(key, request);
		return earlierAnswer === undefined ? { done: await work() } : { again: earlierAnswer };
	}

	/** Returns the answer to a call that was applied before; undefined for a new call. Throws the errors of `applyOnce`. */
	async findAnswer(key: string, request: string): Promise<WireResponse | undefined> {
		const call = this.#calls.get(key);
		if (call !== undefined) return call;
		const stored = this.find(key);
		if (stored === undefined) return undefined;
		const [, entryNumber] = stored;
		const entry = await this.entryOf(stored);
		if (entry === null) throw lostAnswerError(entryNumber);
		const { method, path, query, status, answer } = entry.head;
		const body = await bodyOfCall(entry, this.#journal, entryNumber);
		if (requestHash({ method, path, query, headers: {}, body }) !== request)
			throw new ApiError(
				'bad_key',
				`This Idempotency-Key was already used for another call: ${method} ${path}.`,
				{ fix: 'Send this call with a new Idempotency-Key.' },
			);
		return { status, headers: { ...answer, 'idempotency-replayed': 'true' }, body: entry.answer.slice() };
	}

	/** Returns an agent's key with the agent's id. Throws `bad_key`. */
	agentKey(key: string, agent: string | undefined): string {
		return agentKey(key, agent);
	}

	/** Returns the stored key if its call was applied; undefined otherwise. */
	find(key: string): StoredKey | undefined {
		const stored = this.#keysByAgent.get(agentIn(key))?.get(key);
		return stored === undefined || this.#isOld(stored) ? undefined : stored;
	}

	/** Returns the entry of a key's call; null if it is no longer stored. Rejects with a `JournalError`. */
	async entryOf([, at]: StoredKey): Promise<CallEntry | null> {
		try {
			const [bytes] = await this.#journal.read(at, 1);
			return decodeEntry(bytes!) as CallEntry;
		} catch (error) {
			if (error instanceof JournalError && error.fault === 'cut') return null;
			throw error;
		}
	}

	/** Returns true if a call with a key is being applied, or was applied and waits for the journal. */
	isRunning(key: string): boolean {
		return this.#runningCalls.has(key) || this.#unstored.has(key);
	}

	/** Records that a call was applied, but the journal does not have it yet. */
	markUnstored(key: string, request: string): void {
		this.#unstored.set(key, request);
	}

	/** Returns true if this request was applied with a key, but the journal does not have it yet. */
	isUnstored(key: string, request: string): boolean {
		return this.#unstored.get(key) === request;
	}

	/** Remembers a key whose entry the journal has. */
	keepKey(kept: StoredKey): void {
		const [key] = kept;
		this.#unstored.delete(key);
		const agent = agentIn(key);
		const agentKeys = this.#keysByAgent.get(agent) ?? new Map<string, StoredKey>();
		this.#keysByAgent.set(agent, agentKeys);
		agentKeys.delete(key);
		agentKeys.set(key, kept);
		const limit = agent === '' ? MAX_KEYS : MAX_AGENT_KEYS;
		for (const [oldest, item] of agentKeys) {
			if (agentKeys.size <= limit && !this.#isOld(item)) break;
			agentKeys.delete(oldest);
		}
	}

	#isOld([, , at]: StoredKey): boolean {
		return at + KEPT_MS < this.#clock();
	}

	/** Keeps the answer of a call by the key of its transport. */
	keepCall(call: StoredCall): void {
		this.#dropCall(call.key);
		this.#calls.set(call.key, call);
		this.#callBytes += call.body.length;
		for (const oldest of this.#calls.keys()) {
			if (this.#calls.size <= MAX_STORED_CALLS && this.#callBytes <= MAX_CALL_BYTES) break;
			this.#dropCall(oldest);
		}
	}

	/** Drops the answers of these calls, because they were delivered. */
	forgetCalls(keys: readonly string[]): void {
		for (const key of keys) this.#dropCall(key);
	}

	#dropCall(key: string): void {
		this.#callBytes -= this.#calls.get(key)?.body.length ?? 0;
		this.#calls.delete(key);
	}

	/** Returns the undelivered answers. */
	calls(): readonly StoredCall[] {
		return [...this.#calls.values()];
	}

	/** Returns all callers' keys. Those of one agent are in order, oldest first. */
	all(): readonly StoredKey[] {
		return [...this.#keysByAgent.values()].flatMap((own) => [...own.values()]);
	}
}

/**
 * Returns the agent of a key; an empty text for a caller without a session. An agent's id may have spaces, but the caller's part of the
 * key has none.
 */
const agentIn = (key: string): string => key.slice(0, Math.max(0, key.lastIndexOf(' ')));

const lostAnswerError = (entry: number): ApiError =>
	new ApiError(
		'answer_gone',
		`The call with this Idempotency-Key was already applied. Its answer was deleted with old entries of the journal.`,
		{ details: { applied: true, entry } },
	);
