/**
 * Engine for a run of the suite: an engine of this process, or that of a running server.
 * Owns: the choice. The world of a server is never replaced.
 */

import type { CallHandler } from '../../shared/contract/wire.ts';
import { httpHandle } from '../../shared/transport/client.ts';
import { createEngine } from '../../web/host/engine.ts';
import { jsonOf, sendCall } from '../cli/send-call.ts';
import { UsageError } from '../cli/terminal.ts';
import { DataFiles } from '../data-files.ts';
import { PUBLIC } from '../folders.ts';
import { emptyEngine } from './run-task.ts';

export interface SuiteEngine {
	readonly handle: CallHandler;
	close(): Promise<void>;
}

/**
 * Returns the engine of a server, or an engine of this process if `server` is undefined. Rejects with `NoServerError` if
 * the server does not answer, and with `UsageError` if its world is not empty.
 */
export async function openEngine(server: string | undefined): Promise<SuiteEngine> {
	if (server === undefined) return ownEngine();
	const handle = httpHandle(server);
	const status = await sendCall(server, { method: 'GET', path: '/' });
	const { tick, entity_count } = jsonOf(server, status) as { tick: number; entity_count: number };
	if (tick > 0 || entity_count > 0)
		throw new UsageError(
			`The server at ${server} has a world, and the suite would replace it. Start another one: orrery start --memory --port PORT.`,
		);
	return { handle, close: () => emptyEngine(handle, 0) };
}

async function ownEngine(): Promise<SuiteEngine> {
	const shipped = new DataFiles(PUBLIC);
	const engine = await createEngine({
		async readPublic(path) {
			const { outcome, bytes } = await shipped.read(path);
			return outcome === 'done' ? bytes : null;
		},
	});
	return { handle: engine.handle, close: () => engine.close() };
}
