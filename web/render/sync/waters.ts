/**
 * Waters: one flat grid for each area, fine enough for its waves.
 * Owns: the meshes, and the depths under them, which are computed again when water or ground changes.
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

/** Squares of a mesh along the shortest wave, and maximum of squares along a side. */
const SQUARES_PER_WAVE = 4;
const MAX_SQUARES = 128;
/** Maximum number of drawn areas. */
const MAX_SHEETS = 64;
/** Thickness of the box around water, so that it does not count as a floor (m). */
const THICKNESS = 0.02;

/** Ripples of liquids that are shapes, whose flow is not known. */
const STILL = { flow: [0, 0], wave_speed: 1 } as const;

/** A drawn area of water. */
class Sheet {
	readonly mesh: Mesh;
	water: FrameWater;
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
		this.materials = new WaterMaterials(bottom, water.level, air, groundPlane, isMirror);
		this.mesh = new Mesh(sheetOf(water, area));
		this.mesh.receiveShadow = true;
		if (this.materials.plane !== null) this.mesh.add(this.materials.plane);
		// After the ground, before particles.
		this.mesh.renderOrder = 2;
		this.take(water);
	}

	/** Takes new settings of the water; the settings in its key must be the same. */
	take(water: FrameWater): void {
		this.water = water;
		this.mesh.position.set(this.area.minX, water.level, this.area.minZ);
		this.materials.set(water, this.area);
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

/** Returns a flat grid from the corner of an area. */
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
	/** By what their meshes and depths are made from. */
	readonly #sheets = new Map<string, Sheet>();
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
		if (changed.has('terrains') && isOver) this.#clear();
		else if (!changed.has('waters')) return;
		this.#show(waters);
	}

	setPoses(_before: BlendFrom | null, _next: Float32Array, _alpha: number, ago: number): void {
		this.#ago = ago;
	}

	prepare({ camera, channel }: Picture): void {
		const seconds = (this.#tick - this.#ago) / TICKS_PER_SECOND;
		this.#resources.ripples.setTime(STILL, seconds);
		for (const { mesh, materials, water } of this.#sheets.values()) {
			mesh.material = materials.of(channel, camera.orthographic);
			// Water is not visible from below.
			mesh.visible = camera.orthographic || camera.eye[1] > water.level - water.wave_height;
			materials.setTime(water, seconds);
		}
	}

	solids(): readonly Solid[] {
		return [...this.#sheets.values()].map((sheet) => sheet.solid());
	}

	pick(ray: Ray): Hit | null {
		const hits = [...this.#sheets.values()].flatMap((sheet) => sheet.hit(ray) ?? []);
		return hits.sort((a, b) => a.distance - b.distance)[0] ?? null;
	}

	dispose(): void {
		this.#clear();
	}

	/** Updates the sheets to these waters, and keeps those that fit. */
	#show(waters: readonly FrameWater[]): void {
		const mirror = waters.find((water) => water.mirror);
		const wanted = new Map<string, { water: FrameWater; area: Area; isMirror: boolean }>();
		for (const water of waters)
			for (const area of water.areas) {
				if (area.maxX <= area.minX || area.maxZ <= area.minZ || wanted.size === MAX_SHEETS) continue;
				const isMirror = water === mirror && area === water.areas[0];
				const { id, generation, wave_height, wave_length } = water;
				const form = { id, generation, area, isMirror, isCalm: wave_height === 0, wave_length };
				wanted.set(JSON.stringify(form), { water, area, isMirror });
			}
		for (const [key, sheet] of this.#sheets) if (!wanted.has(key)) this.#free(key, sheet);
		for (const [key, { water, area, isMirror }] of wanted) {
			const held = this.#sheets.get(key);
			held?.take(water);
			if (held !== undefined) continue;
			const sheet = new Sheet(water, area, isMirror, this.#resources, this.#terrains);
			this.#sheets.set(key, sheet);
			this.object.add(sheet.mesh);
		}
	}

	#free(key: string, sheet: Sheet): void {
		this.object.remove(sheet.mesh);
		sheet.dispose();
		this.#sheets.delete(key);
	}

	#clear(): void {
		for (const [key, sheet] of this.#sheets) this.#free(key, sheet);
	}
}
