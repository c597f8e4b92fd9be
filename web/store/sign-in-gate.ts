/**
 * Identity of callers, if writes need a session.
 * Owns: the relay's answers about sessions, for a short time, and the limits of each agent's calls.
 * Never: owns a key or a session. The relay stores them, so that they survive the end of a tab.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import {
	type Agent,
	type Principal,
	principalOf,
	principalOfSession,
	tokenOf,
	withoutSession,
	withUnclearSession,
} from '../../shared/contract/principal.ts';
import { RIGHTS_HEADER, type Transport, type WireRequest } from '../../shared/contract/wire.ts';
import type { RelayServices } from '../../shared/transport/errand.ts';
import { NO_RELAY_SERVICES } from './no-relay-services.ts';

/** Maximum time for which an answer about a session is used (ms), unless the list of agents changes. */
const MAX_SESSION_MS = 5000;
/** Maximum number of remembered sessions. */
const MAX_SESSIONS = 1000;
/** Number of seconds whose calls may come together in a burst. */
const BURST_SECONDS = 2;
const HOUR_MS = 60 * 60 * 1000;

/** Caller of a session, and the time until which the answer is used (ms). */
interface KnownSession {
	readonly principal: Principal;
	readonly validUntil: number;
}

/** Token bucket: the calls or bytes that remain, and the time of the last refill (ms). */
interface Bucket {
	tokens: number;
	time: number;
}

export class SignInGate {
	/** True if writes need a session. */
	isClosed: boolean;
	relayServices: RelayServices = NO_RELAY_SERVICES;
	readonly #now: () => number;
	readonly #sessions = new Map<string, KnownSession>();
	readonly #callBuckets = new Map<number, Bucket>();
	/** Bytes that each agent may still add to the journal. */
	readonly #journalBuckets = new Map<number, Bucket>();

	/** `now`: milliseconds on a monotonic clock. */
	constructor(isClosed: boolean, now: () => number) {
		this.isClosed = isClosed;
		this.#now = now;
	}

	/** Returns the sender of a call, as a promise only if the relay must be asked. Never rejects. */
	principalOf(request: WireRequest, door: Transport): Principal | Promise<Principal> {
		if (!this.isClosed) return principalOf(request, door);
		const token = tokenOf(request);
		if (token === undefined) return withoutSession(request, door, 'The call has no session token.');
		// The rights are part of the key, so a change of an agent's rights takes effect on the next call.
		const rights = request.headers[RIGHTS_HEADER] ?? '';
		const key = `${door} ${request.headers['x-agent'] ?? ''} ${rights} ${token}`;
		const session = this.#sessions.get(key);
		if (session !== undefined && this.#now() < session.validUntil) return session.principal;
		return this.#askRelay(request, door, token, key);
	}

	async #askRelay(request: WireRequest, door: Transport, token: string, key: string): Promise<Principal> {
		this.#sessions.delete(key);
		try {
			const session = await this.relayServices.ask('session', { session_token: token });
			if (session === null)
				return withoutSession(request, door, 'The session token of the call has expired or is not valid.');
			const principal = principalOfSession(session, request, door);
			const validUntil = this.#now() + Math.min(MAX_SESSION_MS, session.seconds_left * 1000);
			const oldest = this.#sessions.size < MAX_SESSIONS ? undefined : this.#sessions.keys().next().value;
			if (oldest !== undefined) this.#sessions.delete(oldest);
			this.#sessions.set(key, { principal, validUntil });
			return principal;
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			return withUnclearSession(request, door, `The session token could not be checked: ${error.message}`);
		}
	}

	/** Drops the answers about an ended session. */
	dropSession(token: string): void {
		for (const key of this.#sessions.keys()) if (key.endsWith(` ${token}`)) this.#sessions.delete(key);
	}

	/**
	 * Counts calls of an agent. Throws `too_many_calls` if no call is left. A batch may use more than are left; the next call
	 * then waits longer.
	 */
	countCalls({ number, id, limits }: Agent, calls = 1): void {
		const rate = limits.calls_per_second;
		const bucket = this.#refillBucket(this.#callBuckets, number, rate * BURST_SECONDS, rate / 1000);
		if (bucket.tokens < 1)
			throw tooManyCalls(
				`"${id}" exceeded its limit of ${rate} calls per second.`,
				(1 - bucket.tokens) / rate,
			);
		bucket.tokens -= calls;
	}

	/** Throws `too_many_calls` if the calls of an agent have filled its share of the journal. */
	requireJournal({ number, id, limits }: Agent): void {
		const limit = limits.journal_bytes;
		const { tokens } = this.#refillBucket(this.#journalBuckets, number, limit, limit / HOUR_MS);
		if (tokens < 0)
			throw tooManyCalls(
				`The calls of "${id}" added ${limit} bytes to the journal, which is its limit per hour.`,
				Math.min(1, -tokens / limit) * (HOUR_MS / 1000),
			);
	}

	/** Counts bytes that a call of an agent added to the journal. These may be more than are left. */
	countJournalBytes({ number, limits }: Agent, bytes: number): void {
		const most = limits.journal_bytes;
		this.#refillBucket(this.#journalBuckets, number, most, most / HOUR_MS).tokens -= bytes;
	}

	/** Returns a bucket of an agent, refilled since its last use. `rate`: tokens per millisecond. */
	#refillBucket(buckets: Map<number, Bucket>, agent: number, most: number, rate: number): Bucket {
		const now = this.#now();
		const bucket = buckets.get(agent) ?? { tokens: most, time: now };
		bucket.tokens = Math.min(most, bucket.tokens + (now - bucket.time) * rate);
		bucket.time = now;
		buckets.set(agent, bucket);
		return bucket;
	}
}

const tooManyCalls = (message: string, seconds: number): ApiError =>
	new ApiError('too_many_calls', message, { headers: { 'retry-after': String(Math.ceil(seconds)) } });
