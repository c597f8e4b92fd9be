/** Routes of the tag Forks that run many temporary forks in one call, to compare variants. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import {
	digest,
	entityId,
	integer,
	isGiven,
	number,
	optional,
	text,
	ticks,
	word,
} from '../contract/values.ts';
import { refuseTakenNames, requestDocument } from '../documents/request.ts';
import { reading, untilDocument } from '../rules/assertion.ts';
import { filterDocument } from '../verbs/conditions/index.ts';
import { MAX_TICKS, tickErrors } from './simulation.ts';
import { tableRows, warnings } from './world.ts';

/** Maximum number of variants of one sweep. */
const MAX_VARIANTS = 10_000;
/** Maximum number of seeds of one sweep. */
const MAX_SEEDS = 10_000;
/** Maximum number of runs of one sweep. */
export const MAX_RUNS = 100_000;

/** Maximum number of ticks of all runs of one call together. */
const MAX_RUN_TICKS = 10_000_000;

/** Maximum number of requests of one variant. */
const MAX_REQUESTS = 100;

const column = z.string().regex(/^[A-Za-z_]\w{0,63}$/, 'a name must have only letters, digits and _');
const entitySelection = z.union([entityId, filterDocument]);
const requestList = z
	.array(requestDocument.omit({ answer: true }))
	.min(1)
	.max(MAX_REQUESTS)
	.superRefine(refuseTakenNames);

const value = z
	.union([z.number(), z.string().max(1000), z.boolean(), z.array(z.number()).max(16)])
	.describe('A value');

const axis = z
	.strictObject({
		as: column.describe('Name of the column; in requests "$NAME" is the value'),
		field: optional(
			text('Field that gets the value, as the body of the route names it, such as combat_damage', 200),
		),
		of: optional(
			entitySelection.describe('Entities whose field it is: an id, or a filter such as tag:tower'),
		),
		path: optional(
			text('Instead of `of`: a POST route whose body has the field, such as /tuning', 200).regex(
				/^\//,
				'a path must start with /',
			),
		),
		values: optional(z.array(value).min(1).max(MAX_VARIANTS).describe('Values to try')),
		from: optional(number('First value of a range')),
		to: optional(number('Last value of a range')),
		step: optional(number('Step of the range; 1 unless given', { min: 1e-6 })),
		count: optional(integer('Instead of `step`: number of values', { min: 2, max: MAX_VARIANTS })),
	})
	.refine(
		({ values, from, to }) => (values == null) === (from != null && to != null),
		'send values, or from and to',
	)
	.refine(({ from, to }) => from == null || to == null || from < to, 'from must be less than to')
	.refine(({ step, count }) => step == null || count == null, 'send step or count, not both')
	.refine(
		({ field, of, path }) => (field != null) === ((of != null) !== (path != null)),
		'send field with either of or path, or none of them',
	);

const variant = z.strictObject({
	name: optional(text('Name of the row', 100)),
	seed: optional(integer('Seed, unless `seeds` is given', { max: Number.MAX_SAFE_INTEGER })),
	without: optional(entitySelection.describe('Entities to leave out')),
	requests: optional(requestList.describe('Calls to make first, as in /batch')),
});

