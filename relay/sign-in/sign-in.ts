/**
 * Signing in: keys, sessions, and which agent may write which file.
 * Owns: the data that outlive the relay: used signatures, and sessions by the hash of their token. Both are bounded
 * for each agent. The tab that holds the world may go at any time and take nothing of it along.
 * Never: answers or writes down a token but the once; knows what a call does.
 */

import { createHash, randomBytes, timingSafeEqual, webcrypto } from 'node:crypto';
import { basename } from 'node:path';
import { ApiError, notOwner } from '../../shared/contract/errors.ts';
import type { SignedIn } from '../../shared/contract/principal.ts';
import type { Login } from '../../shared/transport/errand.ts';
import { TaskQueue } from '../../shared/transport/task-queue.ts';
import type { FileShares } from '../folder-room.ts';
import { OwnFile } from '../own-file.ts';
import { codeOf } from '../system-code.ts';
import { randomToken } from '../tokens.ts';
import { type AgentList, Agents, exactBytes, keyBytes, type ListedAgent } from './agents.ts';
import { FileOwners } from './file-owners.ts';

/** Largest difference of a signature's time from the server's, in seconds. */
export const WINDOW = 300;
/** Maximum number of sessions of one agent; the oldest ends when another one begins. */
const MAX_SESSIONS = 16;

interface Session {
	readonly agent_id: string;
	/** The key that it was begun with: it ends with that. */
	readonly public_key: string;
	/** Unix seconds. */
	readonly ends: number;
}

interface StoredSessions {
	/** Hash of a signed text -> until when it could be sent again (Unix s). */
	readonly used: Record<string, number>;
	/** Hash of a token -> the session. In the order in which they began. */
	readonly sessions: Record<string, Session>;
	/** Owners of files, as servers wrote them before these had a database. */
	readonly owners?: Record<string, string>;
}

/** A file on the disk. */
type SessionFile = Pick<OwnFile, 'path'>;

export interface SignInOptions {
	readonly folder: string;
	/** Bytes that the journal may take. */
	readonly journalBytes?: number | undefined;
	/** Unix seconds. */
	readonly now?: () => number;
	/** A token of the relay's own: its sender may do everything. */
	readonly ownToken?: string;
	/** Called with what was wrong with a file, in full. */
	readonly report?: (error: unknown) => void;
}

