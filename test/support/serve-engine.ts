/**
 * An engine of this process behind a plain HTTP server.
 * Owns: converting Node's requests to wire requests, and the answers back.
 */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CallHandler } from '../../shared/contract/wire.ts';

export interface ServedEngine {
	/** Address, such as http://127.0.0.1:40123. */
	readonly url: string;
	close(): Promise<void>;
}

/** Serves a handle on a free port. */
export async function serveHandle(handle: CallHandler): Promise<ServedEngine> {
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const [path = '/', query = ''] = (request.url ?? '/').split('?', 2);
		const answer = await handle({
			method: request.method ?? 'GET',
			path,
			query,
			headers: Object.fromEntries(
				Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
			),
			body: Buffer.concat(chunks),
		});
		response.writeHead(answer.status, answer.headers).end(answer.body);
	});
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		close: () =>
			new Promise((done, failed) => {
				server.closeAllConnections();
				server.close((error) => (error ? failed(error) : done()));
			}),
	};
}
