/**
 * The drawn entities: one instanced draw for each mesh, whatever the number of entities.
 * Owns: the instance buffers, which grow by powers of two, and how rows of a frame are dealt out to them.
 */

import {
	type BufferGeometry,
	DynamicDrawUsage,
	Group,
	InstancedBufferAttribute,
	InstancedBufferGeometry,
	InstancedInterleavedBuffer,
	InterleavedBufferAttribute,
	Mesh,
} from 'three/webgpu';
import type {
	BlockName,
	Channel,
	FrameAnimation,
	FrameBlocks,
	FrameMaterials,
	FrameModel,
	FrameModels,
	FrameRows,
	SurfaceKind,
} from '../../frames/frames.ts';
import { BonePalette } from '../bone-palette.ts';
import { writeBox } from '../boxes.ts';
import { segmentationColor } from '../channels.ts';
import { isBevelled, MANY, makeShape, plainShape, type ShapeName, shapeOf } from '../geometries.ts';
import type { GpuResources } from '../gpu-resources.ts';
import { type BlendFrom, blendPoses, POSE_STRIDE } from '../interpolate.ts';
import { LIVING, type Materials } from '../materials.ts';
import type { DrawnModel, ModelPart } from '../models.ts';
import type { FindTracks, Rig } from '../pose.ts';

const LEAST_CAPACITY = 16;
/** Time for which a hurt entity flashes, a new one grows, and a corpse sinks. */
const FLASH_TICKS = 10;
const GROW_TICKS = 18;
const SINK_TICKS = 40;

/** Attributes of each instance on the GPU. */
interface InstanceBuffers {
	readonly capacity: number;
	/** Ten floats an instance, as in a frame. */
	readonly poses: InstancedInterleavedBuffer;
	/** sRGB bytes, and 0 for the dead, `LIVING` for the living, up to 255 for those that flash. */
	readonly paint: InstancedBufferAttribute;
	/** The bytes of the segmentation colour, and 255. */
	readonly code: InstancedBufferAttribute;
	/** `SURFACE_FLOATS` floats an instance: metallic, roughness, alpha, cutoff; emitted light; repeats. Null for paint alone. */
	readonly surface: InstancedInterleavedBuffer | null;
}

const SURFACE_FLOATS = 9;
/** Floats a row in `FrameMaterials.values`. */
const MATERIAL_FLOATS = 12;

/** A model in a world: what is drawn of it, and its box. */
interface ShownModel {
	readonly drawn: DrawnModel;
	readonly box: FrameModel;
}

/** Form of a batch's instances: a shape, or one part of a model. */
export interface Form {
	readonly shape: ShapeName | ModelPart;
	/** Null for shapes. */
	readonly model: ShownModel | null;
	/** Bones that move the vertices of a model that can move within itself. */
	readonly bones: BonePalette | null;
	/** False for the parts of a model besides the first. */
	readonly leads: boolean;
}

/** The instances of one mesh and one kind of surface. */
export class MeshBatch {
	readonly form: Form;
	/** Null for paint alone. */
	readonly surface: SurfaceKind | null;
	readonly object: Mesh;
	/** Rows of the frame, in order; the first `count` are in use. */
	order: Uint32Array = new Uint32Array(0);
	count = 0;
	#buffers: InstanceBuffers;
	/** The boxes round the instances of a model, as poses; null for shapes, whose poses are their boxes. */
	#boxes: InstancedInterleavedBuffer | null;
	/** Bytes of the paint that flash. */
	readonly #lit: number[] = [];
	#many = false;
	#channel: Channel = 'color';
	readonly #materials: Materials;

