/**
 * Timing two sides of a ratio in turn, so that whatever else the machine does meets both alike.
 * Owns: medians, percentiles, and the shape of a result.
 */

/** One line of the table. Times in milliseconds. */
export interface Result {
	readonly section: string;
	readonly name: string;
	/** null: not measured; the note has the reason. */
	readonly ours_ms: number | null;
	/** Reference of the measurement; absent if only the time itself counts. */
	readonly against?: string;
	readonly against_ms?: number;
	/** Ours over theirs. */
	readonly ratio?: number;
	/** Aim in words, and if it was reached. */
	readonly aim?: string;
	readonly met?: boolean;
	/** Anything else worth knowing. */
	readonly note?: string;
	/** Differences to a library or engine that others use. Such rows are in the table of peers. */
	readonly differs?: string;
}

/** Returns the value that a share `q` (0..1) of the values do not exceed. */
export function percentile(values: readonly number[], q: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Milliseconds of one run. */
export function timed(work: () => unknown): number {
	const began = performance.now();
	work();
	return performance.now() - began;
}

/** Longest time of one measurement (ms), so that the bench also ends on a busy machine, and the fewest rounds of it. */
const PATIENCE = 10_000;
const MIN_ROUNDS = 3;

/** Returns a function that returns true if a measurement of `rounds` rounds makes this one too. */
export function patience(rounds: number): (round: number) => boolean {
	const end = performance.now() + PATIENCE;
	return (round) => round < rounds && (round < MIN_ROUNDS || performance.now() < end);
}

export interface BenchSide {
	/** Done before every run, untimed. */
	readonly before?: () => void;
	readonly run: () => unknown;
	/** Done after every run, untimed. */
	readonly after?: () => void;
}

/** Median milliseconds of each side, run in turn, and in turn first. */
export function inTurn(
	rounds: number,
	sides: readonly BenchSide[],
	warmUp = Math.ceil(rounds / 4),
): number[] {
	const times = sides.map((): number[] => []);
	const continues = patience(rounds);
	for (let round = -warmUp; continues(round); round++) {
		for (let i = 0; i < sides.length; i++) {
			const which = (i + Math.abs(round)) % sides.length;
			const { before, run, after } = sides[which]!;
			before?.();
			const ms = timed(run);
			after?.();
			if (round >= 0) times[which]!.push(ms);
		}
	}
	return times.map(median);
}

/** A side that answers with a promise. */
export interface AsyncSide {
	/** Done before every run, untimed. */
	readonly before?: () => unknown;
	readonly run: () => Promise<unknown>;
}

/** Returns the same for sides that answer promises; all times of each side. */
export async function inTurnAsync(
	rounds: number,
	sides: readonly AsyncSide[],
	warmUp = Math.ceil(rounds / 4),
): Promise<number[][]> {
	const times = sides.map((): number[] => []);
	const continues = patience(rounds);
	for (let round = -warmUp; continues(round); round++) {
		for (let i = 0; i < sides.length; i++) {
			const which = (i + Math.abs(round)) % sides.length;
			const { before, run } = sides[which]!;
			await before?.();
			const began = performance.now();
			await run();
			if (round >= 0) times[which]!.push(performance.now() - began);
		}
	}
	return times;
}

/** Returns a result where only the time itself counts, and whether it is under `most` milliseconds. */
export function alone(section: string, name: string, ours: number, most?: number, note?: string): Result {
	return {
		section,
		name,
		ours_ms: ours,
		...(most === undefined ? {} : { aim: `under ${most} ms`, met: ours < most }),
		...(note === undefined ? {} : { note }),
	};
}

/** Returns a result with its ratio, and whether that is at most `most`. */
export function compared(
	section: string,
	name: string,
	ours: number,
	against: string,
	theirs: number,
	most?: number,
	note?: string,
): Result {
	const ratio = ours / theirs;
	return {
		section,
		name,
		ours_ms: ours,
		against,
		against_ms: theirs,
		ratio,
		...(most === undefined ? {} : { aim: `ratio at most ${round(most)}`, met: ratio <= most }),
		...(note === undefined ? {} : { note }),
	};
}

export function round(value: number): number {
	return Number(value.toPrecision(3));
}
