/** Loaded and removed models free all their memory on the GPU device. `npm run deep` runs a thousand of them. */

import { encode } from 'fast-png';
import { expect, inject, test } from 'vitest';
import { GlbWriter } from '../../../relay/generate/procedural/glb.ts';
import { postModel } from '../../support/glb.ts';
import { times } from '../../support/seed.ts';
import type {} from '../../web/render/page/memory.ts';
import { openTabs } from './tabs.ts';

/** Returns the GLB of a square with a texture. */
function texturedModel(): Uint8Array {
	const writer = new GlbWriter();
	const square = new Float32Array([-0.5, 0, 0, 0.5, 0, 0, 0.5, 1, 0, -0.5, 1, 0]);
	const attributes = {
		POSITION: writer.addAccessor('VEC3', square),
		TEXCOORD_0: writer.addAccessor('VEC2', new Float32Array([0, 1, 1, 1, 1, 0, 0, 0])),
	};
	const indices = writer.addAccessor('SCALAR', new Uint16Array([0, 1, 2, 0, 2, 3]));
	const data = new Uint8Array(4 * 4 * 4).fill(200);
	const bufferView = writer.addView(encode({ width: 4, height: 4, channels: 4, depth: 8, data }));
	return writer.glb({
		scenes: [{ nodes: [0] }],
		nodes: [{ mesh: 0 }],
		meshes: [{ primitives: [{ attributes, indices, material: 0 }] }],
		materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
		textures: [{ source: 0 }],
		images: [{ bufferView, mimeType: 'image/png' }],
	});
}

test('models that are loaded and removed leave no memory on the device', async () => {
	const tabs = await openTabs(64, 64, 1);
	try {
		const page = await tabs.newPage();
		await page.goto(`${inject('viewPage')}memory.html`);
		const measure = (bytes: Uint8Array, rounds: number, each: number) =>
			page.evaluate(
				(...[sent, many, of]: [number[], number, number]) => window.comeAndGo(sent, many, of),
				[...bytes],
				rounds,
				each,
			);
		for (const [bytes, rounds, each] of [
			[texturedModel(), times(5), 20],
			[postModel(), times(4), 10],
		] as const) {
			const run = await measure(bytes, rounds, each);
			const [first, last, none] = [run[1]!, run.at(-2)!, run.at(-1)!];
			expect(first.models).toBe(each);
			expect(first.draws).toBeGreaterThanOrEqual(each);
			// The counts equal those after the second round, and are lower after the models are removed.
			expect(last).toEqual(first);
			expect(none.models).toBe(0);
			expect(none.geometries).toBeLessThanOrEqual(first.geometries - each);
			expect(none.textures).toBeLessThan(first.textures);
		}
	} finally {
		await tabs.close();
	}
});
