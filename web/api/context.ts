/**
 * Context of a handler: the world of the call, and the host of that world.
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
	PastMoment,
	PastWorld,
	ReplayedCalls,
	ReplayRequest,
	UndoRequest,
	UndoResult,
} from './host-journal.ts';

/** A picture, and the tick and digest of the world that it shows. */
export interface EncodedPicture {
	readonly bytes: Uint8Array;
	/** Media type; image/png if omitted. */
	readonly type?: string;
	readonly tick: number;
	readonly digest: string;
}

/** Options for ticks of a call. */
export interface StepOptions {
	/** Called before every tick. Returns true to stop. */
	readonly isDone?: (world: World) => boolean;
	/** Called after every tick. Work that it returns runs in slices before the next tick. */
	readonly afterTick?: (world: World) => Generator<void, void> | void;
	/** True to trace the draws of every tick. */
	readonly trace?: boolean;
	/** True to omit the trace of the last tick, and the memory check of a world that was checked before. */
	readonly isLight?: boolean;
	/** Number of draws in the traces of the call so far. */
	readonly tracedDraws?: number;
	/** Completed ticks (`made`) and total ticks (`of`) of the call, if these ticks are a part of it. A refusal reports both. */
	readonly partOf?: { readonly made: number; readonly of: number };
	/** Chooses the outcomes of draws on the first tick, instead of sampling. */
	readonly chooserFactory?: ChooserFactory;
}

/** Selects events to read. */
export interface EventFilter {
	/** Returns true for an event to return. */
	readonly accepts: (event: SentEvent) => boolean;
	/** Maximum number of events. */
	readonly max: number;
}

/** Status of main, as GET /watch answers it. */
export interface WatchedValues extends Omit<EngineStatus, 'relay' | 'unkept' | 'forks' | 'calls'> {
	readonly forks: string[];
	/** Number of the newest change. */
	readonly change: number;
	readonly calls: CallRecord[];
}

