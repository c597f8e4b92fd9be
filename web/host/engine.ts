/**
 * One running engine: answers calls, whatever door they come through.
 * Owns: the worlds, the queue and the play loop, and in what order a call meets them and the journal.
 * Never: knows how a call travelled.
 */

import { check, checkValue } from '../../shared/contract/dispatch.ts';
import type { Desk } from '../../shared/contract/errand.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { newIdentity } from '../../shared/contract/identity.ts';
import { type Journal, JournalError, type JournalExtent } from '../../shared/contract/journal.ts';
import type { LastWorld } from '../../shared/contract/link.ts';
import { pathAndQuery } from '../../shared/contract/path-and-query.ts';
import { type Principal, tokenOf } from '../../shared/contract/principal.ts';
import {
	type CallHandler,
	type Door,
	IDENTITY_HEADER,
	MAX_DOCUMENT_BYTES,
	type WireRequest,
	type WireResponse,
} from '../../shared/contract/wire.ts';
import { routes } from '../../shared/routes/index.ts';
import { dispose } from '../sim/core/clone.ts';
import { encodeWorld } from '../sim/core/codec.ts';
import { digest } from '../sim/core/digest.ts';
import { createWorld } from '../sim/create-world.ts';
import { loadParts } from '../sim/parts.ts';
import { provideLua } from '../sim/scripts/lua-binary.ts';
import { worldName } from '../sim/world-name/world-name.ts';
import { Assets } from './assets.ts';
import { CallList, type RunningCall } from './call-list.ts';
import { CallLog } from './call-log.ts';
import type { InnerAnswer, InnerCall, Watched } from './context.ts';
import { type Change, type Done, dispatch, UNCOUNTED } from './dispatch.ts';
import { EngineHost, type EngineServices } from './engine-host.ts';
import { EventTrails } from './event-trail.ts';
import { type Files, withApiErrors } from './files.ts';
import { frameMaker } from './frame-maker.ts';
import type { EngineStatus, SavedWorlds } from './frames.ts';
import { Gate } from './gate.ts';
import { checkIdentity } from './identity.ts';
import { placeOf } from './journal/changes.ts';
import type { HostJournal, Sought, Then, Undone, UndoTurn } from './journal/host-journal.ts';
import { Keys, keyOf, requestMark } from './journal/keys.ts';
import type { Moment, Pace, Replayed } from './journal/replay.ts';
import type { JournalTrouble, Scribe, ScribeServices, StateEvery, Written } from './journal/scribe.ts';
import { readLua } from './lua-binary.ts';
import { memoryFiles } from './memory-files.ts';
import type { Outside } from './outside.ts';
import { PlayLoop } from './play-loop.ts';
import { Profiler } from './profiler.ts';
import { callOf, deskFor, namingEntry } from './relay-call.ts';
import { holdWorlds, restoreWorlds, saveWorlds } from './saved-worlds.ts';
import { TurnQueue } from './turn-queue.ts';
import type { Verifier } from './verifier.ts';
import type { ViewLink } from './view-link.ts';
import { MAIN, type WorldEntry, Worlds } from './worlds.ts';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** So long a journal is read before whoever else has something to do here has their turn (ms): nobody waits for a call yet. */
const REPLAY_MS = 50;

