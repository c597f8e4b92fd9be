/**
 * Models of the world's assets, ready to be drawn as instances.
 * Owns: what a model is here. What makes one of bytes is loaded when a scene first needs it.
 */

import type {
	BufferAttribute,
	BufferGeometry,
	Color,
	DataTexture,
	MeshPhysicalMaterial,
	Texture,
} from 'three/webgpu';
import type { Detail } from './detail-level.ts';
import { Held } from './held.ts';
import { PixelRoom } from './pixel-room.ts';
import type { Rig, Track } from './pose.ts';
import type { AssetBytes } from './textures.ts';

/** Look of the surface of a part. Numbers are factors of the maps. */
export interface PartLook {
	/** Linear. */
	readonly color: Color;
	/** True if the colour of the entity is laid over its own. */
	readonly painted: boolean;
	readonly map: Texture | null;
	readonly metallic: number;
	readonly roughness: number;
	/** Roughness in green, metal in blue. */
	readonly roughMap: Texture | null;
	/** Linear, with its strength. */
	readonly emissive: Color;
	readonly emissiveMap: Texture | null;
	readonly normalMap: Texture | null;
	readonly normalScale: number;
	/** Occlusion in red. */
	readonly occlusionMap: Texture | null;
	readonly occlusion: number;
	/** It has its own colour in every light. */
	readonly unlit: boolean;
	/** Clearcoat, sheen, transmission and similar ones; null for a part that has none. */
	readonly physical: MeshPhysicalMaterial | null;
	/** Colours are at the vertices. */
	readonly tinted: boolean;
	readonly doubleSided: boolean;
	readonly alpha: 'opaque' | 'mask' | 'blend';
	readonly opacity: number;
	readonly cutoff: number;
}

/** Effect of a rig's weights on the vertices of a part. */
export interface Morph {
	/** Movement of each vertex by each target: texels of place and, if there are two, of normal. */
	readonly deltas: DataTexture;
	/** Texels in a row. */
	readonly width: number;
	readonly targets: number;
	/** Texels of a target and vertex. */
	readonly texels: 1 | 2;
	/** Index of the rig's weight for the first target. */
	readonly first: number;
}

/** All of a model that has one surface, a mesh with morph targets by itself: one draw, whatever the number of instances. */
export interface ModelPart {
	/** Of this part alone. */
	readonly key: string;
	/** `position`, `normal`, whose length is the share of light that reaches the vertex, and, if the model has them, `uv` to `uv3` and `color`; indexed. With a rig also `skinIndex` and `skinWeight`: then places are those at the bones. */
	readonly geometry: BufferGeometry;
	/** Positions of its vertices at rest; null if `geometry` has them. */
	readonly rest: BufferAttribute | null;
	readonly look: PartLook;
	/** Null if its vertices follow bones alone. */
	readonly morph: Morph | null;
	/** Corners of the triangles of each coarser level of detail, the finest first. */
	readonly levels: readonly BufferAttribute[];
	/** Bones that a vertex follows, at most. */
	readonly bonesEach: number;
	/** True if a clip can turn it inside out: both of its sides are drawn, and its triangles are as the file has them. */
	readonly flips: boolean;
}

export interface DrawnModel {
	readonly parts: readonly ModelPart[];
	/** Moving parts within it; null if none can move. */
	readonly rig: Rig | null;
	/** The tracks of each clip of the file. */
	readonly clips: readonly (readonly Track[])[];
	/** All its triangles at rest, for rays and outlines. */
	readonly solid: BufferGeometry;
	/** Reach from its entity at rest, along each axis (m). */
	readonly reach: readonly [number, number, number];
	/** Coarser levels of all its parts. */
	readonly detail: Detail;
	/** Gives its memory on the device back. */
	dispose(): void;
}

export class Models extends Held<DrawnModel> {
	constructor(bytes: AssetBytes, room = new PixelRoom()) {
		super(
			async (hash, undecodable) => {
				const content = await bytes(hash);
				if (content === null) return null;
				const { loadModel } = await import('./model-loader.ts');
				const model = await room.inTurn(() => loadModel(content, room));
				if (model === null) undecodable(hash);
				return model;
			},
			(model) => model.dispose(),
		);
	}
}
