/** Types of engine.mjs for TypeScript. */

/** Values of `--engine`. */
export declare const ENGINES: readonly ['browser', 'node'];

/** Returns true if the world runs in a thread of the server. */
export declare function runsInNode(flags: {
	readonly engine?: unknown;
	readonly bare?: unknown;
	readonly headless?: unknown;
}): boolean;

/** Returns the flags that decide this, from a command line that may have other errors. */
export declare function engineFlags(args: readonly string[]): {
	readonly engine?: unknown;
	readonly bare?: unknown;
	readonly headless?: unknown;
};
