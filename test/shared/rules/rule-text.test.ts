/** Texts of rules: what is written reads to the same rule, every verb has a short text, and a fault has its place. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { catchRefusal } from '../../../shared/contract/errors.ts';
import {
	positionOf,
	RuleTextFault,
	readRuleText,
	type TextRule,
	writeRuleText,
} from '../../../shared/rules/rule-text.ts';
import { type Action, actionDocument, readAction } from '../../../shared/verbs/actions/index.ts';
import { readCondition } from '../../../shared/verbs/condition-text.ts';
import { type Condition, conditionDocument } from '../../../shared/verbs/conditions/index.ts';
import { AIMED, ALONE, CONDITIONS, TARGETS } from '../../support/every-verb.ts';
import { check } from '../../support/property.ts';

const typed = (condition: string | object): Condition =>
	typeof condition === 'string'
		? readCondition(condition, 'rule')
		: conditionDocument.parse(
				'filter' in condition && typeof condition.filter === 'string'
					? { ...condition, filter: readCondition(condition.filter, 'filter') }
					: condition,
			);

const ACTION_TEXTS = [
	...ALONE,
	...AIMED.flatMap((text) => TARGETS.map((target) => text.replaceAll('TARGET', target))),
];

const leaf = fc.constantFrom(...CONDITIONS).map(typed);
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
	condition: fc.oneof(
		{ depthSize: 'small', withCrossShrink: true },
		leaf,
		fc
			.tuple(fc.constantFrom('all', 'any'), fc.array(tie('condition'), { minLength: 1, maxLength: 3 }))
			.map(([kind, of]) => ({ kind, of }) as Condition),
		tie('condition').map((of) => ({ kind: 'not', of }) as Condition),
	),
}));
const filters = ['tag:a', 'team:2+alive', 'name:"Oak 3"', '(team:1 | tag:b) & !dead'].map((text) =>
	readCondition(text, 'filter'),
);
const action = fc.oneof(
	fc.constantFrom(...ACTION_TEXTS).map(readAction),
	// Fields that no short text has.
	fc.constantFrom<Action>(
		...[
			{ action: 'damage', target: 'this', amount: 3, category: 'magical' },
			{ action: 'text', text: 'two\nlines', x: 3 },
			{ action: 'emit', name: 'a b', data: { deep: [1, '"'] } },
			{ action: 'tag', target: { all: { kind: 'all', of: [{ kind: 'alive' }] } }, add: ['a b'] },
		].map((sent) => actionDocument.parse(sent)),
	),
);
const title = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
const actions = fc.array(action, { maxLength: 3 });
const outcome = fc.record({
	label: title,
	weight: fc.constantFrom<number | string>(1, 3, 0.25, '1/3'),
	do: actions,
});
const rule: fc.Arbitrary<TextRule> = fc
	.record({
		name: fc.option(title, { nil: undefined }),
		when: condition,
		filter: fc.constantFrom<Condition | string>('any', ...filters),
		do: actions,
		outcomes: fc.option(fc.array(outcome, { minLength: 1, maxLength: 3 }), { nil: undefined }),
		priority: fc.integer({ min: -5, max: 5 }),
		on_failure: fc.constantFrom('stop' as const, undefined),
		once: fc.boolean(),
		enabled: fc.boolean(),
	})
	.map(({ do: effects, outcomes, ...rest }) =>
		outcomes === undefined ? { ...rest, do: effects } : { ...rest, outcomes },
	);

test('a rule written and read again is the same rule with the same text', () =>
	check(300, [rule], (given) => {
		const text = writeRuleText(given);
		const read = readRuleText(text).rule;
		expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify(given)));
		expect(writeRuleText(read)).toBe(text);
	}));

test('each verb has a short text', () => {
	const rest = { filter: 'any', priority: 0, once: false, enabled: true };
	const texts = [
		...CONDITIONS.map((given) =>
			writeRuleText({
				...rest,
				when: typeof given === 'string' ? typed(given) : conditionDocument.parse(given),
			}),
		),
		...ACTION_TEXTS.map((text) => writeRuleText({ ...rest, when: typed('tick:1'), do: [readAction(text)] })),
	];
	expect(texts.filter((text) => text.includes('{"'))).toEqual([]);
});

test('a trap reads like a written sentence', () => {
	const text = [
		'name Trap',
		'when enter:0,0,0:3 & team:1',
		'odds 1/3 snap',
		'  do damage this 10',
		'odds 2/3 nothing',
		'once',
	];
	const { rule: read } = readRuleText(text.join('\n'));
	expect(read).toMatchObject({
		name: 'Trap',
		once: true,
		outcomes: [{ label: 'snap', weight: '1/3' }, { do: [] }],
	});
	expect(writeRuleText(read)).toBe(text.join('\n'));
	expect(readRuleText(`\n  WHEN tick:1\n\n\tdo heal this 1  `).rule).toMatchObject({ do: [{ amount: 1 }] });
});

describe('a fault has its position', () => {
	test.each([
		['when enter:0,0,0:3\ndo damge this 10', 'damge this 10', 2, /damage/],
		['when entre:0,0,0:3', 'entre:0,0,0:3', 1, /enter/],
		['when tick:1\nfro team:1', 'fro', 2, /Did you mean "for"/],
		['when tick:1\nfor team:red', 'team:red', 2, /team:0-255/],
		['when tick:1\n  do damage this much', 'much', 2, /TARGET HP/],
		['when tick:1\nwhen tick:2', 'when', 2, /Remove one/],
		['when tick:1\nodds half yes', 'half', 2, /1\/4/],
		['when tick:1\ndo heal this 1\nodds 1 yes', 'odds', 3, /below/],
		['do heal this 1', 'do heal this 1', 1, /when timer:5/],
		['when', 'when', 1, /when timer:5/],
	])('%j', (text, shown, line, says) => {
		const fault = catchRefusal(
			() => readRuleText(text),
			(refusal) => refusal,
		) as RuleTextFault;
		expect(fault).toBeInstanceOf(RuleTextFault);
		expect([text.slice(fault.start, fault.end), fault.line]).toEqual([shown, line]);
		expect(`${fault.message} ${fault.fix ?? ''}`).toMatch(says);
	});

	test('a part that the engine refuses is found by the path of the error', () => {
		const text = 'when tick:1\nodds 1 a\n  do heal this 1\n  do buy this 9\nodds 1 b';
		const { places } = readRuleText(text);
		const textAt = (path: string) => {
			const place = positionOf(places, path);
			return place && text.slice(place.start, place.end);
		};
		expect(['outcomes[0].do[1].item_id', 'outcomes[1].weight', 'when.of[2]', 'other'].map(textAt)).toEqual([
			'do buy this 9',
			'odds 1 b',
			'when tick:1',
			null,
		]);
	});
});
