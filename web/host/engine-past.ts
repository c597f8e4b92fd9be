/**
 * The past of an engine's worlds, read from its journal.
 * Owns: the re-runs on separate engines, which write nothing and are freed afterwards. They run one at a time, except undos.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { type Journal, JournalError } from '../../shared/transport/journal.ts';
import { decodeEntry } from '../../shared/transport/journal-entry.ts';
import type {
	HostJournal,
	PastMoment,
	PastWorld,
	ReplayedCalls,
	ReplayRequest,
	UndoRequest,
	UndoResult,
} from '../api/host-journal.ts';
import { encodeWorld } from '../sim/core/codec.ts';
import { digest } from '../sim/core/digest.ts';
import { availableHashesOf } from '../sim/core/named-assets.ts';
import type { RunningCall } from '../store/call-list.ts';
import { bodyOfCall } from '../store/journal-body.ts';
import type { Worlds } from '../store/worlds.ts';
import type { EngineCore } from './engine-core.ts';
import type { EngineSettings } from './engine-settings.ts';
import { searchFirstTick } from './journal/first-tick.ts';
import { linesOf, momentOf } from './journal/history.ts';
import { lifeOf } from './journal/life-trail.ts';
import { searchPastEvents } from './journal/past-events.ts';
import { recordedCalls } from './journal/recorded-calls.ts';
import type { ReplayEnd, ReplayPace } from './journal/replay.ts';
import { replayWithChanges } from './journal/replayed-with.ts';
import { undoWrite } from './journal/undo-writes.ts';
import { queueCall } from './queued-call.ts';
import { Slices } from './slices.ts';
import { TurnQueue } from './turn-queue.ts';

/** Creates the worlds at a position of the journal, on an engine that writes nothing. */
export type CreatePast = (settings: EngineSettings) => Promise<{ readonly worlds: Worlds }>;

export class EnginePast {
	readonly #core: EngineCore;
	readonly #create: CreatePast;
	/**
	 * Queue of the re-runs. They run one at a time, because each needs memory for its own worlds. An undo is not in it: it runs in
	 * the queue of writes, and may run beside one of these.
	 */
	readonly #queue: TurnQueue;

	constructor(core: EngineCore, create: CreatePast) {
		this.#core = core;
		this.#queue = new TurnQueue(core.settings.turnMs);
		this.#create = create;
	}

	/** Returns the handlers' access to the journal. */
	get journal(): HostJournal {
		const core = this.#core;
		const { journal } = core.start;
		return {
			durable: journal.durable,
			extent: () => journal.extent(),
			currentTrouble: () => (core.isReplayed ? core.entryWriter.trouble : null),
			findFirstTick: (search, by) =>
				queueCall(this.#queue, by, async () => {
					await core.entryWriter.whenSettled();
					const pace = this.#pace(by);
					const rebuild = (end: ReplayEnd) => this.#withPast(end, pace, () => {});
					return searchFirstTick(journal, search, core.now, pace, rebuild);
				}),
			findPastEvents: (search, by) =>
				queueCall(this.#queue, by, async () => {
					await core.entryWriter.whenSettled();
					const pace = this.#pace(by);
					return searchPastEvents(journal, search, core.now, pace, (end) =>
						this.#withPast(end, pace, () => {}),
					);
				}),
			findRecordedCalls: async (world, by) => {
				await core.entryWriter.whenSettled();
				return recordedCalls(journal, world, this.#pace(by));
			},
			lifeOf: (search, by) =>
				queueCall(this.#queue, by, async () => {
					await core.entryWriter.whenSettled();
					const pace = this.#pace(by);
					return lifeOf(journal, search, core.now, pace, (end) => this.#withPast(end, pace, () => {}));
				}),
			bodyOf: async (entry) => {
				const [bytes] = await journal.read(entry, 1);
				const { head, body } = decodeEntry(bytes!);
				return head.kind === 'call' ? bodyOfCall({ head, body }, journal, entry) : body;
			},
			findLines: (from, limit, filter, by) => linesOf(journal, from, limit, filter, this.#pace(by)),
		};
	}

	/** Returns a function that rebuilds past worlds for a call. */
	pastWorldsFor(call: RunningCall): (position: PastMoment) => Promise<PastWorld> {
		return this.#onceEach(call, (position) => this.#rebuildPastWorld(position, this.#pace(call)));
	}

	/** Returns a function that re-runs ranges of the journal with changed calls. */
	replaysFor(call: RunningCall): (request: ReplayRequest) => Promise<ReplayedCalls> {
		return this.#onceEach(call, (request) => this.#rerunRange(request, call));
	}

