/**
 * Reports about drawn pictures to the page: their world, their number and their cost.
 * Owns: the times of reports: once for each new world, at intervals for pictures, and always for the last picture.
 */

import type { Shown } from './known-world.ts';
import type { ViewEvent } from './messages.ts';

const REPORT_MS = 500;
/** Maximum milliseconds that the report of a new world waits for its models. */
const MODELS_MS = 3000;

/** Properties of a drawn picture. */
interface DrawnPicture extends Pick<Extract<ViewEvent, { type: 'drawn' }>, 'draw_calls' | 'complete'> {
	/** Milliseconds for filling and submitting it. */
	readonly submit: number;
}

export class PictureNews {
	readonly #emit: (event: ViewEvent) => void;
	/** Requests one more picture. */
	readonly #redraw: () => void;
	/** World and line of the last report to the page. */
	#last = { world: '', line: -1 };
	/** World and line of the newest incomplete picture, and the time of the first such picture (ms). */
	#first = { world: '', line: -1, at: 0 };
	#lookLate: ReturnType<typeof setTimeout> | undefined;
	#report = { since: 0, pictures: 0, submit: 0 };
	/** Timer that reports the last pictures of a view at rest. */
	#reportLater: ReturnType<typeof setTimeout> | undefined;

	constructor(emit: (event: ViewEvent) => void, redraw: () => void) {
		this.#emit = emit;
		this.#redraw = redraw;
	}

	/** Reports a drawn picture. */
	drawn(shown: Shown, picture: DrawnPicture, now: number): void {
		this.#tellShown(shown, picture.complete, now);
		this.#reportPicture(shown, picture, now);
	}

	stop(): void {
		clearTimeout(this.#reportLater);
		clearTimeout(this.#lookLate);
	}

	/** Reports a new world to the page once: with all its models, or without them if they are late. */
	#tellShown({ world, line }: Shown, complete: boolean, now: number): void {
		const isSame = (one: { readonly world: string; readonly line: number }) =>
			one.world === world && one.line === line;
		if (isSame(this.#last)) return;
		if (!complete) {
			if (!isSame(this.#first)) {
				this.#first = { world, line, at: now };
				clearTimeout(this.#lookLate);
				this.#lookLate = setTimeout(this.#redraw, MODELS_MS);
			}
			if (now - this.#first.at < MODELS_MS) return;
		}
		this.#last = { world, line };
		this.#emit({ type: 'shows', world, line });
	}

	#reportPicture({ world, tick, blocks }: Shown, { submit, ...last }: DrawnPicture, now: number): void {
		const report = this.#report;
		report.pictures++;
		report.submit += submit;
		clearTimeout(this.#reportLater);
		const tell = (when: number): void => {
			this.#emit({
				type: 'drawn',
				world,
				tick,
				count: blocks.rows.ids.length,
				pictures: report.pictures,
				submit_ms: report.submit / report.pictures,
				...last,
			});
			this.#report = { since: when, pictures: 0, submit: 0 };
		};
		const wait = REPORT_MS - (now - report.since);
		if (wait <= 0) tell(now);
		else this.#reportLater = setTimeout(() => tell(performance.now()), wait);
	}
}
