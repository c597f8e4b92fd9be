/**
 * That one process at a time writes into a folder.
 * Owns: a socket in the folder that this process listens on, and a name of the system where it has such, which no tidying of the folder
 * takes away. The system lets go of both when the process ends, however that is, so that a lock is held exactly as long as its process
 * lives: no process number is trusted, and no clock.
 * Never: waits for another process to end.
 */

import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { JournalError } from '../../shared/contract/journal.ts';
import { codeOf } from '../system-code.ts';

/** Two that begin at once see each other and both step back; they try again at moments of their own. */
const TRIES = 5;
const LONGEST_WAIT = 60;

const SOCKET = /^(?:lock|new)-(\d+)-[0-9a-f]{16}$/;

export interface FolderLock {
	/** Lets go of the folder. */
	release(): Promise<void>;
	/**
	 * Sees to it that others find the lock, whatever was removed, and also where another folder got the place of this one. Rejects with `locked`
	 * where another process holds that by now, and with the system's error.
	 */
	stands(): Promise<void>;
}

interface Held {
	release(): Promise<void>;
	/** Whether others find it. */
	isThere(): Promise<boolean>;
}

/** Takes the lock of a folder that is there. Rejects with `locked`, naming the process that holds it. */
export async function lockFolder(folder: string): Promise<FolderLock> {
	let held = await take(folder);
	return {
		release: () => held.release(),
		async stands() {
			if (await held.isThere()) return;
			await held.release();
			held = await take(folder);
		},
	};
}

async function take(folder: string): Promise<Held> {
	if (process.platform === 'win32') return lockByName(folder, '\\\\.\\pipe\\');
	const socket = await lockBySocketSomewhere(folder);
	if (process.platform !== 'linux') return socket;
	try {
		// The socket of another may have been removed. In another container this name is not seen, and the socket is.
		const name = await lockByName(folder, '\0');
		return {
			release: () => name.release().finally(() => socket.release()),
			isThere: async () => (await name.isThere()) && (await socket.isThere()),
		};
	} catch (error) {
		await socket.release();
		throw error;
	}
}

async function lockBySocketSomewhere(folder: string): Promise<Held> {
	try {
		return await lockBySocket(folder, folder);
	} catch (error) {
		if (error instanceof JournalError || !NO_SOCKETS.includes(codeOf(error))) throw error;
		return await lockBySocket(await substituteOf(folder), folder);
	}
}

/** What a system says where a folder can hold no socket, or none with so long a path. */
const NO_SOCKETS: readonly string[] = ['ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EINVAL', 'ENAMETOOLONG'];

/** A folder of this machine for the sockets of one that can hold none, the same whatever name that goes by. */
async function substituteOf(folder: string): Promise<string> {
	const { dev, ino } = await lstat(folder);
	const other = join(tmpdir(), `orrery-lock-${dev}-${ino}`);
	await mkdir(other, { recursive: true, mode: 0o700 });
	if (!(await lstat(other)).isDirectory()) throw new JournalError('failed', `"${other}" is not a folder.`);
	return other;
}

/** Every process listens first and looks then, so that of two at least one sees the other. */
async function lockBySocket(place: string, folder: string): Promise<Held> {
	const handle = await open(place, constants.O_RDONLY);
	// A path of a socket has little room; the folder has a short one where the system gives it.
	const short = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : place;
	try {
		for (let tries = 1; ; tries++) {
			const name = `lock-${process.pid}-${randomBytes(8).toString('hex')}`;
			// It has its name only once somebody answers there: what does not answer is taken for dead.
			const draft = name.replace('lock', 'new');
			const server = await listen(join(short, draft));
			await rename(join(place, draft), join(place, name));
			const release = async (): Promise<void> => {
				await rm(join(place, name), { force: true });
				await new Promise<void>((resolve) => server.close(() => resolve()));
			};
			try {
				const holder = await otherHolder(place, short, name);
				if (holder === undefined)
					return {
						release: () => release().finally(() => handle.close()),
						isThere: () => exists(join(place, name)),
					};
				if (tries === TRIES) throw heldBy(folder, holder);
			} catch (error) {
				await release();
				throw error;
			}
			await release();
			await wait(Math.random() * LONGEST_WAIT);
		}
	} catch (error) {
		await handle.close();
		throw error;
	}
}

/** The process behind another socket that somebody listens on. Those of dead processes are removed. */
async function otherHolder(place: string, short: string, own: string): Promise<string | undefined> {
	for (const name of await readdir(place)) {
		const process = SOCKET.exec(name)?.[1];
		if (process === undefined || name === own) continue;
		if (await answers(join(short, name))) return process;
		// Nobody else ever has this name, so nothing that lives is removed.
		await rm(join(place, name), { force: true });
	}
	return undefined;
}

function listen(path: string): Promise<Server> {
	return new Promise((resolve, reject) => {
		const server = createServer((socket) => socket.destroy());
		// It says who holds the folder, and is no reason to live.
		server.unref();
		server.once('error', reject);
		server.listen(path, () => {
			server.off('error', reject);
			resolve(server);
		});
	});
}

/** What a system says of a socket that nobody listens on, or that is gone. */
const NOBODY: readonly string[] = ['ECONNREFUSED', 'ENOENT', 'ENOTSOCK', 'ECONNRESET'];

/** Whether a process listens. One that cannot be asked is taken for one that does. */
function answers(path: string): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect(path);
		const say = (does: boolean): void => {
			socket.destroy();
			resolve(does);
		};
		socket.once('connect', () => say(true));
		socket.once('error', (error) => say(!NOBODY.includes(codeOf(error))));
	});
}

/** Such a name of the system belongs to one process alone. Another folder that has got the same place on the disk has another birth. */
async function lockByName(folder: string, prefix: string): Promise<Held> {
	const name = await nameOf(folder);
	try {
		const server = await listen(`${prefix}orrery-${name}`);
		return {
			release: () => new Promise((resolve) => server.close(() => resolve())),
			isThere: async () => (await nameOf(folder)) === name,
		};
	} catch (error) {
		throw codeOf(error) === 'EADDRINUSE' ? heldBy(folder, undefined) : error;
	}
}

async function nameOf(folder: string): Promise<string> {
	const { dev, ino, birthtimeNs } = await lstat(folder, { bigint: true });
	return `${dev}-${ino}-${birthtimeNs}`;
}

async function exists(path: string): Promise<boolean> {
	try {
		await lstat(path);
		return true;
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return false;
		throw error;
	}
}

function heldBy(folder: string, pid: string | undefined): JournalError {
	const who = pid === undefined ? 'Another process' : `The process ${pid}`;
	return new JournalError(
		'locked',
		`${who} writes to "${folder}". End it first, or choose another data folder with --data.`,
	);
}
