/**
 * Reports about drawn pictures to the page: their world, their number and their cost.
 * Owns: the times of reports: once for each new world, at intervals for pictures, and always for the last
 * picture.
 */

import type { ShownWorld } from './known-world.ts';
import type { ViewEvent } from './messages.ts';

/** Minimum time between two reports of pictures (ms). */
const REPORT_MS = 500;
/** Maximum time that the report of a new world waits for its models (ms). */
const MODELS_MS = 3000;

/** Properties of a drawn picture. */
interface DrawnPicture extends Pick<Extract<ViewEvent, { type: 'drawn' }>, 'draw_calls' | 'complete'> {
	/** Time for filling and submitting the picture (ms). */
	readonly submitMs: number;
}

export class PictureReports {
	readonly #emit: (event: ViewEvent) => void;
	/** Requests one more picture. */
	readonly #redraw: () => void;
	/** World and line of the last report to the page. */
	#reported = { world: '', line: -1 };
	/** World and line of the newest incomplete picture, and the time of the first such picture (ms). */
	#incomplete = { world: '', line: -1, at: 0 };
	#lateTimer: ReturnType<typeof setTimeout> | undefined;
	#report = { since: 0, pictures: 0, submit: 0 };
	/** Timer that reports the last pictures of a view at rest. */
	#reportTimer: ReturnType<typeof setTimeout> | undefined;

	constructor(emit: (event: ViewEvent) => void, redraw: () => void) {
		this.#emit = emit;
		this.#redraw = redraw;
	}

	/** Reports a drawn picture. */
	addPicture(shown: ShownWorld, picture: DrawnPicture, now: number): void {
		this.#reportWorld(shown, picture.complete, now);
		this.#reportPicture(shown, picture, now);
	}

	stop(): void {
		clearTimeout(this.#reportTimer);
		clearTimeout(this.#lateTimer);
	}

	/** Reports a new world to the page once: with all its models, or without them if they are late. */
	#reportWorld({ world, line }: ShownWorld, isComplete: boolean, now: number): void {
		const isSame = (one: { readonly world: string; readonly line: number }) =>
			one.world === world && one.line === line;
		if (isSame(this.#reported)) return;
		if (!isComplete) {
			if (!isSame(this.#incomplete)) {
				this.#incomplete = { world, line, at: now };
				clearTimeout(this.#lateTimer);
				this.#lateTimer = setTimeout(this.#redraw, MODELS_MS);
			}
			if (now - this.#incomplete.at < MODELS_MS) return;
		}
		this.#reported = { world, line };
		this.#emit({ type: 'shows', world, line });
	}

	#reportPicture(
		{ world, tick, blocks }: ShownWorld,
		{ submitMs, ...rest }: DrawnPicture,
		now: number,
	): void {
		const report = this.#report;
		report.pictures++;
		report.submit += submitMs;
		clearTimeout(this.#reportTimer);
		const emitReport = (time: number): void => {
			this.#emit({
				type: 'drawn',
				world,
				tick,
				count: blocks.rows.ids.length,
				pictures: report.pictures,
				submit_ms: report.submit / report.pictures,
				...rest,
			});
			this.#report = { since: time, pictures: 0, submit: 0 };
		};
		const wait = REPORT_MS - (now - report.since);
		if (wait <= 0) emitReport(now);
		else this.#reportTimer = setTimeout(() => emitReport(performance.now()), wait);
	}
}
