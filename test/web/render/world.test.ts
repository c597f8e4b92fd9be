/**
 * Results of the view for a frame without drawing it: extent, picking.
 * Owns: rules of `extent.ts` and `pick.ts`.
 */

import { Ray, Vector3 } from 'three/webgpu';
import { describe, expect, test } from 'vitest';
import { halfExtents, measureExtent } from '../../../web/render/extent.ts';
import { isBevelled, makeShape, plainShape } from '../../../web/render/geometries.ts';
import { Picker, type PickRows } from '../../../web/render/pick.ts';
import { RowTable } from '../../../web/render/row-table.ts';
import { blocksOf, cameraOf, pile, rowsOf, shapes } from './page/scenes.ts';

/** No row is dead. */
const LIVING = { dead: new Uint8Array(0), alive: 1 };

const s = Math.SQRT1_2;

describe('extent', () => {
	test('a turned box is as wide as its corners reach', () => {
		// A quarter turn about y swaps x and z; an eighth widens both by the square root of two.
		expect(halfExtents(new Float32Array([0, 0, 0, 0, s, 0, s, 4, 2, 8]), 0)[0]).toBeCloseTo(4, 5);
		const eighth = Math.PI / 8;
		const [x, y] = halfExtents(
			new Float32Array([0, 0, 0, 0, Math.sin(eighth), 0, Math.cos(eighth), 2, 2, 2]),
			0,
		);
		expect(x).toBeCloseTo(Math.SQRT2, 5);
		expect(y).toBeCloseTo(1, 5);
	});

	test('the plate is under the lowest floor, else at 0', () => {
		const scene = pile();
		const frame = blocksOf(scene, 0, cameraOf(scene, 1));
		const extent = measureExtent(rowsOf(scene), frame.poses);
		expect(extent.plate).toBeCloseTo(-1.02, 5);
		expect(extent.floor).toEqual([-8, -8, 8, 8, 0]);
		expect(extent.radius).toBeGreaterThan(8 * Math.SQRT2);
		const small = shapes();
		const other = measureExtent(rowsOf(small), blocksOf(small, 0, cameraOf(small, 1)).poses);
		expect(other.plate).toBeCloseTo(-0.02, 5);
		expect(other.floor).toBeNull();
	});

	test('an entity that fell out of the world does not widen the plate', () => {
		const scene = shapes();
		const { poses } = blocksOf(scene, 0, cameraOf(scene, 1));
		const before = measureExtent(rowsOf(scene), poses);
		poses.set([300, -80, 0], 10);
		expect(measureExtent(rowsOf(scene), poses).radius).toBe(before.radius);
	});
});

describe('shapes', () => {
	test('have the sizes that the contract gives them', () => {
		for (const [name, size] of [
			['cube', [1, 1, 1]],
			['sphere', [1, 1, 1]],
			['plane', [1, 0, 1]],
			['cylinder', [1, 1, 1]],
			['cone', [1, 1, 1]],
		] as const) {
			const geometry = plainShape(name, false);
			geometry.computeBoundingBox();
			const box = geometry.boundingBox!.getSize(new Vector3());
			expect([box.x, box.y, box.z].map((edge) => Math.round(edge * 1000) / 1000)).toEqual(size);
		}
	});

	test('the bevelled cube is closed: every edge is shared by two triangles', () => {
		expect(isBevelled('cube', false)).toBe(true);
		const index = makeShape('cube', false).index!.array;
		const edges = new Map<string, number>();
		for (let at = 0; at < index.length; at += 3) {
			for (let side = 0; side < 3; side++) {
				const a = index[at + side]!;
				const b = index[at + ((side + 1) % 3)]!;
				edges.set(`${a} ${b}`, (edges.get(`${a} ${b}`) ?? 0) + 1);
			}
		}
		for (const [edge, count] of edges) {
			const [a, b] = edge.split(' ');
			expect(count).toBe(1);
			expect(edges.get(`${b} ${a}`)).toBe(1);
		}
	});
});

describe('picking', () => {
	const table = new RowTable();
	const poses = new Float32Array(100);
	poses.set([0, 0, 0, 0, 0, 0, 1, 2, 2, 2], 40);
	poses.set([0, 0, -6, 0, s, 0, s, 1, 1, 4], 90);
	table.setCount(10, false);
	table.setPoses(null, poses, 1, LIVING);
	const rowsOfShape = (shape: 'cube' | 'sphere', ...rows: number[]): PickRows => {
		const order = new Uint32Array(rows);
		table.setReach(order, [0.5, 0.5, 0.5]);
		table.requestBounds(0, false);
		const form = { shape, model: null, isFirst: true };
		return {
			batches: new Map([[shape, { form, solid: plainShape(shape, false), rows: order }]]),
			table: table,
		};
	};
	const boxes = rowsOfShape('cube', 4, 9);
	const along = (x: number, y: number, z: number, dx: number, dy: number, dz: number): Ray =>
		new Ray(new Vector3(x, y, z), new Vector3(dx, dy, dz).normalize());

	test('the nearest one along the ray, at its distance in metres', () => {
		const picker = new Picker();
		const hit = picker.firstHit(along(0, 0.2, 10, 0, 0, -1), boxes);
		expect(hit?.row).toBe(4);
		expect(hit?.distance).toBeCloseTo(9, 4);
	});

	test('turned and stretched instances are hit at their surface', () => {
		const picker = new Picker();
		// The second is 4 m long across, after its quarter turn.
		expect(picker.firstHit(along(1.8, 0, 10, 0, 0, -1), boxes)?.row).toBe(9);
		expect(picker.firstHit(along(1.8, 0.6, 10, 0, 0, -1), boxes)).toBeNull();
		expect(picker.firstHit(along(0, 0, 10, 0, 0, 1), boxes)).toBeNull();
	});

	test('a ball is not hit at the corner of its box', () => {
		const picker = new Picker();
		const ball = rowsOfShape('sphere', 4);
		expect(picker.firstHit(along(0.9, 0.9, 10, 0, 0, -1), ball)).toBeNull();
		expect(picker.firstHit(along(0.6, 0.6, 10, 0, 0, -1), ball)?.row).toBe(4);
	});
});