export interface EngineSettings {
	readonly profile?: 'full' | 'bare';
	/** World seed, a whole number from 0 to 2^53 - 1. */
	readonly seed?: number;
	/** Worlds to go on with, instead of an empty one. */
	readonly saved?: SavedWorlds;
	/** How the last world ended, when this engine begins after a loss. */
	readonly lastWorld?: LastWorld | null;
	readonly files?: Files;
	/** Where everything that is applied is written down, to be made again from there: what it holds goes on, `saved` and `seed` are for one that is empty. */
	readonly journal?: Journal;
	/** How often the journal gets a whole state. */
	readonly stateEvery?: Partial<StateEvery>;
	/** To see what was at a moment that the journal knows, and write nothing to it. */
	readonly moment?: Moment;
	/** For the reading of a journal that others may end, and that lets them have their turn. */
	readonly pace?: Pace;
	/** Milliseconds since 1970. */
	readonly clock?: () => number;
	/** Called while a journal is read, with the number of the next entry and of the one after the last. */
	readonly replaying?: (next: number, end: number) => void;
	/** Whether writes take a session, until a relay says otherwise. */
	readonly gated?: boolean;
	/** Reads a file of `public/`, null when there is none; nothing is there unless given. */
	readonly readPublic?: (path: string) => Promise<Uint8Array | null>;
	/** Most bytes of memory that all worlds may take; MEMORY_BUDGET unless given. */
	readonly memoryBudget?: number;
	/** Heavy mode: one tick in so many is made once more on a fork, and on the world saved and loaded, and has to come to the same; none unless given. */
	readonly verify?: number;
	/** The largest file, in bytes; MAX_DOCUMENT_BYTES unless given. */
	readonly mostFileBytes?: number;
	/** Milliseconds on some clock that only goes forward. */
	readonly now?: () => number;
	/** Called with faults of the engine itself. */
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
	/** Says who runs errands from now on. */
	setDesk(desk: Desk): void;
	/** Says whether writes take a session from now on. */
	setGated(gated: boolean): void;
	/** Does this in line with the calls that change something: none of them is applied and no tick made meanwhile. */
	alone<T>(work: () => Promise<T>): Promise<T>;
	/**
	 * Resolves when the journal has all that was applied; at once without one. Rejects with the reason when it cannot have it at present.
	 * `still`: nothing is being applied.
	 */
	rest(still?: boolean): Promise<void>;
	/**
	 * Writes a state and releases the journal's lease, when every call before is done. Nothing is applied afterwards: another engine
	 * continues the worlds. Rejects, and continues them itself, when the journal cannot have what was applied.
	 */
	release(): Promise<void>;
	/** All that another engine needs to go on: worlds, snapshots, assets and the identity. */
	save(): SavedWorlds;
	/** Says how the last world ended, once that is known. */
	setLastWorld(last: LastWorld | null): void;
	/** Connects or disconnects what draws. */
	setView(view: ViewLink | null): void;
	/** What is going on; takes the calls logged since it was last asked. */
	takeStatus(): Omit<EngineStatus, 'relay' | 'unkept'>;
	/** Called after anything changed or was answered. */
	onChange: () => void;
	/** Ends every call at the next edge of a tick or request; what waits is refused. */
	cancelCalls(): void;
	/** Why nothing can be kept at present; null when it can, and without a journal. */
	readonly journalTrouble: JournalTrouble | null;
	/** The journal may work again: what waits for it is tried at once, and calls wait for that. */
	tryJournal(): void;
	/** Answers of these calls were delivered, by the keys of their transport. */
	forgetCalls(calls: readonly string[]): void;
	/** Stops the play loop, and resolves when the journal has everything. */
	close(): Promise<void>;
}

