/** How long the systems of a tick take. Owns: the durations of the last 60 ticks. */

import { schedule } from '../sim/schedule.ts';
import type { StepObserver } from '../sim/step.ts';

const WINDOW = 60;

export interface Profile {
	/** Mean duration of a tick (ms), and ticks a second at that pace. */
	readonly frame_ms: number;
	readonly fps: number;
	readonly sections: { name: string; us: number; kind: 'Cpu' }[];
	readonly ticks: number;
}

export class Profiler implements StepObserver {
	readonly #now: () => number;
	readonly #durations = new Map<string, number[]>(schedule.map(({ name }) => [name, []]));
	#started = 0;

	/** `now` in milliseconds. */
	constructor(now: () => number) {
		this.#now = now;
	}

	before(): void {
		this.#started = this.#now();
	}

	after(system: string): void {
		const list = this.#durations.get(system)!;
		list.push(this.#now() - this.#started);
		if (list.length > WINDOW) list.shift();
	}

	read(): Profile {
		const round = (value: number) => Math.round(value * 10) / 10;
		const sections = [...this.#durations].map(([name, list]) => {
			const ms = list.reduce((sum, value) => sum + value, 0) / Math.max(1, list.length);
			return { name, ms };
		});
		const total = sections.reduce((sum, { ms }) => sum + ms, 0);
		const ticks = this.#durations.get(schedule[0]!.name)!.length;
		return {
			frame_ms: round(total),
			fps: ticks === 0 || total === 0 ? 0 : round(1000 / total),
			sections: sections.map(({ name, ms }) => ({ name, us: round(ms * 1000), kind: 'Cpu' })),
			ticks,
		};
	}
}
