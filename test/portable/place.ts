/**
 * A place where the games are played: a Node or a browser, on a processor.
 * Owns: what a place answers. Never: says that something is equal that was not played.
 */

/** Result of a game there, against its golden trace. */
export interface GameResult {
	readonly name: string;
	readonly verdict: string;
	/** Tick that it reached. */
	readonly tick: number;
	readonly digest: string;
	/** First difference; empty if there is none. */
	readonly why: string;
	readonly ms: number;
}

/** Reason that a place is not there, and the way to get it. */
export class NotHere extends Error {
	/** Debian's packages that it lacks. */
	readonly packages: readonly string[];

	constructor(message: string, packages: readonly string[] = []) {
		super(message);
		this.packages = packages;
	}
}

export interface Runtime {
	readonly name: string;
	/** Plays all games. Rejects with `NotHere` where that cannot be tried. */
	play(): Promise<{ readonly as: string; readonly results: readonly GameResult[] }>;
}
