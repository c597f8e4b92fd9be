/** Benchmark: a tick of a world with 1 000 rules, compared with the same world without rules. */

import { Health } from '../../shared/components/health.ts';
import { LocalTransform } from '../../shared/components/local-transform.ts';
import { writtenRule } from '../../shared/rules/rule.ts';
import { type World, write } from '../../web/sim/core/world.ts';
import { parseRule } from '../../web/sim/documents/rule-entry.ts';
import { createRule } from '../../web/sim/rules/rule.ts';
import { step } from '../../web/sim/step.ts';
import { measureInTurn, type Result, ratioResult } from './measure.ts';
import { crowd } from './worlds.ts';

const RULES = 1000;
const BEINGS = 100;
/** Number of ticks in a run, because one tick without rules is too short to measure. */
const TICKS = 20;

const heal = [{ action: 'heal', target: 'this', amount: 1 }];
const hurt = (i: number, value: number) => [
	{ action: 'set_field', target: { entity: i % BEINGS }, field: 'health', value },
];

/** Kinds of rules. Each list is repeated until there are enough rules. */
const WAITING = [
	() => ({ when: { kind: 'timer', interval: 1e6 }, do: heal }),
	() => ({ when: { kind: 'tick', every: 1e8 }, do: heal }),
	() => ({ when: { kind: 'death' }, do: heal }),
	() => ({ when: { kind: 'event', event: 'signal' }, do: heal }),
	() => ({ when: { kind: 'score', threshold: 5 }, do: heal }),
	() => ({ when: { kind: 'phase', phase: 'post_match' }, do: heal }),
];
const LOOKING = [
	() => ({ when: { kind: 'health_below', threshold: 1 }, do: heal }),
	() => ({ when: { kind: 'field', field: 'health', value: 1e9 }, do: heal }),
	() => ({ when: { kind: 'enter', zone: { center: [1e3, 0, 0], radius: 1 } }, filter: 'team:2', do: heal }),
];
const FIRING = [
	(i: number) => ({ when: { kind: 'tick', every: 1 }, do: hurt(i, 50) }),
	(i: number) => ({
		when: { kind: 'field', field: 'health', value: 0, edge: 'level' },
		filter: `entity:${i % BEINGS}`,
		do: heal,
	}),
	(i: number) => ({ when: { kind: 'event', event: 'signal' }, do: hurt(i, 60) }),
	(i: number) => ({
		when: { kind: 'tick', every: 1 },
		outcomes: [
			{ label: 'heads', weight: 1, do: hurt(i, 70) },
			{ label: 'tails', weight: 1, do: hurt(i, 80) },
		],
	}),
];
/** Rule that emits the signal for the rules about signals. */
const signal = { when: { kind: 'tick', every: 1 }, do: [{ action: 'emit', name: 'signal' }] };

function ruled(kinds: readonly ((i: number) => object)[], first: readonly object[] = []): World {
	const world = crowd(BEINGS);
	const rules = Array.from({ length: RULES - first.length }, (_, i) => kinds[i % kinds.length]!(i));
	for (const rule of [...first, ...rules]) createRule(world, parseRule(writtenRule.parse(rule)));
	return world;
}

/** Compares ticks of a world with ticks of one without rules. `stir` runs before every tick. */
function against(name: string, world: World, most?: number, stir: (world: World) => void = () => {}): Result {
	const sides = [world, crowd(BEINGS)].map((ticking) => ({
		run: () => {
			for (let i = 0; i < TICKS; i++) {
				stir(ticking);
				step(ticking);
			}
		},
	}));
	const [ours, theirs] = measureInTurn(40, sides).map((ms) => ms / TICKS) as [number, number];
	const each = `${(((ours - theirs) * 1000) / RULES).toFixed(2)} µs a rule`;
	return {
		...ratioResult('rules', `tick, 1 000 rules ${name}`, ours, 'without rules', theirs, undefined, each),
		...(most === undefined ? {} : { aim: `under ${most} ms`, met: ours < most }),
	};
}

/** Changes health and position of a few entities. */
function stir(world: World): void {
	write(world, Health, 'current')[world.tick % BEINGS] = 100 + (world.tick % 7);
	write(world, LocalTransform, 'position')[(world.tick % BEINGS) * 3] = world.tick % 5;
}

export function benchRules(): Result[] {
	return [
		against('that wait (timer, tick, death, event, score, phase)', ruled(WAITING)),
		against('that look at 100 and find none (health, field, enter)', ruled(LOOKING), 1),
		against('that look at 100 of which some change, and find none', ruled(LOOKING), 1.2, stir),
		against('that all fire (tick, field, event, chance)', ruled(FIRING, [signal])),
	];
}
