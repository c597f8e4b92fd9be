/**
 * Particles. This file computes the set of living particles from their emitters and the moment. The shaders
 * compute the motion and look of each particle from its age and 24 random bits.
 * Owns: one draw for each kind of particle (blending and picture), and a table of the emitters.
 */

import {
	BufferAttribute,
	BufferGeometry,
	Color,
	DataTexture,
	FloatType,
	Group,
	InstancedBufferAttribute,
	InstancedBufferGeometry,
	Mesh,
	type MeshBasicNodeMaterial,
	NearestFilter,
	RGBAFormat,
	SRGBColorSpace,
} from 'three/webgpu';
import { EMITTER_SHAPES, type Emitter, visitParticles } from '../../../shared/media/particles.ts';
import type { BlockName, FrameBlocks, FrameEmitter, FrameParticles } from '../../frames/frames.ts';
import type { GpuResources } from '../gpu-resources.ts';
import { particleMaterial, STOPS } from './particle-material.ts';
import type { Picture, Sync } from './sync.ts';

/** Texels of an emitter in the table. */
const TABLE_WIDTH = 12;
const NO_PARTICLES: FrameParticles = { tick: 0, emitters: [] };

interface Cloud {
	readonly mesh: Mesh<InstancedBufferGeometry, MeshBasicNodeMaterial>;
	/** Values of each particle: age, elapsed share of its life, random bits, row of its emitter. */
	particles: InstancedBufferAttribute;
	count: number;
}

export class ParticleClouds implements Sync {
	readonly object = new Group();
	readonly #resources: GpuResources;
	readonly #clouds = new Map<string, Cloud>();
	#table = createTable(1);
	#previous: FrameParticles = NO_PARTICLES;
	#newest: FrameParticles = NO_PARTICLES;

	constructor(resources: GpuResources) {
		this.#resources = resources;
	}

	/** Takes the emitters of a frame. */
	setFrame({ particles }: FrameBlocks, changed: ReadonlySet<BlockName>): void {
		if (!changed.has('particles')) return;
		this.#previous = this.#newest;
		this.#newest = particles;
		const pictures = particles.emitters.flatMap(({ emitter }) => emitter.texture ?? []);
		this.#resources.textures.use(this, new Set(pictures));
	}

	ready(): Promise<void> {
		return this.#resources.textures.waitFor(this);
	}

