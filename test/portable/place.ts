/**
 * A runtime that plays the games: a Node or a browser, on a processor.
 * Owns: the types of its results.
 */

/** Result of a game, compared with its golden trace. */
export interface GameResult {
	readonly name: string;
	readonly verdict: string;
	/** Last played tick. */
	readonly tick: number;
	readonly digest: string;
	/** Description of the first difference; empty without one. */
	readonly why: string;
	readonly ms: number;
}

/** Error of a missing runtime, with its reason and the packages that install it. */
export class MissingRuntime extends Error {
	/** Missing Debian packages. */
	readonly packages: readonly string[];

	constructor(message: string, packages: readonly string[] = []) {
		super(message);
		this.packages = packages;
	}
}

export interface Runtime {
	readonly name: string;
	/** Plays all games. Rejects with `MissingRuntime` if the runtime is missing. */
	play(): Promise<{ readonly as: string; readonly results: readonly GameResult[] }>;
}
