/**
 * Rules as lines of text.
 * Owns: the cases of rule-line.ts.
 */

import { describe, expect, it } from 'vitest';
import type { Condition } from '../../../../shared/verbs/conditions/index.ts';
import type { ShownRule } from '../../../../web/ui/make/rules/rules-state.ts';
import { describeCondition, describeRule, sourceName } from '../../../../web/ui/odds/rule-line.ts';

const tick = (every: number): Condition => ({ kind: 'tick', every });
const score: Condition = { kind: 'score', threshold: 10 };

describe('describeCondition', () => {
	it.each<[unknown, string]>([
		[{ kind: 'timer', interval: 20 }, 'timer 20 s'],
		[tick(1), 'every tick'],
		[tick(60), 'every 60 ticks'],
		[{ kind: 'health_below', threshold: 50 }, 'health < 50 HP'],
		[
			{ kind: 'event', event: 'damage', where: [{ field: 'amount', op: 'greater_equal', value: 5 }] },
			'event damage, amount ≥ 5',
		],
		[{ kind: 'enter', zone: { center: [-9, 0.5, -8], radius: 2.1 } }, 'it enters 2.1 m around −9, 0.5, −8'],
		[{ kind: 'leave', zone: { entity: 4, radius: 2 } }, 'it leaves 2 m around entity 4'],
		[
			{ kind: 'enter', zone: { center: [3.408, 1, 2], half: [1, 1, 1] } },
			'it enters the box around 3.408, 1, 2',
		],
		[
			{ kind: 'field', field: 'velocity.linear.y', op: 'not_equal', value: 0, edge: 'level' },
			'velocity.linear.y ≠ 0',
		],
		[{ kind: 'not', of: score }, 'not score ≥ 10'],
		[
			{ kind: 'all', of: [tick(1), { kind: 'any', of: [score, { kind: 'death' }] }] },
			'every tick and (score ≥ 10 or it dies)',
		],
		// A list with one condition needs no brackets.
		[{ kind: 'not', of: { kind: 'all', of: [score] } }, 'not score ≥ 10'],
	])('describes %j', (condition, words) => expect(describeCondition(condition as Condition)).toBe(words));
});

it('names a source by the name of its rule, its number, or a built-in name', () => {
	const rule = { id: 14, name: 'Wren’s blow', when: tick(1), filter: 'role:hero' } as unknown as ShownRule;
	const rules = new Map([[14, rule]]);
	expect(describeRule(rule)).toBe('when every tick, filter role:hero');
	expect(sourceName(14, rules)).toBe('Wren’s blow');
	expect(sourceName(15, rules)).toBe('Rule 15');
	expect(sourceName('crit', rules)).toBe('Critical hit');
	expect(sourceName('weather', rules)).toBe('weather');
});
