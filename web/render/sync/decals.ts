/**
 * Decals: patches on the ground, one mesh each, bent to its heights.
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
import { bumpy, unshut } from '../relief.ts';
import type { Air } from '../scene/air.ts';
import type { GroundDetail } from '../terrain/detail.ts';
import { dataOf, type Textures } from '../textures.ts';
import type { Picture, Sync } from './sync.ts';
import type { Terrains } from './terrains.ts';

/** Distance between the points of a patch (m), and maximum of its squares along a side. */
const SQUARE_METRES = 0.4;
const MAX_SQUARES = 64;
/** Height above the ground (m). */
const LIFT = 0.015;

const lookOf = ({ material, size, soft }: FrameDecal): string => JSON.stringify([material, size, soft]);
const placeOf = ({ position, rotation, size }: FrameDecal): string =>
	JSON.stringify([position, rotation, size]);

/** Returns the names of a decal's textures for colours, bumps and occlusion; null for an absent texture. */
const namesOf = ({
	material: { texture, normal_texture, occlusion_texture },
}: FrameDecal): readonly [string | null, string | null, string | null] => [
	texture,
	normal_texture && dataOf(normal_texture),
	occlusion_texture && dataOf(occlusion_texture),
];

/** Loaded textures of a decal; null for the others. */
type Pictures = readonly [Texture | null, Texture | null, Texture | null];

/** A drawn decal. */
class Patch {
	readonly look: string;
	readonly pictures: Pictures;
	readonly mesh: Mesh<BufferGeometry, NodeMaterial>;
	#place: string;

	constructor(decal: FrameDecal, pictures: Pictures, { air, detail }: GpuResources, terrains: Terrains) {
		this.look = lookOf(decal);
		this.pictures = pictures;
		this.#place = placeOf(decal);
		this.mesh = new Mesh(draped(decal, terrains), materialOf(decal, pictures, air, detail));
		this.mesh.matrixAutoUpdate = false;
		this.mesh.receiveShadow = true;
		// After the ground and before water.
		this.mesh.renderOrder = 1;
	}

	/** Moves the patch to the place of the decal. */
	lay(decal: FrameDecal, terrains: Terrains): void {
		const place = placeOf(decal);
		if (place === this.#place) return;
		this.#place = place;
		this.mesh.geometry.dispose();
		this.mesh.geometry = draped(decal, terrains);
	}

	/** Returns true if the patch shows a decal with these loaded textures. */
	shows(decal: FrameDecal, pictures: Pictures): boolean {
		return lookOf(decal) === this.look && pictures.every((picture, at) => picture === this.pictures[at]);
	}

	dispose(): void {
		this.mesh.geometry.dispose();
		this.mesh.material.dispose();
	}
}

const come = (decal: FrameDecal, textures: Textures): Pictures =>
	namesOf(decal).map((name) => name && textures.get(name)) as unknown as Pictures;

/** Returns the shape of a decal in the world, laid on the ground. */
function draped({ position, rotation, size }: FrameDecal, terrains: Terrains): BufferGeometry {
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
	const places: number[] = [];
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
				const found = gridSurfaceAt(terrain, (over, down) => grid.at(over, down), local.x, local.z);
				if (found !== null) [y, up] = [found.height + terrain.position[1], found.normal];
			}
			positions.push(x, y + LIFT, z);
			normals.push(...up);
			places.push(u, 1 - v);
			if (row === rows || column === columns) continue;
			const at = row * (columns + 1) + column;
			const next = at + columns + 1;
			triangles.push(at, next, at + 1, at + 1, next, next + 1);
		}
	const geometry = new BufferGeometry();
	geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
	geometry.setAttribute('normal', new BufferAttribute(Float32Array.from(normals), 3));
	geometry.setAttribute('uv', new BufferAttribute(Float32Array.from(places), 2));
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
	const own = new Color().setRGB(red, green, blue, SRGBColorSpace);
	const position: Node<'vec2'> = uv().mul(vec2(...repeat));
	const laid: Node<'vec4'> | null = picture === null ? null : texture(picture, position);
	const paint = vec3(own.r, own.g, own.b);
	const isPlain = laid === null && bumps === null && !look.unlit;
	const grain = isPlain ? grainAt(detail, positionWorld.xz, float(look.roughness)) : null;
	const color = laid === null ? (grain === null ? paint : paint.mul(grain.shade)) : paint.mul(laid.xyz);
	const glow = vec3(...emissive);
	const material = look.unlit ? new MeshBasicNodeMaterial() : litDecal(look, bumps, hollows, position);
	material.colorNode = look.unlit ? color.add(glow) : color;
	if (material instanceof MeshStandardNodeMaterial) material.emissiveNode = glow;
	if (grain !== null) material.normalNode = grain.normal;
	const away = length(uv().sub(0.5)).mul(2);
	const rim: Node<'float'> = soft === 0 ? float(1) : float(1).sub(smoothstep(Math.max(0, 1 - soft), 1, away));
	const shown = laid === null ? float(alpha) : laid.w.mul(alpha);
	const { mode, cutoff } = alphaModeOf(alpha_mode);
	material.opacityNode = clamp(
		(mode === 'mask' ? smoothstep(cutoff - 0.01, cutoff, shown) : shown).mul(rim),
		0,
		1,
	);
	material.transparent = true;
	material.depthWrite = false;
	material.polygonOffset = true;
	material.polygonOffsetFactor = -2;
	material.polygonOffsetUnits = -2;
	material.outputNode = air.finished();
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
	if (bumps !== null) material.normalNode = bumpy(texture(bumps, position).xyz, position, vec2(normal_scale));
	if (hollows !== null) material.aoNode = unshut(texture(hollows, position), float(occlusion_strength));
	return material;
}