	/** Returns a function that queues work for a call. An equal question gets the first answer again. */
	#onceEach<A, T>(call: RunningCall, work: (question: A) => Promise<T>): (asked: A) => Promise<T> {
		const answers = new Map<string, Promise<T>>();
		return (question) => {
			const key = JSON.stringify(question);
			const answer = answers.get(key) ?? queueCall(this.#queue, call, () => work(question));
			answers.set(key, answer);
			return answer;
		};
	}

	async #rerunRange(request: ReplayRequest, call: RunningCall): Promise<ReplayedCalls> {
		const { worlds, start, entryWriter } = this.#core;
		await entryWriter.whenSettled();
		const current = worlds.find(request.world)?.world;
		const pace = this.#pace(call);
		return replayWithChanges(
			start.journal,
			request,
			call.principal,
			current && digest(current),
			(end, visit) => this.#withPast(end, pace, visit),
		);
	}

	/** Returns a world with a write undone or redone: from the kept copy, or by a re-run. */
	async rebuildAfterUndo(request: UndoRequest, call: RunningCall): Promise<UndoResult> {
		const { worlds, start, entryWriter, undoCopies } = this.#core;
		await entryWriter.whenSettled();
		const { world } = worlds.find(request.world)!;
		const undoable = undoCopies.take(request);
		if (
			undoable !== undefined &&
			availableHashesOf(undoable.counterpart).every((hash) => world.assets.find(hash) !== undefined)
		) {
			const { entry: target, call, counterpart } = undoable;
			// `journal.extent()` has the same number, but it needs a round trip to the relay.
			const entry = entryWriter.next - 1;
			return { bytes: encodeWorld(counterpart), entry, took: target, call, remade: 0 };
		}
		const pace = this.#pace(call);
		return undoWrite(start.journal, request, { digest: digest(world), assets: world.assets }, (end, visit) =>
			this.#withPast(end, pace, visit),
		);
	}

	/** Returns a past state of a world. Throws `journal_cut` or `no_moment`. */
	async #rebuildPastWorld(position: PastMoment, pace: ReplayPace): Promise<PastWorld> {
		const { start, entryWriter } = this.#core;
		const { journal } = start;
		await entryWriter.whenSettled();
		const { world: id } = position;
		const end: ReplayEnd =
			'tick' in position ? await momentOf(journal, id, position.tick, pace) : { entry: position.entry + 1 };
		const { first, next } = await journal.extent();
		if (end.entry > next) throw new ApiError('no_moment', `The journal has ${next} entries so far.`);
		if (end.entry < first)
			throw new ApiError(
				'journal_cut',
				`Entry ${end.entry} is no longer stored. The oldest stored entry is ${first}.`,
			);
		return this.#withPast({ ...end, world: id }, pace, (worlds) => {
			const entry = worlds.find(id);
			if (entry === undefined || ('tick' in position && entry.world.tick !== position.tick))
				throw new ApiError(
					'no_moment',
					`World "${id}" did not exist at that entry, or was not at that tick.`,
				);
			return {
				bytes: encodeWorld(entry.world),
				entry: end.within === undefined ? end.entry - 1 : end.entry,
			};
		});
	}

	/** Rebuilds the worlds at a position of the journal, calls `visit` with them, and frees them. */
	async #withPast<T>(end: ReplayEnd, pace: ReplayPace, visit: (worlds: Worlds) => T): Promise<T> {
		const { maxFileBytes, report, start } = this.#core;
		const { journal } = start;
		const { worlds } = await this.#create({
			mostFileBytes: maxFileBytes,
			report,
			pace,
			journal,
			moment: end,
		}).catch(async (error: unknown) => {
			throw await explainReplayError(error, journal, end);
		});
		try {
			return visit(worlds);
		} finally {
			worlds.dispose();
		}
	}

	/** Returns the pace of the re-runs of a call: they end with the call, and yield to other calls. */
	#pace(call: RunningCall): ReplayPace {
		const slices = new Slices(call, this.#core.now);
		return {
			onCall(running) {
				call.onCancel = () => running.cancel();
			},
			async yieldIfDue() {
				await slices.pauseIfDue();
				call.requireRunning();
			},
		};
	}
}

/**
 * Returns the error of a re-run. If the journal removed the needed entries during the re-run, returns `journal_cut`
 * instead.
 */
async function explainReplayError(
	error: unknown,
	journal: Journal,
	{ from, entry }: ReplayEnd,
): Promise<unknown> {
	if (!(error instanceof JournalError)) return error;
	const { first } = await journal.extent();
	if (first <= (from ?? entry)) return error;
	return new ApiError(
		'journal_cut',
		`Entries that this call needs were removed while it ran. The oldest stored entry is ${first}.`,
	);
}
