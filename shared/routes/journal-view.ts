/** Whether what is applied is kept, as answers say it. */

import * as z from 'zod';
import { text } from '../contract/values.ts';

export const journalWorks = {
	active: z.boolean().describe('Whether there is a journal; without one nothing outlives the engine'),
	stored: z
		.boolean()
		.describe('Whether the journal outlives the server and the browser; false while it is in memory'),
	works: z
		.boolean()
		.describe(
			'Whether what is applied is kept. While there is a journal that does not work, nothing that changes something is done',
		),
	message: text('Why the journal does not work', 2000).nullable(),
};