/** Starts an engine with an empty world at tick 0, paused, or with what its journal says. Throws a `JournalError` for one that cannot be read, or that comes out otherwise. */
export async function createEngine(settings: EngineSettings = {}): Promise<Engine> {
	provideLua(readLua);
	await loadParts();
	const { profile = 'full', seed = 0, now = () => performance.now() } = settings;
	const report = settings.report ?? ((message, error) => console.error(message, error));
	const { clock = Date.now, mostFileBytes = MAX_DOCUMENT_BYTES } = settings;
	/** What an engine that makes the past again has in common with this one. */
	const alike: EngineSettings = { mostFileBytes, report };
	const keeping = settings.journal === undefined ? null : await keptWith(settings.journal);
	// Whoever looks at a moment writes nothing.
	const epoch = settings.moment === undefined ? ((await settings.journal?.acquire()) ?? 0) : 0;
	const extent = (await keeping?.journal.extent()) ?? null;
	const kept = keeping === null ? null : await keptIn(keeping.journal, extent!, settings.moment);
	const saved = kept?.saved ?? settings.saved;
	const identity = saved?.identity ?? newIdentity();
	let lastWorld = settings.lastWorld ?? saved?.lastWorld ?? null;
	/** Of calls that change something. */
	const queue = new TurnQueue();
	/** Of what makes the past again: each holds worlds of its own meanwhile. */
	const pasts = new TurnQueue();
	const profiler = new Profiler(now);
	let files = withApiErrors(settings.files ?? memoryFiles(), mostFileBytes);
	const assets = new Assets({ files: () => files, readPublic: settings.readPublic });
	for (const asset of saved?.assets ?? []) await assets.restore(asset);
	const named = {
		find: (hash: string) => assets.find(hash)?.bytes,
		lastAt: (reference: string) => assets.lastAt(reference),
		get moves() {
			return assets.moves;
		},
	};
	const worlds = saved
		? await restoreWorlds(saved, named, kept?.inflated)
		: new Worlds(createWorld({ seed, profile, assets: named }));
	if (settings.memoryBudget !== undefined) worlds.budget = settings.memoryBudget;
	let view: ViewLink | null = null;
	const log = new CallLog();
	const running = new CallList();
	const gate = new Gate(settings.gated ?? false, now);
	gate.makers.restore(saved?.makers ?? []);
	const keys = new Keys(clock, saved?.answers, saved?.calls);
	let faults = 0;
	/** The journal for those who ask; null without one. */
	const seen = (): HostJournal | null => {
		const here = keeping;
		if (here === null) return null;
		return {
			durable: here.journal.durable,
			extent: () => here.journal.extent(),
			trouble: () => scribe?.trouble ?? null,
			async firstTick(search, by) {
				await scribe?.settled();
				return here.firstTick(here.journal, search, now, (moment) =>
					lookThen(here.journal, moment, { ...alike, pace: paceOf(by, now) }, () => {}),
				);
			},
			lines: (from, limit, filter) => here.linesOf(here.journal, from, limit, filter),
		};
	};
	/** Null without a journal, and while one is read. */
	let scribe: Scribe | null = null;
	/** Nothing plays before the worlds are what the journal says. */
	let begun = false;

	const verifier = await verifierOf(settings, report);
	for (const stopped of saved?.stopped ?? []) {
		const world = worlds.find(stopped.id)?.world;
		if (world !== undefined) verifier?.standsStill(world, stopped);
	}
	const divergedBefore = ({ id, world }: WorldEntry, message?: string): void =>
		verifier?.standsStill(world, {
			id,
			tick: world.tick - 1,
			message:
				message ??
				`Tick ${world.tick - 1} of the world "${id}" did not come to the same once more when it was made first, before this engine began.`,
		});

	const happened = new EventTrails();
	const madeTick = ({ id, world }: WorldEntry): void => happened.ticked(id, world);

	const playLoop = new PlayLoop({
		worlds,
		queue,
		profiler,
		verifier,
		now,
		madeTick(entry, ms) {
			madeTick(entry);
			scribe?.ticked(entry, ms);
		},
		ticked: () => engine.onChange(),
		failed(world, error) {
			if (!(error instanceof ApiError))
				report(`A tick failed at tick ${world.tick}; the world is paused.`, error);
		},
	});

	const services: EngineServices = {
		routes,
		assets,
		gate,
		calls: running,
		keys,
		journal: seen,
		profiler,
		now,
		lastWorld: () => lastWorld,
		gpu: () => view?.gpu ?? null,
		// What is made again before it begins was verified when it was made.
		verifier: () => settings.moment?.verifier?.() ?? (begun ? verifier : null),
		divergedBefore: (entry) => divergedBefore(entry),
		frame: frameMaker(happened),
		watch,
		madeTick,
		ticked: () => engine.onChange(),
		playingChanged() {
			if (begun) playLoop.update();
		},
		answerWithin,
	};

	function watch(after: number): Watched {
		return { ...mainStatus(), calls: log.after(after) };
	}

	function mainStatus() {
		const { world, playing } = worlds.main;
		return {
			world_name: worldName(world),
			tick: world.tick,
			state_digest: digest(world),
			entity_count: world.entities.count,
			playing,
			dropped_ticks: playLoop.dropped,
			forks: worlds.forkIds(),
		};
	}

	function answerWithin(host: EngineHost, call: InnerCall): Promise<InnerAnswer> {
		const { path, query } = pathAndQuery(call.path);
		return dispatch(
			host,
			{
				method: call.method,
				path,
				principal: host.running.principal,
				accept: '',
				session: undefined,
				authority: undefined,
				world: call.world,
				room: call.room,
				turn: null,
				admit: () => {},
				check: (match) => checkValue(match, { query, body: call.body }),
			},
			(error) => internal(error, call),
		);
	}

	function internal(error: unknown, request: { readonly method: string; readonly path: string }): ApiError {
		if (error instanceof JournalError) return new ApiError('journal_unreadable', error.message);
		const id = `fault-${++faults}`;
		report(`${id}: ${request.method} ${request.path} failed.`, error);
		return new ApiError(
			'internal',
			`The engine failed (${id}): ${error instanceof Error ? error.message : String(error)}`,
		);
	}

	function handleFrom(door: Door): CallHandler {
		return async (request, signal) => {
			const known = gate.principalOf(request, door);
			const principal = known instanceof Promise ? await known : known;
			const call = running.enter(request, principal, now(), MAIN);
			const cancel = () => call.cancel();
			if (signal?.aborted) cancel();
			signal?.addEventListener('abort', cancel);
			const { response, reads, world, fix } = await answer(request, principal, door, call);
			signal?.removeEventListener('abort', cancel);
			running.leave(call);
			if (!UNCOUNTED.has(request.path)) {
				log.add({
					number: call.number,
					tick: call.done ?? tickOf(world),
					door,
					// Who changes something is told by the name that was signed with.
					sender: reads ? (principal.said ?? principal.name) : principal.name,
					method: request.method,
					path: request.path,
					world,
					status: response.status,
					ms: now() - call.arrived,
					...(fix === undefined ? {} : { fix }),
				});
				engine.onChange();
			}
			const headers = { ...response.headers, [IDENTITY_HEADER]: identity };
			const body = request.method === 'HEAD' ? response.body.subarray(0, 0) : response.body;
			return { status: response.status, headers, body };
		};
	}

	/** Of main, where there is no such world any more. */
	function tickOf(id: string): number {
		return (worlds.find(id) ?? worlds.main).world.tick;
	}

	/** A world as it was, made again apart from all that there is now. */
	async function moment(sought: Sought, pace: Pace): Promise<Then> {
		if (keeping === null || scribe === null)
			throw new ApiError('no_journal', 'This engine keeps no journal.');
		await scribe.settled();
		const at =
			'tick' in sought
				? await keeping.momentOf(keeping.journal, sought.world, sought.tick)
				: { entry: sought.entry + 1 };
		return worldThen(keeping.journal, sought, at, { ...alike, pace });
	}

	/** A world without a write, or with it again. */
	async function undone(turn: UndoTurn, pace: Pace): Promise<Undone> {
		if (keeping === null || scribe === null)
			throw new ApiError('no_journal', 'This engine keeps no journal.');
		await scribe.settled();
		const { journal } = keeping;
		const { world } = worlds.find(turn.world)!;
		return keeping.undone(journal, turn, { digest: digest(world), assets: world.assets }, (at, look) =>
			lookThen(journal, at, { ...alike, pace }, (then) => look(then.worlds)),
		);
	}

	function drawing(): ViewLink {
		if (view === null) throw new ApiError('no_picture', 'This host does not draw.');
		return view;
	}

	/** What is outside, as it is now. An errand of a call that an engine ended with may have been run. */
	const outside = (request: WireRequest, call: RunningCall): Outside => ({
		files,
		desk: deskFor(request, gate.desk),
		readPublic: async (path) => (await settings.readPublic?.(path)) ?? null,
		moment: once((sought) => inLine(pasts, call, () => moment(sought, paceOf(call, now)))),
		undone: (turn) => undone(turn, paceOf(call, now)),
		requireDrawing: () => void drawing(),
		capture: async (entry, request) => drawing().capture(entry, request),
	});

	/** Has a call done when its turn comes, and written down before it is answered. */
	async function takeTurn(
		request: WireRequest,
		principal: Principal,
		door: Door,
		change: Change,
		live: Outside,
	): Promise<Done> {
		const key = keyOf(request, principal);
		if (key === undefined) {
			const work = async () => {
				const { done, written } = await inTurn(request, principal, door, change, live, key);
				return written === undefined ? done : whenKept(done, written, door);
			};
			const call = callOf(request, door);
			return call === undefined ? work() : doneOf(await keys.once(call, '', work));
		}
		const mark = requestMark(request);
		const once = await keys.once(key, mark, async () => {
			const { done, written } = await inTurn(request, principal, door, change, live, key);
			await written?.kept.catch((error: unknown) => {
				keys.lacks(key, mark);
				throw error;
			});
			return done;
		});
		return doneOf(once);
	}

	/** What remembers the answer to a call with a key, once it is known where its entry is, as its world stands now. */
	function rememberer(key: string, request: WireRequest, world: string, response: WireResponse) {
		const { status, headers, body } = response;
		const place = placeOf(worlds, world);
		const known = { key, request: requestMark(request), status, headers, body, at: clock(), world, ...place };
		return (entry: number | null) => keys.keep({ ...known, entry });
	}

	/** What a change came to, when the journal has it. The relay waits for that by itself, which saves the way there and back. */
	async function whenKept(done: Done, { entry, kept }: Written, door: Door): Promise<Done> {
		if (door !== 'relay' || keeping?.journal.relayWaits !== true) {
			await kept;
			return done;
		}
		// The relay says so to the caller.
		kept.catch(() => {});
		return { ...done, response: namingEntry(done.response, entry) };
	}

	/** What a change came to, when its turn is over. */
	async function inTurn(
		request: WireRequest,
		principal: Principal,
		door: Door,
		change: Change,
		live: Outside,
		key: string | undefined,
	) {
		const { host, route, world } = change;
		const call = host.running;
		const overtakes = route.overtakes === true && queue.busy;
		const work = async () => {
			if (keeping === null || scribe === null) {
				const done = await change.apply(host);
				call.done = tickOf(world);
				if (key !== undefined && done.threw !== true) rememberer(key, request, world, done.response)(null);
				return { done };
			}
			const mark = key === undefined ? '' : requestMark(request);
			const began = await scribe.begin(key !== undefined && keys.isLacked(key, mark));
			// It may have been done before the journal failed, and is known since that works again.
			const again = key === undefined ? undefined : keys.again(key, mark);
			if (again !== undefined) return { done: { response: again, ok: again.status < 400 } };
			const { done, written } = await keeping.keepTurn(scribe, worlds, {
				began,
				request,
				door,
				principal,
				key,
				change,
				running: call,
				overtakes,
				outside: live,
				rememberer: ({ response }) =>
					key === undefined ? () => {} : rememberer(key, request, world, response),
			});
			// Before the journal has it: time may run on until then.
			call.done = tickOf(world);
			const own = key === undefined ? callOf(request, door) : undefined;
			if (written !== undefined && own !== undefined)
				keys.keepCall({ ...namingEntry(done.response, written.entry), key: own });
			return { done, written };
		};
		if (overtakes) return work();
		if (change.ahead !== undefined) {
			// What came before it is done, and may be what it asks for.
			await inLine(queue, call, () => {});
			await change.ahead();
		}
		return inLine(queue, call, work);
	}

	function answer(request: WireRequest, principal: Principal, door: Door, call: RunningCall) {
		const live = outside(request, call);
		return dispatch(
			new EngineHost(services, worlds, live, call),
			{
				method: request.method,
				path: request.path,
				principal,
				accept: request.headers.accept ?? '',
				session: tokenOf(request),
				authority: request.headers.host,
				world: MAIN,
				room: MAX_DOCUMENT_BYTES,
				turn: {
					count: (agent) => gate.count(agent),
					take: (change) => takeTurn(request, principal, door, change, live),
				},
				admit: () => checkIdentity(identity, request.headers),
				check: (match) => check(match, request),
			},
			(error) => internal(error, request),
		);
	}

	function scribeFrom(next: number, { journal, ...to }: Keeping, read?: Partial<StateEvery>): Scribe {
		const services: ScribeServices = {
			journal,
			epoch,
			worlds,
			assets,
			clock,
			now,
			isBusy: () => queue.busy,
			every: { ...to.STATE_EVERY, ...settings.stateEvery },
			state() {
				const held = { ...holdWorlds(worlds, identity), ...around() };
				return {
					// Answers to calls with a key are there when the journal has their entries, which is when this is packed.
					pack: (known) =>
						to.packState({ ...held, answers: keys.all(), calls: keys.calls() }, { journal, known, now }),
					drop: () => to.drop(held),
				};
			},
			changed: () => engine.onChange(),
			report,
		};
		return new to.Scribe(next, services, read);
	}

	/** What goes along with the worlds. */
	const around = () => ({
		lastWorld,
		...(verifier === null ? {} : { stopped: verifier.allStopped(worlds.all()) }),
		makers: gate.makers.all(),
		answers: keys.all(),
		assets: assets.all(),
	});

	const engine: Engine = {
		handle: handleFrom('process'),
		handleFrom,
		worlds,
		assets,
		happened,
		identity,
		alone: (work) => queue.post(work),
		rest: async (still = false) => scribe?.rest(still),
		release: () =>
			new Promise<void>((resolve, reject) => {
				const released = queue.post(async () => {
					await scribe?.release();
					resolve();
					// Whatever waits here waits for ever: the next engine does it.
					await new Promise<never>(() => {});
				});
				released.catch(reject);
			}),
		save: () => ({ ...saveWorlds(worlds, identity), ...around() }),
		setLastWorld(last) {
			lastWorld = last;
		},
		setFiles(next) {
			files = withApiErrors(next, mostFileBytes);
		},
		setDesk(desk) {
			gate.desk = desk;
		},
		setGated(gated) {
			gate.closed = gated;
		},
		setView(next) {
			view = next;
		},
		takeStatus() {
			return { ...mainStatus(), calls: log.take() };
		},
		onChange: () => {},
		cancelCalls() {
			for (const call of running.all()) call.cancel();
		},
		get journalTrouble() {
			return scribe?.trouble ?? null;
		},
		tryJournal: () => scribe?.tryAgain(),
		forgetCalls: (calls) => keys.forgetCalls(calls),
		async close() {
			playLoop.stop();
			await scribe?.close();
		},
	};

	/** Does a call as its entry says it was done. */
	async function again(request: WireRequest, call: RunningCall, told: Outside): Promise<Done> {
		const host = new EngineHost(services, worlds, told, call).from(told);
		let failed: unknown;
		const done = await dispatch(
			host,
			{
				method: request.method,
				path: request.path,
				principal: call.principal,
				accept: request.headers.accept ?? '',
				session: undefined,
				authority: undefined,
				world: MAIN,
				room: MAX_DOCUMENT_BYTES,
				turn: { count: () => {}, take: (change) => change.apply(change.host) },
				admit: () => {},
				check: (match) => check(match, request),
			},
			(error) => {
				failed = error;
				return internal(error, request);
			},
		);
		if (failed instanceof JournalError) throw failed;
		return done;
	}

	if (keeping !== null) {
		let next = 0;
		const began = now();
		if (kept !== null) {
			const { moment, replaying, pace } = settings;
			let rested = now();
			const progress = (at: number) => {
				replaying?.(at, kept.end);
				if (now() - rested < REPLAY_MS) return undefined;
				return yieldToEventLoop().then(() => {
					rested = now();
				});
			};
			const to: Replayed = {
				worlds,
				assets,
				keys,
				mostFileBytes,
				lineage: kept.lineage,
				call: again,
				progress,
				pace,
				divergedBefore,
			};
			next = await keeping.replay(to, keeping.journal, kept.at, moment);
		}
		if (settings.moment === undefined) {
			scribe = scribeFrom(next, keeping, { entries: next - (kept?.at ?? 0), work: now() - began });
			if (kept === null) await scribe.keepState();
			else scribe.keepStateWhenDue();
		}
	}
	begun = settings.moment === undefined;
	if (begun) playLoop.update();
	return engine;
}

