/**
 * Particles. This file computes the set of living particles from their emitters and the moment. The shaders compute the
 * motion and look of each, from its age and 24 random bits.
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
const WIDTH = 12;
const NOTHING: FrameParticles = { tick: 0, emitters: [] };

interface Cloud {
	readonly mesh: Mesh<InstancedBufferGeometry, MeshBasicNodeMaterial>;
	/** Per particle: age, elapsed share of its life, random bits, row of its emitter. */
	particles: InstancedBufferAttribute;
	count: number;
}

export class ParticleClouds implements Sync {
	readonly object = new Group();
	readonly #resources: GpuResources;
	readonly #clouds = new Map<string, Cloud>();
	#table = tableFor(1);
	#before: FrameParticles = NOTHING;
	#now: FrameParticles = NOTHING;

	constructor(resources: GpuResources) {
		this.#resources = resources;
	}

	/** Takes the emitters of a frame. */
	setFrame({ particles }: FrameBlocks, changed: ReadonlySet<BlockName>): void {
		if (!changed.has('particles')) return;
		this.#before = this.#now;
		this.#now = particles;
		const pictures = particles.emitters.flatMap(({ emitter }) => emitter.texture ?? []);
		this.#resources.textures.use(this, new Set(pictures));
	}

	ready(): Promise<void> {
		return this.#resources.textures.settled(this);
	}

	/** Computes the living particles at the moment between two frames. */
	setPoses(before: object | null, _: Float32Array, alpha: number): void {
		const [old, next] = [this.#before, this.#now];
		const from = before === null || old.tick > next.tick || old.emitters.length === 0 ? next : old;
		const ticks = from.tick + (next.tick - from.tick) * alpha;
		for (const cloud of this.#clouds.values()) cloud.count = 0;
		this.#room(next.emitters.length);
		const places = new Map(from.emitters.map((emitter) => [emitter.id, emitter]));
		let remaining = this.#resources.quality.particles;
		for (const [row, frameEmitter] of next.emitters.entries()) {
			const was = places.get(frameEmitter.id);
			this.#describe(
				row,
				frameEmitter,
				was?.generation === frameEmitter.generation ? was : frameEmitter,
				alpha,
			);
			const cloud = this.#cloud(frameEmitter.emitter);
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
			} else if (next.emitters.length === 0) this.#drop(key, cloud);
		}
	}

	prepare({ channel }: Picture): void {
		this.object.visible = channel === 'color';
	}

	dispose(): void {
		for (const [key, cloud] of this.#clouds) this.#drop(key, cloud);
		this.#resources.textures.use(this, new Set());
		this.#table.dispose();
	}

	#drop(key: string, { mesh }: Cloud): void {
		this.object.remove(mesh);
		mesh.geometry.dispose();
		mesh.material.dispose();
		this.#clouds.delete(key);
	}

	/** Makes room for a row per emitter. A new table needs new materials, so all clouds are dropped. */
	#room(emitters: number): void {
		if (emitters <= this.#table.image.height) return;
		for (const [key, cloud] of this.#clouds) this.#drop(key, cloud);
		this.#table.dispose();
		this.#table = tableFor(2 ** Math.ceil(Math.log2(emitters)));
	}

	#cloud({ additive, texture: hash, stretch }: Emitter): Cloud {
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
			grow(cloud, 256);
			this.#clouds.set(key, cloud);
			this.object.add(mesh);
		}
		return cloud;
	}

	/** Writes an emitter's row, with its place between two frames. */
	#describe(row: number, now: FrameEmitter, before: FrameEmitter, alpha: number): void {
		const { emitter, position, rotation, velocity } = now;
		written.set(lastingOf(emitter));
		for (let i = 0; i < 3; i++)
			written[i] = before.position[i]! + (position[i]! - before.position[i]!) * alpha;
		written.set(rotation, ROTATION);
		written.set(velocity, VELOCITY);
		const data = this.#table.image.data as Float32Array;
		const at = row * WIDTH * 4;
		for (let i = 0; i < written.length; i++) {
			if (data[at + i] === written[i]) continue;
			data.set(written, at);
			this.#table.needsUpdate = true;
			return;
		}
	}
}

const written = new Float32Array(WIDTH * 4);
/** Offsets in a row of the rotation and velocity; the position is at the beginning. */
const ROTATION = 4;
const VELOCITY = 16;

const lasting = new WeakMap<Emitter, Float32Array>();

/** Returns an emitter's row without position, rotation and velocity. */
function lastingOf(emitter: Emitter): Float32Array {
	let row = lasting.get(emitter);
	if (row === undefined) {
		row = makeLasting(emitter);
		lasting.set(emitter, row);
	}
	return row;
}

function makeLasting(e: Emitter): Float32Array {
	const [dx, dy, dz] = e.direction;
	const long = Math.hypot(dx, dy, dz);
	const stops = Array.from({ length: STOPS }, (_, i) => i / (STOPS - 1));
	const radians = Math.PI / 180;
	return Float32Array.from(
		[
			[0, 0, 0, EMITTER_SHAPES.indexOf(e.shape)],
			[0, 0, 0, 0],
			[...e.size, e.spread * radians],
			[dx / long, dy / long, dz / long, e.turbulence],
			[0, 0, 0, e.drag],
			[...e.gravity, e.spin * radians],
			[...e.speed, e.lit ? 1 : 0, e.stretch],
			...stops.map((share) => colorAt(e, share)),
			stops.map((share) => valueAt(e.sizes, share)),
		].flat(),
	);
}

function writeParticle(cloud: Cloud, age: number, share: number, chance: number, row: number): void {
	if (cloud.count === cloud.particles.count) grow(cloud, cloud.count * 2);
	const data = cloud.particles.array as Float32Array;
	const at = cloud.count * 4;
	data[at] = age;
	data[at + 1] = share;
	data[at + 2] = chance;
	data[at + 3] = row;
	cloud.count++;
}

function grow(cloud: Cloud, capacity: number): void {
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

function tableFor(rows: number): DataTexture {
	const table = new DataTexture(new Float32Array(WIDTH * rows * 4), WIDTH, rows, RGBAFormat, FloatType);
	table.minFilter = table.magFilter = NearestFilter;
	table.needsUpdate = true;
	return table;
}

/** Returns the value at a share of the lifetime, interpolated between equally spaced values. */
function valueAt(values: readonly number[], share: number): number {
	const at = share * (values.length - 1);
	const [low, high] = [values[Math.floor(at)]!, values[Math.ceil(at)]!];
	return low + (high - low) * (at - Math.floor(at));
}

/** Returns the linear light and alpha at a share of the lifetime. */
function colorAt({ colors, glow }: Emitter, share: number): number[] {
	const [r, g, b, a] = [0, 1, 2, 3].map((part) =>
		valueAt(
			colors.map((color) => color[part]!),
			share,
		),
	);
	const linear = new Color().setRGB(r!, g!, b!, SRGBColorSpace);
	return [linear.r * glow, linear.g * glow, linear.b * glow, a!];
}
