/**
 * One world prepared for drawing: its entities and everything in sync/. The live picture and captures have
 * separate stages.
 * Owns: the scene graph and its last frame. Never: sends messages to the engine, or decides when to draw.
 */

import { type Camera, Group, type Object3D, type Ray, Scene } from 'three/webgpu';
import type { BlockName, Channel, FrameBlocks, FrameCamera, FrameEvent } from '../frames/frames.ts';
import { boxesOf } from './boxes.ts';
import { type Extent, measureExtent } from './extent.ts';
import type { GpuResources } from './gpu-resources.ts';
import type { BlendStart } from './interpolate.ts';
import { syncs } from './sync/index.ts';
import { Meshes } from './sync/meshes.ts';
import type { Hit, Solid, Sync } from './sync/sync.ts';
import { Terrains } from './sync/terrains.ts';

export class Stage {
	readonly scene = new Scene();
	/** Signs over the picture. Post-processing does not apply to them: they are then drawn after the scene. */
	readonly #signs = new Group();
	readonly #signScene = new Scene();
	readonly meshes: Meshes;
	readonly #resources: GpuResources;
	readonly #syncs: readonly Sync[];
	#extent: Extent | null = null;
	#frame: FrameBlocks | null = null;

	constructor(resources: GpuResources) {
		this.#resources = resources;
		this.meshes = new Meshes(resources);
		const terrains = new Terrains(resources);
		this.#syncs = [terrains, ...syncs.map((make) => make(resources, this.meshes, terrains))];
		this.scene.matrixWorldAutoUpdate = true;
		this.scene.add(this.meshes.group, this.#signs);
		for (const { object, isOver } of this.#syncs) (isOver ? this.#signs : this.scene).add(object);
	}

	/** Adds an object to the signs over the picture. */
	addSign(object: Object3D): void {
		this.#signs.add(object);
	}

	/** Shows or hides the signs: health bars and damage numbers. */
	showSigns(isShown: boolean): void {
		this.#signs.visible = isShown;
	}

	/** Moves the signs to a scene of their own, or back to the main scene. Returns the scene for signs. */
	separateSigns(apart: boolean): Scene {
		const parent = apart ? this.#signScene : this.scene;
		if (this.#signs.parent !== parent) parent.add(this.#signs);
		return this.#signScene;
	}

	/**
	 * Takes a frame. `changed`: blocks that differ from the previous frame; `events`: events since that frame.
	 */
	setFrame(blocks: FrameBlocks, changed: ReadonlySet<BlockName>, events: readonly FrameEvent[] = []): void {
		this.meshes.setFrame(blocks, changed);
		for (const sync of this.#syncs) sync.setFrame(blocks, changed, events);
		this.#frame = blocks;
		if (changed.has('poses') || changed.has('models') || changed.has('terrains'))
			this.#extent = measureExtent(blocks.rows, boxesOf(blocks), this.solids());
	}

	/** Settles when every asset in the frame is loaded or known to be missing. */
	async ready(): Promise<void> {
		await this.#resources.textures.waitFor(this.meshes);
		await Promise.all(this.#syncs.map((sync) => sync.ready?.()));
		await this.#resources.models.waitFor(this.meshes);
		this.refresh();
	}

	/** True if all drawn textures and models are loaded or known to be missing. */
	get isComplete(): boolean {
		const { textures, models } = this.#resources;
		return textures.loadingCount + models.loadingCount === 0;
	}

	/** Updates the stage with newly loaded textures and models. Poses must be set afterwards. */
	refresh(): void {
		if (!this.meshes.refresh() || this.#frame === null) return;
		for (const sync of this.#syncs) sync.setFrame(this.#frame, new Set(['models']), []);
	}

	/** Drawn objects that are not instances of a mesh. */
	solids(): readonly Solid[] {
		return this.#syncs.flatMap((sync) => sync.solids?.() ?? []);
	}

	/** Returns the nearest hit of a ray among objects that are not instances of a mesh. */
	pick(ray: Ray): Hit | null {
		const hits = this.#syncs.flatMap((sync) => sync.pick?.(ray) ?? []);
		return hits.sort((a, b) => a.distance - b.distance)[0] ?? null;
	}

	/**
	 * Sets the poses between two frames. `alpha`: 0 = the previous frame, 1 = the newest; `ago`: ticks from the
	 * shown moment to the newest frame.
	 */
	setPoses(previous: BlendStart | null, next: Float32Array, alpha: number, ago = 0): void {
		this.meshes.setPoses(previous, next, alpha, ago);
		for (const sync of this.#syncs) sync.setPoses?.(previous, next, alpha, ago);
	}

	/**
	 * Sets the shared materials to the values of this stage; call it right before drawing. `lens`: three.js
	 * camera for `camera`. `width`, `height`: size of the picture (pixels).
	 */
	prepare(
		camera: FrameCamera,
		lens: Camera,
		width: number,
		height: number,
		channel: Channel,
		isCovered = false,
	): void {
		this.meshes.setChannel(channel);
		const extent = this.#extent ?? EMPTY_EXTENT;
		this.meshes.prepare(lens, height);
		for (const sync of this.#syncs)
			sync.prepare?.({ camera, lens, width, height, channel, isCovered, extent });
	}

	dispose(): void {
		this.meshes.dispose();
		for (const sync of this.#syncs) sync.dispose();
	}
}

/** Extent of a world without entities. */
const EMPTY_EXTENT = measureExtent(
	{
		ids: new Uint32Array(0),
		generations: new Uint32Array(0),
		mesh: new Uint16Array(0),
		meshes: [],
		colors: new Uint8Array(0),
		teams: new Int16Array(0),
		roles: new Uint8Array(0),
	},
	new Float32Array(0),
);
