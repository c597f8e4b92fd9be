/**
 * Fit of a scene's camera to pictures of other shapes.
 * Owns: rules of `cameras.ts`.
 */

import { Vector3 } from 'three/webgpu';
import { expect, test } from 'vitest';
import { Cameras, widenCamera } from '../../../web/render/cameras.ts';
import { Orbit } from '../../../web/render/orbit.ts';

const { camera } = new Orbit();

/** Returns the position of a point in the picture of a camera, from -1 to 1 to the right and up. */
function projected(point: readonly [number, number, number], aspect: number, more = {}): Vector3 {
	const lens = new Cameras().set(widenCamera({ ...camera, ...more }, aspect), aspect);
	return new Vector3(...point).project(lens);
}

test.each([{}, { orthographic: true }])(
	'a narrower picture shows the sides of a 16:9 picture (%o)',
	(more) => {
		const point = [4, 1, -3] as const;
		const wide = projected(point, 16 / 9, more);
		for (const aspect of [1.5, 1.13, 1]) expect(projected(point, aspect, more).x).toBeCloseTo(wide.x, 5);
		expect(Math.abs(projected(point, 1.13, more).y)).toBeLessThan(Math.abs(wide.y));
	},
);

test("a wider picture keeps the camera's height, and an upright one has a limited angle", () => {
	expect(widenCamera(camera, 2.4)).toBe(camera);
	expect(widenCamera(camera, 0.2)).toEqual(widenCamera(camera, 8 / 9));
});
