/**
 * Calls that wait for the engine, from arrival to answer.
 * Owns: ids, order, the limit on waiting calls, and the refusals after a timeout or the end of an engine.
 * Never: knows HTTP or sockets; parses a body.
 */

import { engineLost, errorResponse } from '../shared/contract/error-response.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { CallSignal, WireRequest, WireResponse } from '../shared/contract/wire.ts';
import { AnonymousBudget, type AnonymousLimits } from './anonymous-budget.ts';
import { BodyRoom, type RoomLimits } from './body-room.ts';
import type { CallerKey } from './caller.ts';
import { stoppingAnswer } from './status.ts';

export interface PendingCallsLimits extends AnonymousLimits, RoomLimits {
	/** Maximum number of waiting calls. */
	readonly calls: number;
	/** The part of `calls` that is reserved for admins. */
	readonly reservedCalls: number;
	/** Milliseconds that a call waits for a tab to connect. */
	readonly tabWait: number;
	/** Milliseconds that a call waits for the engine's answer. */
	readonly answerWait: number;
}

/** The engine's side of the wire. */
export interface CallReceiver {
	/** Delivers a call. `again`: an earlier engine ended while it had the call. */
	request(id: number, request: WireRequest, again: boolean): void;
	/** Cancels a call whose caller has disconnected. */
	cancel(id: number): void;
}
export type AnswerReceiver = (response: WireResponse) => void;

interface WaitingCall {
	readonly request: WireRequest;
	/** Time of arrival (ms on the steady clock). */
	readonly arrived: number;
	done: AnswerReceiver;
	readonly caller: CallerKey;
	/** True if an engine got the call. That engine may have applied it. */
	delivered: boolean;
	/**
	 * Number of engines that probably ended because of this call, since it was their oldest. It is at least 1 if any
	 * engine ended that had the call.
	 */
	engineEnds: number;
	/** True if the caller has disconnected. */
	abandoned: boolean;
	/** True if it only waits for events, which is no work for the engine. */
	readonly listens: boolean;
}

/** Caller of the calls of streams, which wait for events. */
const STREAM_CALLER: CallerKey = 'agent 0';

/** Number of engines that may end because of a call before it is refused. A call that ends every engine would stop the world. */
const MAX_ENGINE_ENDS = 3;

/** The call that the engine has had for the longest time. */
export interface OldestCall {
	readonly request: WireRequest;
	/** Milliseconds since it arrived. */
	readonly ms: number;
	/** Number of other waiting calls. */
	readonly othersWaiting: number;
}

export class PendingCalls {
	readonly #limits: PendingCallsLimits;
	readonly #now: () => number;
	/** Waiting calls by id, in order of arrival. */
	readonly #waitingCalls = new Map<number, WaitingCall>();
	/** Budgets that all callers of a kind share. */
	readonly #budgets: ReadonlyMap<CallerKey, AnonymousBudget>;
	/** Limit on the bytes of waiting bodies. */
	readonly #room: BodyRoom;
	/** Number of calls that do not only wait for events. */
	#workCount = 0;
	#lastId = 0;
	#engine: CallReceiver | undefined;
	/** True if another engine will connect. */
	#isNextExpected = false;
	/** Time since which calls wait for `release` (ms since 1970). */
	#heldSince: number | undefined;
	/** Called when no work is left, while the relay stops. */
	#onAllAnswered = (): void => {};

