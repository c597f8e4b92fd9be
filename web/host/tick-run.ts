/**
 * Runs the ticks of a call in one world.
 * Owns: the order of tick, checks and traces, and the pauses for other calls.
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
const MAX_TRACED_DRAWS = 100_000;

/** Number of a call's ticks of which one is timed per system. Reading the clock costs as much as an idle tick. */
const TIMING_INTERVAL = 8;

export interface TickRunOptions {
	readonly core: EngineCore;
	readonly worlds: Worlds;
	readonly running: RunningCall;
	readonly slices: Slices;
	readonly announcements: Announcements;
	/** True if the worlds are a copy, whose changes may still be discarded. */
	readonly isCopy: boolean;
}

export class TickRun {
	readonly #options: TickRunOptions;
	readonly #entry: WorldEntry;
	readonly #ticks: number;
	readonly #stepOptions: StepOptions;
	/** False for a trial copy, such as the copy of a probe. Its changes are not announced. */
	readonly #isKept: boolean;
	readonly #traced: TracedTick[] = [];
	/** Number of draws and ticks in the traces of the call. */
	#tracedDraws: number;
	/** Number of completed ticks. */
	#completedTicks = 0;

	constructor(options: TickRunOptions, entry: WorldEntry, ticks: number, stepOptions: StepOptions) {
		this.#options = options;
		this.#entry = entry;
		this.#ticks = ticks;
		this.#stepOptions = stepOptions;
		this.#isKept = options.worlds.find(entry.id) === entry;
		this.#tracedDraws = stepOptions.tracedDraws ?? 0;
	}

	/** Runs the ticks. Resolves with the traces. */
	async run(): Promise<readonly TracedTick[]> {
		const { worlds, running, announcements } = this.#options;
		const { isLight = false, partOf = { made: 0, of: this.#ticks } } = this.#stepOptions;
		const entry = this.#entry;
		if (this.#ticks > 0)
			isLight ? worlds.room.checkBeforeTicks(entry) : worlds.room.checkRoom(entry, entry.maker);
		running.advancing = this.#isKept ? entry : null;
		if (this.#isKept && this.#ticks > 0) announcements.beforeTicks(entry);
		try {
			while (this.#completedTicks < this.#ticks && this.#canContinue()) await this.#tick();
			return this.#traced;
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			throw withCompletedTicks(error, partOf.made + this.#completedTicks, partOf.of, entry.world);
		} finally {
			if (this.#completedTicks > 0 && !isLight) worlds.room.acceptTicks(entry);
		}
	}

	/** Returns false if the call is paused or its condition is met. Throws if it must not run another tick. */
	#canContinue(): boolean {
		const { core, worlds, running } = this.#options;
		const { world } = this.#entry;
		running.countEdge();
		const stopped = core.activeVerifier?.errorOf(world);
		if (stopped) running.diverge(stopped);
		running.requireRunning();
		if (this.#completedTicks > 0) worlds.room.checkAfterTick(this.#entry);
		return running.stopAtEdge() !== 'paused' && this.#stepOptions.isDone?.(world) !== true;
	}

	async #tick(): Promise<void> {
		const { core, worlds, running, slices, announcements } = this.#options;
		const { chooserFactory: choosing, afterTick, trace = false, isLight = false } = this.#stepOptions;
		const entry = this.#entry;
		const verifier = core.activeVerifier;
		if (hasStaleParts(entry.world)) await slices.run(rebuildParts(entry.world));
		const chooserFactory = this.#completedTicks === 0 ? choosing : undefined;
		const isTraced = trace || (!isLight && this.#completedTicks === this.#ticks - 1);
		const isTimed = entry === worlds.main && this.#completedTicks % TIMING_INTERVAL === 0;
		const observer = isTimed ? core.profiler : undefined;
		if (isTraced && this.#tracedDraws > MAX_TRACED_DRAWS) throw tooManyDraws();
		const chooser = chooserFactory?.();
		const work = isTraced ? tracedStep(entry.world, observer, chooser) : null;
		// The first slice runs the tick, which is kept. Computing the distribution of its draws may take longer.
		let first: IteratorResult<void, TracedTick> | undefined;
		const tick = (): void => {
			first = work?.next();
			if (work === null) step(entry.world, observer, chooser);
		};
		const diverged = verifier?.runTick(entry.id, entry.world, chooserFactory, tick);
		if (verifier === null) tick();
		this.#completedTicks++;
		running.ticks++;
		if (running.advancing !== null) running.eventMarks.markTick(entry);
		running.countEdge();
		if (this.#isKept) announcements.afterTick(entry);
		if (work !== null) {
			const traced = await slices.run(work, first);
			this.#traced.push(traced);
			this.#tracedDraws += traced.choices.length + 1;
		}
		const afterWork = afterTick?.(entry.world);
		if (afterWork !== undefined) await slices.run(afterWork);
		if (diverged) running.diverge(diverged);
		this.#endIfDiverged(!diverged);
		if (slices.isDue) {
			core.notifyChange();
			await slices.pause();
		}
	}

	/**
	 * Ends the call after a tick that diverged. The tick is kept, also in a replay. `wasEqual`: this tick did not diverge, so an
	 * earlier engine found the divergence.
	 */
	#endIfDiverged(wasEqual: boolean): void {
		const { core, running, isCopy } = this.#options;
		if (running.stop !== 'diverged') return;
		if (wasEqual && !isCopy) core.stopDiverged(this.#entry);
		running.requireRunning();
	}
}

function tooManyDraws(): ApiError {
	return new ApiError('answer_too_large', `The trace has more than ${MAX_TRACED_DRAWS} draws.`, {
		fix: 'Step fewer ticks per call, or omit "trace".',
	});
}
