/**
 * What draws one thing of the world: it follows the blocks of frames with three.js objects.
 * Owns: the interface that the files of this folder have in common; the list of them is index.ts.
 */

import type { Camera, Object3D } from 'three/webgpu';
import type { BlockName, Channel, FrameBlocks, FrameCamera, FrameEvent } from '../../host/frames.ts';
import type { Extent } from '../extent.ts';
import type { GpuResources } from '../gpu-resources.ts';
import type { BlendFrom } from '../interpolate.ts';
import type { Meshes } from './meshes.ts';

/** A picture that is about to be drawn. */
export interface Picture {
	readonly camera: FrameCamera;
	/** The same camera as three.js has it. */
	readonly lens: Camera;
	/** CSS pixels. */
	readonly width: number;
	readonly height: number;
	readonly channel: Channel;
	/** How far the world reaches. */
	readonly extent: Extent;
}

export interface Sync {
	/** What is in the scene graph. */
	readonly object: Object3D;
	/** Takes a frame; `changed` names the blocks that are not those of the frame before, `events` is what happened since. */
	setFrame(blocks: FrameBlocks, changed: ReadonlySet<BlockName>, events: readonly FrameEvent[]): void;
	/** Moves on between two frames: `alpha` 0 = the one before, 1 = the newest. */
	setPoses?(before: BlendFrom | null, next: Float32Array, alpha: number): void;
	/** Called right before drawing. Materials shared between stages take this one's values. */
	prepare?(picture: Picture): void;
	dispose(): void;
}

/** Makes the part for one stage. `meshes` are the drawn entities, which many hang on; they have taken each frame already. */
export type MakeSync = (resources: GpuResources, meshes: Meshes) => Sync;
