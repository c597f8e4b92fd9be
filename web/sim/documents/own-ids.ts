/**
 * Ids of entities inside the parts of a document: rules, assertions, view filters, abilities and spawn documents. Marks in
 * the schemas show the positions of these ids.
 */

import type * as z from 'zod';
import { entityMark, withIdsInText } from '../../../shared/contract/entity-mark.ts';
import { replaceMarked } from '../../../shared/contract/marks.ts';

/** Returns a copy of a value in which `idOf` has replaced every entity id. Handles do not change. */
export function withOwnIds<T>(schema: z.ZodType, value: T, idOf: (id: number) => number): T {
	return replaceMarked(schema, value, (marks, part) => {
		const mark = entityMark(marks);
		if (mark === undefined) return undefined;
		if (mark === 'handle') return part;
		if (mark === 'id') return typeof part === 'number' ? idOf(part) : undefined;
		return typeof part === 'string' ? withIdsInText(mark, part, idOf) : undefined;
	}) as T;
}
