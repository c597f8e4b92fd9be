/** The field `warnings` of answers. */

import * as z from 'zod';
import { text } from '../contract/values.ts';

export const warnings = z
	.array(text('What was left out or replaced', 500))
	.optional()
	.describe('Things that were accepted but do nothing, or were replaced');
