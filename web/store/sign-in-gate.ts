/**
 * Identity of callers, if writes take a session.
 * Owns: the relay's answers about sessions, for a short time, and how many calls each agent has made lately.
 * Never: holds a key or a session of its own: the relay does, so that they outlive a tab.
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

/** For so long the relay's word on a session counts (ms), unless the list of agents changes. */
const WORD_MS = 5000;
/** Maximum number of sessions that are known at once. */
const MAX_KNOWN = 1000;
/** Number of seconds whose calls may come together. */
const BURST_SECONDS = 2;
const HOUR_MS = 60 * 60 * 1000;

interface KnownSession {
	readonly principal: Principal;
	readonly until: number;
}

interface Bucket {
	left: number;
	at: number;
}

export class SignInGate {
	/** True if writes take a session. */
	closed: boolean;
	relayServices: RelayServices = NO_RELAY_SERVICES;
	readonly #now: () => number;
	readonly #sessions = new Map<string, KnownSession>();
	readonly #buckets = new Map<number, Bucket>();
	/** Bytes that agents may still add to the journal. */
	readonly #journal = new Map<number, Bucket>();

	/** `now`: milliseconds on a clock that only goes forward. */
	constructor(closed: boolean, now: () => number) {
		this.closed = closed;
		this.#now = now;
	}

	/** Returns the caller of a call; immediately if no session is needed. Never rejects. */
	principalOf(request: WireRequest, door: Transport): Principal | Promise<Principal> {
		if (!this.closed) return principalOf(request, door);
		const token = tokenOf(request);
		if (token === undefined) return withoutSession(request, door, 'The call has no session token.');
		// A change of an agent's rights, or its removal from the list, counts from the next call on.
		const rights = request.headers[RIGHTS_HEADER] ?? '';
		const key = `${door} ${request.headers['x-agent'] ?? ''} ${rights} ${token}`;
		const cached = this.#sessions.get(key);
		if (cached !== undefined && this.#now() < cached.until) return cached.principal;
		return this.#look(request, door, token, key);
	}

	async #look(request: WireRequest, door: Transport, token: string, key: string): Promise<Principal> {
		this.#sessions.delete(key);
		try {
			const session = await this.relayServices.ask('session', { session_token: token });
			if (session === null)
				return withoutSession(request, door, 'The session token of the call has expired or is not valid.');
			const principal = principalOfSession(session, request, door);
			const until = this.#now() + Math.min(WORD_MS, session.seconds_left * 1000);
			const oldest = this.#sessions.size < MAX_KNOWN ? undefined : this.#sessions.keys().next().value;
			if (oldest !== undefined) this.#sessions.delete(oldest);
			this.#sessions.set(key, { principal, until });
			return principal;
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			return withUnclearSession(request, door, `The session token could not be checked: ${error.message}`);
		}
	}

	/** A session has ended. */
	forget(token: string): void {
		for (const key of this.#sessions.keys()) if (key.endsWith(` ${token}`)) this.#sessions.delete(key);
	}

	/**
	 * Counts a call that makes this many. Throws `too_many_calls` if the agent has none left; a batch may take more
	 * than are left, and the next call waits longer.
	 */
	count({ number, id, limits }: Agent, calls = 1): void {
		const rate = limits.calls_per_second;
		const bucket = this.#filled(this.#buckets, number, rate * BURST_SECONDS, rate / 1000);
		if (bucket.left < 1)
			throw tooMany(`"${id}" exceeded its limit of ${rate} calls per second.`, (1 - bucket.left) / rate);
		bucket.left -= calls;
	}

	/** Throws `too_many_calls` if the calls of an agent have filled its share of the journal. */
	requireJournal({ number, id, limits }: Agent): void {
		const most = limits.journal_bytes;
		const { left } = this.#filled(this.#journal, number, most, most / HOUR_MS);
		if (left < 0)
			throw tooMany(
				`The calls of "${id}" added ${most} bytes to the journal, which is its limit per hour.`,
				Math.min(1, -left / most) * (HOUR_MS / 1000),
			);
	}

	/** Counts bytes that a call of an agent added to the journal. They may be more than are left. */
	countJournal({ number, limits }: Agent, bytes: number): void {
		const most = limits.journal_bytes;
		this.#filled(this.#journal, number, most, most / HOUR_MS).left -= bytes;
	}

	/** Returns a bucket of an agent, with what flowed in since it was last used. `flow`: per millisecond. */
	#filled(buckets: Map<number, Bucket>, agent: number, most: number, flow: number): Bucket {
		const now = this.#now();
		const bucket = buckets.get(agent) ?? { left: most, at: now };
		bucket.left = Math.min(most, bucket.left + (now - bucket.at) * flow);
		bucket.at = now;
		buckets.set(agent, bucket);
		return bucket;
	}
}

const tooMany = (message: string, seconds: number): ApiError =>
	new ApiError('too_many_calls', message, { headers: { 'retry-after': String(Math.ceil(seconds)) } });
