/**
 * Degrees and quaternions.
 * Owns: the cases of rotation.ts.
 */

import { expect, it } from 'vitest';
import type { Quaternion, Vector } from '../../../../web/ui/entities/entity.ts';
import { fromDegrees, toDegrees } from '../../../../web/ui/make/rotation.ts';

const isSame = (a: Quaternion, b: Quaternion) =>
	Math.abs(a.reduce((sum, part, i) => sum + part * b[i]!, 0)) > 1 - 1e-9;

it('converts turns about one axis', () => {
	const half = Math.SQRT1_2;
	expect(isSame(fromDegrees([90, 0, 0]), [half, 0, 0, half])).toBe(true);
	expect(isSame(fromDegrees([0, 90, 0]), [0, half, 0, half])).toBe(true);
	expect(isSame(fromDegrees([0, 0, 90]), [0, 0, half, half])).toBe(true);
	expect(toDegrees([0, 0, 0, 1])).toEqual([0, 0, 0]);
});

it('restores every rotation after a conversion to degrees', () => {
	for (let x = -180; x <= 180; x += 30)
		for (let y = -90; y <= 90; y += 30)
			for (let z = -180; z <= 180; z += 30) {
				const turned = fromDegrees([x, y, z] as Vector);
				const again = fromDegrees(toDegrees(turned));
				expect(isSame(turned, again), `${x} ${y} ${z}`).toBe(true);
			}
});
