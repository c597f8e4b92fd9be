/**
 * `orrery wait`: asks a server for its health until an engine answers.
 * Owns: the interval and the total time.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { getHealth } from '../../shared/routes/world.ts';
import { ask, jsonOf } from './ask.ts';
import { NoServerError, UsageError } from './terminal.ts';

/** Default waiting time (s): the first start fetches a browser. */
const DEFAULT_SECONDS = 120;
/** Least time for the last request (ms). */
const LEAST = 10_000;
/** Pause between two questions (ms). */
const PAUSE = 250;

/** Returns the seconds that `--timeout` gives. Throws `UsageError`. */
export function secondsOf(text: string | undefined): number {
	if (text === undefined) return DEFAULT_SECONDS;
	const seconds = Number(text);
	if (text.trim() !== '' && seconds >= 0 && seconds <= 86_400) return seconds;
	throw new UsageError(`--timeout takes seconds from 0 to 86400, not "${text}".`);
}

/**
 * Returns the server's health once an engine answers. Rejects with `NoServerError` and the last reason after this
 * many seconds.
 */
export async function waitFor(server: string, seconds: number): Promise<Record<string, unknown>> {
	const end = performance.now() + seconds * 1000;
	for (;;) {
		const { health, why } = await look(server, Math.max(LEAST, end - performance.now()));
		if (health !== undefined) return health;
		if (performance.now() + PAUSE >= end)
			throw new NoServerError(`No engine answered at ${server} within ${seconds} s. ${why}`);
		await wait(PAUSE);
	}
}

async function look(
	server: string,
	left: number,
): Promise<{ health?: Record<string, unknown>; why?: string }> {
	const late = wait(Math.ceil(left), null, { ref: false });
	try {
		const answer = await Promise.race([
			ask(server, { method: getHealth.method, path: getHealth.path }),
			late,
		]);
		if (answer === null) return { why: 'The last request got no answer.' };
		const health = jsonOf(server, answer);
		return answer.status === 200
			? { health: health }
			: { why: String(health.error ?? `status ${answer.status}`) };
	} catch (error) {
		if (!(error instanceof NoServerError)) throw error;
		return { why: error.message };
	}
}
