/**
 * The parts of one engine, which its calls, its past and its journal share.
 * Owns: their creation from the engine's start. Never: decides in which order they act.
 */

import { Rule } from '../../shared/components/rule.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { reasonOf } from '../../shared/contract/reason.ts';
import { MAX_DOCUMENT_BYTES } from '../../shared/contract/wire.ts';
import { JournalError } from '../../shared/transport/journal.ts';
import type { WatchedValues } from '../api/context.ts';
import { frameMaker } from '../frames/frame-maker.ts';
import { digest } from '../sim/core/digest.ts';
import { count } from '../sim/core/world.ts';
import { createWorld } from '../sim/create-world.ts';
import { worldName } from '../sim/world-name/world-name.ts';
import { Assets, MAX_ASSET_BYTES } from '../store/assets.ts';
import { CallList, type RunningCall } from '../store/call-list.ts';
import { EventTrails, happeningOf, replacementOf, type TrailHappening } from '../store/event-trail.ts';
import { type Files, type HostFiles, withApiErrors } from '../store/files.ts';
import { Keys } from '../store/keys.ts';
import { Profiler } from '../store/profiler.ts';
import { SignInGate } from '../store/sign-in-gate.ts';
import type { Verifier } from '../store/verifier.ts';
import { type WorldEntry, Worlds } from '../store/worlds.ts';
import { CallLog } from './call-log.ts';
import type { EngineSettings } from './engine-settings.ts';
import type { EngineStart } from './engine-start.ts';
import type { EntryWriter } from './journal/entry-writer.ts';
import { inflateAll } from './journal/state.ts';
import { WorldsBefore } from './journal/worlds-before.ts';
import { memoryFiles } from './memory-files.ts';
import { PlayLoop } from './play-loop.ts';
import { Pool } from './pool.ts';
import { restoreWorlds } from './saved-worlds.ts';
import { TurnQueue } from './turn-queue.ts';
import type { DrawingView } from './view-link.ts';

export class EngineCore {
	readonly settings: EngineSettings;
	readonly start: EngineStart;
	readonly now: () => number;
	/** Milliseconds since 1970. */
	readonly clock: () => number;
	readonly report: (message: string, error: unknown) => void;
	readonly mostFileBytes: number;
	/** Queue of calls that change something. */
	readonly queue: TurnQueue;
	readonly profiler: Profiler;
	readonly assets: Assets;
	readonly worlds: Worlds;
	readonly log = new CallLog();
	readonly running = new CallList();
	readonly gate: SignInGate;
	readonly keys: Keys;
	readonly verifier: Verifier | null;
	readonly happened = new EventTrails();
	/** Worlds before the newest writes of a person, for undo. */
	readonly befores: WorldsBefore;
	readonly playLoop: PlayLoop;
	/** Null if all work runs on this thread. */
	readonly pool: Pool | null;
	readonly frame = frameMaker(this.happened);
	files: HostFiles;
	view: DrawingView | null = null;
	/** Set before the first call. An engine that only reads the past has none. */
	scribe!: EntryWriter;
	/** True once the journal was replayed. No world plays before. */
	begun = false;
	/** Called after every change and every answered call. */
	onChange = (): void => {};
	/** Rises with every change and every answered call. */
	#changes = 0;
	readonly #watchers = new Set<() => void>();
	#faults = 0;

	private constructor(
		settings: EngineSettings,
		start: EngineStart,
		stores: { readonly assets: Assets; readonly worlds: Worlds; readonly verifier: Verifier | null },
		files: HostFiles,
	) {
		const { saved } = start;
		this.settings = settings;
		this.start = start;
		this.queue = new TurnQueue(settings.turnMs);
		this.now = settings.now ?? (() => performance.now());
		this.clock = settings.clock ?? Date.now;
		this.report = reportOf(settings);
		this.mostFileBytes = settings.mostFileBytes ?? MAX_DOCUMENT_BYTES;
		this.files = files;
		this.assets = stores.assets;
		this.worlds = stores.worlds;
		this.verifier = stores.verifier;
		this.befores = new WorldsBefore(stores.worlds);
		this.profiler = new Profiler(this.now);
		this.gate = new SignInGate(settings.gated ?? false, this.now);
		this.keys = new Keys(start.journal, this.clock, saved?.keys, saved?.calls);
		for (const stopped of saved?.stopped ?? []) {
			const world = this.worlds.find(stopped.id)?.world;
			if (world !== undefined) this.verifier?.stopWorld(world, stopped);
		}
		this.pool = settings.pool && settings.pool.size > 0 ? new Pool(settings.pool) : null;
		this.playLoop = this.#newPlayLoop();
	}

	/** Creates the parts. Rejects if the saved state cannot be restored. */
	static async create(settings: EngineSettings, start: EngineStart): Promise<EngineCore> {
		const { saved } = start;
		const most = settings.mostFileBytes ?? MAX_DOCUMENT_BYTES;
		// `setFiles` may replace the files while the engine runs.
		let core: EngineCore | undefined;
		const files = withApiErrors(settings.files ?? memoryFiles(), most);
		const assets = new Assets({
			files: () => core?.files ?? files,
			readPublic: settings.readPublic,
			room: roomForAssets(start),
		});
		for (const asset of saved?.assets ?? []) await assets.restore(asset);
		const named = {
			find: (hash: string) => assets.find(hash)?.bytes,
			lastHashOf: (reference: string) => assets.lastAt(reference),
			get hashChanges() {
				return assets.hashChanges;
			},
		};
		const { profile = 'full', seed = 0, owner, memoryBudget } = settings;
		const worlds = saved
			? await restoreWorlds(saved, named, inflateAll)
			: new Worlds(createWorld({ seed, profile, assets: named }), owner);
		if (memoryBudget !== undefined) worlds.room.memory.budget = memoryBudget;
		core = new EngineCore(settings, start, { assets, worlds, verifier: await verifierOf(settings) }, files);
		return core;
	}

