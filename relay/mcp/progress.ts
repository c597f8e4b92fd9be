/**
 * Progress of a call that takes long.
 * Owns: polling the engine, and the notifications to a client that asked for progress.
 */

import type { RawCall } from '../../shared/transport/client.ts';
import { type Connection, read } from './connection.ts';
import { isRecord, type McpRequest, metaOf } from './messages.ts';

/** Milliseconds between two looks at the list of calls. */
const EVERY = 250;

interface ReportedCall {
	readonly method: string;
	readonly path: string;
	readonly age_ms: number;
	readonly ticks: number;
	readonly requests: number;
}

/** Reports progress of a call while `work` is on its way, if the request has a token for it. */
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
	const began = performance.now();
	const ticks = isRecord(call.body) ? call.body.ticks : undefined;
	const total = typeof ticks === 'number' ? { total: ticks } : {};
	let last = -1;
	let over = false;
	let timer: NodeJS.Timeout | undefined;
	const look = async (): Promise<void> => {
		const { value } = await read(connection, '/calls');
		const age = performance.now() - began;
		const [own] = (value.calls as ReportedCall[])
			.filter((one) => one.method === call.method && one.path === call.path)
			.sort((a, b) => Math.abs(a.age_ms - age) - Math.abs(b.age_ms - age));
		const progress = own === undefined ? last : own.ticks + own.requests;
		if (over || progress <= last) return;
		last = progress;
		notify('notifications/progress', { progressToken, progress, ...total, message: `${own!.ticks} ticks` });
	};
	const next = (): void => {
		timer = setTimeout(() => {
			// Progress that cannot be read is not reported: the answer tells what is wrong.
			void look()
				.catch(() => {})
				.then(() => {
					if (!over) next();
				});
		}, EVERY);
	};
	next();
	try {
		return await work;
	} finally {
		over = true;
		clearTimeout(timer);
	}
}