	/** `now` returns milliseconds of a steady clock. */
	constructor(limits: PendingCallsLimits, now: () => number = () => performance.now()) {
		this.#limits = limits;
		this.#room = new BodyRoom(limits);
		this.#now = now;
		this.#budgets = new Map([
			['anonymous', new AnonymousBudget(limits, now)],
			// Only the number of unanswered calls is limited. With a limit of the rate, a flood would block signing in.
			['entering', new AnonymousBudget({ ...limits, anonymousRate: Number.MAX_SAFE_INTEGER }, now)],
		]);
	}

	get size(): number {
		return this.#waitingCalls.size;
	}

	/**
	 * Time since which calls wait for `release` although an engine is connected (ms since 1970). It is undefined if they
	 * do not wait for that.
	 */
	get heldSince(): number | undefined {
		return this.#engine === undefined ? undefined : this.#heldSince;
	}

	/** Makes all calls except the relay's own wait for `release`. */
	hold(): void {
		this.#heldSince ??= Date.now();
	}

	/** Delivers the held calls, and no longer holds new ones. */
	release(): void {
		this.#heldSince = undefined;
		if (this.#engine === undefined) return;
		for (const [id, waiting] of this.#waitingCalls)
			if (!waiting.delivered) this.#deliver(this.#engine, id, waiting);
	}

	/** Sends a call of a stream that waits for events. It does not count as work. Resolves with the answer. */
	listen(request: WireRequest, signal?: CallSignal): Promise<WireResponse> {
		return new Promise((resolve) => {
			const id = this.submit(request, resolve, STREAM_CALLER, true);
			signal?.addEventListener('abort', () => {
				this.cancel(id);
				resolve(stoppingAnswer());
			});
		});
	}

	/**
	 * Queues a call. Calls `done` once with the answer or a refusal, unless the call is cancelled first. Returns the id of
	 * the call, or 0 if it was refused.
	 */
	submit(request: WireRequest, done: AnswerReceiver, caller: CallerKey = 'admin', listens = false): number {
		try {
			this.#requireRoom(request, caller);
			if (!listens) this.#budgets.get(caller)?.enter();
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			done(errorResponse(error));
			return 0;
		}
		this.#lastId = (this.#lastId + 1) >>> 0 || 1;
		const id = this.#lastId;
		const arrived = this.#now();
		const waiting: WaitingCall = {
			request,
			arrived,
			done,
			caller,
			delivered: false,
			engineEnds: 0,
			abandoned: false,
			listens,
		};
		this.#waitingCalls.set(id, waiting);
		if (!listens) this.#workCount++;
		this.#room.add(caller, this.#room.countedBytes(request.body.length));
		if (this.#engine !== undefined) this.#deliver(this.#engine, id, waiting);
		return id;
	}

	/** Throws `busy` if the call would exceed a limit. */
	#requireRoom(request: WireRequest, caller: CallerKey): void {
		const { calls, reservedCalls } = this.#limits;
		const reserved = caller === 'own' || caller === 'admin' ? 0 : reservedCalls;
		const { size } = this.#waitingCalls;
		const exceededLimit = this.#room.exceededLimit(caller, this.#room.countedBytes(request.body.length));
		if (size < calls - reserved && exceededLimit === undefined) return;
		const message =
			exceededLimit === undefined
				? `${size} calls are already waiting, which is the limit of the relay.`
				: `The calls that wait have ${this.#room.total} bytes, and this one would exceed ${exceededLimit}.`;
		throw new ApiError('busy', message, { headers: { 'retry-after': '1' } });
	}

	/** Cancels a call, because its caller has disconnected. If the engine has it, it counts as waiting until the engine answers. */
	cancel(id: number): void {
		const waiting = this.#waitingCalls.get(id);
		if (waiting === undefined) return;
		waiting.done = () => {};
		waiting.abandoned = true;
		if (waiting.delivered) this.#engine?.cancel(id);
		else this.#remove(id, waiting);
	}

	/** Passes the engine's answer to the caller. An answer without a waiting call is dropped. */
	answer(id: number, response: WireResponse): void {
		const waiting = this.#waitingCalls.get(id);
		if (waiting === undefined) return;
		this.#remove(id, waiting);
		waiting.done(response);
	}

	/** Delivers all unanswered calls in order, because an engine has connected. Calls that were sent before keep their ids. */
	resume(engine: CallReceiver): void {
		this.#engine = engine;
		this.#isNextExpected = false;
		for (const [id, waiting] of this.#waitingCalls) this.#deliver(engine, id, waiting);
	}

	#deliver(engine: CallReceiver, id: number, waiting: WaitingCall): void {
		if (this.#heldSince !== undefined && waiting.caller !== 'own') return;
		if (!waiting.delivered && this.#budgets.get(waiting.caller)?.start() === false) return;
		waiting.delivered = true;
		engine.request(id, waiting.request, waiting.engineEnds > 0);
		if (waiting.abandoned) engine.cancel(id);
	}

	/** Records that no engine is connected. Calls wait. `isNextExpected`: another engine will connect, so they wait longer. */
	detach(isNextExpected = false): void {
		this.#engine = undefined;
		this.#isNextExpected = isNextExpected;
	}

	/** Returns the call that the engine has had for the longest time, or undefined. The call `exceptId` is ignored. */
	oldest(exceptId = 0): OldestCall | undefined {
		for (const [id, { delivered, request, arrived, listens }] of this.#waitingCalls)
			if (delivered && !listens && id !== exceptId) {
				const othersWaiting = this.#workCount - (this.#waitingCalls.has(exceptId) ? 2 : 1);
				return { request, ms: this.#now() - arrived, othersWaiting };
			}
		return undefined;
	}

	/** Answers all delivered calls with 502 `engine_lost`, because no engine will answer them. */
	abandon(): void {
		// The list is a copy: calls that are delivered meanwhile go to the next engine.
		const deliveredCalls = [...this.#waitingCalls].filter(([, { delivered }]) => delivered);
		for (const [id, waiting] of deliveredCalls) this.#lose(id, waiting);
	}

	/**
	 * Keeps the calls of an engine that has ended for the next one, which knows from the journal which were applied. Calls
	 * without a waiting caller are dropped. The end counts against the oldest call, which was probably running.
	 */
	passOn(): void {
		let isFirst = true;
		for (const [id, waiting] of this.#waitingCalls) {
			if (!waiting.delivered || waiting.listens) continue;
			if (isFirst || waiting.engineEnds === 0) waiting.engineEnds++;
			isFirst = false;
			if (waiting.abandoned) this.#remove(id, waiting);
			else if (waiting.engineEnds >= MAX_ENGINE_ENDS) this.#lose(id, waiting);
		}
	}

	#lose(id: number, waiting: WaitingCall): void {
		this.#remove(id, waiting);
		waiting.done(engineLost(waiting.request));
	}

	/** Answers every waiting call with a refusal. */
	refuse(response: WireResponse): void {
		for (const [id, waiting] of this.#waitingCalls) {
			this.#remove(id, waiting);
			waiting.done(response);
		}
	}

	/** Refuses calls that have waited too long. Called a few times a second. */
	refuseOverdue(): void {
		const now = this.#now();
		for (const [id, waiting] of this.#waitingCalls) {
			const waitedMs = now - waiting.arrived;
			const isHeld = this.heldSince !== undefined && waiting.caller !== 'own';
			const waitsLong = waiting.delivered || this.#isNextExpected || isHeld;
			if (waitedMs < (waitsLong ? this.#limits.answerWait : this.#limits.tabWait)) continue;
			this.#remove(id, waiting);
			waiting.done(errorResponse(this.#timeoutError(waiting, waitedMs)));
		}
	}

	#timeoutError({ delivered }: WaitingCall, waitedMs: number): ApiError {
		const time = `${seconds(waitedMs)} s`;
		if (delivered) return new ApiError('timeout', `The engine has not answered for ${time}.`);
		if (this.#engine === undefined)
			return new ApiError('no_engine', `No tab has connected for ${time}, so there is no world to ask.`, {
				headers: { 'retry-after': '5' },
			});
		const message = `The call has waited for ${time} behind other calls of callers without a session.`;
		return new ApiError('busy', message, { headers: { 'retry-after': '1' } });
	}

	/**
	 * Prepares the end: refuses calls that no engine has. Resolves when all others are answered, or after `maxWait`
	 * milliseconds.
	 */
	async finishCalls(maxWait: number): Promise<void> {
		this.#refuseUndelivered();
		if (this.#workCount === 0) return;
		const end = Promise.withResolvers<void>();
		this.#onAllAnswered = end.resolve;
		const timer = setTimeout(end.resolve, maxWait);
		await end.promise;
		clearTimeout(timer);
	}

	/** Answers all calls, because the relay ends: 502 `engine_lost` for delivered ones, `stoppingAnswer` for the rest. */
	close(): void {
		this.#engine = undefined;
		this.#refuseUndelivered();
		this.abandon();
	}

	#refuseUndelivered(): void {
		for (const [id, waiting] of this.#waitingCalls) {
			if (waiting.delivered) continue;
			this.#remove(id, waiting);
			waiting.done(stoppingAnswer());
		}
	}

	#remove(id: number, waiting: WaitingCall): void {
		if (!this.#waitingCalls.delete(id)) return;
		if (!waiting.listens) this.#workCount--;
		this.#room.add(waiting.caller, -this.#room.countedBytes(waiting.request.body.length));
		const budget = waiting.listens ? undefined : this.#budgets.get(waiting.caller);
		budget?.leave(waiting.delivered);
		if (budget !== undefined && waiting.delivered) this.#startNext(waiting.caller);
		if (this.#workCount === 0) this.#onAllAnswered();
	}

	/** Delivers the next call of callers that share a budget, because one of their calls has ended. */
	#startNext(caller: CallerKey): void {
		if (this.#engine === undefined) return;
		for (const [id, waiting] of this.#waitingCalls)
			if (waiting.caller === caller && !waiting.delivered) {
				this.#deliver(this.#engine, id, waiting);
				return;
			}
	}
}

function seconds(milliseconds: number): number {
	return Math.round(milliseconds / 100) / 10;
}
