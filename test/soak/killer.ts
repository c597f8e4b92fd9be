/**
 * Kills processes at random times.
 * Owns: the random choice of process and time, by the seed, and comparing the world before and after a kill.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { SoakCaller } from './caller.ts';
import { Random } from './random.ts';
import type { SoakServer, Victim } from './server.ts';
import type { SoakTally } from './tally.ts';
import type { Turnstile } from './turnstile.ts';

/** Maximum number of kills of a browser in a minute. After more, the relay delays the next start. */
const MAX_REPAIRS = 5;
const MINUTE = 60_000;
/** One kill in N occurs while no call runs. */
const QUIET_EVERY = 4;
/** Pause between two attempts to kill a process (ms). */
const RETRY_MS = 50;

export interface PlannedKill {
	/** Time since the start (ms). */
	readonly at: number;
	readonly victim: Victim;
	/** True if no call runs during the kill. */
	readonly isQuiet: boolean;
}

/** Returns a plan with one kill in each of `kills` equal spans of time. */
export function planOf(kills: number, length: number, seed: number): PlannedKill[] {
	const random = new Random(seed);
	return Array.from({ length: kills }, (_, i) => {
		const at = ((i + random.share()) * length) / kills;
		const draw = random.below(20);
		const victim = draw < 6 ? 'tab' : draw < 11 ? 'browser' : draw < 17 ? 'relay' : 'all';
		return { at, victim, isQuiet: random.below(QUIET_EVERY) === 0 };
	});
}

export class Killer {
	readonly #server: SoakServer;
	readonly #tally: SoakTally;
	readonly #main: Turnstile;
	readonly #caller: SoakCaller;
	/** Times at which browsers and tabs of the current relay were killed. */
	#repairs: number[] = [];

	constructor(server: SoakServer, tally: SoakTally, main: Turnstile) {
		this.#server = server;
		this.#tally = tally;
		this.#main = main;
		this.#caller = new SoakCaller(server.url, 'killer-0', tally);
	}

	async run(plan: readonly PlannedKill[]): Promise<void> {
		const startTime = performance.now();
		for (const { at, victim, isQuiet } of plan) {
			const remaining = startTime + at - performance.now();
			if (remaining > 0) await wait(remaining);
			if (isQuiet) await this.#main.runAlone(() => this.#killQuietly(victim));
			else await this.#kill(victim);
		}
	}

	/** Kills a process while no call runs. Checks that the world still matches the last acknowledged write. */
	async #killQuietly(victim: Victim): Promise<void> {
		await this.#caller.write('POST', '/pause');
		const lastWrite = await this.#caller.write('POST', '/step', { ticks: 1 });
		if (lastWrite === undefined) return;
		this.#tally.steps.push({
			from: Number(lastWrite.start_tick),
			to: Number(lastWrite.new_tick),
			key: lastWrite.key,
		});
		const victimName = await this.#kill(victim);
		const current = await this.#caller.read('GET', '/digest');
		if (current === undefined) return;
		this.#tally.check(
			current.state_digest === lastWrite.state_digest && current.tick === lastWrite.new_tick,
			'lost',
			() =>
				`Main was ${String(lastWrite.state_digest)} at tick ${String(lastWrite.new_tick)} after ${lastWrite.key}; when the ${victimName} was killed it is ${String(current.state_digest)} at ${String(current.tick)}.`,
		);
	}

	async #kill(plannedVictim: Victim): Promise<Victim> {
		const now = performance.now();
		this.#repairs = this.#repairs.filter((at) => now - at < MINUTE);
		const isRestarted = plannedVictim === 'tab' || plannedVictim === 'browser';
		const victim = isRestarted && this.#repairs.length >= MAX_REPAIRS ? 'relay' : plannedVictim;
		while (!(await this.#server.kill(victim))) await wait(RETRY_MS);
		if (victim === 'relay' || victim === 'all') this.#repairs = [];
		else this.#repairs.push(performance.now());
		this.#tally.kills.push({ victim, at: performance.now(), recovery: undefined });
		return victim;
	}
}
