/**
 * One running engine: answers calls, whatever transport they come through.
 * Owns: the start and the end of its parts.
 */

import type { CallHandler, Transport } from '../../shared/contract/wire.ts';
import type { RelayServices } from '../../shared/transport/errand.ts';
import type { Host } from '../api/context.ts';
import type { JournalTrouble } from '../api/host-journal.ts';
import type { EngineStatus } from '../frames/frames.ts';
import { loadParts } from '../sim/parts.ts';
import { provideLua } from '../sim/scripts/lua-binary.ts';
import type { Assets } from '../store/assets.ts';
import type { EventTrails } from '../store/event-trail.ts';
import type { Files } from '../store/files.ts';
import type { Worlds } from '../store/worlds.ts';
import { EngineCalls } from './engine-calls.ts';
import { EngineCore } from './engine-core.ts';
import { EnginePast } from './engine-past.ts';
import type { EngineSettings } from './engine-settings.ts';
import { type StateStart, startOf } from './engine-start.ts';
import { EntryWriter, type EntryWriterServices } from './journal/entry-writer.ts';
import { type ReplayedWorlds, replay } from './journal/replay.ts';
import { disposeWorlds, packState } from './journal/state.ts';
import { STATE_EVERY, type StateEvery } from './journal/state-keeper.ts';
import { readLua } from './lua-binary.ts';
import { copyWorlds } from './saved-worlds.ts';
import type { DrawingView } from './view-link.ts';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

export type { EngineSettings } from './engine-settings.ts';

/** Maximum time of replay before other events run (ms). It can be long, because no call waits yet. */
const MAX_REPLAY_SLICE_MS = 50;

/**
 * Starts an engine with the world of its journal, or with an empty, paused world at tick 0. Rejects with a `JournalError` if the
 * journal cannot be read, or if a re-run gives a different result.
 */
export async function createEngine(settings: EngineSettings = {}): Promise<Engine> {
	provideLua(readLua);
	await loadParts();
	const core = await EngineCore.create(settings, await startOf(settings));
	const engine = new Engine(core);
	await engine.begin();
	return engine;
}

export class Engine {
	/** Answers one call. Never rejects. */
	readonly handle: CallHandler;
	readonly #core: EngineCore;
	readonly #calls: EngineCalls;

	constructor(core: EngineCore) {
		this.#core = core;
		this.#calls = new EngineCalls(core, new EnginePast(core, createEngine));
		this.handle = this.handleFrom('process');
	}

	/** Returns a handler whose calls the log shows as coming through a transport. */
	handleFrom(door: Transport): CallHandler {
		return this.#calls.handlerFor(door);
	}

	/** Runs work of the engine itself on copies of worlds. */
	beside<T>(work: (host: Host) => Promise<T>): Promise<T> {
		return this.#calls.runBeside(work);
	}

	get worlds(): Worlds {
		return this.#core.worlds;
	}

	/** Assets that the worlds name. */
	get assets(): Assets {
		return this.#core.assets;
	}

	/** Events of the last ticks of worlds that are watched. */
	get happened(): EventTrails {
		return this.#core.trails;
	}

	/** Identity of the worlds, which is in every answer. It is equal for every engine that loads their journal. */
	get identity(): string {
		return this.#core.start.identity;
	}

	/** Function that is called after every change and every answered call. */
	get onChange(): () => void {
		return this.#core.onChange;
	}

	set onChange(changed: () => void) {
		this.#core.onChange = changed;
	}

	/** The reason that currently nothing can be stored; null if it can. */
	get journalTrouble(): JournalTrouble | null {
		return this.#core.entryWriter.trouble;
	}

