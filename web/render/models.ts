/**
 * Models of the world's assets, ready to be drawn as instances.
 * Owns: the type of a drawn model. The code of the loader is loaded at its first use.
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
import { AssetCache } from './held.ts';
import { PixelBudget } from './pixel-room.ts';
import type { Rig, Track } from './pose.ts';
import type { AssetBytes } from './textures.ts';

/** Look of the surface of a part. Numbers are factors of the maps. */
export interface PartLook {
	/** Linear RGB. */
	readonly color: Color;
	/** True if the colour of the entity is multiplied with the colour of the surface. */
	readonly isPainted: boolean;
	readonly map: Texture | null;
	readonly metallic: number;
	readonly roughness: number;
	/** Roughness in green, metallic in blue. */
	readonly roughMap: Texture | null;
	/** Linear RGB, multiplied by its strength. */
	readonly emissive: Color;
	readonly emissiveMap: Texture | null;
	readonly normalMap: Texture | null;
	readonly normalScale: number;
	/** Occlusion in red. */
	readonly occlusionMap: Texture | null;
	readonly occlusion: number;
	/** True if its colour does not depend on light. */
	readonly isUnlit: boolean;
	/** Clearcoat, sheen, transmission and similar properties; null without them. */
	readonly physical: MeshPhysicalMaterial | null;
	/** True if the part has vertex colours. */
	readonly hasVertexColors: boolean;
	readonly isDoubleSided: boolean;
	readonly alpha: 'opaque' | 'mask' | 'blend';
	readonly opacity: number;
	readonly cutoff: number;
}

/** Effect of a rig's weights on the vertices of a part. */
export interface Morph {
	/**
	 * Displacement of each vertex by each target: one texel for the position and, if `texels` is 2, one for the
	 * normal.
	 */
	readonly deltas: DataTexture;
	/** Texels per row. */
	readonly width: number;
	readonly targets: number;
	/** Texels per target and vertex. */
	readonly texels: 1 | 2;
	/** Index of the rig's weight for the first target. */
	readonly firstWeight: number;
}

/**
 * All triangles of a model with one surface. A mesh with morph targets has a part of its own. All instances
 * need one draw call.
 */
export interface ModelPart {
	/** Unique key. */
	readonly key: string;
	/**
	 * Indexed, with `position`, and `normal`, whose length is the share of light at the vertex. If the model
	 * has them, also `uv` to `uv3` and `color`. With a rig also `skinIndex` and `skinWeight`; positions are
	 * then relative to the bones.
	 */
	readonly geometry: BufferGeometry;
	/** Positions of its vertices at rest; null if `geometry` has them. */
	readonly rest: BufferAttribute | null;
	readonly look: PartLook;
	/** Moving morph targets; null without them. */
	readonly morph: Morph | null;
	/** Vertex indices of the triangles of each coarser level of detail, the finest first. */
	readonly levels: readonly BufferAttribute[];
	/** Maximum number of bones of a vertex. */
	readonly bonesPerVertex: number;
	/**
	 * True if a clip can turn the part inside out. Then both sides are drawn, and the triangles are unchanged.
	 */
	readonly canFlip: boolean;
}

export interface DrawnModel {
	readonly parts: readonly ModelPart[];
	/** Moving nodes; null if none can move. */
	readonly rig: Rig | null;
	/** Tracks of each clip of the file. */
	readonly clips: readonly (readonly Track[])[];
	/** All its triangles at rest, for rays and outlines. */
	readonly solid: BufferGeometry;
	/** Maximum distance from its entity at rest, along each axis (m). */
	readonly reach: readonly [number, number, number];
	/** Coarser levels of all its parts. */
	readonly detail: Detail;
	/** Frees its GPU memory. */
	dispose(): void;
}

export class Models extends AssetCache<DrawnModel> {
	constructor(bytes: AssetBytes, room = new PixelBudget()) {
		super(
			async (hash, onUndecodable) => {
				const content = await bytes(hash);
				if (content === null) return null;
				const { loadModel } = await import('./model-loader.ts');
				const model = await room.runInOrder(() => loadModel(content, room));
				if (model === null) onUndecodable(hash);
				return model;
			},
			(model) => model.dispose(),
		);
	}
}
