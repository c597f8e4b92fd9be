/**
 * Processes below a server, by Linux's own lists.
 * Owns: how these lists are read. Never: ends a process.
 */

import { readdir, readFile, readlink } from 'node:fs/promises';

/** Returns the youngest child of a process; undefined without one. */
export async function childOf(pid: number): Promise<number | undefined> {
	const children = (await read(`/proc/${pid}/task/${pid}/children`)).trim();
	return children === '' ? undefined : Number(children.split(' ').at(-1));
}

/** Returns the processes of a group that run. One that ended, and whose parent has not asked for its code, does not. */
export async function processesOf(group: number): Promise<number[]> {
	const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
	const stats = await Promise.all(pids.map((pid) => read(`/proc/${pid}/stat`)));
	return pids.flatMap((pid, i) => {
		const [, state, its] = /.*\) (\S) \d+ (\d+)/s.exec(stats[i]!) ?? [];
		return its === String(group) && !/[ZX]/.test(state!) ? [Number(pid)] : [];
	});
}

/** Command line of a process; empty if it has ended. */
export const commandOf = (pid: number): Promise<string> => read(`/proc/${pid}/cmdline`);

/** Addresses and ports (hexadecimal) on which processes wait for connections. */
export async function listenersOf(pids: readonly number[]): Promise<string[]> {
	const sockets = new Set((await Promise.all(pids.map(socketsOf))).flat());
	const tables = await Promise.all(['tcp', 'tcp6'].map((name) => read(`/proc/net/${name}`)));
	return tables.flatMap((table) =>
		table.split('\n').flatMap((line) => {
			const fields = line.trim().split(/\s+/);
			return fields[3] === LISTENS && sockets.has(fields[9]!) ? [fields[1]!] : [];
		}),
	);
}

/** State of a socket that waits for connections, as Linux writes it. */
const LISTENS = '0A';

async function socketsOf(pid: number): Promise<string[]> {
	const folder = `/proc/${pid}/fd`;
	const names = await readdir(folder).catch(() => []);
	const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
	return links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);
}

/** A process may end meanwhile. */
const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
