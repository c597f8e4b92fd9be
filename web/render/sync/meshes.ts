/**
 * Drawn entities: one instanced draw for each mesh, for any number of entities.
 * Owns: the table of rows, and the assignment of rows to batches. Each pass draws the rows that its camera
 * sees.
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
import {
	isBevelled,
	MAX_DETAILED_COUNT,
	makeShape,
	plainShape,
	type ShapeName,
	shapeOf,
} from '../geometries.ts';
import type { GpuResources } from '../gpu-resources.ts';
import { type BlendStart, POSE_STRIDE } from '../interpolate.ts';
import { LIVING, type Materials } from '../materials.ts';
import type { DrawnModel, ModelPart } from '../models.ts';
import type { FindTracks, Rig } from '../pose.ts';
import { RowTable } from '../row-table.ts';
import { ReachBound } from '../stretch.ts';
import { dataOf } from '../textures.ts';
import { RowGroup, RowsMesh, type Triangles, Views } from './rows-mesh.ts';

/** Blocks that the poses and states of rows depend on. */
const POSE_BLOCKS: readonly BlockName[] = [
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
/** Time that a hurt entity flashes (ticks). */
const FLASH_TICKS = 10;
/** Time that a new entity grows (ticks). */
const GROW_TICKS = 18;
/** Time that a corpse sinks (ticks). */
const SINK_TICKS = 40;

/** Maximum number of instances for which contact patches are drawn. */
const MAX_PATCHED_INSTANCES = 5000;
/** Distance that a patch reaches beyond its entity (m). */
const PATCH_REACH = 1.5;
/** Floats of a row in `FrameMaterials.values`. */
export const MATERIAL_FLOATS = 15;
/** Reach of every shape from its entity, along each axis (m). */
const SHAPE_REACH = [0.5, 0.5, 0.5] as const;

/** Loaded model in a world, with its box. */
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
	/** True for a shape, and for the first part of a model. */
	readonly isFirst: boolean;
}

/** Returns the names of the textures of a kind of surface. */
const picturesOf = ({ texture, normal, occlusion }: SurfaceKind): string[] =>
	[texture, normal && dataOf(normal), occlusion && dataOf(occlusion)].filter((name) => name !== null);

/** Instances of one mesh and one kind of surface. */
export class MeshBatch {
	readonly form: Form;
	/** Null for plain paint. */
	readonly surface: SurfaceKind | null;
	/** One object for each level of detail. */
	readonly objects: readonly RowsMesh[];
	/** Rows of the batch, with lists of the visible rows. */
	readonly group: RowGroup;
	#isCoarse = false;
	#channel: Channel = 'color';
	readonly #materials: Materials;