	constructor(form: Form, surface: SurfaceKind | null, materials: Materials) {
		this.form = form;
		this.surface = surface;
		this.#materials = materials;
		this.#buffers = makeBuffers(LEAST_CAPACITY, surface !== null);
		this.#boxes = this.#makeBoxes();
		this.object = new Mesh(new InstancedBufferGeometry());
		this.object.name = typeof form.shape === 'string' ? form.shape : 'model';
		this.object.frustumCulled = false;
		const blend = materials.alphaOf(form.shape, surface) === 'blend';
		const glass = typeof form.shape !== 'string' && (form.shape.look.physical?.transmission ?? 0) > 0;
		// What lets light through darkens nothing.
		this.object.castShadow = !blend;
		// Drawn after the plate and the patches on it, which it lets through.
		if (blend || glass) this.object.renderOrder = 3;
		this.object.receiveShadow = true;
		this.object.matrixAutoUpdate = false;
		this.#build();
	}

	/** Poses as drawn, ten floats an instance. */
	get poses(): Float32Array {
		return this.#buffers.poses.array as Float32Array;
	}

	/** The boxes round the instances, for other draws over them. */
	get boxes(): InstancedInterleavedBuffer {
		return this.#boxes ?? this.#buffers.poses;
	}

	/** All that an instance is, not bevelled and at rest. */
	get solid(): BufferGeometry {
		const { shape, model } = this.form;
		return model?.drawn.solid ?? plainShape(shape as ShapeName, false);
	}

