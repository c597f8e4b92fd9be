/**
 * The parts of one engine, which its calls, its past and its journal share.
 * Owns: creating them from what the engine begins with. Never: decides in which order they act.
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
	/** Of calls that change something. */
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
	/** Of the newest writes of a person. */
	readonly befores: WorldsBefore;
	readonly playLoop: PlayLoop;
	/** Null if all is run in place. */
	readonly pool: Pool | null;
	readonly frame = frameMaker(this.happened);
	files: HostFiles;
	view: DrawingView | null = null;
	/** Set before the first call. An engine that looks at a moment has none. */
	scribe!: EntryWriter;
	/** Nothing plays before the worlds are what the journal says. */
	begun = false;
	/** Called after anything changed or was answered. */
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
			if (world !== undefined) this.verifier?.standsStill(world, stopped);
		}
		this.pool = settings.pool && settings.pool.size > 0 ? new Pool(settings.pool) : null;
		this.playLoop = this.#newPlayLoop();
	}

	/** Rejects when what the engine begins with cannot be restored. */
	static async create(settings: EngineSettings, start: EngineStart): Promise<EngineCore> {
		const { saved } = start;
		const most = settings.mostFileBytes ?? MAX_DOCUMENT_BYTES;
		// Which files these are may change while the engine runs.
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
			get moves() {
				return assets.moves;
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

	/** Stops a world whose last tick gave another result when an earlier engine re-ran it. */
	divergedBefore({ id, world }: WorldEntry, message?: string): void {
		const tick = world.tick - 1;
		this.verifier?.standsStill(world, {
			id,
			tick,
			message:
				message ??
				`Tick ${tick} of the world "${id}" gave two different results when an earlier engine verified it.`,
		});
	}

	/** Re-runs ticks to compare them; null if none are verified. What is re-run at the start was verified when it was first computed. */
	get verifying(): Verifier | null {
		return this.settings.moment?.verifier?.() ?? (this.begun ? this.verifier : null);
	}

	/** Worlds began or ceased to play. */
	playingChanged(): void {
		if (this.begun) this.playLoop.update();
	}

	/** Returns the status, and the calls that were answered after one. */
	watch(after: number): WatchedValues {
		return { ...this.mainStatus(), change: this.#changes, calls: this.log.after(after) };
	}

	/** Anything changed or was answered. */
	changed(): void {
		this.#changes++;
		for (const wake of this.#watchers) wake();
		this.view?.changed?.();
		this.onChange();
	}

	/** Resolves when the status is no longer that of a number of `watch`, the time is over or the call is cancelled. */
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

	/** A world is about to tick, and may have taken the place of another. */
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

	/** Keeps what happened in a change that stays. */
	keep(happening: TrailHappening): void {
		if (this.settings.moment === undefined) this.happened.append(happening);
	}

	/** A change was applied, and may have put worlds in place of others. */
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

	/** Returns the refusal for a fault of the engine itself, which is reported. */
	internal(error: unknown, request: { readonly method: string; readonly path: string }): ApiError {
		if (error instanceof JournalError) return new ApiError('journal_unreadable', error.message);
		const id = `fault-${++this.#faults}`;
		this.report(`${id}: ${request.method} ${request.path} failed.`, error);
		return new ApiError('internal', `The engine failed (${id}): ${reasonOf(error)}`);
	}
}

/** Every state in the journal has all assets, so they leave half of it to the rest. */
const roomForAssets = ({ journalBytes = Number.POSITIVE_INFINITY }: EngineStart): number =>
	Math.min(MAX_ASSET_BYTES, Math.floor(journalBytes / 2));

const reportOf = ({ report }: EngineSettings): EngineCore['report'] =>
	report ?? ((message, error) => console.error(message, error));

/** Loaded only by engines in heavy mode. */
async function verifierOf(settings: EngineSettings): Promise<Verifier | null> {
	const { verify, moment } = settings;
	if (verify === undefined || moment !== undefined) return null;
	if (!Number.isSafeInteger(verify) || verify < 1)
		throw new RangeError(`verify must be a whole number of ticks above 0, not ${verify}`);
	const report = reportOf(settings);
	const { Verifier } = await import('../store/verifier.ts');
	return new Verifier({ every: verify, found: (diverged) => report(diverged.message, diverged) });
}
