/**
 * Rules as data: when something holds, do something, or let chance choose what.
 * Owns: the vocabulary of conditions, targets and actions in typed form. The short texts (`timer:5`, `heal this 10`)
 * mean the same and are turned into this.
 */

import * as z from 'zod';
import { modifierText, stackPolicyText, tickEffectText } from '../components/effects.ts';
import {
	entityId,
	flag,
	integer,
	number,
	optional,
	position,
	scale,
	text,
	vec3,
	word,
} from '../contract/values.ts';
import { colorText, meshText, ROLE_WORDS, teamNumber } from './spawn.ts';

export const OPERATORS = ['greater', 'greater_equal', 'less', 'less_equal', 'equal', 'not_equal'] as const;
const SIGNS: Readonly<Record<string, (typeof OPERATORS)[number]>> = {
	'>': 'greater',
	gt: 'greater',
	'>=': 'greater_equal',
	gte: 'greater_equal',
	'<': 'less',
	lt: 'less',
	'<=': 'less_equal',
	lte: 'less_equal',
	'==': 'equal',
	eq: 'equal',
	'!=': 'not_equal',
	ne: 'not_equal',
};
export const operator = z
	.preprocess(
		(value) => (typeof value === 'string' ? (SIGNS[value.toLowerCase()] ?? value) : value),
		word(OPERATORS, 'Comparison'),
	)
	.describe('Comparison; also > >= < <= == !=');

export const filterText = text(
	'Which entities: any, entity:ID, team:N, role:R, tag:T, component:C, joined with +',
);

const zone = z
	.union([
		z.strictObject({ center: position, half: vec3('Half extents', { min: 0 }) }),
		z.strictObject({ center: position, radius: number('Radius', { unit: 'm', min: 0 }) }),
		z.strictObject({ entity: entityId, radius: number('Radius round that entity', { unit: 'm', min: 0 }) }),
	])
	.describe('A box, a ball, or a ball that goes with an entity');

const EDGES = ['rising', 'level'] as const;

const leafConditions = [
	z.strictObject({ kind: z.literal('death') }),
	z.strictObject({
		kind: z.literal('timer'),
		interval: number('Time between firings', { unit: 's', min: 0 }),
	}),
	z.strictObject({ kind: z.literal('health_below'), threshold: number('Health', { unit: 'HP' }) }),
	z.strictObject({
		kind: z.literal('score'),
		threshold: integer('Score that somebody has reached', { min: -0x80000000, max: 0x7fffffff }),
	}),
	z.strictObject({
		kind: z.literal('phase'),
		phase: word(['lobby', 'countdown', 'playing', 'post_match'], 'Phase of the match'),
	}),
	z.strictObject({
		kind: z.literal('tick'),
		every: integer('Fires every so many ticks', { unit: 'ticks', min: 1 }),
	}),
	z.strictObject({
		kind: z.literal('event'),
		event: text('Kind of event, such as damage, death, collision, signal'),
		where: optional(
			z
				.array(
					z.strictObject({
						field: text('Field of the event, such as amount or target.id'),
						op: operator.default('equal'),
						value: z.union([z.number(), z.string(), z.boolean()]).describe('What to compare with'),
					}),
				)
				.max(20)
				.describe('Tests that all must hold'),
		),
	}),
	z.strictObject({ kind: z.literal('enter'), zone }),
	z.strictObject({ kind: z.literal('leave'), zone }),
	z.strictObject({
		kind: z.literal('field'),
		field: text('Number of a component, such as health.current or velocity.linear.y'),
		op: operator.default('greater'),
		value: number('What to compare with'),
		edge: word(EDGES, 'rising: once each time it begins to hold; level: on every tick it holds').default(
			'rising',
		),
	}),
] as const;

const leafCondition = z.discriminatedUnion('kind', leafConditions).meta({ id: 'SimpleCondition' });

function compound<C extends z.ZodType>(inner: C) {
	const of = z.array(inner).min(1).max(20);
	return [
		z.strictObject({ kind: z.literal('all'), of: of.describe('All of these') }),
		z.strictObject({ kind: z.literal('any'), of: of.describe('At least one of these') }),
		z.strictObject({ kind: z.literal('not'), of: inner.describe('What must not hold') }),
	] as const;
}

const innerCondition = z
	.discriminatedUnion('kind', [leafCondition, ...compound(leafCondition)])
	.meta({ id: 'InnerCondition' });

/** A condition; all, any and not may be nested twice. */
export const conditionDocument = z
	.discriminatedUnion('kind', [leafCondition, ...compound(innerCondition)])
	.describe('When the rule fires')
	.meta({ id: 'Condition' });

export type LeafCondition = z.output<typeof leafCondition>;
export type Condition = z.output<typeof conditionDocument>;

/** Whom an action is about. */
export const targetDocument = z
	.union([
		word(['this', 'source'], 'The entity the rule fired for, or who caused it'),
		z.strictObject({ entity: entityId }),
		z.strictObject({ tag: text('All entities with this label') }),
		z.strictObject({ team: teamNumber.describe('All entities of this team') }),
		z.strictObject({
			nearest: filterText.describe('The entity nearest to this that the filter lets through'),
		}),
		z.strictObject({ all: filterText.describe('All entities that the filter lets through') }),
	])
	.describe('this, source, {entity}, {tag}, {team}, {nearest: filter} or {all: filter}')
	.meta({ id: 'Target' });

export type Target = z.output<typeof targetDocument>;

