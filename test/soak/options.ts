/**
 * Options of a soak.
 * Owns: the flags, what they mean together, and the words of --help.
 */

import { UsageError } from '../../relay/cli/terminal.ts';

export interface SoakOptions {
	readonly clients: number;
	readonly port: number;
	/** Of the clients' calls and of the moments of kills. */
	readonly seed: number;
	/** Milliseconds for which clients call. */
	readonly length: number;
	/** Number of processes to kill; one in each of as many equal spans of `length`. */
	readonly kills: number;
	/** Everything that the journal has is rebuilt in Node, from each of its states to the next. */
	readonly verify: boolean;
	/** Tabs of two profiles take the world from each other meanwhile. */
	readonly contest: boolean;
}

export const HELP = `npm run soak -- [FLAGS]: many clients with mixed calls on one world, through the relay and a headless browser.

  --minutes N      for so long (2)
  --clients N      so many clients at once (64)
  --kills N        kill the tab, the browser, the relay, or all of them, so many times (0)
  --kill-every S   one kill in each span of so many seconds, at a random moment of it (8)
  --seed N         of the calls and of the kills; drawn and printed unless given
  --contest        tabs of two profiles take the world from each other and from the relay's browser; one holder in four is stopped
  --verify         make the whole journal again in Node afterwards, which takes long
  --port N         port of the relay (4192)

Of --minutes, --kills and --kill-every two say the third; --kills alone has a span of 8 s each, --kill-every alone 2 minutes.
Every write has an Idempotency-Key and is sent again until it is answered. It fails on a write that was answered and is lost,
on one that was done twice, on any error, and, without kills, on memory that goes on growing.
`;

const SPAN_S = 8;
const MINUTES = 2;

/** Undefined if the help is asked for. `drawn`: the seed unless one is given. Throws `UsageError`. */
export function parseSoak(args: readonly string[], drawn: number): SoakOptions | undefined {
	const given = new Map<string, number>();
	const flags = { '--verify': false, '--contest': false };
	for (let i = 0; i < args.length; i++) {
		const name = args[i]!;
		if (name === '--help') return undefined;
		if (name === '--verify' || name === '--contest') flags[name] = true;
		else given.set(name, numberOf(name, args[++i]));
	}
	const [minutes, kills, every] = ['--minutes', '--kills', '--kill-every'].map((name) => given.get(name));
	if (minutes !== undefined && kills !== undefined && every !== undefined)
		throw new UsageError('--minutes, --kills and --kill-every together: give two of them.');
	const length =
		(kills !== undefined && minutes === undefined ? kills * (every ?? SPAN_S) : (minutes ?? MINUTES) * 60) *
		1000;
	return {
		clients: given.get('--clients') ?? 64,
		port: given.get('--port') ?? 4192,
		seed: given.get('--seed') ?? drawn,
		length,
		kills: kills ?? (every === undefined ? 0 : Math.floor(length / 1000 / every)),
		verify: flags['--verify'],
		contest: flags['--contest'],
	};
}

const WHOLE: readonly string[] = ['--clients', '--kills', '--port', '--seed'];

function numberOf(name: string, text: string | undefined): number {
	if (!WHOLE.includes(name) && name !== '--minutes' && name !== '--kill-every')
		throw new UsageError(`"${name}" is not known. --help lists the flags.`);
	const value = Number(text);
	if (text === undefined || !(value > 0) || (WHOLE.includes(name) && !Number.isSafeInteger(value)))
		throw new UsageError(`${name} takes a number above 0${WHOLE.includes(name) ? ', a whole one' : ''}.`);
	return value;
}
