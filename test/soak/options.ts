/**
 * Options of a soak.
 * Owns: the flags, their combination, and the text of --help.
 */

import { UsageError } from '../../relay/cli/terminal.ts';

export interface SoakOptions {
	readonly clients: number;
	readonly port: number;
	/** Seed of the clients' calls and of the times of kills. */
	readonly seed: number;
	/** Duration of the calls (ms). */
	readonly length: number;
	/** Number of kills. `length` is divided into as many equal spans, with one kill in each. */
	readonly kills: number;
	/** True if Node re-runs the whole journal afterwards, from each state to the next. */
	readonly verify: boolean;
	/** True if tabs of two profiles claim the world from each other during the calls. */
	readonly contest: boolean;
}

export const HELP = `npm run soak -- [FLAGS]: many clients with mixed calls on one world, through the relay and a headless browser.

  --minutes N      duration (2)
  --clients N      number of concurrent clients (64)
  --kills N        number of kills of the tab, the browser, the relay, or all of them (0)
  --kill-every S   one kill in each span of S seconds, at a random time (8)
  --seed N         seed of the calls and the kills; by default random and printed
  --contest        tabs of two profiles claim the world from each other and from the relay's browser; one owner in four is stopped
  --verify         re-run the whole journal in Node afterwards, which takes long
  --port N         port of the relay (4192)

Two of --minutes, --kills and --kill-every determine the third. --kills alone uses spans of 8 s, and --kill-every alone 2 minutes.
Every write has an Idempotency-Key and is repeated until it is answered. The run fails if an acknowledged write is lost,
if a write is applied twice, on any error, and, without kills, if memory keeps growing.
`;

const SPAN_S = 8;
const MINUTES = 2;

/** Returns the options; undefined for `--help`. Throws `UsageError`. */
export function parseSoak(args: readonly string[], defaultSeed: number): SoakOptions | undefined {
	const numbers = new Map<string, number>();
	const flags = { '--verify': false, '--contest': false };
	for (let i = 0; i < args.length; i++) {
		const name = args[i]!;
		if (name === '--help') return undefined;
		if (name === '--verify' || name === '--contest') flags[name] = true;
		else numbers.set(name, numberOf(name, args[++i]));
	}
	const [minutes, kills, spanS] = ['--minutes', '--kills', '--kill-every'].map((name) => numbers.get(name));
	if (minutes !== undefined && kills !== undefined && spanS !== undefined)
		throw new UsageError('--minutes, --kills and --kill-every exclude each other: send only two of them.');
	const length =
		(kills !== undefined && minutes === undefined ? kills * (spanS ?? SPAN_S) : (minutes ?? MINUTES) * 60) *
		1000;
	return {
		clients: numbers.get('--clients') ?? 64,
		port: numbers.get('--port') ?? 4192,
		seed: numbers.get('--seed') ?? defaultSeed,
		length,
		kills: kills ?? (spanS === undefined ? 0 : Math.floor(length / 1000 / spanS)),
		verify: flags['--verify'],
		contest: flags['--contest'],
	};
}

const INTEGER_FLAGS: readonly string[] = ['--clients', '--kills', '--port', '--seed'];

function numberOf(name: string, text: string | undefined): number {
	if (!INTEGER_FLAGS.includes(name) && name !== '--minutes' && name !== '--kill-every')
		throw new UsageError(`"${name}" is unknown. --help lists the flags.`);
	const value = Number(text);
	if (text === undefined || !(value > 0) || (INTEGER_FLAGS.includes(name) && !Number.isSafeInteger(value)))
		throw new UsageError(
			`${name} takes a number above 0${INTEGER_FLAGS.includes(name) ? ', a whole one' : ''}.`,
		);
	return value;
}
