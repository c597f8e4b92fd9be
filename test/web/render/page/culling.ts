/**
 * Pictures that leave out what no camera sees, beside pictures of everything, and pictures between two frames.
 * Owns: a crowd around a camera under a low sun, and the count of what is drawn.
 */

import { Frustum, Plane, RenderTarget, RGBAFormat, UnsignedByteType, Vector3 } from 'three/webgpu';
import type { BlockName, Channel, FrameBlocks } from '../../../../web/frames/frames.ts';
import { endPicture, startDrawing } from '../../../../web/render/backend.ts';
import { Cameras } from '../../../../web/render/cameras.ts';
import { GpuResources } from '../../../../web/render/gpu-resources.ts';
import { blendPose } from '../../../../web/render/interpolate.ts';
import { Models } from '../../../../web/render/models.ts';
import { Readback } from '../../../../web/render/readback.ts';
import { Stage } from '../../../../web/render/stage.ts';
import { RowsMesh } from '../../../../web/render/sync/rows-mesh.ts';
import { Textures } from '../../../../web/render/textures.ts';
import { blocksOf, cameraOf, type TestScene, type Thing } from './scenes.ts';

const [WIDTH, HEIGHT] = [160, 96];
const SIDE = 26;
const MESHES = ['cube', 'sphere', 'plane', 'cylinder', 'cone', 'other'];

/** Pixels that differ between two pictures, and the entities that each pass of each drew: of the picture, then of its shadows. */
export interface Compared {
	readonly differing: number;
	/** Colours in the first picture. */
	readonly colors: number;
	readonly drawn: readonly number[];
	readonly others: readonly number[];
}

/**
 * Returns a crowd with the camera among it. Tall things stand all around, so that some shadows in the picture are of
 * things beside it.
 */
function crowd(): TestScene {
	const things: Thing[] = [
		{ mesh: 'cube', at: [0, -0.5, 0], scale: [60, 1, 60], color: [205, 187, 140], id: 0 },
	];
	for (let x = 0; x < SIDE; x++)
		for (let z = 0; z < SIDE; z++) {
			const number = things.length;
			const tall = number % 5 === 0 ? 4 : 0.8;
			things.push({
				mesh: MESHES[number % 6]!,
				at: [(x - SIDE / 2) * 2 + 0.7, tall / 2, (z - SIDE / 2) * 2 + 0.3],
				scale: [0.6, tall, 0.6],
				turn: [0, Math.sin(number), 0, Math.cos(number)],
				color: [(number * 37) % 200, (number * 91) % 160, (number * 13) % 200],
				health: [1, 1],
			});
		}
	return { things, eye: [4, 3, 4], target: [0, 0.5, 0] };
}

/** A frustum that has everything in it. */
const EVERYWHERE = new Frustum(...Array.from({ length: 6 }, () => new Plane(new Vector3(), 1)));

class Trial {
	readonly #drawing = startDrawing(new OffscreenCanvas(WIDTH, HEIGHT), location.search === '?webgl');
	readonly #cameras = new Cameras();
	readonly #blocks = blocksOf(crowd(), 0, cameraOf(crowd(), 1));
	#drawCounts = new Map<string, number>();
	#everything = false;

	constructor() {
		const trial = this;
		const { intersectsFrustum } = RowsMesh.prototype;
		RowsMesh.prototype.intersectsFrustum = function (frustum) {
			const pass = JSON.stringify(frustum);
			const isSeen = intersectsFrustum.call(this, trial.#everything ? EVERYWHERE : frustum);
			// Patches under things are of the same rows again.
			const count = isSeen && this.castShadow ? this.geometry.instanceCount : 0;
			trial.#drawCounts.set(pass, (trial.#drawCounts.get(pass) ?? 0) + count);
			return isSeen;
		};
	}

	/** Returns the same picture without and with all that is outside it. */
	async culled(channel: Channel): Promise<Compared> {
		const stage = await this.#stage();
		const seen = await this.#picture(stage, channel, () => stage.setPoses(null, this.#blocks.poses, 1));
		this.#everything = true;
		const all = await this.#picture(stage, channel, () =>
			stage.setPoses(null, this.#blocks.poses.slice(), 1),
		);
		this.#everything = false;
		return compared(seen, all);
	}

	/** Returns a picture between two frames, and one of the poses between them. */
	async blended(): Promise<Compared> {
		const stage = await this.#stage();
		const { poses } = this.#blocks;
		const next = poses.slice();
		for (let at = 10; at < next.length; at += 10) {
			next[at]! += 0.8;
			next.set([0, 0.6, 0, -0.8], at + 3);
			next[at + 8]! *= 1.5;
		}
		const between = poses.slice();
		for (let at = 0; at < next.length; at += 10)
			blendPose(between.subarray(at, at + 10), poses.subarray(at, at + 10), next.subarray(at, at + 10), 0.25);
		// Shown first, so that the second frame finds it on the device.
		await this.#picture(stage, 'segmentation', () => stage.setPoses(null, poses, 1));
		const live = await this.#picture(stage, 'segmentation', () =>
			stage.setPoses({ poses, rows: null }, next, 0.25, 0.75),
		);
		return compared(live, await this.#picture(stage, 'segmentation', () => stage.setPoses(null, between, 1)));
	}

	async #stage(): Promise<Stage> {
		const { info } = await this.#drawing;
		const none = async (): Promise<null> => null;
		const stage = new Stage(new GpuResources(info.quality, new Textures(none, 1024), new Models(none)));
		const blocks: FrameBlocks = { ...this.#blocks, sky: { ...this.#blocks.sky, time_of_day: 8 } };
		stage.setFrame(blocks, new Set(Object.keys(blocks) as BlockName[]));
		return stage;
	}

	async #picture(
		stage: Stage,
		channel: Channel,
		pose: () => void,
	): Promise<{ pixels: Uint32Array; drawn: number[] }> {
		const drawing = await this.#drawing;
		const { camera } = this.#blocks;
		pose();
		const lens = this.#cameras.set(camera, WIDTH / HEIGHT);
		stage.prepare(camera, lens, WIDTH, HEIGHT, channel);
		const target = new RenderTarget(WIDTH, HEIGHT, { format: RGBAFormat, type: UnsignedByteType });
		drawing.renderer.setRenderTarget(target);
		this.#drawCounts.clear();
		drawing.renderer.render(stage.scene, lens);
		drawing.renderer.setRenderTarget(null);
		endPicture(drawing.renderer);
		const bytes = (await new Readback(drawing).read(target)).slice();
		return { pixels: new Uint32Array(bytes.buffer), drawn: [...this.#drawCounts.values()] };
	}
}

type Picture = Awaited<ReturnType<typeof Trial.prototype.culled>>;

function compared(
	one: { pixels: Uint32Array; drawn: number[] },
	other: { pixels: Uint32Array; drawn: number[] },
): Picture {
	return {
		differing: one.pixels.reduce((sum, pixel, at) => sum + (pixel === other.pixels[at] ? 0 : 1), 0),
		colors: new Set(one.pixels).size,
		drawn: one.drawn,
		others: other.drawn,
	};
}

declare global {
	interface Window {
		culling: Trial;
	}
}

window.culling = new Trial();
