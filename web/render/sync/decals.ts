/**
 * Decals: patches that follow the heights of the ground, one mesh each.
 * Owns: the meshes and their materials. In segmentation and depth the ground under them is drawn.
 */

import { clamp, float, length, positionWorld, smoothstep, texture, uv, vec2, vec3 } from 'three/tsl';
import {
	BufferAttribute,
	BufferGeometry,
	Color,
	Group,
	Mesh,
	MeshBasicNodeMaterial,
	MeshStandardNodeMaterial,
	type Node,
	type NodeMaterial,
	Quaternion,
	SRGBColorSpace,
	type Texture,
	Vector3,
} from 'three/webgpu';
import { alphaModeOf } from '../../../shared/media/material.ts';
import { gridSurfaceAt } from '../../../shared/media/terrain.ts';
import type { BlockName, FrameBlocks, FrameDecal } from '../../frames/frames.ts';
import type { GpuResources } from '../gpu-resources.ts';
import { grainAt } from '../grain.ts';
import { bumpNormal, occlusionShare } from '../relief.ts';
import type { Air } from '../scene/air.ts';
import type { GroundDetail } from '../terrain/detail.ts';
import { dataOf, type Textures } from '../textures.ts';
import type { Picture, Sync } from './sync.ts';
import type { Terrains } from './terrains.ts';

/** Distance between the points of a patch (m). */
const SQUARE_METRES = 0.4;
/** Maximum number of squares along a side of a patch. */
const MAX_SQUARES = 64;
/** Height above the ground (m). */
const HEIGHT_OFFSET = 0.015;

const lookKey = ({ material, size, soft }: FrameDecal): string => JSON.stringify([material, size, soft]);
const placeKey = ({ position, rotation, size }: FrameDecal): string =>
	JSON.stringify([position, rotation, size]);

/** Returns the names of a decal's textures for colours, bumps and occlusion; null for an absent texture. */
const textureNamesOf = ({
	material: { texture, normal_texture, occlusion_texture },
}: FrameDecal): readonly [string | null, string | null, string | null] => [
	texture,
	normal_texture && dataOf(normal_texture),
	occlusion_texture && dataOf(occlusion_texture),
];

/** Textures of a decal; null for missing ones and those that are not loaded. */
type Pictures = readonly [Texture | null, Texture | null, Texture | null];

/** A drawn decal. */
class DecalPatch {
	readonly look: string;
	readonly pictures: Pictures;
	readonly mesh: Mesh<BufferGeometry, NodeMaterial>;
	#placeKey: string;

	constructor(decal: FrameDecal, pictures: Pictures, { air, detail }: GpuResources, terrains: Terrains) {
		this.look = lookKey(decal);
		this.pictures = pictures;
		this.#placeKey = placeKey(decal);
		this.mesh = new Mesh(drapedGeometry(decal, terrains), materialOf(decal, pictures, air, detail));
		this.mesh.matrixAutoUpdate = false;
		this.mesh.receiveShadow = true;
		// After the ground and before water.
		this.mesh.renderOrder = 1;
	}

