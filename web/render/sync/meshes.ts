/**
 * The drawn entities: one instanced draw for each mesh, for any number of entities.
 * Owns: the table of rows, and the assignment of rows to batches. Each pass draws the rows that its camera sees.
 */

import { type BufferGeometry, type Camera, Group } from 'three/webgpu';
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
import { segmentationColor } from '../channels.ts';
import { type Detail, eyeOf, ONE_LEVEL } from '../detail-level.ts';
import { isBevelled, MANY, makeShape, plainShape, type ShapeName, shapeOf } from '../geometries.ts';
import type { GpuResources } from '../gpu-resources.ts';
import { type BlendFrom, POSE_STRIDE } from '../interpolate.ts';
import { LIVING, type Materials } from '../materials.ts';
import type { DrawnModel, ModelPart } from '../models.ts';
import type { FindTracks, Rig } from '../pose.ts';
import { RowTable } from '../row-table.ts';
import { Stretch } from '../stretch.ts';
import { dataOf } from '../textures.ts';
import { RowGroup, RowsMesh, type Triangles, Views } from './rows-mesh.ts';

/** Blocks that the poses and states of rows depend on. */
const POSED: readonly BlockName[] = [
	'rows',
	'poses',
	'dead',
	'feedback',
	'models',
	'materials',
	'animations',
];
/** State of a living row that does not flash. */
const ALIVE = LIVING / 255;
/** Time that a hurt entity flashes. */
const FLASH_TICKS = 10;
/** Time that a new entity grows. */
const GROW_TICKS = 18;
/** Time that a corpse sinks. */
const SINK_TICKS = 40;

/** Maximum number of instances for which contact patches are drawn. */
const MAX_PATCHED = 5000;
/** Distance that a patch reaches beyond its entity (m). */
const PATCH_REACH = 1.5;
/** Floats of a row in `FrameMaterials.values`. */
export const MATERIAL_FLOATS = 15;
/** Reach of every shape from its entity, along each axis (m). */
const SHAPE_REACH = [0.5, 0.5, 0.5] as const;

/** A loaded model in a world, and its box. */
interface ShownModel {
	readonly drawn: DrawnModel;
	readonly box: FrameModel;
}

/** Form of a batch's instances: a shape, or a part of a model. */
export interface Form {
	readonly shape: ShapeName | ModelPart;
	/** Null for shapes. */
	readonly model: ShownModel | null;
	/** Bones of an animated model, or null. */
	readonly bones: BonePalette | null;
	/** False for all parts of a model but the first. */
	readonly leads: boolean;
}

/** Returns the names of the textures of a kind of surface. */
const picturesOf = ({ texture, normal, occlusion }: SurfaceKind): string[] =>
	[texture, normal && dataOf(normal), occlusion && dataOf(occlusion)].filter((name) => name !== null);

/** The instances of one mesh and one kind of surface. */
export class MeshBatch {
	readonly form: Form;
	/** Null for plain paint. */
	readonly surface: SurfaceKind | null;
	/** One object for each level of detail. */
	readonly objects: readonly RowsMesh[];
	/** Its rows, and lists of the seen rows. */
	readonly group: RowGroup;
	#many = false;
	#channel: Channel = 'color';
	readonly #materials: Materials;

	constructor(form: Form, surface: SurfaceKind | null, group: RowGroup, materials: Materials) {
		this.form = form;
		this.surface = surface;
		this.group = group;
		this.#materials = materials;
		this.objects = this.#shapes().map((shape, level) => new RowsMesh(group, shape, level));
		const blend = materials.alphaOf(form.shape, surface) === 'blend';
		const own = typeof form.shape === 'string' ? null : form.shape.look.physical;
		const isClear = blend || surface?.transmits === true || (own?.transmission ?? 0) > 0;
		for (const object of this.objects) {
			object.name = typeof form.shape === 'string' ? form.shape : 'model';
			// Transparent surfaces cast no shadow.
			object.castShadow = !isClear;
			// Transparent surfaces are drawn after the plate and its patches, which show through them.
			if (isClear) object.renderOrder = 3;
			object.receiveShadow = true;
		}
		this.refresh();
	}

