/**
 * Culling: the rows of a frame that a camera sees, and the two frames around a moment.
 * Owns: rules of `rows-mesh.ts`, `row-table.ts` and `stretch.ts` that hold without drawing.
 */

import fc from 'fast-check';
import { Frustum, Matrix4, PerspectiveCamera, Plane, Quaternion, Vector3 } from 'three/webgpu';
import { describe, expect, test } from 'vitest';
import type { FrameAnimation } from '../../../web/frames/frames.ts';
import { blendPose } from '../../../web/render/interpolate.ts';
import { Poser, type Rig, type Track } from '../../../web/render/pose.ts';
import { RowTable } from '../../../web/render/row-table.ts';
import { ReachBound } from '../../../web/render/stretch.ts';
import { RowGroup, Views } from '../../../web/render/sync/rows-mesh.ts';
import { check } from '../../support/property.ts';

/** No row is dead. */
const LIVING = { dead: new Uint8Array(0), alive: 1 };

const ROWS = 300;
const noise = (seed: number): number => {
	const value = Math.sin(seed * 12.9898) * 43758.5453;
	return value - Math.floor(value);
};

/** Unit cubes, scaled and turned, in 80 m around the origin. */
function posesOf(seed: number): Float32Array {
	const poses = new Float32Array(ROWS * 10);
	for (let row = 0; row < ROWS; row++) {
		const at = (part: number): number => noise(seed + row * 17 + part);
		const turn = new Quaternion(at(4) - 0.5, at(5) - 0.5, at(6) - 0.5, at(7) - 0.5).normalize();
		const position = [0, 1, 2].map((axis) => (at(axis) - 0.5) * 80);
		const scale = [8, 9, 10].map((part) => at(part) * 4 - 0.5);
		poses.set([...position, ...turn.toArray(), ...scale], row * 10);
	}
	return poses;
}

function frustumOf(seed: number): Frustum {
	const lens = new PerspectiveCamera(30 + noise(seed) * 60, 1.5, 0.1, 20 + noise(seed + 1) * 60);
	lens.position.set(noise(seed + 2) * 40 - 20, noise(seed + 3) * 20, noise(seed + 4) * 40 - 20);
	lens.lookAt(noise(seed + 5) * 40 - 20, 0, noise(seed + 6) * 40 - 20);
	lens.updateMatrixWorld();
	return new Frustum().setFromProjectionMatrix(
		new Matrix4().multiplyMatrices(lens.projectionMatrix, lens.matrixWorldInverse),
	);
}

const all = Uint32Array.from({ length: ROWS }, (_, row) => row);

function seenOf(group: RowGroup, frustum: Frustum): number[] {
	const { rows, count } = group.visibleRows(frustum);
	return [...rows.array.slice(0, count)];
}