/** Does something for a call when its turn in a queue comes; it is not done for one that is cancelled before. */
function inLine<T>(line: TurnQueue, call: RunningCall, work: () => T | Promise<T>): Promise<T> {
	const begin = () => {
		call.waiting = false;
		return work();
	};
	return line.post(begin, (ticket) => {
		call.waiting = true;
		call.onCancel = () =>
			ticket.leave(new ApiError('cancelled', 'The call was cancelled before it started.'));
	});
}

/** What came of a call that is done once. */
const doneOf = (once: { readonly done: Done } | { readonly again: WireResponse }): Done =>
	'done' in once ? once.done : { response: once.again, ok: once.again.status < 400 };

/** What is asked again is answered as it was. */
function once<Q, A>(ask: (question: Q) => Promise<A>): (question: Q) => Promise<A> {
	const answers = new Map<string, Promise<A>>();
	return (question) => {
		const said = JSON.stringify(question);
		const answer = answers.get(said) ?? ask(question);
		answers.set(said, answer);
		return answer;
	};
}

/** Loaded where it is asked for alone. */
async function verifierOf(
	{ verify, moment }: EngineSettings,
	report: (message: string, error: unknown) => void,
): Promise<Verifier | null> {
	if (verify === undefined || moment !== undefined) return null;
	if (!Number.isSafeInteger(verify) || verify < 1)
		throw new RangeError(`verify: ${verify} is no number of ticks`);
	const { Verifier } = await import('./verifier.ts');
	return new Verifier({ every: verify, found: (diverged) => report(diverged.message, diverged) });
}

