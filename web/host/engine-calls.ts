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
import { keyOf, requestHash } from '../store/keys.ts';
import { MAIN } from '../store/worlds.ts';
import { type CallChange, type CallResult, dispatch, type Incoming, UNCOUNTED } from './dispatch.ts';
import type { EngineCore } from './engine-core.ts';
import { EngineHost, type EngineServices } from './engine-host.ts';
import type { EnginePast } from './engine-past.ts';
import { checkIdentity } from './identity.ts';
import { playingOf } from './journal/changes.ts';
import type { WrittenEntry } from './journal/entry-writer.ts';
import { RecordedChecks, RecordingFacts } from './journal/recording.ts';
import type { OutsideFacts } from './outside-facts.ts';
import { queueCall } from './queued-call.ts';
import { relayServicesFor, transportKeyOf, withEntryHeader } from './relay-call.ts';
import type { DrawingView } from './view-link.ts';

/** An accepted call that changes something and is not applied yet. */
interface AcceptedCall {
	readonly request: WireRequest;
	readonly principal: Principal;
	readonly door: Transport;
	readonly change: CallChange;
	readonly outside: OutsideFacts;
	/** Key that the caller sent; undefined if there is none. */
	readonly key: string | undefined;
	/** Key of the transport, for a call without a key of its caller. */
	readonly transportKey: string | undefined;
}

/** Result of an applied call. `written`: its entry in the journal; undefined if the call changed nothing. */
interface AppliedResult {
	readonly result: CallResult;
	readonly written?: WrittenEntry | undefined;
}

export class EngineCalls {
	readonly #core: EngineCore;
	readonly #past: EnginePast;
	readonly #services: EngineServices;

	constructor(core: EngineCore, past: EnginePast) {
		this.#core = core;
		this.#past = past;
		const answerInner = (host: EngineHost, call: InnerCall) => this.#answerInner(host, call);
		this.#services = { core, journal: past.journal, answerInner };
	}

