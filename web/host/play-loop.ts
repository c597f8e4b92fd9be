/**
 * Real time: advances playing worlds 60 ticks a second, or as many times more or fewer as each one's speed says.
 * Owns: the delay behind real time. It catches up a limited number of ticks at a time and drops the rest. It never runs
 * during a call.
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
/** Most ticks made up for at once: a quarter of a second. */
const MAX_CATCH_UP = 15;
/** Longest time spent ticking before calls get their turn (ms). */
const SLICE_MS = 12;

export interface PlayLoopServices {
	readonly worlds: Worlds;
	readonly queue: TurnQueue;
	readonly profiler: Profiler;
	/** Re-runs some ticks; null if none are re-run. */
	readonly verifier: Verifier | null;
	readonly now: () => number;
	readonly beforeTick: (entry: WorldEntry) => void;
	/** Called after each tick of a world, with the milliseconds that it took. */
	readonly madeTick: (entry: WorldEntry, ms: number) => void;
	/** Called after ticks were made. */
	readonly ticked: () => void;
	/** Called when a tick failed; the world is paused. */
	readonly failed: (world: World, error: unknown) => void;
}

function haltOf({ tick }: World, error: unknown): Halt {
	if (error instanceof ApiError) return { tick, message: error.message, fix: error.fix };
	const { message } = error instanceof Error ? error : new Error(String(error));
	return { tick, message: `The engine failed: ${message}`, fix: ERRORS.internal[1] };
}

/** Does another slice. */
function advance(work: SlicedWork<void>): 'more' | 'done' | 'failed' {
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
	#due = 0;
	#dropped = 0;
	/** Parts of a tick that a world of another speed than 1 has not made yet. */
	readonly #owedTicks = new WeakMap<WorldEntry, number>();
	/** Work that the next tick of a world waits for. */
	readonly #rebuilding = new WeakMap<World, SlicedWork<void>>();

	constructor(services: PlayLoopServices) {
		this.#services = services;
	}

	/** Ticks given up since the last start. */
	get dropped(): number {
		return this.#dropped;
	}

	/** Starts or stops the loop as the worlds' `playing` asks for. */
	update(): void {
		const playing = this.#services.worlds.all().some((entry) => entry.playing);
		if (playing && this.#timer === undefined) {
			this.#due = this.#services.now() + PERIOD_MS;
			this.#dropped = 0;
			this.#schedule();
		} else if (!playing) this.stop();
	}

	stop(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}

	#schedule(): void {
		const wait = Math.max(0, this.#due - this.#services.now());
		this.#timer = setTimeout(() => this.#wake(), wait);
	}

	#wake(): void {
		const { queue, now, ticked } = this.#services;
		const started = now();
		const behind = Math.floor((started - this.#due) / PERIOD_MS) + 1 - MAX_CATCH_UP;
		if (behind > 0) {
			this.#dropped += behind;
			this.#due += behind * PERIOD_MS;
		}
		if (!queue.busy) {
			while (this.#due <= now() && now() - started < SLICE_MS) {
				this.#tick(started);
				this.#due += PERIOD_MS;
			}
			ticked();
		}
		if (this.#timer !== undefined) this.#schedule();
	}

	/** Moves every world that plays on by one period. */
	#tick(started: number): void {
		for (const entry of this.#services.worlds.all()) {
			let owedTicks = (this.#owedTicks.get(entry) ?? 0) + entry.speed;
			if (owedTicks >= 1 && entry.playing && !this.#isReady(entry.world, started)) {
				this.#dropped += Math.floor(owedTicks);
				owedTicks %= 1;
			}
			while (owedTicks >= 1 && entry.playing) {
				this.#step(entry);
				owedTicks--;
				// A fast world gives up what there is no time for, so that calls get their turn.
				if (owedTicks < 1 || this.#services.now() - started < SLICE_MS) continue;
				this.#dropped += Math.floor(owedTicks);
				owedTicks %= 1;
			}
			this.#owedTicks.set(entry, entry.playing ? owedTicks : 0);
		}
		this.update();
	}

	/**
	 * Brings what is derived of a world up to date, as far as there is time, and at least a little. Returns true if nothing
	 * is left to do.
	 */
	#isReady(world: World, started: number): boolean {
		if (!hasStaleParts(world)) return true;
		const work = this.#rebuilding.get(world) ?? rebuildParts(world);
		this.#rebuilding.set(world, work);
		do {
			const state = advance(work);
			if (state === 'more') continue;
			this.#rebuilding.delete(world);
			// What failed fails again in the tick, which stops the world with the reason.
			return state === 'failed' || !hasStaleParts(world);
		} while (this.#services.now() - started < SLICE_MS);
		return false;
	}

	#step(entry: WorldEntry): void {
		const { worlds, profiler, verifier, now, beforeTick, madeTick, failed } = this.#services;
		const started = now();
		const { id, world } = entry;
		try {
			const stopped = verifier?.errorOf(world);
			if (stopped) throw stopped;
			beforeTick(entry);
			const tick = () => void step(world, entry === worlds.main ? profiler : undefined);
			const diverged = verifier?.runTick(id, world, undefined, tick);
			if (verifier === null) tick();
			madeTick(entry, now() - started);
			if (diverged) throw diverged;
			worlds.room.checkAfterTick(entry);
		} catch (error) {
			entry.playing = false;
			entry.halted = haltOf(entry.world, error);
			failed(entry.world, error);
		}
	}
}
