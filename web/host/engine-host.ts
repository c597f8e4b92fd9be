/**
 * Host of the handlers of one call.
 * Owns: the atomicity of a change.
 */

import type { Cursor } from '../../shared/contract/event-cursor.ts';
import { type Principal, restrictedAgent } from '../../shared/contract/principal.ts';
import type { Route } from '../../shared/contract/route.ts';
import type { StepInput } from '../../shared/documents/input.ts';
import { routes } from '../../shared/routes/index.ts';
import type { RelayServices } from '../../shared/transport/errand.ts';
import type { LastWorld } from '../../shared/transport/link.ts';
import type {
	Aside,
	EncodedPicture,
	EventFilter,
	Host,
	HostWorker,
	InnerAnswer,
	InnerCall,
	StepOptions,
	Transaction,
	WatchedValues,
} from '../api/context.ts';
import type {
	HostJournal,
	PastMoment,
	PastWorld,
	ReplayedCalls,
	ReplayRequest,
	UndoRequest,
	UndoResult,
} from '../api/host-journal.ts';
import type { FrameMaker } from '../frames/frame-maker.ts';
import type { CaptureRequest, GpuInfo } from '../frames/frames.ts';
import type { World } from '../sim/core/world.ts';
import type { TracedTick } from '../sim/peek/traced-step.ts';
import type { Assets } from '../store/assets.ts';
import type { CallList, RunningCall } from '../store/call-list.ts';
import type { EventsRead } from '../store/event-trail.ts';
import { type HostFiles, withApiErrors } from '../store/files.ts';
import type { Keys } from '../store/keys.ts';
import type { TickProfile } from '../store/profiler.ts';
import type { SignInGate } from '../store/sign-in-gate.ts';
import type { Verifier } from '../store/verifier.ts';
import { type Becoming, type WorldEntry, type Worlds, worldOf } from '../store/worlds.ts';
import { type Announcements, SettledAnnouncements, UnsettledAnnouncements } from './announcements.ts';
import type { EngineCore } from './engine-core.ts';
import type { OutsideFacts } from './outside-facts.ts';
import { filesOfAgent } from './owned-files.ts';
import { type OwnershipCheck, requireMaker, requireOwnInputs } from './ownership-check.ts';
import { Slices } from './slices.ts';
import { StagedFiles } from './staged-files.ts';
import { TickRun } from './tick-run.ts';

/** Id of a throw-away fork in its own list of worlds. */
const ASIDE_ID = 'variant';

const PLATFORM = 'process' in globalThis ? 'node' : 'browser';

/** Returns the data folder with the rights of a caller. */
function filesOf(principal: Principal, { files }: OutsideFacts): HostFiles {
	const agent = restrictedAgent(principal);
	return agent === undefined ? files : filesOfAgent(agent, files);
}

/** Default of the maximum time of a read (ms). */
const MAX_READ_MS = 120_000;

/** Parts of an engine that all its calls share. */
export interface EngineServices {
	readonly core: EngineCore;
	readonly journal: HostJournal;
	readonly answerInner: (host: EngineHost, call: InnerCall) => Promise<InnerAnswer>;
}

export class EngineHost implements Host {
	readonly worlds: Worlds;
	readonly files: HostFiles;
	readonly assets: Assets;
	readonly running: RunningCall;
	readonly #outside: OutsideFacts;
	readonly #services: EngineServices;
	/** True if the worlds are a copy, whose changes may still be discarded. */
	readonly #isCopy: boolean;
	readonly #announcements: Announcements;
	readonly #slices: Slices;

	/** `files`: files that the call writes; by default the data folder with the caller's rights. */
	constructor(
		services: EngineServices,
		worlds: Worlds,
		outside: OutsideFacts,
		running: RunningCall,
		assets = services.core.assets.forAgent(restrictedAgent(running.principal)),
		files = filesOf(running.principal, outside),
		isCopy = false,
		announcements: Announcements = new SettledAnnouncements(services.core),
	) {
		this.#services = services;
		this.worlds = worlds;
		this.#outside = outside;
		this.assets = assets;
		this.files = files;
		this.running = running;
		this.#isCopy = isCopy;
		this.#announcements = announcements;
		this.#slices = new Slices(running, services.core.now);
	}

