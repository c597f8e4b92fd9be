/** The schema of an entity handle as answers show it. */

import * as z from 'zod';
import { namesBy } from './entity-mark.ts';
import { entityId, generation } from './values.ts';

export const handle = z.strictObject({ id: entityId, generation }).meta(namesBy('handle'));