	setFiles(files: Files): void {
		this.files = withApiErrors(files, this.mostFileBytes);
	}

	/** Stops a world whose last tick differed when an earlier engine verified it. */
	divergedBefore({ id, world }: WorldEntry, message?: string): void {
		const tick = world.tick - 1;
		this.verifier?.stopWorld(world, {
			id,
			tick,
			message:
				message ??
				`Tick ${tick} of the world "${id}" gave two different results when an earlier engine verified it.`,
		});
	}

	/** Verifier of ticks; null if ticks are not verified. Replayed ticks at the start were verified when they first ran. */
	get verifying(): Verifier | null {
		return this.settings.moment?.verifier?.() ?? (this.begun ? this.verifier : null);
	}

	/** Called after worlds began or ceased to play. */
	playingChanged(): void {
		if (this.begun) this.playLoop.update();
	}

	/** Returns the status, and the calls that were answered after the call of a number. */
	watch(after: number): WatchedValues {
		return { ...this.mainStatus(), change: this.#changes, calls: this.log.after(after) };
	}

	/** Reports a change or an answered call to all watchers. */
	changed(): void {
		this.#changes++;
		for (const wake of this.#watchers) wake();
		this.view?.changed?.();
		this.onChange();
	}

	/** Resolves when the change number of `watch` is no longer `number`, the time is over or the call is cancelled. */
	untilChange(number: number, ms: number, running: RunningCall): Promise<void> {
		if (number !== this.#changes) return Promise.resolve();
		return new Promise((resolve) => {
			const wake = (): void => {
				clearTimeout(late);
				this.#watchers.delete(wake);
				resolve();
			};
			const late = setTimeout(wake, ms);
			this.#watchers.add(wake);
			running.onCancel = wake;
		});
	}

	/** Called before a world ticks. The world may have replaced another. */
	beforeTicks(entry: WorldEntry): void {
		if (this.settings.moment !== undefined) return;
		const line = this.happened.lineOf(entry.id);
		if (line === undefined) this.happened.begin(entry);
		else if (line !== entry.line.number) this.happened.append(replacementOf(entry, this.now()));
	}

	madeTick(entry: WorldEntry): void {
		this.befores.forget(entry.id);
		if (this.settings.moment !== undefined) return;
		const happening = happeningOf(entry, this.now());
		if (happening !== undefined) this.happened.append(happening);
	}

	/** Adds a happening of a final change. */
	keep(happening: TrailHappening): void {
		if (this.settings.moment === undefined) this.happened.append(happening);
	}

	/** Called after a change, which may have replaced worlds. */
	followWorlds(): void {
		if (this.settings.moment === undefined) this.happened.follow(this.worlds, this.now());
	}

	#newPlayLoop(): PlayLoop {
		return new PlayLoop({
			worlds: this.worlds,
			queue: this.queue,
			profiler: this.profiler,
			verifier: this.verifier,
			now: this.now,
			beforeTick: (entry) => this.beforeTicks(entry),
			madeTick: (entry, ms) => {
				this.madeTick(entry);
				this.scribe.ticked(entry, ms);
			},
			ticked: () => this.changed(),
			failed: (world, error) => {
				if (!(error instanceof ApiError))
					this.report(`A tick failed at tick ${world.tick}; the world is paused.`, error);
			},
		});
	}

	mainStatus() {
		const { world, playing } = this.worlds.main;
		return {
			world_name: worldName(world),
			tick: world.tick,
			state_digest: digest(world),
			entity_count: world.entities.count,
			rule_count: count(world, Rule),
			playing,
			dropped_ticks: this.playLoop.dropped,
			forks: this.worlds.listedForkIds(),
		};
	}

	/** Returns the tick of a world, or of main if it is gone. */
	tickOf(id: string): number {
		return (this.worlds.find(id) ?? this.worlds.main).world.tick;
	}

	/** Reports a fault of the engine, and returns its refusal. */
	internal(error: unknown, request: { readonly method: string; readonly path: string }): ApiError {
		if (error instanceof JournalError) return new ApiError('journal_unreadable', error.message);
		const id = `fault-${++this.#faults}`;
		this.report(`${id}: ${request.method} ${request.path} failed.`, error);
		return new ApiError('internal', `The engine failed (${id}): ${reasonOf(error)}`);
	}
}

/** Returns the maximum bytes of assets. Every state in the journal has all of them, so they may take only half of it. */
const roomForAssets = ({ journalBytes = Number.POSITIVE_INFINITY }: EngineStart): number =>
	Math.min(MAX_ASSET_BYTES, Math.floor(journalBytes / 2));

const reportOf = ({ report }: EngineSettings): EngineCore['report'] =>
	report ?? ((message, error) => console.error(message, error));

/** Returns the verifier of heavy mode, whose module is loaded only then; null otherwise. */
async function verifierOf(settings: EngineSettings): Promise<Verifier | null> {
	const { verify, moment } = settings;
	if (verify === undefined || moment !== undefined) return null;
	if (!Number.isSafeInteger(verify) || verify < 1)
		throw new RangeError(`verify must be a whole number of ticks above 0, not ${verify}`);
	const report = reportOf(settings);
	const { Verifier } = await import('../store/verifier.ts');
	return new Verifier({ every: verify, onDivergence: (diverged) => report(diverged.message, diverged) });
}
