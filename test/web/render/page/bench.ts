/**
 * The work of one picture on the page's side: the view's stage against hand-written three.js, in one page.
 * Owns: the drawn worlds and the timing of a picture with shadows: filling changed data, writing buffers and encoding
 * draws. What is encoded is thrown away: a machine without a GPU would rasterise for seconds beside the clock.
 */

import { PerspectiveCamera } from 'three/webgpu';
import villager from '../../../../public/models/villager.glb?url';
import type { FoliageLayer } from '../../../../shared/documents/foliage.ts';
import { emitterOf } from '../../../../shared/media/particles.ts';
import type { BlockName, FrameBlocks, FrameEmitter } from '../../../../web/frames/frames.ts';
import { type Drawing, endPicture, startDrawing } from '../../../../web/render/backend.ts';
import { Cameras } from '../../../../web/render/cameras.ts';
import { Capturer } from '../../../../web/render/capture.ts';
import { plantShape } from '../../../../web/render/foliage/shapes.ts';
import { GpuResources } from '../../../../web/render/gpu-resources.ts';
import { Models } from '../../../../web/render/models.ts';
import { Readback } from '../../../../web/render/readback.ts';
import { Stage } from '../../../../web/render/stage.ts';
import { Textures } from '../../../../web/render/textures.ts';
import { crowd, type HandWritten, meadow, movingThings, sparks, together } from './hand-written.ts';
import { blocksOf, cameraOf, swarm, type TestScene, type Thing } from './scenes.ts';

const WIDTH = 64;
const HEIGHT = 36;
const BARS = 1000;
/** Half of the square that the sun's shadow covers where the camera is near (m). */
const CROWD_SUN = 8;
/** Pictures between two readings of the clock. */
const PICTURES = 4;

/** Milliseconds of the main thread for one picture, medians over all rounds. */
export interface BenchResult {
	readonly backend: string;
	readonly view_ms: number;
	readonly hand_written_ms: number;
	readonly view_draws: number;
	readonly hand_written_draws: number;
}

/** A world in four frames, and what others would write for it in a scene. */
interface Case {
	readonly frames: readonly FrameBlocks[];
	readonly hand: (scene?: HandWritten['scene']) => HandWritten;
}

const NOTHING: TestScene = { things: [], eye: [30, 28, 30], target: [0, 0, 0] };

const framesOf = (make: (tick: number) => FrameBlocks) => [0, 1, 2, 3].map((frame) => make(frame * 5));

const CASES: Readonly<Record<string, () => Case>> = {
	things: () => things(),
	crowd: among,
	foliage,
	particles,
	all,
};

/** 50 000 things with the camera among them. */
function among(): Case {
	const { frames } = things(50_000, 0, { eye: [3, 2, 4], target: [0, 1, 0] });
	return { frames, hand: () => crowd(50_000, (picture) => frames[picture % 4]!.poses, CROWD_SUN) };
}

function things(count = 10_000, bars = BARS, camera: Partial<TestScene> = {}): Case {
	const scene = { ...swarm(count), ...camera };
	const meshes = ['cube', 'sphere', 'plane', 'cylinder', 'cone', 'other', 'cube', 'sphere'];
	const things = scene.things.map((thing, index) => ({
		...thing,
		mesh: meshes[index % 8]!,
		...(index < bars ? { health: [50, 100] as const, team: index % 3 } : {}),
	}));
	// The last two of eight are as the first two, of another material.
	const kind = Uint16Array.from(things, (_, index) => (index % 8 > 5 ? 1 : 0));
	const values = new Float32Array(things.length * 15);
	for (let row = 0; row < things.length; row++)
		values.set([0.8, 0.6, 0.3, 1, 0.5, 0.4, 0, 0, 0, 0, 1, 1, 1, 1, 0], row * 15);
	const usual = {
		alpha: 'opaque',
		texture: null,
		normal: null,
		occlusion: null,
		unlit: false,
		transmits: false,
	} as const;
	const materials = { kinds: [usual], kind, values };
	const frames = framesOf((tick) => ({
		...blocksOf({ ...scene, things }, tick, cameraOf(scene, 1)),
		materials,
	}));
	return {
		frames,
		hand: (scene) => movingThings(things.length, bars, (picture) => frames[picture % 4]!.poses, scene),
	};
}

function foliage(): Case {
	const layer: FoliageLayer = {
		id: 1,
		mesh: 'grass',
		density: 4,
		area_min: [-79, 0, -79],
		area_max: [79, 0, 79],
		min_scale: 0.8,
		max_scale: 1.2,
		max_distance: 400,
		seed: 1,
		wind: 1,
		max_slope: 10,
		color: null,
		terrain: null,
	};
	const frames = framesOf((tick) => ({
		...blocksOf(NOTHING, tick, cameraOf(NOTHING, 1)),
		foliage: [layer],
	}));
	return { frames, hand: (scene) => meadow(100_000, 158, 5, plantShape('grass'), scene) };
}

