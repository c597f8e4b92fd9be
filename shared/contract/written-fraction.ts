/** A fraction as answers carry it: JSON has no whole numbers of any length. */

import * as z from 'zod';

const whole = z.string().regex(/^\d+$/);

export const writtenFraction = z
	.strictObject({ num: whole, den: whole })
	.describe('Exact fraction in lowest terms');