	/** Updates the geometry if the decal has moved. */
	moveTo(decal: FrameDecal, terrains: Terrains): void {
		const place = placeKey(decal);
		if (place === this.#placeKey) return;
		this.#placeKey = place;
		this.mesh.geometry.dispose();
		this.mesh.geometry = drapedGeometry(decal, terrains);
	}

	/** Returns true if the patch shows a decal with these loaded textures. */
	isShowing(decal: FrameDecal, pictures: Pictures): boolean {
		return (
			lookKey(decal) === this.look && pictures.every((picture, index) => picture === this.pictures[index])
		);
	}

	dispose(): void {
		this.mesh.geometry.dispose();
		this.mesh.material.dispose();
	}
}

const loadedTextures = (decal: FrameDecal, textures: Textures): Pictures =>
	textureNamesOf(decal).map((name) => name && textures.get(name)) as unknown as Pictures;

/** Returns the shape of a decal in the world, laid on the ground. */
function drapedGeometry({ position, rotation, size }: FrameDecal, terrains: Terrains): BufferGeometry {
	const [columns, rows] = size.map((side) =>
		Math.min(MAX_SQUARES, Math.max(1, Math.ceil(side / SQUARE_METRES))),
	) as [number, number];
	const turn = new Quaternion(...rotation);
	const direction = new Vector3(1, 0, 0).applyQuaternion(turn).setY(0).normalize();
	const grounds = terrains.grounds().map(({ terrain, grid }) => ({
		terrain,
		grid,
		back: new Quaternion(...terrain.rotation).conjugate(),
	}));
	const positions: number[] = [];
	const normals: number[] = [];
	const coordinates: number[] = [];
	const triangles: number[] = [];
	const local = new Vector3();
	for (let row = 0; row <= rows; row++)
		for (let column = 0; column <= columns; column++) {
			const [u, v] = [column / columns, row / rows];
			const [a, b] = [(u - 0.5) * size[0], (v - 0.5) * size[1]];
			const [x, z] = [
				position[0] + a * direction.x - b * direction.z,
				position[2] + a * direction.z + b * direction.x,
			];
			let [y, up] = [position[1], [0, 1, 0] as readonly number[]];
			for (const { terrain, grid, back } of grounds) {
				local.set(x - terrain.position[0], 0, z - terrain.position[2]).applyQuaternion(back);
				const surface = gridSurfaceAt(terrain, (over, down) => grid.heightAt(over, down), local.x, local.z);
				if (surface !== null) [y, up] = [surface.height + terrain.position[1], surface.normal];
			}
			positions.push(x, y + HEIGHT_OFFSET, z);
			normals.push(...up);
			coordinates.push(u, 1 - v);
			if (row === rows || column === columns) continue;
			const corner = row * (columns + 1) + column;
			const next = corner + columns + 1;
			triangles.push(corner, next, corner + 1, corner + 1, next, next + 1);
		}
	const geometry = new BufferGeometry();
	geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
	geometry.setAttribute('normal', new BufferAttribute(Float32Array.from(normals), 3));
	geometry.setAttribute('uv', new BufferAttribute(Float32Array.from(coordinates), 2));
	geometry.setIndex(triangles);
	return geometry;
}

function materialOf(
	{ material: look, size, soft }: FrameDecal,
	pictures: Pictures,
	air: Air,
	detail: GroundDetail,
): NodeMaterial {
	const { albedo, emissive, tile, alpha_mode } = look;
	const repeat = tile === null ? look.repeat : ([size[0] / tile, size[1] / tile] as const);
	const [picture, bumps, hollows] = pictures;
	const [red, green, blue, alpha] = albedo!;
	const decalColor = new Color().setRGB(red, green, blue, SRGBColorSpace);
	const position: Node<'vec2'> = uv().mul(vec2(...repeat));
	const pictureColor: Node<'vec4'> | null = picture === null ? null : texture(picture, position);
	const paint = vec3(decalColor.r, decalColor.g, decalColor.b);
	const isPlain = pictureColor === null && bumps === null && !look.unlit;
	const grain = isPlain ? grainAt(detail, positionWorld.xz, float(look.roughness)) : null;
	const color =
		pictureColor === null ? (grain === null ? paint : paint.mul(grain.shade)) : paint.mul(pictureColor.xyz);
	const glow = vec3(...emissive);
	const material = look.unlit ? new MeshBasicNodeMaterial() : litDecal(look, bumps, hollows, position);
	material.colorNode = look.unlit ? color.add(glow) : color;
	if (material instanceof MeshStandardNodeMaterial) material.emissiveNode = glow;
	if (grain !== null) material.normalNode = grain.normal;
	const distance = length(uv().sub(0.5)).mul(2);
	const rim: Node<'float'> =
		soft === 0 ? float(1) : float(1).sub(smoothstep(Math.max(0, 1 - soft), 1, distance));
	const coverage = pictureColor === null ? float(alpha) : pictureColor.w.mul(alpha);
	const { mode, cutoff } = alphaModeOf(alpha_mode);
	material.opacityNode = clamp(
		(mode === 'mask' ? smoothstep(cutoff - 0.01, cutoff, coverage) : coverage).mul(rim),
		0,
		1,
	);
	material.transparent = true;
	material.depthWrite = false;
	material.polygonOffset = true;
	material.polygonOffsetFactor = -2;
	material.polygonOffsetUnits = -2;
	material.outputNode = air.outputColor();
	material.name = 'decal';
	return material;
}

function litDecal(
	{ metallic, roughness, normal_scale, occlusion_strength }: FrameDecal['material'],
	bumps: Texture | null,
	hollows: Texture | null,
	position: Node<'vec2'>,
): MeshStandardNodeMaterial {
	const material = new MeshStandardNodeMaterial({ metalness: metallic, roughness });
	if (bumps !== null)
		material.normalNode = bumpNormal(texture(bumps, position).xyz, position, vec2(normal_scale));
	if (hollows !== null)
		material.aoNode = occlusionShare(texture(hollows, position), float(occlusion_strength));
	return material;
}

export class Decals implements Sync {
	readonly object = new Group();
	readonly #resources: GpuResources;
	readonly #terrains: Terrains;
	/** Patches by the ids of their entities. */
	readonly #patches = new Map<number, DecalPatch>();
	#decals: readonly FrameDecal[] = [];