	/** Re-runs the journal, and lets the worlds play. */
	async begin(): Promise<void> {
		const core = this.#core;
		const { after } = core.start;
		const beginTime = core.now();
		const next = after === null ? 0 : await this.#replay(after);
		if (core.settings.moment !== undefined) return;
		core.entryWriter = this.#createWriter(next, {
			entries: next - (after?.at ?? 0),
			work: core.now() - beginTime,
		});
		if (after === null) await core.entryWriter.storeState();
		else core.entryWriter.storeStateIfDue();
		core.isReplayed = true;
		core.playLoop.update();
	}

	/** Re-runs the entries after a state. Returns the number of the next entry. */
	#replay({ at, end, lineage }: StateStart): Promise<number> {
		const core = this.#core;
		const { moment, replaying, pace } = core.settings;
		let pausedAt = core.now();
		const target: ReplayedWorlds = {
			worlds: core.worlds,
			assets: core.assets,
			keys: core.keys,
			mostFileBytes: core.maxFileBytes,
			lineage,
			rerunCall: (request, running, outside) => this.#calls.rerun(request, running, outside),
			progress(next) {
				replaying?.(next, end);
				if (core.now() - pausedAt < MAX_REPLAY_SLICE_MS) return undefined;
				return yieldToEventLoop().then(() => {
					pausedAt = core.now();
				});
			},
			pace,
			beforeTicks: (entry) => core.beforeTicks(entry),
			afterTick: (entry) => core.afterTick(entry),
			onDiverged: (entry, message) => core.stopDiverged(entry, message),
		};
		return replay(target, core.start.journal, at, moment);
	}

	#createWriter(next: number, read: Partial<StateEvery>): EntryWriter {
		const core = this.#core;
		const { worlds, assets, keys, clock, now, report, queue } = core;
		const { journal, epoch } = core.start;
		const services: EntryWriterServices = {
			journal,
			epoch,
			worlds,
			assets,
			clock,
			now,
			isBusy: () => queue.isBusy,
			every: { ...STATE_EVERY, ...core.settings.stateEvery },
			state: () => {
				const state = { ...copyWorlds(worlds, this.identity), ...this.#stateExtras() };
				return {
					// Keys are read when the state is packed, because the journal has their entries only then.
					pack: (storedBlobs) =>
						packState(
							{ ...state, keys: keys.all(), calls: keys.calls() },
							{ journal, knownBlobs: storedBlobs, now },
						),
					dispose: () => disposeWorlds(state),
				};
			},
			changed: () => core.notifyChange(),
			report,
		};
		return new EntryWriter(next, services, read);
	}

	/** Returns the data of a state other than worlds and keys. */
	#stateExtras() {
		const { start, verifier, worlds, assets } = this.#core;
		return {
			lastWorld: start.lastWorld,
			...(verifier === null ? {} : { stopped: verifier.stoppedAmong(worlds.all()) }),
			assets: assets.all(),
		};
	}

	/** Replaces the data folder. */
	setFiles(files: Files): void {
		this.#core.setFiles(files);
	}

	/** Sets the names of the server's other worlds. No fork may have one of these names. */
	setNames(names: readonly string[]): void {
		this.#core.worlds.otherNames = new Set(names);
	}

	/** Replaces the services of the relay. */
	setRelayServices(relayServices: RelayServices): void {
		this.#core.gate.relayServices = relayServices;
	}

	/** Sets `gated`: true if writes need a session. */
	setGated(gated: boolean): void {
		this.#core.gate.isClosed = gated;
	}

	/** Connects a view that draws, or disconnects it (null). */
	setView(view: DrawingView | null): void {
		this.#core.view = view;
	}

	/** Returns the status, with the calls that were answered since the last call of this method. */
	takeStatus(): Omit<EngineStatus, 'relay' | 'unkept'> {
		return { ...this.#core.statusOfMain(), calls: this.#core.log.takeUnreported() };
	}

	/** Resolves when the journal has stored all applied calls and ticks. Rejects with the reason if it currently cannot. */
	async rest(): Promise<void> {
		await this.#core.entryWriter.whenStored(false);
	}

	/**
	 * Writes a state and releases the journal's lease, after all earlier calls. Later calls never run here: another engine
	 * resumes the worlds. Rejects if the journal cannot store the applied calls; this engine then keeps the worlds.
	 */
	release(): Promise<void> {
		return new Promise<void>((resolve, reject) => {
			const released = this.#core.queue.post(async () => {
				await this.#core.entryWriter.release();
				resolve();
				// Queued calls wait for ever here. The next engine runs them.
				await new Promise<never>(() => {});
			});
			released.catch(reject);
		});
	}

	/** Retries the waiting entries now, because the journal may work again. Calls wait for the result. */
	tryJournal(): void {
		this.#core.entryWriter.retry();
	}

	/** Drops the stored answers of delivered calls. `calls`: the transport's keys of these calls. */
	forgetCalls(calls: readonly string[]): void {
		this.#core.keys.forgetCalls(calls);
	}

	/** Stops the engine, and resolves when the journal has stored everything. */
	async close(): Promise<void> {
		this.#core.playLoop.stop();
		this.#core.pool?.close();
		this.#core.trails.close();
		// Calls that wait for a change are answered.
		this.#core.notifyChange();
		await this.#core.entryWriter.close();
	}
}
