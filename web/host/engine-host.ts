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
	ReplayTurn,
	UndoResult,
	UndoTurn,
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
import { filesFor } from './owned-files.ts';
import { type OwnershipCheck, requireMaker, requireOwnInputs } from './ownership-check.ts';
import { Slices } from './slices.ts';
import { StagedFiles } from './staged-files.ts';
import { TickRun } from './tick-run.ts';

/** Id of a throw-away fork among the worlds that it sees. */
const ASIDE = 'variant';

const RUNS_IN = 'process' in globalThis ? 'node' : 'browser';

/** Returns the data folder with the rights of a caller. */
function filesOf(principal: Principal, { files }: OutsideFacts): HostFiles {
	const agent = restrictedAgent(principal);
	return agent === undefined ? files : filesFor(agent, files);
}

/** Default of the maximum time of a read (ms). */
const READ_MS = 120_000;

/** Parts of an engine that all its calls share. */
export interface EngineServices {
	readonly core: EngineCore;
	readonly journal: HostJournal;
	readonly answerWithin: (host: EngineHost, call: InnerCall) => Promise<InnerAnswer>;
}

export class EngineHost implements Host {
	readonly worlds: Worlds;
	readonly files: HostFiles;
	readonly assets: Assets;
	readonly running: RunningCall;
	readonly #outside: OutsideFacts;
	readonly #services: EngineServices;
	/** True for a copy of the worlds, whose changes may still be undone. They are not announced until they are final. */
	readonly #onCopy: boolean;
	readonly #happenings: Announcements;
	readonly #slices: Slices;

	/** `files`: files that it writes; by default the data folder with the caller's rights. */
	constructor(
		services: EngineServices,
		worlds: Worlds,
		outside: OutsideFacts,
		running: RunningCall,
		assets = services.core.assets.for(restrictedAgent(running.principal)),
		files = filesOf(running.principal, outside),
		onCopy = false,
		happenings: Announcements = new SettledAnnouncements(services.core),
	) {
		this.#services = services;
		this.worlds = worlds;
		this.#outside = outside;
		this.assets = assets;
		this.files = files;
		this.running = running;
		this.#onCopy = onCopy;
		this.#happenings = happenings;
		this.#slices = new Slices(running, services.core.now);
	}

