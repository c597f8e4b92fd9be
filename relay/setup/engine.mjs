/**
 * Flags of `npm start` that run the engine in Node.
 * Owns: that rule, for the set-up step, which brings no browser then, and for the server.
 */

import { parseArgs } from 'node:util';

/** Words after `--engine`. */
export const ENGINES = /** @type {const} */ (['browser', 'node']);

/**
 * True if the world runs in a thread of the server. `--engine` decides; without it `--bare`, unless a browser is asked for.
 * @param {{ engine?: unknown, bare?: unknown, headless?: unknown }} flags
 * @returns {boolean}
 */
export function runsInNode({ engine, bare, headless }) {
	return engine === undefined ? bare === true && headless !== true : engine === 'node';
}

/**
 * The flags that decide this, of a command line that may be wrong in other ways.
 * @param {readonly string[]} args
 */
export function engineFlags(args) {
	const options = /** @type {const} */ ({
		engine: { type: 'string' },
		bare: { type: 'boolean' },
		headless: { type: 'boolean' },
	});
	return parseArgs({ args: [...args], options, strict: false, allowPositionals: true }).values;
}
