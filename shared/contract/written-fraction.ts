/** Fraction in answers. Its parts are texts of digits, because JSON readers lose precision in large numbers. */

import * as z from 'zod';

const whole = z.string().regex(/^\d+$/);

export const writtenFraction = z
	.strictObject({ num: whole, den: whole })
	.describe('Exact fraction in lowest terms');
