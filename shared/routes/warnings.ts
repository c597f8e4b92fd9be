/** The field `warnings` of answers. */

import * as z from 'zod';
import { text } from '../contract/values.ts';

export const warnings = z
	.array(text('A field that was ignored or replaced', 500))
	.optional()
	.describe('Accepted fields that have no effect or were replaced');
