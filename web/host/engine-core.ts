/**
 * Parts of one engine, which its calls, its past and its journal share.
 * Owns: their creation from the engine's start. Never: decides the order in which they act.
 */

import { Rule } from '../../shared/components/rule.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { reasonOf } from '../../shared/contract/reason.ts';
import { MAX_DOCUMENT_BYTES } from '../../shared/contract/wire.ts';
import { JournalError } from '../../shared/transport/journal.ts';
import type { WatchedValues } from '../api/context.ts';
import { createFrameMaker } from '../frames/frame-maker.ts';
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
import { inflateState } from './journal/state.ts';
import { UndoCopies } from './journal/worlds-before.ts';
import { memoryFiles } from './memory-files.ts';
import { PlayLoop } from './play-loop.ts';
import { Pool } from './pool.ts';
import { restoreWorlds } from './saved-worlds.ts';
import { TurnQueue } from './turn-queue.ts';
import type { DrawingView } from './view-link.ts';

export class EngineCore {
	readonly settings: EngineSettings;
	readonly start: EngineStart;
	/** Milliseconds on a monotonic clock. */
	readonly now: () => number;
	/** Milliseconds since 1970. */
	readonly clock: () => number;
	readonly report: (message: string, error: unknown) => void;
	readonly maxFileBytes: number;
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
	readonly trails = new EventTrails();
	/** Copies of worlds from before the newest writes of a person, for undo. */
	readonly undoCopies: UndoCopies;
	readonly playLoop: PlayLoop;
	/** Workers for copies of worlds; null if all work runs on this thread. */
	readonly pool: Pool | null;
	readonly frame = createFrameMaker(this.trails);
	files: HostFiles;
	view: DrawingView | null = null;
	/** Set before the first call. An engine that only reads the past has no writer. */
	entryWriter!: EntryWriter;
	/** True once the journal was replayed. No world plays earlier. */
	isReplayed = false;
	/** Called after every change and every answered call. */
	onChange = (): void => {};
	/** Number of changes and answered calls. */
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
		this.maxFileBytes = settings.mostFileBytes ?? MAX_DOCUMENT_BYTES;
		this.files = files;
		this.assets = stores.assets;
		this.worlds = stores.worlds;
		this.verifier = stores.verifier;
		this.undoCopies = new UndoCopies(stores.worlds);
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
		const maxFileBytes = settings.mostFileBytes ?? MAX_DOCUMENT_BYTES;
		// `setFiles` may replace the files while the engine runs.
		let core: EngineCore | undefined;
		const files = withApiErrors(settings.files ?? memoryFiles(), maxFileBytes);
		const assets = new Assets({
			files: () => core?.files ?? files,
			readPublic: settings.readPublic,
			maxBytes: maxAssetBytes(start),
		});
		for (const asset of saved?.assets ?? []) await assets.restore(asset);
		const namedAssets = {
			find: (hash: string) => assets.find(hash)?.bytes,
			lastHashOf: (reference: string) => assets.lastHashOf(reference),
			get hashChanges() {
				return assets.hashChanges;
			},
		};
		const { profile = 'full', seed = 0, owner, memoryBudget } = settings;
		const worlds = saved
			? await restoreWorlds(saved, namedAssets, inflateState)
			: new Worlds(createWorld({ seed, profile, assets: namedAssets }), owner);
		if (memoryBudget !== undefined) worlds.room.memory.maxBytes = memoryBudget;
		core = new EngineCore(settings, start, { assets, worlds, verifier: await verifierOf(settings) }, files);
		return core;
	}

	setFiles(files: Files): void {
		this.files = withApiErrors(files, this.maxFileBytes);
	}

	/** Stops a world whose last tick differed when an earlier engine verified it. */
	stopDiverged({ id, world }: WorldEntry, message?: string): void {
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
	get activeVerifier(): Verifier | null {
		return this.settings.moment?.verifier?.() ?? (this.isReplayed ? this.verifier : null);
	}

	/** Starts or stops the play loop, after worlds began or ceased to play. */
	updatePlaying(): void {
		if (this.isReplayed) this.playLoop.update();
	}

	/** Returns the status, and the calls that were answered after the call of a number. */
	watch(after: number): WatchedValues {
		return { ...this.statusOfMain(), change: this.#changes, calls: this.log.callsAfter(after) };
	}

	/** Counts a change or an answered call, and wakes all watchers. */
	notifyChange(): void {
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
				clearTimeout(timer);
				this.#watchers.delete(wake);
				resolve();
			};
			const timer = setTimeout(wake, ms);
			this.#watchers.add(wake);
			running.onCancel = wake;
		});
	}

	/** Begins the trail of a world before it ticks, or records that it replaced another world. */
	beforeTicks(entry: WorldEntry): void {
		if (this.settings.moment !== undefined) return;
		const line = this.trails.lineOf(entry.id);
		if (line === undefined) this.trails.begin(entry);
		else if (line !== entry.line.number) this.trails.append(replacementOf(entry, this.now()));
	}

	afterTick(entry: WorldEntry): void {
		this.undoCopies.drop(entry.id);
		if (this.settings.moment !== undefined) return;
		const happening = happeningOf(entry, this.now());
		if (happening !== undefined) this.trails.append(happening);
	}

	/** Adds a happening of a final change to the trails. */
	announce(happening: TrailHappening): void {
		if (this.settings.moment === undefined) this.trails.append(happening);
	}

	/** Adapts the trails after a change, which may have replaced worlds. */
	followWorlds(): void {
		if (this.settings.moment === undefined) this.trails.follow(this.worlds, this.now());
	}

	#newPlayLoop(): PlayLoop {
		return new PlayLoop({
			worlds: this.worlds,
			queue: this.queue,
			profiler: this.profiler,
			verifier: this.verifier,
			now: this.now,
			beforeTick: (entry) => this.beforeTicks(entry),
			afterTick: (entry, ms) => {
				this.afterTick(entry);
				this.entryWriter.countTick(entry, ms);
			},
			afterTicks: () => this.notifyChange(),
			onFailure: (world, error) => {
				if (!(error instanceof ApiError))
					this.report(`A tick failed at tick ${world.tick}; the world is paused.`, error);
			},
		});
	}

	statusOfMain() {
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

	/** Returns the tick of a world, or of main if the world is gone. */
	tickOfWorld(id: string): number {
		return (this.worlds.find(id) ?? this.worlds.main).world.tick;
	}

	/** Reports a fault of the engine, and returns its refusal. */
	reportFault(error: unknown, request: { readonly method: string; readonly path: string }): ApiError {
		if (error instanceof JournalError) return new ApiError('journal_unreadable', error.message);
		const id = `fault-${++this.#faults}`;
		this.report(`${id}: ${request.method} ${request.path} failed.`, error);
		return new ApiError('internal', `The engine failed (${id}): ${reasonOf(error)}`);
	}
}

/** Returns the maximum bytes of assets. The journal must store all of them with every state, so they may take half of it. */
const maxAssetBytes = ({ journalBytes = Number.POSITIVE_INFINITY }: EngineStart): number =>
	Math.min(MAX_ASSET_BYTES, Math.floor(journalBytes / 2));

const reportOf = ({ report }: EngineSettings): EngineCore['report'] =>
	report ?? ((message, error) => console.error(message, error));

/** Returns the verifier of heavy mode; null in any other mode. Its module is loaded only for heavy mode. */
async function verifierOf(settings: EngineSettings): Promise<Verifier | null> {
	const { verify, moment } = settings;
	if (verify === undefined || moment !== undefined) return null;
	if (!Number.isSafeInteger(verify) || verify < 1)
		throw new RangeError(`verify must be a whole number of ticks above 0, not ${verify}`);
	const report = reportOf(settings);
	const { Verifier } = await import('../store/verifier.ts');
	return new Verifier({ every: verify, onDivergence: (diverged) => report(diverged.message, diverged) });
}
