/**
 * Answers by key, so that a call which is sent again is answered and not applied again. A key is its caller's, whose answer is kept for
 * a day, or else its transport's, whose answer is kept until it was delivered.
 * Owns: for how long they are kept, and how many; where their bodies take too much, what is left of the oldest is that they were done. Never: an answer to a call that changed nothing and was refused.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import { KEPT_HOURS } from '../../../shared/contract/journal-entry.ts';
import type { Principal } from '../../../shared/contract/principal.ts';
import {
	EMPTY_BODY,
	KEY_HEADER,
	type WireRequest,
	type WireResponse,
} from '../../../shared/contract/wire.ts';
import { fnv1a } from '../../sim/core/fnv.ts';
import { AnswerPages, firstOf } from './answer-pages.ts';

/** For so long an answer is kept (ms). */
export const KEPT_MS = KEPT_HOURS * 60 * 60 * 1000;
/** Most bytes of all answers, beyond which the oldest lose their bodies, and about the most that are kept; the oldest go first. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST = 100_000;

export interface KeptAnswer {
	readonly key: string;
	/** Which request it was. */
	readonly request: string;
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array;
	/** The body is not kept any more. */
	readonly gone?: true;
	/** When it was applied (ms since 1970). */
	readonly at: number;
	/** Its entry in the journal. */
	readonly entry: number;
	/** The world that it was about, and where that stood after it; null when it was gone. */
	readonly world: string;
	readonly tick: number | null;
	readonly digest: string | null;
}

/** The key of a call together with whose it is, undefined without one. Throws `bad_key`. */
export function keyOf({ headers }: WireRequest, { agent }: Principal): string | undefined {
	const said = headers[KEY_HEADER];
	return said === undefined ? undefined : ownKey(said, agent?.id);
}

function ownKey(said: string, agent: string | undefined): string {
	if (!/^[\x21-\x7e]{1,200}$/.test(said))
		throw new ApiError('bad_key', 'Idempotency-Key is not 1 to 200 visible ASCII characters.');
	return agent === undefined ? said : `${agent} ${said}`;
}

/** A call as its transport names it, with the answer that is on its way. */
export interface KeptCall {
	readonly key: string;
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array;
}

/** Most answers on their way, and most bytes of them: more than the relay lets wait. The oldest go first. */
const MAX_CALLS = 4096;
const MAX_CALL_BYTES = 64 * 1024 * 1024;

/** What tells one request from another. */
export function requestMark({ method, path, query, body }: WireRequest): string {
	return `${method} ${path}?${query} ${body.length} ${fnv1a(body).toString(16)}`;
}

export class Keys {
	readonly #kept = new AnswerPages();
	/** Those that lost their bodies. */
	readonly #gone = new AnswerPages();
	readonly #running = new Map<string, Promise<unknown>>();
	/** The requests of calls that were done, and that the journal does not have yet. */
	readonly #lacked = new Map<string, string>();
	readonly #clock: () => number;
	/** By the key of their transport, oldest first. */
	readonly #calls = new Map<string, KeptCall>();
	#callBytes = 0;

