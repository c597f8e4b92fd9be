/**
 * The maths between two frames.
 * Owns: rules of the playhead, of matching rows and of blending poses.
 */

import { describe, expect, test } from 'vitest';
import type { FrameRows } from '../../../web/frames/frames.ts';
import { blendPoses, matchRows, Playhead } from '../../../web/render/interpolate.ts';

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
		head.snap(10);
		expect(head.advance(10, 14, true, 1 / 60)).toBeCloseTo(0.25);
		expect(head.advance(10, 14, true, 2 / 60)).toBeCloseTo(0.75);
		expect(head.advance(10, 14, true, 1)).toBe(1);
		expect(head.shown).toBe(14);
	});

	test('never shows what is older than the frame before', () => {
		const head = new Playhead();
		head.snap(0);
		expect(head.advance(20, 24, true, 0)).toBe(0);
		expect(head.shown).toBe(20);
	});

	test('a paused world, a step back and a jump are shown at once', () => {
		const head = new Playhead();
		head.snap(10);
		expect(head.advance(10, 14, false, 0)).toBe(1);
		expect(head.advance(14, 3, true, 0)).toBe(1);
		expect(head.shown).toBe(3);
		expect(head.advance(3, 303, true, 0)).toBe(1);
		expect(head.shown).toBe(303);
	});
});

test('rows are matched by id and generation', () => {
	const from = matchRows(rows([1, 1], [4, 1], [9, 2]), rows([0, 1], [1, 1], [4, 2], [9, 2], [12, 1]));
	expect([...from]).toEqual([-1, 0, -1, 2, -1]);
});

describe('blendPoses', () => {
	const half = Math.SQRT1_2;
	const before = new Float32Array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 5, 5, 5, 0, 0, 0, 1, 2, 2, 2]);
	const next = new Float32Array([2, 4, 6, 0, half, 0, half, 3, 1, 1, 9, 9, 9, 0, 0, 0, 1, 2, 2, 2]);
	const both = new Uint32Array([0, 1]);

	test('halfway: positions and scales in the middle, the rotation turned by half and of length 1', () => {
		const out = new Float32Array(20);
		blendPoses(out, both, 2, { poses: before, rows: null }, next, 0.5);
		expect([...out.slice(0, 3)]).toEqual([1, 2, 3]);
		expect([...out.slice(7, 10)]).toEqual([2, 1, 1]);
		expect(out[4]).toBeCloseTo(Math.sin(Math.PI / 8), 5);
		expect(Math.hypot(...out.slice(3, 7))).toBeCloseTo(1, 5);
		expect([...out.slice(10, 13)]).toEqual([7, 7, 7]);
	});

	test('rotations go the short way, whatever the sign of the quaternion', () => {
		const flipped = next.slice();
		for (let field = 3; field < 7; field++) flipped[field] = -flipped[field]!;
		const out = new Float32Array(20);
		blendPoses(out, both, 2, { poses: before, rows: null }, flipped, 0.5);
		expect(Math.abs(out[4]!)).toBeCloseTo(Math.sin(Math.PI / 8), 5);
	});

	test('new entities stand where they are, and an order picks rows out', () => {
		const out = new Float32Array(20);
		blendPoses(out, new Uint32Array([1, 0]), 2, { poses: before, rows: new Int32Array([-1, 1]) }, next, 0.5);
		expect([...out.slice(0, 3)]).toEqual([7, 7, 7]);
		expect([...out.slice(10, 13)]).toEqual([2, 4, 6]);
	});

	test('at 1 the newest poses come through bit for bit', () => {
		const out = new Float32Array(20);
		blendPoses(out, both, 2, { poses: before, rows: null }, next, 1);
		expect(out).toEqual(next);
		blendPoses(out, new Uint32Array([1, 0]), 2, null, next, 0);
		expect(out.slice(0, 10)).toEqual(next.slice(10));
	});
});
