/**
 * Waters: one flat grid for each area, fine enough for its waves.
 * Owns: the meshes, and the depths under them, which are computed again when water or ground changes.
 */

import { BufferAttribute, BufferGeometry, Group, Mesh, type Ray } from 'three/webgpu';
import { TICKS_PER_SECOND } from '../../../shared/contract/ticks.ts';
import { WAVES } from '../../../shared/media/water.ts';
import type { BlockName, FrameBlocks, FrameWater } from '../../frames/frames.ts';
import type { GpuResources } from '../gpu-resources.ts';
import type { BlendStart } from '../interpolate.ts';
import { bottomOf } from '../water/bottom.ts';
import { WaterMaterials } from '../water/material.ts';
import type { Hit, Picture, Solid, Sync } from './sync.ts';
import type { Terrains } from './terrains.ts';

type Area = FrameWater['areas'][number];

/** Squares of a mesh along the shortest wave. */
const SQUARES_PER_WAVE = 4;
/** Maximum number of squares along a side of a mesh. */
const MAX_SQUARES = 128;
/** Maximum number of drawn areas. */
const MAX_SHEETS = 64;
/** Thickness of the box around water, so that it does not count as a floor (m). */
const THICKNESS = 0.02;

/** Ripples of liquids that are shapes, whose flow is not known. */
const STILL = { flow: [0, 0], wave_speed: 1 } as const;

/** A drawn area of water. */
class WaterSheet {
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
		this.mesh = new Mesh(sheetGeometry(water, area));
		this.mesh.receiveShadow = true;
		if (this.materials.plane !== null) this.mesh.add(this.materials.plane);
		// After the ground, before particles.
		this.mesh.renderOrder = 2;
		this.update(water);
	}

	/** Applies new settings of the water. The settings in its key must be the same. */
	update(water: FrameWater): void {
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
function sheetGeometry(
	{ wave_height, wave_length }: FrameWater,
	{ minX, minZ, maxX, maxZ }: Area,
): BufferGeometry {
	const [width, depth] = [maxX - minX, maxZ - minZ];
	const shortest = wave_length * Math.min(...WAVES.map(({ length }) => length));
	const squaresAlong = (metres: number): number =>
		wave_height === 0
			? 1
			: Math.min(MAX_SQUARES, Math.max(1, Math.ceil((metres * SQUARES_PER_WAVE) / shortest)));
	const [columns, rows] = [squaresAlong(width), squaresAlong(depth)];
	const positions = new Float32Array((columns + 1) * (rows + 1) * 3);
	const normals = new Float32Array(positions.length);
	const triangles: number[] = [];
	for (let row = 0; row <= rows; row++)
		for (let column = 0; column <= columns; column++) {
			const corner = row * (columns + 1) + column;
			positions.set([(width * column) / columns, 0, (depth * row) / rows], corner * 3);
			normals[corner * 3 + 1] = 1;
			if (row === rows || column === columns) continue;
			const cornerBelow = corner + columns + 1;
			triangles.push(corner, cornerBelow, corner + 1, corner + 1, cornerBelow, cornerBelow + 1);
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
	/** Sheets by the settings on which their meshes and depths depend. */
	readonly #sheets = new Map<string, WaterSheet>();
	#tick = 0;
	#ago = 0;

	constructor(resources: GpuResources, terrains: Terrains) {
		this.#resources = resources;
		this.#terrains = terrains;
	}

	setFrame({ waters, tick }: FrameBlocks, changed: ReadonlySet<BlockName>): void {
		this.#tick = tick;
		const hasNewGround = this.#terrains.changedAreas.some((ground) =>
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
		if (changed.has('terrains') && hasNewGround) this.#clear();
		else if (!changed.has('waters')) return;
		this.#updateSheets(waters);
	}

	setPoses(_before: BlendStart | null, _next: Float32Array, _alpha: number, ago: number): void {
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

	/** Updates the sheets to these waters, and keeps matching sheets. */
	#updateSheets(waters: readonly FrameWater[]): void {
		const mirror = waters.find((water) => water.mirror);
		const sheetByKey = new Map<string, { water: FrameWater; area: Area; isMirror: boolean }>();
		for (const water of waters)
			for (const area of water.areas) {
				if (area.maxX <= area.minX || area.maxZ <= area.minZ || sheetByKey.size === MAX_SHEETS) continue;
				const isMirror = water === mirror && area === water.areas[0];
				const { id, generation, wave_height, wave_length } = water;
				const keyParts = { id, generation, area, isMirror, isCalm: wave_height === 0, wave_length };
				sheetByKey.set(JSON.stringify(keyParts), { water, area, isMirror });
			}
		for (const [key, sheet] of this.#sheets) if (!sheetByKey.has(key)) this.#free(key, sheet);
		for (const [key, { water, area, isMirror }] of sheetByKey) {
			const held = this.#sheets.get(key);
			held?.update(water);
			if (held !== undefined) continue;
			const sheet = new WaterSheet(water, area, isMirror, this.#resources, this.#terrains);
			this.#sheets.set(key, sheet);
			this.object.add(sheet.mesh);
		}
	}

	#free(key: string, sheet: WaterSheet): void {
		this.object.remove(sheet.mesh);
		sheet.dispose();
		this.#sheets.delete(key);
	}

	#clear(): void {
		for (const [key, sheet] of this.#sheets) this.#free(key, sheet);
	}
}
