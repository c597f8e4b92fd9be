/**
 * The camera of the live picture: its owner, and how hands move it.
 * Owns: rules of `Orbit`.
 */

import { expect, test } from 'vitest';
import type { FrameCamera } from '../../../web/frames/frames.ts';
import { Orbit } from '../../../web/render/orbit.ts';

function camera(
	revision: number,
	eye: [number, number, number] = [0, 3, 4],
	more: Partial<FrameCamera> = {},
): FrameCamera {
	return {
		eye,
		target: [0, 0, 0],
		up: [0, 1, 0],
		fov_y: Math.PI / 4,
		orthographic: false,
		ortho_size: 10,
		near: 0.1,
		far: 1000,
		shaken: [0, 0],
		moving: false,
		revision,
		...more,
	};
}

function distance(orbit: Orbit): number {
	const { eye, target } = orbit.camera;
	return Math.hypot(eye[0] - target[0], eye[1] - target[1], eye[2] - target[2]);
}

test('a call moves the camera, and only a new call takes it back from the person', () => {
	const orbit = new Orbit();
	expect(orbit.follow('main', camera(1))).toBe(true);
	orbit.move({ kind: 'turn', dx: 100, dy: 0 }, 400);
	const turned = orbit.camera.eye;
	expect(orbit.follow('main', camera(1))).toBe(false);
	expect(orbit.camera.eye).toBe(turned);
	expect(orbit.follow('main', camera(2, [1, 1, 1]))).toBe(true);
	expect(orbit.camera.eye).toEqual([1, 1, 1]);
});

test('looking at a fork keeps the camera until a call sets that of the fork', () => {
	const orbit = new Orbit();
	orbit.follow('main', camera(3));
	expect(orbit.follow('fork-1', camera(3, [9, 9, 9]))).toBe(false);
	expect(orbit.camera.eye).toEqual([0, 3, 4]);
	expect(orbit.follow('fork-1', camera(4, [9, 9, 9]))).toBe(true);
});

test('turning keeps the distance and never goes over a pole', () => {
	const orbit = new Orbit();
	orbit.follow('main', camera(1));
	orbit.move({ kind: 'turn', dx: 137, dy: 61 }, 400);
	expect(distance(orbit)).toBeCloseTo(5);
	orbit.move({ kind: 'turn', dx: 0, dy: 100_000 }, 400);
	expect(orbit.camera.eye[1]).toBeLessThan(5);
	expect(orbit.camera.eye[1]).toBeGreaterThan(4.99);
	orbit.move({ kind: 'turn', dx: 0, dy: -100_000 }, 400);
	expect(orbit.camera.eye[1]).toBeLessThan(-4.99);
});

test('from straight above, a small turn continues from the same picture', () => {
	const orbit = new Orbit();
	orbit.follow('main', camera(1, [0, 5, 0], { up: [0, 0, -1] }));
	orbit.move({ kind: 'turn', dx: 0, dy: -10 }, 400);
	const { eye } = orbit.camera;
	expect(Math.abs(eye[0])).toBeLessThan(1e-6);
	// The top of the picture was towards -z, so the eye comes down on the +z side.
	expect(eye[2]).toBeGreaterThan(0);
});

test('a pan by the whole height moves by the visible height, along the picture', () => {
	const orbit = new Orbit();
	orbit.follow('main', camera(1, [0, 0, 5]));
	orbit.move({ kind: 'pan', dx: 0, dy: 400 }, 400);
	const seen = 2 * 5 * Math.tan(Math.PI / 8);
	expect(orbit.camera.target[1]).toBeCloseTo(seen);
	expect(orbit.camera.eye[2]).toBeCloseTo(5);
});

test('zooming is bounded and also works without perspective', () => {
	const orbit = new Orbit();
	orbit.follow('main', camera(1, [0, 3, 4], { orthographic: true, ortho_size: 10 }));
	orbit.move({ kind: 'zoom', factor: 0.5 }, 400);
	expect(distance(orbit)).toBeCloseTo(2.5);
	expect(orbit.camera.ortho_size).toBe(5);
	for (let times = 0; times < 50; times++) orbit.move({ kind: 'zoom', factor: 4 }, 400);
	expect(distance(orbit)).toBeCloseTo(900);
});

test('focus looks at the thing from the same side', () => {
	const orbit = new Orbit();
	orbit.follow('main', camera(1));
	orbit.focus([10, 2, -3], 1);
	const { eye, target } = orbit.camera;
	expect(target).toEqual([10, 2, -3]);
	expect((eye[1] - target[1]) / (eye[2] - target[2])).toBeCloseTo(3 / 4);
});

test('a moving camera is followed between frames too, until a person takes it', () => {
	const orbit = new Orbit();
	orbit.follow('main', camera(1, [0, 3, 4], { moving: true }));
	expect(orbit.follow('main', camera(1, [2, 3, 4], { moving: true }))).toBe(true);
	expect(orbit.interpolate(0.5).eye).toEqual([1, 3, 4]);
	expect(orbit.interpolate(1).eye).toEqual([2, 3, 4]);
	orbit.move({ kind: 'zoom', factor: 0.5 }, 400);
	const eye = orbit.camera.eye;
	expect(orbit.follow('main', camera(1, [9, 3, 4], { moving: true }))).toBe(false);
	expect(orbit.interpolate(0).eye).toEqual(eye);
	expect(orbit.follow('main', camera(2, [9, 3, 4], { moving: true }))).toBe(true);
	expect(orbit.camera.eye).toEqual([9, 3, 4]);
});
