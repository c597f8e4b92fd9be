/**
 * Answers of the relay in place of an engine that is busy or missing.
 * Owns: their texts. Never: calls the engine.
 */

import { errorResponse } from '../shared/contract/error-response.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { WireResponse } from '../shared/contract/wire.ts';
import type { OldestCall } from './pending-calls.ts';
import type { TabReading } from './tab-connection.ts';

const END_FIX =
	'Wait. If the call never ends, send DELETE /engine/worker/{held_world} with the name in the X-Orrery-World header: a new engine ' +
	'starts and resumes the world from the journal.';

/** If a call has run for this many seconds, the answer also explains how to end the engine. */
const LONG_CALL_SECONDS = 60;

/** Reasons that an engine may not answer, apart from a long call. */
export interface Absence {
	/** Time at which the current handover began (ms since 1970). */
	readonly movingSince: number | undefined;
	/** Milliseconds since its tab lost the connection. */
	readonly lostFor: number | undefined;
}

/** Reasons that there may be no engine. */
export interface Vacancy {
	/** Identity of the world that the next engine loads; empty if none is known. */
	readonly identity: string;
	/** True if the relay runs an engine of its own. */
	readonly hasOwnEngine: boolean;
	/** Trouble of the relay's own browser, if it dies repeatedly. */
	readonly trouble: Trouble | undefined;
}

/** Repeated ends of the relay's own browser. */
export interface Trouble {
	/** Reason, as a sentence. */
	readonly why: string;
	/** Time of the next start (ms since 1970). */
	readonly next: number;
}

/** Returns 503 `no_engine`, with the way in which the next engine starts. */
export function vacantAnswer({ identity, hasOwnEngine, trouble }: Vacancy): WireResponse {
	let message = 'No tab runs a world at the moment.';
	if (identity !== '') message += ` The server keeps the world ${identity} for the next tab.`;
	if (trouble !== undefined) message += ` ${trouble.why}${nextStartText(trouble)}`;
	const wait = trouble === undefined ? 1 : Math.max(1, Math.ceil((trouble.next - Date.now()) / 1000));
	const fix =
		'The server is starting its headless browser. Wait the number of seconds in Retry-After, then send the call again.';
	return errorResponse(
		new ApiError('no_engine', message, {
			headers: { 'retry-after': String(wait) },
			details: { last_world: null },
			...(hasOwnEngine ? { fix } : {}),
		}),
	);
}

const nextStartText = ({ next }: Trouble): string =>
	next > Date.now()
		? ` The next start is at ${new Date(next).toISOString()}. The world's journal is kept.`
		: ' A restart is in progress.';

/**
 * Returns 503 `busy`, because the next engine is starting. `startingSince`: the time of its start (ms since 1970).
 * `reading`: its progress in the journal, if known.
 */
export function startingAnswer(startingSince: number, reading: TabReading | undefined): WireResponse {
	const since = new Date(startingSince).toISOString();
	const message =
		reading === undefined
			? `The engine has been starting since ${since}. Calls wait until it is ready.`
			: `The engine is reading the journal: entry ${reading.next} of ${reading.end}. Calls wait until it is ready.`;
	const busy =
		reading === undefined ? { starting: true, since } : { reading: { next: reading.next, end: reading.end } };
	return errorResponse(new ApiError('busy', message, { headers: { 'retry-after': '1' }, details: { busy } }));
}

/** Returns 503 `no_engine`, because the server ends. No engine has received the call. */
export function stoppingAnswer(): WireResponse {
	return errorResponse(
		new ApiError('no_engine', 'The server is stopping. The call was not applied.', {
			fix: 'Send the call again after the server has restarted.',
			details: { applied: false },
		}),
	);
}

/** Returns 503 `no_engine`, because no engine can resume the world from the journal. `fix`: for a world other than main. */
export function unreadableAnswer(
	why: string,
	fix = 'Check what the message names, or start the server with --new for a new world. The journal is unchanged.',
): WireResponse {
	const message = `The engine stopped because it cannot resume the world from the journal. ${why}`;
	return errorResponse(new ApiError('no_engine', message, { fix }));
}

/** Returns 503 `busy`, with the reason: a handover, a lost connection, or the oldest call of the engine. */
export function busyAnswer(oldest: OldestCall | undefined, { movingSince, lostFor }: Absence): WireResponse {
	const headers = { 'retry-after': '1' };
	if (movingSince !== undefined) {
		const since = new Date(movingSince).toISOString();
		const message = `The world has been moving to another tab since ${since}. Calls wait, then run there.`;
		return errorResponse(
			new ApiError('busy', message, { headers, details: { busy: { handover: true, since } } }),
		);
	}
	if (lostFor !== undefined) {
		const seconds = Math.round(lostFor / 100) / 10;
		const message = `The tab that runs the world lost its connection ${seconds} s ago. Calls wait for it. If it does not return, another tab resumes the world.`;
		return errorResponse(
			new ApiError('busy', message, { headers, details: { busy: { reconnecting: true, seconds } } }),
		);
	}
	if (oldest === undefined) {
		const message = 'The engine is running a call that did not come through the relay.';
		return errorResponse(new ApiError('busy', message, { headers, details: { busy: {} } }));
	}
	const { request, ms, othersWaiting } = oldest;
	const seconds = Math.round(ms / 100) / 10;
	const busy = {
		method: request.method,
		path: request.path,
		since: new Date(Date.now() - ms).toISOString(),
		seconds,
		waiting: othersWaiting,
		agent: request.headers['x-agent'] ?? request.headers['user-agent'] ?? '',
	};
	const waiting = othersWaiting === 1 ? '1 other call waits' : `${othersWaiting} other calls wait`;
	const message = `The engine has been running ${busy.method} ${busy.path} for ${seconds} s; ${waiting}. Its world is not lost.`;
	const fix = seconds < LONG_CALL_SECONDS ? {} : { fix: END_FIX };
	return errorResponse(new ApiError('busy', message, { headers, details: { busy }, ...fix }));
}
