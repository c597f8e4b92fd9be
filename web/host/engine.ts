/**
 * One running engine: answers calls, whatever door they come through.
 * Owns: the worlds, the queue, the play loop and the log of calls.
 * Never: knows how a call travelled.
 */

import {
	type Checked,
	check,
	checkValue,
	faultResponse,
	jsonResponse,
	statusOf,
} from '../../shared/contract/dispatch.ts';
import { Fault, failure } from '../../shared/contract/errors.ts';
import { suggestion } from '../../shared/contract/nearest.ts';
import type { Route } from '../../shared/contract/route.ts';
import { createRouter } from '../../shared/contract/router.ts';
import {
	type CallHandler,
	type Door,
	IDENTITY_HEADER,
	type WireRequest,
	type WireResponse,
} from '../../shared/contract/wire.ts';
import { routes } from '../../shared/routes/index.ts';
import { handlers } from '../api/index.ts';
import { RawAnswer } from '../api/raw-answer.ts';
import { digest } from '../sim/core/digest.ts';
import type { World } from '../sim/core/world.ts';
import { createWorld } from '../sim/create-world.ts';
import { loadParts } from '../sim/parts.ts';
import { type TracedTick, tracedStep } from '../sim/peek/traced-step.ts';
import { step } from '../sim/step.ts';
import { Assets } from './assets.ts';
import type { Context, Draft, Host, InnerAnswer, InnerCall } from './context.ts';
import { draftFiles } from './draft-files.ts';
import { type Files, withFaults } from './files.ts';
import type { CallRecord, EngineStatus, LastWorld, SavedWorlds } from './frames.ts';
import { checkIdentity, newIdentity } from './identity.ts';
import { memoryFiles } from './memory-files.ts';
import { PlayLoop } from './play-loop.ts';
import { Profiler } from './profiler.ts';
import { restoreWorlds } from './saved-worlds.ts';
import { nextTurn } from './turn.ts';
import type { ViewLink } from './view-link.ts';
import { MAIN, type WorldEntry, Worlds } from './worlds.ts';
import { WriteQueue } from './write-queue.ts';

/** Longest time spent on ticks before reads get their turn (ms). */
const SLICE_MS = 8;
/** Calls kept for the log until somebody takes them. */
const KEPT_CALLS = 200;

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
	/** What every answer names, and what a call may name: another one after a loss, the same after a handover. */
	readonly identity: string;
	/** Says where files are from now on. */
	setFiles(files: Files): void;
	/** Says how the last world ended, once that is known. */
	setLastWorld(last: LastWorld | null): void;
	/** Connects or disconnects what draws. */
	setView(view: ViewLink | null): void;
	/** What is going on; takes the calls logged since it was last asked. */
	takeStatus(): Omit<EngineStatus, 'relay'>;
	/** Called after anything changed or was answered. */
	onChange: () => void;
	/** Stops the play loop. */
	close(): void;
}

const find = createRouter(routes);
const handlerOf = new Map(handlers.map(({ route, run }) => [route, run]));