function particles(): Case {
	const emitter = emitterOf(null, {
		rate: 1000,
		lifetime: 1,
		lifetime_spread: 0,
		max: 1000,
		additive: true,
		sizes: [0.12, 0],
	});
	const emitters = Array.from(
		{ length: 50 },
		(_, id): FrameEmitter => ({
			id,
			generation: 1,
			emitter,
			run: { seed: id, since: 0, until: null, bursts: [], burst_count: 0 },
			position: [(id % 10) * 4 - 20, 0, Math.floor(id / 10) * 8 - 20],
			rotation: [0, 0, 0, 1],
			velocity: [0, 0, 0],
		}),
	);
	const frames = framesOf((tick) => ({
		...blocksOf(NOTHING, tick, cameraOf(NOTHING, 1)),
		particles: { tick: tick + 600, emitters },
	}));
	return { frames, hand: (scene) => sparks(50_000, scene) };
}

/** Returns the three in one world. */
function all(): Case {
	const [moving, growing, flying] = [things(), foliage(), particles()];
	return {
		frames: moving.frames.map((frame, index) => ({
			...frame,
			foliage: growing.frames[index]!.foliage,
			particles: flying.frames[index]!.particles,
		})),
		hand: () => together(moving.hand, growing.hand, flying.hand),
	};
}

/** From now on nothing is rasterised. */
function drawNothing(): void {
	if ('GPUQueue' in globalThis) GPUQueue.prototype.submit = () => undefined;
	for (const name of ['drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced'] as const)
		WebGL2RenderingContext.prototype[name] = () => undefined;
}

/** Draws both in turn, `rounds` times each after a warm-up. */
export async function bench(name: string, rounds: number, forceWebGL: boolean): Promise<BenchResult> {
	drawNothing();
	const { frames, hand: written } = CASES[name]!();
	const hand = written();
	const drawing = await start(forceWebGL);
	const stage = new Stage(
		new GpuResources(
			// As for a GPU: here the processor's side counts.
			{ ...drawing.info.quality, software: false, grass_distance: 1000, particles: 200_000 },
			new Textures(async () => null, 1024),
			new Models(async () => null),
		),
	);
	const cameras = new Cameras();
	stage.setFrame(frames[0]!, new Set(Object.keys(frames[0]!) as BlockName[]));
	const other = await start(forceWebGL);
	const camera = new PerspectiveCamera(45, WIDTH / HEIGHT, 0.1, 1000);
	camera.position.set(...frames[0]!.camera.eye);
	camera.lookAt(...frames[0]!.camera.target);
	const times: { view: number[]; hand: number[] } = { view: [], hand: [] };
	const changed = new Set<BlockName>(['poses', 'particles', 'tick', 'health']);
	const draw = (before: FrameBlocks, next: FrameBlocks): void => {
		stage.setFrame(next, changed);
		stage.setPoses({ poses: before.poses, rows: null }, next.poses, 0.5);
		const lens = cameras.set(next.camera, WIDTH / HEIGHT);
		stage.prepare(next.camera, lens, WIDTH, HEIGHT, 'color');
		drawing.renderer.render(stage.scene, lens);
		endPicture(drawing.renderer);
	};
	let last = frames[0]!;
	for (let round = -8; round < rounds; round++) {
		// As they come from the engine: of other objects each time, and the last of them is the one before the next.
		const came = structuredClone(frames);
		let began = performance.now();
		// Several at a time, for the page's clock is coarse.
		for (let picture = 0; picture < PICTURES; picture++) {
			draw(last, came[(picture + 1) % 4]!);
			last = came[(picture + 1) % 4]!;
		}
		if (round >= 0) times.view.push((performance.now() - began) / PICTURES);
		await drawing.waitUntilDrawn();
		began = performance.now();
		for (let picture = 0; picture < PICTURES; picture++) {
			hand.fill(camera, picture);
			other.renderer.render(hand.scene, camera);
			endPicture(other.renderer);
		}
		if (round >= 0) times.hand.push((performance.now() - began) / PICTURES);
		await other.waitUntilDrawn();
	}
	return {
		backend: drawing.info.backend,
		view_ms: median(times.view),
		hand_written_ms: median(times.hand),
		view_draws: drawing.renderer.info.render.drawCalls,
		hand_written_draws: other.renderer.info.render.drawCalls,
	};
}

