/**
 * Decides from the flags of `npm start` if the engine runs in Node. The set-up step then installs no browser.
 * Owns: this rule, for the set-up step and for the server.
 */

import { parseArgs } from 'node:util';

/** Values of `--engine`. */
export const ENGINES = /** @type {const} */ (['browser', 'node']);

/**
 * Returns true if the world runs in a thread of the server. `--engine` decides. Without it, `--bare` without `--headless`
 * selects Node.
 * @param {{ engine?: unknown, bare?: unknown, headless?: unknown }} flags
 * @returns {boolean}
 */
export function runsInNode({ engine, bare, headless }) {
	return engine === undefined ? bare === true && headless !== true : engine === 'node';
}

/**
 * Returns the flags that decide this, from a command line that may have other errors.
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