	/** Returns the handler of a transport, which the log shows with each call. The handler never rejects. */
	handlerFor(door: Transport): CallHandler {
		const { gate, running, now, start } = this.#core;
		return async (request, signal) => {
			const signedIn = gate.principalOf(request, door);
			const principal = signedIn instanceof Promise ? await signedIn : signedIn;
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
		{ response, isRead, world, fix }: Awaited<ReturnType<typeof dispatch>>,
	): void {
		const core = this.#core;
		core.log.add({
			number: call.number,
			tick: call.endTick ?? core.tickOfWorld(world),
			door,
			// A call that changes something is listed under the name of the sign-in.
			sender: isRead ? (principal.said ?? principal.name) : principal.name,
			method: request.method,
			path: request.path,
			world,
			status: response.status,
			ms: core.now() - call.arrivalTime,
			...(fix === undefined ? {} : { fix }),
		});
		core.notifyChange();
	}

	#answer(request: WireRequest, principal: Principal, door: Transport, call: RunningCall) {
		const { worlds, gate, start, running } = this.#core;
		const outside = this.#outsideOf(request, call);
		return dispatch(
			new EngineHost(this.#services, worlds, outside, call),
			{
				...incomingOf(request, principal),
				session: tokenOf(request),
				authority: request.headers.host,
				queue: {
					countCalls: (agent, calls) => {
						if (!isOperator(principal)) running.requireFewCalls(agent);
						gate.countCalls(agent, calls);
					},
					run: (change) => this.#applyOncePerKey(request, principal, door, change, outside),
				},
				admit: () => checkIdentity(start.identity, request.headers),
			},
			(error) => this.#core.reportFault(error, request),
		);
	}

	/** Answers a request of a batch. */
	#answerInner(host: EngineHost, call: InnerCall): Promise<InnerAnswer> {
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
				maxAnswerBytes: call.maxAnswerBytes,
				isAside: call.isAside === true,
				queue: null,
				admit: () => {},
				check: (match) => checkDecodedCall(match, { query, body: call.body }),
			},
			(error) => this.#core.reportFault(error, call),
		);
	}

	/** Runs work of the engine itself, without a call, on copies of worlds. */
	async runBeside<T>(work: (host: EngineHost) => Promise<T>): Promise<T> {
		const { running, worlds, now } = this.#core;
		const request = { method: 'POST', path: '/', query: '', headers: {}, body: EMPTY_BODY };
		const call = running.enter(request, principalOf(request, 'process'), now(), MAIN);
		try {
			return await work(new EngineHost(this.#services, worlds, this.#outsideOf(request, call), call));
		} finally {
			running.leave(call);
		}
	}

	/** Re-runs a call as its journal entry recorded it. Rejects with a `JournalError`. */
	async rerun(request: WireRequest, call: RunningCall, facts: OutsideFacts): Promise<CallResult> {
		const host = new EngineHost(this.#services, this.#core.worlds, facts, call).from(facts);
		let fault: unknown;
		const result = await dispatch(
			host,
			{
				...incomingOf(request, call.principal),
				session: undefined,
				authority: undefined,
				queue: { countCalls: () => {}, run: (change) => change.apply(change.host) },
				admit: () => {},
			},
			(error) => {
				fault = error;
				return this.#core.reportFault(error, request);
			},
		);
		if (fault instanceof JournalError) throw fault;
		this.#core.followWorlds();
		return result;
	}

	/** Returns the access to state outside the worlds. An engine may have ended during the call, after a request to the relay ran. */
	#outsideOf(request: WireRequest, call: RunningCall): OutsideFacts {
		const core = this.#core;
		return {
			files: core.files,
			relayServices: relayServicesFor(request, core.gate.relayServices),
			readPublic: async (path) => (await core.settings.readPublic?.(path)) ?? null,
			pastWorld: this.#past.pastWorldsFor(call),
			worldAfterUndo: (request) => this.#past.rebuildAfterUndo(request, call),
			replayedRange: this.#past.replaysFor(call),
			requireDrawing: async () => this.#drawing().require?.(),
			capture: async (entry, request) => this.#drawing().capture(entry, request),
		};
	}

	#drawing(): DrawingView {
		const { view } = this.#core;
		if (view === null) throw new ApiError('no_picture', 'This host does not draw.');
		return view;
	}

	/** Applies a change at most once per key. It is stored before the answer. */
	async #applyOncePerKey(
		request: WireRequest,
		principal: Principal,
		door: Transport,
		change: CallChange,
		outside: OutsideFacts,
	): Promise<CallResult> {
		const { keys, gate } = this.#core;
		const agent = restrictedAgent(principal);
		if (agent !== undefined) gate.requireJournal(agent);
		// A call that only ends other calls changes no world, so it may run twice.
		const key = isUnrecorded(change.route) ? undefined : keyOf(request, principal);
		const transportKey = key === undefined ? transportKeyOf(request, door) : undefined;
		const accepted: AcceptedCall = { request, principal, door, change, outside, key, transportKey };
		if (key !== undefined) {
			const mark = requestHash(request);
			return resultOf(await keys.applyOnce(key, mark, () => this.#applyKeyed(accepted, key, mark)));
		}
		if (transportKey === undefined) return this.#applyAndStore(accepted);
		return resultOf(await keys.applyOnce(transportKey, '', () => this.#applyAndStore(accepted)));
	}

	async #applyAndStore(accepted: AcceptedCall): Promise<CallResult> {
		const { result, written } = await this.#applyInOrder(accepted);
		return written === undefined ? result : this.#whenStored(result, written, accepted.door);
	}

	async #applyKeyed(accepted: AcceptedCall, key: string, mark: string): Promise<CallResult> {
		const { result, written } = await this.#applyInOrder(accepted);
		await written?.stored.catch((error: unknown) => {
			this.#core.keys.markUnstored(key, mark);
			throw error;
		});
		return result;
	}

	/** Applies a change after all earlier changes. */
	async #applyInOrder(accepted: AcceptedCall): Promise<AppliedResult> {
		const { queue } = this.#core;
		const { host, route, prepare } = accepted.change;
		const isOvertaking = route.overtakes === true && queue.isBusy;
		const work = () => this.#apply(accepted, isOvertaking);
		if (isOvertaking) return work();
		if (prepare !== undefined) {
			// Earlier changes run first, because the call may depend on them.
			await queueCall(queue, host.running, () => {});
			await prepare();
		}
		return queueCall(queue, host.running, work);
	}

	async #apply(
		{ request, principal, door, change, outside, key, transportKey }: AcceptedCall,
		isOvertaking: boolean,
	): Promise<AppliedResult> {
		const core = this.#core;
		const { keys, worlds, entryWriter } = core;
		const { host, world } = change;
		const mark = key === undefined ? '' : requestHash(request);
		const beginTime = await entryWriter.prepare(key !== undefined && keys.isUnstored(key, mark));
		// The call may have been applied before the journal failed. Its key is known again now that the journal works.
		const earlierAnswer = key === undefined ? undefined : await keys.findAnswer(key, mark);
		if (earlierAnswer !== undefined) return { result: resultOf({ again: earlierAnswer }) };
		const time = core.clock();
		const recording = new RecordingFacts(outside);
		const roomChecks = new RecordedChecks();
		const playing = isOvertaking ? JSON.stringify(playingOf(worlds)) : '';
		// A person undoes single steps, so the world before each step is kept.
		const isByPerson = !isOvertaking && (door === 'page' || principal.name === PERSON);
		const undoCopy = isByPerson ? core.undoCopies.begin(world) : null;
		const result = await this.#recordingChecks(isOvertaking ? null : roomChecks, () =>
			change.apply(host.from(recording)),
		);
		core.followWorlds();
		const isUnchanged =
			isUnrecorded(change.route) ||
			(isOvertaking && key === undefined && playing === JSON.stringify(playingOf(worlds)));
		const onStored = (entry: number): void => {
			if (key !== undefined) keys.keepKey([key, entry, time]);
		};
		const { running } = host;
		const applied = {
			beginTime,
			request,
			door,
			principal,
			key,
			change,
			running,
			result,
			recording,
			roomChecks,
			onStored,
		};
		const written = isUnchanged
			? undefined
			: await (isOvertaking ? entryWriter.writeOvertaking(applied) : entryWriter.writeCall(applied));
		if (undoCopy !== null) core.undoCopies.end(undoCopy, written?.entry ?? -1, written?.head);
		const agent = restrictedAgent(principal);
		if (written !== undefined && agent !== undefined) core.gate.countJournalBytes(agent, written.bytes);
		// Set before the journal has stored the entry, because ticks may run until then.
		host.running.endTick = core.tickOfWorld(world);
		if (written !== undefined && transportKey !== undefined)
			keys.keepCall({ ...withEntryHeader(result.response, written.entry), key: transportKey });
		return { result, written };
	}

	/**
	 * Applies a call, and records which memory checks fail. `roomChecks`: null for a call that runs during another call; its checks
	 * are not recorded.
	 */
	async #recordingChecks(
		roomChecks: RecordedChecks | null,
		apply: () => Promise<CallResult>,
	): Promise<CallResult> {
		if (roomChecks === null) return apply();
		const { worlds } = this.#core;
		worlds.room.override.checks = roomChecks;
		try {
			return await apply();
		} finally {
			worlds.room.override.checks = null;
		}
	}

	/** Resolves when the journal has stored a change. The relay waits itself, which saves a round trip. */
	async #whenStored(done: CallResult, { entry, stored }: WrittenEntry, door: Transport): Promise<CallResult> {
		if (door !== 'relay' || this.#core.start.journal.relayWaits !== true) {
			await stored;
			return done;
		}
		// The relay reports a failure to the caller.
		stored.catch(() => {});
		return { ...done, response: withEntryHeader(done.response, entry) };
	}
}

/** Sender of the calls of a person in a page without sign-in. */
const PERSON = 'you';

/** Returns true for calls that only end other calls. They are not recorded, because a replay has no running calls. */
const isUnrecorded = ({ overtakes, effect }: Route): boolean => overtakes === true && effect === 'view';

/** Returns the common fields of a call outside a batch, live or from the journal. */
const incomingOf = (
	request: WireRequest,
	principal: Principal,
): Omit<Incoming, 'session' | 'authority' | 'queue' | 'admit'> => ({
	method: request.method,
	path: request.path,
	principal,
	accept: request.headers.accept ?? '',
	world: MAIN,
	maxAnswerBytes: MAX_DOCUMENT_BYTES,
	check: (match) => checkCall(match, request),
});

/** Returns the result of a call: from its first run, or from the stored response. */
const resultOf = (outcome: { readonly done: CallResult } | { readonly again: WireResponse }): CallResult =>
	'done' in outcome ? outcome.done : { response: outcome.again, ok: outcome.again.status < 400 };
