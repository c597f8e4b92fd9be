/** JSON schemas state the refusals beyond the shape of a value too: they accept the values that the parser accepts. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { abilityEffect, abilityList } from '../../../shared/components/abilities.ts';
import { statTable } from '../../../shared/components/base-stats.ts';
import { chance } from '../../../shared/components/combat.ts';
import {
	effectDocument,
	modifierText,
	stackPolicyText,
	tickEffectText,
} from '../../../shared/components/effects.ts';
import { spreadDocument } from '../../../shared/components/spread.ts';
import { TRIGGER_ACTION } from '../../../shared/components/trigger-zone.ts';
import { parseViewRule, VIEW_RULE } from '../../../shared/components/view-filter.ts';
import { jsonSchema, SchemaDefinitions } from '../../../shared/contract/json-schema.ts';
import { weight } from '../../../shared/contract/weight.ts';
import { itemFields } from '../../../shared/documents/item.ts';
import { registryName, spawnDocument } from '../../../shared/documents/spawn.ts';
import { changeFeature } from '../../../shared/routes/assertions.ts';
import { createTrigger, setViewFilter } from '../../../shared/routes/fighting.ts';
import { createFork } from '../../../shared/routes/forks.ts';
import { createRule } from '../../../shared/routes/rules.ts';
import { writtenRule } from '../../../shared/rules/rule.ts';
import { parseTriggerAction } from '../../../web/sim/triggers/trigger.ts';
import { schemaValidator } from '../../support/schema-validator.ts';

const ajv = schemaValidator({ validateFormats: false });

interface SchemaCase {
	readonly schema: z.ZodType;
	readonly taken: readonly unknown[];
	readonly refused: readonly unknown[];
}

const tooManyStats = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`s${i}`, 1]));
const dash = { Dash: { distance: 1 } };
const inAreas = (depth: number): object =>
	depth === 0 ? dash : { AreaEffect: { radius: 1, effect: inAreas(depth - 1) } };
const ability = (slot: string) => ({ slot, name: 'a', effect: dash });
const outcome = { label: 'a', weight: 1 };

const CORNERS = [
	[0, 0, 0],
	[1, 0, 0],
	[0, 1, 0],
	[0, 0, 1],
];

const CASES: Readonly<Record<string, SchemaCase>> = {
	weight: { schema: weight, taken: [0, 1e-12, 1, '1/4', '0.5'], refused: [1e-13, -1, '1/0', 'a'] },
	chance: { schema: chance, taken: [0, 1, 1e-12, '1/4', '0.5'], refused: [1e-13, 2, '1/0', 'a'] },
	'a table of loot': {
		schema: spawnDocument,
		taken: [
			{
				loot: [
					{ label: 'a', weight: 0 },
					{ label: 'b', weight: '1/9' },
				],
			},
		],
		refused: [{ loot: [{ label: 'a', weight: 0 }] }, { loot: [{ label: 'a', weight: '0/5' }] }],
	},
	'a collider of points': {
		schema: spawnDocument,
		taken: [
			{ collider: { shape: 'TriMesh', points: CORNERS, triangles: [[0, 1, 2]] } },
			{ collider: { shape: 'TriMesh', asset: '0'.repeat(64) } },
			{ collider: { shape: 'ConvexHull', points: CORNERS, asset: null } },
		],
		refused: [
			{ collider: { shape: 'TriMesh' } },
			{ collider: { shape: 'TriMesh', points: CORNERS } },
			{ collider: { shape: 'TriMesh', points: CORNERS, asset: '0'.repeat(64) } },
			{ collider: { shape: 'ConvexHull', points: CORNERS, asset: '0'.repeat(64) } },
		],
	},
	'a spread': {
		schema: spreadDocument,
		taken: [[{ weight: 1 }], { cone: 1, rays: 3 }],
		refused: [[{ weight: 0 }], [{ weight: '0.0' }], []],
	},
	modifier: {
		schema: modifierText,
		taken: ['speed:set:1', 'speed:add:-0.5', 'a b:multiply:1e-7', `${'s'.repeat(80)}:set:1`],
		refused: [
			'',
			'speed',
			':set:1',
			'speed:take:1',
			'speed:set:',
			'speed:set:1:2',
			`${'s'.repeat(81)}:set:1`,
		],
	},
	'tick effect': {
		schema: tickEffectText,
		taken: ['dps:1', 'hps:0.5', 'custom:horn', 'custom:a:b c'],
		refused: ['', 'dps', 'dps:-1', 'dps:many', 'custom:', 'custom: '],
	},
	'stack policy': {
		schema: stackPolicyText,
		taken: ['replace', 'refresh', 'stack', 'stack:3', 'stack:3:refresh', 'stack:9999'],
		refused: ['', 'pile', 'stack:0', 'stack:10000', 'refresh:1', 'stack:3:renew'],
	},
	abilities: {
		schema: abilityList,
		taken: [[], [ability('Q')], ['Q', 'W', 'E', 'R'].map(ability)],
		refused: [[ability('Q'), ability('Q')], ['Q', 'W', 'Q'].map(ability)],
	},
	'effects within effects': {
		schema: abilityEffect,
		taken: [dash, inAreas(8), { Chain: [dash, inAreas(2)] }],
		refused: [{ Chain: [{}] }, { Chain: [null] }, { AreaEffect: { radius: 1, effect: 'Dash' } }, {}],
	},
	'table of stats': { schema: statTable, taken: [{}, { speed: 1 }], refused: [tooManyStats] },
	properties: {
		schema: itemFields.properties,
		taken: [{ cost: 0 }, { damage: -1 }],
		refused: [tooManyStats, { cost: -1 }, { cost: '' }, { cost: null }],
	},
	'name in a registry': { schema: registryName, taken: ['a'], refused: ['', '__proto__'] },
	'id of a fork': {
		schema: createFork.body!,
		taken: [{ fork_id: 'plan' }, { fork_id: '...' }],
		refused: ['main', 'list', '.', '..', 'a/b', ''].map((fork_id) => ({ fork_id })),
	},
	'action of a trigger zone': {
		schema: createTrigger.body!,
		taken: [
			{},
			{ action: 'heal:0.5' },
			{ action: 'teleport:0,-2,30.5' },
			{ action: 'teleport', target: [0, 0, 0] },
			{ action: 'effect', effect: {} },
			{ action: 'damage:1', effect: null, target: null },
		],
		refused: [],
	},
	'rules of a view filter': {
		schema: setViewFilter.body!,
		taken: [
			{ entity_id: 0, rules: ['always'] },
			{ entity_id: 0, clear: true, rules: [] },
			{ entity_id: 0, clear: true, rules: null },
		],
		refused: [{ entity_id: 0, clear: true, rules: ['always'] }],
	},
	'change of a feature': {
		schema: changeFeature.body!,
		taken: [
			{ name: 'a', status: 'complete' },
			{ name: 'a', add: true },
			{ name: 'a', remove: true },
			{ name: 'a', remove: true, status: null },
		],
		refused: [
			{ name: 'a' },
			{ name: 'a', status: null, add: false },
			{ name: 'a', remove: true, add: true },
			{ name: 'a', remove: true, description: '' },
		],
	},
};

describe.each(Object.entries(CASES))('%s', (_, { schema, taken, refused }) => {
	const validate = ajv.compile(jsonSchema(schema, 'input'));

	test.each(taken.map((value) => ({ value })))('$value is accepted by both', ({ value }) => {
		expect(schema.safeParse(value).error?.issues).toBeUndefined();
		expect(validate(value), ajv.errorsText(validate.errors)).toBe(true);
	});

	test.each(refused.map((value) => ({ value })))('$value is refused by both', ({ value }) => {
		expect(schema.safeParse(value).success).toBe(false);
		expect(validate(value)).toBe(false);
	});
});

test.each([
	['effects nine deep', abilityEffect, inAreas(9)],
	['a chance above one', chance, '5/4'],
])('no schema can refuse %s, so the description mentions it', (_, schema, value) => {
	expect(schema.safeParse(value).success).toBe(false);
	expect(jsonSchema(schema, 'input').description ?? JSON.stringify(jsonSchema(schema, 'input'))).toMatch(
		/at most 8 deep|from 0 to 1/,
	);
});

test.each([
	['modifiers', modifierText],
	['tick effects', tickEffectText],
	['stack policies', stackPolicyText],
])(
	'every text with the pattern of %s is accepted and stored unchanged, and stored texts have the pattern',
	(_, schema) => {
		const pattern = new RegExp(String(jsonSchema(schema, 'input').pattern));
		fc.assert(
			fc.property(fc.stringMatching(pattern, { size: '-1' }), (text) => {
				fc.pre(text.length <= 40 && !text.startsWith('__proto__'));
				const result = schema.safeParse(text);
				expect(result.success).toBe(true);
				expect(result.data).toMatch(pattern);
			}),
		);
	},
);

test.each([
	['speed : Mul : +1.50', modifierText, 'speed:multiply:1.5'],
	[' DPS: 2 ', tickEffectText, 'dps:2'],
	[' Stack:003:Refresh ', stackPolicyText, 'stack:3:refresh'],
])('%s is stored in the form of the schema', (input, schema, storedText) => {
	expect(schema.parse(input)).toBe(storedText);
	expect(storedText).toMatch(new RegExp(String(jsonSchema(schema, 'output').pattern)));
});

test('every text with the pattern of view rules is accepted', () => {
	fc.assert(
		fc.property(fc.stringMatching(new RegExp(VIEW_RULE), { size: '-1' }), (rule) => {
			expect(parseViewRule(rule)).not.toBeNull();
		}),
	);
});

test('a rule has exactly one of do, actions or outcomes', () => {
	const definitions = new SchemaDefinitions('#/$defs/');
	const rules = [writtenRule, createRule.body!].map((schema) => definitions.schema(schema, 'input'));
	const validate = ajv.compile({ allOf: rules, $defs: definitions.definitions });
	const when = 'death';
	for (const rule of [
		{ do: ['despawn this'] },
		{ actions: ['despawn this'], do: null },
		{ outcomes: [outcome] },
	])
		expect(validate({ when, ...rule }), ajv.errorsText(validate.errors)).toBe(true);
	const refusesEach = ajv.compile({ not: { anyOf: rules }, $defs: definitions.definitions });
	for (const rule of [
		{},
		{ do: [], actions: [] },
		{ do: [], outcomes: [outcome] },
		{ outcomes: [{ ...outcome, weight: 0 }] },
		{ outcomes: [{ ...outcome, do: ['despawn this'], actions: [] }] },
	])
		expect(refusesEach({ when, ...rule })).toBe(true);
});

test('a trigger zone refuses fields that do not belong to its action', () => {
	const validate = ajv.compile(jsonSchema(createTrigger.body!, 'input'));
	for (const body of [
		{ effect: {} },
		{ target: [0, 0, 0] },
		{ action: 'effect' },
		{ action: 'teleport' },
		{ action: 'heal:1', target: [0, 0, 0] },
		{ action: 'effect', effect: {}, target: [0, 0, 0] },
		{ action: 'burn:1' },
	]) {
		expect(validate(body)).toBe(false);
		const { action = 'damage:10', target = null, effect = null } = createTrigger.body!.parse(body);
		expect(() => parseTriggerAction(action, target ?? null, effect ?? null)).toThrow();
	}
});

test("every text with the pattern of a trigger zone's effect is accepted", () => {
	fc.assert(
		fc.property(fc.stringMatching(new RegExp(TRIGGER_ACTION), { size: '-1' }), (text) => {
			const target = text === 'teleport' ? ([0, 0, 0] as const) : null;
			expect(
				parseTriggerAction(text, target && [...target], text === 'effect' ? effectDocument.parse({}) : null)
					.action,
			).toBe(text.split(':')[0]);
		}),
	);
});
