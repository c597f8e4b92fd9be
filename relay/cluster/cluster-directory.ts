/**
 * Receivers of calls to a world of a cluster: an engine of this server, or another server.
 * Owns: the way of a call until it has its answer, whatever servers end meanwhile.
 *
 * A call is sent again under the same key until a server has answered it. The journal of the world knows keys, so the call is applied
 * once.
 */

import { errorResponse } from '../../shared/contract/error-response.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { ENTRY_HEADER, KEY_HEADER, type WireRequest, type WireResponse } from '../../shared/contract/wire.ts';
import { newIdentity } from '../../shared/transport/identity.ts';
import { stoppingAnswer } from '../status.ts';
import type { LocalWorlds } from '../worlds/local-worlds.ts';
import type { Sender, ServedWorld, WorldDirectory, WorldRecord } from '../worlds/world-directory.ts';
import type { Forwarded, Forwarding } from './forwarding.ts';
import { sentence } from './nats.ts';
import type { ServerLease } from './server-lease.ts';

/** Milliseconds for which a call looks for a server that answers it. */
const PATIENCE_MS = 60_000;
const RETRY_MS = 100;

export interface ClusterDirectoryOptions {
	readonly local: LocalWorlds;
	readonly lease: ServerLease;
	readonly send: Forwarding['send'];
}

export class ClusterDirectory implements WorldDirectory {
	readonly #options: ClusterDirectoryOptions;
	/** Servers that held worlds lately, by the journals of the worlds. */
	readonly #holders = new Map<string, string>();
	/** Worlds that this server is taking, by their journals. */
	readonly #taking = new Map<string, Promise<boolean>>();

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
		const call: Forwarded = { world: record.name, journal: record.journal, request: keyed(request), sender };
		const end = performance.now() + PATIENCE_MS;
		for (;;) {
			let why = 'its holder does not answer.';
			if (sender.signal?.aborted === true) return stoppingAnswer();
			try {
				const answer = await this.#attempt(call);
				if (answer !== undefined) return answer;
			} catch (error) {
				if (error instanceof ApiError) return errorResponse(error);
				why = `NATS does not answer: ${sentence(error)}`;
			}
			if (performance.now() > end)
				return errorResponse(
					new ApiError('no_engine', `No server answers for the world "${record.name}": ${why}`, {
						headers: { 'retry-after': '5' },
					}),
				);
			await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
		}
	}

	/** Undefined if the call has to be tried again. */
	async #attempt(call: Forwarded): Promise<WireResponse | undefined> {
		const { lease, send } = this.#options;
		const { journal } = call;
		const own = await this.answer(call);
		if (own !== undefined) return own;
		const server = this.#holders.get(journal) ?? (await this.#findHolder(journal));
		if (server === undefined) return undefined;
		if (server === lease.server) return this.answer(call);
		this.#holders.set(journal, server);
		const answer = await send(server, call, async () => {
			const now = await lease.holderOf(journal);
			return now?.server !== server || lease.isOver(server);
		});
		if (typeof answer !== 'string') return answer;
		this.#holders.delete(journal);
		return undefined;
	}

	/** Returns the server that holds a world. This one takes a world that no server holds; undefined if another one was faster. */
	async #findHolder(journal: string): Promise<string | undefined> {
		const { lease } = this.#options;
		const holding = await lease.holderOf(journal);
		const isFree =
			holding === undefined || holding.server === lease.server || (await lease.isOver(holding.server));
		if (!isFree) return holding.server;
		const taking =
			this.#taking.get(journal) ?? lease.take(journal, holding).finally(() => this.#taking.delete(journal));
		this.#taking.set(journal, taking);
		return (await taking) ? lease.server : undefined;
	}

	/**
	 * Answers a call if this server holds its world; otherwise undefined. A call with an entry in the journal needs no valid lease: NATS
	 * took the entry, so no other server has the world. So writes wait for one election of NATS, and not for another one of the leases.
	 */
	async answer({ world, journal, request, sender }: Forwarded): Promise<WireResponse | undefined> {
		const { lease, local } = this.#options;
		if (!lease.has(journal)) return undefined;
		// An engine that starts takes the journal from any other owner.
		if (!local.isAwake(world)) {
			await lease.valid();
			if (!lease.holds(journal)) return undefined;
		}
		const served = await local.find(world);
		if (served?.record.journal !== journal) return undefined;
		const answer = await served.call(request, sender).catch((error: unknown) => {
			if (error instanceof ApiError) return errorResponse(error);
			throw error;
		});
		if (answer.headers[ENTRY_HEADER] !== undefined) return answer;
		await lease.valid();
		return lease.holds(journal) ? answer : undefined;
	}
}

/** Returns a call under a key, so that it can be sent again. */
function keyed(request: WireRequest): WireRequest {
	const { method, headers } = request;
	if (method === 'GET' || method === 'HEAD' || headers[KEY_HEADER] !== undefined) return request;
	return { ...request, headers: { ...headers, [KEY_HEADER]: newIdentity() } };
}
