/**
 * Calls from one server to another, over NATS.
 * Owns: the messages of a call and of its answer, also long ones. Never: decides which server has a world.
 */

import type { Msg, Subscription } from '@nats-io/transport-node';
import { joinBytes } from '../../shared/contract/joined-bytes.ts';
import type { WireRequest, WireResponse } from '../../shared/contract/wire.ts';
import { newIdentity } from '../../shared/transport/identity.ts';
import { decodePacket, packetPieces } from '../../shared/transport/packet.ts';
import type { CallerKey } from '../caller.ts';
import type { Sender } from '../worlds/world-directory.ts';
import { MAX_MESSAGE_BYTES, type Nats } from './nats.ts';

/** Maximum milliseconds for the answer to a call. The relay has a lower limit. */
const ANSWER_MS = 600_000;

/** Milliseconds between checks of an unanswered call, and for each check. */
const CHECK_MS = 500;
/** Number of consecutive checks without the call, after which it counts as lost. */
const MAX_MISSED_CHECKS = 2;
/** Reply of a server that runs the call. */
const IS_RUNNING = 'at work';

const callSubjectOf = (server: string): string => `orrery.call.${server}`;
const cancelSubjectOf = (server: string): string => `orrery.cancel.${server}`;
const checkSubjectOf = (server: string): string => `orrery.look.${server}`;

/** Head of a message with a call. The body of the call follows, or is an object. */
interface CallHead {
	readonly id: string;
	readonly world: string;
	readonly journal: string;
	readonly request: Omit<WireRequest, 'body'>;
	readonly caller: CallerKey;
	readonly listens: boolean;
	readonly object?: string;
}

/** Head of a message with an answer. `gone`: the server does not hold the world. */
type AnswerHead = (Omit<WireResponse, 'body'> & { readonly object?: string }) | { readonly gone: true };

/** A call that another server forwarded. */
export interface ForwardedCall {
	readonly world: string;
	readonly journal: string;
	readonly request: WireRequest;
	readonly sender: Sender;
}

export interface ForwardingOptions {
	readonly nats: Nats;
	readonly server: string;
	/**
	 * Answers a call if this server holds the world. Resolves to undefined otherwise. Rejects if NATS or the world's
	 * journal failed.
	 */
	readonly answer: (call: ForwardedCall) => Promise<WireResponse | undefined>;
	/** Informs the operator of a failure. */
	readonly report: (error: unknown) => void;
}

export class Forwarding {
	readonly #options: ForwardingOptions;
	readonly #calls: Subscription;
	readonly #cancels: Subscription;
	readonly #checks: Subscription;
	/** Running calls of other servers, by id. */
	readonly #runningCalls = new Map<string, AbortController>();

