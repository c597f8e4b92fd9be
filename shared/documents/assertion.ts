/**
 * Assertions as data: what should hold of a world.
 * Owns: the vocabulary of their conditions in typed form. The short words (`count`, `alive`, `phase`) mean the same and
 * are turned into this.
 */

import * as z from 'zod';
import { SEVERITIES } from '../components/assertion.ts';
import { integer, number, optional, text, toldApart, word } from '../contract/values.ts';
import { filterText } from '../verbs/filter-text.ts';
import { operator } from './condition.ts';
import { filterDocument } from './filter.ts';

export const PHASES = ['lobby', 'countdown', 'playing', 'post_match'] as const;

const filter = z
	.union([filterDocument, filterText])
	.describe('Which entities: a typed filter, or a text such as team:2+role:hero');

const fieldName = text(
	'Number of a component, such as health, health.max, health.percent, team, position.x, gold, level, combat.damage',
);
const limit = integer('Number of entities');

/** A condition in typed form. */
export const assertionCondition = toldApart(
	'type',
	z
		.discriminatedUnion('type', [
			z.strictObject({ type: z.literal('entity_exists'), filter }),
			z.strictObject({
				type: z.literal('entity_count'),
				filter,
				min: optional(integer('At least so many')),
				max: optional(integer('At most so many')),
			}),
			z.strictObject({
				type: z.literal('field_check'),
				filter,
				field: fieldName,
				op: operator,
				value: number('What to compare with'),
			}),
			z.strictObject({ type: z.literal('all_teams_have_spawn_points') }),
			z.strictObject({
				type: z.literal('no_overlap'),
				filter,
				min_distance: number('Least distance between two of them', { unit: 'm', min: 0 }),
			}),
			z.strictObject({ type: z.literal('none_are_dead'), filter }),
			z.strictObject({ type: z.literal('no_zero_health_alive') }),
			z.strictObject({ type: z.literal('all_renderable_have_transform') }),
			z.strictObject({ type: z.literal('game_phase'), phase: word(PHASES, 'Phase of the match') }),
			z.strictObject({ type: z.literal('entity_budget'), max: limit }),
		])
		.describe('What should hold'),
);

export type AssertionCondition = z.output<typeof assertionCondition>;

export const severity = word(SEVERITIES, 'How bad it is when it does not hold').default('error');

/** What the short words take beside them. */
export const shorthandFields = {
	filter: optional(filter),
	min: optional(integer('For count: at least so many')),
	max: optional(integer('For count and budget: at most so many')),
	min_distance: optional(number('For no-overlap; default 0.5', { unit: 'm', min: 0 })),
	phase: optional(word(PHASES, 'For game-phase')),
	field: optional(fieldName),
	op: optional(operator),
	value: optional(number('For field-check: what to compare with')),
};

const shortWord = text(
	'One of exists, count, field, spawns, overlap, alive, no-zero-health, renderable, phase, budget, ' +
		'or their long forms such as entity-count',
	40,
);

const wholeText = text(
	'A short word and what it takes, such as "count team:2 max=0" or "field health < 50 team:1"',
	300,
);

/** A condition in typed form, as a short word with what it takes beside it, or as one text. */
export const sentCondition = z.union([
	assertionCondition,
	text(`${shortWord.description}; or one with what it takes behind it, such as "count team:2 max=0"`, 300),
]);

/** What a probe can wait for: typed, a short word with its fields, or one text such as `field health < 50 team:2`. */
export const untilDocument = z
	.union([assertionCondition, z.strictObject({ condition: shortWord, ...shorthandFields }), wholeText])
	.describe(
		'A condition of an assertion. Of a field, all that the filter lets through and that have it must fit; when none has it, it holds',
	)
	.meta({ id: 'Until' });

/** An assertion in a document. */
export const assertionDocument = z
	.strictObject({
		name: text('Name of the assertion', 200),
		condition: z.union([assertionCondition, wholeText]),
		severity,
	})
	.describe('An assertion')
	.meta({ id: 'Assertion' });

export type SentAssertion = z.output<typeof assertionDocument>;

/** An assertion as it is kept, its condition in typed form. */
export interface AssertionDocument extends SentAssertion {
	readonly condition: AssertionCondition;
}
