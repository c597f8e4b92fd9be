/** Options of a soak, the times of its kills, and exclusive turns. */

import { expect, test } from 'vitest';
import { UsageError } from '../../relay/cli/terminal.ts';
import { planOf } from './killer.ts';
import { parseSoak } from './options.ts';
import { SoakTally } from './tally.ts';
import { Turnstile } from './turnstile.ts';

const parse = (...args: string[]) => parseSoak(args, 1);

test('minutes, kills and span of a kill determine each other', () => {
	expect(parse()).toMatchObject({ length: 120_000, kills: 0, clients: 64, seed: 1, contest: false });
	expect(parse('--contest')).toMatchObject({ contest: true });
	expect(parse('--minutes', '10', '--kill-every', '60')).toMatchObject({ length: 600_000, kills: 10 });
	expect(parse('--kills', '100', '--kill-every', '6')).toMatchObject({ length: 600_000, kills: 100 });
	expect(parse('--kills', '10', '--minutes', '1')).toMatchObject({ length: 60_000, kills: 10 });
	expect(parse('--kills', '10')).toMatchObject({ length: 80_000, kills: 10 });
	expect(parse('--help')).toBeUndefined();
});

test.each([[['--kill', '3']], [['--kills', '1.5']], [['--minutes']], [['--clients', '0']]])(
	'%j is refused with a UsageError',
	(args) => {
		expect(() => parseSoak(args, 1)).toThrow(UsageError);
	},
);

test('minutes, kills and span together are refused', () => {
	expect(() => parse('--minutes', '1', '--kills', '2', '--kill-every', '3')).toThrow('send only two of them');
});

test('the same seed has the same kills, one in each span', () => {
	const plan = planOf(100, 600_000, 7);
	expect(planOf(100, 600_000, 7)).toEqual(plan);
	expect(planOf(100, 600_000, 8)).not.toEqual(plan);
	expect(plan.map(({ at }) => Math.floor(at / 6000))).toEqual(Array.from({ length: 100 }, (_, i) => i));
	expect(new Set(plan.map(({ victim }) => victim)).size).toBe(4);
});

test('an exclusive task runs alone, and does not wait for later ones', async () => {
	const turnstile = new Turnstile();
	const order: string[] = [];
	const first = Promise.withResolvers<void>();
	const tasks = [
		turnstile.runShared(async () => {
			await first.promise;
			order.push('among');
		}),
		turnstile.runAlone(async () => {
			order.push('alone');
		}),
		turnstile.runShared(async () => {
			order.push('later');
		}),
	];
	expect(order).toEqual([]);
	first.resolve();
	await Promise.all(tasks);
	expect(order).toEqual(['among', 'alone', 'later']);
});

test('a kill ends with the first answer to a later call', () => {
	const tally = new SoakTally();
	const at = performance.now();
	tally.kills.push(
		{ victim: 'tab', at, recovery: undefined },
		{ victim: 'relay', at: at + 5, recovery: undefined },
	);
	tally.recordAnswer(at - 1);
	expect(tally.kills.map(({ recovery }) => recovery)).toEqual([undefined, undefined]);
	tally.recordAnswer(at + 1);
	expect(tally.kills.map(({ recovery }) => recovery === undefined)).toEqual([false, true]);
	tally.recordAnswer(at + 6);
	expect(tally.kills.every(({ recovery }) => recovery !== undefined)).toBe(true);
});