/** The relay itself, when it loads a scene. */
const OWN: ListedAgent = {
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
	/** Name of this server, another one after each start. A signature that names it is worth nothing elsewhere. */
	readonly server = randomToken();
	readonly agents: Agents;
	readonly #file: OwnFile;
	readonly #owners: FileOwners;
	readonly #now: () => number;
	readonly #own: string | undefined;
	readonly #report: (error: unknown) => void;
	/** Reports on files that are not mended yet: they are not repeated with each call. */
	readonly #reported = new Map<SessionFile, string>();
	#storedSessions: Promise<StoredSessions> | undefined;
	/** One after the other, so that no two of the same signature are both the first. */
	readonly #turns = new TaskQueue();

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
		this.#own = ownToken === undefined ? undefined : hashOf(ownToken);
		this.#report = report;
	}

	/** Rejects with what the operator is to read when one of its files cannot be used. */
	async check(): Promise<void> {
		await this.agents.list();
		await this.#owners.check();
		const { owners, ...kept } = await this.#file.read(keptOf);
		if (owners === undefined) return;
		for (const [path, agent] of Object.entries(owners)) await this.#owners.add(path, agent);
		await this.#file.write(kept);
	}

	/** Begins a session. Rejects with `login_refused` or `auth_failed`. */
	async login(sent: Login): Promise<SignedIn & { readonly session_token: string }> {
		const parts = partsOf(sent);
		if (sent.server !== undefined && sent.server !== this.server)
			throw refused('The signature is for another server, or for this one before it was last started.', {
				fix: 'Read "server" from GET /auth/status of this server, then sign again.',
			});
		// A key that is not listed costs no check of a signature.
		await this.#findAgent(sent);
		await checkSignature(sent, parts);
		return this.#turns.run(() => this.#begin(sent));
	}

	/** Returns the agent that a sign-in names, if the key is its own. */
	async #findAgent({ agent_id, public_key }: Login): Promise<ListedAgent> {
		const { agents } = await this.#list();
		const agent = agents.find((listed) => listed.agent_id === agent_id);
		if (agent !== undefined && timingSafeEqual(keyBytes(public_key)!, keyBytes(agent.public_key)!))
			return agent;
		throw refused(`The key is not listed for the agent "${agent_id}".`, {
			fix: 'Ask the operator to add it: orrery auth keygen --data FOLDER creates a key and lists it.',
		});
	}

	async #begin(sent: Login) {
		const { agent_id, domain, timestamp } = sent;
		const { domains, session_seconds } = await this.#list();
		if (!domains.includes(domain))
			throw refused(`The signature is for "${domain}", which is not a domain of this server.`, {
				fix: `Sign for ${domains.map((name) => `"${name}"`).join(' or ')}.`,
			});
		const now = this.#now();
		if (Math.abs(now - timestamp) > WINDOW)
			throw refused(
				`The signature has the time ${timestamp}, but the server's clock is at ${Math.floor(now)}: more than ${WINDOW} s apart.`,
				{ fix: 'Set the clock, then sign the current time in Unix seconds.' },
			);
		const agent = await this.#findAgent(sent);
		const stored = this.#inForce(await this.#read());
		const message = hashOf(signedText(sent));
		if (stored.used[message] !== undefined)
			throw refused('This signature was already used.', {
				fix: 'Sign the current time: each signature starts one session.',
			});
		const token = randomBytes(32).toString('hex');
		const session = { agent_id, public_key: agent.public_key, ends: now + session_seconds };
		const own = Object.entries(stored.sessions).filter(([, other]) => other.agent_id === agent_id);
		const sessions = { ...stored.sessions };
		for (const [hash] of own.slice(0, Math.max(0, own.length + 1 - MAX_SESSIONS))) delete sessions[hash];
		sessions[hashOf(token)] = session;
		// It is on the disk before the caller gets it: a relay that ends now knows the signature afterwards.
		await this.#write({ ...stored, used: { ...stored.used, [message]: timestamp + WINDOW }, sessions });
		return { ...signedIn(agent, session.ends - now), session_token: token };
	}

	/** Returns the agent of a session; null for none. Rejects with `auth_failed`. */
	async session(token: string): Promise<SignedIn | null> {
		const hash = hashOf(token);
		if (this.#own !== undefined && sameText(hash, this.#own)) return signedIn(OWN, 3600);
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
		return this.#turns.run(async () => {
			const stored = this.#inForce(await this.#read());
			const hash = hashOf(token);
			if (!Object.hasOwn(stored.sessions, hash)) return { ended: false };
			const { [hash]: _, ...sessions } = stored.sessions;
			await this.#write({ ...stored, sessions });
			return { ended: true };
		});
	}

	/** Before a file is written for an agent. Rejects with `not_owner`, `agent_limit` and `auth_failed`. */
	async requireFile(path: string, agent_id: string, exists: boolean): Promise<void> {
		const owner = await this.#trusted(this.#owners, () => this.#owners.ownerOf(path));
		if (owner === agent_id) return;
		if (owner !== undefined || exists) throw notOwner(`The file "${path}"`, owner && `"${owner}"`);
		const { agents } = await this.#list();
		const limit = agents.find((agent) => agent.agent_id === agent_id)?.limits.files ?? 0;
		const has = await this.#trusted(this.#owners, () => this.#owners.count(agent_id));
		if (has >= limit)
			throw new ApiError('agent_limit', `"${agent_id}" already owns ${has} files; the limit is ${limit}.`, {
				fix: 'Write to one of its own paths, or ask the operator for a higher limit.',
			});
	}

	/** After a file was written for an agent: it is its own from now on. Rejects with `auth_failed`. */
	ownFile(path: string, agent_id: string): Promise<void> {
		return this.#trusted(this.#owners, () => this.#owners.add(path, agent_id));
	}

	close(): Promise<void> {
		return this.#owners.close();
	}

	/** Owners of files, and how much each of them may write. Rejects with `auth_failed`. */
	async fileShares(): Promise<FileShares> {
		const { agents } = await this.#list();
		return {
			ownerOf: (path) => this.#trusted(this.#owners, () => this.#owners.ownerOf(path)),
			limitOf: (agent) => agents.find(({ agent_id }) => agent_id === agent)?.limits.file_bytes ?? 0,
		};
	}

	#list(): Promise<AgentList> {
		return this.#trusted(this.agents.file, () => this.agents.list());
	}

	#read(): Promise<StoredSessions> {
		this.#storedSessions ??= this.#trusted(this.#file, () => this.#file.read(keptOf)).catch(
			(error: unknown) => {
				// It may be mended by the next time.
				this.#storedSessions = undefined;
				throw error;
			},
		);
		return this.#storedSessions;
	}

	/** Rejects with `auth_failed`: nothing has changed then. */
	async #write(sessions: StoredSessions): Promise<void> {
		await this.#trusted(this.#file, () => this.#file.write(sessions));
		this.#storedSessions = Promise.resolve(sessions);
	}

	/** Works with a file. Callers hear its name if that fails, and the operator where it is and why. */
	async #trusted<T>(file: SessionFile, work: () => Promise<T>): Promise<T> {
		try {
			const done = await work();
			this.#reported.delete(file);
			return done;
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

	/** Without what no longer matters. */
	#inForce(stored: StoredSessions): StoredSessions {
		const now = this.#now();
		const some = <T>(all: Record<string, T>, matters: (one: T) => boolean): Record<string, T> =>
			Object.fromEntries(Object.entries(all).filter(([, candidate]) => matters(candidate)));
		return {
			...stored,
			used: some(stored.used, (until) => until >= now),
			sessions: some(stored.sessions, ({ ends }) => ends > now),
		};
	}
}

