/**
 * Keys and sessions of the user.
 * Owns: the key file, and the file with one session per server. Only this user may read them.
 * Never: prints a private key or a stored session.
 */

import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { join } from 'node:path';
import { OWN_FILES } from '../../shared/contract/file-path.ts';
import type { Access } from '../../shared/contract/principal.ts';
import { reasonOf } from '../../shared/contract/reason.ts';
import { Agents, agentListOf, DEFAULT_DOMAIN } from '../sign-in/agents.ts';
import { signedText } from '../sign-in/sign-in.ts';
import { codeOf } from '../system-code.ts';
import { serverOf } from './send-call.ts';
import { type Terminal, UsageError } from './terminal.ts';

/** A key file. */
interface KeyFile {
	readonly agent_id: string;
	/** Base64 of 32 bytes. */
	readonly public_key: string;
	/** Base64 of PKCS #8 in DER. */
	readonly private_key: string;
}

const ACCESS: readonly string[] = ['read', 'write', 'admin'] satisfies Access[];

/** Returns the folder of this user's key and sessions; undefined if the environment names no home. */
function settingsFolder({ environment }: Terminal): string | undefined {
	const home = environment.HOME || environment.USERPROFILE;
	return home === undefined ? undefined : join(home, '.orrery');
}

function keyPathOf(flag: string | undefined, terminal: Terminal): string {
	const folder = settingsFolder(terminal);
	const path = flag ?? (terminal.environment.ORRERY_IDENTITY || (folder && join(folder, 'key.json')));
	if (path !== undefined) return path;
	throw new UsageError('Name the key file with --identity FILE.');
}

export interface KeygenOptions {
	readonly agent: string | undefined;
	readonly identity: string | undefined;
	/** Data folder of the server to whose list the key is added; undefined to only print the entry. */
	readonly data: string | undefined;
	readonly access: string | undefined;
}

/** Creates a key, and adds it to the list if `data` is given. Returns the value to print. */
export async function createKey(
	{ agent, identity, data, access = 'write' }: KeygenOptions,
	terminal: Terminal,
) {
	if (agent === undefined) throw new UsageError('Name the agent: orrery auth keygen ada --data ./data');
	if (!ACCESS.includes(access))
		throw new UsageError(`--access takes one of: ${ACCESS.join(', ')}; not "${access}".`);
	const paths = newKeyPaths({ agent, identity, data }, terminal);
	const { publicKey, privateKey } = generateKeyPairSync('ed25519');
	const public_key = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64');
	const private_key = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
	const entry = { agent_id: agent, public_key, number: 1, access };
	const agents = data === undefined ? undefined : new Agents(data);
	const content = await agents?.file.read((value) => value);
	const list = checkAgentList(content ?? {});
	entry.number = Math.max(0, ...list.agents.map(({ number }) => number)) + 1;
	const listedContent = (content ?? {}) as { readonly agents?: readonly unknown[] };
	const newContent = {
		domains: [DEFAULT_DOMAIN],
		...listedContent,
		agents: [...(listedContent.agents ?? []), entry],
	};
	checkAgentList(newContent);
	const key: KeyFile = { agent_id: agent, public_key, private_key };
	const path = await writeKey(paths, key, terminal);
	await agents?.file.write(newContent);
	return {
		ok: true,
		identity: path,
		sign_in: `orrery auth login --identity ${path}`,
		...entry,
		...(agents === undefined
			? { add_to: 'the list "agents" in .orrery-agents.json, in the data folder of the server' }
			: { listed_in: agents.file.path }),
	};
}

/** Returns a list of agents. Throws `UsageError` if it is invalid. */
function checkAgentList(value: unknown) {
	try {
		return agentListOf(value);
	} catch (error) {
		throw new UsageError((error as Error).message);
	}
}

/**
 * Returns the possible paths of a new key, in order of preference. With a data folder, the key gets a name there
 * that no call can read. In the home folder, the first key gets the default name.
 */