export class Decals implements Sync {
	readonly object = new Group();
	readonly #resources: GpuResources;
	readonly #terrains: Terrains;
	/** By the ids of entities. */
	readonly #patches = new Map<number, Patch>();
	#decals: readonly FrameDecal[] = [];

	constructor(resources: GpuResources, terrains: Terrains) {
		this.#resources = resources;
		this.#terrains = terrains;
	}

	setFrame({ decals }: FrameBlocks, changed: ReadonlySet<BlockName>): void {
		if (changed.has('terrains') && this.#terrains.others.length > 0) this.#clear();
		else if (!changed.has('decals')) return;
		this.#decals = decals;
		const names = decals.flatMap((decal) => namesOf(decal).filter((name) => name !== null));
		this.#resources.textures.use(this, new Set(names));
		this.#draw();
	}

	/** Settles when the textures of the last frame are loaded. */
	ready(): Promise<void> {
		return this.#resources.textures.settled(this);
	}

	prepare({ channel }: Picture): void {
		this.object.visible = channel === 'color';
		// A texture may have loaded since the last picture.
		const { textures } = this.#resources;
		if (
			this.#decals.some((decal) => this.#patches.get(decal.id)?.shows(decal, come(decal, textures)) === false)
		)
			this.#draw();
	}

	dispose(): void {
		this.#resources.textures.use(this, new Set());
		this.#clear();
	}

	/** Makes missing and changed patches, moves the others, and frees those without a decal. */
	#draw(): void {
		const { textures } = this.#resources;
		const wanted = new Map(this.#decals.map((decal) => [decal.id, decal]));
		for (const [id, patch] of this.#patches) {
			const decal = wanted.get(id);
			const isSame = decal !== undefined && patch.shows(decal, come(decal, textures));
			if (isSame) patch.lay(decal, this.#terrains);
			else this.#free(id, patch);
		}
		for (const [id, decal] of wanted) {
			if (this.#patches.has(id)) continue;
			const patch = new Patch(decal, come(decal, textures), this.#resources, this.#terrains);
			this.#patches.set(id, patch);
			this.object.add(patch.mesh);
		}
	}

	#free(id: number, patch: Patch): void {
		this.object.remove(patch.mesh);
		patch.dispose();
		this.#patches.delete(id);
	}

	#clear(): void {
		for (const [id, patch] of this.#patches) this.#free(id, patch);
	}
}