	get #core(): EngineCore {
		return this.#services.core;
	}

	/** Returns a host like this one with other outside facts. */
	from(outside: OutsideFacts): EngineHost {
		const assets = this.assets.from({
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

	moment(sought: PastMoment): Promise<PastWorld> {
		return this.#outside.moment(sought);
	}

	undo(turn: UndoTurn): Promise<UndoResult> {
		return this.#outside.undone(turn);
	}

	replay(turn: ReplayTurn): Promise<ReplayedCalls> {
		return this.#outside.replayed(turn);
	}

	get relayServices(): RelayServices {
		return this.#outside.relayServices;
	}

	get readMs(): number {
		return this.#core.settings.readMs ?? READ_MS;
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

	workers(most: number): HostWorker[] {
		const { pool, verifying, assets } = this.#core;
		if (pool === null || verifying !== null || restrictedAgent(this.running.principal) !== undefined)
			return [];
		return pool.claim(assets, most);
	}

	advance(entry: WorldEntry, ticks: number, along: StepOptions = {}): Promise<readonly TracedTick[]> {
		const options = {
			core: this.#core,
			worlds: this.worlds,
			running: this.running,
			slices: this.#slices,
			happenings: this.#happenings,
			onCopy: this.#onCopy,
		};
		return new TickRun(options, entry, ticks, along).run();
	}

	inSlices<T>(work: Generator<Promise<void> | void, T>): Promise<T> {
		return this.#slices.run(work);
	}

	breathe(): Promise<void> | undefined {
		return this.#slices.breathe();
	}

	setPlaying(entry: WorldEntry, playing: boolean, speed = entry.speed): void {
		entry.playing = playing;
		entry.speed = speed;
		if (playing) entry.halted = undefined;
		else this.calls.pause(entry, this.running);
		if (!this.#onCopy) this.#core.playingChanged();
	}

	timing(): TickProfile {
		return this.#core.profiler.profile();
	}

	get verifier(): Verifier | null {
		return this.#core.verifying;
	}

	get runsIn(): 'browser' | 'node' {
		return RUNS_IN;
	}

	get lastWorld(): LastWorld | null {
		return this.#core.start.lastWorld;
	}

	get frame(): FrameMaker {
		return this.#core.frame;
	}

	async watch(after: number, change: number, waitMs: number): Promise<WatchedValues> {
		if (waitMs > 0) await this.#core.untilChange(change, waitMs, this.running);
		this.running.requireWanted();
		return this.#core.watch(after);
	}

	async eventsAfter(
		id: string,
		after: Cursor,
		{ takes, max: most }: EventFilter,
		waitMs: number,
	): Promise<EventsRead> {
		const { happened } = this.#core;
		const until = this.#core.now() + waitMs;
		for (let from = after; ; ) {
			const now = this.#core.now();
			const read = happened.read(worldOf(this.worlds, id), from, takes, most, now);
			const isDue = now >= until || happened.isClosed;
			if (isDue || read.events.length > 0 || read.gap !== null) return read;
			from = read.next;
			await this.#untilEvents(id, until - now);
			this.running.requireWanted();
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
			const unlisten = this.#core.happened.listen(id, wake);
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

	call(call: InnerCall): Promise<InnerAnswer> {
		return this.#services.answerWithin(this, call);
	}

	/**
	 * Changes worlds, files and assets, whole or not at all. `owned` throws if the caller may not make one of the changes.
	 */
	async whole<T>(change: (host: EngineHost) => T | Promise<T>, owned?: OwnershipCheck): Promise<T> {
		const { worlds } = this;
		const staged = new StagedFiles(this.files);
		const savepoint = worlds.savepoint(owned);
		const withoutNewAssets = this.assets.savepoint();
		const unsettled = new UnsettledAnnouncements(this.#happenings, this.#core.now);
		try {
			const done = change(this.#with(worlds, staged, this.#onCopy, unsettled));
			const result = done instanceof Promise ? await done : done;
			owned?.require(worlds);
			worlds.room.checkGrowth();
			if (staged.any) await staged.commit();
			savepoint.release();
			unsettled.settle();
			return result;
		} catch (error) {
			savepoint.goBack();
			withoutNewAssets();
			throw error;
		} finally {
			if (!this.#onCopy) this.#core.playingChanged();
		}
	}

	/** Returns a host like this one, for other worlds and files. */
	#with(worlds: Worlds, staged: StagedFiles, onCopy: boolean, happenings: Announcements): EngineHost {
		const files = withApiErrors(staged, this.files.most);
		const outside = this.#outside;
		const readPublic = (path: string) => outside.readPublic(path);
		const assets = this.assets.from({ files: () => files, readPublic });
		return new EngineHost(this.#services, worlds, outside, this.running, assets, files, onCopy, happenings);
	}

	aside(world: World, of?: WorldEntry): Aside {
		const maker = restrictedAgent(this.running.principal)?.number;
		const { worlds, entry } = this.worlds.aside(ASIDE, world, { of, maker });
		const files = withApiErrors(new StagedFiles(this.files), this.files.most);
		const { running } = this;
		const assets = this.assets.keepingAll();
		// Happenings in a throw-away fork are never announced.
		const unsettled = new UnsettledAnnouncements(this.#happenings, this.#core.now);
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
		const unsettled = new UnsettledAnnouncements(this.#happenings, this.#core.now);
		return {
			host: this.#with(copy, staged, true, unsettled),
			files: () => staged.paths(),
			commit: async () => {
				await staged.commit();
				worlds.adopt(copy);
				unsettled.settle();
				if (!this.#onCopy) this.#core.playingChanged();
			},
			rollback: () => {
				worlds.discard(copy);
				this.running.happened.clear();
				withoutNewAssets();
			},
		};
	}
}
