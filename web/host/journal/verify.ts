/**
 * Checks that a journal gives the same results when it is re-run, from each of its states to the next.
 * Owns: naming the first difference: the entry, the world, and its entities and fields in the next state, with the
 * systems that write them. It also names an earlier tick whose re-run differs.
 */

import { type Journal, JournalError } from '../../../shared/transport/journal.ts';
import { digest } from '../../sim/core/digest.ts';
import type { World } from '../../sim/core/world.ts';
import { diffWorlds, type WorldDiff } from '../../sim/diff/diff-worlds.ts';
import { type Writers, writersOf } from '../../sim/diff/writers.ts';
import { step } from '../../sim/step.ts';
import { type Diverged, Verifier } from '../../store/verifier.ts';
import { createEngine, type Engine } from '../engine.ts';
import { JournalDivergence, type ReplayEnd } from './replay.ts';

/** Maximum number of entities that a difference names. */
const MAX_NAMED = 10;

export interface JournalDifference {
	/** The first entry that is known to come out otherwise. */
	readonly entry: number;
	/** The world that differs; null if it is not one world. */
	readonly world: string | null;
	readonly message: string;
	/** The entry before which the state stands that was compared; null if no state follows that could be. */
	readonly state: number | null;
	/** From what it was to what it is now, at that state. */
	readonly differs: WorldDiff | null;
	/** Systems that declare that they write what differs. */
	readonly written_by: Writers;
	/** Result of re-running the ticks of that entry, and those since the last equal one, in heavy mode. */
	readonly again: RepeatedTicks;
}

export interface RepeatedTicks {
	/** Ticks that were re-run on a fork, and on the world saved and loaded. */
	readonly ticks: number;
	/** The first of them that differed, with its system; null when all did. */
	readonly diverged: Diverged | null;
}

export interface Verified {
	/** The first entry that was re-run. */
	readonly first: number;
	/** Entries that came out as they did. */
	readonly entries: number;
	/** States that what came before them led to. */
	readonly states: number;
	/** State of the worlds after all; none if something differs. */
	readonly worlds: readonly {
		readonly world: string;
		readonly tick: number;
		readonly state_digest: string;
	}[];
	readonly difference: JournalDifference | null;
}

/** Called with the number of the next entry and of the one after the last. */
export type VerifyProgress = (next: number, end: number) => void;

export interface VerifyOptions {
	/** The last entry; that of the journal unless given. */
	readonly to?: number | undefined;
	readonly progress?: VerifyProgress;
}

/**
 * Re-runs a journal from its oldest state on, in one go, and compares every digest that is in it. Rejects with a
 * `JournalError` for one that cannot be read.
 */
export async function replayJournal(journal: Journal, options: VerifyOptions = {}): Promise<Verified> {
	const { end, states } = await spanOf(journal, options);
	return verify(journal, states.slice(0, 1), end, options);
}

/** Returns the same from each state to the next, which has to come of it. */
export async function verifyJournal(journal: Journal, options: VerifyOptions = {}): Promise<Verified> {
	const { end, states } = await spanOf(journal, options);
	return verify(journal, states, end, options);
}

async function spanOf(journal: Journal, { to }: VerifyOptions) {
	const { next, states } = await journal.extent();
	if (to !== undefined && to >= next)
		throw new JournalError('failed', `The journal has ${next} entries. The last one is ${next - 1}.`);
	const end = to === undefined ? next : to + 1;
	return { end, states: states.filter((at) => at <= end) };
}

async function verify(
	journal: Journal,
	states: readonly number[],
	end: number,
	{ progress }: VerifyOptions,
): Promise<Verified> {
	const first = states[0];
	if (first === undefined) throw new JournalError('damaged', 'The journal has no state to begin with.');
	let worlds: Verified['worlds'] = [];
	for (const [at, from] of states.entries()) {
		const to = states[at + 1] ?? end;
		const isState = at + 1 < states.length;
		const moment = { from, entry: to };
		const replaying = (next: number): void => progress?.(next, end);
		let difference: JournalDifference | null;
		try {
			difference = await lookAt(journal, moment, replaying, (engine) => {
				worlds = placesOf(engine);
				return isState ? unlikeState(journal, engine, to) : null;
			});
		} catch (error) {
			if (!(error instanceof JournalDivergence)) throw error;
			difference = await differenceOf(journal, from, error);
		}
		if (difference !== null)
			return { first, entries: difference.entry - first, states: at, worlds: [], difference };
	}
	return { first, entries: end - first, states: states.length - 1, worlds, difference: null };
}