describe('what a frustum sees', () => {
	test('includes all rows with a corner in it between two frames, and few others, in order', async () => {
		await check(20, [fc.integer({ min: 0, max: 9999 }), fc.boolean()], (seed, moves) => {
			const table = new RowTable();
			const views = new Views();
			const group = new RowGroup(views, table);
			const was = posesOf(seed);
			const now = was.map((value, at) => (moves && at % 10 < 3 ? value + noise(at + seed) * 3 : value));
			table.setCount(ROWS, false);
			table.setPoses(null, was, 1, LIVING);
			table.setPoses({ poses: was, rows: null }, now, 0.5, LIVING);
			table.setReach(all, [0.5, 0.5, 0.5]);
			table.requestBounds(0, true);
			group.rows = all;
			views.beginPicture();
			const frustum = frustumOf(seed);
			const seen = seenOf(group, frustum);
			expect(seen).toEqual([...seen].sort((a, b) => a - b));
			const shown = new Set(seen);
			const pose = new Float32Array(10);
			for (const alpha of [0, 0.4, 1])
				for (let row = 0; row < ROWS; row++) {
					blendPose(
						pose,
						was.subarray(row * 10, row * 10 + 10),
						now.subarray(row * 10, row * 10 + 10),
						alpha,
					);
					const matrix = new Matrix4().compose(
						new Vector3().fromArray(pose),
						new Quaternion().fromArray(pose, 3),
						new Vector3().fromArray(pose, 7),
					);
					for (let corner = 0; corner < 8; corner++) {
						const [x, y, z] = [0, 1, 2].map((axis) => ((corner >> axis) & 1) - 0.5) as [
							number,
							number,
							number,
						];
						if (frustum.containsPoint(new Vector3(x, y, z).applyMatrix4(matrix)))
							expect(shown).toContain(row);
					}
				}
			// None is farther outside than it can reach.
			for (const row of shown) {
				const middle = new Vector3().fromArray(table.spheres, row * 4);
				for (const plane of frustum.planes) expect(plane.distanceToPoint(middle)).toBeGreaterThanOrEqual(-7);
			}
			expect(shown.size).toBeLessThan(ROWS);
		});
	});

	test('each frustum of a picture has its own list, and the next picture has the same lists', () => {
		const table = new RowTable();
		const views = new Views();
		const group = new RowGroup(views, table);
		table.setCount(ROWS, false);
		table.setPoses(null, posesOf(1), 1, LIVING);
		table.setReach(all, 1);
		table.requestBounds(0, false);
		group.rows = all;
		views.beginPicture();
		const [first, second] = [frustumOf(1), frustumOf(2)];
		const rowList = group.visibleRows(first);
		const rows = seenOf(group, first);
		expect(group.visibleRows(second).rows).not.toBe(rowList.rows);
		expect(seenOf(group, first)).toEqual(rows);
		views.beginPicture();
		const { version } = rowList.rows;
		expect(group.visibleRows(first).rows).toBe(rowList.rows);
		// Nothing is sent to the device where nothing is other.
		expect(rowList.rows.version).toBe(version);
		group.rows = all.slice(0, 5);
		views.beginPicture();
		expect(seenOf(group, first)).toEqual(rows.filter((row) => row < 5));
	});

	test('if nearly all rows are visible, all are drawn, and none is tested for some pictures', () => {
		const table = new RowTable();
		const views = new Views();
		const group = new RowGroup(views, table);
		table.setCount(ROWS, false);
		const poses = posesOf(1);
		table.setPoses(null, poses, 1, LIVING);
		table.setReach(all, 1);
		table.requestBounds(0, false);
		group.rows = all;
		const planes = Array.from({ length: 6 }, () => new Plane(new Vector3(1, 0, 0), 38));
		const [near, left] = [new Frustum(...planes), frustumOf(2)];
		views.beginPicture();
		expect(seenOf(group, near)).toEqual([...all]);
		const few = seenOf(group, left);
		expect(few.length).toBeLessThan(ROWS / 2);
		const { rows } = group.visibleRows(near);
		const { version } = rows;
		for (let picture = 0; picture < 40; picture++) {
			views.beginPicture();
			expect(group.visibleRows(near)).toMatchObject({ rows, count: ROWS });
			expect(seenOf(group, left)).toEqual(few);
		}
		// Nothing was sent to the device again.
		expect(rows.version).toBe(version);
		// Others are tested at once.
		group.rows = all.slice(0, 40);
		views.beginPicture();
		expect(group.visibleRows(near).count).toBeLessThanOrEqual(40);
	});

	test('on a GPU a group of few triangles is drawn whole if half of it is visible, one of many triangles is not', () => {
		const planes = Array.from({ length: 6 }, () => new Plane(new Vector3(1, 0, 0), 0));
		const drawn = (isSoftware: boolean, triangles: number, distance: number): number => {
			const table = new RowTable();
			const views = new Views(isSoftware);
			const group = new RowGroup(views, table, null, { triangles, errors: [] });
			table.setCount(10, false);
			const poses = Float32Array.from(
				{ length: 100 },
				(_, at) => [at / 10 - distance, 0, 0, 0, 0, 0, 1, 1, 1, 1][at % 10]!,
			);
			table.setPoses(null, poses, 1, LIVING);
			const ten = all.slice(0, 10);
			table.setReach(ten, 0.1);
			table.requestBounds(0, false);
			group.rows = ten;
			views.beginPicture();
			return group.visibleRows(new Frustum(...planes)).count;
		};
		expect([drawn(false, 12, 4.5), drawn(false, 2000, 4.5), drawn(true, 12, 4.5)]).toEqual([10, 5, 5]);
		expect([drawn(false, 12, 8.5), drawn(false, 150, 1.5), drawn(false, 150, 4.5)]).toEqual([1, 10, 5]);
	});

	test('a row without a position or bounds is drawn', () => {
		const table = new RowTable();
		const views = new Views();
		const group = new RowGroup(views, table);
		table.setCount(2, false);
		table.setPoses(null, new Float32Array(20).fill(Number.NaN, 0, 10), 1, LIVING);
		table.setReach(new Uint32Array([0, 1]), Infinity);
		table.requestBounds(0, false);
		group.rows = new Uint32Array([0, 1]);
		views.beginPicture();
		const nowhere = new Frustum(...Array.from({ length: 6 }, () => new Plane(new Vector3(1, 0, 0), -1e6)));
		expect(seenOf(group, nowhere)).toEqual([0, 1]);
	});
});