/** Returns the text that is signed. */
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

/** Returns the key and the signature of a sign-in. Throws `login_refused` unless all of it has the right form. */
function partsOf(sent: Login): SignInParts {
	const key = keyBytes(sent.public_key);
	if (key === undefined) throw refused('public_key is not base64 with padding.');
	if (key.length !== 32) throw refused(`public_key has ${key.length} bytes; an Ed25519 key has 32.`);
	const signature = exactBytes(sent.signature);
	if (signature === undefined) throw refused('signature is not base64 with padding.');
	if (signature.length !== 64)
		throw refused(`signature has ${signature.length} bytes; an Ed25519 signature has 64.`);
	// A name with a line feed in it could stand for another name and domain.
	if (/[\r\n]/.test(sent.agent_id + sent.domain))
		throw refused('agent_id and domain must not contain line breaks.');
	return { key, signature };
}

/** Rejects with `login_refused` unless the key has signed what was sent. */
async function checkSignature(sent: Login, { key, signature }: SignInParts): Promise<void> {
	const imported = await webcrypto.subtle
		.importKey('raw', key, 'Ed25519', false, ['verify'])
		.catch(() => undefined);
	if (imported === undefined) throw refused('public_key is not an Ed25519 key.');
	const holds = await webcrypto.subtle.verify('Ed25519', imported, signature, Buffer.from(signedText(sent)));
	if (!holds)
		throw refused(
			'The signature does not match public_key, agent_id, domain, timestamp and, if it was sent, server.',
		);
}

function refused(message: string, more: { fix?: string } = {}): ApiError {
	return new ApiError('login_refused', message, more);
}

const signedIn = ({ agent_id, number, access, limits }: ListedAgent, seconds: number): SignedIn => ({
	agent_id,
	number,
	access,
	limits,
	seconds_left: Math.floor(seconds),
});

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Without telling by its time how much of them is equal. Both are hashes. */
const sameText = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b));

/**
 * Content of the file. Throws a sentence for anything that no relay wrote: to continue as if nothing were kept would
 * let used signatures in.
 */
function keptOf(value: unknown): StoredSessions {
	if (value === undefined) return { used: {}, sessions: {} };
	const { used, sessions, owners = {} } = (value ?? {}) as Partial<StoredSessions>;
	if ([used, sessions, owners].some((part) => typeof part !== 'object' || part === null))
		throw new Error('It does not have the format that the server writes.');
	return value as StoredSessions;
}
