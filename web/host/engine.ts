/**
 * One running engine: answers calls, whatever door they come through.
 * Owns: the worlds, the queue, the play loop and the log of calls.
 * Never: knows how a call travelled.
 */

import { check, checkValue } from '../../shared/contract/dispatch.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { newIdentity } from '../../shared/contract/identity.ts';
import type { LastWorld } from '../../shared/contract/link.ts';
import { type Principal, principalOf } from '../../shared/contract/principal.ts';
import {
	type CallHandler,
	type Door,
	IDENTITY_HEADER,
	MAX_DOCUMENT_BYTES,
	type WireRequest,
} from '../../shared/contract/wire.ts';
import { getFrame } from '../../shared/routes/camera.ts';
import { routes } from '../../shared/routes/index.ts';
import { watch as watchRoute } from '../../shared/routes/operations.ts';
import { digest } from '../sim/core/digest.ts';
import { createWorld } from '../sim/create-world.ts';
import { loadParts } from '../sim/parts.ts';
import { Assets } from './assets.ts';
import { CallList } from './call-list.ts';
import type { InnerAnswer, InnerCall, Watched } from './context.ts';
import { dispatch } from './dispatch.ts';
import { EngineHost, type EngineServices } from './engine-host.ts';
import { EventTrails } from './event-trail.ts';
import { type Files, withApiErrors } from './files.ts';
import { frameMaker } from './frame-maker.ts';
import type { CallRecord, EngineStatus, SavedWorlds } from './frames.ts';
import { checkIdentity } from './identity.ts';
import { memoryFiles } from './memory-files.ts';
import { PlayLoop } from './play-loop.ts';
import { Profiler } from './profiler.ts';
import { restoreWorlds, saveWorlds } from './saved-worlds.ts';
import type { ViewLink } from './view-link.ts';
import { MAIN, type WorldEntry, Worlds } from './worlds.ts';
import { WriteQueue } from './write-queue.ts';

/** Calls kept for the log until somebody takes them. */
const KEPT_CALLS = 200;

/** What a page that visits asks all the time: no news to anybody. */
const QUIET = new Set([getFrame.path, watchRoute.path]);

export interface EngineSettings {
	readonly profile?: 'full' | 'bare';
	/** World seed, a whole number from 0 to 2^53 - 1. */
	readonly seed?: number;
	/** Worlds to go on with, instead of an empty one. */
	readonly saved?: SavedWorlds;
	/** How the last world ended, when this engine begins after a loss. */
	readonly lastWorld?: LastWorld | null;
	readonly files?: Files;
	/** Reads a file of `public/`, null when there is none; nothing is there unless given. */
	readonly readPublic?: (path: string) => Promise<Uint8Array | null>;
	/** Most bytes of memory that all worlds may take; MEMORY_BUDGET unless given. */
	readonly memoryBudget?: number;
	/** The largest file, in bytes; MAX_DOCUMENT_BYTES unless given. */
	readonly mostFileBytes?: number;
	/** Milliseconds on some clock that only goes forward. */
	readonly now?: () => number;
	/** Told of faults of the engine itself. */
	readonly report?: (message: string, error: unknown) => void;
}

export interface Engine {
	/** Answers one call. Never rejects. */
	readonly handle: CallHandler;
	/** A handle whose calls the log shows as coming through a door. */
	handleFrom(door: Door): CallHandler;
	readonly worlds: Worlds;
	/** Bytes that the worlds name. */
	readonly assets: Assets;
	/** What happened on the last ticks of the worlds that are looked at. */
	readonly happened: EventTrails;
	/** What every answer names, and what a call may name: another one after a loss, the same after a handover. */
	readonly identity: string;
	/** Says where files are from now on. */
	setFiles(files: Files): void;
	/** Does this in line with the calls that change something: none of them is applied and no tick made meanwhile. */
	alone<T>(work: () => Promise<T>): Promise<T>;
	/** All that another engine needs to go on: worlds, snapshots, assets and the identity. */
	save(): SavedWorlds;
	/** Says how the last world ended, once that is known. */
	setLastWorld(last: LastWorld | null): void;
	/** Connects or disconnects what draws. */
	setView(view: ViewLink | null): void;
	/** What is going on; takes the calls logged since it was last asked. */
	takeStatus(): Omit<EngineStatus, 'relay'>;
	/** Called after anything changed or was answered. */
	onChange: () => void;
	/** Ends every call at the next edge of a tick or request; what waits is refused. */
	cancelCalls(): void;
	/** Stops the play loop. */
	close(): void;
}