	constructor(form: Form, surface: SurfaceKind | null, group: RowGroup, materials: Materials) {
		this.form = form;
		this.surface = surface;
		this.group = group;
		this.#materials = materials;
		this.objects = this.#shapes().map((shape, level) => new RowsMesh(group, shape, level));
		const isBlended = materials.alphaOf(form.shape, surface) === 'blend';
		const physical = typeof form.shape === 'string' ? null : form.shape.look.physical;
		const isClear = isBlended || surface?.transmits === true || (physical?.transmission ?? 0) > 0;
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

	/** Rows of the batch, in ascending order. */
	get rows(): Uint32Array {
		return this.group.rows;
	}

	get count(): number {
		return this.group.rows.length;
	}

	/** Shape of a whole instance, not bevelled and at rest. */
	get solid(): BufferGeometry {
		const { shape, model } = this.form;
		return model?.drawn.solid ?? plainShape(shape as ShapeName, false);
	}

	/** Sets the rows of the batch. */
	setRows(rows: Uint32Array): void {
		this.group.rows = rows;
		const { isDivided } = this.group;
		for (const [level, object] of this.objects.entries())
			object.visible = rows.length > 0 && (level === 0 || isDivided);
		const isCoarse = rows.length > MAX_DETAILED_COUNT;
		if (isCoarse === this.#isCoarse) return;
		this.#isCoarse = isCoarse;
		for (const [level, shape] of this.#shapes().entries()) this.objects[level]!.setShape(shape);
		this.refresh();
	}

	/** Returns true if a row belongs to the batch. */
	has(row: number): boolean {
		const { rows } = this;
		let start = 0;
		let end = rows.length - 1;
		while (start <= end) {
			const middle = (start + end) >> 1;
			const value = rows[middle]!;
			if (value === row) return true;
			if (value < row) start = middle + 1;
			else end = middle - 1;
		}
		return false;
	}

	/** Sets the channel to draw. */
	setChannel(channel: Channel): void {
		this.#channel = channel;
		const { shape } = this.form;
		const material =
			typeof shape === 'string'
				? this.#materials.shapeMaterial(
						shape,
						isBevelled(shape, this.#isCoarse, this.#isTextured),
						this.surface,
						channel,
					)
				: this.#materials.partMaterial(shape, this.surface, channel, this.form.bones);
		for (const object of this.objects) object.material = material;
	}

	/** Updates the material to the textures that are loaded now. */
	refresh(): void {
		this.setChannel(this.#channel);
	}

	get #isTextured(): boolean {
		return this.surface !== null && picturesOf(this.surface).length > 0;
	}

	dispose(): void {
		for (const object of this.objects) object.dispose();
		this.group.dispose();
	}

	/** Returns the triangles of each level of detail. */
	#shapes(): Triangles[] {
		const { shape } = this.form;
		if (typeof shape === 'string') return [makeShape(shape, this.#isCoarse, this.#isTextured)];
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
interface RowSet {
	readonly shape: ShapeName;
	readonly model: ShownModel | null;
	readonly surface: SurfaceKind | null;
	count: number;
	used: number;
	rows: Uint32Array;
}

/** Bones of the instances of an animated model. */
interface AnimatedModel {
	readonly rig: Rig;
	readonly bound: ReachBound;
	readonly bones: BonePalette;
	/** Rows of the frame. */
	rows: Uint32Array;
}

/** Batches of all entities of a frame. */
export class Meshes {
	readonly group = new Group();
	/** Bones of animated models, by model and kind of surface. */
	readonly #bones = new Map<string, AnimatedModel>();
	#animations: ReadonlyMap<number, FrameAnimation> = new Map();
	/** Batches by shape and kind of surface. */
	readonly batches = new Map<string, MeshBatch>();
	readonly #resources: GpuResources;
	#channel: Channel = 'color';
	#frame: FrameBlocks | null = null;
	/** Models that were loaded or known to be missing at the last assignment of rows. */
	#assignedModels = '';
	readonly #table = new RowTable();
	readonly #views: Views;
	readonly #findTracks: FindTracks;
	/** True if contact patches are drawn. A crowd has no patches. */
	isPatched = true;

	constructor(resources: GpuResources) {
		this.#resources = resources;
		this.#views = new Views(resources.quality.software);
		this.#findTracks = (hash, index) => resources.models.get(hash)?.clips[index] ?? null;
	}

	/** Takes a frame. `changed`: blocks that differ from the previous frame. */
	setFrame(frame: FrameBlocks, changed: ReadonlySet<BlockName>): void {
		this.#frame = frame;
		if (changed.has('animations'))
			this.#animations = new Map(frame.animations.map((animation) => [animation.id, animation]));
		const hasNewRows = changed.has('rows') || changed.has('materials') || changed.has('models');
		if (changed.has('animations') && !hasNewRows) this.#requestModels(frame);
		if (hasNewRows) this.#setRows(frame);
		if (POSE_BLOCKS.some((name) => changed.has(name))) this.#table.expire();
	}

	/** Returns the hashes of a frame's models that are loaded or known to be missing, as one text. */
	#loadedModels(models: FrameModels): string {
		const settledModels = Object.values(models).filter(({ hash }) => !this.#resources.models.isLoading(hash));
		return [...new Set(settledModels.map(({ hash }) => hash))].sort().join();
	}

	/** Requests the drawn models, and the models of played clips. */
	#requestModels({ models, animations }: FrameBlocks): void {
		const needed = [...Object.values(models).map(({ hash }) => hash), ...animations.flatMap(hashesOf)];
		this.#resources.models.use(this, new Set(needed));
	}

	/** Assigns the rows to batches, one for each shape and kind of surface. */
	#setRows(frame: FrameBlocks): void {
		const { rows, materials, models } = frame;
		this.#requestModels(frame);
		this.#assignedModels = this.#loadedModels(models);
		const shownModels = rows.meshes.map((name): ShownModel | null => {
			const box = models[name];
			const drawnModel = box === undefined ? null : this.#resources.models.get(box.hash);
			return box === undefined || drawnModel === null ? null : { drawn: drawnModel, box };
		});
		const shapes = rows.meshes.map(shapeOf);
		// Nothing is drawn in place of a loading model, because any shape would be wrong.
		const isLoading = rows.meshes.map(
			(name) => models[name] !== undefined && this.#resources.models.isLoading(models[name].hash),
		);
		const kinds: readonly (SurfaceKind | null)[] = [null, ...materials.kinds];
		const formNumberOf = (row: number): number =>
			rows.mesh[row]! * kinds.length + (materials.kind.length === 0 ? 0 : materials.kind[row]!);
		const sets = new Map<string, RowSet>();
		/** Row sets by mesh and kind. Several meshes may have the same shape. */
		const setByNumber: (RowSet | undefined)[] = [];
		for (let row = 0; row < rows.mesh.length; row++) {
			if (isLoading[rows.mesh[row]!]) continue;
			const number = formNumberOf(row);
			let rowSet = setByNumber[number];
			if (rowSet === undefined) {
				const shape = shapes[rows.mesh[row]!] ?? 'stand-in';
				const model = shownModels[rows.mesh[row]!] ?? null;
				const surface = kinds[number % kinds.length]!;
				const formKey = model === null ? shape : model.box.hash;
				const key = surface === null ? formKey : `${formKey} ${Object.values(surface).join(' ')}`;
				rowSet = sets.get(key) ?? { shape, model, surface, count: 0, used: 0, rows: new Uint32Array(0) };
				sets.set(key, rowSet);
				setByNumber[number] = rowSet;
			}
			rowSet.count++;
		}
		for (const rowSet of sets.values()) rowSet.rows = new Uint32Array(rowSet.count);
		for (let row = 0; row < rows.mesh.length; row++) {
			const rowSet = setByNumber[formNumberOf(row)];
			if (rowSet === undefined) continue;
			rowSet.rows[rowSet.used++] = row;
		}
		const rowsByKey = new Map<string, Uint32Array>();
		const animatedKeys = new Set<string>();
		for (const [formKey, { shape, model, surface, rows: setRows }] of sets) {
			const forms = model === null ? [shape] : model.drawn.parts;
			const bones = this.#bonesOf(formKey, model, setRows);
			if (bones !== null) animatedKeys.add(formKey);
			for (const [index, form] of forms.entries()) {
				const key = model === null ? formKey : `${formKey} ${index}`;
				rowsByKey.set(key, setRows);
				const previous = this.batches.get(key);
				if (previous?.form.shape === form && previous.form.bones === bones) continue;
				if (previous !== undefined) this.#remove(key, previous);
				const fillBones = bones === null ? null : (index: number): void => bones.fill(index);
				// All parts of a model are visible together.
				const group =
					index === 0
						? new RowGroup(this.#views, this.#table, fillBones, model?.drawn.detail ?? detailOf(shape))
						: this.batches.get(`${formKey} 0`)!.group;
				const batch = new MeshBatch(
					{ shape: form, model, bones, isFirst: index === 0 },
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
			const batchRows = rowsByKey.get(key);
			const hasAssets =
				batch.form.model !== null || (batch.surface !== null && picturesOf(batch.surface).length > 0);
			if (batchRows === undefined && hasAssets) this.#remove(key, batch);
			else batch.setRows(batchRows ?? new Uint32Array(0));
		}
		this.#setLooks(rows, materials);
		const firstBatches = [...this.batches.values()].filter(({ form }) => form.isFirst);
		for (const { rows: batchRows, form } of firstBatches)
			this.#table.setReach(batchRows, form.model?.drawn.reach ?? SHAPE_REACH);
		this.isPatched = firstBatches.reduce((sum, { count }) => sum + count, 0) <= MAX_PATCHED_INSTANCES;
		for (const [key, { bones }] of this.#bones)
			if (!animatedKeys.has(key)) {
				bones.dispose();
				this.#bones.delete(key);
			}
		this.#resources.textures.use(this, new Set(materials.kinds.flatMap(picturesOf)));
	}

	/** Sets the paint, the code and the surface of each row. */
	#setLooks(rows: FrameRows, { kind, kinds, values }: FrameMaterials): void {
		const table = this.#table;
		table.setCount(rows.ids.length, kinds.length > 0);
		const paint = [0, 0, 0];
		const surface = new Array<number>(12).fill(0);
		for (let row = 0; row < rows.ids.length; row++) {
			const offset = row * MATERIAL_FLOATS;
			const hasSurface = kind.length > 0 && kind[row] !== 0;
			const code = segmentationColor(rows.ids[row]!);
			if (hasSurface && values[offset]! >= 0) {
				for (let channel = 0; channel < 3; channel++)
					paint[channel] = Math.round(values[offset + channel]! * 255);
				table.setLook(row, paint, 0, code);
			} else table.setLook(row, rows.colors, row * 3, code);
			if (!hasSurface) continue;
			surface[0] = values[offset + 4]!;
			surface[1] = values[offset + 5]!;
			surface[2] = values[offset + 3]!;
			surface[3] = values[offset + 6]!;
			for (let index = 0; index < 8; index++) surface[4 + index] = values[offset + 7 + index]!;
			table.setSurface(row, surface);
		}
	}

	/** Returns the bones for the rows of a model; null if it is not animated. */
	#bonesOf(key: string, model: ShownModel | null, rows: Uint32Array): BonePalette | null {
		const rig = model?.drawn.rig ?? null;
		if (rig === null) return null;
		const previous = this.#bones.get(key);
		if (previous?.rig === rig) {
			previous.rows = rows;
			return previous.bones;
		}
		previous?.bones.dispose();
		const bones = new BonePalette(rig);
		this.#bones.set(key, { rig, bound: new ReachBound(rig), bones, rows });
		return bones;
	}

	#remove(key: string, batch: MeshBatch): void {
		this.group.remove(...batch.objects);
		batch.dispose();
		this.batches.delete(key);
	}

	/**
	 * Updates the batches to the loaded textures and models. Returns true if batches changed. Poses must then
	 * be set again.
	 */
	refresh(): boolean {
		const frame = this.#frame;
		const hasNewModels = frame !== null && this.#loadedModels(frame.models) !== this.#assignedModels;
		this.#table.expire();
		if (hasNewModels) this.setFrame(frame, new Set(['rows']));
		for (const batch of this.batches.values()) batch.refresh();
		return hasNewModels;
	}

	/** Sets the moment between two frames, which is `ago` ticks before the newest. */
	setPoses(previous: BlendStart | null, next: Float32Array, alpha: number, ago: number): void {
		const { rows, dead } = this.#frame!;
		for (const { bones, rows: boneRows } of this.#bones.values())
			bones.beginMoment({
				rows: boneRows,
				ids: rows.ids,
				animations: this.#animations,
				ago,
				findTracks: this.#findTracks,
			});
		if (!this.#table.setPoses(previous, next, alpha, { dead, alive: ALIVE })) return;
		this.#applyFeedback();
		this.#setAnimatedReach();
		this.#table.requestBounds(this.isPatched ? PATCH_REACH : 0, previous !== null);
	}

	/** Sets the reach of the rows of animated models. */
	#setAnimatedReach(): void {
		const { ids } = this.#frame!.rows;
		for (const { bound, rows: boneRows } of this.#bones.values()) {
			for (const row of boneRows) {
				const { clip, fading, montage } = this.#animations.get(ids[row]!) ?? {};
				for (const frameClip of [clip, fading, montage])
					if (frameClip) bound.addClip(this.#findTracks(frameClip.hash, frameClip.place));
			}
			this.#table.setReach(boneRows, bound.reach);
		}
	}

	/** Applies the feedback of the newest frame to the rows: flashing, growing and sinking. */
	#applyFeedback(): void {
		const { feedback, rows } = this.#frame!;
		const { settings, moments, leaving, tick: currentTick } = feedback;
		const table = this.#table;
		const rowOf = (id: number, generation: number): number => {
			const row = findRow(rows, id);
			return row >= 0 && rows.generations[row] === generation ? row : -1;
		};
		const shrinkRow = (row: number, widthFactor: number, heightFactor: number): void => {
			const low = this.#firstBatchOf(row)?.form.model?.box.low[1] ?? -0.5;
			table.shrink(row, low, widthFactor, heightFactor);
		};
		for (const { kind, tick, entity, share } of moments) {
			const row = rowOf(entity.id, entity.generation);
			if (row < 0) continue;
			const age = Math.max(currentTick - tick, 0);
			if (kind === 'hurt' && settings.flashes && age < FLASH_TICKS && table.stateOf(row) > 0) {
				// Small hits flash weakly: a tower under many small hits would stay white.
				const strength = (0.12 + Math.min(share * 3, 0.88)) * (1 - age / FLASH_TICKS);
				table.setState(row, Math.max(table.stateOf(row), ALIVE + (1 - ALIVE) * strength));
			}
			if (kind === 'appear' && settings.bursts && age < GROW_TICKS) {
				const remaining = 1 - age / GROW_TICKS;
				const size = 1 - 0.85 * remaining * remaining;
				shrinkRow(row, size, size);
			}
		}
		for (const { id, generation, at } of leaving) {
			const remainingShare = Math.min(Math.max((at - currentTick) / SINK_TICKS, 0), 1);
			const row = remainingShare < 1 ? rowOf(id, generation) : -1;
			if (row >= 0) shrinkRow(row, 0.7 + 0.3 * remainingShare, remainingShare * remainingShare);
		}
	}

	/**
	 * Makes shared materials read the rows of this stage. Call it right before drawing. `height`: height of the
	 * picture (CSS pixels).
	 */
	prepare(lens: Camera, height: number): void {
		this.#views.beginPicture(eyeOf(lens, height, this.#frame?.post.model_error ?? 0));
		this.#resources.rows.bindTable(this.#table);
	}

	/** Sets the channel to draw. */
	setChannel(channel: Channel): void {
		if (channel === this.#channel) return;
		this.#channel = channel;
		for (const batch of this.batches.values()) batch.setChannel(channel);
	}

	/** Finds the leading batch of a row, or null. */
	#firstBatchOf(row: number): MeshBatch | null {
		for (const batch of this.batches.values()) if (batch.form.isFirst && batch.has(row)) return batch;
		return null;
	}

	/** Finds the form of a row and its pose at the shown moment; null if it is not drawn. */
	drawnRow(row: number): (Pick<MeshBatch, 'form' | 'solid'> & { readonly pose: Float32Array }) | null {
		const batch = this.#firstBatchOf(row);
		if (batch === null) return null;
		const { form, solid } = batch;
		return { form, solid, pose: this.#table.poseOf(row, new Float32Array(POSE_STRIDE)) };
	}

	/** Positions of rows at the shown moment. */
	get table(): Pick<RowTable, 'spheres' | 'poseOf'> {
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
export function findRow({ ids }: FrameRows, id: number): number {
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
