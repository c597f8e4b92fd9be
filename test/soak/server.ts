/**
 * The relay of a soak and its browser. Each of them may be killed.
 * Owns: their processes. A killed relay is restarted with the same port and data folder. All processes end with the soak.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Started, startOrrery } from '../behaviour/browser/start.ts';
import {
	browserBelow,
	collectPages,
	type GarbageCollector,
	garbageCollector,
	type MemoryUse,
	memoryOf,
	type PageMemory,
	renderersOf,
} from './memory.ts';
import type { SoakTally } from './tally.ts';

export type Victim = 'tab' | 'browser' | 'relay' | 'all';

export class SoakServer {
	readonly url: string;
	readonly #port: number;
	readonly #data: string;
	readonly #tally: SoakTally;
	/** Path of the browser. */
	readonly #program: string;
	#running: Started | undefined;
	/** True while the soak itself ends the relay. */
	#isEnding = false;
	#startCount = 0;
	#output = '';

	constructor(port: number, data: string, program: string, tally: SoakTally) {
		this.url = `http://127.0.0.1:${port}`;
		this.#port = port;
		this.#data = data;
		this.#tally = tally;
		this.#program = program;
	}

	/** Number of times that a relay was started. */
	get startCount(): number {
		return this.#startCount;
	}

	/** Output of all relays. */
	get output(): string {
		return this.#output + (this.#running?.output() ?? '');
	}

	/** Starts a relay, and restarts it when it is killed. */
	async start(): Promise<void> {
		this.#startCount++;
		const started = await startOrrery(['--headless'], {
			port: this.#port,
			words: '',
			data: this.#data,
			program: this.#program,
		});
		this.#running = started;
		started.process.once('exit', (code, signal) => {
			this.#output += `${started.output()}--- ended: ${signal ?? code}\n`;
			if (this.#running === started) this.#running = undefined;
			if (this.#isEnding) return;
			if (signal !== 'SIGKILL')
				this.#tally.errors.push(
					`The relay ended by itself with ${code}: ${started.output().trim().split('\n').at(-1)}`,
				);
			this.start().catch((error: unknown) =>
				this.#tally.errors.push(`The relay did not start: ${String(error)}`),
			);
		});
	}

	/** Resolves when the world answers for the first time. */
	async ready(): Promise<void> {
		await this.#running?.untilOutput('Orrery is ready');
	}

	/** Kills a process with SIGKILL. Returns false if it does not exist. */
	async kill(victim: Victim): Promise<boolean> {
		const relay = this.#running?.process.pid;
		const browser = this.#browser()?.pid;
		if (victim === 'relay') return relay !== undefined && kill(relay);
		if (victim === 'browser') return browser !== undefined && kill(browser);
		if (victim === 'all') {
			const both = [relay, browser].filter((pid) => pid !== undefined);
			return both.map(kill).includes(true);
		}
		const [largest] = browser === undefined ? [] : renderersOf(browser);
		return largest !== undefined && kill(largest);
	}

	/** Returns the current browser of the relay. */
	#browser(): ReturnType<typeof browserBelow> {
		const relay = this.#running?.process.pid;
		return relay === undefined ? undefined : browserBelow(relay);
	}

	/** Returns the memory of relay and browser; undefined while one of them is missing. */
	memory(): MemoryUse | undefined {
		const relay = this.#running?.process.pid;
		const browser = this.#browser();
		return relay === undefined || browser === undefined ? undefined : memoryOf(relay, browser.pid);
	}

	/** Collects the garbage of relay and tab. Returns the remaining memory of the tab; undefined without a tab. */
	async collect(): Promise<PageMemory | undefined> {
		const profile = this.#browser()?.profile;
		const pageMemory = profile === undefined ? undefined : await collectPages(await endpointIn(profile));
		const garbage: GarbageCollector = await garbageCollector(this.#running?.output() ?? '');
		try {
			await garbage.collect();
		} finally {
			garbage.close();
		}
		return pageMemory;
	}

	/** Returns the bytes of the worlds by the engine's own count. */
	async worldBytes(): Promise<number> {
		const answer = await fetch(`${this.url}/`);
		const { memory } = (await answer.json()) as { memory: { bytes: number } };
		return memory.bytes;
	}

	async stop(): Promise<void> {
		this.#isEnding = true;
		await this.#running?.stop();
	}
}

/** Returns the debugging address of a browser with this profile folder. */
async function endpointIn(profile: string): Promise<string> {
	const [port, path] = (await readFile(join(profile, 'DevToolsActivePort'), 'utf8')).split('\n');
	return `ws://127.0.0.1:${port}${path?.trim()}`;
}

function kill(pid: number): boolean {
	try {
		process.kill(pid, 'SIGKILL');
		return true;
	} catch {
		// The process has already ended.
		return false;
	}
}
