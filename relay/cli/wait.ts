/**
 * `orrery wait`: asks a server for its health until an engine answers.
 * Owns: the interval and the total time.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { getHealth } from '../../shared/routes/world.ts';
import { jsonOf, sendCall } from './send-call.ts';
import { NoServerError, UsageError } from './terminal.ts';

/** Default waiting time (s). The first start downloads a browser. */
const DEFAULT_SECONDS = 120;
/** Minimum time for a request to be answered (ms), even if the total time ends before. */
const MIN_REQUEST_MS = 10_000;
/** Pause between two requests (ms). */
const PAUSE_MS = 250;

/** Returns the seconds of `--timeout`. Throws `UsageError`. */
export function readTimeout(text: string | undefined): number {
	if (text === undefined) return DEFAULT_SECONDS;
	const seconds = Number(text);
	if (text.trim() !== '' && seconds >= 0 && seconds <= 86_400) return seconds;
	throw new UsageError(`--timeout takes seconds from 0 to 86400, not "${text}".`);
}

/**
 * Returns the server's health once an engine answers. Rejects with `NoServerError` and the last reason after
 * `seconds`, or when the last request ends.
 */
export async function waitForEngine(server: string, seconds: number): Promise<Record<string, unknown>> {
	const deadline = performance.now() + seconds * 1000;
	for (;;) {
		const { health, reason } = await requestHealth(
			server,
			Math.max(MIN_REQUEST_MS, deadline - performance.now()),
		);
		if (health !== undefined) return health;
		if (performance.now() + PAUSE_MS >= deadline)
			throw new NoServerError(`No engine answered at ${server} within ${seconds} s. ${reason}`);
		await wait(PAUSE_MS);
	}
}

async function requestHealth(
	server: string,
	timeoutMs: number,
): Promise<{ health?: Record<string, unknown>; reason?: string }> {
	const timeout = wait(Math.ceil(timeoutMs), null, { ref: false });
	try {
		const answer = await Promise.race([
			sendCall(server, { method: getHealth.method, path: getHealth.path }),
			timeout,
		]);
		if (answer === null) return { reason: 'The last request got no answer.' };
		const health = jsonOf(server, answer);
		return answer.status === 200 ? { health } : { reason: String(health.error ?? `status ${answer.status}`) };
	} catch (error) {
		if (!(error instanceof NoServerError)) throw error;
		return { reason: error.message };
	}
}
