/**
 * Plants: instanced draws of some hundred plants each, if they are near enough and in the picture.
 * Owns: the draws, and the plants, which are computed again when the ground under them changes.
 */

import {
	BufferGeometry,
	Color,
	Group,
	InstancedBufferAttribute,
	InstancedBufferGeometry,
	Mesh,
	Sphere,
	SRGBColorSpace,
	Vector3,
} from 'three/webgpu';
import { TICKS_PER_SECOND } from '../../../shared/contract/ticks.ts';
import {
	type FoliageLayer,
	type PlantGround,
	type Squares,
	squaresOf,
	visitPlants,
} from '../../../shared/documents/foliage.ts';
import { colorBytes } from '../../../shared/media/palette.ts';
import { gridSurfaceAt } from '../../../shared/media/terrain.ts';
import type { BlockName, FrameBlocks } from '../../frames/frames.ts';
import type { FoliageMaterials } from '../foliage/material.ts';
import { castsShadow, isSmall, isThin, modelShape, plantShape } from '../foliage/shapes.ts';
import type { GpuResources } from '../gpu-resources.ts';
import { LIVING, type Materials } from '../materials.ts';
import type { DrawnModel, Models } from '../models.ts';
import type { Picture, Sync } from './sync.ts';
import type { Area, Terrains } from './terrains.ts';

/**
 * Squares along the side of a tile. Small plants have larger tiles, because drawing many plants costs less
 * than testing each tile.
 */
const TILE_SQUARES = { small: 64, large: 32 };
/** Form in which each plant of a layer is drawn. */
interface Form {
	readonly shapes: readonly BufferGeometry[];
	/** Colour of the instances of a model (sRGB and the state `LIVING`); null for plants. */
	readonly paint: readonly number[] | null;
}

const repeatValues = (values: readonly number[], times: number): Uint8Array =>
	Uint8Array.from({ length: values.length * times }, (_, i) => values[i % values.length]!);

/** Plants in some squares of a layer, which are drawn together. */
class Tile {
	/** One mesh for each shape of the layer. */
	readonly meshes: readonly Mesh[];
	readonly area: Area;
	readonly #layer: FoliageLayer;
	readonly #firstSquare: Squares;
	readonly #endSquare: Squares;
	readonly #bounds = new Sphere();
	readonly #reach: number;

	#count = 0;

	constructor(layer: FoliageLayer, firstSquare: Squares, endSquare: Squares, reach: number, shapes: number) {
		this.#layer = layer;
		this.#reach = reach;
		this.#firstSquare = firstSquare;
		this.#endSquare = endSquare;
		const { columns, rows } = squaresOf(layer);
		const coordinateAt = (axis: 0 | 2, share: number) =>
			layer.area_min[axis]! + (layer.area_max[axis]! - layer.area_min[axis]!) * share;
		this.area = {
			least: [coordinateAt(0, firstSquare.columns / columns), coordinateAt(2, firstSquare.rows / rows)],
			most: [coordinateAt(0, endSquare.columns / columns), coordinateAt(2, endSquare.rows / rows)],
		};
		this.meshes = Array.from({ length: shapes }, () => {
			const mesh = new Mesh(new BufferGeometry());
			mesh.matrixAutoUpdate = false;
			mesh.castShadow = castsShadow(layer.mesh);
			mesh.receiveShadow = true;
			return mesh;
		});
	}

