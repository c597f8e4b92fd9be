/**
 * Answers of the relay for an engine that is too busy to answer, or missing.
 * Owns: the words. Never: asks the engine.
 */

import { errorResponse } from '../shared/contract/error-response.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { WireResponse } from '../shared/contract/wire.ts';
import type { Oldest } from './pending-calls.ts';
import type { TabReading } from './tab-connection.ts';

const ENDING =
	'Wait. If the call never ends, send DELETE /engine/worker/{held_world} with the name in the X-Orrery-World header: a new engine ' +
	'starts and resumes the world from the journal.';

/** After this many seconds on one call it is reported how an engine is ended. */
const LONG = 60;

/** Reason that the engine may not answer, beside what it works on. */
export interface Absence {
	/** Time at which a handover began that is under way (ms since 1970). */
	readonly movingSince: number | undefined;
	/** For how long its tab has had no connection (ms). */
	readonly lostFor: number | undefined;
}

/** Reason that there may be no engine. */
export interface Vacancy {
	/** Identity of the world that the next engine loads; empty if none is known. */
	readonly identity: string;
	/** True if the relay runs a browser of its own. */
	readonly keeps: boolean;
	/** Reason that this browser does not hold the world, if it dies again and again. */
	readonly trouble: Trouble | undefined;
}

/** Reason for which the relay's own browser dies again and again. */
export interface Trouble {
	/** As a sentence. */
	readonly why: string;
	/** Time at which it is started again (ms since 1970). */
	readonly next: number;
}

/** 503 `no_engine`, with what starts the next engine. */
export function vacantAnswer({ identity, keeps, trouble }: Vacancy): WireResponse {
	let message = 'No tab runs a world at the moment.';
	if (identity !== '') message += ` The server keeps the world ${identity} for the next tab.`;
	if (trouble !== undefined) message += ` ${trouble.why}${nextTry(trouble)}`;
	const wait = trouble === undefined ? 1 : Math.max(1, Math.ceil((trouble.next - Date.now()) / 1000));
	const fix =
		'The server is starting its headless browser. Wait the number of seconds in Retry-After, then send the call again.';
	return errorResponse(
		new ApiError('no_engine', message, {
			headers: { 'retry-after': String(wait) },
			details: { last_world: null },
			...(keeps ? { fix } : {}),
		}),
	);
}

const nextTry = ({ next }: Trouble): string =>
	next > Date.now()
		? ` The next start is at ${new Date(next).toISOString()}. The world's journal is kept.`
		: ' A restart is in progress.';

/** 503 `busy`: the next engine is starting since then (ms since 1970), and how far it is with reading the journal where it says so. */
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

/** 503 `no_engine`: the server ends, and no tab has had the call. */
export function stoppingAnswer(): WireResponse {
	return errorResponse(
		new ApiError('no_engine', 'The server is stopping. The call was not applied.', {
			fix: 'Send the call again after the server has restarted.',
			details: { applied: false },
		}),
	);
}

/** 503 `no_engine`: no engine resumes the world from the journal. `fix`: for a world other than main. */
export function unreadableAnswer(
	why: string,
	fix = 'Check what the message names, or start the server with --new for a new world. The journal is unchanged.',
): WireResponse {
	const message = `The engine stopped because it cannot resume the world from the journal. ${why}`;
	return errorResponse(new ApiError('no_engine', message, { fix }));
}

/** 503 `busy`, with the call that the engine has been at work on for longest and since when. */
export function busyAnswer(oldest: Oldest | undefined, { movingSince, lostFor }: Absence): WireResponse {
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
	const { request, ms, behind } = oldest;
	const seconds = Math.round(ms / 100) / 10;
	const busy = {
		method: request.method,
		path: request.path,
		since: new Date(Date.now() - ms).toISOString(),
		seconds,
		waiting: behind,
		agent: request.headers['x-agent'] ?? request.headers['user-agent'] ?? '',
	};
	const waiting = behind === 1 ? '1 other call waits' : `${behind} other calls wait`;
	const message = `The engine has been running ${busy.method} ${busy.path} for ${seconds} s; ${waiting}. Its world is not lost.`;
	const more = seconds < LONG ? {} : { fix: ENDING };
	return errorResponse(new ApiError('busy', message, { headers, details: { busy }, ...more }));
}
