/**
 * Editing with a tool in the picture: a person presses a handle, drags it, and releases it.
 * Owns: the drag, and the preview until the world contains the edit. Never: calls the engine.
 */

import { type Box3, type Ray, Vector3 } from 'three/webgpu';
import type { FrameBlocks, FrameRows } from '../../frames/frames.ts';
import { boxesOf } from '../boxes.ts';
import { POSE_STRIDE } from '../interpolate.ts';
import type { EditOutline, EntityRef, SelectedEntity, Sign, ViewEvent } from '../messages.ts';
import { BRASS_LINE, INK } from '../palette.ts';
import { rowOf, type Selection } from '../selection.ts';
import type { Stage } from '../stage.ts';
import type { Action, Target } from './action.ts';
import { boxMarks, entitiesIn, rectangleMarks } from './area.ts';
import { brushMarks, withStamp } from './brush.ts';
import { describeChange, editOf, hasNoEffect, tidyTriple } from './edit.ts';
import { EditTracker } from './edit-tracker.ts';
import { landingPlace } from './landing.ts';
import { move, SURFACE } from './move.ts';
import { describeOutline, dragOutline, outlineHandles, outlineMarks } from './outlines.ts';
import { applyChange, carryAlong, type Pose, readPose, writePose } from './pose.ts';
import { scale } from './scale.ts';
import type { Sight } from './sight.ts';
import { signAt, signMarks } from './signs.ts';
import { isWide, relativeBox, worldBox } from './surroundings.ts';
import {
	type Base,
	type Drag,
	type Handle,
	type Mark,
	type Point,
	type Pointer,
	REACH,
	type Tool,
	type ToolName,
	type ToolSettings,
} from './tool.ts';
import { turn } from './turn.ts';

/** Tools that have handles on the selection; null for the others. */
const TOOLS: Readonly<Record<ToolName, Tool | null>> = { select: null, move, turn, scale, brush: null };

/** Live picture: its view, its stage and the shown blocks. */
export interface Scene {
	readonly sight: Sight;
	readonly stage: Stage;
	readonly blocks: FrameBlocks;
}

/** Returns a mark in the colour of a handle that is dragged or under the pointer. */
const highlightMark = (mark: Mark): Mark => (mark.color === INK ? mark : { ...mark, color: BRASS_LINE });

export class Editor {
	readonly #selection: Selection;
	readonly #emit: (event: ViewEvent) => void;
	#settings: ToolSettings | null = null;
	#action: Action | null = null;
	#hotHandle: string | null = null;
	#signs: readonly Sign[] = [];
	#outlines: readonly EditOutline[] = [];
	/** Position on the ground under the brush; null in the sky. */
	#brushPosition: Vector3 | null = null;
	/** Outline after its release, until the page sends the new outlines. */
	#editedOutline: EditOutline | null = null;
	/** Box of an object that a person is about to place; null for none. */
	#placementBox: Box3 | null = null;
	/** Poses in the picture that differ from those in the world, by id. */
	#preview = new Map<number, Pose>();
	readonly #edits = new EditTracker();

	constructor(selection: Selection, emit: (event: ViewEvent) => void) {
		this.#selection = selection;
		this.#emit = emit;
	}

	/** Sets the tools; null outside editing. */
	setSettings(settings: ToolSettings | null): void {
		this.#settings = settings;
		this.cancel();
		this.#setHotHandle(null);
	}

	/** Sets the signs of entities that are not drawn. */
	setSigns(signs: readonly Sign[]): void {
		this.#signs = signs;
	}

