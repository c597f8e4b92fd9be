/** Types of engine.mjs. */

export declare const ENGINES: readonly ['browser', 'node'];

export declare function runsInNode(flags: {
	readonly engine?: unknown;
	readonly bare?: unknown;
	readonly headless?: unknown;
}): boolean;

export declare function engineFlags(args: readonly string[]): {
	readonly engine?: unknown;
	readonly bare?: unknown;
	readonly headless?: unknown;
};