	/** Its rows, in ascending order. */
	get order(): Uint32Array {
		return this.group.order;
	}

	get count(): number {
		return this.group.order.length;
	}

	/** Shape of a whole instance, not bevelled and at rest. */
	get solid(): BufferGeometry {
		const { shape, model } = this.form;
		return model?.drawn.solid ?? plainShape(shape as ShapeName, false);
	}

	/** Sets the rows of the batch. */
	setRows(order: Uint32Array): void {
		this.group.order = order;
		const { isDivided } = this.group;
		for (const [level, object] of this.objects.entries())
			object.visible = order.length > 0 && (level === 0 || isDivided);
		const many = order.length > MANY;
		if (many === this.#many) return;
		this.#many = many;
		for (const [level, shape] of this.#shapes().entries()) this.objects[level]!.setShape(shape);
		this.refresh();
	}

	/** Returns true if a row belongs to the batch. */
	has(row: number): boolean {
		const { order } = this;
		let low = 0;
		let high = order.length - 1;
		while (low <= high) {
			const middle = (low + high) >> 1;
			const value = order[middle]!;
			if (value === row) return true;
			if (value < row) low = middle + 1;
			else high = middle - 1;
		}
		return false;
	}

	/** Sets the channel to draw. */
	setChannel(channel: Channel): void {
		this.#channel = channel;
		const { shape } = this.form;
		const material =
			typeof shape === 'string'
				? this.#materials.of(shape, isBevelled(shape, this.#many, this.#textured), this.surface, channel)
				: this.#materials.ofPart(shape, this.surface, channel, this.form.bones);
		for (const object of this.objects) object.material = material;
	}

	/** Updates the material to the textures that are loaded now. */
	refresh(): void {
		this.setChannel(this.#channel);
	}

	get #textured(): boolean {
		return this.surface !== null && picturesOf(this.surface).length > 0;
	}

	dispose(): void {
		for (const object of this.objects) object.dispose();
		this.group.dispose();
	}

	/** Returns the triangles of each level of detail. */
	#shapes(): Triangles[] {
		const { shape } = this.form;
		if (typeof shape === 'string') return [makeShape(shape, this.#many, this.#textured)];
		const { geometry, levels } = shape;
		const { attributes } = geometry;
		return [geometry, ...levels.map((index) => ({ index, attributes }))];
	}
}

/** Returns the one level of a shape. */
function detailOf(shape: ShapeName): Detail {
	const { index, attributes } = plainShape(shape, false);
	return { ...ONE_LEVEL, triangles: (index ?? attributes.position!).count / 3 };
}

/** Rows with the same shape and surface; a model has one batch for each part. */
interface Deal {
	readonly shape: ShapeName;
	readonly model: ShownModel | null;
	readonly surface: SurfaceKind | null;
	count: number;
	used: number;
	order: Uint32Array;
}

/** Bones of the instances of an animated model. */
interface Bent {
	readonly rig: Rig;
	readonly stretch: Stretch;
	readonly bones: BonePalette;
	/** Rows of the frame. */
	order: Uint32Array;
}

/** All entities of a frame. */
export class Meshes {
	readonly group = new Group();
	/** Bones of animated models, by model and kind of surface. */
	readonly #bones = new Map<string, Bent>();
	#animations: ReadonlyMap<number, FrameAnimation> = new Map();
	/** Batches by shape and kind of surface. */
	readonly batches = new Map<string, MeshBatch>();
	readonly #resources: GpuResources;
	#channel: Channel = 'color';
	#frame: FrameBlocks | null = null;
	/** The models that were there, or known to be missing, when the rows were last dealt out. */
	#dealt = '';
	readonly #table = new RowTable();
	readonly #views: Views;
	readonly #tracks: FindTracks;
	/** True if contact patches are drawn; a crowd has none. */
	isPatched = true;

	constructor(resources: GpuResources) {
		this.#resources = resources;
		this.#views = new Views(resources.quality.software);
		this.#tracks = (hash, index) => resources.models.get(hash)?.clips[index] ?? null;
	}

	/** Takes a frame. `changed`: blocks that differ from the previous frame. */
	setFrame(frame: FrameBlocks, changed: ReadonlySet<BlockName>): void {
		this.#frame = frame;
		if (changed.has('animations'))
			this.#animations = new Map(frame.animations.map((animation) => [animation.id, animation]));
		const others = changed.has('rows') || changed.has('materials') || changed.has('models');
		if (changed.has('animations') && !others) this.#needModels(frame);
		if (others) this.#setRows(frame);
		if (POSED.some((name) => changed.has(name))) this.#table.expire();
	}

	/** Returns the models of a frame that have come, or are known to be missing. */
	#come(models: FrameModels): string {
		const come = Object.values(models).filter(({ hash }) => !this.#resources.models.isLoading(hash));
		return [...new Set(come.map(({ hash }) => hash))].sort().join();
	}

	/** Requests the drawn models, and the models of played clips. */
	#needModels({ models, animations }: FrameBlocks): void {
		const needed = [...Object.values(models).map(({ hash }) => hash), ...animations.flatMap(hashesOf)];
		this.#resources.models.use(this, new Set(needed));
	}

	/** Assigns the rows to batches, one for each shape and kind of surface. */
	#setRows(frame: FrameBlocks): void {
		const { rows, materials, models } = frame;
		this.#needModels(frame);
		this.#dealt = this.#come(models);
		const shown = rows.meshes.map((name): ShownModel | null => {
			const box = models[name];
			const drawnModel = box === undefined ? null : this.#resources.models.get(box.hash);
			return box === undefined || drawnModel === null ? null : { drawn: drawnModel, box };
		});
		const shapes = rows.meshes.map(shapeOf);
		// Nothing is drawn in the place of a model that is still to come: any shape would be a wrong one.
		const isComing = rows.meshes.map(
			(name) => models[name] !== undefined && this.#resources.models.isLoading(models[name].hash),
		);
		const kinds: readonly (SurfaceKind | null)[] = [null, ...materials.kinds];
		const keyOf = (row: number): number =>
			rows.mesh[row]! * kinds.length + (materials.kind.length === 0 ? 0 : materials.kind[row]!);
		const deals = new Map<string, Deal>();
		/** By mesh and kind: several meshes may have the same shape. */
		const dealt: (Deal | undefined)[] = [];
		for (let row = 0; row < rows.mesh.length; row++) {
			if (isComing[rows.mesh[row]!]) continue;
			const number = keyOf(row);
			let deal = dealt[number];
			if (deal === undefined) {
				const shape = shapes[rows.mesh[row]!] ?? 'stand-in';
				const model = shown[rows.mesh[row]!] ?? null;
				const surface = kinds[number % kinds.length]!;
				const what = model === null ? shape : model.box.hash;
				const key = surface === null ? what : `${what} ${Object.values(surface).join(' ')}`;
				deal = deals.get(key) ?? { shape, model, surface, count: 0, used: 0, order: new Uint32Array(0) };
				deals.set(key, deal);
				dealt[number] = deal;
			}
			deal.count++;
		}
		for (const deal of deals.values()) deal.order = new Uint32Array(deal.count);
		for (let row = 0; row < rows.mesh.length; row++) {
			const deal = dealt[keyOf(row)];
			if (deal === undefined) continue;
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
				const see = bones === null ? null : (index: number): void => bones.fill(index);
				// All parts of a model are seen together.
				const group =
					at === 0
						? new RowGroup(this.#views, this.#table, see, model?.drawn.detail ?? detailOf(shape))
						: this.batches.get(`${what} 0`)!.group;
				const batch = new MeshBatch(
					{ shape: form, model, bones, leads: at === 0 },
					surface,
					group,
					this.#resources.materials,
				);
				batch.setChannel(this.#channel);
				this.batches.set(key, batch);
				this.group.add(...batch.objects);
			}
		}
		for (const [key, batch] of this.batches) {
			const order = orders.get(key);
			const model =
				batch.form.model !== null || (batch.surface !== null && picturesOf(batch.surface).length > 0);
			if (order === undefined && model) this.#remove(key, batch);
			else batch.setRows(order ?? new Uint32Array(0));
		}
		this.#setLooks(rows, materials);
		const leading = [...this.batches.values()].filter(({ form }) => form.leads);
		for (const { order, form } of leading)
			this.#table.setReach(order, form.model?.drawn.reach ?? SHAPE_REACH);
		this.isPatched = leading.reduce((sum, { count }) => sum + count, 0) <= MAX_PATCHED;
		for (const [key, { bones }] of this.#bones)
			if (!bent.has(key)) {
				bones.dispose();
				this.#bones.delete(key);
			}
		this.#resources.textures.use(this, new Set(materials.kinds.flatMap(picturesOf)));
	}

	/** Sets the paint, the code and the surface of each row. */
	#setLooks(rows: FrameRows, { kind, kinds, values }: FrameMaterials): void {
		const table = this.#table;
		table.setCount(rows.ids.length, kinds.length > 0);
		const own = [0, 0, 0];
		const surface = new Array<number>(12).fill(0);
		for (let row = 0; row < rows.ids.length; row++) {
			const at = row * MATERIAL_FLOATS;
			const isSurfaced = kind.length > 0 && kind[row] !== 0;
			const code = segmentationColor(rows.ids[row]!);
			if (isSurfaced && values[at]! >= 0) {
				for (let part = 0; part < 3; part++) own[part] = Math.round(values[at + part]! * 255);
				table.setLook(row, own, 0, code);
			} else table.setLook(row, rows.colors, row * 3, code);
			if (!isSurfaced) continue;
			surface[0] = values[at + 4]!;
			surface[1] = values[at + 5]!;
			surface[2] = values[at + 3]!;
			surface[3] = values[at + 6]!;
			for (let part = 0; part < 8; part++) surface[4 + part] = values[at + 7 + part]!;
			table.setSurface(row, surface);
		}
	}

	/** Returns the bones for the rows of a model; null if it is not animated. */
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
		this.#bones.set(key, { rig, stretch: new Stretch(rig), bones, order });
		return bones;
	}

	#remove(key: string, batch: MeshBatch): void {
		this.group.remove(...batch.objects);
		batch.dispose();
		this.batches.delete(key);
	}

