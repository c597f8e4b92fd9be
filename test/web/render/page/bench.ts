/**
 * Draw submission of moving cubes: the view's stage against a hand-written InstancedMesh scene, in one page.
 * Owns: both scenes and the timing: filling in the poses and submitting a picture with shadows; the GPU's own time is waited out.
 */

import {
	AmbientLight,
	BoxGeometry,
	Color,
	DirectionalLight,
	DynamicDrawUsage,
	InstancedMesh,
	Matrix4,
	Mesh,
	MeshStandardNodeMaterial,
	PerspectiveCamera,
	PlaneGeometry,
	Quaternion,
	Scene,
	Vector3,
} from 'three/webgpu';
import type { BlockName } from '../../../../web/host/frames.ts';
import { type Drawing, endPicture, startDrawing } from '../../../../web/render/backend.ts';
import { Cameras } from '../../../../web/render/cameras.ts';
import { GpuResources } from '../../../../web/render/gpu-resources.ts';
import { Stage } from '../../../../web/render/stage.ts';
import { Textures } from '../../../../web/render/textures.ts';
import { blocksOf, cameraOf, swarm } from './scenes.ts';

const WIDTH = 640;
const HEIGHT = 360;

/** Milliseconds of the main thread for one picture, medians over all rounds. */
export interface BenchResult {
	readonly backend: string;
	readonly view_ms: number;
	readonly hand_written_ms: number;
}

/** Draws both in turn, `rounds` times each after a warm-up. */
export async function bench(count: number, rounds: number, forceWebGL: boolean): Promise<BenchResult> {
	const scene = swarm(count);
	const frames = [0, 1, 2, 3].map((tick) => blocksOf(scene, tick * 5, cameraOf(scene, 1)));
	const ours = await makeOurs(forceWebGL);
	ours.stage.setFrame(frames[0]!, new Set(Object.keys(frames[0]!) as BlockName[]));
	const hand = await makeHandWritten(count, forceWebGL);
	const times: { view: number[]; hand: number[] } = { view: [], hand: [] };
	for (let round = -5; round < rounds; round++) {
		const before = frames[(round + 8) % 4]!;
		const next = frames[(round + 9) % 4]!;
		let began = performance.now();
		ours.stage.setPoses({ poses: before.poses, rows: null }, next.poses, 0.5);
		const lens = ours.cameras.set(next.camera, WIDTH / HEIGHT);
		ours.stage.prepare(next.camera, lens, WIDTH, HEIGHT, 'color');
		ours.drawing.renderer.render(ours.stage.scene, lens);
		endPicture(ours.drawing.renderer);
		if (round >= 0) times.view.push(performance.now() - began);
		await ours.drawing.finished();
		began = performance.now();
		hand.fill(next.poses);
		hand.drawing.renderer.render(hand.scene, hand.camera);
		endPicture(hand.drawing.renderer);
		if (round >= 0) times.hand.push(performance.now() - began);
		await hand.drawing.finished();
	}
	return {
		backend: ours.drawing.info.backend,
		view_ms: median(times.view),
		hand_written_ms: median(times.hand),
	};
}

async function makeOurs(forceWebGL: boolean): Promise<{ drawing: Drawing; stage: Stage; cameras: Cameras }> {
	const drawing = await startDrawing(new OffscreenCanvas(WIDTH, HEIGHT), forceWebGL);
	drawing.renderer.setSize(WIDTH, HEIGHT, false);
	return {
		drawing,
		stage: new Stage(new GpuResources(drawing.info.quality, new Textures(async () => null, 1024))),
		cameras: new Cameras(),
	};
}

async function makeHandWritten(
	count: number,
	forceWebGL: boolean,
): Promise<{
	drawing: Drawing;
	scene: Scene;
	camera: PerspectiveCamera;
	fill: (poses: Float32Array) => void;
}> {
	const drawing = await startDrawing(new OffscreenCanvas(WIDTH, HEIGHT), forceWebGL);
	drawing.renderer.setSize(WIDTH, HEIGHT, false);
	const scene = new Scene();
	const cubes = new InstancedMesh(new BoxGeometry(), new MeshStandardNodeMaterial(), count);
	cubes.instanceMatrix.setUsage(DynamicDrawUsage);
	cubes.castShadow = cubes.receiveShadow = true;
	cubes.frustumCulled = false;
	const color = new Color();
	for (let index = 0; index < count; index++)
		cubes.setColorAt(index, color.setHSL((index % 100) / 100, 0.6, 0.5));
	const ground = new Mesh(new PlaneGeometry(200, 200).rotateX(-Math.PI / 2), new MeshStandardNodeMaterial());
	ground.receiveShadow = true;
	const sun = new DirectionalLight(0xffffff, 3);
	sun.position.set(-40, 50, 20);
	sun.castShadow = true;
	sun.shadow.mapSize.set(1024, 1024);
	Object.assign(sun.shadow.camera, { left: -60, right: 60, top: 60, bottom: -60, far: 200 });
	scene.add(cubes, ground, sun, new AmbientLight(0xffffff, 1));
	const camera = new PerspectiveCamera(45, WIDTH / HEIGHT, 0.1, 1000);
	camera.position.set(30, 28, 30);
	camera.lookAt(0, 0, 0);
	const matrix = new Matrix4();
	const place = new Vector3();
	const turn = new Quaternion();
	const scale = new Vector3();
	return {
		drawing,
		scene,
		camera,
		fill: (poses) => {
			for (let index = 0; index < count; index++) {
				const at = index * 10;
				place.fromArray(poses, at);
				turn.fromArray(poses, at + 3);
				scale.fromArray(poses, at + 7);
				cubes.setMatrixAt(index, matrix.compose(place, turn, scale));
			}
			cubes.instanceMatrix.needsUpdate = true;
		},
	};
}

function median(values: readonly number[]): number {
	return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

declare global {
	interface Window {
		bench: typeof bench;
	}
}

window.bench = bench;
