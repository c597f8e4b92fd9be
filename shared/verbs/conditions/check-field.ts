/** Check of the field `field` of conditions. */

import { withPathPrefix } from '../../contract/errors.ts';
import { columnsReadBy } from '../measure-name.ts';

/** Throws a Refusal if `field` does not name a measure. */
export function checkField({ field }: { readonly field: string }): void {
	withPathPrefix('field', () => columnsReadBy(field));
}
