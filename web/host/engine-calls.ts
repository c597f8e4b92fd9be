/**
 * Runs calls through an engine.
 * Owns: the order of the steps of a call: rights, key, queue, worlds, journal.
 * Never: depends on the transport of a call, except for its name.
 */

import { checkCall, checkDecodedCall } from '../../shared/contract/dispatch.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { pathAndQuery } from '../../shared/contract/path-and-query.ts';
import {
	isOperator,
	type Principal,
	principalOf,
	restrictedAgent,
	tokenOf,
} from '../../shared/contract/principal.ts';
import type { Route } from '../../shared/contract/route.ts';
import {
	type CallHandler,
	EMPTY_BODY,
	IDENTITY_HEADER,
	MAX_DOCUMENT_BYTES,
	type Transport,
	type WireRequest,
	type WireResponse,
} from '../../shared/contract/wire.ts';
import { JournalError } from '../../shared/transport/journal.ts';
import type { InnerAnswer, InnerCall } from '../api/context.ts';
import type { RunningCall } from '../store/call-list.ts';
import { keyOf, requestMark } from '../store/keys.ts';
import { MAIN } from '../store/worlds.ts';
import { type CallChange, type CallResult, dispatch, type Incoming, UNCOUNTED } from './dispatch.ts';
import type { EngineCore } from './engine-core.ts';
import { EngineHost, type EngineServices } from './engine-host.ts';
import type { EnginePast } from './engine-past.ts';
import { checkIdentity } from './identity.ts';
import { playingOf } from './journal/changes.ts';
import type { WrittenEntry } from './journal/entry-writer.ts';
import { Recording, RoomsAsked } from './journal/recording.ts';
import type { OutsideFacts } from './outside-facts.ts';
import { queueCall } from './queued-call.ts';
import { callOf, namingEntry, relayServicesFor } from './relay-call.ts';
import type { DrawingView } from './view-link.ts';

/** An accepted call that changes something and is not applied yet. */
interface AcceptedCall {
	readonly request: WireRequest;
	readonly principal: Principal;
	readonly door: Transport;
	readonly change: CallChange;
	readonly live: OutsideFacts;
	/** Key that the caller sent; undefined if there is none. */
	readonly key: string | undefined;
	/** Key of the transport, for a call without a key of its caller. */
	readonly call: string | undefined;
}

/** Result of an applied call. `written`: its entry in the journal; missing if it changed nothing. */
interface AppliedResult {
	readonly done: CallResult;
	readonly written?: WrittenEntry | undefined;
}

export class EngineCalls {
	readonly #core: EngineCore;
	readonly #past: EnginePast;
	readonly #services: EngineServices;

	constructor(core: EngineCore, past: EnginePast) {
		this.#core = core;
		this.#past = past;
		const answerWithin = (host: EngineHost, call: InnerCall) => this.#answerWithin(host, call);
		this.#services = { core, journal: past.journal, answerWithin };
	}

	/** Returns the handler of a transport. The log shows the transport of each call. The handler never rejects. */
	handleFrom(door: Transport): CallHandler {
		const { gate, running, now, start } = this.#core;
		return async (request, signal) => {
			const known = gate.principalOf(request, door);
			const principal = known instanceof Promise ? await known : known;
			const call = running.enter(request, principal, now(), MAIN);
			const cancel = () => call.cancel();
			if (signal?.aborted) cancel();
			signal?.addEventListener('abort', cancel);
			const outcome = await this.#answer(request, principal, door, call);
			signal?.removeEventListener('abort', cancel);
			running.leave(call);
			if (!UNCOUNTED.has(request.path)) this.#log(request, principal, door, call, outcome);
			const { response } = outcome;
			const headers = { ...response.headers, [IDENTITY_HEADER]: start.identity };
			const body = request.method === 'HEAD' ? response.body.subarray(0, 0) : response.body;
			return { status: response.status, headers, body };
		};
	}

