/** Levels of detail: which one an instance has, and the triangles of each level of a model. */

import fc from 'fast-check';
import { BoxGeometry, BufferAttribute, Frustum, IcosahedronGeometry, Plane, Vector3 } from 'three/webgpu';
import { describe, expect, test } from 'vitest';
import { Cameras } from '../../../web/render/cameras.ts';
import { distancesOf, type Eye, eyeOf, levelAt } from '../../../web/render/detail-level.ts';
import { levelsOf } from '../../../web/render/model-levels.ts';
import { RowTable } from '../../../web/render/row-table.ts';
import { RowGroup, Views } from '../../../web/render/sync/rows-mesh.ts';
import { check } from '../../support/property.ts';
import { cameraOf, shapes } from './page/scenes.ts';

/** No row is dead. */
const LIVING = { dead: new Uint8Array(0), alive: 1 };

const HEIGHT = 360;
const ERRORS = [0.03, 0.06, 0.12];

const eyeAt = (eye: readonly [number, number, number], tolerated: number, orthographic = false): Eye => {
	const camera = { ...cameraOf(shapes(), 1), eye, target: [0, 0, 0] as const, orthographic };
	return eyeOf(new Cameras().set(camera, 16 / 9), HEIGHT, tolerated);
};

describe('the level of an instance', () => {
	const share = fc.double({ min: 0.01, max: 4, noNaN: true });
	const metres = fc.double({ min: 0, max: 1000, noNaN: true });

	test('gets no finer with distance, no coarser with size or for a stricter picture, and shows no larger error', async () => {
		await check(200, [share, share, metres, metres], (tolerated, size, one, other) => {
			const eye = eyeAt([0, 0, 10], tolerated);
			const at = (distance: number, scale = size, of = eye, isAside = false): number => {
				const distances = new Float64Array(ERRORS.length);
				distancesOf(ERRORS, of, isAside, distances);
				return levelAt(distances, distance, scale);
			};
			const [near, far] = [Math.min(one, other), Math.max(one, other)];
			expect(at(near)).toBeLessThanOrEqual(at(far));
			expect(at(near, size * 2)).toBeLessThanOrEqual(at(near));
			expect(at(near, size, eyeAt([0, 0, 10], tolerated / 2))).toBeLessThanOrEqual(at(near));
			expect(at(near, size, eye, true)).toBeGreaterThanOrEqual(at(near));
			expect(at(near, size, eyeAt([0, 0, 10], 0))).toBe(0);
			const level = at(far);
			if (level === 0) return;
			const perMetre = HEIGHT / (2 * Math.tan(Math.PI / 8)) / far;
			expect(ERRORS[level - 1]! * size * perMetre).toBeLessThanOrEqual(tolerated * 1.000001);
		});
	});

	test('without perspective depends on size alone', () => {
		const eye = eyeAt([0, 0, 500], 1, true);
		// 20 m high: 18 pixels a metre.
		expect(eye).toMatchObject({ isParallel: true, errorsPerMetre: 18 });
	});
});

