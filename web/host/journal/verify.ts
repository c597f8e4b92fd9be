/**
 * Checks that a journal gives the same results when it is re-run, from each of its states to the next.
 * Owns: the description of the first difference: the entry, the world, the entities and fields in the next state, and the systems
 * that write these. It includes an earlier tick whose re-run differs.
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

/** First difference between a journal and its re-run. */
export interface JournalDifference {
	/** First entry whose result is known to differ. */
	readonly entry: number;
	/** Id of the world that differs; null if the difference is not in one world. */
	readonly world: string | null;
	readonly message: string;
	/** Entry after the compared state; null if no later state could be compared. */
	readonly state: number | null;
	/** Differences from the stored state to the re-run one; null without a compared state. */
	readonly differs: WorldDiff | null;
	/** Systems that declare that they write the differing fields. */
	readonly written_by: Writers;
	/** Result of heavy mode for the ticks since the last equal entry, up to this entry. */
	readonly again: RepeatedTicks;
}

/** Ticks that were verified as in heavy mode. */
export interface RepeatedTicks {
	/** Number of ticks that were re-run on a fork, and on a copy that was saved and loaded. */
	readonly ticks: number;
	/** First tick whose re-runs differ, with the system; null if none differs. */
	readonly diverged: Diverged | null;
}

/** Result of re-running a journal. */
export interface Verified {
	/** First entry that was re-run. */
	readonly first: number;
	/** Number of entries with equal results. */
	readonly entries: number;
	/** Number of states that the entries before them led to. */
	readonly states: number;
	/** States of the worlds at the end; empty if there is a difference. */
	readonly worlds: readonly {
		readonly world: string;
		readonly tick: number;
		readonly state_digest: string;
	}[];
	readonly difference: JournalDifference | null;
}

/** Called with the number of the next entry, and the number after the last entry. */
export type VerifyProgress = (next: number, end: number) => void;

export interface VerifyOptions {
	/** Last entry to re-run; the journal's last entry if omitted. */
	readonly to?: number | undefined;
	readonly progress?: VerifyProgress;
}

/**
 * Re-runs a journal from its oldest state on without a break, and compares every digest in it. Rejects with a `JournalError` if
 * it cannot be read.
 */
export async function replayJournal(journal: Journal, options: VerifyOptions = {}): Promise<Verified> {
	const { end, states } = await rangeOf(journal, options);
	return verify(journal, states.slice(0, 1), end, options);
}

/**
 * Re-runs a journal from each state to the next one, and compares every digest and these states. Rejects like `replayJournal`.
 */
export async function verifyJournal(journal: Journal, options: VerifyOptions = {}): Promise<Verified> {
	const { end, states } = await rangeOf(journal, options);
	return verify(journal, states, end, options);
}

async function rangeOf(journal: Journal, { to }: VerifyOptions) {
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
	for (const [index, from] of states.entries()) {
		const to = states[index + 1] ?? end;
		const hasNextState = index + 1 < states.length;
		const moment = { from, entry: to };
		const replaying = (next: number): void => progress?.(next, end);
		let difference: JournalDifference | null;
		try {
			difference = await withMoment(journal, moment, replaying, (engine) => {
				worlds = statesOf(engine);
				return hasNextState ? differenceToState(journal, engine, to) : null;
			});
		} catch (error) {
			if (!(error instanceof JournalDivergence)) throw error;
			difference = await differenceOf(journal, from, error);
		}
		if (difference !== null)
			return { first, entries: difference.entry - first, states: index, worlds: [], difference };
	}
	return { first, entries: end - first, states: states.length - 1, worlds, difference: null };
}

const statesOf = ({ worlds }: Engine): Verified['worlds'] =>
	worlds.all().map(({ id, world }) => ({ world: id, tick: world.tick, state_digest: digest(world) }));

/** Describes a divergence by its differences at the next state after it. */
async function differenceOf(
	journal: Journal,
	from: number,
	{ entry, world, message, lastEqual }: JournalDivergence,
): Promise<JournalDifference> {
	const again = await rerunInHeavyMode(journal, from, entry, lastEqual);
	const state = (await journal.extent()).states.find((at) => at > entry);
	const cause =
		state === undefined || world === null
			? null
			: await causeAtState(journal, { from, entry: state, isUnchecked: true }, world);
	if (cause === null) return { entry, world, message, state: null, differs: null, written_by: {}, again };
	return { entry, world, message, state: state!, ...cause, again };
}

