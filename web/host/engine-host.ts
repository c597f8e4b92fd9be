/**
 * Host of the handlers of one call.
 * Owns: making ticks and slices with room for others in between, and that a change happens whole or not at all.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import type { Cursor } from '../../shared/contract/event-cursor.ts';
import { type Principal, restricted } from '../../shared/contract/principal.ts';
import type { Route } from '../../shared/contract/route.ts';
import type { StepInput } from '../../shared/documents/input.ts';
import { routes } from '../../shared/routes/index.ts';
import type { RelayServices } from '../../shared/transport/errand.ts';
import type { LastWorld } from '../../shared/transport/link.ts';
import type {
	Along,
	Aside,
	EventFilter,
	Host,
	HostWorker,
	InnerAnswer,
	InnerCall,
	Picture,
	Transaction,
	Watched,
} from '../api/context.ts';
import type {
	HostJournal,
	Replayed,
	ReplayTurn,
	Sought,
	Then,
	Undone,
	UndoTurn,
} from '../api/host-journal.ts';
import type { FrameMaker } from '../frames/frame-maker.ts';
import type { CaptureRequest, GpuInfo } from '../frames/frames.ts';
import { hasStaleParts, rebuildParts } from '../sim/core/derived-parts.ts';
import type { World } from '../sim/core/world.ts';
import { type TracedTick, tracedStep } from '../sim/peek/traced-step.ts';
import { step } from '../sim/step.ts';
import { stoppedAfter } from '../sim/stopped-after.ts';
import type { Assets } from '../store/assets.ts';
import type { CallList, RunningCall } from '../store/call-list.ts';
import { type EventsRead, type Happening, happeningOf, replacementOf } from '../store/event-trail.ts';
import { type HostFiles, withApiErrors } from '../store/files.ts';
import type { Gate } from '../store/gate.ts';
import type { Keys } from '../store/keys.ts';
import type { Profile } from '../store/profiler.ts';
import type { Verifier } from '../store/verifier.ts';
import { type Becoming, type WorldEntry, type Worlds, worldOf } from '../store/worlds.ts';
import type { EngineCore } from './engine-core.ts';
import type { Outside } from './outside.ts';
import { type OwnedCheck, requireMaker, requireOwnInputs } from './owned.ts';
import { filesFor } from './owned-files.ts';
import { StagedFiles } from './staged-files.ts';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** Id of a throw-away fork among the worlds that it sees. */
const ASIDE = 'variant';

/** Longest time spent on ticks or requests before others get their turn (ms). */
const SLICE_MS = 8;

/** Most draws that the traced ticks of one call are kept of. */
const MOST_TRACED = 100_000;

const RUNS_IN = 'process' in globalThis ? 'node' : 'browser';

function tooManyTraced(): ApiError {
	return new ApiError('answer_too_large', `The trace has more than ${MOST_TRACED} draws.`, {
		fix: 'Step fewer ticks per call, or omit "trace".',
	});
}

/** The data folder, as a caller may write to it. */
function filesOf(principal: Principal, { files }: Outside): HostFiles {
	const agent = restricted(principal);
	return agent === undefined ? files : filesFor(agent, files);
}

/** Of the ticks of one call, one in so many is timed system by system: looking at the clock costs as much as a tick at rest. */
const TIMED_EVERY = 8;

/** Longest that a read may take (ms), unless the engine's settings say otherwise. */
const READ_MS = 120_000;

/** Happenings on a host whose changes may still be taken back. */
class Unsettled {
	readonly happenings: Happening[] = [];
	readonly #outer: Unsettled | null;

	constructor(outer: Unsettled | null) {
		this.#outer = outer;
	}

	/** The line of the newest happening of an entry; undefined if there is none. */
	lineOf(id: string): number | undefined {
		return this.happenings.findLast((one) => one.id === id)?.line ?? this.#outer?.lineOf(id);
	}
}

