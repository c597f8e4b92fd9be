/**
 * Calls from one server to another, over NATS.
 * Owns: the messages of a call and its answer, and the handling of long ones. Never: decides which server has a world.
 */

import type { Msg, Subscription } from '@nats-io/transport-node';
import { joinBytes } from '../../shared/contract/joined-bytes.ts';
import type { WireRequest, WireResponse } from '../../shared/contract/wire.ts';
import { newIdentity } from '../../shared/transport/identity.ts';
import { decodePacket, packetPieces } from '../../shared/transport/packet.ts';
import type { CallerKey } from '../caller.ts';
import type { Sender } from '../worlds/world-directory.ts';
import { MAX_MESSAGE, type Nats } from './nats.ts';

/** Milliseconds that the answer to a call may take. The relay gives up earlier. */
const ANSWER_MS = 600_000;

/** Milliseconds between looks at a call that is not answered yet. */
const LOOK_MS = 500;
/** Looks that find that a server does not work on a call, until that is sent again. */
const MAX_MISSED = 2;
const AT_WORK = 'at work';

const subjectOf = (server: string): string => `orrery.call.${server}`;
const cancelOf = (server: string): string => `orrery.cancel.${server}`;
const lookOf = (server: string): string => `orrery.look.${server}`;

/** The head of a call. Its body is what follows, or an object. */
interface CallHead {
	readonly id: string;
	readonly world: string;
	readonly journal: string;
	readonly request: Omit<WireRequest, 'body'>;
	readonly caller: CallerKey;
	readonly listens: boolean;
	readonly object?: string;
}

/** `gone`: the server does not hold the world. */
type AnswerHead = (Omit<WireResponse, 'body'> & { readonly object?: string }) | { readonly gone: true };

/** A call that another server forwarded. */
export interface Forwarded {
	readonly world: string;
	readonly journal: string;
	readonly request: WireRequest;
	readonly sender: Sender;
}

export interface ForwardingOptions {
	readonly nats: Nats;
	readonly server: string;
	/** Answers a call if this server holds the world; otherwise undefined. Rejects if NATS or the world's journal failed. */
	readonly answer: (call: Forwarded) => Promise<WireResponse | undefined>;
	/** Informs the operator of a failure. */
	readonly report: (error: unknown) => void;
}

export class Forwarding {
	readonly #options: ForwardingOptions;
	readonly #calls: Subscription;
	readonly #cancels: Subscription;
	readonly #looks: Subscription;
	/** Calls of other servers that are being answered. */
	readonly #answering = new Map<string, AbortController>();

	constructor(options: ForwardingOptions) {
		this.#options = options;
		const { connection } = options.nats;
		this.#calls = connection.subscribe(subjectOf(options.server), {
			callback: (error, message) => {
				if (error === null) void this.#take(message);
			},
		});
		this.#cancels = connection.subscribe(cancelOf(options.server), {
			callback: (error, message) => {
				if (error === null) this.#answering.get(message.string())?.abort();
			},
		});
		this.#looks = connection.subscribe(lookOf(options.server), {
			callback: (error, message) => {
				if (error === null) message.respond(this.#answering.has(message.string()) ? AT_WORK : '');
			},
		});
	}

	/**
	 * Sends a call to another server. Resolves with `gone` if that does not hold the world, and with `lost` if it may have applied the
	 * call and no answer will come. `isLost`: the server does not hold the world any more. Never rejects.
	 */
	async send(
		server: string,
		{ world, journal, request, sender }: Forwarded,
		isLost: () => Promise<boolean>,
	): Promise<WireResponse | 'gone' | 'lost'> {
		const { connection } = this.#options.nats;
		const { body, ...rest } = request;
		const { caller, listens = false, signal } = sender;
		const id = newIdentity();
		const cancel = (): void => connection.publish(cancelOf(server), id);
		signal?.addEventListener('abort', cancel);
		const answered = new AbortController();
		try {
			const head: CallHead = { id, world, journal, request: rest, caller, listens };
			const bytes = await this.#packed(head, body);
			const answer = connection.request(subjectOf(server), bytes, { timeout: ANSWER_MS });
			const message = await Promise.race([answer, this.#watchForLoss(server, id, isLost, answered.signal)]);
			// An answer that comes after all is dropped: the call is sent again under its key.
			answer.catch(() => {});
			if (message === undefined) return 'lost';
			const { head: answerHead, body: answerBody } = await this.#unpacked<AnswerHead>(message.data);
			if ('gone' in answerHead) return 'gone';
			return { status: answerHead.status, headers: answerHead.headers, body: answerBody };
		} catch {
			// No server listens there, or an object is missing. The caller looks for the holder again.
			return 'lost';
		} finally {
			answered.abort();
			signal?.removeEventListener('abort', cancel);
		}
	}

	/** Resolves when no answer will come: the server lost the world, or a node of NATS took the call or its answer with it. */
	async #watchForLoss(
		server: string,
		id: string,
		isLost: () => Promise<boolean>,
		answered: AbortSignal,
	): Promise<undefined> {
		const { connection } = this.#options.nats;
		// One answer that is on its way is waited for.
		for (let missed = 0; missed < MAX_MISSED && !answered.aborted; ) {
			await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
			try {
				if (await isLost()) return undefined;
				const look = await connection.request(lookOf(server), id, { timeout: LOOK_MS });
				missed = look.string() === AT_WORK ? 0 : missed + 1;
			} catch {
				// NATS or the server currently does not answer: nothing is known.
			}
		}
		return undefined;
	}

	async #take(message: Msg): Promise<void> {
		let id = '';
		try {
			const { head, body } = await this.#unpacked<CallHead>(message.data);
			const { world, journal, caller, listens } = head;
			const abort = new AbortController();
			id = head.id;
			this.#answering.set(id, abort);
			const sender = { caller, listens, signal: abort.signal };
			const answer = await this.#options.answer({
				world,
				journal,
				request: { ...head.request, body },
				sender,
			});
			if (answer === undefined) message.respond(await this.#packed({ gone: true }, NOTHING));
			else {
				const { body: bytes, ...rest } = answer;
				message.respond(await this.#packed(rest, bytes));
			}
		} catch (error) {
			// The sender gets no answer and looks for the holder again.
			this.#options.report(error);
		} finally {
			this.#answering.delete(id);
		}
	}

	/** Returns a packet; bytes that are too long for a message are an object, which its reader removes. */
	async #packed(head: object, bytes: Uint8Array): Promise<Uint8Array> {
		if (bytes.length <= MAX_MESSAGE) return joinBytes(packetPieces(head, [bytes]));
		const object = `call.${newIdentity()}`;
		await this.#options.nats.objects.putBlob({ name: object }, bytes);
		return joinBytes(packetPieces({ ...head, object }, []));
	}

	async #unpacked<H>(bytes: Uint8Array): Promise<{ readonly head: H; readonly body: Uint8Array }> {
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
		this.#looks.unsubscribe();
		for (const abort of this.#answering.values()) abort.abort();
	}
}

const NOTHING = new Uint8Array(0);
