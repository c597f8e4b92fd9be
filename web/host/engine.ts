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
import { type KeptStart, startOf } from './engine-start.ts';
import { EntryWriter, type EntryWriterServices } from './journal/entry-writer.ts';
import { type ReplayedWorlds, replay } from './journal/replay.ts';
import { disposeWorlds, packState } from './journal/state.ts';
import { STATE_EVERY, type StateEvery } from './journal/state-keeper.ts';
import { readLua } from './lua-binary.ts';
import { holdWorlds } from './saved-worlds.ts';
import type { DrawingView } from './view-link.ts';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

export type { EngineSettings } from './engine-settings.ts';

/** Milliseconds for which a journal is read before others get their turn: no call waits for it yet. */
const REPLAY_MS = 50;

/** Starts an engine with an empty world at tick 0, paused, or with the world of its journal. Throws a `JournalError` for one that cannot be read, or that differs when it is re-run. */
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
		return this.#calls.handleFrom(door);
	}

	/** Does work on copies of worlds that no call asks for. */
	beside<T>(work: (host: Host) => Promise<T>): Promise<T> {
		return this.#calls.beside(work);
	}

	get worlds(): Worlds {
		return this.#core.worlds;
	}

	/** Bytes that the worlds name. */
	get assets(): Assets {
		return this.#core.assets;
	}

	/** Events of the last ticks of worlds that are watched. */
	get happened(): EventTrails {
		return this.#core.happened;
	}

	/** The name of the world in every answer, which a call may show: the same for every engine that loads it. */
	get identity(): string {
		return this.#core.start.identity;
	}

	/** Called after anything changed or was answered. */
	get onChange(): () => void {
		return this.#core.onChange;
	}

	set onChange(changed: () => void) {
		this.#core.onChange = changed;
	}

	/** The reason that currently nothing can be stored; null if it can. */
	get journalTrouble(): JournalTrouble | null {
		return this.#core.scribe.trouble;
	}

	/** Re-runs the journal, and lets the worlds play. */
	async begin(): Promise<void> {
		const core = this.#core;
		const { kept } = core.start;
		const began = core.now();
		const next = kept === null ? 0 : await this.#replay(kept);
		if (core.settings.moment !== undefined) return;
		core.scribe = this.#scribe(next, { entries: next - (kept?.at ?? 0), work: core.now() - began });
		if (kept === null) await core.scribe.keepState();
		else core.scribe.keepStateWhenDue();
		core.begun = true;
		core.playLoop.update();
	}

	/** Re-runs what follows a state. Returns the number of the next entry. */
	#replay({ at, end, lineage }: KeptStart): Promise<number> {
		const core = this.#core;
		const { moment, replaying, pace } = core.settings;
		let rested = core.now();
		const to: ReplayedWorlds = {
			worlds: core.worlds,
			assets: core.assets,
			keys: core.keys,
			mostFileBytes: core.mostFileBytes,
			lineage,
			call: (request, running, outside) => this.#calls.again(request, running, outside),
			progress(next) {
				replaying?.(next, end);
				if (core.now() - rested < REPLAY_MS) return undefined;
				return yieldToEventLoop().then(() => {
					rested = core.now();
				});
			},
			pace,
			beforeTicks: (entry) => core.beforeTicks(entry),
			madeTick: (entry) => core.madeTick(entry),
			divergedBefore: (entry, message) => core.divergedBefore(entry, message),
		};
		return replay(to, core.start.journal, at, moment);
	}

	#scribe(next: number, read: Partial<StateEvery>): EntryWriter {
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
			isBusy: () => queue.busy,
			every: { ...STATE_EVERY, ...core.settings.stateEvery },
			state: () => {
				const state = { ...holdWorlds(worlds, this.identity), ...this.#around() };
				return {
					// Keys are there when the journal has their entries, which is when this is packed.
					pack: (storedBlobs) =>
						packState(
							{ ...state, keys: keys.all(), calls: keys.calls() },
							{ journal, known: storedBlobs, now },
						),
					drop: () => disposeWorlds(state),
				};
			},
			changed: () => core.changed(),
			report,
		};
		return new EntryWriter(next, services, read);
	}

	/** Data in a state beside the worlds. */
	#around() {
		const { start, verifier, worlds, assets } = this.#core;
		return {
			lastWorld: start.lastWorld,
			...(verifier === null ? {} : { stopped: verifier.stoppedAmong(worlds.all()) }),
			assets: assets.all(),
		};
	}

	/** Sets where files are from now on. */
	setFiles(files: Files): void {
		this.#core.setFiles(files);
	}

	/** Sets the names of worlds beside this engine's own: no fork may have one of them. */
	setNames(names: readonly string[]): void {
		this.#core.worlds.taken = new Set(names);
	}

	/** Sets what runs errands from now on. */
	setRelayServices(relayServices: RelayServices): void {
		this.#core.gate.relayServices = relayServices;
	}

	/** Sets whether writes take a session from now on. */
	setGated(gated: boolean): void {
		this.#core.gate.closed = gated;
	}

	/** Connects or disconnects what draws. */
	setView(view: DrawingView | null): void {
		this.#core.view = view;
	}

	/** Returns the status, and takes the calls that were logged since it was last asked. */
	takeStatus(): Omit<EngineStatus, 'relay' | 'unkept'> {
		return { ...this.#core.mainStatus(), calls: this.#core.log.take() };
	}

	/** Resolves when the journal has all that was applied. Rejects with the reason if it currently cannot. */
	async rest(): Promise<void> {
		await this.#core.scribe.rest(false);
	}

	/**
	 * Writes a state and releases the journal's lease, when every call before is done. Nothing is applied afterwards: another engine
	 * continues the worlds. Rejects, and continues them itself, when the journal cannot have what was applied.
	 */
	release(): Promise<void> {
		return new Promise<void>((resolve, reject) => {
			const released = this.#core.queue.post(async () => {
				await this.#core.scribe.release();
				resolve();
				// What waits in line waits for ever: the next engine does it.
				await new Promise<never>(() => {});
			});
			released.catch(reject);
		});
	}

	/** The journal may work again: what waits for it is tried now, and calls wait for that. */
	tryJournal(): void {
		this.#core.scribe.tryAgain();
	}

	/** Answers of these calls were delivered, by the keys of their transport. */
	forgetCalls(calls: readonly string[]): void {
		this.#core.keys.forgetCalls(calls);
	}

	/** Stops the play loop, and resolves when the journal has everything. */
	async close(): Promise<void> {
		this.#core.playLoop.stop();
		this.#core.pool?.close();
		this.#core.happened.close();
		// Calls that wait for a change are answered.
		this.#core.changed();
		await this.#core.scribe.close();
	}
}
