/** Reports on pictures, from pixels and boxes. */

import { PerspectiveCamera } from 'three/webgpu';
import { expect, test } from 'vitest';
import { placeLabels } from '../../../web/render/annotate.ts';
import { EMPTY_DEPTH_MM, segmentationColor } from '../../../web/render/channels.ts';
import { coveredEntities, hiddenBy, projectBox, seenEntities } from '../../../web/render/report.ts';

const WIDTH = 8;
const HEIGHT = 4;

/** Pixels from one character each: a digit is an entity, a point is nothing. */
const idsOf = (rows: readonly string[]) =>
	Uint8Array.from(
		[...rows.join('')].flatMap((mark) => [
			...(mark === '.' ? [0, 0, 0] : segmentationColor(Number(mark))),
			255,
		]),
	);
/** Returns a picture of depths, which depend on the column. */
const depthsOf = (metres: (x: number) => number | null) =>
	Uint8Array.from(
		Array.from({ length: WIDTH * HEIGHT }, (_, at) => {
			const distance = metres(at % WIDTH);
			const mm = distance === null ? EMPTY_DEPTH_MM : distance * 1000;
			return [mm & 255, (mm >> 8) & 255, mm >> 16, 255];
		}).flat(),
	);

test('entities are counted with their boxes, the largest first and equals by id', () => {
	const seen = seenEntities(idsOf(['..7.....', '.777....', '........', '3......2']), WIDTH, HEIGHT);
	expect(seen).toEqual([
		{ id: 7, pixels: 4, box: { left: 1, top: 0, width: 3, height: 2 } },
		{ id: 2, pixels: 1, box: { left: 7, top: 3, width: 1, height: 1 } },
		{ id: 3, pixels: 1, box: { left: 0, top: 3, width: 1, height: 1 } },
	]);
});

test("an occluder is in front of most of the entity's box, not behind it", () => {
	const box = { left: 0, top: 0, width: WIDTH, height: HEIGHT };
	const ids = idsOf(['44444556', '44444556', '44444556', '44444556']);
	const covered = { id: 9, box, near: 5, far: 6 };
	expect(
		hiddenBy(
			covered,
			ids,
			depthsOf(() => 2),
			WIDTH,
		).hidden_by,
	).toBe(4);
	// 4 is behind the box.
	expect(
		hiddenBy(
			covered,
			ids,
			depthsOf((x) => (x < 5 ? 8 : 2)),
			WIDTH,
		).hidden_by,
	).toBe(5);
	expect(
		hiddenBy(
			covered,
			ids,
			depthsOf(() => null),
			WIDTH,
		).hidden_by,
	).toBeNull();
});

test('boxes are inside or outside the view, nearest first, also around the eye', () => {
	const lens = new PerspectiveCamera(90, 2, 0.1, 100);
	lens.updateMatrixWorld();
	const pose = (...at: number[]) => [...at, 0, 0, 0, 1, 1, 1, 1];
	const boxes = Float32Array.from([
		...pose(0, 0, -10.5),
		...pose(0, 0, 5),
		...pose(50, 0, -5),
		...pose(0, 0, 0),
		...pose(0, 0, -200),
		...pose(3, 0, -4.5),
	]);
	expect(projectBox(boxes, 0, lens, 200, 100)).toMatchObject({
		box: { left: 97, top: 47, width: 6, height: 6 },
		near: 10,
	});
	const ids = Uint32Array.from([10, 11, 12, 13, 14, 15]);
	const seen = [{ id: 15, pixels: 1, box: { left: 0, top: 0, width: 1, height: 1 } }];
	const covered = coveredEntities(ids, boxes, seen, lens, 200, 100);
	expect(covered.map(({ id }) => id)).toEqual([13, 10]);
	expect(covered[0]!.box).toEqual({ left: 0, top: 0, width: 200, height: 100 });
});

test('labels are inside the picture and do not overlap', () => {
	const box = { left: 150, top: 0, width: 40, height: 20 };
	const seen = [4, 5, 6, 7].map((id) => ({ id, pixels: 10, box }));
	const labels = placeLabels(seen, { 4: 'tower' }, 200, 100, (text) => text.length * 6);
	expect(labels[0]!.text).toBe('4 tower');
	const plates = labels.flatMap(({ plate }) => plate ?? []);
	expect(plates).toHaveLength(4);
	for (const [at, a] of plates.entries()) {
		expect(a.left + a.width).toBeLessThanOrEqual(200);
		for (const b of plates.slice(at + 1))
			expect(a.top + a.height <= b.top || b.top + b.height <= a.top).toBe(true);
	}
});
