/** Agents with keys, for tests of signing in. Owns: their keys, and the list that the relay reads. */

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface TestAgent {
	readonly agent_id: string;
	readonly public_key: string;
	/** Returns the body of POST /auth/login, signed with the agent's key. */
	login(
		timestamp: number,
		options?: { readonly domain?: string; readonly agent_id?: string; readonly server?: string },
	): {
		agent_id: string;
		domain: string;
		timestamp: number;
		signature: string;
		public_key: string;
		server?: string;
	};
}

export function newAgent(agent_id: string): TestAgent {
	const { publicKey, privateKey } = generateKeyPairSync('ed25519');
	const public_key = rawKey(publicKey);
	return {
		agent_id,
		public_key,
		login(timestamp, { domain = 'orrery.local', agent_id: id = agent_id, server } = {}) {
			const text = [id, domain, timestamp, ...(server === undefined ? [] : [server])].join('\n');
			const signature = sign(null, Buffer.from(text), privateKey).toString('base64');
			const serverField = server === undefined ? {} : { server };
			return { agent_id: id, domain, timestamp, signature, public_key, ...serverField };
		},
	};
}

/** Returns the 32 bytes of a public key, as base64. */
export function rawKey(key: KeyObject): string {
	return key.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64');
}

/** Writes the list of agents. Each has the fields beside it in addition to its name and key. */
export async function listAgents(
	folder: string,
	agents: readonly (readonly [TestAgent, object])[],
	settings: object = {},
): Promise<void> {
	const entries = agents.map(([{ agent_id, public_key }, fields]) => ({ agent_id, public_key, ...fields }));
	await writeFile(join(folder, '.orrery-agents.json'), JSON.stringify({ agents: entries, ...settings }));
}