/** Core that all calls of an engine share. */
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
	readonly #outside: Outside;
	readonly #services: EngineServices;
	/** True if what is done here may still be taken back: until then nothing is announced. */
	readonly #onCopy: boolean;
	/** Events of ticks that may still be taken back; null if none may. */
	readonly #unsettled: Unsettled | null;
	/** Time of the last turn of others. */
	#resumed: number;

	/** `files`: what it writes to, those of its caller unless given. */
	constructor(
		services: EngineServices,
		worlds: Worlds,
		outside: Outside,
		running: RunningCall,
		assets = services.core.assets.for(restricted(running.principal)),
		files = filesOf(running.principal, outside),
		onCopy = false,
		unsettled: Unsettled | null = null,
	) {
		this.#services = services;
		this.worlds = worlds;
		this.#outside = outside;
		this.assets = assets;
		this.files = files;
		this.running = running;
		this.#onCopy = onCopy;
		this.#unsettled = unsettled;
		this.#resumed = services.core.now();
	}

	get #core(): EngineCore {
		return this.#services.core;
	}

	/** The same host, which learns all that is not here from another outside. */
	from(outside: Outside): EngineHost {
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

	moment(sought: Sought): Promise<Then> {
		return this.#outside.moment(sought);
	}

	undone(turn: UndoTurn): Promise<Undone> {
		return this.#outside.undone(turn);
	}

	replayed(turn: ReplayTurn): Promise<Replayed> {
		return this.#outside.replayed(turn);
	}

	get relayServices(): RelayServices {
		return this.#outside.relayServices;
	}

	get readMs(): number {
		return this.#core.settings.readMs ?? READ_MS;
	}

	get gate(): Gate {
		return this.#core.gate;
	}

	get calls(): CallList {
		return this.#core.running;
	}

	now(): number {
		return this.#core.now();
	}

	async advance(
		entry: WorldEntry,
		ticks: number,
		{
			enough,
			ticked,
			trace = false,
			light = false,
			tracedBefore = 0,
			choosing,
			partOf = { made: 0, of: ticks },
		}: Along = {},
	): Promise<readonly TracedTick[]> {
		const { profiler, verifying: verifier } = this.#core;
		const { running } = this;
		if (ticks > 0) light ? this.worlds.requireRoomForTicks(entry) : this.worlds.requireRoom(entry);
		const traced: TracedTick[] = [];
		let choices = tracedBefore;
		let made = 0;
		// A copy that is only tried out, as by a probe, is not the world of that id.
		running.advancing = this.worlds.find(entry.id) === entry ? entry : null;
		const isKept = this.worlds.find(entry.id) === entry;
		if (isKept && ticks > 0) this.#beforeTicks(entry);
		try {
			while (made < ticks) {
				running.edge();
				const stopped = verifier?.stopped(entry.world);
				if (stopped) running.diverge(stopped);
				running.requireWanted();
				if (made > 0) this.worlds.requireGrownTicks(entry);
				if (running.endsHere() === 'paused' || enough?.(entry.world)) break;
				if (hasStaleParts(entry.world)) await this.inSlices(rebuildParts(entry.world));
				const decides = made === 0 ? choosing : undefined;
				const tracing = trace || (!light && made === ticks - 1);
				const timed = entry === this.worlds.main && made % TIMED_EVERY === 0;
				const observer = timed ? profiler : undefined;
				if (tracing && choices > MOST_TRACED) throw tooManyTraced();
				const chooser = decides?.();
				const work = tracing ? tracedStep(entry.world, observer, chooser) : null;
				// The tick itself is made at once, and stays; what it drew from may take a while.
				let begun: IteratorResult<void, TracedTick> | undefined;
				const tick = (): void => {
					begun = work?.next();
					if (work === null) step(entry.world, observer, chooser);
				};
				const diverged = verifier?.tick(entry.id, entry.world, decides, tick);
				if (verifier === null) tick();
				made++;
				running.ticks++;
				if (running.advancing !== null) running.happened.note(entry);
				running.edge();
				// What is only tried out aside did not happen.
				if (isKept) this.#madeTick(entry);
				if (work !== null) {
					const tick = await this.inSlices(work, begun);
					traced.push(tick);
					choices += tick.choices.length + 1;
				}
				const after = ticked?.(entry.world);
				if (after !== undefined) await this.inSlices(after);
				if (diverged) running.diverge(diverged);
				// The tick stays, and the call ends after it, now as when it is done again.
				if (running.stop === 'diverged') {
					if (!diverged && !this.#onCopy) this.#core.divergedBefore(entry);
					running.requireWanted();
				}
				if (this.#isTired()) {
					this.#core.changed();
					await this.#rest();
				}
			}
			return traced;
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			throw stoppedAfter(error, partOf.made + made, partOf.of, entry.world);
		} finally {
			if (made > 0 && !light) this.worlds.allowTicks(entry);
		}
	}

	become(id: string, from: WorldEntry, seed: number | undefined): Becoming {
		const agent = restricted(this.running.principal);
		const there = this.worlds.find(id);
		if (agent !== undefined && there !== undefined) requireMaker(agent, there);
		return this.worlds.become(id, from, seed, agent);
	}

	requireOwn(fork: WorldEntry, inputs: readonly StepInput[]): void {
		const agent = restricted(this.running.principal);
		if (agent === undefined) return;
		requireMaker(agent, fork);
		requireOwnInputs(agent, fork.world, { inputs });
	}

	workers(most: number): HostWorker[] {
		const { pool, verifying, assets } = this.#core;
		if (pool === null || verifying !== null || restricted(this.running.principal) !== undefined) return [];
		return pool.claim(assets, most);
	}

	#beforeTicks(entry: WorldEntry): void {
		if (this.#unsettled === null) {
			this.#core.beforeTicks(entry);
			return;
		}
		const line = this.#unsettled.lineOf(entry.id) ?? this.#core.happened.lineOf(entry.id);
		if (line !== undefined && line !== entry.line.number)
			this.#unsettled.happenings.push(replacementOf(entry, this.#core.now()));
	}

	#madeTick(entry: WorldEntry): void {
		if (this.#unsettled === null) {
			this.#core.madeTick(entry);
			return;
		}
		const happening = happeningOf(entry, this.#core.now());
		if (happening !== undefined) this.#unsettled.happenings.push(happening);
	}

	/** Keeps what a host within this one did. */
	#settle({ happenings }: Unsettled): void {
		for (const happening of happenings) {
			if (this.#unsettled !== null) this.#unsettled.happenings.push(happening);
			else this.#core.keep(happening);
		}
	}

	async inSlices<T>(work: Generator<Promise<void> | void, T>, begun = work.next()): Promise<T> {
		for (let next = begun; ; next = work.next()) {
			if (next.done) return next.value;
			if (next.value !== undefined) await this.#waitFor(next.value);
			else if (this.#isTired()) await this.#rest();
			if (this.running.stop !== 'cancelled') continue;
			work.return(undefined as never);
			this.running.requireWanted();
		}
	}

	breathe(): Promise<void> | undefined {
		return this.#isTired() ? this.#rest() : undefined;
	}

	#isTired(): boolean {
		return this.#core.now() - this.#resumed >= SLICE_MS;
	}

	#rest(): Promise<void> {
		return this.#waitFor(yieldToEventLoop());
	}

	/** Others have their turn meanwhile. */
	async #waitFor(done: Promise<void>): Promise<void> {
		await done;
		this.#resumed = this.#core.now();
	}

	setPlaying(entry: WorldEntry, playing: boolean, speed = entry.speed): void {
		entry.playing = playing;
		entry.speed = speed;
		if (playing) entry.halted = undefined;
		else this.calls.pause(entry, this.running);
		if (!this.#onCopy) this.#core.playingChanged();
	}

	timing(): Profile {
		return this.#core.profiler.read();
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

	async watch(after: number, change: number, waitMs: number): Promise<Watched> {
		if (waitMs > 0) await this.#core.untilChange(change, waitMs, this.running);
		this.running.requireWanted();
		return this.#core.watch(after);
	}

	async eventsAfter(
		id: string,
		after: Cursor,
		{ takes, most }: EventFilter,
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

	/** Resolves when something happens to a world, the time is over or the call is cancelled. */
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

	capture(entry: WorldEntry, request: CaptureRequest): Promise<Picture> {
		return this.#outside.capture(entry, request);
	}

	call(call: InnerCall): Promise<InnerAnswer> {
		return this.#services.answerWithin(this, call);
	}

	/**
	 * Does something to the worlds, files and assets: it happens whole, or everything is as it was. `owned` says whether all
	 * of it may be kept.
	 */
	async whole<T>(change: (host: EngineHost) => T | Promise<T>, owned?: OwnedCheck): Promise<T> {
		const { worlds } = this;
		const staged = new StagedFiles(this.files);
		const savepoint = worlds.savepoint(owned);
		const withoutNewAssets = this.assets.savepoint();
		const unsettled = new Unsettled(this.#unsettled);
		try {
			const done = change(this.#with(worlds, staged, this.#onCopy, unsettled));
			const result = done instanceof Promise ? await done : done;
			owned?.require(worlds);
			worlds.requireGrown();
			if (staged.any) await staged.commit();
			savepoint.release();
			this.#settle(unsettled);
			return result;
		} catch (error) {
			savepoint.goBack();
			withoutNewAssets();
			throw error;
		} finally {
			if (!this.#onCopy) this.#core.playingChanged();
		}
	}

	/** A host like this one, for other worlds and files. */
	#with(worlds: Worlds, staged: StagedFiles, onCopy: boolean, unsettled: Unsettled): EngineHost {
		const files = withApiErrors(staged, this.files.most);
		const outside = this.#outside;
		const readPublic = (path: string) => outside.readPublic(path);
		const assets = this.assets.from({ files: () => files, readPublic });
		return new EngineHost(this.#services, worlds, outside, this.running, assets, files, onCopy, unsettled);
	}

	aside(world: World, of?: WorldEntry): Aside {
		const maker = restricted(this.running.principal)?.number;
		const { worlds, entry } = this.worlds.aside(ASIDE, world, { of, maker });
		const files = withApiErrors(new StagedFiles(this.files), this.files.most);
		const { running } = this;
		const assets = this.assets.keepingAll();
		// What happens there is never settled.
		const unsettled = new Unsettled(this.#unsettled);
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
		const unsettled = new Unsettled(this.#unsettled);
		return {
			host: this.#with(copy, staged, true, unsettled),
			files: () => staged.paths(),
			commit: async () => {
				await staged.commit();
				worlds.adopt(copy);
				this.#settle(unsettled);
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
