/**
 * Memory of a relay and its browser, from the system's list of processes.
 * Owns: assigning processes to parts, and collecting the garbage of a Node process and of pages.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import puppeteer from 'puppeteer';
import { WebSocket } from 'ws';

/** Memory in use (bytes). */
export interface MemoryUse {
	readonly relay: number;
	/** Memory of the browser's processes that run pages and their workers. */
	readonly tab: number;
	/** Memory of the whole browser, including the tab. */
	readonly browser: number;
}

interface Process {
	readonly pid: number;
	/** Pid of the parent. */
	readonly parent: number;
	/** Resident memory (bytes). */
	readonly resident: number;
	readonly command: string;
}

/** Returns the memory of a relay, and of a browser with all its child processes. */
export function memoryOf(relay: number, browser: number): MemoryUse {
	const all = processes();
	const tree = treeOf(browser, all);
	const sum = (list: readonly Process[]): number =>
		list.reduce((bytes, entry) => bytes + memoryOfProcess(entry), 0);
	return {
		relay: sum(all.filter(({ pid }) => pid === relay)),
		tab: sum(tree.filter(isRenderer)),
		browser: sum(tree),
	};
}

/** Returns the browser of a relay and its profile folder; undefined without a browser. */
export function browserBelow(relay: number): { readonly pid: number; readonly profile: string } | undefined {
	for (const { pid, parent, command } of processes()) {
		const [, profile] = /--user-data-dir=(\S+)/.exec(command) ?? [];
		if (parent === relay && profile !== undefined) return { pid, profile };
	}
	return undefined;
}

/** Returns the processes of a browser that run pages and their workers, the largest first. */
export function renderersOf(browser: number): number[] {
	return treeOf(browser, processes())
		.filter(isRenderer)
		.sort((a, b) => b.resident - a.resident)
		.map(({ pid }) => pid);
}

const isRenderer = ({ command }: Process): boolean => command.includes('--type=renderer');

/** Returns a process and all its descendants. */
function treeOf(root: number, all: readonly Process[]): Process[] {
	const tree = new Set([root]);
	// The list may contain children before their parents, so this repeats until nothing changes.
	for (let size = 0; size !== tree.size; ) {
		size = tree.size;
		for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
	}
	return all.filter(({ pid }) => tree.has(pid));
}

function processes(): Process[] {
	const lines = execFileSync('ps', ['-axo', 'pid=,ppid=,rss=,args='], {
		encoding: 'utf8',
		maxBuffer: 1 << 26,
	});
	return lines.split('\n').flatMap((line) => {
		const [, pid, parent, resident, command] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
		if (command === undefined) return [];
		return { pid: Number(pid), parent: Number(parent), resident: Number(resident) * 1024, command };
	});
}

/**
 * Returns the memory of a process. On Linux this is its share of anonymous memory, which other runs of the same program do
 * not change. On other systems, it is the resident memory.
 */
function memoryOfProcess({ pid, resident }: Process): number {
	try {
		const share = /^Pss_Anon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
		return share === undefined ? resident : Number(share) * 1024;
	} catch {
		return resident;
	}
}

export interface GarbageCollector {
	/** Collects all garbage. */
	collect(): Promise<void>;
	/** Disconnects. With a connected debugger, the Node process would not exit. */
	close(): void;
}

/** Connects to the debugger of a Node process, whose address is in the output of the process. */
export async function garbageCollector(text: string): Promise<GarbageCollector> {
	const address = /Debugger listening on (ws:\S+)/.exec(text)?.[1];
	if (address === undefined) throw new Error('The relay did not say where its debugger listens.');
	const socket = new WebSocket(address);
	await new Promise<void>((resolve, reject) => {
		socket.once('open', resolve);
		socket.once('error', reject);
	});
	return {
		collect: () =>
			new Promise((resolve, reject) => {
				socket.once('message', () => resolve());
				socket.once('close', () => reject(new Error('The relay has ended.')));
				socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
			}),
		close: () => socket.terminate(),
	};
}

/** JavaScript memory of a browser's pages and their workers (bytes). */
export interface PageMemory {
	/** Memory of JavaScript objects. */
	readonly objects: number;
	/** Memory of array buffers. */
	readonly buffers: number;
}

interface HeapUsage {
	readonly usedSize: number;
	readonly backingStorageSize?: number;
}

/** Collects the garbage of a browser's pages and their workers, and frees their caches. Returns the remaining memory. */
export async function collectPages(endpoint: string): Promise<PageMemory> {
	const browser = await puppeteer.connect({ browserWSEndpoint: endpoint, defaultViewport: null });
	let [objects, buffers] = [0, 0];
	try {
		for (const page of await browser.pages()) {
			const session = await page.createCDPSession();
			for (const target of [session, ...page.workers().map(({ client }) => client)]) {
				await target.send('HeapProfiler.enable');
				await target.send('HeapProfiler.collectGarbage');
				await target.send('HeapProfiler.disable');
				const { usedSize, backingStorageSize = 0 } = (await target.send('Runtime.getHeapUsage')) as HeapUsage;
				objects += usedSize;
				buffers += backingStorageSize;
			}
			await session.send('Memory.simulatePressureNotification', { level: 'critical' });
			await session.detach();
		}
		return { objects, buffers };
	} finally {
		await browser.disconnect();
	}
}
