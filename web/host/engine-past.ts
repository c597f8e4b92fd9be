/**
 * The past of an engine's worlds, read from its journal.
 * Owns: re-running it on separate engines, one at a time. They write nothing, and are freed afterwards.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import { type Journal, JournalError } from '../../shared/transport/journal.ts';
import { decodeEntry } from '../../shared/transport/journal-entry.ts';
import type {
	HostJournal,
	PastMoment,
	PastWorld,
	ReplayedCalls,
	ReplayTurn,
	UndoResult,
	UndoTurn,
} from '../api/host-journal.ts';
import { encodeWorld } from '../sim/core/codec.ts';
import { digest } from '../sim/core/digest.ts';
import { availableHashesOf } from '../sim/core/named-assets.ts';
import type { RunningCall } from '../store/call-list.ts';
import { bodyOfCall } from '../store/journal-body.ts';
import type { Worlds } from '../store/worlds.ts';
import type { EngineCore } from './engine-core.ts';
import type { EngineSettings } from './engine-settings.ts';
import { firstTick } from './journal/first-tick.ts';
import { linesOf, momentOf } from './journal/history.ts';
import { lifeOf } from './journal/life-trail.ts';
import { pastEvents } from './journal/past-events.ts';
import { recordedCalls } from './journal/recorded-calls.ts';
import type { ReplayEnd, ReplayPace } from './journal/replay.ts';
import { replayedWith } from './journal/replayed-with.ts';
import { undone } from './journal/undo-writes.ts';
import { queueCall } from './queued-call.ts';
import { Slices } from './slices.ts';
import { TurnQueue } from './turn-queue.ts';

/** Creates the worlds at a position of the journal, on an engine that writes nothing. */
export type CreateMoment = (settings: EngineSettings) => Promise<{ readonly worlds: Worlds }>;

export class EnginePast {
	readonly #core: EngineCore;
	readonly #create: CreateMoment;
	/** Queue of the re-runs. They run one at a time, because each has worlds of its own in memory. */
	readonly #queue: TurnQueue;

	constructor(core: EngineCore, create: CreateMoment) {
		this.#core = core;
		this.#queue = new TurnQueue(core.settings.turnMs);
		this.#create = create;
	}

	/** Access of the handlers to the journal. */
	get journal(): HostJournal {
		const core = this.#core;
		const { journal } = core.start;
		return {
			durable: journal.durable,
			extent: () => journal.extent(),
			trouble: () => (core.begun ? core.scribe.trouble : null),
			firstTick: (search, by) =>
				queueCall(this.#queue, by, async () => {
					await core.scribe.settled();
					const pace = this.#pace(by);
					const look = (moment: ReplayEnd) => this.#look(moment, pace, () => {});
					return firstTick(journal, search, core.now, pace, look);
				}),
			pastEvents: (search, by) =>
				queueCall(this.#queue, by, async () => {
					await core.scribe.settled();
					const pace = this.#pace(by);
					return pastEvents(journal, search, core.now, pace, (moment) => this.#look(moment, pace, () => {}));
				}),
			recordedPast: async (world, by) => {
				await core.scribe.settled();
				return recordedCalls(journal, world, this.#pace(by));
			},
			lifeOf: (search, by) =>
				queueCall(this.#queue, by, async () => {
					await core.scribe.settled();
					const pace = this.#pace(by);
					return lifeOf(journal, search, core.now, pace, (moment) => this.#look(moment, pace, () => {}));
				}),
			bodyOf: async (entry) => {
				const [bytes] = await journal.read(entry, 1);
				const { head, body } = decodeEntry(bytes!);
				return head.kind === 'call' ? bodyOfCall({ head, body }, journal, entry) : body;
			},
			lines: (from, limit, filter, by) => linesOf(journal, from, limit, filter, this.#pace(by)),
		};
	}

	/** Returns a function that rebuilds past worlds for a call. */
	momentsFor(call: RunningCall): (sought: PastMoment) => Promise<PastWorld> {
		return this.#onceEach(call, (sought) => this.#moment(sought, this.#pace(call)));
	}

	/** Returns a function that re-runs ranges of the journal with changed calls. */
	replaysFor(call: RunningCall): (turn: ReplayTurn) => Promise<ReplayedCalls> {
		return this.#onceEach(call, (turn) => this.#replayed(turn, call));
	}

	/** Returns a function that queues the work of a call. A repeated question gets the first answer. */
	#onceEach<A, T>(call: RunningCall, work: (asked: A) => Promise<T>): (asked: A) => Promise<T> {
		const answers = new Map<string, Promise<T>>();
		return (question) => {
			const key = JSON.stringify(question);
			const answer = answers.get(key) ?? queueCall(this.#queue, call, () => work(question));
			answers.set(key, answer);
			return answer;
		};
	}

	async #replayed(turn: ReplayTurn, call: RunningCall): Promise<ReplayedCalls> {
		const { worlds, start, scribe } = this.#core;
		await scribe.settled();
		const now = worlds.find(turn.world)?.world;
		const pace = this.#pace(call);
		return replayedWith(start.journal, turn, call.principal, now && digest(now), (at, look) =>
			this.#look(at, pace, look),
		);
	}

