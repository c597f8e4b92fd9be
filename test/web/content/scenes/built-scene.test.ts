/** Scenes built by calls: each document equals the result of its calls, and opens as the same world. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { BUILT_SCENES, buildScene } from '../../../../web/content/scenes/built-scene.ts';
import { clientOf } from '../../../support/engine.ts';
import { GAME_TIMEOUT, openScene } from '../../../support/scenes.ts';

const PUBLIC = fileURLToPath(new URL('../../../../public/', import.meta.url));

const made = (name: string) => JSON.parse(readFileSync(`${PUBLIC}scenes/${name}.json`, 'utf8'));

test.each(Object.keys(BUILT_SCENES))(
	'npm run scenes makes the file of %s',
	async (name) => {
		expect(made(name)).toEqual(await buildScene(name, PUBLIC));
	},
	GAME_TIMEOUT,
);

test(
	'no part of the village floats or is sunk',
	async () => {
		const scene = made('village');
		const engine = await openScene('village', 1);
		const { must } = clientOf(engine.handle);
		const entities = scene.entities as {
			mesh?: string;
			position: [number, number, number];
			parent?: number;
			water?: { size: [number, number] };
		}[];
		const standing = entities.filter(({ mesh, parent }) => mesh !== undefined && parent === undefined);
		const onGround = standing.filter(({ mesh }) => mesh !== 'models/mill_sails.glb');
		expect(onGround.length).toBeGreaterThan(60);
		const heightsAt = async (points: number[][]) =>
			(await must('POST', '/terrain/height', { space: 'world', points })).heights as number[];
		const heights = await heightsAt(onGround.map(({ position: [x, , z] }) => [x, z]));
		onGround.forEach(({ mesh, position: [, y] }, i) => {
			expect(Math.abs(y - heights[i]!), mesh).toBeLessThan(0.3);
		});
		const waters = entities.flatMap(({ position, water }) =>
			water === undefined ? [] : [{ position, size: water.size }],
		);
		expect(waters.length).toBeGreaterThan(0);
		for (const { position, size } of waters) {
			const corners = [-0.5, 0.5].flatMap((right) =>
				[-0.5, 0.5].map((forward) => [position[0] + right * size[0], position[2] + forward * size[1]]),
			);
			// The ground at the corners is above the surface, so that the water has a shore.
			for (const height of await heightsAt(corners)) expect(height).toBeGreaterThan(position[1]);
		}
		const { layers } = (await must('GET', '/foliage/list')) as {
			layers: { mesh: string; instance_count: number }[];
		};
		const grown = new Map<string, number>();
		for (const { mesh, instance_count } of layers) grown.set(mesh, (grown.get(mesh) ?? 0) + instance_count);
		expect(grown.get('models/pine.glb')).toBeGreaterThan(100);
		expect(grown.get('grass')).toBeGreaterThan(5000);
		engine.close();
	},
	GAME_TIMEOUT,
);