	/** Computes the living particles at the moment between two frames. */
	setPoses(previousPoses: object | null, _: Float32Array, alpha: number): void {
		const [previous, newest] = [this.#previous, this.#newest];
		const start =
			previousPoses === null || previous.tick > newest.tick || previous.emitters.length === 0
				? newest
				: previous;
		const ticks = start.tick + (newest.tick - start.tick) * alpha;
		for (const cloud of this.#clouds.values()) cloud.count = 0;
		this.#reserveRows(newest.emitters.length);
		const emittersById = new Map(start.emitters.map((emitter) => [emitter.id, emitter]));
		let remaining = this.#resources.quality.particles;
		for (const [row, frameEmitter] of newest.emitters.entries()) {
			const previousEmitter = emittersById.get(frameEmitter.id);
			this.#writeEmitter(
				row,
				frameEmitter,
				previousEmitter?.generation === frameEmitter.generation ? previousEmitter : frameEmitter,
				alpha,
			);
			const cloud = this.#cloudFor(frameEmitter.emitter);
			visitParticles(frameEmitter.emitter, frameEmitter.run, ticks, (age, share, chance) => {
				if (remaining-- <= 0) return;
				writeParticle(cloud, age, share, chance, row);
			});
			if (remaining <= 0) break;
		}
		for (const [key, cloud] of this.#clouds) {
			cloud.mesh.geometry.instanceCount = cloud.count;
			cloud.mesh.visible = cloud.count > 0;
			if (cloud.count > 0) {
				cloud.particles.clearUpdateRanges();
				cloud.particles.addUpdateRange(0, cloud.count * 4);
				cloud.particles.needsUpdate = true;
			} else if (newest.emitters.length === 0) this.#removeCloud(key, cloud);
		}
	}

	prepare({ channel }: Picture): void {
		this.object.visible = channel === 'color';
	}

	dispose(): void {
		for (const [key, cloud] of this.#clouds) this.#removeCloud(key, cloud);
		this.#resources.textures.use(this, new Set());
		this.#table.dispose();
	}

	#removeCloud(key: string, { mesh }: Cloud): void {
		this.object.remove(mesh);
		mesh.geometry.dispose();
		mesh.material.dispose();
		this.#clouds.delete(key);
	}

	/** Makes room for a row per emitter. A new table needs new materials, so all clouds are removed. */
	#reserveRows(emitters: number): void {
		if (emitters <= this.#table.image.height) return;
		for (const [key, cloud] of this.#clouds) this.#removeCloud(key, cloud);
		this.#table.dispose();
		this.#table = createTable(2 ** Math.ceil(Math.log2(emitters)));
	}

	#cloudFor({ additive, texture: hash, stretch }: Emitter): Cloud {
		const picture = hash === null ? null : this.#resources.textures.get(hash);
		const key = `${additive} ${stretch > 0} ${picture?.uuid}`;
		let cloud = this.#clouds.get(key);
		if (cloud === undefined) {
			const material = particleMaterial(this.#table, this.#resources.air, picture, additive, stretch > 0);
			const mesh = new Mesh(new InstancedBufferGeometry(), material);
			mesh.frustumCulled = false;
			mesh.matrixAutoUpdate = false;
			mesh.renderOrder = additive ? 6 : 5;
			cloud = { mesh, particles: new InstancedBufferAttribute(new Float32Array(0), 4), count: 0 };
			growCloud(cloud, 256);
			this.#clouds.set(key, cloud);
			this.object.add(mesh);
		}
		return cloud;
	}

	/** Writes an emitter's row, with its position between two frames. */
	#writeEmitter(row: number, newest: FrameEmitter, previous: FrameEmitter, alpha: number): void {
		const { emitter, position, rotation, velocity } = newest;
		rowScratch.set(constantRowOf(emitter));
		for (let i = 0; i < 3; i++)
			rowScratch[i] = previous.position[i]! + (position[i]! - previous.position[i]!) * alpha;
		rowScratch.set(rotation, ROTATION);
		rowScratch.set(velocity, VELOCITY);
		const data = this.#table.image.data as Float32Array;
		const offset = row * TABLE_WIDTH * 4;
		for (let i = 0; i < rowScratch.length; i++) {
			if (data[offset + i] === rowScratch[i]) continue;
			data.set(rowScratch, offset);
			this.#table.needsUpdate = true;
			return;
		}
	}
}

const rowScratch = new Float32Array(TABLE_WIDTH * 4);
/** Offset of the rotation in a row. The position is at the beginning. */
const ROTATION = 4;
/** Offset of the velocity in a row. */
const VELOCITY = 16;

const constantRows = new WeakMap<Emitter, Float32Array>();

/** Returns an emitter's row without position, rotation and velocity. */
function constantRowOf(emitter: Emitter): Float32Array {
	let row = constantRows.get(emitter);
	if (row === undefined) {
		row = makeConstantRow(emitter);
		constantRows.set(emitter, row);
	}
	return row;
}

function makeConstantRow(emitter: Emitter): Float32Array {
	const [dx, dy, dz] = emitter.direction;
	const length = Math.hypot(dx, dy, dz);
	const stops = Array.from({ length: STOPS }, (_, i) => i / (STOPS - 1));
	const radians = Math.PI / 180;
	return Float32Array.from(
		[
			[0, 0, 0, EMITTER_SHAPES.indexOf(emitter.shape)],
			[0, 0, 0, 0],
			[...emitter.size, emitter.spread * radians],
			[dx / length, dy / length, dz / length, emitter.turbulence],
			[0, 0, 0, emitter.drag],
			[...emitter.gravity, emitter.spin * radians],
			[...emitter.speed, emitter.lit ? 1 : 0, emitter.stretch],
			...stops.map((share) => colorAt(emitter, share)),
			stops.map((share) => valueAt(emitter.sizes, share)),
		].flat(),
	);
}

function writeParticle(cloud: Cloud, age: number, share: number, chance: number, row: number): void {
	if (cloud.count === cloud.particles.count) growCloud(cloud, cloud.count * 2);
	const data = cloud.particles.array as Float32Array;
	const offset = cloud.count * 4;
	data[offset] = age;
	data[offset + 1] = share;
	data[offset + 2] = chance;
	data[offset + 3] = row;
	cloud.count++;
}

function growCloud(cloud: Cloud, capacity: number): void {
	const data = new Float32Array(capacity * 4);
	data.set(cloud.particles.array as Float32Array);
	cloud.particles = new InstancedBufferAttribute(data, 4);
	const corners = new BufferGeometry();
	corners.setAttribute(
		'position',
		new BufferAttribute(new Float32Array([-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0]), 3),
	);
	const geometry = new InstancedBufferGeometry();
	geometry.setAttribute('position', corners.getAttribute('position'));
	geometry.setAttribute('uv', new BufferAttribute(new Float32Array([0, 1, 1, 1, 1, 0, 0, 0]), 2));
	geometry.setIndex([0, 1, 2, 0, 2, 3]);
	geometry.setAttribute('particle', cloud.particles);
	cloud.mesh.geometry.dispose();
	cloud.mesh.geometry = geometry;
}

function createTable(rows: number): DataTexture {
	const table = new DataTexture(
		new Float32Array(TABLE_WIDTH * rows * 4),
		TABLE_WIDTH,
		rows,
		RGBAFormat,
		FloatType,
	);
	table.minFilter = table.magFilter = NearestFilter;
	table.needsUpdate = true;
	return table;
}

/** Returns the value at a share of the lifetime, interpolated between equally spaced values. */
function valueAt(values: readonly number[], share: number): number {
	const position = share * (values.length - 1);
	const [low, high] = [values[Math.floor(position)]!, values[Math.ceil(position)]!];
	return low + (high - low) * (position - Math.floor(position));
}

/** Returns the linear light and alpha at a share of the lifetime. */
function colorAt({ colors, glow }: Emitter, share: number): number[] {
	const [r, g, b, a] = [0, 1, 2, 3].map((channel) =>
		valueAt(
			colors.map((color) => color[channel]!),
			share,
		),
	);
	const linear = new Color().setRGB(r!, g!, b!, SRGBColorSpace);
	return [linear.r * glow, linear.g * glow, linear.b * glow, a!];
}