	/** Returns a world with a write undone or redone: from the kept copy, or by a re-run. */
	async undone(turn: UndoTurn, call: RunningCall): Promise<UndoResult> {
		const { worlds, start, scribe, befores } = this.#core;
		await scribe.settled();
		const { world } = worlds.find(turn.world)!;
		const undoable = befores.take(turn);
		if (
			undoable !== undefined &&
			availableHashesOf(undoable.counterpart).every((hash) => world.assets.find(hash) !== undefined)
		) {
			const { entry: took, call, counterpart } = undoable;
			// `journal.extent()` has the same number, but it needs a round trip to the relay.
			const entry = scribe.next - 1;
			return { bytes: encodeWorld(counterpart), entry, took, call, remade: 0 };
		}
		const pace = this.#pace(call);
		return undone(start.journal, turn, { digest: digest(world), assets: world.assets }, (at, look) =>
			this.#look(at, pace, look),
		);
	}

	/** Returns a past state of a world. Throws `journal_cut` and `no_moment`. */
	async #moment(sought: PastMoment, pace: ReplayPace): Promise<PastWorld> {
		const { start, scribe } = this.#core;
		const { journal } = start;
		await scribe.settled();
		const { world: id } = sought;
		const moment: ReplayEnd =
			'tick' in sought ? await momentOf(journal, id, sought.tick, pace) : { entry: sought.entry + 1 };
		const { first, next } = await journal.extent();
		if (moment.entry > next) throw new ApiError('no_moment', `The journal has ${next} entries so far.`);
		if (moment.entry < first)
			throw new ApiError(
				'journal_cut',
				`Entry ${moment.entry} is no longer stored. The oldest stored entry is ${first}.`,
			);
		return this.#look({ ...moment, of: id }, pace, (worlds) => {
			const entry = worlds.find(id);
			if (entry === undefined || ('tick' in sought && entry.world.tick !== sought.tick))
				throw new ApiError(
					'no_moment',
					`World "${id}" did not exist at that entry, or was not at that tick.`,
				);
			return {
				bytes: encodeWorld(entry.world),
				entry: moment.within === undefined ? moment.entry - 1 : moment.entry,
			};
		});
	}

	/** Rebuilds the worlds at a position of the journal, calls `look` with them, and frees them. */
	async #look<T>(moment: ReplayEnd, pace: ReplayPace, look: (worlds: Worlds) => T): Promise<T> {
		const { mostFileBytes, report, start } = this.#core;
		const { journal } = start;
		const { worlds } = await this.#create({ mostFileBytes, report, pace, journal, moment }).catch(
			async (error: unknown) => {
				throw await cutMeanwhile(error, journal, moment);
			},
		);
		try {
			return look(worlds);
		} finally {
			worlds.dispose();
		}
	}

	/** Returns the pace of the re-runs of a call: they end with the call, and yield to other calls. */
	#pace(call: RunningCall): ReplayPace {
		const slices = new Slices(call, this.#core.now);
		return {
			begins(running) {
				call.onCancel = () => running.cancel();
			},
			async breathe() {
				await slices.breathe();
				call.requireWanted();
			},
		};
	}
}

/**
 * Returns the error of a re-run. If the journal removed the needed entries during the re-run, returns `journal_cut`
 * instead.
 */
async function cutMeanwhile(error: unknown, journal: Journal, { from, entry }: ReplayEnd): Promise<unknown> {
	if (!(error instanceof JournalError)) return error;
	const { first } = await journal.extent();
	if (first <= (from ?? entry)) return error;
	return new ApiError(
		'journal_cut',
		`Entries that this call needs were removed while it ran. The oldest stored entry is ${first}.`,
	);
}
