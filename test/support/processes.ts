/**
 * Child processes of a server, from Linux's `/proc`.
 * Owns: reading `/proc`. Never: ends a process.
 */

import { readdir, readFile, readlink } from 'node:fs/promises';

/** Returns the youngest child of a process, or undefined. */
export async function childOf(pid: number): Promise<number | undefined> {
	const children = (await read(`/proc/${pid}/task/${pid}/children`)).trim();
	return children === '' ? undefined : Number(children.split(' ').at(-1));
}

/** Returns the running processes of a group, without zombies. */
export async function processesOf(group: number): Promise<number[]> {
	const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
	const stats = await Promise.all(pids.map((pid) => read(`/proc/${pid}/stat`)));
	return pids.flatMap((pid, i) => {
		const [, state, processGroup] = /.*\) (\S) \d+ (\d+)/s.exec(stats[i]!) ?? [];
		return processGroup === String(group) && !/[ZX]/.test(state!) ? [Number(pid)] : [];
	});
}

/** Returns the command line of a process; empty if it has ended. */
export const commandOf = (pid: number): Promise<string> => read(`/proc/${pid}/cmdline`);

/** Returns the addresses and ports (hexadecimal) on which processes listen. */
export async function listenersOf(pids: readonly number[]): Promise<string[]> {
	const sockets = new Set((await Promise.all(pids.map(socketsOf))).flat());
	const tables = await Promise.all(['tcp', 'tcp6'].map((name) => read(`/proc/net/${name}`)));
	return tables.flatMap((table) =>
		table.split('\n').flatMap((line) => {
			const fields = line.trim().split(/\s+/);
			return fields[3] === LISTENING && sockets.has(fields[9]!) ? [fields[1]!] : [];
		}),
	);
}

/** State of a listening socket in `/proc/net/tcp`. */
const LISTENING = '0A';

async function socketsOf(pid: number): Promise<string[]> {
	const folder = `/proc/${pid}/fd`;
	const names = await readdir(folder).catch(() => []);
	const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
	return links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);
}

/** Reads a file; empty if the process has ended. */
const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