	constructor(options: ForwardingOptions) {
		this.#options = options;
		const { connection } = options.nats;
		this.#calls = connection.subscribe(callSubjectOf(options.server), {
			callback: (error, message) => {
				if (error === null) void this.#answerCall(message);
			},
		});
		this.#cancels = connection.subscribe(cancelSubjectOf(options.server), {
			callback: (error, message) => {
				if (error === null) this.#runningCalls.get(message.string())?.abort();
			},
		});
		this.#checks = connection.subscribe(checkSubjectOf(options.server), {
			callback: (error, message) => {
				if (error === null) message.respond(this.#runningCalls.has(message.string()) ? IS_RUNNING : '');
			},
		});
	}

	/**
	 * Sends a call to another server. Resolves to `gone` if that server does not hold the world. Resolves to `lost` if no
	 * answer will come; the call may have been applied. `isLost` checks if the server has lost the world. Never rejects.
	 */
	async send(
		server: string,
		{ world, journal, request, sender }: ForwardedCall,
		isLost: () => Promise<boolean>,
	): Promise<WireResponse | 'gone' | 'lost'> {
		const { connection } = this.#options.nats;
		const { body, ...rest } = request;
		const { caller, listens = false, signal } = sender;
		const id = newIdentity();
		const cancel = (): void => connection.publish(cancelSubjectOf(server), id);
		signal?.addEventListener('abort', cancel);
		const answered = new AbortController();
		try {
			const head: CallHead = { id, world, journal, request: rest, caller, listens };
			const bytes = await this.#pack(head, body);
			const answer = connection.request(callSubjectOf(server), bytes, { timeout: ANSWER_MS });
			const message = await Promise.race([answer, this.#watchForLoss(server, id, isLost, answered.signal)]);
			// A late answer is dropped, because the call is then sent again with its key.
			answer.catch(() => {});
			if (message === undefined) return 'lost';
			const { head: answerHead, body: answerBody } = await this.#unpack<AnswerHead>(message.data);
			if ('gone' in answerHead) return 'gone';
			return { status: answerHead.status, headers: answerHead.headers, body: answerBody };
		} catch {
			// No server listens on the subject, or an object is missing. The sender then looks up the holder again.
			return 'lost';
		} finally {
			answered.abort();
			signal?.removeEventListener('abort', cancel);
		}
	}

	/** Resolves when no answer will come: the server has lost the world, or NATS has lost the call or its answer. */
	async #watchForLoss(
		server: string,
		id: string,
		isLost: () => Promise<boolean>,
		answered: AbortSignal,
	): Promise<undefined> {
		const { connection } = this.#options.nats;
		// The first missed check does not count, because the answer may be on its way.
		for (let missedChecks = 0; missedChecks < MAX_MISSED_CHECKS && !answered.aborted; ) {
			await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
			try {
				if (await isLost()) return undefined;
				const reply = await connection.request(checkSubjectOf(server), id, { timeout: CHECK_MS });
				missedChecks = reply.string() === IS_RUNNING ? 0 : missedChecks + 1;
			} catch {
				// NATS or the server does not answer at the moment, which proves nothing.
			}
		}
		return undefined;
	}

	async #answerCall(message: Msg): Promise<void> {
		let id = '';
		try {
			const { head, body } = await this.#unpack<CallHead>(message.data);
			const { world, journal, caller, listens } = head;
			const abort = new AbortController();
			id = head.id;
			this.#runningCalls.set(id, abort);
			const sender = { caller, listens, signal: abort.signal };
			const answer = await this.#options.answer({
				world,
				journal,
				request: { ...head.request, body },
				sender,
			});
			if (answer === undefined) message.respond(await this.#pack({ gone: true }, NO_BYTES));
			else {
				const { body: bytes, ...rest } = answer;
				message.respond(await this.#pack(rest, bytes));
			}
		} catch (error) {
			// The sender gets no answer and looks up the holder again.
			this.#options.report(error);
		} finally {
			this.#runningCalls.delete(id);
		}
	}

	/** Returns a packet. Bytes that are too long for a message are stored as an object, which the reader removes. */
	async #pack(head: object, bytes: Uint8Array): Promise<Uint8Array> {
		if (bytes.length <= MAX_MESSAGE_BYTES) return joinBytes(packetPieces(head, [bytes]));
		const object = `call.${newIdentity()}`;
		await this.#options.nats.objects.putBlob({ name: object }, bytes);
		return joinBytes(packetPieces({ ...head, object }, []));
	}

	async #unpack<H>(bytes: Uint8Array): Promise<{ readonly head: H; readonly body: Uint8Array }> {
		const { head, bytes: rest } = decodePacket(bytes);
		const { object } = head as { readonly object?: string };
		if (object === undefined) return { head: head as H, body: rest };
		const { objects } = this.#options.nats;
		const body = await objects.getBlob(object);
		if (body === null) throw new Error(`The object ${object} of a call is missing.`);
		await objects.delete(object);
		return { head: head as H, body };
	}

	close(): void {
		this.#calls.unsubscribe();
		this.#cancels.unsubscribe();
		this.#checks.unsubscribe();
		for (const abort of this.#runningCalls.values()) abort.abort();
	}
}

const NO_BYTES = new Uint8Array(0);
