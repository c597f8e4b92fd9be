/**
 * Directory of the named worlds of a cluster. A call goes to an engine of this server, or to another server.
 * Owns: a call until it is answered, even if servers end meanwhile.
 *
 * A call is repeated with the same key until a server has answered it. The journal of the world contains the keys, so
 * the call is applied once.
 */

import { errorResponse } from '../../shared/contract/error-response.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { ENTRY_HEADER, KEY_HEADER, type WireRequest, type WireResponse } from '../../shared/contract/wire.ts';
import { newIdentity } from '../../shared/transport/identity.ts';
import { stoppingAnswer } from '../status.ts';
import type { LocalWorlds } from '../worlds/local-worlds.ts';
import type { Sender, ServedWorld, WorldDirectory, WorldRecord } from '../worlds/world-directory.ts';
import type { ForwardedCall, Forwarding } from './forwarding.ts';
import { asSentence } from './nats.ts';
import type { ServerLease } from './server-lease.ts';

/** Milliseconds for which a call is repeated. */
const PATIENCE_MS = 60_000;
/** Milliseconds between two attempts. */
const RETRY_MS = 100;

export interface ClusterDirectoryOptions {
	readonly local: LocalWorlds;
	readonly lease: ServerLease;
	readonly send: Forwarding['send'];
}

export class ClusterDirectory implements WorldDirectory {
	readonly #options: ClusterDirectoryOptions;
	/** Last known holders of worlds, by the journals of the worlds. */
	readonly #holders = new Map<string, string>();
	/** Running acquisitions of worlds by this server, by their journals. */
	readonly #acquisitions = new Map<string, Promise<boolean>>();

	constructor(options: ClusterDirectoryOptions) {
		this.#options = options;
	}

	get names(): ReadonlySet<string> {
		return this.#options.local.names;
	}

	async find(name: string): Promise<ServedWorld | undefined> {
		const record = (await this.#options.local.find(name))?.record;
		return record && { record, call: (request, sender) => this.#call(record, request, sender) };
	}

	async #call(record: WorldRecord, request: WireRequest, sender: Sender): Promise<WireResponse> {
		const call: ForwardedCall = {
			world: record.name,
			journal: record.journal,
			request: withKey(request),
			sender,
		};
		const end = performance.now() + PATIENCE_MS;
		for (;;) {
			let reason = 'its holder does not answer.';
			if (sender.signal?.aborted === true) return stoppingAnswer();
			try {
				const answer = await this.#attempt(call);
				if (answer !== undefined) return answer;
			} catch (error) {
				if (error instanceof ApiError) return errorResponse(error);
				reason = `NATS does not answer: ${asSentence(error)}`;
			}
			if (performance.now() > end)
				return errorResponse(
					new ApiError('no_engine', `No server answers for the world "${record.name}": ${reason}`, {
						headers: { 'retry-after': '5' },
					}),
				);
			await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
		}
	}

	/** Sends a call once. Returns undefined if it must be repeated. */
	async #attempt(call: ForwardedCall): Promise<WireResponse | undefined> {
		const { lease, send } = this.#options;
		const { journal } = call;
		const ownAnswer = await this.answer(call);
		if (ownAnswer !== undefined) return ownAnswer;
		const server = this.#holders.get(journal) ?? (await this.#findHolder(journal));
		if (server === undefined) return undefined;
		if (server === lease.server) return this.answer(call);
		this.#holders.set(journal, server);
		const answer = await send(server, call, async () => {
			const holder = await lease.holderOf(journal);
			return holder?.server !== server || lease.isOver(server);
		});
		if (typeof answer !== 'string') return answer;
		this.#holders.delete(journal);
		return undefined;
	}

	/**
	 * Returns the server that holds a world. If none does, this server acquires it. Returns undefined if another server
	 * was faster.
	 */
	async #findHolder(journal: string): Promise<string | undefined> {
		const { lease } = this.#options;
		const holder = await lease.holderOf(journal);
		const isFree =
			holder === undefined || holder.server === lease.server || (await lease.isOver(holder.server));
		if (!isFree) return holder.server;
		const acquisition =
			this.#acquisitions.get(journal) ??
			lease.acquire(journal, holder).finally(() => this.#acquisitions.delete(journal));
		this.#acquisitions.set(journal, acquisition);
		return (await acquisition) ? lease.server : undefined;
	}

	/**
	 * Answers a call if this server holds its world. Otherwise it returns undefined. The answer to a write needs no valid
	 * lease: NATS stored its journal entry, so no other server has the world. During an election of NATS, a write thus
	 * waits once and not twice.
	 */
	async answer({ world, journal, request, sender }: ForwardedCall): Promise<WireResponse | undefined> {
		const { lease, local } = this.#options;
		if (!lease.has(journal)) return undefined;
		// A starting engine would take the journal from another owner, so the lease must be valid first.
		if (!local.isAwake(world)) {
			await lease.ensureValid();
			if (!lease.hasValidLease(journal)) return undefined;
		}
		const servedWorld = await local.find(world);
		if (servedWorld?.record.journal !== journal) return undefined;
		const answer = await servedWorld.call(request, sender).catch((error: unknown) => {
			if (error instanceof ApiError) return errorResponse(error);
			throw error;
		});
		if (answer.headers[ENTRY_HEADER] !== undefined) return answer;
		await lease.ensureValid();
		return lease.hasValidLease(journal) ? answer : undefined;
	}
}

/** Returns a call with a key, so that it can be repeated. Reads need none. */
function withKey(request: WireRequest): WireRequest {
	const { method, headers } = request;
	if (method === 'GET' || method === 'HEAD' || headers[KEY_HEADER] !== undefined) return request;
	return { ...request, headers: { ...headers, [KEY_HEADER]: newIdentity() } };
}
