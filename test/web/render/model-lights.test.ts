/** Lights of models: where they are in the world, once for each entity that has the model. */

import { expect, test } from 'vitest';
import type { FrameBlocks, FrameModel } from '../../../web/frames/frames.ts';
import { modelLights } from '../../../web/render/model-lights.ts';

const near = (numbers: readonly number[]) => numbers.map((number) => expect.closeTo(number, 5));

test('a light of a model is moved, turned and scaled with each entity; its brightness is in candela', () => {
	const lamp: FrameModel = {
		hash: '',
		low: [0, 0, 0],
		high: [1, 1, 1],
		lights: [
			{
				kind: 'spot',
				position: [1, 2, 0],
				direction: [1, 0, 0],
				color: [1, 0, 0.5],
				intensity: Math.PI * 4,
				range: 7,
				angle: Math.PI / 6,
			},
		],
	};
	const half = Math.SQRT1_2;
	const frame = {
		rows: { meshes: ['cube', 'lamp.glb'], mesh: [1, 0, 1], ids: [4, 5, 6] },
		models: { 'lamp.glb': lamp },
		poses: [[0, 0, 5, 0, 0, 0, 1, 2, 2, 2], Array(10).fill(0), [0, 0, 0, 0, half, 0, half, 1, 1, 1]].flat(),
	} as unknown as FrameBlocks;
	const [scaled, turned, ...others] = modelLights(frame);
	expect(others).toEqual([]);
	expect(scaled).toMatchObject({ kind: 'spot', range: 7, shadows: false });
	expect([scaled!.intensity, scaled!.angle]).toEqual(near([4, 60]));
	expect(scaled!.color).toEqual(near([1, 0, 0.7353569]));
	expect([scaled!.position, scaled!.direction]).toEqual([near([2, 4, 5]), near([1, 0, 0])]);
	expect([turned!.position, turned!.direction]).toEqual([near([0, 2, -1]), near([0, 0, -1])]);
});