/** Time of a screenshot of 1280 x 720, and until it is drawn: milliseconds from its beginning, medians. */
export async function screenshots(rounds: number): Promise<{ whole_ms: number; drawn_ms: number }> {
	const [width, height] = [1280, 720];
	const scene = swarm(200);
	const blocks = blocksOf(scene, 0, cameraOf(scene, 1));
	const drawing = await start(false);
	let drawnAt = 0;
	const { read } = Readback.prototype;
	Readback.prototype.read = async function (target) {
		await drawing.waitUntilDrawn();
		drawnAt = performance.now();
		return read.call(this, target);
	};
	const resources = new GpuResources(
		drawing.info.quality,
		new Textures(async () => null, 1024),
		new Models(async () => null),
	);
	const capturer = new Capturer(drawing, resources, async () => null);
	const [beyond, drawn]: [number[], number[]] = [[], []];
	for (let round = -5; round < rounds; round++) {
		const began = performance.now();
		const result = await capturer.take({ width, height, channel: 'color' }, blocks);
		if (!result.ok) throw new Error(result.error);
		if (round < 0) continue;
		beyond.push(performance.now() - drawnAt);
		drawn.push(drawnAt - began);
	}
	return { whole_ms: median(drawn) + median(beyond), drawn_ms: median(drawn) };
}

/** Milliseconds of a picture of 640 x 360 with a crowd around the camera: boxes, villagers, and villagers in full detail. */
export interface CrowdResult {
	readonly boxes_ms: number;
	readonly villagers_ms: number;
	readonly full_ms: number;
}

/** Draws `count` entities 2 m apart, as screenshots are: with the sun's shadows, and without looking at the pixels. */
export async function crowds(count: number, rounds: number): Promise<CrowdResult> {
	const drawing = await start(false);
	const bytes = new Uint8Array(await (await fetch(villager)).arrayBuffer());
	const resources = new GpuResources(
		drawing.info.quality,
		new Textures(async () => null, 1024),
		new Models(async () => bytes),
	);
	const sides = [
		{ mesh: 'cube', model_error: 1 },
		{ mesh: VILLAGER, model_error: 1 },
		{ mesh: VILLAGER, model_error: 0 },
	].map(({ mesh, model_error }) => {
		const scene = { things: standing(count, mesh), eye: [3, 2.4, 5], target: [0, 1, 0] } as const;
		const blocks = blocksOf(scene, 0, cameraOf(scene, 1));
		const box = { hash: VILLAGER, low: [-0.4, 0, -0.3], high: [0.4, 1.3, 0.3], lights: [] } as const;
		const post = { ...blocks.post, model_error };
		// Each keeps its own scene: another crowd in the same one would be built again for each picture.
		const capturer = new Capturer(drawing, resources, async () => null);
		return { capturer, times: [] as number[], blocks: { ...blocks, post, models: { [VILLAGER]: box } } };
	});
	for (let round = -2; round < rounds; round++)
		for (const { capturer, times, blocks } of sides) {
			const began = performance.now();
			const result = await capturer.take({ width: 640, height: 360, channel: 'color' }, blocks);
			if (!result.ok) throw new Error(result.error);
			if (round >= 0) times.push(performance.now() - began);
		}
	const [boxes_ms, villagers_ms, full_ms] = sides.map(({ times }) => median(times)) as [
		number,
		number,
		number,
	];
	return { boxes_ms, villagers_ms, full_ms };
}

const VILLAGER = 'models/villager.glb';

function standing(count: number, mesh: string): Thing[] {
	const side = Math.ceil(Math.sqrt(count));
	return Array.from({ length: count }, (_, index) => {
		const turn = index * 2.4;
		return {
			mesh,
			at: [
				((index % side) - side / 2) * 2,
				mesh === 'cube' ? 0.6 : 0,
				(Math.floor(index / side) - side / 2) * 2,
			],
			scale: mesh === 'cube' ? [0.6, 1.2, 0.4] : [1, 1, 1],
			turn: [0, Math.sin(turn / 2), 0, Math.cos(turn / 2)],
			color: [((index * 37) % 200) + 40, ((index * 91) % 160) + 60, ((index * 13) % 200) + 40],
		};
	});
}

async function start(forceWebGL: boolean): Promise<Drawing> {
	const drawing = await startDrawing(new OffscreenCanvas(WIDTH, HEIGHT), forceWebGL);
	drawing.renderer.setSize(WIDTH, HEIGHT, false);
	return drawing;
}

function median(values: readonly number[]): number {
	return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

declare global {
	interface Window {
		bench: typeof bench;
		screenshots: typeof screenshots;
		crowds: typeof crowds;
	}
}

window.bench = bench;
window.screenshots = screenshots;
window.crowds = crowds;