export const sweep = route({
	id: 'forks.sweep',
	tag: 'Forks',
	method: 'POST',
	path: '/sweep',
	cli: ['fork', 'sweep'],
	summary: 'Runs variants of a world in throw-away forks, and returns one row for each',
	description:
		'A variant is a combination of the values of `vary`, one of `variants`, and something left out (`leave_out`). Each is a fork that gets the changes, runs `ticks` or until a condition holds, and is dropped; the world stays as it is. GET /calls shows the progress, and DELETE /calls/{id} ends it.',
	effect: 'read',
	body: z
		.strictObject({
			vary: optional(
				z.array(axis).min(1).max(6).describe('Values to try; several entries are combined as a grid'),
			),
			variants: optional(z.array(variant).min(1).max(1000)),
			requests: optional(requestList.describe('Calls that every variant makes first, after its values')),
			leave_out: optional(
				z
					.strictObject({
						entities: optional(filterDocument.describe('Leaves out each of these entities')),
						calls: optional(
							integer(
								'Leaves out each of the last calls that changed the world: rebuilt from the journal, later calls come at their ticks',
								{ min: 1, max: 1000 },
							),
						),
					})
					.refine(
						({ entities, calls }) => (entities == null) !== (calls == null),
						'send either entities or calls',
					)
					.describe('One variant for each thing left out, after one with all of them'),
			),
			ticks: optional(
				integer('Ticks to run; with `until` at most, 600 unless given', { unit: 'ticks', max: MAX_TICKS }),
			),
			until: optional(untilDocument.describe('Ends a run when it holds')),
			where: optional(
				z.record(column, untilDocument).describe('Conditions at the end of a run, by column name'),
			),
			fields: optional(
				z
					.record(
						column,
						z.strictObject({
							field: text('Field, as /observe names it', 100),
							of: entitySelection.describe('Entities: an id or a filter'),
							take: word(['sum', 'mean', 'min', 'max', 'count'], 'If there are several').default('sum'),
						}),
					)
					.describe('Fields at the end of a run, by column name'),
			),
			seeds: optional(
				integer('Runs each variant with the seeds 1 to N, and returns fractions and means', {
					min: 1,
					max: MAX_SEEDS,
				}),
			),
			find: optional(
				word(
					['smallest', 'largest'],
					'Bisects the range of `vary` (one entry): the smallest or largest value for which the only condition, else `until`, holds',
				),
			),
			share: number('With find and seeds: fraction of the seeds for which it must hold', {
				min: 0,
				max: 1,
			}).default(1),
			max_ticks: integer('Maximum number of ticks of all runs together', {
				min: 1,
				max: MAX_RUN_TICKS,
			}).default(1_000_000),
			limit: integer('Maximum number of rows to return', { max: MAX_VARIANTS }).default(200),
		})
		.refine(({ ticks, until }) => ticks != null || until != null, 'send ticks, until, or both')
		.meta({ anyOf: [isGiven('ticks'), isGiven('until')] })
		.refine(
			({ seeds, until, where, fields }) => seeds == null || until != null || where != null || fields != null,
			'seeds need until, where or fields, since there is no digest of many runs',
		)
		.refine(
			({ find, vary, variants, leave_out }) =>
				find == null || (vary?.length === 1 && variants == null && leave_out == null),
			'find needs exactly one entry in vary, and no variants or leave_out',
		)
		.refine(
			({ find, where, until }) =>
				find == null || Object.keys(where ?? {}).length === 1 || (where == null && until != null),
			'find needs exactly one condition in where, or until without where',
		),
	answer: z.strictObject({
		ok: z.literal(true),
		tick: ticks.describe('Ticks completed'),
		state_digest: digest,
		columns: z
			.array(z.string())
			.describe(
				'Values of the variant; until and ticks of the run; then conditions, fields, and without seeds the digest. With seeds, a condition is a fraction of the runs and N_count their number; a number is N_mean, N_error (standard error of the mean), N_min, N_max',
			),
		rows: tableRows.describe('One per variant'),
		left_out: z.int().optional().describe('Number of further rows'),
		runs: z.int().describe('Forks that were run'),
		ticks_computed: z.int().describe('Ticks of all runs together'),
		complete: z.boolean().describe('false: max_ticks or the time was used up, so rows are missing'),
		found: z
			.strictObject({
				value: z.number().nullable().describe('The value; null: it holds for none that was tried'),
				monotone: z
					.boolean()
					.describe('false: the answer changes more than once along the range; every value was tried'),
				exact: z
					.boolean()
					.describe(
						'true: every value of the range was tried. false: the value and its neighbour were tried, and it is right if `monotone` holds for the values between the others',
					),
				tried: z.int().describe('Values tried'),
				checked: z
					.array(z.number())
					.describe('Values tried besides the bisection, to see if the answer is monotone'),
				changes: z
					.array(
						z.strictObject({
							from: z.number().describe('A value'),
							to: z.number().describe('The next one'),
							holds: z.boolean(),
						}),
					)
					.describe(
						'Neighbouring tried values between which the answer changes, and whether it holds at `to`',
					),
			})
			.optional()
			.describe('Result of `find`'),
		differ: z
			.array(z.string())
			.optional()
			.describe(
				'With leave_out: names of things without which the result of `until` or of a condition differs; if neither was sent, the digest',
			),
		reading: z.record(z.string(), reading).describe('until and each condition as a sentence'),
		warnings,
	}),
	errors: [
		...tickErrors,
		'invalid_assertion',
		'entity_not_found',
		'not_in_batch',
		'unknown_reference',
		'variant_refused',
		'too_many_runs',
		'journal_cut',
		'journal_unreadable',
		'no_moment',
		'past_differs',
	],
	examples: [
		{
			name: 'The smallest damage that wins within ten seconds',
			given: [
				{
					path: '/spawn',
					body: { health: 100, team: 1, combat: true, combat_damage: 5, tags: ['tower'] },
				},
				{
					path: '/spawn',
					body: { health: 90, team: 2, combat: true, combat_damage: 12, position: [1, 0, 0], tags: ['foe'] },
				},
			],
			body: {
				vary: [{ as: 'damage', field: 'combat_damage', of: 'tag:tower', from: 1, to: 100 }],
				until: 'dead & tag:foe',
				ticks: 600,
				find: 'smallest',
			},
		},
		{
			name: 'The chance of three heads, over 50 seeds',
			given: [
				{ path: '/spawn', body: { gold: 0, tags: ['purse'] } },
				{
					path: '/rule/create',
					body: {
						when: { kind: 'tick', every: 1 },
						outcomes: [
							{ label: 'heads', weight: 1, do: ['add_field tag:purse gold 1'] },
							{ label: 'tails', weight: 1 },
						],
					},
				},
			],
			body: {
				ticks: 10,
				seeds: 50,
				where: { three: 'field gold >= 3 tag:purse' },
				fields: { gold: { field: 'gold', of: 'tag:purse' } },
			},
		},
	],
});

