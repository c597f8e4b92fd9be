/**
 * Waters: one level mesh for each area, fine enough for its waves.
 * Owns: the meshes, and the depths under them, which are worked out again where water or ground changed.
 */

import { BufferAttribute, BufferGeometry, Group, Mesh, type Ray } from 'three/webgpu';
import { TICKS_PER_SECOND } from '../../../shared/contract/ticks.ts';
import { WAVES } from '../../../shared/media/water.ts';
import type { BlockName, FrameBlocks, FrameWater } from '../../frames/frames.ts';
import type { GpuResources } from '../gpu-resources.ts';
import type { BlendFrom } from '../interpolate.ts';
import { bottomOf } from '../water/bottom.ts';
import { WaterMaterials } from '../water/material.ts';
import type { Hit, Picture, Solid, Sync } from './sync.ts';
import type { Terrains } from './terrains.ts';

type Area = FrameWater['areas'][number];

/** Squares of a mesh along the shortest wave, and most squares along a side. */
const SQUARES_PER_WAVE = 4;
const MAX_SQUARES = 128;
/** Largest number of areas that are drawn. */
const MAX_SHEETS = 64;
/** Thickness of the box round it, so that it is no floor (m). */
const THICKNESS = 0.02;

/** One area of water as it is drawn. */
class Sheet {
	readonly mesh: Mesh;
	readonly water: FrameWater;
	readonly area: Area;
	readonly materials: WaterMaterials;

	constructor(
		water: FrameWater,
		area: Area,
		isMirror: boolean,
		{ air, groundPlane }: GpuResources,
		terrains: Terrains,
	) {
		this.water = water;
		this.area = area;
		const bottom = bottomOf(water.level, area, terrains);
		this.materials = new WaterMaterials(bottom, air, groundPlane, isMirror);
		this.materials.set(water, area);
		this.mesh = new Mesh(sheetOf(water, area));
		this.mesh.position.set(area.minX, water.level, area.minZ);
		this.mesh.receiveShadow = true;
		if (this.materials.plane !== null) this.mesh.add(this.materials.plane);
		// After the ground, before particles.
		this.mesh.renderOrder = 2;
	}

	solid(): Solid {
		const { id, generation, level } = this.water;
		const { minX, minZ, maxX, maxZ } = this.area;
		return { id, generation, least: [minX, level - THICKNESS, minZ], most: [maxX, level, maxZ] };
	}

	hit({ origin, direction }: Ray): Hit | null {
		const { id, generation, level } = this.water;
		const distance = (level - origin.y) / direction.y;
		if (!(distance >= 0 && distance < Infinity) || direction.y > 0) return null;
		const [x, z] = [origin.x + direction.x * distance, origin.z + direction.z * distance];
		const { minX, minZ, maxX, maxZ } = this.area;
		return x < minX || x > maxX || z < minZ || z > maxZ ? null : { id, generation, distance };
	}

	dispose(): void {
		this.mesh.geometry.dispose();
		this.materials.dispose();
	}
}

/** A flat grid from the corner of an area. */
function sheetOf({ wave_height, wave_length }: FrameWater, { minX, minZ, maxX, maxZ }: Area): BufferGeometry {
	const [wide, deep] = [maxX - minX, maxZ - minZ];
	const shortest = wave_length * Math.min(...WAVES.map(({ length }) => length));
	const along = (metres: number): number =>
		wave_height === 0
			? 1
			: Math.min(MAX_SQUARES, Math.max(1, Math.ceil((metres * SQUARES_PER_WAVE) / shortest)));
	const [columns, rows] = [along(wide), along(deep)];
	const positions = new Float32Array((columns + 1) * (rows + 1) * 3);
	const normals = new Float32Array(positions.length);
	const triangles: number[] = [];
	for (let row = 0; row <= rows; row++)
		for (let column = 0; column <= columns; column++) {
			const at = row * (columns + 1) + column;
			positions.set([(wide * column) / columns, 0, (deep * row) / rows], at * 3);
			normals[at * 3 + 1] = 1;
			if (row === rows || column === columns) continue;
			const next = at + columns + 1;
			triangles.push(at, next, at + 1, at + 1, next, next + 1);
		}
	const geometry = new BufferGeometry();
	geometry.setAttribute('position', new BufferAttribute(positions, 3));
	geometry.setAttribute('normal', new BufferAttribute(normals, 3));
	geometry.setIndex(triangles);
	return geometry;
}

export class Waters implements Sync {
	readonly object = new Group();
	readonly #resources: GpuResources;
	readonly #terrains: Terrains;
	#sheets: Sheet[] = [];
	#waters: readonly FrameWater[] = [];
	#tick = 0;
	#ago = 0;

	constructor(resources: GpuResources, terrains: Terrains) {
		this.#resources = resources;
		this.#terrains = terrains;
	}

	setFrame({ waters, tick }: FrameBlocks, changed: ReadonlySet<BlockName>): void {
		this.#tick = tick;
		const isOver = this.#terrains.others.some((ground) =>
			waters.some(({ areas }) =>
				areas.some(
					({ minX, minZ, maxX, maxZ }) =>
						ground.least[0] <= maxX &&
						ground.most[0] >= minX &&
						ground.least[1] <= maxZ &&
						ground.most[1] >= minZ,
				),
			),
		);
		const isNew = changed.has('waters') && JSON.stringify(waters) !== JSON.stringify(this.#waters);
		if (!isNew && !(changed.has('terrains') && isOver)) return;
		this.#waters = waters;
		this.#clear();
		const mirror = waters.find((water) => water.mirror);
		const areas = waters.flatMap((water) => water.areas.map((area) => ({ water, area })));
		this.#sheets = areas
			.filter(({ area: { minX, maxX, minZ, maxZ } }) => maxX > minX && maxZ > minZ)
			.slice(0, MAX_SHEETS)
			.map(({ water, area }) => {
				const isMirror = water === mirror && area === water.areas[0];
				return new Sheet(water, area, isMirror, this.#resources, this.#terrains);
			});
		for (const { mesh } of this.#sheets) this.object.add(mesh);
	}

	setPoses(_before: BlendFrom | null, _next: Float32Array, _alpha: number, ago: number): void {
		this.#ago = ago;
	}

	prepare({ camera, channel }: Picture): void {
		const seconds = (this.#tick - this.#ago) / TICKS_PER_SECOND;
		for (const { mesh, materials, water } of this.#sheets) {
			mesh.material = materials.of(channel);
			// From below there is nothing to see of it.
			mesh.visible = camera.orthographic || camera.eye[1] > water.level - water.wave_height;
			materials.setTime(water, seconds);
		}
	}

	solids(): readonly Solid[] {
		return this.#sheets.map((sheet) => sheet.solid());
	}

	pick(ray: Ray): Hit | null {
		const hits = this.#sheets.flatMap((sheet) => sheet.hit(ray) ?? []);
		return hits.sort((a, b) => a.distance - b.distance)[0] ?? null;
	}

	dispose(): void {
		this.#clear();
	}

	#clear(): void {
		for (const sheet of this.#sheets) {
			this.object.remove(sheet.mesh);
			sheet.dispose();
		}
		this.#sheets = [];
	}
}