/** Host of a call's handler. */
export interface Host {
	readonly worlds: Worlds;
	/** Models, textures and sounds that worlds use. */
	readonly assets: Assets;
	/** Sessions: the agent of each, and the rule that writes need one. */
	readonly gate: SignInGate;
	/** The applied calls. */
	readonly journal: HostJournal;
	/** Answers by the keys of their calls. */
	readonly keys: Keys;
	/** Returns a world at a past moment. Throws `journal_cut` and `no_moment`. */
	findPastWorld(sought: PastMoment): Promise<PastWorld>;
	/**
	 * Returns a world without the last write of a sender, or with it again. Throws `journal_cut`, `nothing_to_undo`,
	 * `depended_on` and `asset_missing`.
	 */
	undoWrite(turn: UndoRequest): Promise<UndoResult>;
	/** Returns a range of the journal with other calls. Throws `journal_cut`, `no_moment` and `depended_on`. */
	replayRange(turn: ReplayRequest): Promise<ReplayedCalls>;
	/** Services of the relay that the call may use. */
	readonly relayServices: RelayServices;
	/** The data folder. Its methods reject with `file_missing`, `file_refused`, `file_failed` or `too_large_to_save`. */
	readonly files: HostFiles;
	/** Returns a file of `public/`; null if it does not exist. */
	readPublic(path: string): Promise<Uint8Array | null>;
	/**
	 * Advances a world by whole ticks. Reads run in between. Returns the draws of the last tick, or of every tick with `trace`.
	 */
	advance(entry: WorldEntry, ticks: number, options?: StepOptions): Promise<readonly TracedTick[]>;
	/** Makes a fork a clone of a world. Throws `not_owner`, and the errors of `Worlds.become`. */
	become(id: string, from: WorldEntry, seed: number | undefined): Becoming;
	/** Throws `not_owner` unless the caller may change a fork and send these inputs to their entities. */
	requireOwn(fork: WorldEntry, inputs: readonly StepInput[]): void;
	/**
	 * Returns up to `max` free workers, which run tasks about copies of worlds with equal results. They must be released. Returns
	 * none for an agent with limited rights, in heavy mode, and without a pool.
	 */
	workers(max: number): HostWorker[];
	/** Runs work in slices. Other calls run between them and while it waits, so the caller must make sure that they do not disturb it. */
	inSlices<T>(work: Generator<Promise<void> | void, T>): Promise<T>;
	/** Plays a world at `speed` times real time, or pauses it. */
	setPlaying(entry: WorldEntry, playing: boolean, speed?: number): void;
	/** Returns the durations of the systems. */
	timing(): TickProfile;
	/** Verifier of heavy mode; null in any other mode. */
	readonly verifier: Verifier | null;
	/** Loss of the world before this one; null if there was none. */
	readonly lastWorld: LastWorld | null;
	/** Host of this engine: a browser, or Node. */
	readonly runsIn: 'browser' | 'node';
	/** Makes frames, with which a view draws a world. Equal requests share one frame. */
	readonly frame: FrameMaker;
	/**
	 * Returns the status of main, and the calls that were answered after the call of number `after`. Waits at most `waitMs` while
	 * the change number is still `change`.
	 */
	watch(after: number, change: number, waitMs: number): Promise<WatchedValues>;
	/**
	 * Returns events of a world after a position. Waits at most `waitMs` for the first one. Throws `unknown_world` if the world
	 * is deleted meanwhile.
	 */
	eventsAfter(id: string, after: Cursor, filter: EventFilter, waitMs: number): Promise<EventsRead>;
	/** Returns the GPU of the view; null without a view. */
	gpu(): Promise<GpuInfo | null>;
	/** Rejects with `no_picture` if no view draws. Called before the ticks that lead to a picture. */
	requireDrawing(): Promise<void>;
	/** Takes a picture of the current state of a world. Throws `no_picture`, `picture_failed` or `picture_late`. */
	capture(entry: WorldEntry, request: CaptureRequest): Promise<EncodedPicture>;
	/** All routes. */
	readonly routes: readonly Route[];
	/** Call of this host. */
	readonly running: RunningCall;
	/**
	 * Yields to other calls if the current slice has ended; otherwise returns undefined.
	 * Check `running` afterwards: the call may be cancelled.
	 */
	pauseIfDue(): Promise<void> | undefined;
	/** Answers a call that is part of another. It is not logged and does not wait in the queue. Never rejects. */
	answerInner(call: InnerCall): Promise<InnerAnswer>;
	/**
	 * Begins a transaction: a host over a copy of all worlds, snapshots and written files. A rollback also removes the assets that it
	 * added.
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

/** Work for a worker, as data that can be sent. */
export interface PoolTask {
	/** Name of the task in `web/api/pool-tasks.ts`. */
	readonly kind: string;
	readonly body: unknown;
}

/** End of a task. `refused`: only the engine itself can run it. `lost`: the worker ended. */
export type TaskEnd = { readonly result: unknown } | 'refused' | 'lost';

/** Worker that belongs to a call until the call releases it. */
export interface HostWorker {
	/** Sends it a copy of a world, and runs a short task if given. It takes longer while the worker starts. Never rejects. */
	load(world: World, task?: PoolTask): Promise<TaskEnd>;
	/**
	 * Runs a task, which may name these worlds by their versions. `repeats`: it runs again if the worker ends. Never
	 * rejects.
	 */
	run(task: PoolTask, worlds: readonly World[], repeats: boolean): Promise<TaskEnd>;
	/** Releases the worker. The result of its task is dropped, and another call gets it afterwards. */
	release(): void;
	/** Terminates the worker, even during a task. */
	end(): void;
}

/** A call within a call. Its body is a JSON value, not bytes. */
export interface InnerCall {
	readonly method: string;
	/** Path with the query. */
	readonly path: string;
	readonly body: unknown;
	/** World of the call if its query names none. */
	readonly world: string;
	/** Maximum size of the answer in bytes. */
	readonly maxAnswerBytes: number;
	/** True for a call in a throw-away fork, outside batches and actions. */
	readonly isAside?: boolean;
}

export interface InnerAnswer {
	/** Response with a JSON body. */
	readonly response: WireResponse;
	/** False if the call was refused, or if its answer has `ok: false`. */
	readonly ok: boolean;
}

/** Work on a copy. Either `commit` or `rollback` must be called. */
export interface Transaction {
	readonly host: Host;
	/** Returns the paths of written files, in the order of their first write. */
	files(): readonly string[];
	/** Applies the changes. If a file cannot be written, it rejects and changes neither worlds nor files. */
	commit(): Promise<void>;
	/** Discards the changes. */
	rollback(): void;
}

export interface Context {
	readonly host: Host;
	/** The world that ?world= names; main without it. */
	readonly entry: WorldEntry;
	readonly world: World;
	/** Sender of the call. */
	readonly principal: Principal;
	/** The header Accept, or an empty text. */
	readonly accept: string;
	/** Token of the session that the call sends; undefined without one. */
	readonly session: string | undefined;
	/** Host and port that the caller used, from its header Host; undefined in a browser and in this process. */
	readonly authority: string | undefined;
}
