/**
 * Assertions as data: conditions that a world should satisfy.
 * Owns: the forms of assertions and of their conditions, such as a short word with fields.
 */

import * as z from 'zod';
import { CHECK_TIMES, SEVERITIES } from '../components/assertion.ts';
import { optional, text, word } from '../contract/values.ts';
import { CONDITIONS, type Condition, conditionDocument, filterDocument } from '../verbs/conditions/index.ts';

export const severity = word(SEVERITIES, 'Severity of a failure').default('error');

/** Schema of the field `held`: the time at which an assertion must hold. */
export const checkTime = word(
	CHECK_TIMES,
	'end: checked when evaluated; throughout: also before and after every tick of a probe',
).default('end');

/** Schema of the flag of a verdict that had no entity to check. */
export const vacuous = z
	.boolean()
	.describe('true: there was no entity to check. The assertion neither holds nor fails, and does not pass');

/** Schema of the meaning of a condition as a sentence, for answers. */
export const reading = z
	.string()
	.describe('The condition as a sentence, with the entities it is about and how many of them must meet it');

const LANGUAGE = { condition: conditionDocument, filter: filterDocument };

/** Fields and words of the kinds of conditions that have a short word. */
const shortKinds = CONDITIONS.flatMap((kind) =>
	kind.blank === undefined ? [] : [{ fields: kind.fields(LANGUAGE), words: kind.blank.words }],
);

const withoutDefault = (schema: z.ZodType): z.ZodType =>
	schema instanceof z.ZodDefault ? (schema.unwrap() as z.ZodType) : schema;

/** The fields of all short words. */
export const shorthandFields: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
	shortKinds.flatMap(({ fields }) =>
		Object.entries(fields).map(([name, schema]) => {
			const kindWords = shortKinds.filter((other) => name in other.fields).map(({ words }) => words[0]);
			const bareField = withoutDefault(schema);
			const description = `For ${kindWords.join(', ')}: ${bareField.description ?? name}`;
			return [name, optional(bareField).describe(description)];
		}),
	),
);

const words = `One of ${shortKinds.map((kind) => kind.words[0]).join(', ')}, or their long forms such as entity-count`;
const shortWord = text(words, 40);

const wholeText = text(
	'A short text, such as "count team:2 max=0", "field health < 50 team:1" or "dead & tag:boss"',
	2000,
)
	.min(1)
	.meta({ format: 'condition' });

/** Schema of a condition in a call: in typed form, a short word with fields beside it, or one text. */
export const sentCondition = z.union([
	conditionDocument,
	wholeText.describe(`${words}; or one text, such as "count team:2 max=0" or "dead & tag:boss"`),
]);

/**
 * Schema of a condition that a call can wait for: in typed form, a short word with its fields, or a text such as
 * `field health < 50 team:2`.
 */
export const untilDocument = z
	.union([conditionDocument, z.strictObject({ condition: shortWord, ...shorthandFields }), wholeText])
	.describe(
		'Any condition. Without a quantifier, a condition with a subject holds if any entity meets it, and field_check if all entities of its group do and the group is not empty. A leading "any", "all" or "none" sets the quantifier, such as all tag:creep & field:position.y<1.5',
	)
	.meta({ id: 'Until' });

/** Schema of an assertion in a document. */
export const assertionDocument = z
	.strictObject({
		name: text('Name of the assertion', 200),
		condition: z.union([conditionDocument, wholeText]),
		severity,
		held: checkTime,
	})
	.describe('An assertion')
	.meta({ id: 'Assertion' });

export type SentAssertion = z.output<typeof assertionDocument>;

/** A stored assertion, with its condition in typed form. */
export interface AssertionDocument extends SentAssertion {
	readonly condition: Condition;
}