/** Starts an engine with an empty world at tick 0, paused. */
export async function createEngine(settings: EngineSettings = {}): Promise<Engine> {
	await loadParts();
	const { profile = 'full', seed = 0, now = () => performance.now() } = settings;
	const report = settings.report ?? ((message, error) => console.error(message, error));
	const identity = settings.saved?.identity ?? newIdentity();
	let lastWorld = settings.lastWorld ?? settings.saved?.lastWorld ?? null;
	const queue = new WriteQueue();
	const profiler = new Profiler(now);
	let files = withApiErrors(settings.files ?? memoryFiles(), settings.mostFileBytes);
	const assets = new Assets({ files: () => files, readPublic: settings.readPublic });
	for (const { bytes, names } of settings.saved?.assets ?? []) {
		await assets.put(bytes);
		for (const name of names) await assets.put(bytes, name);
	}
	const named = {
		find: (hash: string) => assets.find(hash)?.bytes,
		hashNamed: (name: string) => assets.hashNamed(name),
	};
	const worlds = settings.saved
		? restoreWorlds(settings.saved, named)
		: new Worlds(createWorld({ seed, profile, assets: named }));
	if (settings.memoryBudget !== undefined) worlds.budget = settings.memoryBudget;
	let view: ViewLink | null = null;
	/** The newest calls in the order of their answers, and those of them that no status told of yet. */
	let calls: CallRecord[] = [];
	let untold: CallRecord[] = [];
	const running = new CallList();
	let faults = 0;

	const happened = new EventTrails();
	const madeTick = ({ id, world }: WorldEntry): void => happened.ticked(id, world);

	const playLoop = new PlayLoop({
		worlds,
		queue,
		profiler,
		now,
		madeTick,
		ticked: () => engine.onChange(),
		failed(world, error) {
			if (!(error instanceof ApiError))
				report(`A tick failed at tick ${world.tick}; the world is paused.`, error);
		},
	});

	const services: EngineServices = {
		profile,
		routes,
		assets,
		calls: running,
		profiler,
		now,
		lastWorld: () => lastWorld,
		gpu: () => view?.gpu ?? null,
		frame: frameMaker(happened),
		watch,
		async capture(entry, request) {
			if (view === null) throw new ApiError('no_picture', 'This host does not draw.');
			return view.capture(entry, request);
		},
		madeTick,
		ticked: () => engine.onChange(),
		playingChanged: () => playLoop.update(),
		answerWithin,
	};

	function watch(after: number): Watched {
		// Answers do not come in the order of their numbers.
		const at = calls.findIndex(({ number }) => number === after);
		return {
			...mainStatus(),
			calls: at < 0 ? calls.filter(({ number }) => number > after) : calls.slice(at + 1),
		};
	}

	function mainStatus() {
		const { world, playing } = worlds.main;
		return {
			tick: world.tick,
			state_digest: digest(world),
			entity_count: world.entities.count,
			playing,
			dropped_ticks: playLoop.dropped,
			forks: worlds.forkIds(),
		};
	}

	async function answerWithin(host: EngineHost, call: InnerCall): Promise<InnerAnswer> {
		const [path = '', query = ''] = call.path.split(/\?(.*)/s);
		const { response, ok } = await dispatch(
			host,
			{
				method: call.method,
				path,
				principal: host.running.principal,
				accept: '',
				world: call.world,
				room: call.room,
				queue: null,
				admit: () => {},
				check: (match) => checkValue(match, { query, body: call.body }),
			},
			(error) => internal(error, call),
		);
		return { status: response.status, ok, body: response.body };
	}

	function internal(error: unknown, request: { readonly method: string; readonly path: string }): ApiError {
		const id = `fault-${++faults}`;
		report(`${id}: ${request.method} ${request.path} failed.`, error);
		return new ApiError(
			'internal',
			`The engine failed (${id}): ${error instanceof Error ? error.message : String(error)}`,
		);
	}

	function handleFrom(door: Door): CallHandler {
		return async (request, signal) => {
			const principal = principalOf(request, door);
			const call = running.enter(request, principal, now(), MAIN);
			const cancel = () => call.cancel();
			if (signal?.aborted) cancel();
			signal?.addEventListener('abort', cancel);
			const { response, world, fix } = await answer(
				request,
				principal,
				new EngineHost(services, worlds, files, call),
			);
			signal?.removeEventListener('abort', cancel);
			running.leave(call);
			if (!QUIET.has(request.path)) {
				const record: CallRecord = {
					number: call.number,
					tick: worlds.find(world)?.world.tick ?? worlds.main.world.tick,
					door,
					sender: principal.name,
					method: request.method,
					path: request.path,
					world,
					status: response.status,
					ms: now() - call.arrived,
					...(fix === undefined ? {} : { fix }),
				};
				calls.push(record);
				untold.push(record);
				if (calls.length > 2 * KEPT_CALLS) calls = calls.slice(-KEPT_CALLS);
				if (untold.length > KEPT_CALLS) untold.shift();
				engine.onChange();
			}
			const headers = { ...response.headers, [IDENTITY_HEADER]: identity };
			const body = request.method === 'HEAD' ? response.body.subarray(0, 0) : response.body;
			return { status: response.status, headers, body };
		};
	}

	function answer(request: WireRequest, principal: Principal, host: EngineHost) {
		return dispatch(
			host,
			{
				method: request.method,
				path: request.path,
				principal,
				accept: request.headers.accept ?? '',
				world: MAIN,
				room: MAX_DOCUMENT_BYTES,
				queue,
				admit: () => checkIdentity(identity, request.headers),
				check: (match) => check(match, request),
			},
			(error) => internal(error, request),
		);
	}

	const engine: Engine = {
		handle: handleFrom('process'),
		handleFrom,
		worlds,
		assets,
		happened,
		identity,
		alone: (work) => queue.post(work),
		save: () => ({
			...saveWorlds(worlds, identity),
			lastWorld,
			assets: assets.list().map(({ bytes, hash }) => ({ bytes, names: assets.namesOf(hash) })),
		}),
		setLastWorld(last) {
			lastWorld = last;
		},
		setFiles(next) {
			files = withApiErrors(next, settings.mostFileBytes);
		},
		setView(next) {
			view = next;
		},
		takeStatus() {
			const taken = untold;
			untold = [];
			return { ...mainStatus(), calls: taken };
		},
		onChange: () => {},
		cancelCalls() {
			for (const call of running.all()) call.cancel();
		},
		close: () => playLoop.stop(),
	};
	playLoop.update();
	return engine;
}