	get #core(): EngineCore {
		return this.#services.core;
	}

	/** Returns a host for the same call with other outside facts. */
	from(outside: OutsideFacts): EngineHost {
		const assets = this.assets.withSources({
			files: () => outside.files,
			readPublic: (path) => outside.readPublic(path),
		});
		return new EngineHost(this.#services, this.worlds, outside, this.running, assets);
	}

	get routes(): readonly Route[] {
		return routes;
	}

	get journal(): HostJournal {
		return this.#services.journal;
	}

	get keys(): Keys {
		return this.#core.keys;
	}

	readPublic(path: string): Promise<Uint8Array | null> {
		return this.#outside.readPublic(path);
	}

	findPastWorld(sought: PastMoment): Promise<PastWorld> {
		return this.#outside.pastWorld(sought);
	}

	undoWrite(request: UndoRequest): Promise<UndoResult> {
		return this.#outside.worldAfterUndo(request);
	}

	replayRange(request: ReplayRequest): Promise<ReplayedCalls> {
		return this.#outside.replayedRange(request);
	}

	get relayServices(): RelayServices {
		return this.#outside.relayServices;
	}

	get readMs(): number {
		return this.#core.settings.readMs ?? MAX_READ_MS;
	}

	get gate(): SignInGate {
		return this.#core.gate;
	}

	get calls(): CallList {
		return this.#core.running;
	}

	now(): number {
		return this.#core.now();
	}

	become(id: string, from: WorldEntry, seed: number | undefined): Becoming {
		const agent = restrictedAgent(this.running.principal);
		const entry = this.worlds.find(id);
		if (agent !== undefined && entry !== undefined) requireMaker(agent, entry);
		return this.worlds.become(id, from, seed, agent);
	}

	requireOwn(fork: WorldEntry, inputs: readonly StepInput[]): void {
		const agent = restrictedAgent(this.running.principal);
		if (agent === undefined) return;
		requireMaker(agent, fork);
		requireOwnInputs(agent, fork.world, { inputs });
	}

	workers(maxWorkers: number): HostWorker[] {
		const { pool, activeVerifier, assets } = this.#core;
		if (pool === null || activeVerifier !== null || restrictedAgent(this.running.principal) !== undefined)
			return [];
		return pool.claim(assets, maxWorkers);
	}

	advance(entry: WorldEntry, ticks: number, along: StepOptions = {}): Promise<readonly TracedTick[]> {
		const options = {
			core: this.#core,
			worlds: this.worlds,
			running: this.running,
			slices: this.#slices,
			announcements: this.#announcements,
			isCopy: this.#isCopy,
		};
		return new TickRun(options, entry, ticks, along).run();
	}

	inSlices<T>(work: Generator<Promise<void> | void, T>): Promise<T> {
		return this.#slices.run(work);
	}

	pauseIfDue(): Promise<void> | undefined {
		return this.#slices.pauseIfDue();
	}

	setPlaying(entry: WorldEntry, playing: boolean, speed = entry.speed): void {
		entry.playing = playing;
		entry.speed = speed;
		if (playing) entry.halted = undefined;
		else this.calls.pause(entry, this.running);
		if (!this.#isCopy) this.#core.updatePlaying();
	}

	timing(): TickProfile {
		return this.#core.profiler.profile();
	}

	get verifier(): Verifier | null {
		return this.#core.activeVerifier;
	}

	get runsIn(): 'browser' | 'node' {
		return PLATFORM;
	}

	get lastWorld(): LastWorld | null {
		return this.#core.start.lastWorld;
	}

	get frame(): FrameMaker {
		return this.#core.frame;
	}

	async watch(after: number, change: number, waitMs: number): Promise<WatchedValues> {
		if (waitMs > 0) await this.#core.untilChange(change, waitMs, this.running);
		this.running.requireRunning();
		return this.#core.watch(after);
	}

	async eventsAfter(
		id: string,
		after: Cursor,
		{ accepts, max }: EventFilter,
		waitMs: number,
	): Promise<EventsRead> {
		const { trails } = this.#core;
		const until = this.#core.now() + waitMs;
		for (let from = after; ; ) {
			const now = this.#core.now();
			const read = trails.read(worldOf(this.worlds, id), from, accepts, max, now);
			const isDue = now >= until || trails.isClosed;
			if (isDue || read.events.length > 0 || read.gap !== null) return read;
			from = read.next;
			await this.#untilEvents(id, until - now);
			this.running.requireRunning();
		}
	}

	/** Resolves when an event happens in a world, the time is over or the call is cancelled. */
	#untilEvents(id: string, ms: number): Promise<void> {
		return new Promise((resolve) => {
			const wake = (): void => {
				clearTimeout(late);
				unlisten();
				resolve();
			};
			const late = setTimeout(wake, ms);
			const unlisten = this.#core.trails.listen(id, wake);
			this.running.onCancel = wake;
		});
	}

	async gpu(): Promise<GpuInfo | null> {
		const { view } = this.#core;
		return view?.findGpu === undefined ? (view?.gpu ?? null) : view.findGpu();
	}

	requireDrawing(): Promise<void> {
		return this.#outside.requireDrawing();
	}

	capture(entry: WorldEntry, request: CaptureRequest): Promise<EncodedPicture> {
		return this.#outside.capture(entry, request);
	}

	answerInner(call: InnerCall): Promise<InnerAnswer> {
		return this.#services.answerInner(this, call);
	}

	/** Changes worlds, files and assets, whole or not at all. `ownership` throws if the caller has no right to a change. */
	async whole<T>(change: (host: EngineHost) => T | Promise<T>, ownership?: OwnershipCheck): Promise<T> {
		const { worlds } = this;
		const staged = new StagedFiles(this.files);
		const savepoint = worlds.savepoint(ownership);
		const withoutNewAssets = this.assets.savepoint();
		const announcements = new UnsettledAnnouncements(this.#announcements, this.#core.now);
		try {
			const done = change(this.#with(worlds, staged, this.#isCopy, announcements));
			const result = done instanceof Promise ? await done : done;
			ownership?.checkAll(worlds);
			worlds.room.checkGrowth();
			if (staged.hasWrites) await staged.commit();
			savepoint.release();
			announcements.settle();
			return result;
		} catch (error) {
			savepoint.rollBack();
			withoutNewAssets();
			throw error;
		} finally {
			if (!this.#isCopy) this.#core.updatePlaying();
		}
	}

	/** Returns a host for the same call with other worlds and files. */
	#with(worlds: Worlds, staged: StagedFiles, isCopy: boolean, announcements: Announcements): EngineHost {
		const files = withApiErrors(staged, this.files.most);
		const outside = this.#outside;
		const readPublic = (path: string) => outside.readPublic(path);
		const assets = this.assets.withSources({ files: () => files, readPublic });
		return new EngineHost(
			this.#services,
			worlds,
			outside,
			this.running,
			assets,
			files,
			isCopy,
			announcements,
		);
	}

	aside(world: World, of?: WorldEntry): Aside {
		const maker = restrictedAgent(this.running.principal)?.number;
		const { worlds, entry } = this.worlds.aside(ASIDE_ID, world, { of, maker });
		const files = withApiErrors(new StagedFiles(this.files), this.files.most);
		const { running } = this;
		const assets = this.assets.forSharedUse();
		// Happenings in a throw-away fork are never announced.
		const unsettled = new UnsettledAnnouncements(this.#announcements, this.#core.now);
		const host = new EngineHost(
			this.#services,
			worlds,
			this.#outside,
			running,
			assets,
			files,
			true,
			unsettled,
		);
		return { host, entry, dispose: () => this.worlds.discard(worlds) };
	}

	begin(): Transaction {
		const { worlds } = this;
		const copy = worlds.copy();
		const staged = new StagedFiles(this.files);
		const withoutNewAssets = this.assets.savepoint();
		const unsettled = new UnsettledAnnouncements(this.#announcements, this.#core.now);
		return {
			host: this.#with(copy, staged, true, unsettled),
			files: () => staged.paths(),
			commit: async () => {
				await staged.commit();
				worlds.adopt(copy);
				unsettled.settle();
				if (!this.#isCopy) this.#core.updatePlaying();
			},
			rollback: () => {
				worlds.discard(copy);
				this.running.eventMarks.clear();
				withoutNewAssets();
			},
		};
	}
}