function newKeyPaths(
	{ agent, identity, data }: Omit<KeygenOptions, 'access'>,
	terminal: Terminal,
): readonly string[] {
	const namedPath = identity ?? (terminal.environment.ORRERY_IDENTITY || undefined);
	const file = `key-${agent!.replace(/[^\w.-]/g, '_')}.json`;
	if (namedPath === undefined && data !== undefined) return [join(data, `${OWN_FILES}${file}`)];
	const defaultPath = keyPathOf(namedPath, terminal);
	const folder = settingsFolder(terminal);
	return namedPath === undefined && folder !== undefined ? [defaultPath, join(folder, file)] : [defaultPath];
}

/** Writes a key to the first free path. Returns the path. An existing file is never overwritten, even if it is unreadable. */
async function writeKey(paths: readonly string[], key: KeyFile, terminal: Terminal): Promise<string> {
	for (const path of paths)
		try {
			await terminal.writeSecret(path, `${JSON.stringify(key, null, '\t')}\n`, 'new');
			return path;
		} catch (error) {
			if (codeOf(error) !== 'EEXIST') throw error;
		}
	throw new UsageError(`${paths.at(-1)} already exists. Name another file with --identity FILE.`);
}

/** Reads a key file. Rejects with `UsageError`. */
export async function readKey(identity: string | undefined, terminal: Terminal): Promise<SigningKey> {
	const path = keyPathOf(identity, terminal);
	try {
		const { private_key, ...key } = JSON.parse(await terminal.readFile(path)) as KeyFile;
		const privateKey = createPrivateKey({
			key: Buffer.from(private_key, 'base64'),
			format: 'der',
			type: 'pkcs8',
		});
		return { ...key, privateKey };
	} catch (error) {
		throw new UsageError(
			`${path} is not a usable key: ${reasonOf(error)}. "orrery auth keygen" creates one.`,
		);
	}
}

interface SigningKey extends Omit<KeyFile, 'private_key'> {
	readonly privateKey: KeyObject;
}

/** Returns a signed body of POST /auth/login. `server`: the name of the server, if it has one. */
export function signedLogin(
	{ agent_id, public_key, privateKey }: SigningKey,
	domain: string,
	server: string | undefined,
): object {
	const timestamp = Math.floor(Date.now() / 1000);
	const text = signedText({ agent_id, domain, timestamp, server });
	const signature = sign(null, Buffer.from(text), privateKey).toString('base64');
	return { agent_id, domain, timestamp, server, signature, public_key };
}

type Sessions = Readonly<Record<string, string>>;

async function readSessions(terminal: Terminal): Promise<Sessions> {
	const folder = settingsFolder(terminal);
	if (folder === undefined) return {};
	const path = join(folder, 'sessions.json');
	try {
		return JSON.parse(await terminal.readFile(path)) as Sessions;
	} catch (error) {
		// The file does not exist before the first sign-in.
		if (codeOf(error) === 'ENOENT') return {};
		throw new UsageError(`${path} cannot be read: ${reasonOf(error)}. Remove it and sign in again.`);
	}
}

/** Returns the session for a server: ORRERY_SESSION if it is for that server, otherwise the stored one. */
export async function sessionFor(server: string, terminal: Terminal): Promise<string | undefined> {
	const { environment } = terminal;
	const issuer = serverOf(undefined, environment);
	if (environment.ORRERY_SESSION && server === issuer) return environment.ORRERY_SESSION;
	const session = (await readSessions(terminal))[server];
	if (environment.ORRERY_SESSION && session === undefined)
		terminal.error(
			`orrery: ORRERY_SESSION was not sent: it is for ${issuer}. Set ORRERY_SERVER to the server that issued it.\n`,
		);
	return session;
}

/** Stores the session for a server. If `token` is undefined, deletes it. Returns false if there is no home folder. */
export async function storeSession(
	server: string,
	token: string | undefined,
	terminal: Terminal,
): Promise<boolean> {
	const folder = settingsFolder(terminal);
	if (folder === undefined) return false;
	const { [server]: _, ...others } = await readSessions(terminal);
	const sessions = token === undefined ? others : { ...others, [server]: token };
	await terminal.writeSecret(join(folder, 'sessions.json'), `${JSON.stringify(sessions)}\n`, 'replace');
	return true;
}
