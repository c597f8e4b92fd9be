/** Refusing a field that names no number of an entity. */

import { catchRefusal } from '../../contract/errors.ts';
import { measureReads } from '../measure-name.ts';
import type { RefuseField } from './condition.ts';

export function checkField({ field }: { readonly field: string }, refuse: RefuseField): void {
	catchRefusal(
		() => void measureReads(field),
		({ message, fix }) => refuse('field', message, fix),
	);
}
