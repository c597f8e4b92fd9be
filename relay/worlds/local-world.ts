/**
 * One named world whose engine runs in a thread of this server.
 * Owns: its journal, lease, waiting calls and engine, with their start and their end.
 */

import type { WebSocket } from 'ws';
import { errorResponse } from '../../shared/contract/error-response.ts';
import type { ApiError } from '../../shared/contract/errors.ts';
import type { WireRequest, WireResponse } from '../../shared/contract/wire.ts';
import type { Journal } from '../../shared/transport/journal.ts';
import type { StateEvery } from '../../web/host/journal/state-keeper.ts';
import { TabSocket } from '../admit-tab.ts';
import type { DataFiles } from '../data-files.ts';
import type { EngineRequests } from '../engine-requests.ts';
import type { Faults } from '../faults.ts';
import { JournalPort } from '../journal/journal-port.ts';
import type { OriginCheck } from '../origin-check.ts';
import { Ownership, type TabEvent } from '../ownership.ts';
import { PendingCalls } from '../pending-calls.ts';
import type { RelayLimits } from '../server.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import { stoppingAnswer } from '../status.ts';
import { EngineThread } from '../thread/engine-thread.ts';
import type { EngineWorkers } from '../thread/engine-workers.ts';
import { Tokens } from '../tokens.ts';
import { WorldCalls } from '../world-calls.ts';
import type { Sender, ServedWorld, WorldRecord } from './world-directory.ts';

/** Parts that all worlds of a server share. */
export interface LocalWorldServices {
	readonly limits: RelayLimits;
	readonly originCheck: OriginCheck;
	readonly files: DataFiles;
	readonly engineRequests: EngineRequests;
	readonly faults: Faults;
	readonly signIn: SignIn | undefined;
	readonly workers: EngineWorkers;
	/** Maximum bytes of memory of one world with its forks. */
	readonly memoryBytes: number;
	/** Limits after which an engine stores a state, if they differ from the defaults. */
	readonly stateEvery?: Partial<StateEvery> | undefined;
	/** Heavy mode: each Nth tick is re-run; undefined for none. */
	readonly verify: number | undefined;
	/** Prints a message for the operator. */
	readonly say: (sentence: string) => void;
}

export class LocalWorld implements ServedWorld {
	readonly record: WorldRecord;
	readonly #journal: Journal;
	readonly #port: JournalPort;
	readonly #pendingCalls: PendingCalls;
	readonly #ownership: Ownership;
	readonly #tabs: TabSocket;
	readonly #thread: EngineThread;
	readonly #calls: WorldCalls;
	#calledAt = performance.now();
	/** Answer to all calls after the world has ended here. */
	#endAnswer: WireResponse | undefined;

