/**
 * Size of health bars in pictures of every size.
 * Owns: rules of `health-bars.ts` that hold without drawing.
 */

import { expect, test } from 'vitest';
import { barScreen } from '../../../web/render/sync/health-bars.ts';

test('bars keep their size in large pictures, and are half as large at most in small ones', () => {
	expect(barScreen(1280, 720)).toEqual([1280, 720]);
	expect(barScreen(640, 400)).toEqual([640, 400]);
	expect(barScreen(480, 400)).toEqual([640, 400 / 0.75]);
	expect(barScreen(360, 200)).toEqual([720, 400]);
	expect(barScreen(36, 20)).toEqual([72, 40]);
});
