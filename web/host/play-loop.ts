/**
 * Advances playing worlds in real time: 60 ticks per second, times the speed of each world.
 * Owns: the delay behind real time. The loop catches up a limited number of ticks, and drops the rest. It never ticks while the
 * queue is busy.
 */

import { ApiError, ERRORS } from '../../shared/contract/errors.ts';
import { TICKS_PER_SECOND } from '../sim/core/clock.ts';
import { hasStaleParts, rebuildParts } from '../sim/core/derived-parts.ts';
import type { SlicedWork } from '../sim/core/sliced-work.ts';
import type { World } from '../sim/core/world.ts';
import { step } from '../sim/step.ts';
import type { Profiler } from '../store/profiler.ts';
import type { Verifier } from '../store/verifier.ts';
import type { Halt, WorldEntry, Worlds } from '../store/worlds.ts';
import type { TurnQueue } from './turn-queue.ts';

const PERIOD_MS = 1000 / TICKS_PER_SECOND;
/** Maximum delay that is caught up: a quarter of a second. */
const MAX_CATCH_UP_TICKS = 15;
/** Maximum time of ticks before calls run (ms). */
const MAX_SLICE_MS = 12;

export interface PlayLoopServices {
	readonly worlds: Worlds;
	readonly queue: TurnQueue;
	readonly profiler: Profiler;
	/** Verifier of heavy mode; null in any other mode. */
	readonly verifier: Verifier | null;
	readonly now: () => number;
	readonly beforeTick: (entry: WorldEntry) => void;
	/** Called after each tick of a world, with the milliseconds that it took. */
	readonly afterTick: (entry: WorldEntry, ms: number) => void;
	/** Called after the ticks of a period, even if there were none. */
	readonly afterTicks: () => void;
	/** Called when a tick failed. The world is paused. */
	readonly onFailure: (world: World, error: unknown) => void;
}

function haltOf({ tick }: World, error: unknown): Halt {
	if (error instanceof ApiError) return { tick, message: error.message, fix: error.fix };
	const { message } = error instanceof Error ? error : new Error(String(error));
	return { tick, message: `The engine failed: ${message}`, fix: ERRORS.internal[1] };
}

/** Runs the next slice of work. */
function runSlice(work: SlicedWork<void>): 'more' | 'done' | 'failed' {
	try {
		return work.next().done === true ? 'done' : 'more';
	} catch {
		return 'failed';
	}
}

export class PlayLoop {
	readonly #services: PlayLoopServices;
	#timer: ReturnType<typeof setTimeout> | undefined;
	/** Time at which the next tick is due (ms). */
	#dueTime = 0;
	#droppedTicks = 0;
	/** Fractions of a tick that worlds with another speed than 1 still have to run. */
	readonly #tickFractions = new WeakMap<WorldEntry, number>();
	/** Rebuilding of derived parts, for which the next tick of a world waits. */
	readonly #rebuilding = new WeakMap<World, SlicedWork<void>>();

	constructor(services: PlayLoopServices) {
		this.#services = services;
	}

	/** Ticks that were dropped since the last start. */
	get dropped(): number {
		return this.#droppedTicks;
	}

	/** Runs the loop if any world plays; stops it otherwise. */
	update(): void {
		const playing = this.#services.worlds.all().some((entry) => entry.playing);
		if (playing && this.#timer === undefined) {
			this.#dueTime = this.#services.now() + PERIOD_MS;
			this.#droppedTicks = 0;
			this.#schedule();
		} else if (!playing) this.stop();
	}

	stop(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}

	#schedule(): void {
		const wait = Math.max(0, this.#dueTime - this.#services.now());
		this.#timer = setTimeout(() => this.#wake(), wait);
	}

	#wake(): void {
		const { queue, now, afterTicks } = this.#services;
		const beginTime = now();
		const behind = Math.floor((beginTime - this.#dueTime) / PERIOD_MS) + 1 - MAX_CATCH_UP_TICKS;
		if (behind > 0) {
			this.#droppedTicks += behind;
			this.#dueTime += behind * PERIOD_MS;
		}
		if (!queue.isBusy) {
			while (this.#dueTime <= now() && now() - beginTime < MAX_SLICE_MS) {
				this.#tick(beginTime);
				this.#dueTime += PERIOD_MS;
			}
			afterTicks();
		}
		if (this.#timer !== undefined) this.#schedule();
	}

	/** Advances every playing world by one period. */
	#tick(started: number): void {
		for (const entry of this.#services.worlds.all()) {
			let dueTicks = (this.#tickFractions.get(entry) ?? 0) + entry.speed;
			if (dueTicks >= 1 && entry.playing && !this.#isReady(entry.world, started)) {
				this.#droppedTicks += Math.floor(dueTicks);
				dueTicks %= 1;
			}
			while (dueTicks >= 1 && entry.playing) {
				this.#step(entry);
				dueTicks--;
				// A fast world drops the ticks for which no time is left, so that calls can run.
				if (dueTicks < 1 || this.#services.now() - started < MAX_SLICE_MS) continue;
				this.#droppedTicks += Math.floor(dueTicks);
				dueTicks %= 1;
			}
			this.#tickFractions.set(entry, entry.playing ? dueTicks : 0);
		}
		this.update();
	}

	/** Rebuilds stale parts of a world until the time is over, at least one slice. Returns true if the next tick can run. */
	#isReady(world: World, beginTime: number): boolean {
		if (!hasStaleParts(world)) return true;
		const work = this.#rebuilding.get(world) ?? rebuildParts(world);
		this.#rebuilding.set(world, work);
		do {
			const state = runSlice(work);
			if (state === 'more') continue;
			this.#rebuilding.delete(world);
			// A rebuild that failed fails again in the tick, which pauses the world with the reason.
			return state === 'failed' || !hasStaleParts(world);
		} while (this.#services.now() - beginTime < MAX_SLICE_MS);
		return false;
	}

	#step(entry: WorldEntry): void {
		const { worlds, profiler, verifier, now, beforeTick, afterTick, onFailure } = this.#services;
		const beginTime = now();
		const { id, world } = entry;
		try {
			const stopped = verifier?.errorOf(world);
			if (stopped) throw stopped;
			beforeTick(entry);
			const tick = () => void step(world, entry === worlds.main ? profiler : undefined);
			const diverged = verifier?.runTick(id, world, undefined, tick);
			if (verifier === null) tick();
			afterTick(entry, now() - beginTime);
			if (diverged) throw diverged;
			worlds.room.checkAfterTick(entry);
		} catch (error) {
			entry.playing = false;
			entry.halted = haltOf(entry.world, error);
			onFailure(entry.world, error);
		}
	}
}