describe('the two frames around a moment', () => {
	const poseOf = (x: number): number[] => [x, 0, 0, 0, 0, 0, 1, 1, 1, 1];
	const placeOf = (table: RowTable, row: number): number => table.poseOf(row, new Float32Array(10))[0]!;
	const alive = { dead: new Uint8Array(0), alive: 0.5 };

	test('a tick writes one frame, and the one before already exists', () => {
		const table = new RowTable();
		table.setCount(2, false);
		const frames = [0, 2, 6].map((x) => new Float32Array([...poseOf(x), ...poseOf(-x)]));
		table.setPoses(null, frames[0]!, 1, alive);
		table.setPoses({ poses: frames[0]!, rows: null }, frames[1]!, 0.5, alive);
		expect([placeOf(table, 0), placeOf(table, 1)]).toEqual([1, -1]);
		const { first, second } = table.textures;
		const versions = (): number[] => [first.version, second.version];
		const before = versions();
		expect(table.setPoses({ poses: frames[0]!, rows: null }, frames[1]!, 0.75, alive)).toBe(false);
		expect(placeOf(table, 0)).toBe(1.5);
		expect(versions()).toEqual(before);
		table.setPoses({ poses: frames[1]!, rows: null }, frames[2]!, 0.25, alive);
		expect(placeOf(table, 0)).toBe(3);
		// The draws use the same textures again, of which one was written.
		expect(table.textures).toMatchObject({ first, second });
		expect(versions().filter((version, at) => version !== before[at])).toHaveLength(1);
		expect([0.25, 0.75]).toContain(table.share);
	});

	test('poses at any place of a buffer are copied exactly', () => {
		const poses = posesOf(3);
		const moved = new Float32Array(poses.length + 1).subarray(1);
		moved.set(poses);
		for (const source of [poses, moved]) {
			const table = new RowTable();
			table.setCount(ROWS, false);
			table.setPoses(null, source, 1, alive);
			for (const row of [0, 1, ROWS - 1]) {
				expect(table.poseOf(row, new Float32Array(10))).toEqual(poses.slice(row * 10, row * 10 + 10));
				expect(table.stateOf(row)).toBe(0.5);
			}
		}
	});

	test('rows come from their old rows, new ones start in place, and a thousand more find room', () => {
		const table = new RowTable();
		table.setCount(2, false);
		const before = new Float32Array([...poseOf(1), ...poseOf(5)]);
		table.setPoses(null, before, 1, alive);
		table.setState(1, 0.9);
		const count = 1002;
		const next = new Float32Array(count * 10);
		next.set([...poseOf(9), ...poseOf(7), ...poseOf(3)]);
		table.setCount(count, false);
		const rows = new Int32Array(count).fill(-1);
		rows[1] = 1;
		table.setPoses({ poses: before, rows }, next, 0.5, alive);
		expect([0, 1, 2].map((row) => placeOf(table, row))).toEqual([9, 6, 3]);
		const { first, second } = table.textures;
		const was = (table.share === 0.5 && table.stateOf(1) === 0.5 ? [first, second] : []).map(
			({ image }) => (image.data as Float32Array)[12 + 10],
		);
		expect(was).toContain(Math.fround(0.9));
	});
});

test('no bone of a rig takes a vertex farther than its stretch', async () => {
	const rest = (x: number, scale = 1): Float32Array =>
		new Float32Array([x, 0, 0, 0, 0, 0, 1, scale, scale, scale]);
	const identity = new Matrix4().toArray();
	const rig: Rig = {
		nodes: [
			{ name: 'hip', fileIndex: 0, parent: -1, rest: rest(0.5) },
			{ name: 'arm', fileIndex: 1, parent: 0, rest: rest(1, 0.5) },
			{ name: 'hand', fileIndex: 2, parent: 1, rest: rest(2) },
		],
		bones: [0, 1, 2].map((node) => ({ node, inverse: identity, radius: 0.3 })),
		morphs: [],
		joints: [0, 1, 2],
	};
	const poser = new Poser(rig);
	const tip = new Vector3(0.3, 0, 0);
	await check(
		50,
		[fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 24, maxLength: 24 })],
		(n) => {
			const stretch = new ReachBound(rig);
			const tracks = rig.nodes.flatMap(({ name }, node): Track[] => {
				const turn = new Quaternion(...(n.slice(node * 4, node * 4 + 4) as [number, number, number, number]));
				const position = n.slice(12 + node * 3, 15 + node * 3).map((part) => part * 4);
				const far = Math.hypot(...position);
				return [
					{ node: name, path: 'turn', valuesAt: () => turn.normalize().toArray(), maxLength: 1 },
					{ node: name, path: 'place', valuesAt: () => position, maxLength: far },
				];
			});
			stretch.addClip(tracks);
			const clip = { hash: '', place: 0, elapsed: 0, speed: 1, length: 0, looping: false, fade: 1 };
			const animation = {
				id: 0,
				playing: true,
				clip,
				fading: null,
				montage: null,
			} as unknown as FrameAnimation;
			const out = new Float32Array(36);
			poser.write(out, 0, animation, 0, () => tracks);
			for (let bone = 0; bone < 3; bone++) {
				const rows = [0, 1, 2].map((row) => out.subarray(bone * 12 + row * 4, bone * 12 + row * 4 + 4));
				const at = rows.map((row) => row[0]! * tip.x + row[1]! * tip.y + row[2]! * tip.z + row[3]!);
				expect(Math.hypot(...at)).toBeLessThanOrEqual(stretch.reach * 1.0001);
			}
			expect(new ReachBound(rig).reach).toBeCloseTo(0.5 + 1 + 2 * 0.5 + 0.3 * 0.5, 5);
		},
	);
});
