/**
 * Terrains: one mesh for each chunk, with more detail near the camera.
 * Owns: the vertices, which are rebuilt where an edit reaches them, and the level of each chunk in each
 * picture.
 */

import {
	Box3,
	BufferAttribute,
	BufferGeometry,
	Group,
	Matrix4,
	Mesh,
	type Ray,
	Sphere,
	Uint8BufferAttribute,
	Vector3,
} from 'three/webgpu';
import { chunkPlace, chunksAcross } from '../../../shared/media/terrain.ts';
import type { BlockName, FrameBlocks, FrameCamera, FrameTerrain } from '../../frames/frames.ts';
import { segmentationColor } from '../channels.ts';
import type { GpuResources } from '../gpu-resources.ts';
import { type Patch, patchOf, TerrainGrid } from '../terrain/grid.ts';
import type { TerrainMaterials } from '../terrain/material.ts';
import { LEVELS, patchTriangles, patchVertices } from '../terrain/patch.ts';
import { hitGround } from '../terrain/ray.ts';
import type { Hit, Picture, Solid, Sync } from './sync.ts';

/** Rectangle of the world in x and z (m). */
export interface Area {
	readonly least: readonly [number, number];
	readonly most: readonly [number, number];
}

/** Cache of triangles, which all patches of the same size and level share. */
class Triangles {
	readonly #attributes = new Map<string, BufferAttribute>();

	of({ columns, rows }: Patch, level: number): BufferAttribute {
		const key = `${columns} ${rows} ${level}`;
		let triangles = this.#attributes.get(key);
		if (triangles === undefined) {
			triangles = new BufferAttribute(patchTriangles(columns, rows, level), 1);
			this.#attributes.set(key, triangles);
		}
		return triangles;
	}
}

/** Drawn chunk: a mesh for each level on which it was shown. All meshes share their vertices. */
class Chunk {
	readonly patch: Patch;
	readonly bounds = new Box3();
	readonly #sphere = new Sphere();
	readonly #triangles: Triangles;
	#position = new BufferAttribute(new Float32Array(0), 3);
	#normal = this.#position;
	#paint: BufferAttribute = this.#position;
	readonly #levels: (Mesh | undefined)[] = [];
	#visibleMesh: Mesh | null = null;

	constructor(patch: Patch, triangles: Triangles) {
		this.patch = patch;
		this.#triangles = triangles;
	}