/** Starts an engine with an empty world at tick 0, paused. */
export async function createEngine(settings: EngineSettings = {}): Promise<Engine> {
	await loadParts();
	const { profile = 'full', seed = 0, now = () => performance.now() } = settings;
	const report = settings.report ?? ((message, error) => console.error(message, error));
	const worlds = settings.saved ? restoreWorlds(settings.saved) : new Worlds(createWorld({ seed, profile }));
	const identity = settings.saved?.identity ?? newIdentity();
	let lastWorld = settings.lastWorld ?? null;
	const queue = new WriteQueue();
	const profiler = new Profiler(now);
	let files = withFaults(settings.files ?? memoryFiles(), settings.mostFileBytes);
	const assets = new Assets({ files: () => files, readPublic: settings.readPublic });
	let view: ViewLink | null = null;
	let calls: CallRecord[] = [];
	let callNumber = 0;
	let faults = 0;

	const playLoop = new PlayLoop({
		worlds,
		queue,
		profiler,
		now,
		ticked: () => engine.onChange(),
		failed(world, error) {
			if (!(error instanceof Fault))
				report(`A tick failed at tick ${world.tick}; the world is paused.`, error);
		},
	});

	async function inSlices<T>(work: Generator<void, T>): Promise<T> {
		let resumed = now();
		for (let next = work.next(); ; next = work.next()) {
			if (next.done) return next.value;
			if (now() - resumed < SLICE_MS) continue;
			await nextTurn();
			resumed = now();
		}
	}

	const host: Host = {
		profile,
		worlds,
		assets,
		routes,
		get files() {
			return files;
		},
		async advance(held, ticks, { enough, ticked, trace = false, chooser } = {}) {
			const traced: TracedTick[] = [];
			const observer = held === worlds.main ? profiler : undefined;
			let resumed = now();
			for (let i = 0; i < ticks; i++) {
				if (enough?.(held.world)) break;
				const decides = i === 0 ? chooser : undefined;
				try {
					if (trace || i === ticks - 1)
						traced.push(await inSlices(tracedStep(held.world, observer, decides)));
					else step(held.world, observer, decides);
				} catch (error) {
					throw error instanceof Fault ? stoppedAfter(error, i, ticks, held.world) : error;
				}
				ticked?.(held.world);
				if (now() - resumed < SLICE_MS) continue;
				engine.onChange();
				await nextTurn();
				resumed = now();
			}
			return traced;
		},
		inSlices,
		setPlaying(held, playing) {
			held.playing = playing;
			if (playing) held.halted = undefined;
			playLoop.update();
		},
		timing: () => profiler.read(),
		get lastWorld() {
			return lastWorld;
		},
		gpu: () => view?.gpu ?? null,
		async capture(held, request) {
			if (view === null) throw new Fault('no_picture', 'Nothing draws here.');
			return view.capture(held, request);
		},
		call: (call, world) => callWithin(host, call, world),
		draft: () => draftOf(host),
	};

	function draftOf(of: Host): Draft {
		const copy = of.worlds.draft();
		const written = draftFiles(of.files);
		const inner: Host = {
			...of,
			worlds: copy,
			files: withFaults(written.files, of.files.most),
			setPlaying(held, playing) {
				held.playing = playing;
			},
			call: (call, world) => callWithin(inner, call, world),
			draft: () => draftOf(inner),
		};
		return {
			host: inner,
			files: () => written.paths(),
			async keep() {
				await written.keep();
				of.worlds.adopt(copy);
				playLoop.update();
			},
			drop: () => of.worlds.discard(copy),
		};
	}

	async function callWithin(within: Host, call: InnerCall, world: string): Promise<InnerAnswer> {
		let route: Route | undefined;
		try {
			const [path = '', query = ''] = call.path.split(/\?(.*)/s);
			const match = find(call.method, path);
			route = match.route;
			if (route.batch === false)
				throw new Fault('not_in_batch', `${route.method} ${route.path} cannot be part of a batch.`);
			const checked = checkValue(match, { query, body: call.body });
			const named = route.world === false || new URLSearchParams(query).has('world');
			const held = worldOf(within.worlds, named ? checked.world : world);
			const context: Context = { host: within, held, world: held.world, accept: '' };
			const answer = await handlerOf.get(route)!(context, checked as never);
			if (answer instanceof RawAnswer) return plainAnswer(answer.response);
			return { status: route.status ?? 200, body: { ok: true, ...(answer as object) } };
		} catch (error) {
			const fault = error instanceof Fault ? error : internal(error, call);
			return { status: statusOf(fault.code, route), body: failure(fault) };
		}
	}

	function worldOf(among: Worlds, id: string): WorldEntry {
		const held = among.find(id);
		if (held !== undefined) return held;
		const fix = suggestion(id, [MAIN, ...among.forkIds()]);
		throw new Fault('unknown_world', `There is no world "${id}".`, { fix });
	}

	async function run(checked: Checked, request: WireRequest): Promise<WireResponse> {
		const held = worldOf(worlds, checked.world);
		const context: Context = { host, held, world: held.world, accept: request.headers.accept ?? '' };
		const answer = await handlerOf.get(checked.route)!(context, checked as never);
		if (answer instanceof RawAnswer) return answer.response;
		return jsonResponse(checked.route.status ?? 200, { ok: true, ...(answer as object) });
	}

	async function answer(
		request: WireRequest,
	): Promise<{ response: WireResponse; world: string; fix?: string }> {
		let route: Route | undefined;
		let checked: Checked | undefined;
		try {
			checkIdentity(identity, request.headers);
			const match = find(request.method, request.path);
			route = match.route;
			const call = check(match, request);
			checked = call;
			const response =
				call.route.effect === 'read' ? await run(call, request) : await queue.post(() => run(call, request));
			return { response, world: call.world };
		} catch (error) {
			const fault = error instanceof Fault ? error : internal(error, request);
			return {
				response: faultResponse(fault, route),
				world: checked?.world ?? MAIN,
				fix: fault.fix,
			};
		}
	}

	function internal(error: unknown, request: { readonly method: string; readonly path: string }): Fault {
		const id = `fault-${++faults}`;
		report(`${id}: ${request.method} ${request.path} failed.`, error);
		return new Fault(
			'internal',
			`The engine failed (${id}): ${error instanceof Error ? error.message : String(error)}`,
		);
	}

	function handleFrom(door: Door): CallHandler {
		return async (request) => {
			const started = now();
			const { response, world, fix } = await answer(request);
			calls.push({
				number: ++callNumber,
				tick: worlds.find(world)?.world.tick ?? worlds.main.world.tick,
				door,
				sender: request.headers['x-agent'] ?? request.headers['user-agent'] ?? '',
				method: request.method,
				path: request.path,
				world,
				status: response.status,
				ms: now() - started,
				...(fix === undefined ? {} : { fix }),
			});
			if (calls.length > KEPT_CALLS) calls = calls.slice(-KEPT_CALLS);
			engine.onChange();
			const headers = { ...response.headers, [IDENTITY_HEADER]: identity };
			const body = request.method === 'HEAD' ? response.body.subarray(0, 0) : response.body;
			return { status: response.status, headers, body };
		};
	}

	const engine: Engine = {
		handle: handleFrom('process'),
		handleFrom,
		worlds,
		identity,
		setLastWorld(last) {
			lastWorld = last;
		},
		setFiles(next) {
			files = withFaults(next, settings.mostFileBytes);
		},
		setView(next) {
			view = next;
		},
		takeStatus() {
			const { world, playing } = worlds.main;
			const taken = calls;
			calls = [];
			return {
				tick: world.tick,
				digest: digest(world),
				entity_count: world.entities.count,
				playing,
				dropped_ticks: playLoop.dropped,
				forks: worlds.forkIds(),
				calls: taken,
			};
		},
		onChange: () => {},
		close: () => playLoop.stop(),
	};
	playLoop.update();
	return engine;
}

/** The refusal of a tick, with how many were made before it: those stay. */
function stoppedAfter({ code, message, fix, details }: Fault, made: number, of: number, world: World): Fault {
	return new Fault(code, `${message} ${made} of ${of} ticks were made before it.`, {
		fix,
		details: { ...details, ticks_advanced: made, new_tick: world.tick, state_digest: digest(world) },
	});
}

/** The value of an answer that is JSON. */
function plainAnswer({ status, body }: WireResponse): InnerAnswer {
	return { status, body: JSON.parse(new TextDecoder().decode(body)) };
}