	/** `clock`: milliseconds since 1970. `kept`: what `all` answered, and `calls`. */
	constructor(clock: () => number, kept: readonly Uint8Array[] = [], calls: readonly KeptCall[] = []) {
		this.#clock = clock;
		for (const call of calls) this.keepCall(call);
		for (const page of kept) (isGone(page) ? this.#gone : this.#kept).restore([page]);
		this.#dropOld();
	}

	/**
	 * Does a call once, however often it is sent under its key: the same one at the same time waits for its end. Answers what
	 * `work` does, or the answer that is kept. Throws `bad_key` for another request, and `answer_gone` where the answer is not kept any more.
	 */
	async once<T>(
		key: string,
		request: string,
		work: () => Promise<T>,
	): Promise<{ readonly done: T } | { readonly again: WireResponse }> {
		for (let running = this.#running.get(key); running !== undefined; running = this.#running.get(key))
			await running;
		const again = this.again(key, request);
		if (again !== undefined) return { again };
		const over = () => {
			this.#running.delete(key);
		};
		const done = work();
		this.#running.set(key, done.then(over, over));
		return { done: await done };
	}

	/** The answer to a call that was done before; undefined where it was not. Throws as `once`. */
	again(key: string, request: string): WireResponse | undefined {
		const call = this.#calls.get(key);
		if (call !== undefined) return call;
		const known = this.look(key);
		if (known === undefined) return undefined;
		if (known.request !== request)
			throw new ApiError(
				'bad_key',
				`This Idempotency-Key was already used for another call: ${told(known)}.`,
				{
					fix: 'Send this call with a new Idempotency-Key.',
				},
			);
		if (known.gone === true) throw gone(known);
		const { status, headers, body } = known;
		return { status, headers: { ...headers, 'idempotency-replayed': 'true' }, body };
	}

	/** A key as one agent knows it. Throws `bad_key`. */
	own(said: string, agent: string | undefined): string {
		return ownKey(said, agent);
	}

	/** What is known of a key. */
	look(key: string): KeptAnswer | undefined {
		const known = this.#kept.find(key) ?? this.#gone.find(key);
		return known === undefined || known.at + KEPT_MS < this.#clock() ? undefined : known;
	}

	/** Whether a call with a key is being worked on, or was done and waits for the journal. */
	isRunning(key: string): boolean {
		return this.#running.has(key) || this.#lacked.has(key);
	}

	/** A call was done, and its answer comes when the journal has it. */
	lacks(key: string, request: string): void {
		this.#lacked.set(key, request);
	}

	isLacked(key: string, request: string): boolean {
		return this.#lacked.get(key) === request;
	}

	keep(answer: KeptAnswer): void {
		this.#lacked.delete(answer.key);
		this.#kept.add(answer);
		this.#dropOld();
	}

	/** Keeps the answer of a call by the key of its transport. */
	keepCall(call: KeptCall): void {
		this.#dropCall(call.key);
		this.#calls.set(call.key, call);
		this.#callBytes += call.body.length;
		for (const oldest of this.#calls.keys()) {
			if (this.#calls.size <= MAX_CALLS && this.#callBytes <= MAX_CALL_BYTES) break;
			this.#dropCall(oldest);
		}
	}

	/** Answers of these calls were delivered. */
	forgetCalls(keys: readonly string[]): void {
		for (const key of keys) this.#dropCall(key);
	}

	#dropCall(key: string): void {
		this.#callBytes -= this.#calls.get(key)?.body.length ?? 0;
		this.#calls.delete(key);
	}

	/** Calls whose answers are on their way. */
	calls(): readonly KeptCall[] {
		return [...this.#calls.values()];
	}

	#dropOld(): void {
		const [kept, gone] = [this.#kept, this.#gone];
		const since = this.#clock() - KEPT_MS;
		for (const pages of [gone, kept])
			for (let oldest = pages.oldest; oldest !== undefined; oldest = pages.oldest) {
				if (oldest >= since && kept.size + gone.size <= MOST) break;
				pages.dropOldest();
			}
		while (kept.bytes > MOST_BYTES && kept.oldest !== undefined)
			for (const answer of kept.dropOldest())
				gone.add({ ...answer, headers: {}, body: EMPTY_BODY, gone: true });
	}

	/** All that are kept, in pages, oldest first, those without bodies before: full pages never change, and are the same each time. */
	all(): readonly Uint8Array[] {
		return [...this.#gone.all(), ...this.#kept.all()];
	}
}

/** The method and the path of a request by its mark. */
const told = ({ request }: KeptAnswer): string => request.split(' ', 2).join(' ').replace(/\?$/, '');

const gone = (answer: KeptAnswer): ApiError =>
	new ApiError(
		'answer_gone',
		`The call with this Idempotency-Key was already applied (${told(answer)}). Its answer was deleted to make room for later answers.`,
		{
			details: { applied: true, entry: answer.entry },
		},
	);

/** Whether a page is one of answers without bodies: it has no others. */
const isGone = (page: Uint8Array): boolean => page.length > 0 && firstOf(page).gone === true;
