/**
 * Rules as data: a condition with actions, or with outcomes of which one is chosen at random.
 * Owns: the parts of a rule in requests and in worlds.
 */

import * as z from 'zod';
import { flag, integer, isGiven, optional, text, word } from '../contract/values.ts';
import { isWeighable, NOT_WEIGHABLE, someWeightSchema, weight } from '../contract/weight.ts';
import { ACTION_FORMS, type Action, actionDocument } from '../verbs/actions/index.ts';
import { CONDITION_FORMS } from '../verbs/condition-text.ts';
import { type Condition, conditionDocument, filterDocument } from '../verbs/conditions/index.ts';
import { TARGET_FORMS } from '../verbs/targets/index.ts';

const onFailure = word(
	['continue', 'stop'],
	'Effect of a refused action, such as a purchase without enough gold, on the rest of its list. continue (the default): the rest runs; stop: the rest is skipped',
);

/** JSON Schema that requires either actions, under one of their two names, or outcomes. */
export const eitherActionsOrOutcomes = { allOf: [{ oneOf: ['do', 'actions', 'outcomes'].map(isGiven) }] };

/**
 * Returns the schema of a rule with these forms of conditions and actions. A rule has either `do` (or its other name
 * `actions`) or `outcomes`.
 */
function ruleSchema<C extends z.ZodType, A extends z.ZodType>(condition: C, action: A) {
	const effects = z.array(action).max(200);
	const outcome = z
		.strictObject({
			label: text('Name of the outcome', 100).min(1),
			weight,
			do: effects.default([]).describe('Actions of this outcome'),
			actions: optional(effects.describe('The same as do')),
		})
		.meta({
			not: {
				properties: { do: { type: 'array', minItems: 1 }, actions: { type: 'array' } },
				required: ['do', 'actions'],
			},
		});
	const rule = z.strictObject({
		name: optional(text('Name shown to people', 100)),
		when: condition,
		filter: filterDocument.default('any'),
		do: optional(effects.describe('Actions, run in order')),
		actions: optional(effects.describe('The same as do')),
		outcomes: optional(
			z
				.array(outcome)
				.min(1)
				.max(64)
				.refine(isWeighable, NOT_WEIGHABLE)
				.meta(someWeightSchema)
				.describe('Outcomes, of which one is chosen at random'),
		),
		priority: integer('Rules with higher priority fire first; default 0', {
			min: -1_000_000,
			max: 1_000_000,
		}).default(0),
		on_failure: optional(onFailure),
		once: flag('Fires at most once').default(false),
		enabled: flag('false: it never fires').default(true),
	});
	return rule.meta(eitherActionsOrOutcomes);
}

/** A rule with all parts in typed form. */
export type SentRule = z.output<
	ReturnType<typeof ruleSchema<typeof conditionDocument, typeof actionDocument>>
>;

const textOr = <T extends z.ZodType>(typed: T, id: string, format: string, description: string) =>
	z.union([text(description, 2000).min(1).meta({ id, format }), typed]);

const writtenAction = textOr(
	actionDocument,
	'ActionText',
	'action',
	`Short form, such as "heal this 10": ${ACTION_FORMS.join('; ')}. TARGET: ${TARGET_FORMS}. "-" skips a word`,
);

/** Schema of a rule in a request. Its conditions and actions are short texts or in typed form. */
export const writtenRule = ruleSchema(
	textOr(conditionDocument, 'ConditionText', 'condition', `Short form: ${CONDITION_FORMS.join(', ')}`),
	writtenAction,
);

export type WrittenRule = z.output<typeof writtenRule>;

const changedEffects = optional(
	z.array(writtenAction).max(200).describe('Actions of this outcome; [] for none. Left out: as before'),
);

const outcomeChange = z.strictObject({
	label: text('Name of the outcome', 100).min(1),
	weight: optional(weight.describe('As on creation. Left out: as before')),
	do: changedEffects,
	actions: optional(z.array(writtenAction).max(200).describe('The same as do')),
});

/** An outcome in a change. If its label is known, omitted fields keep their values. */
export type OutcomeChange = z.output<typeof outcomeChange>;

/** Schema of a change of a rule. Fields that are omitted or null keep their values. */
export const ruleChange = z.strictObject({
	...(Object.fromEntries(
		Object.entries(writtenRule.shape).map(([name, field]) => [name, optionalWithoutDefault(field)]),
	) as {
		[K in Exclude<keyof typeof writtenRule.shape, 'outcomes'>]: z.ZodType<WrittenRule[K] | null | undefined>;
	}),
	outcomes: optional(
		z
			.array(outcomeChange)
			.min(1)
			.max(64)
			.describe(
				'All outcomes from now on. One with a known label keeps what is left out of it; one that is not listed is removed',
			),
	),
	forget: flag(
		'Also forgets its firings, and for which entities its condition held, as if it were created now',
	).default(false),
});

/** Returns an optional field without its default, so that an omitted field keeps its value. */
function optionalWithoutDefault(field: z.ZodType): z.ZodType {
	if (!(field instanceof z.ZodDefault)) return field instanceof z.ZodOptional ? field : optional(field);
	const inner = field.unwrap() as z.ZodType;
	const { description } = field;
	return optional(description === undefined ? inner : inner.describe(description));
}

/** Maximum number of actions and outcomes of all rules of a world. Documents of this size are read in seconds. */
export const MAX_RULE_PARTS = 100_000;

const countItems = (list: unknown): number => (Array.isArray(list) ? list.length : 0);

/** Returns the number of actions and outcomes of a rule, at least one. The rule may be in any form and invalid. */
export function countRuleParts(rule: unknown): number {
	if (typeof rule !== 'object' || rule === null) return 1;
	const { do: effects, actions, outcomes } = rule as Readonly<Record<string, unknown>>;
	let parts = 1 + countItems(effects) + countItems(actions);
	for (const outcome of Array.isArray(outcomes) ? outcomes : []) parts += countRuleParts(outcome);
	return parts;
}

/** Schema of the rules in a document. Their parts are counted before the rules are parsed. */
export const writtenRules = z.preprocess((sent, context) => {
	let parts = 0;
	for (const rule of Array.isArray(sent) ? sent : []) parts += countRuleParts(rule);
	if (parts <= MAX_RULE_PARTS) return sent;
	context.addIssue({
		code: 'custom',
		message: `all rules together have at most ${MAX_RULE_PARTS} actions and outcomes`,
	});
	return z.NEVER;
}, z.array(writtenRule).max(MAX_RULE_PARTS)) as unknown as z.ZodArray<typeof writtenRule>;

/** A stored rule. The actions are in `do`. */
export interface RuleDocument {
	readonly name?: string;
	readonly when: Condition;
	readonly filter: Condition | string;
	readonly do?: readonly Action[];
	readonly outcomes?: readonly {
		readonly label: string;
		readonly weight: number | string;
		readonly do: readonly Action[];
	}[];
	readonly priority: number;
	readonly once: boolean;
	/** Missing if the actions after a refused one still run. */
	readonly on_failure?: 'stop';
	/** Missing if the rule is enabled. */
	readonly enabled?: false;
}