const target = targetDocument;
const textSize = number('Height of the letters', { unit: 'pixels', min: 1, max: 500 }).default(20);
const I32 = { min: -0x80000000, max: 0x7fffffff };

export const actionDocument = z
	.discriminatedUnion('action', [
		z.strictObject({
			action: z.literal('spawn'),
			mesh: meshText,
			position,
			color: optional(colorText),
			health: optional(number('Health', { unit: 'HP', min: 0 })),
			team: optional(teamNumber),
			combat: optional(flag('Fights by itself')),
			speed: optional(number('Speed of walking', { unit: 'm/s', min: 0, max: 1000 })),
			waypoints: optional(z.array(vec3('Waypoint')).max(1000)),
			scale: optional(scale),
			gold_bounty: optional(integer('Gold for the killer', I32)),
			xp_bounty: optional(integer('Experience for the killer')),
			role: optional(word(ROLE_WORDS, 'Role')),
			tags: optional(z.array(text('Label', 100)).max(100)),
			count: optional(integer('How many, 1 m apart along z', { min: 1, max: 1000 })),
		}),
		z.strictObject({ action: z.literal('damage'), target, amount: number('Damage', { unit: 'HP', min: 0 }) }),
		z.strictObject({ action: z.literal('heal'), target, amount: number('Health', { unit: 'HP', min: 0 }) }),
		z.strictObject({ action: z.literal('score'), target, points: integer('Points', I32) }),
		z.strictObject({ action: z.literal('despawn'), target }),
		z.strictObject({ action: z.literal('teleport'), target, position }),
		z.strictObject({ action: z.literal('color'), target, color: colorText }),
		z.strictObject({ action: z.literal('set_color'), target, color: colorText }),
		z.strictObject({
			action: z.literal('text'),
			text: text('What to show', 500),
			x: number('From the left edge, 0 to 1').default(0.5),
			y: number('From the top edge, 0 to 1').default(0.1),
			size: textSize,
			color: text('Colour').default('white'),
		}),
		z.strictObject({
			action: z.literal('show_text'),
			text: text('What to show', 500),
			x: number('From the left edge, 0 to 1').default(0.5),
			y: number('From the top edge, 0 to 1').default(0.1),
			size: textSize,
			color: text('Colour').default('white'),
		}),
		z.strictObject({ action: z.literal('endgame'), winner_team: teamNumber }),
		z.strictObject({
			action: z.literal('set_field'),
			target,
			field: text('Number of a component, such as health.current'),
			value: number('Its new value'),
		}),
		z.strictObject({
			action: z.literal('add_field'),
			target,
			field: text('Number of a component, such as health.current'),
			value: number('What is added to it'),
		}),
		z.strictObject({
			action: z.literal('apply_effect'),
			target,
			tag: text('Name of the effect').min(1),
			duration: number('How long it lasts', { unit: 's', min: 0 }).default(5),
			modifiers: z.array(modifierText).max(50).default([]),
			tick_effect: optional(tickEffectText),
			stack_policy: stackPolicyText.default('replace'),
		}),
		z.strictObject({
			action: z.literal('give_item'),
			target,
			item_id: integer('Item'),
			count: integer('How many', { min: 1, max: 1_000_000 }).default(1),
		}),
		z.strictObject({
			action: z.literal('emit'),
			name: text('Name of the signal', 100).min(1),
			data: z.unknown().default(null).describe('Any JSON value that belongs to it'),
		}),
	])
	.describe('What is done')
	.meta({ id: 'Action' });

export type Action = z.output<typeof actionDocument>;

const weight = z
	.union([z.number().min(0).max(1e12), z.string().max(90)])
	.describe('Share of the chance: a whole number, a decimal or "a/b", kept exactly');

const effects = z.array(actionDocument).max(200);

export const outcomeDocument = z.strictObject({
	label: text('Name of the outcome', 100).min(1),
	weight,
	do: effects.default([]).describe('What is done when chance chooses this'),
});

/** A rule in typed form. Either `do` (or `actions`, the same) or `outcomes`. */
export const ruleDocument = z
	.strictObject({
		name: optional(text('Name, for people', 100)),
		when: conditionDocument,
		filter: filterText.default('any'),
		do: optional(effects.describe('What is done, in order')),
		actions: optional(effects.describe('The same as do')),
		outcomes: optional(z.array(outcomeDocument).min(1).max(64).describe('What chance chooses from')),
		priority: integer('Higher fires first; default 0', { min: -1_000_000, max: 1_000_000 }).default(0),
		once: flag('Fires at most once in its life').default(false),
	})
	.meta({ id: 'Rule' });

export type SentRule = z.output<typeof ruleDocument>;

const orText = <T extends z.ZodType>(typed: T, what: string) => z.union([text(what, 2000), typed]);

const action = orText(actionDocument, 'Short form, such as "heal this 10"');

/** A rule as callers write it: conditions and actions are short texts or typed. */
export const writtenRule = z.strictObject({
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
});

export type WrittenRule = z.output<typeof writtenRule>;

/** A rule as it is kept: the filter read, actions under `do`. */
export interface RuleDocument {
	readonly name?: string;
	readonly when: Condition;
	readonly filter: string;
	readonly do?: readonly Action[];
	readonly outcomes?: readonly {
		readonly label: string;
		readonly weight: number | string;
		readonly do: readonly Action[];
	}[];
	readonly priority: number;
	readonly once: boolean;
}
