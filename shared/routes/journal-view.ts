/** Fields of answers about the journal: whether applied calls are stored. */

import * as z from 'zod';
import { text } from '../contract/values.ts';

export const journalState = {
	stored: z
		.boolean()
		.describe('true: the journal outlives the server and the browser; false: it is in memory'),
	works: z
		.boolean()
		.describe('true: applied calls are stored. A journal that fails makes the engine refuse every change'),
	message: text('Reason of its failure', 2000).nullable(),
};