/** Re-runs the entries up to `entry`. Verifies the ticks after entry `same` as in heavy mode. */
async function rerunInHeavyMode(
	journal: Journal,
	from: number,
	entry: number,
	same: number | null,
): Promise<RepeatedTicks> {
	const verifier = createVerifier();
	let entryNumber = from;
	const hasDiverged = () => verifier.firstFound !== null;
	const search = {
		onTick: hasDiverged,
		onEntryEnd(last: number) {
			entryNumber = last + 1;
			return hasDiverged();
		},
	};
	const moment: ReplayEnd = {
		from,
		entry: entry + 1,
		isUnchecked: true,
		search,
		verifier: () => (same === null || entryNumber > same ? verifier : null),
	};
	try {
		await withMoment(journal, moment, undefined, () => {});
	} catch (error) {
		// This divergence is the one that is described.
		if (!(error instanceof JournalDivergence)) throw error;
	}
	return { ticks: verifier.ticks, diverged: verifier.firstFound };
}

const createVerifier = () => new Verifier({ every: 1, onDivergence: () => {} });

/** Returns the differences between the worlds of an engine and those of a state; null if there are none. */
function differenceToState(journal: Journal, engine: Engine, to: number): Promise<JournalDifference | null> {
	return withMoment(journal, { entry: to }, undefined, (state) => {
		const ids = new Set([...state.worlds.all(), ...engine.worlds.all()].map(({ id }) => id));
		for (const id of ids) {
			const [stored, now] = [state.worlds.find(id)?.world, engine.worlds.find(id)?.world];
			if (stored !== undefined && now !== undefined && digest(stored) === digest(now)) continue;
			const message = `The entries before entry ${to} do not lead to the state stored there: the world "${id}" differs.`;
			const common = { entry: to - 1, world: id, message };
			if (stored === undefined || now === undefined)
				return { ...common, state: null, differs: null, written_by: {}, again: NO_RERUN };
			const cause = causeOf(stored, now);
			// If saving changes this world, any tick shows the difference.
			const verifier = createVerifier();
			verifier.runTick(id, now, undefined, () => void step(now));
			return { ...common, state: to, ...cause, again: { ticks: 1, diverged: verifier.firstFound } };
		}
		return null;
	});
}

const NO_RERUN: RepeatedTicks = { ticks: 0, diverged: null };

type DivergenceCause = Pick<JournalDifference, 'written_by'> & { readonly differs: WorldDiff };

function causeOf(stored: World, current: World): DivergenceCause {
	const differs = diffWorlds(stored, current, MAX_NAMED);
	return { differs, written_by: writersOf(differs, [stored, current]) };
}

/** Returns the differences of a world at a state, after a re-run that ignores other differences; null if that fails. */
async function causeAtState(
	journal: Journal,
	moment: ReplayEnd,
	id: string,
): Promise<DivergenceCause | null> {
	try {
		return await withMoment(journal, moment, undefined, (engine) =>
			withMoment(journal, { entry: moment.entry }, undefined, (state) => {
				const [then, now] = [state.worlds.find(id)?.world, engine.worlds.find(id)?.world];
				return then === undefined || now === undefined ? null : causeOf(then, now);
			}),
		);
	} catch (error) {
		// A world that cannot be rebuilt has no differences of fields.
		if (error instanceof JournalDivergence) return null;
		throw error;
	}
}

/** Rebuilds a moment on an engine, and calls `visit` with it. */
async function withMoment<T>(
	journal: Journal,
	moment: ReplayEnd,
	replaying: ((next: number) => void) | undefined,
	visit: (engine: Engine) => T | Promise<T>,
): Promise<T> {
	const engine = await createEngine({ journal, moment, ...(replaying === undefined ? {} : { replaying }) });
	try {
		return await visit(engine);
	} finally {
		engine.worlds.dispose();
	}
}
