/**
 * Sign-in: keys, sessions, and the rights of agents to write files.
 * Owns: the data that survive the relay: used signatures, and sessions by the hash of their token. Both are limited
 * for each agent. The engine stores none of it.
 * Never: returns a token more than once, or stores one; knows the meaning of a call.
 */

import { createHash, randomBytes, timingSafeEqual, webcrypto } from 'node:crypto';
import { basename } from 'node:path';
import { ApiError, notOwner } from '../../shared/contract/errors.ts';
import type { AgentSession } from '../../shared/contract/principal.ts';
import type { Login } from '../../shared/transport/errand.ts';
import { TaskQueue } from '../../shared/transport/task-queue.ts';
import type { FileShares } from '../folder-room.ts';
import { OwnFile } from '../own-file.ts';
import { codeOf } from '../system-code.ts';
import { randomToken } from '../tokens.ts';
import { type AgentList, Agents, exactBytes, keyBytes, type ListedAgent } from './agents.ts';
import { FileOwners } from './file-owners.ts';

/** Maximum difference between the time of a signature and the server's clock, in seconds. */
export const MAX_CLOCK_DIFFERENCE_S = 300;
/** Maximum number of sessions of one agent. Beyond it, a new session ends the oldest. */
const MAX_SESSIONS = 16;

interface Session {
	readonly agent_id: string;
	/** Key of the sign-in. If the list no longer has it, the session is over. */
	readonly public_key: string;
	/** End of the session (Unix seconds). */
	readonly ends: number;
}

interface StoredSessions {
	/** Hashes of used signatures, each with the end of its validity (Unix seconds). */
	readonly used: Record<string, number>;
	/** Sessions by the hash of their token, oldest first. */
	readonly sessions: Record<string, Session>;
	/** Owners of files. Only older servers, which had no database for them, wrote this. */
	readonly owners?: Record<string, string>;
}

/** A file of the sign-in. */
type SessionFile = Pick<OwnFile, 'path'>;

export interface SignInOptions {
	/** The data folder. */
	readonly folder: string;
	/** Maximum bytes of the journal. */
	readonly journalBytes?: number | undefined;
	/** Returns Unix seconds. */
	readonly now?: () => number;
	/** Token of the relay itself, which has all rights. */
	readonly ownToken?: string;
	/** Reports an error of a file to the operator, in full. */
	readonly report?: (error: unknown) => void;
}

/** Agent for calls of the relay itself, for example when it loads a scene. */
const RELAY_AGENT: ListedAgent = {
	agent_id: 'orrery relay',
	public_key: '',
	number: 0xffffffff,
	access: 'admin',
	limits: {
		calls_per_second: 1e6,
		entities: 1e6,
		forks: 1e6,
		worlds: 1e6,
		snapshots: 50,
		files: 1e6,
		file_bytes: 1e15,
		asset_bytes: 1e15,
		journal_bytes: 1e15,
		paid_models: 1e6,
	},
};

export class SignIn {
	/** Name of this server, new after each start. A signature that contains it is valid only here. */
	readonly server = randomToken();
	readonly agents: Agents;
	readonly #file: OwnFile;
	readonly #owners: FileOwners;
	readonly #now: () => number;
	/** Hash of the relay's own token. */
	readonly #ownTokenHash: string | undefined;
	readonly #report: (error: unknown) => void;
	/** Last report about each file, so that it is not repeated with each call. */
	readonly #reported = new Map<SessionFile, string>();
	#storedSessions: Promise<StoredSessions> | undefined;
	/** Runs sign-ins in order, so that a signature cannot be used twice at the same time. */
	readonly #queue = new TaskQueue();

	constructor({
		folder,
		journalBytes,
		now = () => Date.now() / 1000,
		ownToken,
		report = (error) => console.error(error),
	}: SignInOptions) {
		this.agents = new Agents(folder, journalBytes);
		this.#file = new OwnFile(folder, 'sign-in');
		this.#owners = new FileOwners(folder);
		this.#now = now;
		this.#ownTokenHash = ownToken === undefined ? undefined : hashOf(ownToken);
		this.#report = report;
	}

	/** Checks the files. Rejects with an error for the operator if one of them cannot be used. */
	async check(): Promise<void> {
		await this.agents.list();
		await this.#owners.check();
		const { owners, ...stored } = await this.#file.read(storedSessionsOf);
		if (owners === undefined) return;
		for (const [path, agent] of Object.entries(owners)) await this.#owners.add(path, agent);
		await this.#file.write(stored);
	}

	/** Starts a session. Rejects with `login_refused` or `auth_failed`. */
	async login(login: Login): Promise<AgentSession & { readonly session_token: string }> {
		const parts = keyAndSignatureOf(login);
		if (login.server !== undefined && login.server !== this.server)
			throw refusal('The signature is for another server, or for this one before it was last started.', {
				fix: 'Read "server" from GET /auth/status of this server, then sign again.',
			});
		// The list is checked first, because the check of a signature is expensive.
		await this.#findAgent(login);
		await checkSignature(login, parts);
		return this.#queue.run(() => this.#startSession(login));
	}

