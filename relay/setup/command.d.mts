/** Types of command.mjs for TypeScript. */

/** Returns the program that runs npm on a kind of system, and its first arguments. */
export function npmProgram(
	platform: NodeJS.Platform,
	node: string,
	running: string | undefined,
): [string, ...string[]];