	/** Computes the plants, and the geometry of each mesh. */
	build({ shapes, paint }: Form, grounds: readonly PlantGround[]): void {
		const positions: number[] = [];
		const looks: number[] = [];
		const visit = ({
			x,
			y,
			z,
			scale,
			turn,
			shade,
		}: Parameters<Parameters<typeof visitPlants>[2]>[0]): void => {
			positions.push(x, y, z, scale);
			looks.push(turn, shade, this.#layer.wind, this.#reach);
		};
		visitPlants(this.#layer, grounds, visit, this.#firstSquare, this.#endSquare);
		this.#count = positions.length / 4;
		this.#updateBounds(positions, shapes);
		const instanceAttributes = [
			['plantPlace', new InstancedBufferAttribute(Float32Array.from(positions), 4)],
			['plantLook', new InstancedBufferAttribute(Float32Array.from(looks), 4)],
			['paint', paint && new InstancedBufferAttribute(repeatValues(paint, this.#count), 4, true)],
		] as const;
		this.meshes.forEach((mesh, index) => {
			mesh.geometry.dispose();
			const geometry = new InstancedBufferGeometry();
			const shape = shapes[index]!;
			// Each draw has its own attributes, because disposing of a geometry frees them.
			for (const [name, vertexAttribute] of Object.entries(shape.attributes))
				geometry.setAttribute(name, vertexAttribute.clone());
			if (shape.index !== null) geometry.setIndex(shape.index.clone());
			for (const [name, instancedBufferAttribute] of instanceAttributes)
				if (instancedBufferAttribute !== null)
					geometry.setAttribute(
						name,
						index === 0 ? instancedBufferAttribute : instancedBufferAttribute.clone(),
					);
			geometry.instanceCount = this.#count;
			geometry.boundingSphere = this.#bounds;
			mesh.geometry = geometry;
		});
	}

	/** Returns true if any plant may be near enough to be drawn. */
	isNear(eye: Vector3): boolean {
		return this.#bounds.distanceToPoint(eye) < this.#reach;
	}

	get isEmpty(): boolean {
		return this.#count === 0;
	}

	#updateBounds(positions: readonly number[], shapes: readonly BufferGeometry[]): void {
		const [min, max] = [
			new Vector3(Infinity, Infinity, Infinity),
			new Vector3(-Infinity, -Infinity, -Infinity),
		];
		const position = new Vector3();
		for (let offset = 0; offset < positions.length; offset += 4) {
			position.fromArray(positions, offset);
			min.min(position);
			max.max(position);
		}
		const radii = shapes.map((shape) => {
			shape.computeBoundingSphere();
			const { radius, center } = shape.boundingSphere!;
			return center.length() + radius;
		});
		// Twice the size, as a margin for the wind.
		const reach = Math.max(...radii) * this.#layer.max_scale * 2;
		this.#bounds.set(min.add(max).multiplyScalar(0.5), max.distanceTo(min) + reach);
		if (positions.length === 0) this.#bounds.makeEmpty();
	}
}

/** A drawn layer. */
class Layer {
	readonly group = new Group();
	readonly layer: FoliageLayer;
	readonly tiles: readonly Tile[];
	/** Drawn model; null for a plant, and for the placeholder of a missing model. */
	readonly model: DrawnModel | null;
	readonly #form: Form;

	constructor(layer: FoliageLayer, reach: number, model: DrawnModel | null) {
		this.layer = layer;
		this.model = model;
		this.#form = model === null ? plantForm(layer) : modelForm(layer, model);
		const { columns, rows } = squaresOf(layer);
		const side = isSmall(layer.mesh) ? TILE_SQUARES.small : TILE_SQUARES.large;
		const tiles: Tile[] = [];
		for (let row = 0; row < rows; row += side)
			for (let column = 0; column < columns; column += side) {
				const to = { columns: Math.min(column + side, columns), rows: Math.min(row + side, rows) };
				tiles.push(new Tile(layer, { columns: column, rows: row }, to, reach, this.#form.shapes.length));
			}
		this.tiles = tiles;
		this.group.add(...tiles.flatMap(({ meshes }) => meshes));
	}

	/** Computes the plants on changed ground, or all plants if `changed` is null. */
	build(grounds: readonly PlantGround[], changed: readonly Area[] | null): void {
		for (const tile of this.tiles)
			if (changed === null || changed.some((area) => overlaps(area, tile.area)))
				tile.build(this.#form, grounds);
	}

	dispose(): void {
		for (const { meshes } of this.tiles) for (const { geometry } of meshes) geometry.dispose();
	}
}

function plantForm({ mesh, color }: FoliageLayer): Form {
	const shape = plantShape(mesh);
	if (color !== null) dyeLeaves(shape, color);
	return { shapes: [shape], paint: null };
}

function modelForm({ color }: FoliageLayer, { parts, reach }: DrawnModel): Form {
	return {
		shapes: parts.map((part) => modelShape(part, reach[1])),
		paint: [...(color === null ? [255, 255, 255] : colorBytes(color)), LIVING],
	};
}

/** Mixes a colour into the leaves of a plant. The fourth number of each vertex is the share of the colour. */
function dyeLeaves(shape: BufferGeometry, name: string): void {
	const [r, g, b] = colorBytes(name);
	const color = new Color().setRGB(r / 255, g / 255, b / 255, SRGBColorSpace).toArray();
	const leaf = shape.getAttribute('leaf').array;
	for (let offset = 0; offset < leaf.length; offset += 4)
		for (const [channel, value] of color.entries())
			leaf[offset + channel] =
				leaf[offset + channel]! + (value - leaf[offset + channel]!) * leaf[offset + 3]!;
}

function overlaps(a: Area, b: Area): boolean {
	return ([0, 1] as const).every((axis) => a.least[axis] <= b.most[axis] && b.least[axis] <= a.most[axis]);
}

export class Foliage implements Sync {
	readonly object = new Group();
	readonly #materials: Materials;
	readonly #plants: FoliageMaterials;
	readonly #models: Models;
	readonly #terrains: Terrains;
	readonly #layers = new Map<string, Layer>();
	/** Distance beyond which the small plants are not drawn (m). */
	readonly #grassDistance: number;
	#frame: FrameBlocks | null = null;

	constructor({ materials, foliage, models, quality }: GpuResources, terrains: Terrains) {
		this.#materials = materials;
		this.#plants = foliage;
		this.#models = models;
		this.#grassDistance = quality.grass_distance;
		this.#terrains = terrains;
	}

	setFrame(frame: FrameBlocks, changed: ReadonlySet<BlockName>): void {
		this.#frame = frame;
		if (changed.has('foliage') || changed.has('models')) {
			const hashes = frame.foliage.flatMap(({ mesh }) => frame.models[mesh]?.hash ?? []);
			this.#models.use(this, new Set(hashes));
		}
		if (changed.has('foliage') || changed.has('models') || changed.has('terrains'))
			this.#setLayers(frame, changed.has('terrains') ? this.#terrains.changedAreas : []);
	}

	/** Settles when the models of the last frame are loaded. */
	ready(): Promise<void> {
		return this.#models.waitFor(this);
	}

	prepare({ camera, channel }: Picture): void {
		const frame = this.#frame;
		if (frame === null) return;
		// A model may have loaded since the last picture.
		const hasNewModel = [...this.#layers.values()].some(
			({ layer, model }) => this.#modelOf(frame, layer) !== model,
		);
		if (hasNewModel) this.#setLayers(frame, []);
		this.#plants.seconds.value = frame.tick / TICKS_PER_SECOND;
		this.#plants.eye.value.set(...camera.eye);
		const eye = this.#plants.eye.value;
		for (const { layer, model, tiles } of this.#layers.values()) {
			const materials =
				model === null
					? [this.#plants.of(channel, isThin(layer.mesh))]
					: model.parts.map((part) => this.#materials.plantMaterial(part, channel, this.#plants));
			for (const tile of tiles) {
				const isShown = !tile.isEmpty && tile.isNear(eye);
				tile.meshes.forEach((mesh, index) => {
					mesh.visible = isShown;
					mesh.material = materials[index]!;
				});
			}
		}
	}

	/** Returns the model of a layer; null for plants, and while the model is not loaded. */
	#modelOf({ models }: FrameBlocks, { mesh }: FoliageLayer): DrawnModel | null {
		const frameModel = models[mesh];
		return frameModel === undefined ? null : this.#models.get(frameModel.hash);
	}

	/** Updates the layers to a frame. Existing layers are computed again in the `changed` areas. */
	#setLayers(frame: FrameBlocks, changed: readonly Area[]): void {
		const grounds = this.#grounds();
		const layerByKey = new Map(frame.foliage.map((layer) => [JSON.stringify(layer), layer]));
		for (const [key, drawnLayer] of this.#layers) {
			const layer = layerByKey.get(key);
			if (layer !== undefined && this.#modelOf(frame, layer) === drawnLayer.model) {
				if (changed.length > 0) drawnLayer.build(grounds, changed);
				continue;
			}
			this.object.remove(drawnLayer.group);
			drawnLayer.dispose();
			this.#layers.delete(key);
		}
		for (const [key, layer] of layerByKey) {
			if (this.#layers.has(key)) continue;
			const reach = isSmall(layer.mesh)
				? Math.min(layer.max_distance, this.#grassDistance)
				: layer.max_distance;
			const drawnLayer = new Layer(layer, reach, this.#modelOf(frame, layer));
			drawnLayer.build(grounds, null);
			this.#layers.set(key, drawnLayer);
			this.object.add(drawnLayer.group);
		}
	}

	dispose(): void {
		this.#models.use(this, new Set());
		for (const layer of this.#layers.values()) layer.dispose();
	}

	#grounds(): PlantGround[] {
		return this.#terrains.grounds().map(({ terrain, grid }) => ({
			id: terrain.id,
			generation: terrain.generation,
			position: terrain.position,
			rotation: terrain.rotation,
			surface: (x, z) => gridSurfaceAt(terrain, (column, row) => grid.heightAt(column, row), x, z),
		}));
	}
}
