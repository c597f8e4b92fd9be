/** A relay with an engine in this process, for tests of MCP messages. Owns: its start and its end. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRelay } from '../../relay/server.ts';
import { httpHandle } from '../../shared/transport/client.ts';
import { clientOf } from '../support/engine.ts';
import { mcpClient } from '../support/mcp-client.ts';
import { readPublic } from '../support/public-files.ts';
import { openJournalTab } from './journal-tab.ts';

const PAGE = { html: async () => '<html><head></head></html>', serve: () => false };

/** Starts the relay with its engine. Returns clients for HTTP and MCP, and `close`. */
export async function startMcpServer() {
	const data = await mkdtemp(join(tmpdir(), 'orrery-mcp-'));
	const relay = await startRelay({ port: 0, data, page: PAGE });
	const tab = await openJournalTab(relay.url, { settings: { readPublic } });
	const engine = await tab.engine;
	return {
		...clientOf(httpHandle(relay.url)),
		...mcpClient(`${relay.url}/mcp`),
		url: relay.url,
		engine,
		async close() {
			tab.kill();
			await relay.close();
			await rm(data, { recursive: true, force: true });
		},
	};
}

export type McpServer = Awaited<ReturnType<typeof startMcpServer>>;
