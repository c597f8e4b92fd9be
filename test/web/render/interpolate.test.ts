/**
 * The maths between two frames.
 * Owns: rules of the playhead, of matching rows and of blending a pose.
 */

import { describe, expect, test } from 'vitest';
import type { FrameRows } from '../../../web/frames/frames.ts';
import { blendPose, matchRows, Playhead } from '../../../web/render/interpolate.ts';

function rows(...entities: [id: number, generation: number][]): FrameRows {
	return {
		ids: new Uint32Array(entities.map(([id]) => id)),
		generations: new Uint32Array(entities.map(([, generation]) => generation)),
		mesh: new Uint16Array(entities.length),
		meshes: ['cube'],
		colors: new Uint8Array(entities.length * 3),
		teams: new Int16Array(entities.length),
		roles: new Uint8Array(entities.length),
	};
}

describe('Playhead', () => {
	test('moves at 60 ticks a second between the two frames and stops at the newest', () => {
		const head = new Playhead();
		head.jumpTo(10);
		expect(head.advance(10, 14, true, 1 / 60)).toBeCloseTo(0.25);
		expect(head.advance(10, 14, true, 2 / 60)).toBeCloseTo(0.75);
		expect(head.advance(10, 14, true, 1)).toBe(1);
		expect(head.tick).toBe(14);
	});

	test('never shows what is older than the frame before', () => {
		const head = new Playhead();
		head.jumpTo(0);
		expect(head.advance(20, 24, true, 0)).toBe(0);
		expect(head.tick).toBe(20);
	});

	test('a paused world, a step back and a jump are shown immediately', () => {
		const head = new Playhead();
		head.jumpTo(10);
		expect(head.advance(10, 14, false, 0)).toBe(1);
		expect(head.advance(14, 3, true, 0)).toBe(1);
		expect(head.tick).toBe(3);
		expect(head.advance(3, 303, true, 0)).toBe(1);
		expect(head.tick).toBe(303);
	});
});

test('rows are matched by id and generation', () => {
	const from = matchRows(rows([1, 1], [4, 1], [9, 2]), rows([0, 1], [1, 1], [4, 2], [9, 2], [12, 1]));
	expect([...from]).toEqual([-1, 0, -1, 2, -1]);
});

describe('a pose between two', () => {
	const half = Math.SQRT1_2;
	const was = new Float32Array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
	const now = new Float32Array([2, 4, 6, 0, half, 0, half, 3, 1, 1]);
	const out = new Float32Array(10);

	test('halfway: positions and scales in the middle, the rotation turned by half and of length 1', () => {
		blendPose(out, was, now, 0.5);
		expect([...out.slice(0, 3)]).toEqual([1, 2, 3]);
		expect([...out.slice(7, 10)]).toEqual([2, 1, 1]);
		expect(out[4]).toBeCloseTo(Math.sin(Math.PI / 8), 5);
		expect(Math.hypot(...out.slice(3, 7))).toBeCloseTo(1, 5);
	});

	test('rotations take the short way, for either sign of the quaternion', () => {
		const flipped = now.map((value, field) => (field > 2 && field < 7 ? -value : value));
		blendPose(out, was, flipped, 0.5);
		expect(Math.abs(out[4]!)).toBeCloseTo(Math.sin(Math.PI / 8), 5);
	});

	test('at 1 the newest pose is exact, bit for bit', () => {
		blendPose(out, was, now, 1);
		expect(out).toEqual(now);
	});
});
