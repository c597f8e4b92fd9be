/**
 * Context of a handler: the world that the call is about, and the host around it.
 * Owns: the interface between web/api and web/host. Types only.
 */

import type { Cursor } from '../../shared/contract/event-cursor.ts';
import type { Principal } from '../../shared/contract/principal.ts';
import type { Route } from '../../shared/contract/route.ts';
import type { WireResponse } from '../../shared/contract/wire.ts';
import type { StepInput } from '../../shared/documents/input.ts';
import type { RelayServices } from '../../shared/transport/errand.ts';
import type { LastWorld } from '../../shared/transport/link.ts';
import type { FrameMaker } from '../frames/frame-maker.ts';
import type { CallRecord, CaptureRequest, EngineStatus, GpuInfo } from '../frames/frames.ts';
import type { ChooserFactory } from '../sim/core/chance.ts';
import type { SentEvent } from '../sim/core/events.ts';
import type { World } from '../sim/core/world.ts';
import type { TracedTick } from '../sim/peek/traced-step.ts';
import type { Assets } from '../store/assets.ts';
import type { CallList, RunningCall } from '../store/call-list.ts';
import type { EventsRead } from '../store/event-trail.ts';
import type { HostFiles } from '../store/files.ts';
import type { Keys } from '../store/keys.ts';
import type { TickProfile } from '../store/profiler.ts';
import type { SignInGate } from '../store/sign-in-gate.ts';
import type { Verifier } from '../store/verifier.ts';
import type { Becoming, WorldEntry, Worlds } from '../store/worlds.ts';
import type {
	HostJournal,
	ReplayedCalls,
	ReplayTurn,
	Sought,
	Then,
	UndoResult,
	UndoTurn,
} from './host-journal.ts';

/** A taken picture and the moment it shows. */
export interface EncodedPicture {
	readonly bytes: Uint8Array;
	/** Its media type; image/png unless given. */
	readonly type?: string;
	readonly tick: number;
	readonly digest: string;
}

/** Options of many ticks. */
export interface StepOptions {
	/** Asked before every tick; stops when it says so. */
	readonly enough?: (world: World) => boolean;
	/** Called after every tick; what it answers is done in slices before the next one. */
	readonly ticked?: (world: World) => Generator<void, void> | void;
	readonly trace?: boolean;
	/** Nothing is worked out about draws, and of a world that was looked at lately not even how much memory it takes. */
	readonly light?: boolean;
	/** Draws of ticks that the call has traced before. */
	readonly tracedBefore?: number;
	/** Of how many ticks of the call these are a part, and how many it made before: a refusal counts them all. */
	readonly partOf?: { readonly made: number; readonly of: number };
	/** Decides what chance leaves open on the first tick, instead of sampling. */
	readonly choosing?: ChooserFactory;
}

/** Selects events to read. */
export interface EventFilter {
	readonly takes: (event: SentEvent) => boolean;
	/** Largest number of events. */
	readonly most: number;
}

export interface WatchedValues extends Omit<EngineStatus, 'relay' | 'unkept' | 'forks' | 'calls'> {
	readonly forks: string[];
	/** Number of the newest change. */
	readonly change: number;
	readonly calls: CallRecord[];
}

