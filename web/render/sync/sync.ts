/**
 * Interface of the files in this folder. Each draws one aspect of the world and follows the blocks of frames.
 * Owns: the interface; the list of its implementations is index.ts.
 */

import type { Camera, Object3D, Ray } from 'three/webgpu';
import type { BlockName, Channel, FrameBlocks, FrameCamera, FrameEvent } from '../../frames/frames.ts';
import type { Extent } from '../extent.ts';
import type { GpuResources } from '../gpu-resources.ts';
import type { BlendStart } from '../interpolate.ts';
import type { EntityRef } from '../messages.ts';
import type { Meshes } from './meshes.ts';
import type { Terrains } from './terrains.ts';

/** Settings of the next picture. */
export interface Picture {
	readonly camera: FrameCamera;
	/** Camera of three.js for `camera`. */
	readonly lens: Camera;
	/** Width in CSS pixels. */
	readonly width: number;
	/** Height in CSS pixels. */
	readonly height: number;
	readonly channel: Channel;
	/** True if the plate hides the objects under it also in segmentation. */
	readonly isCovered: boolean;
	/** Extent of the world. */
	readonly extent: Extent;
}

/** Box in the world around a drawn entity that is not an instance of a mesh (m). */
export interface Solid extends EntityRef {
	readonly least: readonly [number, number, number];
	readonly most: readonly [number, number, number];
}

/** Hit of a ray on an entity. */
export interface Hit extends EntityRef {
	/** Metres along the ray. */
	readonly distance: number;
}

export interface Sync {
	/** Object in the scene graph. */
	readonly object: Object3D;
	/** True for a sign over the picture, to which light and post-processing do not apply. */
	readonly isOver?: true;
	/**
	 * Takes a frame. `changed`: blocks that differ from the previous frame; `events`: events since that frame.
	 */
	setFrame(blocks: FrameBlocks, changed: ReadonlySet<BlockName>, events: readonly FrameEvent[]): void;
	/**
	 * Sets the moment between two frames. `alpha`: 0 = the previous frame, 1 = the newest; `ago`: ticks from
	 * the moment to the newest frame.
	 */
	setPoses?(previous: BlendStart | null, next: Float32Array, alpha: number, ago: number): void;
	/** Settles when the assets of the last frame are loaded or known to be missing. */
	ready?(): Promise<void>;
	/** Sets shared materials to the values of this stage; called right before drawing. */
	prepare?(picture: Picture): void;
	/** Returns the boxes of its entities in the last frame, if they are not instances of a mesh. */
	solids?(): readonly Solid[];
	/** Returns its nearest hit with a ray, or null. */
	pick?(ray: Ray): Hit | null;
	dispose(): void;
}

/** Creates the part for one stage. `meshes` and `terrains` get each frame before the part. */
export type MakeSync = (resources: GpuResources, meshes: Meshes, terrains: Terrains) => Sync;
