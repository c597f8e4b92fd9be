/**
 * The calls of one world that an engine of this server runs.
 * Owns: status calls that a busy engine cannot answer, and ending an engine that hangs.
 * Never: parses a body; knows HTTP.
 */

import { errorResponse } from '../shared/contract/error-response.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { waitsForChange } from '../shared/contract/event-stream.ts';
import { HEALTH_PATH, STATUS_PATH } from '../shared/contract/relay-paths.ts';
import {
	type CallSignal,
	IDENTITY_HEADER,
	type WireRequest,
	type WireResponse,
} from '../shared/contract/wire.ts';
import type { CallerKey } from './caller.ts';
import { endAnswer, endsEngine, requireOperator } from './end-engine.ts';
import type { Ownership } from './ownership.ts';
import type { AnswerTaker, PendingCalls } from './pending-calls.ts';
import type { SignIn } from './sign-in/sign-in.ts';
import { busyAnswer, startingAnswer, unreadableAnswer, vacantAnswer } from './status.ts';

export interface WorldCallsOptions {
	readonly pendingCalls: PendingCalls;
	readonly ownership: Ownership;
	/** Advice if no engine can resume the world, unless the world is main. */
	readonly unreadableFix?: string;
	/** Undefined if no caller has to sign in. */
	readonly signIn: SignIn | undefined;
	/** Milliseconds in which the engine answers its status before the relay reports what it is at work on. */
	readonly statusWait: number;
	/** Milliseconds without an answer to a ping, after which the engine does not yield. */
	readonly silence: number;
}

/** Paths that are answered immediately, with 503 and the reason if no engine answers. */
const STATUS_PATHS: ReadonlySet<string> = new Set([STATUS_PATH, HEALTH_PATH]);

/** Cancels nothing: the call has its answer, or cannot be cancelled. */
const DONE = (): void => {};

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

	/** Reason that no engine can load the journal; undefined if nothing is known against it. */
	get unreadable(): string | undefined {
		return this.#options.ownership.unreadable;
	}

	/** Puts a call in line; `done` is called once, with the answer. Returns how to cancel the call, after which `done` may not be called. */
	submit(request: WireRequest, done: AnswerTaker, caller: CallerKey): () => void {
		const { ownership, pendingCalls, unreadableFix } = this.#options;
		// The relay waits for an engine, and hears of one that cannot load.
		if (caller === 'own') return this.#submit(request, done, caller);
		const isStatus = request.method === 'GET' && STATUS_PATHS.has(request.path);
		if (endsEngine(request) && ownership.world !== '') void this.#end(request).then(done);
		else if (ownership.unreadable !== undefined) done(unreadableAnswer(ownership.unreadable, unreadableFix));
		// The status is answered without waiting, whatever the engine works on.
		else if (isStatus && ownership.world !== '' && this.#isBusy())
			done(busyAnswer(pendingCalls.oldest(), ownership));
		else return isStatus ? this.#status(request, done, caller) : this.#submit(request, done, caller);
		return DONE;
	}

	/** Gives an answer that names its world, also if the engine has not. */
	named(answer: WireResponse): WireResponse {
		const { identity } = this;
		if (identity === '' || answer.headers[IDENTITY_HEADER] !== undefined) return answer;
		return { ...answer, headers: { ...answer.headers, [IDENTITY_HEADER]: identity } };
	}

	/** Answers a call of a stream that waits for events. */
	listen(request: WireRequest, signal?: CallSignal): Promise<WireResponse> {
		return this.#options.pendingCalls.listen(request, signal);
	}

	#submit(request: WireRequest, done: AnswerTaker, caller: CallerKey): () => void {
		const { pendingCalls } = this.#options;
		const id = pendingCalls.submit(request, done, caller, waitsForChange(request));
		return () => pendingCalls.cancel(id);
	}

	#status(request: WireRequest, done: AnswerTaker, caller: CallerKey): () => void {
		const { ownership, pendingCalls } = this.#options;
		let late: NodeJS.Timeout | undefined;
		let answered = false;
		ownership.ask();
		const id = pendingCalls.submit(
			request,
			(answer) => {
				answered = true;
				clearTimeout(late);
				done(answer);
			},
			caller,
		);
		if (answered) return DONE;
		late = this.#whenLate(id, done);
		return () => {
			clearTimeout(late);
			pendingCalls.cancel(id);
		};
	}

	/** Reports why the engine has not answered its status in time. */
	#whenLate(id: number, report: AnswerTaker): NodeJS.Timeout {
		const { ownership, pendingCalls, statusWait } = this.#options;
		const late = setTimeout(() => {
			const { reading, startingSince = pendingCalls.heldSince } = ownership;
			// An engine that answers others meanwhile comes to this one too.
			if (startingSince === undefined && ownership.silence !== undefined && !this.#isBusy()) {
				ownership.ask();
				late.refresh();
				return;
			}
			const isVacant = ownership.world === '' && ownership.movingSince === undefined;
			const vacant = isVacant ? vacantAnswer(ownership) : busyAnswer(pendingCalls.oldest(id), ownership);
			const answer = startingSince === undefined ? vacant : startingAnswer(startingSince, reading);
			pendingCalls.cancel(id);
			report(answer);
		}, statusWait);
		return late;
	}

	/** Ends the engine for a caller with the right. */
	async #end(request: WireRequest): Promise<WireResponse> {
		const { signIn, ownership } = this.#options;
		try {
			if (signIn !== undefined) await requireOperator(signIn, request);
			return await endAnswer(request, ownership.world, () => ownership.endEngine());
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			return errorResponse(error);
		}
	}

	/** Returns true while the engine computes without answering pings. */
	#isBusy(): boolean {
		const { ownership, pendingCalls, silence } = this.#options;
		if (ownership.movingSince !== undefined) return true;
		const oldest = pendingCalls.oldest();
		return oldest !== undefined && oldest.ms > silence && (ownership.silence ?? 0) > silence;
	}
}
