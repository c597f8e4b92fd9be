/**
 * One world set up for drawing: its entities and all that is listed in sync/. The live picture has a stage, captures another.
 * Owns: the scene graph and what it was last given. Never: talks to the engine or decides when to draw.
 */

import { type Camera, Scene } from 'three/webgpu';
import type { BlockName, Channel, FrameBlocks, FrameCamera, FrameEvent } from '../host/frames.ts';
import { type Extent, measure } from './extent.ts';
import type { GpuResources } from './gpu-resources.ts';
import type { BlendFrom } from './interpolate.ts';
import { syncs } from './sync/index.ts';
import { Meshes } from './sync/meshes.ts';
import type { Sync } from './sync/sync.ts';

export class Stage {
	readonly scene = new Scene();
	readonly meshes: Meshes;
	readonly #resources: GpuResources;
	readonly #syncs: readonly Sync[];
	#extent: Extent | null = null;

	constructor(resources: GpuResources) {
		this.#resources = resources;
		this.meshes = new Meshes(resources);
		this.#syncs = syncs.map((make) => make(resources, this.meshes));
		this.scene.backgroundNode = resources.backdrop;
		this.scene.matrixWorldAutoUpdate = true;
		this.scene.add(this.meshes.group, ...this.#syncs.map(({ object }) => object));
	}

	/** Takes a frame; `changed` names the blocks that are not those of the frame before, `events` is what happened since. */
	setFrame(blocks: FrameBlocks, changed: ReadonlySet<BlockName>, events: readonly FrameEvent[] = []): void {
		this.meshes.setFrame(blocks, changed);
		for (const sync of this.#syncs) sync.setFrame(blocks, changed, events);
		if (changed.has('poses')) this.#extent = measure(blocks.rows, blocks.poses);
	}

	/** Settles when everything that the frame names has come, or is known not to. */
	async ready(): Promise<void> {
		await this.#resources.textures.settled(this.meshes);
		this.texturesCame();
	}

	/** Draws with the textures that have come by now. */
	texturesCame(): void {
		this.meshes.refresh();
	}

	/** Fills in the poses between two frames: `alpha` 0 = the one before, 1 = the newest. */
	setPoses(before: BlendFrom | null, next: Float32Array, alpha: number): void {
		this.meshes.setPoses(before, next, alpha);
		for (const sync of this.#syncs) sync.setPoses?.(before, next, alpha);
	}

	/** Call right before drawing: materials shared between stages take this one's values. `lens` is made from `camera`; size in CSS pixels. */
	prepare(camera: FrameCamera, lens: Camera, width: number, height: number, channel: Channel): void {
		this.meshes.setChannel(channel);
		this.scene.backgroundNode = channel === 'color' ? this.#resources.backdrop : null;
		const extent = this.#extent ?? NOTHING;
		for (const sync of this.#syncs) sync.prepare?.({ camera, lens, width, height, channel, extent });
	}

	dispose(): void {
		this.meshes.dispose();
		for (const sync of this.#syncs) sync.dispose();
	}
}

const NOTHING = measure(
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
