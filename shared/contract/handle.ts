/** The schema of an entity handle as answers show it. */

import * as z from 'zod';
import { entityId, generation } from './values.ts';

export const handle = z.strictObject({ id: entityId, generation });
