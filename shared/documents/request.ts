/**
 * A request in a list of calls, such as a batch or an action.
 * Owns: its shape, and the rule that names of answers are unique.
 */

import * as z from 'zod';
import { METHODS } from '../contract/route.ts';
import { optional, text, word } from '../contract/values.ts';

/** Name of an answer or of a parameter, in references such as `$name.field`. */
export const referenceName = (description: string) =>
	text(description, 64).regex(/^[A-Za-z_]\w*$/, 'a name must have only letters, digits and _');

export const requestDocument = z.strictObject({
	method: word(METHODS, 'Method').default('POST'),
	path: text('Path with its query; "$name.field" is replaced by a value of an earlier answer', 4000).regex(
		/^\//,
		'a path must start with /',
	),
	body: z
		.unknown()
		.optional()
		.describe(
			'Body of a POST or PATCH. A string that is exactly "$name.field" is replaced by that value; "${name.field}" inside a string is filled in; an additional "$" in front keeps it as plain text. A list `requests` inside it stays as it is: its references are filled in when it runs',
		),
	as: optional(referenceName('Name for later requests to refer to the answer')),
	answer: optional(
		z
			.array(text('Field of the answer, such as state_digest or entities.0.health', 200))
			.max(50)
			.describe(
				'Only these fields: `body` of the result is the list of their values, null for one that is missing',
			),
	),
});

/** Reports an issue for a second answer with the same name. */
export function refuseTakenNames(
	list: readonly Pick<z.output<typeof requestDocument>, 'as'>[],
	context: z.RefinementCtx,
): void {
	const indexByName = new Map<string, number>();
	for (const [index, { as }] of list.entries()) {
		if (as == null) continue;
		const first = indexByName.get(as);
		if (first === undefined) indexByName.set(as, index);
		else
			context.addIssue({
				code: 'custom',
				message: `the name is taken by requests[${first}]`,
				path: [index, 'as'],
			});
	}
}

/** Result of a request in an answer. */
export const requestAnswer = z.strictObject({
	as: z.string().optional(),
	method: z.string(),
	path: z.string().describe('Path with its references filled in'),
	status: z.int().describe('HTTP status'),
	ok: z.boolean(),
	body: z.unknown().describe('Answer to the request'),
});

/** Result of an accepted request with `answer`. */
export const shortRequestAnswer = z.strictObject({
	as: z.string().optional(),
	ok: z.literal(true),
	body: z.array(z.unknown()).describe('Values of the fields that `answer` names'),
});