describe('a crowd', () => {
	const SIDE = 40;
	const order = Uint32Array.from({ length: SIDE * SIDE }, (_, row) => row);
	const everywhere = (side: number) =>
		new Frustum(...Array.from({ length: 6 }, () => new Plane(new Vector3(0, 1, 0), side)));
	const table = new RowTable();
	table.setCount(order.length, false);
	const poses = new Float32Array(order.length * 10);
	for (const row of order)
		poses.set([(row % SIDE) * 4, 0, Math.floor(row / SIDE) * 4, 0, 0, 0, 1, 1, 1, 1], row * 10);
	table.setPoses(null, poses, 1, LIVING);
	table.setReach(order, 1);
	table.requestBounds(0, false);

	/** Rows of each level in the picture, and in a pass beside it. */
	const levelsIn = (group: RowGroup, views: Views, eye: Eye) => {
		views.beginPicture(eye);
		return [100, 200].map((side) =>
			[0, 1, 2, 3].map((level) => {
				const { rows, count } = group.visibleRowsAt(everywhere(side), level) ?? {
					rows: { array: [] },
					count: 0,
				};
				return [...rows.array.slice(0, count)];
			}),
		) as [number[][], number[][]];
	};

	test('is dealt out to levels: each entity once, nearer ones as fine or finer, those beside the picture coarser', () => {
		const views = new Views();
		const group = new RowGroup(views, table, null, { triangles: 100, errors: ERRORS });
		group.rows = order;
		const eye = eyeAt([0, 2, 0.1], 2);
		const [picture, shadows] = levelsIn(group, views, eye);
		expect(picture.flat().sort((a, b) => a - b)).toEqual([...order]);
		expect(picture.every((rows) => rows.length > 0)).toBe(true);
		const away = (row: number): number =>
			Math.hypot(poses[row * 10]! - eye.x, eye.y, poses[row * 10 + 2]! - eye.z);
		for (let level = 1; level < 4; level++)
			expect(Math.max(...picture[level - 1]!.map(away))).toBeLessThan(Math.min(...picture[level]!.map(away)));
		expect(shadows[0]!.length).toBeLessThan(picture[0]!.length);
		expect(shadows[3]!.length).toBeGreaterThan(picture[3]!.length);
		// What was drawn before does not count.
		levelsIn(group, views, eyeAt([160, 90, 160], 2));
		expect(levelsIn(group, views, eye)).toEqual([picture, shadows]);
	});

	test('of few triangles has full detail, and so has a picture that shows no error', () => {
		for (const [triangles, tolerated] of [
			[10, 1],
			[100, 0],
		] as const) {
			const views = new Views();
			const group = new RowGroup(views, table, null, { triangles, errors: ERRORS });
			group.rows = order;
			const [picture] = levelsIn(group, views, eyeAt([0, 2, 0.1], tolerated));
			expect(picture.map((rows) => rows.length)).toEqual([order.length, 0, 0, 0]);
		}
	});
});

describe('the levels of a model', () => {
	const flat = new IcosahedronGeometry(1, 5);
	flat.computeVertexNormals();
	flat.setIndex([...Array(flat.getAttribute('position').count).keys()]);
	flat.deleteAttribute('uv');
	const still = { rest: null, morph: null };

	test('have ever fewer triangles, between vertices that are there and that face as the triangles do', async () => {
		const { errors, indices } = await levelsOf([{ ...still, geometry: flat }], 2);
		expect(errors.length).toBeGreaterThan(1);
		expect([...errors].sort((a, b) => a - b)).toEqual(errors);
		const [levels] = indices;
		const counts = [flat.index!.count, ...levels!.map(({ count }) => count)];
		for (let at = 1; at < counts.length; at++) expect(counts[at]).toBeLessThan(counts[at - 1]! * 0.81);
		expect(counts.at(-1)).toBeLessThanOrEqual(24);
		const places = flat.getAttribute('position');
		const normals = flat.getAttribute('normal');
		for (const index of levels!)
			for (let at = 0; at < index.count; at += 3) {
				const corners = [0, 1, 2].map((corner) => index.getX(at + corner));
				const [a, b, c] = corners.map((corner) => new Vector3().fromBufferAttribute(places, corner));
				const normal = b!.clone().sub(a!).cross(c!.clone().sub(a!)).normalize();
				// Outwards, and every corner's normal on the same side.
				expect(normal.dot(a!)).toBeGreaterThan(0);
				for (const corner of corners)
					expect(normal.dot(new Vector3().fromBufferAttribute(normals, corner))).toBeGreaterThan(0.3);
			}
		// The same on each call.
		expect((await levelsOf([{ ...still, geometry: flat }], 2)).indices).toEqual(indices);
	});

	test('keep colours apart, and all triangles of what is morphed', async () => {
		const two = flat.clone();
		const { count } = two.getAttribute('position');
		// Two colours, which meet along a line that no level may cross with one colour.
		const colors = Float32Array.from({ length: count * 4 }, (_, at) =>
			Math.floor(at / 4) < count / 2 ? 1 : 0,
		);
		two.setAttribute('color', new BufferAttribute(colors, 4));
		const { indices } = await levelsOf([{ ...still, geometry: two }], 2);
		const shown = new Set([...indices[0]![0]!.array].map((vertex) => colors[vertex * 4]));
		expect(shown).toEqual(new Set([0, 1]));
		const morph = {} as never;
		const morphed = await levelsOf([{ rest: null, morph, geometry: flat }], 2);
		expect(morphed.errors).toEqual([]);
		// Beside parts that get coarser.
		const both = await levelsOf(
			[
				{ rest: null, morph, geometry: new BoxGeometry(1, 1, 1) },
				{ ...still, geometry: flat },
			],
			2,
		);
		expect(both.indices[0]!.every((index) => index.count === 36)).toBe(true);
	});
});
