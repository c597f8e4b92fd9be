/** Check that a field names a number of an entity. */

import { within } from '../../contract/errors.ts';
import { columnsReadBy } from '../measure-name.ts';

export function checkField({ field }: { readonly field: string }): void {
	within('field', () => columnsReadBy(field));
}