export const inevitable = route({
	id: 'forks.inevitable',
	tag: 'Forks',
	method: 'POST',
	path: '/inevitable',
	batch: false,
	cli: ['fork', 'inevitable'],
	summary: 'Finds the tick from which on an outcome could no longer be avoided, and the last way out',
	description:
		'Rebuilds the past from the journal and tries each intervention in throw-away forks, in which later recorded calls come at their ticks: bisection first, then every tick after the way out that it found. An outcome is avoided if it does not hold up to `by_tick`. The world stays as it is. GET /calls shows the progress, and DELETE /calls/{id} ends it.',
	effect: 'read',
	body: z.strictObject({
		outcome: untilDocument.describe('Condition that should have been avoided, such as dead & tag:hero'),
		interventions: z
			.array(
				z.strictObject({
					name: optional(text('Name', 100)),
					requests: requestList.describe('Calls to make at the tick, as in /batch'),
				}),
			)
			.min(1)
			.max(50),
		look_back: optional(
			integer(
				'Ticks to look back from now or by_tick, the earlier one; left out: 600, or more if the outcome already held then',
				{
					unit: 'ticks',
					min: 1,
					max: MAX_TICKS,
				},
			),
		),
		by_tick: optional(
			integer('Tick up to which the outcome must not hold, earlier or later than now; now unless given', {
				unit: 'ticks',
			}),
		),
		max_ticks: integer('Maximum number of ticks of all forks together', {
			min: 1,
			max: MAX_RUN_TICKS,
		}).default(1_000_000),
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		happens: z.boolean().describe('false: without an intervention the outcome does not hold up to by_tick'),
		outcome_tick: z.int().nullable().describe('Tick on which it first holds without an intervention'),
		inevitable_from: z
			.int()
			.nullable()
			.describe(
				'First tick from which on no intervention avoids it; null if it does not happen, or if max_ticks allows no try',
			),
		at_least_since: z
			.boolean()
			.describe('true: it was already inevitable at the earliest tick looked at, maybe before'),
		last_way_out: z
			.strictObject({
				tick: z.int().describe('Tick on which an intervention still avoids it'),
				interventions: z.array(z.string()).describe('Those that avoid it then'),
				requests: z.array(z.unknown()).describe('Calls of the first of them'),
			})
			.nullable(),
		exact: z
			.boolean()
			.describe(
				'true: every tick from inevitable_from on was tried; false: max_ticks or the time was used up before',
			),
		tried: z.strictObject({
			from: z.int().describe('Earliest tick that could be tried'),
			to: z.int().describe('Last tick that could be tried: the one before the outcome'),
			ticks: z.int().describe('Number of ticks tried'),
			checked: z
				.array(z.int())
				.optional()
				.describe('If not exact: the first 100 ticks tried after the last way out'),
			refused: z
				.array(
					z.strictObject({
						intervention: z.string(),
						times: z.int().describe('Number of ticks'),
						message: z.string(),
					}),
				)
				.describe('Interventions that were refused, how often, and the first reason'),
		}),
		limited: z.string().optional().describe('Reason why the look back ends earlier than asked'),
		runs: z.int().describe('Forks that were run'),
		ticks_computed: z.int().describe('Ticks of all forks together'),
		reading,
		warnings,
	}),
	errors: [
		...tickErrors,
		'invalid_assertion',
		'not_in_batch',
		'too_many_runs',
		'journal_cut',
		'journal_unreadable',
		'no_moment',
		'past_differs',
	],
	examples: [
		{
			name: 'Since when the fall could not be avoided',
			given: [
				{ path: '/spawn', body: { health: 100, tags: ['hero'], position: [0, 20, 0] } },
				{
					path: '/rule/create',
					body: { when: 'tick:1', do: ['damage tag:hero 1'] },
				},
				{ path: '/step', body: { ticks: 120 } },
			],
			body: {
				outcome: 'dead & tag:hero',
				interventions: [
					{ name: 'heal', requests: [{ path: '/entity/heal', body: { entity_id: 0, amount: 25 } }] },
				],
			},
		},
	],
});
