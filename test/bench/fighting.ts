/** Benchmark of ticks with many fighters: armies that meet, crowds in a melee, critical hits, and dense crowds. */

import { clone, dispose } from '../../web/sim/core/clone.ts';
import type { World } from '../../web/sim/core/world.ts';
import { step } from '../../web/sim/step.ts';
import { fightersByHand } from './fighters-by-hand.ts';
import { measureInTurn, median, patience, type Result, ratioResult, timeResult, timeRun } from './measure.ts';
import { armies, melee } from './worlds.ts';

/** Returns the mean and the worst time of a tick (ms). All fighters strike on the same tick, so the mean counts. */
function course(start: World, ticks: number, rounds: number): { mean: number; worst: number } {
	const means: number[] = [];
	const worsts: number[] = [];
	const continues = patience(rounds);
	for (let round = -1; continues(round); round++) {
		const world = clone(start);
		const times = Array.from({ length: ticks }, () => timeRun(() => step(world)));
		dispose(world);
		if (round < 0) continue;
		means.push(times.reduce((sum, ms) => sum + ms) / ticks);
		worsts.push(Math.max(...times));
	}
	return { mean: median(means), worst: median(worsts) };
}

function tick(name: string, start: World, ticks: number, most: number): Result {
	const { mean, worst } = course(start, ticks, 5);
	return timeResult('fighters', `tick, ${name}`, mean, most, `slowest tick ${worst.toFixed(1)} ms`);
}

/** Ticks of a few fighters, with the least that the same fight costs without a world. */
function ten(): Result[] {
	const [count, gap, ticks] = [10, 4, 20_000];
	const { mean } = course(armies(count, gap), ticks, 5);
	const byHand = fightersByHand(count, gap);
	const hand = timeRun(() => {
		for (let i = 0; i < ticks; i++) byHand();
	});
	const name = 'tick, 10 fighters';
	return [
		{ ...timeResult('fighters', name, mean, 0.0042), note: `${Math.round(1000 / mean)} ticks/s` },
		{
			...ratioResult('fighters', name, mean, 'by hand, without a world', hand / ticks),
			note: 'the floor; a tick of an empty world comes on top',
		},
	];
}

/** Measures a tick on which all fighters strike, with chance in each blow and without. */
function criticalHits(): Result {
	const [lucky, plain] = [{ crit: { chance: '1/4' } }, {}].map((more) => {
		const world = melee(10_000, 1.2, { combat_cooldown: 0, ...more });
		step(world);
		return { run: () => step(world) };
	});
	const [ours, theirs] = measureInTurn(30, [lucky!, plain!]) as [number, number];
	return ratioResult('fighters', 'tick, 10 000 critical hits decided', ours, 'blows without chance', theirs);
}

/** Measures the tick on which all fighters look for a target, all in one place and at arm's length. */
function onOneSpot(name: string, apart: number): Result {
	const sides = [melee(8000, apart), melee(8000)].map((start) => {
		let world: World | undefined;
		return {
			before: () => {
				world = clone(start);
			},
			run: () => step(world!),
			after: () => dispose(world!),
		};
	});
	const [ours, theirs] = measureInTurn(10, sides) as [number, number];
	return ratioResult('fighters', `8 000 choose targets, ${name}`, ours, '1.2 m apart', theirs);
}

export function benchFights(): Result[] {
	return [
		tick('1 000 fighters in a melee', melee(1000), 240, 1),
		tick('10 000 fighters in a melee', melee(10_000), 240, 10),
		tick('1 000 fighters of two armies that meet', armies(1000, 10), 400, 1),
		tick('10 000 fighters of two armies that meet', armies(10_000, 10), 400, 3.5),
		...ten(),
		criticalHits(),
		onOneSpot('all on one spot', 0),
		onOneSpot('within 10 cm', 0.001),
	];
}
