/** Memory on the device after models come and go. Owns: drawing them, many after many, and counting. */

import type { BlockName, FrameModel } from '../../../../web/frames/frames.ts';
import { endPicture, startDrawing } from '../../../../web/render/backend.ts';
import { Cameras } from '../../../../web/render/cameras.ts';
import { GpuResources } from '../../../../web/render/gpu-resources.ts';
import { Models } from '../../../../web/render/models.ts';
import { Stage } from '../../../../web/render/stage.ts';
import { Textures } from '../../../../web/render/textures.ts';
import { blocksOf, cameraOf } from './scenes.ts';

const SIZE = 32;

/** Things on the device, of which three.js keeps count. */
export interface OnDevice {
	readonly geometries: number;
	readonly textures: number;
	readonly models: number;
	readonly draws: number;
}

/** Draws `rounds` times `each` models of these bytes, all of them others; what is there after each round, and at last without any. */
export async function comeAndGo(bytes: readonly number[], rounds: number, each: number): Promise<OnDevice[]> {
	const drawing = await startDrawing(new OffscreenCanvas(SIZE, SIZE), false);
	drawing.renderer.setSize(SIZE, SIZE, false);
	const models = new Models(async () => new Uint8Array(bytes));
	const textures = new Textures(async () => null, 1024);
	const stage = new Stage(new GpuResources(drawing.info.quality, textures, models));
	const cameras = new Cameras();
	const onDevices: OnDevice[] = [];
	for (let round = 0; round <= rounds; round++) {
		const count = round === rounds ? 0 : each;
		const names = Array.from({ length: count }, (_, i) => `models/${round * each + i}.glb`);
		const scene = {
			things: names.map((mesh, i) => ({
				mesh,
				at: [i - each / 2, 0, 0] as const,
				color: [255, 255, 255] as const,
			})),
			eye: [0, 5, 12] as const,
			target: [0, 0, 0] as const,
		};
		const box = { low: [-0.5, 0, -0.5], high: [0.5, 1, 0.5], lights: [] } as const;
		const shown = Object.fromEntries(
			names.map((name): [string, FrameModel] => [name, { hash: name, ...box }]),
		);
		const blocks = { ...blocksOf(scene, 0, cameraOf(scene, 1)), models: shown };
		stage.setFrame(blocks, new Set(Object.keys(blocks) as BlockName[]));
		await stage.ready();
		stage.setPoses(null, blocks.poses, 1);
		const lens = cameras.set(blocks.camera, 1);
		stage.prepare(blocks.camera, lens, SIZE, SIZE, 'color');
		drawing.renderer.render(stage.scene, lens);
		const { memory, render } = drawing.renderer.info;
		onDevices.push({
			geometries: memory.geometries,
			textures: memory.textures,
			models: models.count,
			draws: render.drawCalls,
		});
		endPicture(drawing.renderer);
		await drawing.waitUntilDrawn();
	}
	return onDevices;
}

declare global {
	interface Window {
		comeAndGo: typeof comeAndGo;
	}
}

window.comeAndGo = comeAndGo;
