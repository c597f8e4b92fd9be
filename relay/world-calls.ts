/**
 * Calls of one world whose engine this server runs.
 * Owns: the answers to status calls while the engine is busy, and the end of a hung engine.
 * Never: parses a body; knows HTTP.
 */

import { errorResponse } from '../shared/contract/error-response.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { isWaiting } from '../shared/contract/event-stream.ts';
import { HEALTH_PATH, STATUS_PATH } from '../shared/contract/relay-paths.ts';
import {
	type CallSignal,
	IDENTITY_HEADER,
	type WireRequest,
	type WireResponse,
} from '../shared/contract/wire.ts';
import type { CallerKey } from './caller.ts';
import { answerEndCall, isEndCall, requireOperator } from './end-engine.ts';
import type { Ownership } from './ownership.ts';
import type { AnswerReceiver, PendingCalls } from './pending-calls.ts';
import type { SignIn } from './sign-in/sign-in.ts';
import { busyAnswer, startingAnswer, unreadableAnswer, vacantAnswer } from './status.ts';

export interface WorldCallsOptions {
	readonly pendingCalls: PendingCalls;
	readonly ownership: Ownership;
	/** Instruction for the case that no engine can resume the world. The default is that of main. */
	readonly unreadableFix?: string;
	/** Undefined if no caller has to sign in. */
	readonly signIn: SignIn | undefined;
	/** Milliseconds in which the engine must answer its status. After that the relay reports the call that keeps it busy. */
	readonly statusWait: number;
	/** Milliseconds without an answer to a ping after which the engine counts as busy. */
	readonly silence: number;
}

/** Paths of status calls. If no engine answers soon, the relay answers with 503 and the reason. */
const STATUS_PATHS: ReadonlySet<string> = new Set([STATUS_PATH, HEALTH_PATH]);

/** Cancel function of a call that has its answer, or cannot be cancelled. */
const CANCEL_NOTHING = (): void => {};

export class WorldCalls {
	readonly #options: WorldCallsOptions;

	constructor(options: WorldCallsOptions) {
		this.#options = options;
	}

	/** Identity of the world; empty if none is known. */
	get identity(): string {
		return this.#options.ownership.identity;
	}

	/** True if an engine holds the world. */
	get hasEngine(): boolean {
		return this.#options.ownership.world !== '';
	}

	/** Reason that no engine can load the journal; undefined if no engine has failed to. */
	get unreadable(): string | undefined {
		return this.#options.ownership.unreadable;
	}

	/**
	 * Queues a call. Calls `done` once with the answer. Returns a function that cancels the call. A cancelled call may get
	 * no answer.
	 */
	submit(request: WireRequest, done: AnswerReceiver, caller: CallerKey): () => void {
		const { ownership, pendingCalls, unreadableFix } = this.#options;
		// The relay's own calls wait until an engine connects. If it cannot load the world, they get an error.
		if (caller === 'own') return this.#submit(request, done, caller);
		const isStatus = request.method === 'GET' && STATUS_PATHS.has(request.path);
		if (isEndCall(request) && ownership.world !== '') void this.#endEngine(request).then(done);
		else if (ownership.unreadable !== undefined) done(unreadableAnswer(ownership.unreadable, unreadableFix));
		// A status call does not wait for a busy engine.
		else if (isStatus && ownership.world !== '' && this.#isBusy())
			done(busyAnswer(pendingCalls.oldest(), ownership));
		else
			return isStatus ? this.#submitStatusCall(request, done, caller) : this.#submit(request, done, caller);
		return CANCEL_NOTHING;
	}

	/** Returns an answer with the name of its world. Adds the name if the engine has not. */
	named(answer: WireResponse): WireResponse {
		const { identity } = this;
		if (identity === '' || answer.headers[IDENTITY_HEADER] !== undefined) return answer;
		return { ...answer, headers: { ...answer.headers, [IDENTITY_HEADER]: identity } };
	}

	/** Answers a call of a stream that waits for events. */
	listen(request: WireRequest, signal?: CallSignal): Promise<WireResponse> {
		return this.#options.pendingCalls.listen(request, signal);
	}

	#submit(request: WireRequest, done: AnswerReceiver, caller: CallerKey): () => void {
		const { pendingCalls } = this.#options;
		const id = pendingCalls.submit(request, done, caller, isWaiting(request));
		return () => pendingCalls.cancel(id);
	}

	#submitStatusCall(request: WireRequest, done: AnswerReceiver, caller: CallerKey): () => void {
		const { ownership, pendingCalls } = this.#options;
		let timer: NodeJS.Timeout | undefined;
		let isAnswered = false;
		ownership.ping();
		const id = pendingCalls.submit(
			request,
			(answer) => {
				isAnswered = true;
				clearTimeout(timer);
				done(answer);
			},
			caller,
		);
		if (isAnswered) return CANCEL_NOTHING;
		timer = this.#reportWhenLate(id, done);
		return () => {
			clearTimeout(timer);
			pendingCalls.cancel(id);
		};
	}

	/** Starts a timer that reports why the engine has not answered a status call in time. */
	#reportWhenLate(id: number, report: AnswerReceiver): NodeJS.Timeout {
		const { ownership, pendingCalls, statusWait } = this.#options;
		const timer = setTimeout(() => {
			const { reading, startingSince = pendingCalls.heldSince } = ownership;
			// An engine that answers its pings will answer this call too.
			if (startingSince === undefined && ownership.silence !== undefined && !this.#isBusy()) {
				ownership.ping();
				timer.refresh();
				return;
			}
			const isVacant = ownership.world === '' && ownership.movingSince === undefined;
			pendingCalls.cancel(id);
			if (startingSince !== undefined) report(startingAnswer(startingSince, reading));
			else if (isVacant) report(vacantAnswer(ownership));
			else report(busyAnswer(pendingCalls.oldest(id), ownership));
		}, statusWait);
		return timer;
	}

	/** Ends the engine, if the caller has the right. Returns the answer. */
	async #endEngine(request: WireRequest): Promise<WireResponse> {
		const { signIn, ownership } = this.#options;
		try {
			if (signIn !== undefined) await requireOperator(signIn, request);
			return await answerEndCall(request, ownership.world, () => ownership.endEngine());
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			return errorResponse(error);
		}
	}

	/** Returns true during a handover, and while the engine computes without answering pings. */
	#isBusy(): boolean {
		const { ownership, pendingCalls, silence } = this.#options;
		if (ownership.movingSince !== undefined) return true;
		const oldest = pendingCalls.oldest();
		return oldest !== undefined && oldest.ms > silence && (ownership.silence ?? 0) > silence;
	}
}