	private constructor(
		record: WorldRecord,
		journal: Journal,
		port: JournalPort,
		services: LocalWorldServices,
		onTaken: () => void,
	) {
		const { limits, originCheck, signIn, engineRequests, workers, memoryBytes, stateEvery, verify, say } =
			services;
		const { name, profile, seed, owner } = record;
		this.record = record;
		this.#journal = journal;
		this.#port = port;
		const tokens = new Tokens();
		const pendingCalls = new PendingCalls(limits);
		// Its engine is starting, so calls wait for it as long as for an answer.
		pendingCalls.detach(true);
		this.#pendingCalls = pendingCalls;
		const ownership = new Ownership({
			...limits,
			...services,
			tokens,
			pendingCalls,
			journal: port,
			// Its engine ends with the server, so none comes back after a restart.
			restartWait: 0,
			onTab: (event) => this.#onTab(event),
		});
		this.#ownership = ownership;
		this.#tabs = new TabSocket({ originCheck, ownership, helloWait: limits.helloWait });
		const unreadableFix = `Check what the message names, or delete the world with DELETE /worlds/${name}. The journal is unchanged.`;
		this.#calls = new WorldCalls({ ...limits, pendingCalls, ownership, signIn, unreadableFix });
		this.#thread = new EngineThread({
			settings: {
				name,
				profile,
				seed,
				gated: engineRequests.gated,
				memoryBudget: memoryBytes,
				...(stateEvery === undefined ? {} : { stateEvery }),
				...(verify === undefined ? {} : { verify }),
				...(owner === null ? {} : { owner: owner.number }),
			},
			say,
			worker: () => workers.take(),
			name: `world "${name}"`,
			isTaken: () => port.isTakenElsewhere().catch(() => false),
			onTaken,
		});
		ownership.setHasOwnEngine(true);
		this.#thread.start({
			join: (socket: WebSocket) => this.#tabs.join(socket),
			keeperToken: () => tokens.issue(true),
			forgetKeeper: () => ownership.forgetKeeper(),
			setTrouble: (why, next) => ownership.setTrouble(why, next),
		});
	}

	/**
	 * Opens a world with its journal, and starts its engine. `onTaken` is called when another server has acquired the
	 * lease; the world then ends here. Rejects with a `JournalError`.
	 */
	static async open(
		record: WorldRecord,
		journal: Journal,
		services: LocalWorldServices,
		onTaken: () => void,
	): Promise<LocalWorld> {
		const port = await JournalPort.open({ journal, id: record.journal }, services.faults);
		return new LocalWorld(record, journal, port, services, onTaken);
	}

	/** Milliseconds since the last call or tick; 0 while a call waits. */
	get idleFor(): number {
		if (this.#pendingCalls.size > 0) return 0;
		return performance.now() - Math.max(this.#calledAt, this.#port.appendedAt);
	}

	/** Returns the bytes of the journal. */
	bytes(): Promise<number> {
		return this.#port.bytes();
	}

	call(request: WireRequest, { caller, listens = false, signal }: Sender): Promise<WireResponse> {
		if (this.#endAnswer !== undefined) return Promise.resolve(this.#endAnswer);
		this.#calledAt = performance.now();
		if (listens) return this.#calls.listen(request, signal);
		return new Promise((resolve) => {
			let cancel = (): void => {};
			const onAbort = (): void => {
				cancel();
				resolve(stoppingAnswer());
			};
			const onAnswer = (answer: WireResponse): void => {
				signal?.removeEventListener('abort', onAbort);
				this.#calledAt = performance.now();
				resolve(this.#calls.named(answer));
			};
			cancel = this.#calls.submit(request, onAnswer, caller);
			if (signal?.aborted === true) onAbort();
			else signal?.addEventListener('abort', onAbort);
		});
	}

	/** Refuses overdue calls and checks the engine. Called a few times a second. */
	checkEngine(): void {
		this.#pendingCalls.refuseOverdue();
		this.#ownership.checkTabs();
	}

	/** Resolves when earlier calls are answered, or after `maxWait` milliseconds. */
	finishCalls(maxWait: number): Promise<void> {
		return this.#pendingCalls.finishCalls(maxWait);
	}

	/** Ends the engine in order: it stores a state, so that the next one starts quickly, and releases the lease. */
	async close(): Promise<void> {
		await this.#thread.stop();
		await this.#end(stoppingAnswer());
	}

	/** Ends the engine immediately and refuses its calls. The journal has all acknowledged writes. */
	async drop(error: ApiError): Promise<void> {
		const answer = errorResponse(error);
		this.#thread.drop();
		this.#pendingCalls.refuse(answer);
		await this.#end(answer);
	}

	async #end(answer: WireResponse): Promise<void> {
		this.#endAnswer = answer;
		this.#pendingCalls.close();
		this.#ownership.close();
		this.#tabs.close();
		await this.#journal.close();
	}

	#onTab(event: TabEvent): void {
		if (event.kind === 'ready') this.#thread.noteReady();
		if (event.kind === 'hung') this.#thread.replace();
	}
}