	#log(
		request: WireRequest,
		principal: Principal,
		door: Transport,
		call: RunningCall,
		{ response, reads, world, fix }: Awaited<ReturnType<typeof dispatch>>,
	): void {
		const core = this.#core;
		core.log.add({
			number: call.number,
			tick: call.done ?? core.tickOf(world),
			door,
			// A call that changes something is listed under the name of the sign-in.
			sender: reads ? (principal.said ?? principal.name) : principal.name,
			method: request.method,
			path: request.path,
			world,
			status: response.status,
			ms: core.now() - call.arrived,
			...(fix === undefined ? {} : { fix }),
		});
		core.changed();
	}

	#answer(request: WireRequest, principal: Principal, door: Transport, call: RunningCall) {
		const { worlds, gate, start, running } = this.#core;
		const live = this.#outside(request, call);
		return dispatch(
			new EngineHost(this.#services, worlds, live, call),
			{
				...incomingOf(request, principal),
				session: tokenOf(request),
				authority: request.headers.host,
				turn: {
					count: (agent, calls) => {
						if (!isOperator(principal)) running.requirePlace(agent);
						gate.count(agent, calls);
					},
					take: (change) => this.#takeOnce(request, principal, door, change, live),
				},
				admit: () => checkIdentity(start.identity, request.headers),
			},
			(error) => this.#core.internal(error, request),
		);
	}

	/** Answers a request of a batch. */
	#answerWithin(host: EngineHost, call: InnerCall): Promise<InnerAnswer> {
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
				aside: call.aside === true,
				turn: null,
				admit: () => {},
				check: (match) => checkDecodedCall(match, { query, body: call.body }),
			},
			(error) => this.#core.internal(error, call),
		);
	}

	/** Runs work of the engine itself, without a call, on copies of worlds. */
	async beside<T>(work: (host: EngineHost) => Promise<T>): Promise<T> {
		const { running, worlds, now } = this.#core;
		const request = { method: 'POST', path: '/', query: '', headers: {}, body: EMPTY_BODY };
		const call = running.enter(request, principalOf(request, 'process'), now(), MAIN);
		try {
			return await work(new EngineHost(this.#services, worlds, this.#outside(request, call), call));
		} finally {
			running.leave(call);
		}
	}

	/** Re-runs a call as its journal entry recorded it. Rejects with a `JournalError`. */
	async again(request: WireRequest, call: RunningCall, facts: OutsideFacts): Promise<CallResult> {
		const host = new EngineHost(this.#services, this.#core.worlds, facts, call).from(facts);
		let failed: unknown;
		const done = await dispatch(
			host,
			{
				...incomingOf(request, call.principal),
				session: undefined,
				authority: undefined,
				turn: { count: () => {}, take: (change) => change.apply(change.host) },
				admit: () => {},
			},
			(error) => {
				failed = error;
				return this.#core.internal(error, request);
			},
		);
		if (failed instanceof JournalError) throw failed;
		this.#core.followWorlds();
		return done;
	}

	/**
	 * Returns the access to state outside the worlds. If an engine ended during a call, its request to the relay may have
	 * run already.
	 */
	#outside(request: WireRequest, call: RunningCall): OutsideFacts {
		const core = this.#core;
		return {
			files: core.files,
			relayServices: relayServicesFor(request, core.gate.relayServices),
			readPublic: async (path) => (await core.settings.readPublic?.(path)) ?? null,
			moment: this.#past.momentsFor(call),
			undone: (turn) => this.#past.undone(turn, call),
			replayed: this.#past.replaysFor(call),
			requireDrawing: async () => this.#drawing().require?.(),
			capture: async (entry, request) => this.#drawing().capture(entry, request),
		};
	}

	#drawing(): DrawingView {
		const { view } = this.#core;
		if (view === null) throw new ApiError('no_picture', 'This host does not draw.');
		return view;
	}

	/** Applies a change once per key, and stores it before the answer. */
	async #takeOnce(
		request: WireRequest,
		principal: Principal,
		door: Transport,
		change: CallChange,
		live: OutsideFacts,
	): Promise<CallResult> {
		const { keys, gate } = this.#core;
		const agent = restrictedAgent(principal);
		if (agent !== undefined) gate.requireJournal(agent);
		// A call that only ends other calls changes no world, so it may run twice.
		const key = isUnrecorded(change.route) ? undefined : keyOf(request, principal);
		const call = key === undefined ? callOf(request, door) : undefined;
		const taken: AcceptedCall = { request, principal, door, change, live, key, call };
		if (key !== undefined) {
			const mark = requestMark(request);
			return doneOf(await keys.once(key, mark, () => this.#takeKeyed(taken, key, mark)));
		}
		if (call === undefined) return this.#take(taken);
		return doneOf(await keys.once(call, '', () => this.#take(taken)));
	}

	async #take(taken: AcceptedCall): Promise<CallResult> {
		const { done, written } = await this.#inTurn(taken);
		return written === undefined ? done : this.#whenStored(done, written, taken.door);
	}

	async #takeKeyed(taken: AcceptedCall, key: string, mark: string): Promise<CallResult> {
		const { done, written } = await this.#inTurn(taken);
		await written?.kept.catch((error: unknown) => {
			this.#core.keys.lacks(key, mark);
			throw error;
		});
		return done;
	}

	/** Applies a change after all earlier changes. */
	async #inTurn(taken: AcceptedCall): Promise<AppliedResult> {
		const { queue } = this.#core;
		const { host, route, ahead } = taken.change;
		const overtakes = route.overtakes === true && queue.busy;
		const work = () => this.#apply(taken, overtakes);
		if (overtakes) return work();
		if (ahead !== undefined) {
			// Earlier changes run first, because the call may depend on them.
			await queueCall(queue, host.running, () => {});
			await ahead();
		}
		return queueCall(queue, host.running, work);
	}

	async #apply(
		{ request, principal, door, change, live, key, call }: AcceptedCall,
		overtakes: boolean,
	): Promise<AppliedResult> {
		const core = this.#core;
		const { keys, worlds, scribe } = core;
		const { host, world } = change;
		const mark = key === undefined ? '' : requestMark(request);
		const began = await scribe.begin(key !== undefined && keys.isLacked(key, mark));
		// The call may have been applied before the journal failed. Its key is known again now that the journal works.
		const wireResponse = key === undefined ? undefined : await keys.again(key, mark);
		if (wireResponse !== undefined) return { done: doneOf({ again: wireResponse }) };
		const at = core.clock();
		const recording = new Recording(live);
		const rooms = new RoomsAsked();
		const playing = overtakes ? JSON.stringify(playingOf(worlds)) : '';
		// A person undoes single steps, so the world before each step is kept.
		const isPersons = !overtakes && (door === 'page' || principal.name === PERSON);
		const before = isPersons ? core.befores.begin(world) : null;
		const done = await this.#whileAsking(overtakes ? null : rooms, () => change.apply(host.from(recording)));
		core.followWorlds();
		const isSame =
			isUnrecorded(change.route) ||
			(overtakes && key === undefined && playing === JSON.stringify(playingOf(worlds)));
		const onEntry = (entry: number): void => {
			if (key !== undefined) keys.keep([key, entry, at]);
		};
		const { running } = host;
		const applied = {
			began,
			request,
			door,
			principal,
			key,
			change,
			running,
			done,
			recording,
			rooms,
			had: onEntry,
		};
		const written = isSame ? undefined : await (overtakes ? scribe.overtook(applied) : scribe.end(applied));
		if (before !== null) core.befores.end(before, written?.entry ?? -1, written?.head);
		const agent = restrictedAgent(principal);
		if (written !== undefined && agent !== undefined) core.gate.countJournal(agent, written.bytes);
		// Set before the journal has stored the entry, because ticks may run until then.
		host.running.done = core.tickOf(world);
		if (written !== undefined && call !== undefined)
			keys.keepCall({ ...namingEntry(done.response, written.entry), key: call });
		return { done, written };
	}

	/**
	 * Applies a call, and records which memory checks fail. `rooms`: null for a call that runs during another call; its checks
	 * are not recorded.
	 */
	async #whileAsking(rooms: RoomsAsked | null, apply: () => Promise<CallResult>): Promise<CallResult> {
		if (rooms === null) return apply();
		const { worlds } = this.#core;
		worlds.room.override.checks = rooms;
		try {
			return await apply();
		} finally {
			worlds.room.override.checks = null;
		}
	}

	/** Resolves when the journal has stored a change. The relay waits itself, which saves a round trip. */
	async #whenStored(done: CallResult, { entry, kept }: WrittenEntry, door: Transport): Promise<CallResult> {
		if (door !== 'relay' || this.#core.start.journal.relayWaits !== true) {
			await kept;
			return done;
		}
		// The relay reports a failure to the caller.
		kept.catch(() => {});
		return { ...done, response: namingEntry(done.response, entry) };
	}
}

/** Sender of the calls of a person in a page without sign-in. */
const PERSON = 'you';

/** Returns true for calls about other calls. They are not recorded, because a replay has no running calls. */
const isUnrecorded = ({ overtakes, effect }: Route): boolean => overtakes === true && effect === 'view';

/** Returns the common fields of a call outside a batch, live or from the journal. */
const incomingOf = (
	request: WireRequest,
	principal: Principal,
): Omit<Incoming, 'session' | 'authority' | 'turn' | 'admit'> => ({
	method: request.method,
	path: request.path,
	principal,
	accept: request.headers.accept ?? '',
	world: MAIN,
	room: MAX_DOCUMENT_BYTES,
	check: (match) => checkCall(match, request),
});

/** Returns the result of a call: from its first run, or from the stored response. */
const doneOf = (once: { readonly done: CallResult } | { readonly again: WireResponse }): CallResult =>
	'done' in once ? once.done : { response: once.again, ok: once.again.status < 400 };
