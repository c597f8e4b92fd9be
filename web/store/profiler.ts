/** Durations of the systems of a tick. Owns: the durations of the last 60 ticks that were timed. */

import { schedule } from '../sim/schedule.ts';
import type { StepObserver } from '../sim/step.ts';

/** Maximum number of ticks whose durations are kept. */
const MAX_TICKS = 60;

export interface TickProfile {
	/** Mean duration of a tick (ms), and the ticks per second at this duration. */
	readonly frame_ms: number;
	readonly fps: number;
	/** Mean duration of each system (µs). */
	readonly sections: { name: string; us: number; kind: 'Cpu' }[];
	/** Number of measured ticks. */
	readonly ticks: number;
}

export class Profiler implements StepObserver {
	readonly #now: () => number;
	/** Milliseconds by tick and system. The oldest tick is overwritten. */
	readonly #durations = new Float64Array(MAX_TICKS * schedule.length);
	#ticks = 0;
	#row = 0;
	#lastTime = 0;

	/** `now` in milliseconds. */
	constructor(now: () => number) {
		this.#now = now;
	}

	beginTick(): void {
		this.#row = (this.#ticks++ % MAX_TICKS) * schedule.length;
		// A tick that fails does not reach all systems, so old values are removed.
		this.#durations.fill(0, this.#row, this.#row + schedule.length);
		this.#lastTime = this.#now();
	}

	endSystem(index: number): void {
		const now = this.#now();
		this.#durations[this.#row + index] = now - this.#lastTime;
		this.#lastTime = now;
	}

	/** Returns the mean durations of the measured ticks. */
	profile(): TickProfile {
		const round = (value: number) => Math.round(value * 10) / 10;
		const ticks = Math.min(this.#ticks, MAX_TICKS);
		const sections = schedule.map(({ name }, system) => {
			let sum = 0;
			for (let tick = 0; tick < ticks; tick++) sum += this.#durations[tick * schedule.length + system]!;
			return { name, ms: sum / Math.max(1, ticks) };
		});
		const total = sections.reduce((sum, { ms }) => sum + ms, 0);
		return {
			frame_ms: round(total),
			fps: total === 0 ? 0 : round(1000 / total),
			sections: sections.map(({ name, ms }) => ({ name, us: round(ms * 1000), kind: 'Cpu' })),
			ticks,
		};
	}
}
