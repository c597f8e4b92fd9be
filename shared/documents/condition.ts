/**
 * Conditions of rules as data: when something holds, or happens.
 * Owns: their vocabulary in typed form, and the comparisons. The short texts (`timer:5`) are turned into this.
 */

import * as z from 'zod';
import {
	entityId,
	integer,
	number,
	optional,
	position,
	text,
	toldApart,
	vec3,
	word,
} from '../contract/values.ts';
import { eventKind } from './event.ts';

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

const zone = z
	.union([
		z.strictObject({ center: position, half: vec3('Half extents', { min: 0 }) }),
		z.strictObject({ center: position, radius: number('Radius', { unit: 'm', min: 0 }) }),
		z.strictObject({ entity: entityId, radius: number('Radius round that entity', { unit: 'm', min: 0 }) }),
	])
	.describe('A box, a ball, or a ball that goes with an entity');

const EDGES = ['rising', 'level'] as const;

const leafConditions = [
	z.strictObject({ kind: z.literal('death') }).describe('On a death. this: who died, source: the killer'),
	z
		.strictObject({
			kind: z.literal('timer'),
			interval: number('Time between firings', { unit: 's', min: 0 }),
		})
		.describe('Every so many seconds since the rule was made; 0: on every tick. There is no this'),
	z
		.strictObject({ kind: z.literal('health_below'), threshold: number('Health', { unit: 'HP' }) })
		.describe('Once in the life of everybody whose health falls below it without dying. this: whose'),
	z
		.strictObject({
			kind: z.literal('score'),
			threshold: integer('Score that somebody has reached', { min: -0x80000000, max: 0x7fffffff }),
		})
		.describe('When the first comes to have that score. There is no this'),
	z
		.strictObject({
			kind: z.literal('phase'),
			phase: word(['lobby', 'countdown', 'playing', 'post_match'], 'Phase of the match'),
		})
		.describe('Each time the match comes to be in a phase. There is no this'),
	z
		.strictObject({
			kind: z.literal('tick'),
			every: integer('Fires every so many ticks', { unit: 'ticks', min: 1 }),
		})
		.describe('Every so many ticks since the rule was made. There is no this'),
	z
		.strictObject({
			kind: z.literal('event'),
			event: eventKind,
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
		})
		.describe(
			'On an event. this: its target, entity or a; source: its source, killer or b, where it has them',
		),
	z
		.strictObject({ kind: z.literal('enter'), zone })
		.describe('When somebody comes into a zone, or is in it when the rule is made. this: who'),
	z
		.strictObject({ kind: z.literal('leave'), zone })
		.describe(
			'When somebody whom the rule has seen in a zone no longer is; it first looks on the tick after it was made. this: who',
		),
	z
		.strictObject({
			kind: z.literal('field'),
			field: text('Number of a component, such as health.current or velocity.linear.y'),
			op: operator.default('greater'),
			value: number('What to compare with'),
			edge: word(EDGES, 'rising: once each time it begins to hold; level: on every tick it holds').default(
				'rising',
			),
		})
		.describe('When the field of somebody compares so. this: whose'),
] as const;

const leafCondition = z.discriminatedUnion('kind', leafConditions).meta({ id: 'SimpleCondition' });

function compound<C extends z.ZodType>(inner: C) {
	const of = z.array(inner).min(1).max(20);
	return [
		z
			.strictObject({ kind: z.literal('all'), of: of.describe('All of these') })
			.describe('When all hold at once. this: for whom every part that is about somebody holds'),
		z.strictObject({ kind: z.literal('any'), of: of.describe('At least one of these') }),
		z
			.strictObject({ kind: z.literal('not'), of: inner.describe('What must not hold') })
			.describe(
				'Of what happens: on every tick on which it does not. Of what lasts: each time it ceases to hold. this: everybody with a place for whom it does not hold',
			),
	] as const;
}

const innerCondition = z
	.discriminatedUnion('kind', [leafCondition, ...compound(leafCondition)])
	.meta({ id: 'InnerCondition' });

/** A condition; all, any and not may be nested twice. */
export const conditionDocument = toldApart(
	'kind',
	z
		.discriminatedUnion('kind', [leafCondition, ...compound(innerCondition)])
		.describe('When the rule fires')
		.meta({ id: 'Condition' }),
	'of',
);

export type LeafCondition = z.output<typeof leafCondition>;
export type Condition = z.output<typeof conditionDocument>;