export interface Host {
	readonly worlds: Worlds;
	/** Models, textures and sounds that worlds use. */
	readonly assets: Assets;
	/** Sessions: true if writes take one, and the agent of each. */
	readonly gate: SignInGate;
	/** The applied calls. */
	readonly journal: HostJournal;
	/** Answers by the keys of their calls. */
	readonly keys: Keys;
	/** Returns a world as it was. Throws `journal_cut` and `no_moment`. */
	moment(sought: Sought): Promise<Then>;
	/**
	 * Returns a world without a write of the caller, or with it again. Throws `journal_cut`, `nothing_to_undo`,
	 * `depended_on` and `asset_missing`.
	 */
	undone(turn: UndoTurn): Promise<UndoResult>;
	/** Returns a range of the journal with other calls. Throws `journal_cut`, `no_moment` and `depended_on`. */
	replayed(turn: ReplayTurn): Promise<ReplayedCalls>;
	/** Work of the relay for the call. */
	readonly relayServices: RelayServices;
	/** A file that cannot be read or written rejects with `file_missing`, `file_refused`, `file_failed` or `too_large_to_save`. */
	readonly files: HostFiles;
	/** Returns a file of `public/`, null if there is none. */
	readPublic(path: string): Promise<Uint8Array | null>;
	/**
	 * Advances a world by whole ticks, giving way to reads in between. Answers what chance decided on the last tick,
	 * or on every tick with `trace`.
	 */
	advance(entry: WorldEntry, ticks: number, along?: StepOptions): Promise<readonly TracedTick[]>;
	/** Makes a fork a clone of a world, as the caller may. Throws `not_owner`, and as `Worlds.become` does. */
	become(id: string, from: WorldEntry, seed: number | undefined): Becoming;
	/** Throws `not_owner` unless the caller may change a fork, and give inputs to their entities. */
	requireOwn(fork: WorldEntry, inputs: readonly StepInput[]): void;
	/**
	 * Workers that are free to run tasks about copies of worlds, with the results that this engine would get. They must be released.
	 * At most as many as asked; none if the caller owns only some of it, if ticks are verified, or without a pool.
	 */
	workers(most: number): HostWorker[];
	/** Does work in slices, with other calls in between and while it waits. The caller sees to it that these do not disturb it. */
	inSlices<T>(work: Generator<Promise<void> | void, T>): Promise<T>;
	/** Lets a world play, `speed` times as fast as real time, or holds it. */
	setPlaying(entry: WorldEntry, playing: boolean, speed?: number): void;
	timing(): TickProfile;
	/** Re-runs some ticks and compares the results; null if none are re-run. */
	readonly verifier: Verifier | null;
	/** Loss of the world before this one; null if there was none. */
	readonly lastWorld: LastWorld | null;
	/** Host of this engine: a browser, or Node. */
	readonly runsIn: 'browser' | 'node';
	/** Data with which a view draws a world as it is now, and its bytes. A frame that was made serves all that ask for the same. */
	readonly frame: FrameMaker;
	/**
	 * Returns the status of main, and the calls with a higher number than this. Waits while nothing differs from
	 * `change`.
	 */
	watch(after: number, change: number, waitMs: number): Promise<WatchedValues>;
	/** Events of a world after a position, waiting at most `waitMs` for the first. Throws `unknown_world` if the world is deleted meanwhile. */
	eventsAfter(id: string, after: Cursor, filter: EventFilter, waitMs: number): Promise<EventsRead>;
	/** Renderer, or null without one. */
	gpu(): Promise<GpuInfo | null>;
	/** Rejects with `no_picture` if nothing draws, before anything is done that a picture is to be taken of. */
	requireDrawing(): Promise<void>;
	/** Takes a picture of a world as it is now. Throws `no_picture`, `picture_failed` or `picture_late`. */
	capture(entry: WorldEntry, request: CaptureRequest): Promise<EncodedPicture>;
	readonly routes: readonly Route[];
	/** The call that this is done for. */
	readonly running: RunningCall;
	/**
	 * Yields to other calls, once enough time has passed since it last did; undefined if it is not time yet.
	 * `running` tells whether to continue.
	 */
	breathe(): Promise<void> | undefined;
	/** Answers a call that belongs to another: it is neither logged nor does it wait its turn. Never rejects. */
	call(call: InnerCall): Promise<InnerAnswer>;
	/**
	 * Returns a host like this one over a copy of everything it holds: worlds, snapshots and written files. Assets
	 * that it brings go when it is undone.
	 */
	begin(): Transaction;
	/**
	 * Returns a host over a copy of one world, which no other call sees. `of`: the entry whose snapshots it has;
	 * undefined for none.
	 */
	aside(world: World, of?: WorldEntry): Aside;
	/** The calls that run and wait. */
	readonly calls: CallList;
	/** Milliseconds on the engine's clock. */
	now(): number;
}

/** A throw-away fork. `dispose` must be called. */
export interface Aside {
	readonly host: Host;
	readonly entry: WorldEntry;
	dispose(): void;
}

/** Work for a worker, as data: it can be sent. */
export interface PoolTask {
	/** Name of its function in `web/api/pool-tasks.ts`. */
	readonly kind: string;
	readonly body: unknown;
}

/** End of a task. `refused`: only the engine itself can run it. `lost`: the worker ended. */
export type TaskEnd = { readonly result: unknown } | 'refused' | 'lost';

/** A worker that a call has until it releases it. */
export interface HostWorker {
	/** Gives it a copy of a world and, if given, a short task, which takes a while if it still starts. Never rejects. */
	load(world: World, task?: PoolTask): Promise<TaskEnd>;
	/**
	 * Runs a task, which may name these worlds by their versions. `repeats`: it runs again if the worker ends. Never
	 * rejects.
	 */
	run(task: PoolTask, worlds: readonly World[], repeats: boolean): Promise<TaskEnd>;
	/** Gives it back. What it is doing has no use any more; another call gets it when that is done. */
	release(): void;
	/** Ends it, whatever it is doing. */
	end(): void;
}

/** A call within a call, its body a value. */
export interface InnerCall {
	readonly method: string;
	/** With its query. */
	readonly path: string;
	readonly body: unknown;
	/** The world that it is about when it names none. */
	readonly world: string;
	/** The most bytes that its answer may have. */
	readonly room: number;
	/** It is a call of a throw-away fork, and not within a batch or an action. */
	readonly aside?: boolean;
}

export interface InnerAnswer {
	/** Its body is JSON. */
	readonly response: WireResponse;
	/** True if it was not refused. */
	readonly ok: boolean;
}

/** Something done on a copy. One of `commit` and `rollback` must be called. */
export interface Transaction {
	readonly host: Host;
	/** Paths of the files it has written, in the order of the first time. */
	files(): readonly string[];
	/** Makes it so. Rejects, with nothing changed in the worlds and files as they were, when a file cannot be written. */
	commit(): Promise<void>;
	/** As if it had never been. */
	rollback(): void;
}

export interface Context {
	readonly host: Host;
	/** The world that ?world= names; main without it. */
	readonly entry: WorldEntry;
	readonly world: World;
	/** Caller of the call. */
	readonly principal: Principal;
	/** The header Accept, or an empty text. */
	readonly accept: string;
	/** The session that the call shows; undefined for none. */
	readonly session: string | undefined;
	/** Host and port that the caller used, from its header Host; undefined in a browser and in this process. */
	readonly authority: string | undefined;
}