	/** Takes the rows listed in `order`. */
	setRows(order: Uint32Array, rows: FrameRows, materials: FrameMaterials): void {
		this.order = order;
		this.count = order.length;
		const many = this.count > MANY;
		if (this.count > this.#buffers.capacity || many !== this.#many) {
			if (this.count > this.#buffers.capacity) {
				this.#buffers = makeBuffers(powerAbove(this.count), this.surface !== null);
				this.#boxes = this.#makeBoxes();
			}
			this.#many = many;
			this.#build();
		}
		const paint = this.#buffers.paint.array as Uint8Array;
		const code = this.#buffers.code.array as Uint8Array;
		for (let index = 0; index < this.count; index++) {
			const row = order[index]!;
			paint[index * 4] = rows.colors[row * 3]!;
			paint[index * 4 + 1] = rows.colors[row * 3 + 1]!;
			paint[index * 4 + 2] = rows.colors[row * 3 + 2]!;
			if (this.#buffers.surface !== null) this.#setSurface(index, row, materials.values);
			const [red, green, blue] = segmentationColor(rows.ids[row]!);
			code[index * 4] = red;
			code[index * 4 + 1] = green;
			code[index * 4 + 2] = blue;
			code[index * 4 + 3] = 255;
		}
		this.#buffers.paint.needsUpdate = true;
		this.#buffers.code.needsUpdate = true;
		if (this.#buffers.surface !== null) this.#buffers.surface.needsUpdate = true;
		(this.object.geometry as InstancedBufferGeometry).instanceCount = this.count;
		this.object.visible = this.count > 0;
	}

	/** Takes what one instance's material says. */
	#setSurface(index: number, row: number, values: Float32Array): void {
		const at = row * MATERIAL_FLOATS;
		const paint = this.#buffers.paint.array as Uint8Array;
		if (values[at]! >= 0)
			for (let part = 0; part < 3; part++) paint[index * 4 + part] = Math.round(values[at + part]! * 255);
		const surface = this.#buffers.surface!.array as Float32Array;
		const to = index * SURFACE_FLOATS;
		surface[to] = values[at + 4]!;
		surface[to + 1] = values[at + 5]!;
		surface[to + 2] = values[at + 3]!;
		surface[to + 3] = values[at + 6]!;
		for (let part = 0; part < 5; part++) surface[to + 4 + part] = values[at + 7 + part]!;
	}

	/** Sets which entities are dead, in a frame with the same rows. */
	setDead(dead: Uint8Array): void {
		const paint = this.#buffers.paint.array as Uint8Array;
		let changed = false;
		for (let index = 0; index < this.count; index++) {
			const living = dead[this.order[index]!] === 1 ? 0 : LIVING;
			if (paint[index * 4 + 3] === living) continue;
			paint[index * 4 + 3] = living;
			changed = true;
		}
		if (changed) this.#buffers.paint.needsUpdate = true;
	}

	/** Lights up an instance that lives, by 0 to 1. */
	flash(index: number, strength: number): void {
		const paint = this.#buffers.paint.array as Uint8Array;
		const at = index * 4 + 3;
		if (paint[at] === 0) return;
		paint[at] = Math.max(paint[at]!, Math.round(LIVING + (255 - LIVING) * strength));
		this.#lit.push(at);
		this.#buffers.paint.needsUpdate = true;
	}

	/** Ends all flashes. */
	calm(): void {
		if (this.#lit.length === 0) return;
		const paint = this.#buffers.paint.array as Uint8Array;
		for (const at of this.#lit) if (paint[at]! > LIVING) paint[at] = LIVING;
		this.#lit.length = 0;
		this.#buffers.paint.needsUpdate = true;
	}

	/** Shrinks an instance for this picture, its foot staying where it is. */
	shrink(index: number, wide: number, high: number): void {
		const at = index * POSE_STRIDE;
		const poses = this.poses;
		const low = this.form.model?.box.low[1] ?? -0.5;
		poses[at + 1]! += low * poses[at + 8]! * (1 - high);
		poses[at + 7]! *= wide;
		poses[at + 8]! *= high;
		poses[at + 9]! *= wide;
	}

	/** Returns the index of a row among the instances, or -1. */
	indexOf(row: number): number {
		let low = 0;
		let high = this.count - 1;
		while (low <= high) {
			const middle = (low + high) >> 1;
			const value = this.order[middle]!;
			if (value === row) return middle;
			if (value < row) low = middle + 1;
			else high = middle - 1;
		}
		return -1;
	}

	/** Fills in the poses between two frames. */
	setPoses(before: BlendFrom | null, next: Float32Array, alpha: number): void {
		if (this.count === 0) return;
		blendPoses(this.poses, this.order, this.count, before, next, alpha);
		const { poses } = this.#buffers;
		poses.clearUpdateRanges();
		poses.addUpdateRange(0, this.count * POSE_STRIDE);
		poses.needsUpdate = true;
		if (this.#boxes === null) return;
		const boxes = this.#boxes.array as Float32Array;
		for (let index = 0; index < this.count; index++)
			writeBox(boxes, index * POSE_STRIDE, this.poses, index * POSE_STRIDE, this.form.model!.box);
		this.#boxes.needsUpdate = true;
	}

	/** Draws this channel from now on. */
	setChannel(channel: Channel): void {
		this.#channel = channel;
		const { shape } = this.form;
		this.object.material =
			typeof shape === 'string'
				? this.#materials.of(shape, isBevelled(shape, this.#many, this.#textured), this.surface, channel)
				: this.#materials.ofPart(shape, this.surface, channel, this.form.bones);
	}

	/** Draws with the textures that are there now. */
	refresh(): void {
		this.setChannel(this.#channel);
	}

	get #textured(): boolean {
		return this.surface?.texture != null;
	}

	dispose(): void {
		this.object.geometry.dispose();
	}

	/** The first part of a model has them for all. */
	#makeBoxes(): InstancedInterleavedBuffer | null {
		return this.form.model === null || !this.form.leads ? null : makePoses(this.#buffers.capacity);
	}

	#build(): void {
		this.object.geometry.dispose();
		const { shape } = this.form;
		const geometry = instanced(
			typeof shape === 'string' ? makeShape(shape, this.#many, this.#textured) : shape.geometry,
			this.#buffers.poses,
		);
		geometry.setAttribute('paint', this.#buffers.paint);
		geometry.setAttribute('code', this.#buffers.code);
		const { surface } = this.#buffers;
		if (surface !== null) {
			geometry.setAttribute('surface', new InterleavedBufferAttribute(surface, 4, 0));
			geometry.setAttribute('glow', new InterleavedBufferAttribute(surface, 3, 4));
			geometry.setAttribute('repeat', new InterleavedBufferAttribute(surface, 2, 7));
		}
		this.object.geometry = geometry;
		this.setChannel(this.#channel);
	}
}

/** Rows that go to one batch, or to one for each part of a model. */
interface Deal {
	readonly shape: ShapeName;
	readonly model: ShownModel | null;
	readonly surface: SurfaceKind | null;
	count: number;
	used: number;
	order: Uint32Array;
}

/** The bones of the instances of a model. */
interface Bent {
	readonly rig: Rig;
	readonly bones: BonePalette;
	/** Rows of the frame. */
	order: Uint32Array;
}

/** All entities of a frame. */
export class Meshes {
	readonly group = new Group();
	/** Of models that move within themselves, by model and kind of surface. */
	readonly #bones = new Map<string, Bent>();
	#animations: ReadonlyMap<number, FrameAnimation> = new Map();
	/** By shape and kind of surface. */
	readonly batches = new Map<string, MeshBatch>();
	readonly #resources: GpuResources;
	#channel: Channel = 'color';
	#frame: FrameBlocks | null = null;
	/** The models that were there when the rows were last dealt out. */
	#dealt = '';

	readonly #tracks: FindTracks;

	constructor(resources: GpuResources) {
		this.#resources = resources;
		this.#tracks = (hash, place) => resources.models.get(hash)?.clips[place] ?? null;
	}

	/** Takes a frame; `changed` names the blocks that are not those of the frame before. */
	setFrame(frame: FrameBlocks, changed: ReadonlySet<BlockName>): void {
		this.#frame = frame;
		if (changed.has('animations'))
			this.#animations = new Map(frame.animations.map((animation) => [animation.id, animation]));
		const others = changed.has('rows') || changed.has('materials') || changed.has('models');
		if (changed.has('animations') && !others) this.#needModels(frame);
		if (others) this.#setRows(frame);
		if (others || changed.has('dead')) for (const batch of this.batches.values()) batch.setDead(frame.dead);
	}

	/** The models of a frame that have come. */
	#come(models: FrameModels): string {
		const come = Object.values(models).filter(({ hash }) => this.#resources.models.get(hash) !== null);
		return [...new Set(come.map(({ hash }) => hash))].sort().join();
	}

	/** Asks for the models that are drawn, and for those whose clips are played. */
	#needModels({ models, animations }: FrameBlocks): void {
		const needed = [...Object.values(models).map(({ hash }) => hash), ...animations.flatMap(hashesOf)];
		this.#resources.models.use(this, new Set(needed));
	}

	/** Deals the rows out to one batch for each shape and kind of surface. */
	#setRows(frame: FrameBlocks): void {
		const { rows, materials, models } = frame;
		this.#needModels(frame);
		this.#dealt = this.#come(models);
		const shown = rows.meshes.map((name): ShownModel | null => {
			const box = models[name];
			const drawn = box === undefined ? null : this.#resources.models.get(box.hash);
			return box === undefined || drawn === null ? null : { drawn, box };
		});
		const shapes = rows.meshes.map(shapeOf);
		const kinds: readonly (SurfaceKind | null)[] = [null, ...materials.kinds];
		const keyOf = (row: number): number =>
			rows.mesh[row]! * kinds.length + (materials.kind.length === 0 ? 0 : materials.kind[row]!);
		const deals = new Map<string, Deal>();
		/** By mesh and kind: several meshes may have one shape. */
		const dealt: (Deal | undefined)[] = [];
		for (let row = 0; row < rows.mesh.length; row++) {
			const number = keyOf(row);
			let deal = dealt[number];
			if (deal === undefined) {
				const shape = shapes[rows.mesh[row]!] ?? 'stand-in';
				const model = shown[rows.mesh[row]!] ?? null;
				const surface = kinds[number % kinds.length]!;
				const what = model === null ? shape : model.box.hash;
				const key = surface === null ? what : `${what} ${surface.alpha} ${surface.texture}`;
				deal = deals.get(key) ?? { shape, model, surface, count: 0, used: 0, order: new Uint32Array(0) };
				deals.set(key, deal);
				dealt[number] = deal;
			}
			deal.count++;
		}
		for (const deal of deals.values()) deal.order = new Uint32Array(deal.count);
		for (let row = 0; row < rows.mesh.length; row++) {
			const deal = dealt[keyOf(row)]!;
			deal.order[deal.used++] = row;
		}
		const orders = new Map<string, Uint32Array>();
		const bent = new Set<string>();
		for (const [what, { shape, model, surface, order }] of deals) {
			const forms = model === null ? [shape] : model.drawn.parts;
			const bones = this.#bonesOf(what, model, order);
			if (bones !== null) bent.add(what);
			for (const [at, form] of forms.entries()) {
				const key = model === null ? what : `${what} ${at}`;
				orders.set(key, order);
				const before = this.batches.get(key);
				if (before?.form.shape === form && before.form.bones === bones) continue;
				if (before !== undefined) this.#remove(key, before);
				const batch = new MeshBatch(
					{ shape: form, model, bones, leads: at === 0 },
					surface,
					this.#resources.materials,
				);
				batch.setChannel(this.#channel);
				this.batches.set(key, batch);
				this.group.add(batch.object);
			}
		}
		for (const [key, batch] of this.batches) {
			const order = orders.get(key);
			const passing = batch.surface?.texture != null || batch.form.model !== null;
			if (order === undefined && passing) this.#remove(key, batch);
			else batch.setRows(order ?? new Uint32Array(0), rows, materials);
		}
		for (const [key, { bones }] of this.#bones)
			if (!bent.has(key)) {
				bones.dispose();
				this.#bones.delete(key);
			}
		const pictures = materials.kinds.flatMap(({ texture }) => (texture === null ? [] : [texture]));
		this.#resources.textures.use(this, new Set(pictures));
	}

	/** The bones of the instances of a model, in `order`; null where nothing moves within it. */
	#bonesOf(key: string, model: ShownModel | null, order: Uint32Array): BonePalette | null {
		const rig = model?.drawn.rig ?? null;
		if (rig === null) return null;
		const before = this.#bones.get(key);
		if (before?.rig === rig) {
			before.order = order;
			return before.bones;
		}
		before?.bones.dispose();
		const bones = new BonePalette(rig);
		this.#bones.set(key, { rig, bones, order });
		return bones;
	}

	#remove(key: string, batch: MeshBatch): void {
		this.group.remove(batch.object);
		batch.dispose();
		this.batches.delete(key);
	}

	/** Draws with the textures and models that are there now. True when other batches are there, which have no poses yet. */
	refresh(): boolean {
		const frame = this.#frame;
		const others = frame !== null && this.#come(frame.models) !== this.#dealt;
		if (others) this.setFrame(frame, new Set(['rows']));
		for (const batch of this.batches.values()) batch.refresh();
		return others;
	}

	/** Fills in the poses between two frames, the moment that is shown being `ago` ticks before the newest. */
	setPoses(before: BlendFrom | null, next: Float32Array, alpha: number, ago: number): void {
		for (const { bones, order } of this.#bones.values())
			bones.fill(order, this.#frame!.rows.ids, this.#animations, ago, this.#tracks);
		for (const batch of this.batches.values()) {
			batch.calm();
			batch.setPoses(before, next, alpha);
		}
		this.#feel(ago);
	}

	/** Shows on the instances what has just happened to them. */
	#feel(ago: number): void {
		const { feedback, rows } = this.#frame!;
		const { settings, moments, leaving } = feedback;
		const now = feedback.tick - ago;
		const of = (id: number, generation: number, run: (batch: MeshBatch, index: number) => void): void => {
			const row = rowAt(rows, id);
			if (row < 0 || rows.generations[row] !== generation) return;
			for (const batch of this.batches.values()) {
				const index = batch.indexOf(row);
				if (index >= 0) run(batch, index);
			}
		};
		for (const { kind, tick, entity, share } of moments) {
			const age = Math.max(now - tick, 0);
			if (kind === 'hurt' && settings.flashes && age < FLASH_TICKS) {
				// A scratch glints: a tower under many small blows would stay white.
				const strength = (0.12 + Math.min(share * 3, 0.88)) * (1 - age / FLASH_TICKS);
				of(entity.id, entity.generation, (batch, index) => batch.flash(index, strength));
			}
			if (kind === 'appear' && settings.bursts && age < GROW_TICKS) {
				const left = 1 - age / GROW_TICKS;
				const size = 1 - 0.85 * left * left;
				of(entity.id, entity.generation, (batch, index) => batch.shrink(index, size, size));
			}
		}
		for (const { id, generation, at } of leaving) {
			const left = Math.min(Math.max((at - now) / SINK_TICKS, 0), 1);
			if (left < 1) of(id, generation, (batch, index) => batch.shrink(index, 0.7 + 0.3 * left, left * left));
		}
	}

	/** Draws this channel from now on. */
	setChannel(channel: Channel): void {
		if (channel === this.#channel) return;
		this.#channel = channel;
		for (const batch of this.batches.values()) batch.setChannel(channel);
	}

	/** Finds the batch in which a row is drawn, or null. */
	find(row: number): { readonly batch: MeshBatch; readonly index: number } | null {
		for (const batch of this.batches.values()) {
			const index = batch.form.leads ? batch.indexOf(row) : -1;
			if (index >= 0) return { batch, index };
		}
		return null;
	}

	dispose(): void {
		this.#resources.textures.use(this, new Set());
		this.#resources.models.use(this, new Set());
		for (const batch of this.batches.values()) batch.dispose();
		for (const { bones } of this.#bones.values()) bones.dispose();
	}
}

/** The row of an entity, or -1: they are in id order. */
function rowAt({ ids }: FrameRows, id: number): number {
	let low = 0;
	let high = ids.length - 1;
	while (low <= high) {
		const middle = (low + high) >> 1;
		if (ids[middle] === id) return middle;
		if (ids[middle]! < id) low = middle + 1;
		else high = middle - 1;
	}
	return -1;
}

/** The models whose clips are played. */
function hashesOf({ clip, fading, montage }: FrameAnimation): string[] {
	return [clip, fading, montage].flatMap((one) => one?.hash ?? []);
}

/** A geometry drawn once for each pose in `poses`. */
export function instanced(shape: BufferGeometry, poses: InstancedInterleavedBuffer): InstancedBufferGeometry {
	const geometry = new InstancedBufferGeometry();
	geometry.setIndex(shape.index);
	geometry.setAttribute('position', shape.getAttribute('position'));
	for (const name of ['uv', 'uv1', 'uv2', 'uv3', 'normal', 'color', 'skinIndex', 'skinWeight']) {
		const held = shape.getAttribute(name);
		if (held !== undefined) geometry.setAttribute(name, held);
	}
	geometry.setAttribute('posePlace', new InterleavedBufferAttribute(poses, 3, 0));
	geometry.setAttribute('poseTurn', new InterleavedBufferAttribute(poses, 4, 3));
	geometry.setAttribute('poseScale', new InterleavedBufferAttribute(poses, 3, 7));
	geometry.instanceCount = 0;
	return geometry;
}

/** Room for the poses of `capacity` instances. */
export function makePoses(capacity: number): InstancedInterleavedBuffer {
	const poses = new InstancedInterleavedBuffer(new Float32Array(capacity * POSE_STRIDE), POSE_STRIDE);
	poses.setUsage(DynamicDrawUsage);
	return poses;
}

function makeBuffers(capacity: number, surfaced: boolean): InstanceBuffers {
	return {
		capacity,
		poses: makePoses(capacity),
		paint: new InstancedBufferAttribute(new Uint8Array(capacity * 4).fill(255), 4, true),
		code: new InstancedBufferAttribute(new Uint8Array(capacity * 4), 4, true),
		surface: surfaced
			? new InstancedInterleavedBuffer(new Float32Array(capacity * SURFACE_FLOATS), SURFACE_FLOATS)
			: null,
	};
}

/** The power of two at or above `count`. */
export function powerAbove(count: number): number {
	return 2 ** Math.ceil(Math.log2(Math.max(count, LEAST_CAPACITY)));
}