	setOutlines(outlines: readonly EditOutline[]): void {
		this.#outlines = outlines;
		if (this.#action?.kind !== 'outline') this.#editedOutline = null;
	}

	/** Returns the entity whose sign is under a point. */
	signAt(point: Point, { sight }: Scene): EntityRef | null {
		const sign = this.#settings === null ? null : signAt(this.#currentSigns(), point, sight);
		return sign === null ? null : { id: sign.id, generation: sign.generation };
	}

	/** Handles a press of the pointer. Returns false if the camera should use it. */
	press(point: Point, shift: boolean, scene: Scene): boolean {
		const settings = this.#settings;
		if (settings === null) return false;
		const pointer = { point, ray: scene.sight.rayThrough(point) };
		if (settings.tool === 'brush') {
			this.#brushPosition = this.#groundAt(point, scene);
			if (this.#brushPosition === null || shift) return false;
			this.#action = { kind: 'brush', stamps: withStamp([], this.#brushPosition, settings.radius) };
			return true;
		}
		const handle = this.#handleAt(point, scene);
		if (handle !== null && this.#beginOutline(handle, pointer)) return true;
		const isOnBody =
			handle === null && !shift && settings.tool === 'move' && this.#isOnSelected(pointer.ray, scene);
		if (handle !== null || isOnBody) {
			this.#beginEdit(handle ?? SURFACE, pointer, scene);
			return true;
		}
		if (!shift) return false;
		this.#action = { kind: 'rectangle', from: point, to: point };
		return true;
	}

	/** Handles a move of the pressed pointer. Returns false if the camera should use it. */
	drag(point: Point, scene: Scene): boolean {
		const action = this.#action;
		if (action === null) return false;
		if (action.kind === 'rectangle') action.to = point;
		else if (action.kind === 'brush') {
			this.#brushPosition = this.#groundAt(point, scene);
			const { radius } = this.#settings!;
			if (this.#brushPosition !== null) action.stamps = withStamp(action.stamps, this.#brushPosition, radius);
		} else if (action.kind === 'outline') {
			action.outline = action.drag({ point, ray: scene.sight.rayThrough(point) });
			this.#emit({ type: 'dragging', text: describeOutline(action.outline, action.handle) });
		} else {
			action.change = action.drag({ point, ray: scene.sight.rayThrough(point) });
			this.#previewChange(action);
			this.#emit({ type: 'dragging', text: describeChange(action.handle, action.change) });
		}
		return true;
	}

	/**
	 * Handles a release of the pointer. `click`: the pointer hardly moved. Returns false if nothing was
	 * dragged.
	 */
	release(click: boolean, scene: Scene): boolean {
		const action = this.#action;
		this.#action = null;
		if (action === null) return false;
		if (action.kind === 'rectangle') {
			if (click) return false;
			const entities = entitiesIn([action.from, action.to], scene.blocks, this.#currentSigns(), scene.sight);
			this.#emit({ type: 'selected', entities, isAdding: true });
			return true;
		}
		if (action.kind === 'brush') {
			this.#emit({ type: 'brushed', stamps: action.stamps.map(tidyTriple) });
			return true;
		}
		this.#emit({ type: 'dragging', text: null });
		if (action.kind === 'outline') {
			if (click || action.outline === null) return !click;
			this.#editedOutline = action.outline;
			this.#edits.editSent();
			this.#emit({ type: 'reshaped', outlined: action.outline });
			return true;
		}
		const { change, targets, base } = action;
		if (click || change === null || hasNoEffect(change)) {
			this.#preview.clear();
			return !click;
		}
		const edits = targets.map((target) => editOf(target, applyChange(target.pose, change, base)));
		this.#edits.editSent();
		this.#emit({ type: 'edited', tool: change.kind, edits });
		return true;
	}

	/** Ends the drag and the preview, because another world is shown. */
	leaveWorld(): void {
		this.cancel();
		this.#preview.clear();
		this.#editedOutline = null;
		this.#edits.leaveWorld();
	}

	/** Ends a drag without an edit. */
	cancel(): void {
		this.#placementBox = null;
		if (this.#action?.kind === 'edit' || this.#action?.kind === 'outline') {
			this.#preview.clear();
			this.#emit({ type: 'dragging', text: null });
		}
		this.#action = null;
	}

	/** Handles a move of the pointer that is not pressed. Returns true if the picture changes. */
	hover(point: Point, scene: Scene): boolean {
		if (this.#settings === null || this.#action !== null) return false;
		if (this.#settings.tool === 'brush') {
			this.#brushPosition = this.#groundAt(point, scene);
			return true;
		}
		return this.#setHotHandle(this.#handleAt(point, scene));
	}

	/** Handles the answer to an edit of poses or of an outline. */
	editAnswered(): void {
		this.#editedOutline = null;
		this.#edits.editAnswered();
	}

	/**
	 * Handles the request of a frame. Returns true if the frame is needed even without a change, as after a
	 * refused edit.
	 */
	requestFrame(): boolean {
		return this.#edits.requestFrame();
	}

	/** Handles a frame. Returns true if the picture shows the world again. */
	receiveFrame(): boolean {
		if (!this.#edits.receiveFrame()) return false;
		if (this.#action === null) this.#preview.clear();
		return true;
	}

	/** Returns the poses of a frame, with those of dragged entities replaced by the preview. */
	shownPoses(rows: FrameRows, poses: Float32Array): Float32Array {
		if (this.#preview.size === 0) return poses;
		const preview = poses.slice();
		for (const [id, pose] of this.#preview) {
			const row = rowOf(id, rows);
			if (row >= 0) writePose(preview, row * POSE_STRIDE, pose);
		}
		return preview;
	}

	/** True if the picture shows an entity at another pose than the world. */
	get hasPreview(): boolean {
		return this.#preview.size > 0;
	}

	/** Returns the shapes over the picture. */
	marks(scene: Pick<Scene, 'sight' | 'blocks'>): readonly Mark[] {
		if (this.#placementBox !== null) return boxMarks(this.#placementBox, scene.sight);
		const action = this.#action;
		if (action?.kind === 'rectangle') return rectangleMarks(action.from, action.to);
		if (this.#settings?.tool === 'brush') {
			const stamps = action?.kind === 'brush' ? action.stamps : [];
			return this.#brushPosition === null
				? []
				: brushMarks(this.#brushPosition, stamps, this.#settings.radius, scene.sight);
		}
		const tool = this.#settings === null ? null : TOOLS[this.#settings.tool];
		const base = this.#base(scene.blocks);
		const selected = new Set(this.#selection.selected.map(({ id }) => id));
		const signs =
			this.#settings === null
				? []
				: [
						...this.#currentOutlines().flatMap((outlined) => outlineMarks(outlined, scene.sight)),
						...this.#currentSigns().flatMap((sign) => signMarks(sign, selected.has(sign.id), scene.sight)),
					];
		const handles = [
			...this.#outlineHandles(scene.sight),
			...(tool === null || base === null ? [] : tool.handles(base, scene.sight)),
		];
		const visibleHandles =
			action?.kind === 'brush' || action === null || !handles.some(({ name }) => name === action.handle)
				? handles
				: handles.filter(({ name }) => name === action.handle);
		return [
			...signs,
			...visibleHandles.flatMap(({ name, marks }) =>
				name === this.#hotHandle ? marks.map(highlightMark) : marks,
			),
		];
	}

	/** Returns the outlines, with the dragged one and the zones of dragged entities at their new positions. */
	#currentOutlines(): readonly EditOutline[] {
		const dragged = this.#action?.kind === 'outline' ? this.#action.outline : this.#editedOutline;
		return this.#outlines.map((outlined) => {
			if (outlined.key === dragged?.key) return dragged;
			if (!('carrier' in outlined) || outlined.carrier === null) return outlined;
			const carrierPose = this.#preview.get(outlined.carrier);
			return carrierPose === undefined ? outlined : { ...outlined, position: carrierPose.place.toArray() };
		});
	}

	/** Returns the surface under a point; null in the sky. */
	#groundAt(point: Point, { sight, stage }: Scene): Vector3 | null {
		return this.#selection.surfaceHit(sight.rayThrough(point), stage, new Set())?.point ?? null;
	}

	#outlineHandles(sight: Sight): readonly Handle[] {
		if (this.#settings === null) return [];
		return this.#currentOutlines().flatMap((outlined) => outlineHandles(outlined, sight));
	}

	/** Begins to drag a handle of an outline. Returns false if no outline has the handle. */
	#beginOutline(handle: string, pointer: Pointer): boolean {
		const { tool, step } = this.#settings!;
		// The steps of these tools are not metres.
		const metreStep = tool === 'turn' || tool === 'scale' ? null : step;
		for (const outlined of this.#currentOutlines()) {
			const drag = dragOutline(outlined, handle, pointer, metreStep);
			if (drag === null) continue;
			this.#setHotHandle(handle);
			this.#action = { kind: 'outline', handle, drag, outline: null };
			return true;
		}
		return false;
	}

	/**
	 * Shows the box of an object at rest below a point of the picture. Returns its position; null in the sky.
	 * `box` is relative to the position.
	 */
	placeGhost(point: Point, box: Box3, step: number | null, scene: Scene): Vector3 | null {
		const position = landingPlace(
			this.#selection,
			scene.sight.rayThrough(point),
			{ box, step, skip: new Set() },
			scene,
		);
		this.#placementBox = position === null ? null : box.clone().translate(position);
		return position;
	}

	#beginEdit(handle: string, pointer: Pointer, scene: Scene): void {
		const settings = this.#settings!;
		const base = this.#base(scene.blocks)!;
		const targets = this.#targets(scene.blocks);
		const drag =
			handle === SURFACE
				? this.#dragOverSurfaces(pointer, targets, settings.step, scene)
				: TOOLS[settings.tool]!.drag(handle, base, scene.sight, pointer, settings.step);
		this.#setHotHandle(handle);
		this.#action = { kind: 'edit', handle, base, drag, targets, change: null };
	}

	/** Drags the entity selected last over surfaces. The others keep their distance from it. */
	#dragOverSurfaces(from: Pointer, targets: readonly Target[], step: number | null, scene: Scene): Drag {
		const { pose, id } = targets.at(-1)!;
		const movedIds = targets.flatMap((target) => [target.id, ...target.carried.map(([childId]) => childId)]);
		const skip = new Set(movedIds.map((entityId) => rowOf(entityId, scene.blocks.rows)));
		const box = relativeBox(scene.blocks, this.shownPoses(scene.blocks.rows, scene.blocks.poses), id, pose);
		// The pressed point of the entity stays under the pointer.
		const foot = scene.sight.pointOf(pose.place.clone().setY(pose.place.y + box.min.y));
		const grip =
			foot === null ? ([0, 0] as const) : ([foot[0] - from.point[0], foot[1] - from.point[1]] as const);
		let last = pose.place;
		return ({ point: [x, y] }) => {
			const ray = scene.sight.rayThrough([x + grip[0], y + grip[1]]);
			last = landingPlace(this.#selection, ray, { box, step, skip }, scene) ?? last;
			return { kind: 'move', by: last.clone().sub(pose.place) };
		};
	}

	/** Sets the preview of dragged entities and their descendants to the change. */
	#previewChange({ targets, change, base }: Extract<Action, { kind: 'edit' }>): void {
		this.#preview.clear();
		if (change === null) return;
		for (const { id, pose, carried } of targets) {
			const newPose = applyChange(pose, change, base);
			this.#preview.set(id, newPose);
			for (const [child, childPose] of carried)
				this.#preview.set(child, carryAlong(childPose, pose, newPose));
		}
	}

	/** Returns the signs, with those of dragged entities at their new positions. */
	#currentSigns(): readonly Sign[] {
		return this.#signs.map((sign) => {
			const preview = this.#preview.get(sign.id);
			return preview === undefined ? sign : { ...sign, position: preview.place.toArray() };
		});
	}

	#poseOf({ id, pose }: Pick<SelectedEntity, 'id' | 'pose'>, { rows, poses }: FrameBlocks): Pose | null {
		const preview = this.#preview.get(id);
		if (preview !== undefined) return preview;
		const row = rowOf(id, rows);
		if (row >= 0) return readPose(poses, row * POSE_STRIDE);
		return pose === null ? null : readPose(pose);
	}

	#targets(blocks: FrameBlocks): Target[] {
		return this.#selection.selected.flatMap((selectedEntity) => {
			const pose = selectedEntity.isCarried ? null : this.#poseOf(selectedEntity, blocks);
			if (pose === null) return [];
			const carried = selectedEntity.descendants.flatMap((id) => {
				const childPose = this.#poseOf({ id, pose: null }, blocks);
				return childPose === null ? [] : [[id, childPose] as const];
			});
			return [{ id: selectedEntity.id, generation: selectedEntity.generation, pose, carried }];
		});
	}

	/** Returns the base of the handles; null if no selected entity has a position. */
	#base(blocks: FrameBlocks): Base | null {
		const settings = this.#settings;
		const poses = this.#selection.selected.flatMap((selectedEntity) =>
			selectedEntity.isCarried ? [] : (this.#poseOf(selectedEntity, blocks) ?? []),
		);
		const last = poses.at(-1);
		if (settings === null || last === undefined) return null;
		const pivot = new Vector3();
		for (const { place } of poses) pivot.addScaledVector(place, 1 / poses.length);
		const isLocal = settings.space === 'local' || settings.tool === 'scale';
		const axis = (x: number, y: number, z: number): Vector3 => {
			const direction = new Vector3(x, y, z);
			return isLocal ? direction.applyQuaternion(last.turn) : direction;
		};
		return { pivot, axes: [axis(1, 0, 0), axis(0, 1, 0), axis(0, 0, 1)] };
	}

	#handleAt(point: Point, { sight, blocks }: Scene): string | null {
		const tool = TOOLS[this.#settings!.tool];
		const base = tool === null ? null : this.#base(blocks);
		const handles = tool === null || base === null ? [] : tool.handles(base, sight);
		let best: Handle | null = null;
		let minDistance = REACH;
		for (const handle of [...handles, ...this.#outlineHandles(sight)]) {
			const distance = handle.distance(point);
			if (distance <= minDistance) [best, minDistance] = [handle, distance];
		}
		return best?.name ?? null;
	}

	#isOnSelected(ray: Ray, { stage, blocks }: Scene): boolean {
		const hit = this.#selection.firstHit(ray, stage, blocks.rows);
		const row = hit === null ? -1 : rowOf(hit.id, blocks.rows);
		// On the ground, a drag turns the camera, even if the ground is selected.
		if (row < 0 || isWide(worldBox(boxesOf(blocks), row))) return false;
		return this.#selection.selected.some(({ id }) => id === hit!.id);
	}

	#setHotHandle(name: string | null): boolean {
		if (name === this.#hotHandle) return false;
		this.#hotHandle = name;
		this.#emit({ type: 'handle', isOver: name !== null });
		return true;
	}
}
