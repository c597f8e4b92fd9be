/** Routes of the tag Rules: gameplay rules as data. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { entityId, flag, integer, message, optional, text } from '../contract/values.ts';
import { moment } from './entity-view.ts';
import { actionDocument, conditionDocument, filterText, outcomeDocument } from './rule-document.ts';

const orText = <T extends z.ZodType>(typed: T, what: string) => z.union([text(what, 2000), typed]);

const action = orText(actionDocument, 'Short form, such as "heal this 10"');

const shownRule = z.strictObject({
	id: entityId,
	generation: z.int(),
	type: z
		.string()
		.describe(
			'on_death, timer, health_below, score, phase, tick, event, enter, leave, field, all, any or not',
		),
	interval: z.number().optional().describe('Of a timer (s)'),
	threshold: z.number().optional().describe('Of health_below (HP) and score'),
	phase: z.string().optional(),
	name: z.string().optional(),
	when: z.unknown().describe('The condition in typed form'),
	filter: z.string(),
	do: z.array(z.unknown()).optional().describe('The actions in typed form'),
	outcomes: z.array(z.unknown()).optional().describe('What chance chooses from, with exact shares'),
	priority: z.int(),
	once: z.boolean(),
	created: z.int().describe('Tick on which it was created'),
	fired: z.boolean().describe('Whether it has fired'),
});

const params = z.strictObject({ id: entityId });
const given = [{ path: '/rule/create', body: { when: 'timer:5', actions: ['spawn cube 0,0,0'] } }];

export const createRule = route({
	id: 'rules.create',
	tag: 'Rules',
	method: 'POST',
	path: '/rule/create',
	cli: ['rule', 'create'],
	summary: 'Registers a rule: when something holds, do something, or let chance choose what',
	description:
		'Conditions and actions are short texts ("timer:5", "heal this 10") or typed objects. Give `do` (or `actions`, the same), or `outcomes` with weights.',
	effect: 'write',
	body: z.strictObject({
		name: optional(text('Name, for people', 100)),
		when: orText(
			conditionDocument,
			'Short form: death, timer:S, health-below:HP, score:N, phase:NAME, tick:N, event:KIND',
		),
		filter: filterText.default('any'),
		do: optional(z.array(action).max(200).describe('What is done, in order')),
		actions: optional(z.array(action).max(200).describe('The same as do')),
		outcomes: optional(
			z
				.array(outcomeDocument.extend({ do: z.array(action).max(200).default([]) }))
				.min(1)
				.max(64)
				.describe('What chance chooses from'),
		),
		priority: integer('Higher fires first', { min: -1_000_000, max: 1_000_000 }).default(0),
		once: flag('Fires at most once in its life').default(false),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		rule_id: entityId.describe('Id of the rule; it is an entity'),
		generation: z.int(),
		when: z.unknown().describe('The condition as sent'),
		warnings: z.array(z.string()).optional(),
	}),
	errors: { invalid_rule: 200, world_full: 200 },
	examples: [
		{
			name: 'Minions every 20 s',
			body: { when: 'timer:20', actions: ['spawn cube 0,0.5,0 blue 80 1 true'] },
		},
		{
			name: 'A chest with 1 in 4',
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
	answer: z.strictObject({ ok: z.literal(true), rules: z.array(shownRule), count: z.int() }),
	errors: {},
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
	answer: z.strictObject({ ok: z.literal(true), rule: shownRule }),
	errors: { rule_not_found: 404 },
	examples: [{ name: 'Read rule 0', given, path: '/rule/0' }],
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
	answer: message.extend({ deleted: entityId, ...moment }),
	errors: { rule_not_found: 200 },
	examples: [{ name: 'Remove rule 0', given, path: '/rule/0' }],
});
