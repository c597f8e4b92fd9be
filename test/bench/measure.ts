/**
 * Timing of both sides of a ratio in turn, so that other load of the machine affects both equally.
 * Owns: medians, percentiles, and the type of a result.
 */

/** One line of the table. Times in milliseconds. */
export interface Result {
	readonly section: string;
	readonly name: string;
	/** Time of this engine; null if it was not measured, with the reason in the note. */
	readonly ours_ms: number | null;
	/** Reference of the comparison; missing if only the time itself counts. */
	readonly against?: string;
	readonly against_ms?: number;
	/** Ours over theirs. */
	readonly ratio?: number;
	/** Aim in words. `met` is true if it was reached. */
	readonly aim?: string;
	readonly met?: boolean;
	/** Further information. */
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

/** Returns the time of one run (ms). */
export function timeRun(work: () => unknown): number {
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

/** Runs the sides in turn, and changes the first side each round. Returns the median time of each side (ms). */
export function measureInTurn(
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
			const ms = timeRun(run);
			after?.();
			if (round >= 0) times[which]!.push(ms);
		}
	}
	return times.map(median);
}

/** Side whose run is asynchronous. */
export interface AsyncSide {
	/** Done before every run, untimed. */
	readonly before?: () => unknown;
	readonly run: () => Promise<unknown>;
}

/** Runs asynchronous sides in turn. Returns all times of each side (ms). */
export async function measureInTurnAsync(
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

/** Returns a result without a reference. With `most`, its aim is a time below `most` milliseconds. */
export function timeResult(
	section: string,
	name: string,
	ours: number,
	most?: number,
	note?: string,
): Result {
	return {
		section,
		name,
		ours_ms: ours,
		...(most === undefined ? {} : { aim: `under ${most} ms`, met: ours < most }),
		...(note === undefined ? {} : { note }),
	};
}

/** Returns a result with its ratio to a reference. With `most`, its aim is a ratio of at most `most`. */
export function ratioResult(
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