const withJournal = () => import('./journal/with-journal.ts');

/** A journal, and what an engine needs with one. */
const keptWith = async (journal: Journal) => ({ journal, ...(await withJournal()) });

type Keeping = Awaited<ReturnType<typeof keptWith>>;

/** A world at a moment. Throws `journal_cut` and `no_moment`. */
async function worldThen(
	journal: Journal,
	sought: Sought,
	moment: Moment,
	more: EngineSettings,
): Promise<Then> {
	const { world: id } = sought;
	const { first, next } = await journal.extent();
	if (moment.entry > next) throw new ApiError('no_moment', `The journal has ${next} entries so far.`);
	if (moment.entry < first)
		throw new ApiError('journal_cut', `The oldest entry that is kept is ${first}; this is before it.`);
	return lookThen(journal, { ...moment, of: id }, more, ({ worlds }) => {
		const entry = worlds.find(id);
		if (entry === undefined || ('tick' in sought && entry.world.tick !== sought.tick))
			throw new ApiError('no_moment', `There was no world "${id}" then, or it was not at that tick.`);
		return {
			bytes: encodeWorld(entry.world),
			entry: moment.within === undefined ? moment.entry - 1 : moment.entry,
		};
	});
}

/** Looks at what was at a moment, and frees it. */
async function lookThen<T>(
	journal: Journal,
	moment: Moment,
	more: EngineSettings,
	look: (then: Engine) => T,
): Promise<T> {
	const then = await createEngine({ ...more, journal, moment }).catch(async (error: unknown) => {
		throw await cutMeanwhile(error, journal, moment);
	});
	try {
		return look(then);
	} finally {
		for (const { world, snapshots } of then.worlds.all())
			for (const one of new Set([world, ...snapshots.map((kept) => kept.world)])) dispose(one);
	}
}