	build(grid: TerrainGrid): void {
		const { positions, normals, paint } = patchVertices(grid, this.patch);
		if (this.#position.count === 0) {
			this.#position = new BufferAttribute(positions, 3);
			this.#normal = new BufferAttribute(normals, 3);
			this.#paint = new Uint8BufferAttribute(paint, 4, true);
		} else {
			this.#position.copyArray(positions).needsUpdate = true;
			this.#normal.copyArray(normals).needsUpdate = true;
			this.#paint.copyArray(paint).needsUpdate = true;
		}
		this.bounds.setFromBufferAttribute(this.#position);
		this.bounds.getBoundingSphere(this.#sphere);
	}

	/** Shows the chunk on a level. */
	showLevel(level: number, group: Group, material: Mesh['material'], code: Vector3): void {
		const mesh = this.#levels[level] ?? this.#createMesh(level, group, code);
		this.#levels[level] = mesh;
		if (this.#visibleMesh !== mesh) {
			if (this.#visibleMesh !== null) this.#visibleMesh.visible = false;
			mesh.visible = true;
			this.#visibleMesh = mesh;
		}
		mesh.material = material;
	}

	dispose(): void {
		for (const mesh of this.#levels) mesh?.geometry.dispose();
	}

	#createMesh(level: number, group: Group, code: Vector3): Mesh {
		const geometry = new BufferGeometry();
		geometry.setAttribute('position', this.#position);
		geometry.setAttribute('normal', this.#normal);
		geometry.setAttribute('paint', this.#paint);
		geometry.setIndex(this.#triangles.of(this.patch, level));
		geometry.boundingBox = this.bounds;
		geometry.boundingSphere = this.#sphere;
		const mesh = new Mesh(geometry);
		mesh.matrixAutoUpdate = false;
		mesh.castShadow = true;
		mesh.receiveShadow = true;
		mesh.userData.code = code;
		group.add(mesh);
		return mesh;
	}
}

/** A drawn terrain. */
class Ground {
	readonly group = new Group();
	readonly grid: TerrainGrid;
	readonly #chunks: (Chunk | null)[];
	readonly #code: Vector3;
	readonly #inverse = new Matrix4();
	#lowestHeight = 0;
	terrain: FrameTerrain;

	constructor(terrain: FrameTerrain, triangles: Triangles) {
		this.terrain = terrain;
		this.grid = new TerrainGrid(terrain);
		this.#code = new Vector3(...segmentationColor(terrain.id)).divideScalar(255);
		this.#chunks = terrain.chunks.map((_, index) => {
			const patch = patchOf(terrain, index);
			return patch.columns < 2 || patch.rows < 2 ? null : new Chunk(patch, triangles);
		});
		for (const chunk of this.#chunks) chunk?.build(this.grid);
	}

	/** Updates the ground to the new state of its terrain. Returns the areas that changed. */
	update(terrain: FrameTerrain, points: Parameters<TerrainGrid['update']>[1]): Area[] {
		const hasSamePose =
			terrain.generation === this.terrain.generation &&
			terrain.position.every((part, axis) => part === this.terrain.position[axis]) &&
			terrain.rotation.every((part, axis) => part === this.terrain.rotation[axis]);
		const oldAreas = hasSamePose ? [] : [this.area()];
		this.terrain = terrain;
		this.group.position.set(...terrain.position);
		this.group.quaternion.set(...terrain.rotation);
		this.group.updateMatrixWorld(true);
		this.#inverse.copy(this.group.matrixWorld).invert();
		const changedChunks = this.grid.update(terrain, points);
		// A point affects the normals of its neighbours. The lowest point affects the walls at the edges.
		const chunkColumns = chunksAcross(terrain);
		const affected = new Set<number>();
		for (const index of changedChunks)
			for (let rowOffset = -1; rowOffset <= 1; rowOffset++)
				for (let columnOffset = -1; columnOffset <= 1; columnOffset++) {
					const column = (index % chunkColumns) + columnOffset;
					if (column >= 0 && column < chunkColumns)
						affected.add(index + rowOffset * chunkColumns + columnOffset);
				}
		const hasNewLowest = this.grid.lowest !== this.#lowestHeight;
		this.#lowestHeight = this.grid.lowest;
		this.#chunks.forEach((chunk, index) => {
			if (chunk === null) return;
			const { column, row, columns, rows } = chunk.patch;
			const isAtEdge =
				column === 0 || row === 0 || column + columns === terrain.width || row + rows === terrain.height;
			if (affected.has(index) || (hasNewLowest && isAtEdge)) chunk.build(this.grid);
		});
		if (!hasSamePose) return [...oldAreas, this.area()];
		return changedChunks.map((index) => {
			const { column, row, columns, rows } = chunkPlace(terrain, index);
			const { cell, lowest, highest } = this.grid;
			// The first points of a chunk also belong to the squares of the previous chunk.
			const minCorner = new Vector3((column - 1) * cell, lowest, (row - 1) * cell);
			const maxCorner = new Vector3((column + columns) * cell, highest, (row + rows) * cell);
			const { min, max } = new Box3(minCorner, maxCorner).applyMatrix4(this.group.matrixWorld);
			return { least: [min.x, min.z], most: [max.x, max.z] };
		});
	}

	/** Returns the area of the whole terrain. */
	area(): Area {
		const { least, most } = this.solid();
		return { least: [least[0], least[2]], most: [most[0], most[2]] };
	}

	/** Shows each chunk on its level for a picture. `squarePixels`: size of a square on screen (CSS pixels). */
	prepare({ camera, height, channel }: Picture, materials: TerrainMaterials, squarePixels: number): void {
		const eye = new Vector3(...camera.eye).applyMatrix4(this.#inverse);
		for (const chunk of this.#chunks) {
			if (chunk === null) continue;
			const distance = chunk.bounds.distanceToPoint(eye);
			const pixels = this.grid.cell * pixelsPerMetre(camera, height, distance);
			const level = Math.floor(Math.log2(squarePixels / pixels));
			chunk.showLevel(
				Math.min(Math.max(level, 0), LEVELS - 1),
				this.group,
				materials.of(channel),
				this.#code,
			);
		}
	}

	/** Returns the box around the terrain in the world. */
	solid(): Solid {
		const { grid, terrain } = this;
		const box = new Box3(
			new Vector3(0, grid.lowest, 0),
			new Vector3((grid.width - 1) * grid.cell, grid.highest, (grid.height - 1) * grid.cell),
		).applyMatrix4(this.group.matrixWorld);
		return {
			id: terrain.id,
			generation: terrain.generation,
			least: box.min.toArray(),
			most: box.max.toArray(),
		};
	}

	hit(ray: Ray): Hit | null {
		const local = ray.clone().applyMatrix4(this.#inverse);
		const distance = hitGround(this.grid, local.origin.toArray(), local.direction.toArray());
		return distance === null ? null : { id: this.terrain.id, generation: this.terrain.generation, distance };
	}

	dispose(): void {
		for (const chunk of this.#chunks) chunk?.dispose();
	}
}

/** Returns the CSS pixels of a metre in a picture of this height, at a distance from the eye (m). */
function pixelsPerMetre(camera: FrameCamera, height: number, distance: number): number {
	if (camera.orthographic) return height / (2 * camera.ortho_size);
	return height / (2 * Math.tan(camera.fov_y / 2) * Math.max(distance, 0.1));
}

export class Terrains implements Sync {
	readonly object = new Group();
	readonly #materials: TerrainMaterials;
	readonly #squarePixels: number;
	readonly #triangles = new Triangles();
	readonly #grounds = new Map<number, Ground>();
	#solids: readonly Solid[] = [];
	/** Areas of the ground that the last update changed. */
	changedAreas: readonly Area[] = [];

	constructor({ terrain, quality }: GpuResources) {
		this.#materials = terrain;
		this.#squarePixels = quality.terrain_pixels;
	}

	setFrame({ terrains }: FrameBlocks, changed: ReadonlySet<BlockName>): void {
		if (!changed.has('terrains')) return;
		const changedAreas: Area[] = [];
		const points = new Map(terrains.chunks.map((chunk) => [chunk.number, chunk]));
		const terrainById = new Map(terrains.terrains.map((terrain) => [terrain.id, terrain]));
		for (const [id, ground] of this.#grounds) {
			const terrain = terrainById.get(id);
			if (terrain !== undefined && ground.grid.fits(terrain)) continue;
			changedAreas.push(ground.area());
			this.object.remove(ground.group);
			ground.dispose();
			this.#grounds.delete(id);
		}
		for (const [id, terrain] of terrainById) {
			let ground = this.#grounds.get(id);
			if (ground === undefined) {
				ground = new Ground(terrain, this.#triangles);
				this.#grounds.set(id, ground);
				this.object.add(ground.group);
				ground.update(terrain, points);
				changedAreas.push(ground.area());
			} else changedAreas.push(...ground.update(terrain, points));
		}
		this.changedAreas = changedAreas;
		this.#solids = [...this.#grounds.values()].map((ground) => ground.solid());
	}

	prepare(picture: Picture): void {
		for (const ground of this.#grounds.values()) ground.prepare(picture, this.#materials, this.#squarePixels);
	}

	/** Returns the terrains with their points. */
	grounds(): readonly { readonly terrain: FrameTerrain; readonly grid: TerrainGrid }[] {
		return [...this.#grounds.values()];
	}

	solids(): readonly Solid[] {
		return this.#solids;
	}

	pick(ray: Ray): Hit | null {
		const hits = [...this.#grounds.values()].flatMap((ground) => ground.hit(ray) ?? []);
		return hits.sort((a, b) => a.distance - b.distance)[0] ?? null;
	}

	dispose(): void {
		for (const ground of this.#grounds.values()) ground.dispose();
	}
}
