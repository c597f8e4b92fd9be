/**
 * The list of those who may sign in, `.orrery-agents.json` in the data folder.
 * Owns: its form, and reading it again when it has changed, so that nothing has to be started again for a new key.
 */

import type { Access, AgentLimits } from '../../shared/contract/principal.ts';
import { OwnFile } from '../own-file.ts';
import { codeOf } from '../system-code.ts';

export interface ListedAgent {
	readonly agent_id: string;
	/** Base64 of 32 bytes. */
	readonly public_key: string;
	/** Value of `agent_id` of its entities. */
	readonly number: number;
	readonly access: Access;
	readonly limits: AgentLimits;
}

export interface AgentList {
	/** Domains that signatures may be for. */
	readonly domains: readonly string[];
	/** Length of a session. */
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
const DEFAULT_SECONDS = 12 * 60 * 60;
const ACCESS: readonly Access[] = ['read', 'write', 'admin'];

export const NO_AGENTS: AgentList = {
	domains: [DEFAULT_DOMAIN],
	session_seconds: DEFAULT_SECONDS,
	agents: [],
};

/** Returns a list as a file has it, with what it leaves out. Throws a sentence that names what is wrong. */
export function agentListOf(value: unknown): AgentList {
	if (!isRecord(value)) throw new Error('The list of agents is not a JSON object.');
	const { domains = [DEFAULT_DOMAIN], session_seconds = DEFAULT_SECONDS, agents = [] } = value;
	if (!Array.isArray(domains) || domains.length === 0 || !domains.every(isName))
		throw new Error('"domains" in the list of agents must be a list of names.');
	if (!isCount(session_seconds) || session_seconds === 0)
		throw new Error('"session_seconds" in the list of agents must be a whole number above 0.');
	if (!Array.isArray(agents)) throw new Error('"agents" in the list of agents must be a list.');
	const listed = agents.map(agentOf);
	for (const key of ['agent_id', 'number', 'public_key'] as const) {
		const twice = listed.find((agent, i) => listed.findIndex((other) => other[key] === agent[key]) !== i);
		if (twice !== undefined) throw new Error(`Two agents in the list have the same ${key}: ${twice[key]}.`);
	}
	return { domains, session_seconds, agents: listed };
}

function agentOf(value: unknown, index: number): ListedAgent {
	const where = `agents[${index}] in the list of agents`;
	if (!isRecord(value)) throw new Error(`${where} is not an object.`);
	const { agent_id, public_key, number, access = 'write', limits = {} } = value;
	if (!isName(agent_id))
		throw new Error(`"agent_id" of ${where} must be a text of 1 to 100 characters without line breaks.`);
	if (typeof public_key !== 'string' || keyBytes(public_key)?.length !== 32)
		throw new Error(`"public_key" of ${where} must be 32 bytes in base64.`);
	if (!isCount(number) || number > 0xffffffff)
		throw new Error(`"number" of ${where} must be a whole number from 0 to 4294967295.`);
	if (!ACCESS.includes(access as Access))
		throw new Error(`"access" of ${where} must be read, write or admin.`);
	if (!isRecord(limits) || !Object.values(limits).every((limit) => isCount(limit)))
		throw new Error(`"limits" of ${where} must be an object of whole numbers.`);
	const unknown = Object.keys(limits).find((name) => !Object.hasOwn(DEFAULT_LIMITS, name));
	if (unknown !== undefined)
		throw new Error(
			`"limits" of ${where} has an unknown limit "${unknown}". Known limits: ${Object.keys(DEFAULT_LIMITS).join(', ')}.`,
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
	// biome-ignore lint/suspicious/noControlCharactersInRegex: a line feed within a name would make it another one when signed
	typeof value === 'string' && /^[^\x00-\x1f]{1,100}$/.test(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const PREFIX = 'ed25519:';
/** Returns a key as the list has it: without the name of its kind. */
export const keyText = (key: string): string => (key.startsWith(PREFIX) ? key.slice(PREFIX.length) : key);

type Bytes = Uint8Array<ArrayBuffer>;

/** Returns the bytes of a key; undefined for what is not base64 with its padding. */
export const keyBytes = (key: string): Bytes | undefined => exactBytes(keyText(key));

/**
 * Returns the bytes of base64 with its padding, written in the one way in which they are; undefined for anything
 * else.
 */
export function exactBytes(text: string): Bytes | undefined {
	const bytes = Buffer.from(text, 'base64');
	return bytes.toString('base64') === text ? new Uint8Array(bytes) : undefined;
}

/** All agents that may write add at most one such part of the journal in an hour. With a burst before, it is two. */
const PARTS = 4;

/**
 * Returns the list with lower limits, so that all agents together leave most of the journal to the history of the
 * last hour.
 */
function withinJournal(list: AgentList, journalBytes: number): AgentList {
	const writers = list.agents.filter(({ access }) => access === 'write').length;
	const most = Math.floor(journalBytes / PARTS / Math.max(1, writers));
	const agents = list.agents.map((agent) => {
		const { access, limits } = agent;
		if (access === 'admin') return agent;
		return { ...agent, limits: { ...limits, journal_bytes: Math.min(limits.journal_bytes, most) } };
	});
	return { ...list, agents };
}

export class Agents {
	readonly file: OwnFile;
	#list: { readonly version: string; readonly is: Promise<AgentList> } | undefined;

	readonly #journalBytes: number;

	/** `journalBytes`: bytes that the journal may take. */
	constructor(folder: string, journalBytes = Number.POSITIVE_INFINITY) {
		this.file = new OwnFile(folder, 'agents');
		this.#journalBytes = journalBytes;
	}

	/** Returns a text that changes whenever the list does; one for each list that cannot be read. Never rejects. */
	version(): Promise<string> {
		return this.file.version().catch((error: unknown) => codeOf(error));
	}

	/** Rejects with a sentence that names the file when it is not such a list. */
	async list(): Promise<AgentList> {
		const version = await this.version();
		if (this.#list?.version !== version) {
			const is = this.file.read((value) =>
				value === undefined ? NO_AGENTS : withinJournal(agentListOf(value), this.#journalBytes),
			);
			this.#list = { version, is };
			// It may be readable again without a change.
			is.catch(() => {
				this.#list = undefined;
			});
		}
		return this.#list.is;
	}
}
