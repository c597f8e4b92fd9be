/**
 * Objects that draw one thing of the world: each follows the blocks of frames with three.js objects.
 * Owns: the interface that the files of this folder have in common; the list of them is index.ts.
 */

import type { Camera, Object3D, Ray } from 'three/webgpu';
import type { BlockName, Channel, FrameBlocks, FrameCamera, FrameEvent } from '../../frames/frames.ts';
import type { Extent } from '../extent.ts';
import type { GpuResources } from '../gpu-resources.ts';
import type { BlendFrom } from '../interpolate.ts';
import type { EntityRef } from '../messages.ts';
import type { Meshes } from './meshes.ts';
import type { Terrains } from './terrains.ts';

/** A picture that is about to be drawn. */
export interface Picture {
	readonly camera: FrameCamera;
	/** The same camera as three.js has it. */
	readonly lens: Camera;
	/** CSS pixels. */
	readonly width: number;
	readonly height: number;
	readonly channel: Channel;
	/** In segmentation: the plate covers what is under it, as it does in color. */
	readonly isCovered: boolean;
	/** Extent of the world. */
	readonly extent: Extent;
}

/** The box round something that is drawn and is no instance of a mesh, in the world (m). */
export interface Solid extends EntityRef {
	readonly least: readonly [number, number, number];
	readonly most: readonly [number, number, number];
}

/** Object that a ray meets. */
export interface Hit extends EntityRef {
	/** Metres along the ray. */
	readonly distance: number;
}

export interface Sync {
	/** Object in the scene graph. */
	readonly object: Object3D;
	/** True if it is a sign laid over the picture, not part of the world: light and post-processing leave it alone. */
	readonly over?: true;
	/** Takes a frame; `changed` names the blocks that are not those of the frame before, `events` is what happened since. */
	setFrame(blocks: FrameBlocks, changed: ReadonlySet<BlockName>, events: readonly FrameEvent[]): void;
	/**
	 * Moves on between two frames: `alpha` 0 = the previous one, 1 = the newest, the moment being `ago` ticks before
	 * it.
	 */
	setPoses?(before: BlendFrom | null, next: Float32Array, alpha: number, ago: number): void;
	/** Settles when what the last frame names has come, or is known not to. */
	ready?(): Promise<void>;
	/** Called right before drawing. Materials shared between stages take this one's values. */
	prepare?(picture: Picture): void;
	/** Returns its solid parts, as of the last frame. */
	solids?(): readonly Solid[];
	/** Returns the nearest of it that a ray meets. */
	pick?(ray: Ray): Hit | null;
	dispose(): void;
}

/** Makes the part for one stage. `meshes` and `terrains` are what many hang on; they have taken each frame already. */
export type MakeSync = (resources: GpuResources, meshes: Meshes, terrains: Terrains) => Sync;