	/** Returns the agent that a sign-in names. Rejects if the key is not listed for it. */
	async #findAgent({ agent_id, public_key }: Login): Promise<ListedAgent> {
		const { agents } = await this.#list();
		const agent = agents.find((listed) => listed.agent_id === agent_id);
		if (agent !== undefined && timingSafeEqual(keyBytes(public_key)!, keyBytes(agent.public_key)!))
			return agent;
		throw refusal(`The key is not listed for the agent "${agent_id}".`, {
			fix: 'Ask the operator to add it: orrery auth keygen --data FOLDER creates a key and lists it.',
		});
	}

	async #startSession(login: Login) {
		const { agent_id, domain, timestamp } = login;
		const { domains, session_seconds } = await this.#list();
		if (!domains.includes(domain))
			throw refusal(`The signature is for "${domain}", which is not a domain of this server.`, {
				fix: `Sign for ${domains.map((name) => `"${name}"`).join(' or ')}.`,
			});
		const now = this.#now();
		if (Math.abs(now - timestamp) > MAX_CLOCK_DIFFERENCE_S)
			throw refusal(
				`The signature has the time ${timestamp}, but the server's clock is at ${Math.floor(now)}: more than ${MAX_CLOCK_DIFFERENCE_S} s apart.`,
				{ fix: 'Set the clock, then sign the current time in Unix seconds.' },
			);
		const agent = await this.#findAgent(login);
		const stored = this.#withoutExpired(await this.#read());
		const signedHash = hashOf(signedText(login));
		if (stored.used[signedHash] !== undefined)
			throw refusal('This signature was already used.', {
				fix: 'Sign the current time: each signature starts one session.',
			});
		const token = randomBytes(32).toString('hex');
		const session = { agent_id, public_key: agent.public_key, ends: now + session_seconds };
		const agentSessions = Object.entries(stored.sessions).filter(([, other]) => other.agent_id === agent_id);
		const sessions = { ...stored.sessions };
		const excess = Math.max(0, agentSessions.length + 1 - MAX_SESSIONS);
		for (const [hash] of agentSessions.slice(0, excess)) delete sessions[hash];
		sessions[hashOf(token)] = session;
		// It is on the disk before the caller gets it, so a restarted relay still refuses the used signature.
		await this.#write({
			...stored,
			used: { ...stored.used, [signedHash]: timestamp + MAX_CLOCK_DIFFERENCE_S },
			sessions,
		});
		return { ...signedIn(agent, session.ends - now), session_token: token };
	}

	/** Returns the agent of a session, or null if there is no such session. Rejects with `auth_failed`. */
	async session(token: string): Promise<AgentSession | null> {
		const hash = hashOf(token);
		if (this.#ownTokenHash !== undefined && isSameHash(hash, this.#ownTokenHash))
			return signedIn(RELAY_AGENT, 3600);
		const { sessions } = await this.#read();
		const session = Object.hasOwn(sessions, hash) ? sessions[hash] : undefined;
		const remaining = (session?.ends ?? 0) - this.#now();
		if (session === undefined || remaining <= 0) return null;
		const { agents } = await this.#list();
		const agent = agents.find(
			({ agent_id, public_key }) => agent_id === session.agent_id && public_key === session.public_key,
		);
		return agent === undefined ? null : signedIn(agent, remaining);
	}

	/** Ends a session. Rejects with `auth_failed`. */
	logout(token: string): Promise<{ readonly ended: boolean }> {
		return this.#queue.run(async () => {
			const stored = this.#withoutExpired(await this.#read());
			const hash = hashOf(token);
			if (!Object.hasOwn(stored.sessions, hash)) return { ended: false };
			const { [hash]: _, ...sessions } = stored.sessions;
			await this.#write({ ...stored, sessions });
			return { ended: true };
		});
	}

	/** Checks that an agent may write a file. Rejects with `not_owner`, `agent_limit` or `auth_failed`. */
	async requireFile(path: string, agent_id: string, exists: boolean): Promise<void> {
		const owner = await this.#useFile(this.#owners, () => this.#owners.ownerOf(path));
		if (owner === agent_id) return;
		if (owner !== undefined || exists) throw notOwner(`The file "${path}"`, owner && `"${owner}"`);
		const { agents } = await this.#list();
		const limit = agents.find((agent) => agent.agent_id === agent_id)?.limits.files ?? 0;
		const count = await this.#useFile(this.#owners, () => this.#owners.count(agent_id));
		if (count >= limit)
			throw new ApiError('agent_limit', `"${agent_id}" already owns ${count} files; the limit is ${limit}.`, {
				fix: 'Write to one of its own paths, or ask the operator for a higher limit.',
			});
	}

	/** Makes an agent the owner of a file that it has written. Rejects with `auth_failed`. */
	ownFile(path: string, agent_id: string): Promise<void> {
		return this.#useFile(this.#owners, () => this.#owners.add(path, agent_id));
	}

	close(): Promise<void> {
		return this.#owners.close();
	}

	/** Returns the owners of files, and the limits of their bytes. Rejects with `auth_failed`. */
	async fileShares(): Promise<FileShares> {
		const { agents } = await this.#list();
		return {
			ownerOf: (path) => this.#useFile(this.#owners, () => this.#owners.ownerOf(path)),
			limitOf: (agent) => agents.find(({ agent_id }) => agent_id === agent)?.limits.file_bytes ?? 0,
		};
	}

	#list(): Promise<AgentList> {
		return this.#useFile(this.agents.file, () => this.agents.list());
	}

	#read(): Promise<StoredSessions> {
		this.#storedSessions ??= this.#useFile(this.#file, () => this.#file.read(storedSessionsOf)).catch(
			(error: unknown) => {
				// The next call tries again, because the operator may have repaired the file.
				this.#storedSessions = undefined;
				throw error;
			},
		);
		return this.#storedSessions;
	}

	/** Stores the sessions. Rejects with `auth_failed` if nothing was stored. */
	async #write(sessions: StoredSessions): Promise<void> {
		await this.#useFile(this.#file, () => this.#file.write(sessions));
		this.#storedSessions = Promise.resolve(sessions);
	}

	/** Runs work with a file. After a failure, callers learn its name, and the operator its path and the reason. */
	async #useFile<T>(file: SessionFile, work: () => Promise<T>): Promise<T> {
		try {
			const result = await work();
			this.#reported.delete(file);
			return result;
		} catch (error) {
			const text = String(error);
			if (text !== this.#reported.get(file)) this.#report(error);
			this.#reported.set(file, text);
			throw new ApiError(
				'auth_failed',
				`The server's file ${basename(file.path)} cannot be used (${codeOf(error) || 'its content is invalid'}). Nothing was changed.`,
			);
		}
	}

	/** Returns the stored data without expired signatures and sessions. */
	#withoutExpired(stored: StoredSessions): StoredSessions {
		const now = this.#now();
		const filterValues = <T>(record: Record<string, T>, isValid: (value: T) => boolean): Record<string, T> =>
			Object.fromEntries(Object.entries(record).filter(([, value]) => isValid(value)));
		return {
			...stored,
			used: filterValues(stored.used, (until) => until >= now),
			sessions: filterValues(stored.sessions, ({ ends }) => ends > now),
		};
	}
}

