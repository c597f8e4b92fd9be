/** Refusing a field that names no number of an entity. */

import { FieldPathError } from '../field-name.ts';
import { measureReads } from '../measure-name.ts';
import type { RefuseField } from './condition.ts';

export function checkField({ field }: { readonly field: string }, refuse: RefuseField): void {
	try {
		measureReads(field);
	} catch (error) {
		if (error instanceof FieldPathError) refuse('field', error.message, error.fix);
		throw error;
	}
}