/** Why a moment could not be made: others write meanwhile, and what it begins with may have been cut off for that. */
async function cutMeanwhile(error: unknown, journal: Journal, { from, entry }: Moment): Promise<unknown> {
	if (!(error instanceof JournalError)) return error;
	const { first } = await journal.extent();
	if (first <= (from ?? entry)) return error;
	return new ApiError(
		'journal_cut',
		`What this begins with was cut off meanwhile; the oldest entry is ${first} now.`,
	);
}

/** Longest time spent on entries before others get their turn (ms). */
const SLICE_MS = 8;

/** What a call makes again ends with it, and lets others have their turn. */
function paceOf(call: RunningCall, now: () => number): Pace {
	let resumed = now();
	return {
		begins(running) {
			call.onCancel = () => running.cancel();
		},
		async breathe() {
			if (now() - resumed >= SLICE_MS) {
				await yieldToEventLoop();
				resumed = now();
			}
			call.requireWanted();
		},
	};
}

/** What a journal has to go on with; null when it is empty. */
async function keptIn(journal: Journal, { next, states }: JournalExtent, moment: Moment | undefined) {
	if (next === 0 && states.length === 0) return null;
	const state = await journal.state(moment?.from ?? moment?.entry);
	if (state === null)
		throw new JournalError('damaged', 'The journal has entries, and no state that they begin with.');
	const { inflatedWhole, lineageOf, unpackState } = await withJournal();
	const lineage =
		moment?.of === undefined
			? null
			: await lineageOf(journal, moment.of, state.at, moment.entry + (moment.within === undefined ? 0 : 1));
	return {
		saved: await unpackState(state.bytes, journal, lineage),
		inflated: inflatedWhole,
		at: state.at,
		end: next,
		lineage,
	};
}
