/**
 * Ids that the parts of a document give to its entities: in rules, assertions, view filters, abilities and spawn documents.
 * Where such ids stand is marked in the schemas.
 */

import type * as z from 'zod';
import { entityMark, withIdsInText } from '../../../shared/contract/entity-mark.ts';
import { replaceMarked } from '../../../shared/contract/marks.ts';

/** Returns a value that fits a schema, with the id of every entity in it replaced by what `idOf` says. Handles stay. */
export function withOwnIds<T>(schema: z.ZodType, value: T, idOf: (id: number) => number): T {
	return replaceMarked(schema, value, (marks, part) => {
		const mark = entityMark(marks);
		if (mark === undefined) return undefined;
		if (mark === 'handle') return part;
		if (mark === 'id') return typeof part === 'number' ? idOf(part) : undefined;
		return typeof part === 'string' ? withIdsInText(mark, part, idOf) : undefined;
	}) as T;
}
