/**
 * List of agents that may sign in, `.orrery-agents.json` in the data folder.
 * Owns: its format, and reading it again after a change, so that a new key needs no restart.
 */

import type { Access, AgentLimits } from '../../shared/contract/principal.ts';
import { OwnFile } from '../own-file.ts';
import { codeOf } from '../system-code.ts';

export interface ListedAgent {
	readonly agent_id: string;
	/** Base64 of 32 bytes. */
	readonly public_key: string;
	/** Number of the agent in the world: `agent_id` of its entities. */
	readonly number: number;
	readonly access: Access;
	readonly limits: AgentLimits;
}

export interface AgentList {
	/** Domains that a signature may name. */
	readonly domains: readonly string[];
	/** Duration of a session. */
	readonly session_seconds: number;
	readonly agents: readonly ListedAgent[];
}

export const DEFAULT_DOMAIN = 'orrery.local';
export const DEFAULT_LIMITS: AgentLimits = {
	calls_per_second: 200,
	entities: 10_000,
	forks: 50,
	worlds: 4,
	snapshots: 20,
	files: 1000,
	file_bytes: 2 ** 30,
	asset_bytes: 2 ** 26,
	journal_bytes: 2 ** 28,
	paid_models: 10,
};
const DEFAULT_SESSION_SECONDS = 12 * 60 * 60;
const ACCESS: readonly Access[] = ['read', 'write', 'admin'];

export const NO_AGENTS: AgentList = {
	domains: [DEFAULT_DOMAIN],
	session_seconds: DEFAULT_SESSION_SECONDS,
	agents: [],
};

/** Returns the list in a file, with defaults for missing fields. Throws a clear error if it is invalid. */
export function agentListOf(value: unknown): AgentList {
	if (!isRecord(value)) throw new Error('The list of agents is not a JSON object.');
	const { domains = [DEFAULT_DOMAIN], session_seconds = DEFAULT_SESSION_SECONDS, agents = [] } = value;
	if (!Array.isArray(domains) || domains.length === 0 || !domains.every(isName))
		throw new Error('"domains" in the list of agents must be a list of names.');
	if (!isCount(session_seconds) || session_seconds === 0)
		throw new Error('"session_seconds" in the list of agents must be a whole number above 0.');
	if (!Array.isArray(agents)) throw new Error('"agents" in the list of agents must be a list.');
	const listedAgents = agents.map(agentOf);
	for (const key of ['agent_id', 'number', 'public_key'] as const) {
		const duplicate = listedAgents.find(
			(agent, i) => listedAgents.findIndex((other) => other[key] === agent[key]) !== i,
		);
		if (duplicate !== undefined)
			throw new Error(`Two agents in the list have the same ${key}: ${duplicate[key]}.`);
	}
	return { domains, session_seconds, agents: listedAgents };
}

function agentOf(value: unknown, index: number): ListedAgent {
	const label = `agents[${index}] in the list of agents`;
	if (!isRecord(value)) throw new Error(`${label} is not an object.`);
	const { agent_id, public_key, number, access = 'write', limits = {} } = value;
	if (!isName(agent_id))
		throw new Error(`"agent_id" of ${label} must be a text of 1 to 100 characters without line breaks.`);
	if (typeof public_key !== 'string' || keyBytes(public_key)?.length !== 32)
		throw new Error(`"public_key" of ${label} must be 32 bytes in base64.`);
	if (!isCount(number) || number > 0xffffffff)
		throw new Error(`"number" of ${label} must be a whole number from 0 to 4294967295.`);
	if (!ACCESS.includes(access as Access))
		throw new Error(`"access" of ${label} must be read, write or admin.`);
	if (!isRecord(limits) || !Object.values(limits).every((limit) => isCount(limit)))
		throw new Error(`"limits" of ${label} must be an object of whole numbers.`);
	const unknown = Object.keys(limits).find((name) => !Object.hasOwn(DEFAULT_LIMITS, name));
	if (unknown !== undefined)
		throw new Error(
			`"limits" of ${label} has an unknown limit "${unknown}". Known limits: ${Object.keys(DEFAULT_LIMITS).join(', ')}.`,
		);
	return {
		agent_id,
		public_key: keyText(public_key),
		number,
		access: access as Access,
		limits: { ...DEFAULT_LIMITS, ...limits },
	};
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const isName = (value: unknown): value is string =>
	// biome-ignore lint/suspicious/noControlCharactersInRegex: a line feed in a name would change the meaning of the signed text
	typeof value === 'string' && /^[^\x00-\x1f]{1,100}$/.test(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const PREFIX = 'ed25519:';
/** Returns a key in the form of the list: without the prefix that names its kind. */
export const keyText = (key: string): string => (key.startsWith(PREFIX) ? key.slice(PREFIX.length) : key);

type Bytes = Uint8Array<ArrayBuffer>;

/** Returns the bytes of a key; undefined if it is not base64 with padding. */
export const keyBytes = (key: string): Bytes | undefined => exactBytes(keyText(key));

/**
 * Returns the bytes of a text in canonical base64 with padding; undefined for any other text.
 */
export function exactBytes(text: string): Bytes | undefined {
	const bytes = Buffer.from(text, 'base64');
	return bytes.toString('base64') === text ? new Uint8Array(bytes) : undefined;
}

/** All agents together may add at most the journal's limit divided by this in an hour. With a burst it is twice that. */
const HOURLY_DIVISOR = 4;

/**
 * Returns the list with lower limits, so that the journal always keeps the history of at least the last hour, even if
 * all agents write as much as they may.
 */
function limitToJournal(list: AgentList, journalBytes: number): AgentList {
	const writers = list.agents.filter(({ access }) => access === 'write').length;
	const maxBytes = Math.floor(journalBytes / HOURLY_DIVISOR / Math.max(1, writers));
	const agents = list.agents.map((agent) => {
		const { access, limits } = agent;
		if (access === 'admin') return agent;
		return { ...agent, limits: { ...limits, journal_bytes: Math.min(limits.journal_bytes, maxBytes) } };
	});
	return { ...list, agents };
}

export class Agents {
	readonly file: OwnFile;
	/** Last list that was read, with the version of the file. */
	#cached: { readonly version: string; readonly list: Promise<AgentList> } | undefined;
	readonly #journalBytes: number;

	/** `journalBytes`: maximum bytes of the journal. */
	constructor(folder: string, journalBytes = Number.POSITIVE_INFINITY) {
		this.file = new OwnFile(folder, 'agents');
		this.#journalBytes = journalBytes;
	}

	/** Returns a text that changes with each change of the list. If the file cannot be read, it is the error code. Never rejects. */
	version(): Promise<string> {
		return this.file.version().catch((error: unknown) => codeOf(error));
	}

	/** Returns the list. Rejects with an error that names the file if it is invalid. */
	async list(): Promise<AgentList> {
		const version = await this.version();
		if (this.#cached?.version !== version) {
			const list = this.file.read((value) =>
				value === undefined ? NO_AGENTS : limitToJournal(agentListOf(value), this.#journalBytes),
			);
			this.#cached = { version, list };
			// A failed read is repeated, because the file may become readable without a change.
			list.catch(() => {
				this.#cached = undefined;
			});
		}
		return this.#cached.list;
	}
}
