/** Description of a lost world in answers. */

import * as z from 'zod';
import { text } from '../contract/values.ts';

export const lastWorld = z.strictObject({
	world: text('Its identity in X-Orrery-World'),
	ended_at: text('Time it ended (ISO 8601)'),
	why: text('Reason it ended', 500),
});
