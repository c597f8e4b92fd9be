/**
 * A server that needs sessions, with an engine and three agents, for tests of rights. Owns: starting and ending it.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Relay, startRelay } from '../../../relay/server.ts';
import { httpHandle } from '../../../shared/transport/client.ts';
import { caller, type Json, requestOf, testEngine } from '../../support/engine.ts';
import { openJournalTab } from '../journal-tab.ts';
import { listAgents, newAgent, type TestAgent } from './keys.ts';

export type Call = (
	method: string,
	path: string,
	body?: unknown,
	headers?: Record<string, string>,
) => Promise<{ status: number; body: Json }>;

export interface GatedServer {
	readonly data: string;
	readonly relay: Relay;
	/** Session of agent 1. */
	readonly adasToken: string;
	/** Makes calls as agent 1, to which `limits` apply. */
	readonly ada: Call;
	/** Makes calls as agent 2. */
	readonly bob: Call;
	/** Makes calls as an operator. */
	readonly op: Call;
	/** Makes calls without a session. */
	readonly stranger: Call;
	close(): Promise<void>;
}

const PAGE = { html: async () => '<html><head></head></html>', serve: () => false };
const NOW = 1_800_000_000;

export interface GatedSettings {
	/** Limits of agent 1. */
	readonly limits?: object;
	readonly data?: string;
	/** Bytes that the journal may take. */
	readonly journalBytes?: number;
}

export async function startGated({
	limits = {},
	data: given,
	journalBytes = 2 ** 30,
}: GatedSettings = {}): Promise<GatedServer> {
	const data = given ?? (await mkdtemp(join(tmpdir(), 'orrery-gated-')));
	const agents = [newAgent('ada'), newAgent('bob'), newAgent('op')] as const;
	await listAgents(data, [
		[agents[0], { number: 1, limits }],
		[agents[1], { number: 2 }],
		[agents[2], { number: 9, access: 'admin' }],
	]);
	const relay = await startRelay({ port: 0, data, page: PAGE, auth: true, clock: () => NOW, journalBytes });
	const tab = await openJournalTab(relay.url);
	testEngine(await tab.engine);
	const handle = caller(httpHandle(relay.url));
	const callerWith =
		(token?: string): Call =>
		(method, path, body, headers = {}) => {
			const authorization: Record<string, string> =
				token === undefined ? {} : { authorization: `Bearer ${token}` };
			return handle(method, path, body, {
				...requestOf(method, path, body).headers,
				...authorization,
				...headers,
			});
		};
	const tokenOf = async (agent: TestAgent) =>
		(await callerWith()('POST', '/auth/login', agent.login(NOW))).body.session_token as string;
	const adasToken = await tokenOf(agents[0]);
	return {
		data,
		relay,
		adasToken,
		ada: callerWith(adasToken),
		bob: callerWith(await tokenOf(agents[1])),
		op: callerWith(await tokenOf(agents[2])),
		stranger: callerWith(),
		async close() {
			await tab.kill();
			await relay.close();
			if (given === undefined) await rm(data, { recursive: true, force: true });
		},
	};
}
