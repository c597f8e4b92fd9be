/**
 * Runs the ticks of a call on one world.
 * Owns: the order of each tick with checks and traces, and the pauses for other calls.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import type { StepOptions } from '../api/context.ts';
import { withCompletedTicks } from '../sim/completed-ticks.ts';
import { hasStaleParts, rebuildParts } from '../sim/core/derived-parts.ts';
import { type TracedTick, tracedStep } from '../sim/peek/traced-step.ts';
import { step } from '../sim/step.ts';
import type { RunningCall } from '../store/call-list.ts';
import type { WorldEntry, Worlds } from '../store/worlds.ts';
import type { Announcements } from './announcements.ts';
import type { EngineCore } from './engine-core.ts';
import type { Slices } from './slices.ts';

/** Maximum number of draws in the traces of a call. */
const MAX_TRACED = 100_000;

/** Only every Nth tick of a call is timed per system, because reading the clock costs as much as an idle tick. */
const TIMED_EVERY = 8;

export interface TickRunOptions {
	readonly core: EngineCore;
	readonly worlds: Worlds;
	readonly running: RunningCall;
	readonly slices: Slices;
	readonly happenings: Announcements;
	/** True if the worlds are a copy, whose changes are not announced. */
	readonly onCopy: boolean;
}

export class TickRun {
	readonly #options: TickRunOptions;
	readonly #entry: WorldEntry;
	readonly #ticks: number;
	readonly #stepOptions: StepOptions;
	/**
	 * False for a trial copy, such as that of a probe. It is not the world with that id, and its changes are not
	 * announced.
	 */
	readonly #isKept: boolean;
	readonly #traced: TracedTick[] = [];
	/** Number of draws and ticks in the traces of the call. */
	#draws: number;
	/** Number of completed ticks. */
	#completedTicks = 0;

	constructor(options: TickRunOptions, entry: WorldEntry, ticks: number, stepOptions: StepOptions) {
		this.#options = options;
		this.#entry = entry;
		this.#ticks = ticks;
		this.#stepOptions = stepOptions;
		this.#isKept = options.worlds.find(entry.id) === entry;
		this.#draws = stepOptions.tracedBefore ?? 0;
	}

	/** Runs the ticks. Resolves with the requested traces. */
	async run(): Promise<readonly TracedTick[]> {
		const { worlds, running, happenings } = this.#options;
		const { light = false, partOf = { made: 0, of: this.#ticks } } = this.#stepOptions;
		const entry = this.#entry;
		if (this.#ticks > 0)
			light ? worlds.room.checkBeforeTicks(entry) : worlds.room.checkRoom(entry, entry.maker);
		running.advancing = this.#isKept ? entry : null;
		if (this.#isKept && this.#ticks > 0) happenings.beforeTicks(entry);
		try {
			while (this.#completedTicks < this.#ticks && this.#canContinue()) await this.#tick();
			return this.#traced;
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			throw withCompletedTicks(error, partOf.made + this.#completedTicks, partOf.of, entry.world);
		} finally {
			if (this.#completedTicks > 0 && !light) worlds.room.acceptTicks(entry);
		}
	}

	/** Returns false if the call is paused or its condition is met. Throws if it must not run another tick. */
	#canContinue(): boolean {
		const { core, worlds, running } = this.#options;
		const { world } = this.#entry;
		running.edge();
		const stopped = core.verifying?.errorOf(world);
		if (stopped) running.diverge(stopped);
		running.requireWanted();
		if (this.#completedTicks > 0) worlds.room.checkAfterTick(this.#entry);
		return running.endsHere() !== 'paused' && this.#stepOptions.enough?.(world) !== true;
	}

	async #tick(): Promise<void> {
		const { core, worlds, running, slices, happenings } = this.#options;
		const { choosing, ticked, trace = false, light = false } = this.#stepOptions;
		const entry = this.#entry;
		const verifier = core.verifying;
		if (hasStaleParts(entry.world)) await slices.run(rebuildParts(entry.world));
		const decides = this.#completedTicks === 0 ? choosing : undefined;
		const isTraced = trace || (!light && this.#completedTicks === this.#ticks - 1);
		const isTimed = entry === worlds.main && this.#completedTicks % TIMED_EVERY === 0;
		const observer = isTimed ? core.profiler : undefined;
		if (isTraced && this.#draws > MAX_TRACED) throw tooManyTraced();
		const chooser = decides?.();
		const work = isTraced ? tracedStep(entry.world, observer, chooser) : null;
		// The first slice runs the tick, which is kept. Computing the distribution of its draws may take longer.
		let begun: IteratorResult<void, TracedTick> | undefined;
		const tick = (): void => {
			begun = work?.next();
			if (work === null) step(entry.world, observer, chooser);
		};
		const diverged = verifier?.runTick(entry.id, entry.world, decides, tick);
		if (verifier === null) tick();
		this.#completedTicks++;
		running.ticks++;
		if (running.advancing !== null) running.happened.note(entry);
		running.edge();
		if (this.#isKept) happenings.madeTick(entry);
		if (work !== null) {
			const traced = await slices.run(work, begun);
			this.#traced.push(traced);
			this.#draws += traced.choices.length + 1;
		}
		const after = ticked?.(entry.world);
		if (after !== undefined) await slices.run(after);
		if (diverged) running.diverge(diverged);
		this.#endIfDiverged(!diverged);
		if (slices.isTired) {
			core.changed();
			await slices.rest();
		}
	}

	/** Ends the call after a tick that diverged. The tick stays, also in a replay. `before`: an earlier tick diverged. */
	#endIfDiverged(before: boolean): void {
		const { core, running, onCopy } = this.#options;
		if (running.stop !== 'diverged') return;
		if (before && !onCopy) core.divergedBefore(this.#entry);
		running.requireWanted();
	}
}

function tooManyTraced(): ApiError {
	return new ApiError('answer_too_large', `The trace has more than ${MAX_TRACED} draws.`, {
		fix: 'Step fewer ticks per call, or omit "trace".',
	});
}
