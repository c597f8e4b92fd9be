/** One firing of a rule: for whom, and who caused it. */

import type { Handle } from '../../../../shared/contract/component.ts';

export interface Occurrence {
	readonly subject: Handle | null;
	readonly source: Handle | null;
}