const placesOf = ({ worlds }: Engine): Verified['worlds'] =>
	worlds.all().map(({ id, world }) => ({ world: id, tick: world.tick, state_digest: digest(world) }));

/** Outcome of a divergence at the next state after it. */
async function differenceOf(
	journal: Journal,
	from: number,
	{ entry, world, message, same }: JournalDivergence,
): Promise<JournalDifference> {
	const again = await madeAgain(journal, from, entry, same);
	const state = (await journal.extent()).states.find((at) => at > entry);
	const cause =
		state === undefined || world === null
			? null
			: await afterAll(journal, { from, entry: state, unchecked: true }, world);
	if (cause === null) return { entry, world, message, state: null, differs: null, written_by: {}, again };
	return { entry, world, message, state: state!, ...cause, again };
}

/** Makes the ticks up to an entry in heavy mode, from after the one that was last the same. */
async function madeAgain(
	journal: Journal,
	from: number,
	entry: number,
	same: number | null,
): Promise<RepeatedTicks> {
	const verifier = everyTick();
	let at = from;
	const isFound = () => verifier.firstFound !== null;
	const search = {
		ticked: isFound,
		ended(last: number) {
			at = last + 1;
			return isFound();
		},
	};
	const moment: ReplayEnd = {
		from,
		entry: entry + 1,
		unchecked: true,
		search,
		verifier: () => (same === null || at > same ? verifier : null),
	};
	try {
		await lookAt(journal, moment, undefined, () => {});
	} catch (error) {
		// That it cannot be resumed is what is being told of.
		if (!(error instanceof JournalDivergence)) throw error;
	}
	return { ticks: verifier.ticks, diverged: verifier.firstFound };
}

const everyTick = () => new Verifier({ every: 1, onDivergence: () => {} });

/** Returns the differences between the worlds of an engine and those of a state; null if there are none. */
function unlikeState(journal: Journal, engine: Engine, to: number): Promise<JournalDifference | null> {
	return lookAt(journal, { entry: to }, undefined, (state) => {
		const ids = new Set([...state.worlds.all(), ...engine.worlds.all()].map(({ id }) => id));
		for (const id of ids) {
			const [then, now] = [state.worlds.find(id)?.world, engine.worlds.find(id)?.world];
			if (then !== undefined && now !== undefined && digest(then) === digest(now)) continue;
			const message = `The entries before entry ${to} do not lead to the state stored there: the world "${id}" differs.`;
			const about = { entry: to - 1, world: id, message };
			if (then === undefined || now === undefined)
				return { ...about, state: null, differs: null, written_by: {}, again: NOT_AGAIN };
			const cause = causeOf(then, now);
			// A world that a save does not hold as it is shows it on any tick.
			const verifier = everyTick();
			verifier.runTick(id, now, undefined, () => void step(now));
			return { ...about, state: to, ...cause, again: { ticks: 1, diverged: verifier.firstFound } };
		}
		return null;
	});
}

const NOT_AGAIN: RepeatedTicks = { ticks: 0, diverged: null };

type DivergenceCause = Pick<JournalDifference, 'written_by'> & { readonly differs: WorldDiff };

function causeOf(then: World, now: World): DivergenceCause {
	const differs = diffWorlds(then, now, MAX_NAMED);
	return { differs, written_by: writersOf(differs, [then, now]) };
}

/**
 * Returns the difference of a world at a state, when all before it is re-run with any outcome; null if that fails.
 */
async function afterAll(journal: Journal, moment: ReplayEnd, id: string): Promise<DivergenceCause | null> {
	try {
		return await lookAt(journal, moment, undefined, (engine) =>
			lookAt(journal, { entry: moment.entry }, undefined, (state) => {
				const [then, now] = [state.worlds.find(id)?.world, engine.worlds.find(id)?.world];
				return then === undefined || now === undefined ? null : causeOf(then, now);
			}),
		);
	} catch (error) {
		// What is no world of its own any more has no difference of fields.
		if (error instanceof JournalDivergence) return null;
		throw error;
	}
}

/** Looks at what was at a moment. */
async function lookAt<T>(
	journal: Journal,
	moment: ReplayEnd,
	replaying: ((next: number) => void) | undefined,
	look: (engine: Engine) => T | Promise<T>,
): Promise<T> {
	const engine = await createEngine({ journal, moment, ...(replaying === undefined ? {} : { replaying }) });
	try {
		return await look(engine);
	} finally {
		engine.worlds.dispose();
	}
}