	constructor(resources: GpuResources, terrains: Terrains) {
		this.#resources = resources;
		this.#terrains = terrains;
	}

	setFrame({ decals }: FrameBlocks, changed: ReadonlySet<BlockName>): void {
		if (changed.has('terrains') && this.#terrains.changedAreas.length > 0) this.#clear();
		else if (!changed.has('decals')) return;
		this.#decals = decals;
		const names = decals.flatMap((decal) => textureNamesOf(decal).filter((name) => name !== null));
		this.#resources.textures.use(this, new Set(names));
		this.#updatePatches();
	}

	/** Settles when the textures of the last frame are loaded. */
	ready(): Promise<void> {
		return this.#resources.textures.waitFor(this);
	}

	prepare({ channel }: Picture): void {
		this.object.visible = channel === 'color';
		// A texture may have loaded since the last picture.
		const { textures } = this.#resources;
		if (
			this.#decals.some(
				(decal) => this.#patches.get(decal.id)?.isShowing(decal, loadedTextures(decal, textures)) === false,
			)
		)
			this.#updatePatches();
	}

	dispose(): void {
		this.#resources.textures.use(this, new Set());
		this.#clear();
	}

	/** Creates missing and changed patches, moves the others, and frees those without a decal. */
	#updatePatches(): void {
		const { textures } = this.#resources;
		const decalById = new Map(this.#decals.map((decal) => [decal.id, decal]));
		for (const [id, patch] of this.#patches) {
			const decal = decalById.get(id);
			const isSame = decal !== undefined && patch.isShowing(decal, loadedTextures(decal, textures));
			if (isSame) patch.moveTo(decal, this.#terrains);
			else this.#free(id, patch);
		}
		for (const [id, decal] of decalById) {
			if (this.#patches.has(id)) continue;
			const patch = new DecalPatch(decal, loadedTextures(decal, textures), this.#resources, this.#terrains);
			this.#patches.set(id, patch);
			this.object.add(patch.mesh);
		}
	}

	#free(id: number, patch: DecalPatch): void {
		this.object.remove(patch.mesh);
		patch.dispose();
		this.#patches.delete(id);
	}

	#clear(): void {
		for (const [id, patch] of this.#patches) this.#free(id, patch);
	}
}