/** Returns the text that an agent signs. */
export const signedText = ({
	agent_id,
	domain,
	timestamp,
	server,
}: Pick<Login, 'agent_id' | 'domain' | 'timestamp' | 'server'>): string =>
	[agent_id, domain, timestamp, ...(server === undefined ? [] : [server])].join('\n');

interface SignInParts {
	readonly key: Uint8Array<ArrayBuffer>;
	readonly signature: Uint8Array<ArrayBuffer>;
}

/** Returns the key and the signature of a sign-in. Throws `login_refused` if a field has the wrong form. */
function keyAndSignatureOf(login: Login): SignInParts {
	const key = keyBytes(login.public_key);
	if (key === undefined) throw refusal('public_key is not base64 with padding.');
	if (key.length !== 32) throw refusal(`public_key has ${key.length} bytes; an Ed25519 key has 32.`);
	const signature = exactBytes(login.signature);
	if (signature === undefined) throw refusal('signature is not base64 with padding.');
	if (signature.length !== 64)
		throw refusal(`signature has ${signature.length} bytes; an Ed25519 signature has 64.`);
	// A line break in a name would make the signed text ambiguous.
	if (/[\r\n]/.test(login.agent_id + login.domain))
		throw refusal('agent_id and domain must not contain line breaks.');
	return { key, signature };
}

/** Rejects with `login_refused` unless the signature matches the key and the text. */
async function checkSignature(login: Login, { key, signature }: SignInParts): Promise<void> {
	const cryptoKey = await webcrypto.subtle
		.importKey('raw', key, 'Ed25519', false, ['verify'])
		.catch(() => undefined);
	if (cryptoKey === undefined) throw refusal('public_key is not an Ed25519 key.');
	const text = Buffer.from(signedText(login));
	const isValid = await webcrypto.subtle.verify('Ed25519', cryptoKey, signature, text);
	if (!isValid)
		throw refusal(
			'The signature does not match public_key, agent_id, domain, timestamp and, if it was sent, server.',
		);
}

function refusal(message: string, options: { fix?: string } = {}): ApiError {
	return new ApiError('login_refused', message, options);
}

const signedIn = ({ agent_id, number, access, limits }: ListedAgent, seconds: number): AgentSession => ({
	agent_id,
	number,
	access,
	limits,
	seconds_left: Math.floor(seconds),
});

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Compares two hashes in constant time. */
const isSameHash = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b));

/**
 * Returns the content of the file. Throws a clear error if no relay wrote it, because an empty list would accept used
 * signatures again.
 */
function storedSessionsOf(value: unknown): StoredSessions {
	if (value === undefined) return { used: {}, sessions: {} };
	const { used, sessions, owners = {} } = (value ?? {}) as Partial<StoredSessions>;
	if ([used, sessions, owners].some((part) => typeof part !== 'object' || part === null))
		throw new Error('It does not have the format that the server writes.');
	return value as StoredSessions;
}
