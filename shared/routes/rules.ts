/** Routes of the tag Rules: gameplay rules as data. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { namesThing } from '../contract/thing.ts';
import { entityId, generation, listLength, message, nullMeansDefault } from '../contract/values.ts';
import { reading } from '../rules/assertion.ts';
import { eitherActionsOrOutcomes, ruleChange, writtenRule } from '../rules/rule.ts';
import { CONDITIONS, wordOf } from '../verbs/conditions/index.ts';
import { worldStamp } from './entity-view.ts';
import { assetErrors, warnings } from './world.ts';

const ruleView = z.strictObject({
	id: entityId,
	generation,
	type: z
		.string()
		.describe(`Kind of its condition: ${CONDITIONS.map((kind) => kind.listedAs ?? wordOf(kind)).join(', ')}`),
	interval: z.number().optional().describe('For a timer (s)'),
	threshold: z
		.number()
		.optional()
		.describe('Limit in the condition: health (HP) for health_below, points for score'),
	phase: z.string().optional(),
	name: z.string().optional(),
	when: z.unknown().describe('The condition in typed form'),
	filter: z.unknown().describe('Entities it applies to, as sent: a text or a typed condition'),
	do: z.array(z.unknown()).optional().describe('The actions in typed form'),
	outcomes: z
		.array(z.unknown())
		.optional()
		.describe('Outcomes of which one is chosen at random, with exact probabilities'),
	priority: z.int().describe('Higher fires first'),
	on_failure: z
		.literal('stop')
		.optional()
		.describe('A refused action ends its list; left out: the rest of the list runs'),
	once: z.boolean(),
	enabled: z.boolean(),
	created: z.int().describe('Tick on which it was created'),
	fired: z.boolean().describe('true: it has fired'),
	firings: z.int().describe('Number of firings, each for one entity or for none'),
});

const isEmpty = (list: string) => ({
	properties: { [list]: { type: 'array', maxItems: 0 } },
	required: [list],
});
const params = z.strictObject({ id: entityId.meta(namesThing('rule')) });
const given = [{ path: '/rule/create', body: { when: 'timer:5', actions: ['spawn cube 0,0,0'] } }];

export const createRule = route({
	id: 'rules.create',
	tag: 'Rules',
	method: 'POST',
	path: '/rule/create',
	compact: 6 * 1024,
	cli: ['rule', 'create'],
	summary:
		'Registers a rule: when a condition holds, it runs its actions, or one of its outcomes chosen at random',
	description:
		'Conditions and actions are short texts ("timer:5", "heal this 10") or typed objects. Give `do` (or its alias `actions`), or `outcomes` with weights.',
	effect: 'write',
	body: z
		.strictObject(nullMeansDefault(writtenRule.shape))
		.meta({ ...eitherActionsOrOutcomes, not: { anyOf: ['do', 'actions'].map(isEmpty) } }),
	answer: z.strictObject({
		ok: z.literal(true),
		id: entityId,
		rule_id: entityId.describe('Id of the rule; it is an entity'),
		generation,
		when: z.unknown().describe('The condition as sent'),
		reading,
		warnings,
	}),
	makes: { thing: 'rule', named: { rule: '$response.body#/rule_id' } },
	errors: ['world_full', ...assetErrors],
	inside: ['invalid_body', 'invalid_rule'],
	examples: [
		{
			name: 'A chest with gold in one of four cases',
			body: {
				name: 'chest',
				when: { kind: 'tick', every: 60 },
				outcomes: [
					{
						label: 'gold',
						weight: 1,
						do: [{ action: 'add_field', target: { tag: 'hero' }, field: 'gold', value: 100 }],
					},
					{ label: 'empty', weight: 3 },
				],
			},
		},
		{
			name: 'Minions every 20 s',
			body: { when: 'timer:20', actions: ['spawn cube 0,0.5,0 blue 80 1 true'] },
		},
	],
});

export const listRules = route({
	id: 'rules.list',
	tag: 'Rules',
	method: 'GET',
	path: '/rule/list',
	cli: ['rule', 'list'],
	summary: 'All rules in full, in id order',
	effect: 'read',
	answer: z.strictObject({ ok: z.literal(true), rules: z.array(ruleView), count: listLength }),
	errors: [],
	examples: [{ name: 'List the rules', given }],
});

export const getRule = route({
	id: 'rules.get',
	tag: 'Rules',
	method: 'GET',
	path: '/rule/{id}',
	cli: ['rule', 'get'],
	summary: 'One rule in full',
	effect: 'read',
	params,
	answer: z.strictObject({ ok: z.literal(true), rule: ruleView }),
	errors: ['rule_not_found'],
	examples: [{ name: 'Read rule 0', given, path: '/rule/0' }],
});

export const changeRule = route({
	id: 'rules.change',
	tag: 'Rules',
	method: 'PATCH',
	path: '/rule/{id}',
	compact: 6 * 1024,
	cli: ['rule', 'change'],
	summary:
		'Changes a rule in place: its condition, filter, actions, outcomes with weights, or whether it is enabled',
	description:
		'Fields that are left out keep their values. The rule keeps its id, its firings, and its position in the firing order, which depends on priority, kind and id. `do` replaces outcomes, and outcomes replace `do`. An outcome with a known label keeps its weight and actions if they are left out; `do: []` empties it; one that is not listed is removed, with a warning. With another condition or filter, the rule also fires for entities that already pass them.',
	effect: 'write',
	params,
	body: ruleChange,
	answer: message.extend({ rule: ruleView, reading, warnings, ...worldStamp }),
	errors: ['rule_not_found', 'invalid_rule', 'world_full', ...assetErrors],
	examples: [
		{ name: 'Disable rule 0', given, path: '/rule/0', body: { enabled: false } },
		{
			name: 'Other odds',
			given: [
				{
					path: '/rule/create',
					body: {
						when: 'tick:1',
						outcomes: [
							{ label: 'gold', weight: 1, do: ['emit gold'] },
							{ label: 'empty', weight: 3 },
						],
					},
				},
			],
			path: '/rule/0',
			body: {
				outcomes: [
					{ label: 'gold', weight: '1/2' },
					{ label: 'empty', weight: '1/2' },
				],
			},
		},
	],
});

export const deleteRule = route({
	id: 'rules.delete',
	tag: 'Rules',
	method: 'DELETE',
	path: '/rule/{id}',
	cli: ['rule', 'delete'],
	summary: 'Removes a rule',
	effect: 'write',
	params,
	answer: message.extend({ deleted: entityId, ...worldStamp }),
	errors: ['rule_not_found'],
	examples: [{ name: 'Remove rule 0', given, path: '/rule/0' }],
});
