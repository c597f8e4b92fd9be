/**
 * Progress of a long call.
 * Owns: polling the engine, and the notifications to a client that requested progress.
 */

import type { RawCall } from '../../shared/transport/client.ts';
import { type Connection, readEngine } from './connection.ts';
import { isRecord, type McpRequest, metaOf } from './messages.ts';

/** Interval between two reads of the list of calls (ms). */
const INTERVAL_MS = 250;

interface ReportedCall {
	readonly method: string;
	readonly path: string;
	readonly age_ms: number;
	readonly ticks: number;
	readonly requests: number;
}

/** Reports the progress of a call until `work` ends, if the request has a token for it. Returns the result. */
export async function withProgress<T>(
	request: McpRequest,
	call: RawCall,
	connection: Connection,
	work: Promise<T>,
): Promise<T> {
	const { progressToken } = metaOf(request);
	const { notify } = connection;
	if (notify === undefined || (typeof progressToken !== 'string' && typeof progressToken !== 'number'))
		return work;
	const startTime = performance.now();
	const ticks = isRecord(call.body) ? call.body.ticks : undefined;
	const total = typeof ticks === 'number' ? { total: ticks } : {};
	let lastProgress = -1;
	let hasEnded = false;
	let timer: NodeJS.Timeout | undefined;
	const report = async (): Promise<void> => {
		const { value } = await readEngine(connection, '/calls');
		const age = performance.now() - startTime;
		// If several such calls run, the one with the nearest age is this one.
		const [ownCall] = (value.calls as ReportedCall[])
			.filter(({ method, path }) => method === call.method && path === call.path)
			.sort((a, b) => Math.abs(a.age_ms - age) - Math.abs(b.age_ms - age));
		const progress = ownCall === undefined ? lastProgress : ownCall.ticks + ownCall.requests;
		if (hasEnded || progress <= lastProgress) return;
		lastProgress = progress;
		const message = `${ownCall!.ticks} ticks`;
		notify('notifications/progress', { progressToken, progress, ...total, message });
	};
	const schedule = (): void => {
		timer = setTimeout(() => {
			// Progress that cannot be read is not reported. The answer has the error.
			void report()
				.catch(() => {})
				.then(() => {
					if (!hasEnded) schedule();
				});
		}, INTERVAL_MS);
	};
	schedule();
	try {
		return await work;
	} finally {
		hasEnded = true;
		clearTimeout(timer);
	}
}