	/** Updates to the loaded textures and models. Returns true if batches changed; then poses must be set again. */
	refresh(): boolean {
		const frame = this.#frame;
		const others = frame !== null && this.#come(frame.models) !== this.#dealt;
		this.#table.expire();
		if (others) this.setFrame(frame, new Set(['rows']));
		for (const batch of this.batches.values()) batch.refresh();
		return others;
	}

	/** Sets the moment between two frames, which is `ago` ticks before the newest. */
	setPoses(before: BlendFrom | null, next: Float32Array, alpha: number, ago: number): void {
		const { rows, dead } = this.#frame!;
		for (const { bones, order } of this.#bones.values())
			bones.begin({ order, ids: rows.ids, animations: this.#animations, ago, find: this.#tracks });
		if (!this.#table.setPoses(before, next, alpha, { dead, alive: ALIVE })) return;
		this.#feel();
		this.#stretch();
		this.#table.enclose(this.isPatched ? PATCH_REACH : 0, before !== null);
	}

	/** Sets the reach of the rows of animated models. */
	#stretch(): void {
		const { ids } = this.#frame!.rows;
		for (const { stretch, order } of this.#bones.values()) {
			for (const row of order) {
				const { clip, fading, montage } = this.#animations.get(ids[row]!) ?? {};
				for (const frameClip of [clip, fading, montage])
					if (frameClip) stretch.add(this.#tracks(frameClip.hash, frameClip.place));
			}
			this.#table.setReach(order, stretch.reach);
		}
	}

	/** Applies the feedback of the newest frame to the rows: flashing, growing and sinking. */
	#feel(): void {
		const { feedback, rows } = this.#frame!;
		const { settings, moments, leaving, tick: now } = feedback;
		const table = this.#table;
		const rowOf = (id: number, generation: number): number => {
			const row = rowAt(rows, id);
			return row >= 0 && rows.generations[row] === generation ? row : -1;
		};
		const shrink = (row: number, wide: number, high: number): void => {
			const low = this.#find(row)?.form.model?.box.low[1] ?? -0.5;
			table.shrink(row, low, wide, high);
		};
		for (const { kind, tick, entity, share } of moments) {
			const row = rowOf(entity.id, entity.generation);
			if (row < 0) continue;
			const age = Math.max(now - tick, 0);
			if (kind === 'hurt' && settings.flashes && age < FLASH_TICKS && table.stateOf(row) > 0) {
				// Small hits flash weakly: a tower under many small hits would stay white.
				const strength = (0.12 + Math.min(share * 3, 0.88)) * (1 - age / FLASH_TICKS);
				table.setState(row, Math.max(table.stateOf(row), ALIVE + (1 - ALIVE) * strength));
			}
			if (kind === 'appear' && settings.bursts && age < GROW_TICKS) {
				const remaining = 1 - age / GROW_TICKS;
				const size = 1 - 0.85 * remaining * remaining;
				shrink(row, size, size);
			}
		}
		for (const { id, generation, at } of leaving) {
			const left = Math.min(Math.max((at - now) / SINK_TICKS, 0), 1);
			const row = left < 1 ? rowOf(id, generation) : -1;
			if (row >= 0) shrink(row, 0.7 + 0.3 * left, left * left);
		}
	}

	/** Makes shared materials read the rows of this stage; call it right before drawing. `height`: of the picture (CSS pixels). */
	prepare(lens: Camera, height: number): void {
		this.#views.begin(eyeOf(lens, height, this.#frame?.post.model_error ?? 0));
		this.#resources.rows.use(this.#table);
	}

	/** Sets the channel to draw. */
	setChannel(channel: Channel): void {
		if (channel === this.#channel) return;
		this.#channel = channel;
		for (const batch of this.batches.values()) batch.setChannel(channel);
	}

	/** Finds the leading batch of a row, or null. */
	#find(row: number): MeshBatch | null {
		for (const batch of this.batches.values()) if (batch.form.leads && batch.has(row)) return batch;
		return null;
	}

	/** Finds the form of a row and its pose at the shown moment; null if it is not drawn. */
	find(row: number): (Pick<MeshBatch, 'form' | 'solid'> & { readonly pose: Float32Array }) | null {
		const batch = this.#find(row);
		if (batch === null) return null;
		const { form, solid } = batch;
		return { form, solid, pose: this.#table.poseOf(row, new Float32Array(POSE_STRIDE)) };
	}

	/** Places of rows at the shown moment. */
	get places(): Pick<RowTable, 'spheres' | 'poseOf'> {
		return this.#table;
	}

	dispose(): void {
		this.#resources.textures.use(this, new Set());
		this.#resources.models.use(this, new Set());
		for (const batch of this.batches.values()) batch.dispose();
		for (const { bones } of this.#bones.values()) bones.dispose();
		this.#table.dispose();
	}
}

/** Returns the row of an entity, or -1. Rows are in the order of ids. */
export function rowAt({ ids }: FrameRows, id: number): number {
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

/** Returns the hashes of the models whose clips are played. */
function hashesOf({ clip, fading, montage }: FrameAnimation): string[] {
	return [clip, fading, montage].flatMap((frameClip) => frameClip?.hash ?? []);
}
