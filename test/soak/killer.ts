/**
 * Kills at random moments.
 * Owns: which process and when, drawn from the seed, and what is to be the same before and after.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { SoakCaller } from './caller.ts';
import { Random } from './random.ts';
import type { SoakServer, Victim } from './server.ts';
import type { SoakTally } from './tally.ts';
import type { Turnstile } from './turnstile.ts';

/** More of these within a minute, and a relay waits longer and longer before it starts the next browser. */
const MAX_REPAIRS = 5;
const MINUTE = 60_000;
/** One kill in N comes when nothing is being done. */
const QUIET_EVERY = 4;
/** A process that is not there at the moment is looked for again so often (ms). */
const LOOK = 50;

export interface Plan {
	/** Milliseconds from the beginning. */
	readonly at: number;
	readonly victim: Victim;
	readonly quiet: boolean;
}

/** Plans kills, one in each of as many equal spans. */
export function planOf(kills: number, length: number, seed: number): Plan[] {
	const random = new Random(seed);
	return Array.from({ length: kills }, (_, i) => {
		const at = ((i + random.share()) * length) / kills;
		const drawn = random.below(20);
		const victim = drawn < 6 ? 'tab' : drawn < 11 ? 'browser' : drawn < 17 ? 'relay' : 'all';
		return { at, victim, quiet: random.below(QUIET_EVERY) === 0 };
	});
}

export class Killer {
	readonly #server: SoakServer;
	readonly #tally: SoakTally;
	readonly #main: Turnstile;
	readonly #caller: SoakCaller;
	/** Times at which browsers and tabs of the present relay were killed. */
	#repairs: number[] = [];

	constructor(server: SoakServer, tally: SoakTally, main: Turnstile) {
		this.#server = server;
		this.#tally = tally;
		this.#main = main;
		this.#caller = new SoakCaller(server.url, 'killer-0', tally);
	}

	async run(plan: readonly Plan[]): Promise<void> {
		const began = performance.now();
		for (const { at, victim, quiet } of plan) {
			const remaining = began + at - performance.now();
			if (remaining > 0) await wait(remaining);
			if (quiet) await this.#main.alone(() => this.#quietly(victim));
			else await this.#kill(victim);
		}
	}

	/** Whichever process is killed, the world is then as it was after the last write that was answered. */
	async #quietly(victim: Victim): Promise<void> {
		await this.#caller.write('POST', '/pause');
		const last = await this.#caller.write('POST', '/step', { ticks: 1 });
		if (last === undefined) return;
		this.#tally.steps.push({ from: Number(last.start_tick), to: Number(last.new_tick), key: last.key });
		const killed = await this.#kill(victim);
		const now = await this.#caller.read('GET', '/digest');
		if (now === undefined) return;
		this.#tally.check(
			now.state_digest === last.state_digest && now.tick === last.new_tick,
			'lost',
			() =>
				`Main was ${String(last.state_digest)} at tick ${String(last.new_tick)} after ${last.key}; when the ${killed} was killed it is ${String(now.state_digest)} at ${String(now.tick)}.`,
		);
	}

	async #kill(wanted: Victim): Promise<Victim> {
		const now = performance.now();
		this.#repairs = this.#repairs.filter((at) => now - at < MINUTE);
		const repaired = wanted === 'tab' || wanted === 'browser';
		const victim = repaired && this.#repairs.length >= MAX_REPAIRS ? 'relay' : wanted;
		while (!(await this.#server.kill(victim))) await wait(LOOK);
		if (victim === 'relay' || victim === 'all') this.#repairs = [];
		else this.#repairs.push(performance.now());
		this.#tally.kills.push({ what: victim, at: performance.now(), recovery: undefined });
		return victim;
	}
}
