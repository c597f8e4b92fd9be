/**
 * Editing with a tool in the picture: a person takes hold of a handle, drags it, and lets go.
 * Owns: the drag, and where the picture shows what is dragged until the world has it there. Never: calls the engine.
 */

import { type Box3, type Ray, Vector3 } from 'three/webgpu';
import type { FrameBlocks, FrameRows } from '../../frames/frames.ts';
import { boxesOf } from '../boxes.ts';
import { POSE_STRIDE } from '../interpolate.ts';
import type { EntityRef, Outlined, SelectedEntity, Sign, ViewEvent } from '../messages.ts';
import { BRASS_LINE, INK } from '../palette.ts';
import { rowOf, type Selection } from '../selection.ts';
import type { Stage } from '../stage.ts';
import type { Action, Target } from './action.ts';
import { edgesOf, entitiesIn, rectangleMarks } from './area.ts';
import { brushMarks, stamped } from './brush.ts';
import { editOf, isNothing, triple, wordsOf } from './edit.ts';
import { EditTracker } from './edit-tracker.ts';
import { landingPlace } from './landing.ts';
import { move, SURFACE } from './move.ts';
import { dragOutline, outlineHandles, outlineMarks, outlineWords } from './outlines.ts';
import { carried, changed, type Pose, readPose, writePose } from './pose.ts';
import { scale } from './scale.ts';
import type { Sight } from './sight.ts';
import { signAt, signMarks } from './signs.ts';
import { isWide, relativeBox, worldBox } from './surroundings.ts';
import {
	type Base,
	type Drag,
	type Handle,
	type Held,
	type Mark,
	type Point,
	REACH,
	type Tool,
	type ToolName,
	type ToolSettings,
} from './tool.ts';
import { turn } from './turn.ts';

/** Null: it has no handles on what is selected. */
const TOOLS: Readonly<Record<ToolName, Tool | null>> = { select: null, move, turn, scale, brush: null };

/** The picture that a person looks at. */
export interface Scene {
	readonly sight: Sight;
	readonly stage: Stage;
	readonly blocks: FrameBlocks;
}

/** The handle that is dragged or under the pointer. */
const lit = (mark: Mark): Mark => (mark.color === INK ? mark : { ...mark, color: BRASS_LINE });

export class Editor {
	readonly #selection: Selection;
	readonly #tell: (event: ViewEvent) => void;
	#settings: ToolSettings | null = null;
	#action: Action | null = null;
	#hot: string | null = null;
	#signs: readonly Sign[] = [];
	#outlines: readonly Outlined[] = [];
	/** The ground under the brush; null beside it. */
	#ground: Vector3 | null = null;
	/** An outline as it was let go, until the page says how it is. */
	#edited: Outlined | null = null;
	/** The box round what is about to be put down. */
	#ghost: Box3 | null = null;
	/** Poses that the picture has and the world has not. */
	#preview = new Map<number, Pose>();
	readonly #edits = new EditTracker();

	constructor(selection: Selection, tell: (event: ViewEvent) => void) {
		this.#selection = selection;
		this.#tell = tell;
	}

	/** Null without editing. */
	set(settings: ToolSettings | null): void {
		this.#settings = settings;
		this.cancel();
		this.#setHot(null);
	}

	/** Entities that are not drawn have these signs. */
	setSigns(signs: readonly Sign[]): void {
		this.#signs = signs;
	}

	setOutlines(outlines: readonly Outlined[]): void {
		this.#outlines = outlines;
		if (this.#action?.kind !== 'outline') this.#edited = null;
	}

	/** Returns the entity whose sign is under a point. */
	signAt(point: Point, { sight }: Scene): EntityRef | null {
		const sign = this.#settings === null ? null : signAt(this.#shownSigns(), point, sight);
		return sign === null ? null : { id: sign.id, generation: sign.generation };
	}

	/** A press of the pointer. False: it is the camera's. */
	press(point: Point, shift: boolean, scene: Scene): boolean {
		const settings = this.#settings;
		if (settings === null) return false;
		const pointer = { point, ray: scene.sight.ray(point) };
		if (settings.tool === 'brush') {
			this.#ground = this.#groundAt(point, scene);
			if (this.#ground === null || shift) return false;
			this.#action = { kind: 'brush', stamps: stamped([], this.#ground, settings.radius) };
			return true;
		}
		const handle = this.#handleAt(point, scene);
		if (handle !== null && this.#beginOutline(handle, pointer)) return true;
		const onBody =
			handle === null && !shift && settings.tool === 'move' && this.#isOnSelected(pointer.ray, scene);
		if (handle !== null || onBody) {
			this.#begin(handle ?? SURFACE, pointer, scene);
			return true;
		}
		if (!shift) return false;
		this.#action = { kind: 'rectangle', from: point, to: point };
		return true;
	}

	/** The pointer is elsewhere, pressed. False: it moves the camera. */
	drag(point: Point, scene: Scene): boolean {
		const action = this.#action;
		if (action === null) return false;
		if (action.kind === 'rectangle') action.to = point;
		else if (action.kind === 'brush') {
			this.#ground = this.#groundAt(point, scene);
			const { radius } = this.#settings!;
			if (this.#ground !== null) action.stamps = stamped(action.stamps, this.#ground, radius);
		} else if (action.kind === 'outline') {
			action.outlined = action.drag({ point, ray: scene.sight.ray(point) });
			this.#tell({ type: 'dragging', words: outlineWords(action.outlined, action.handle) });
		} else {
			action.change = action.drag({ point, ray: scene.sight.ray(point) });
			this.#show(action);
			this.#tell({ type: 'dragging', words: wordsOf(action.handle, action.change) });
		}
		return true;
	}

	/** The pointer is let go; `click`: it has hardly moved. False: nothing was dragged. */
	release(click: boolean, scene: Scene): boolean {
		const action = this.#action;
		this.#action = null;
		if (action === null) return false;
		if (action.kind === 'rectangle') {
			if (click) return false;
			const entities = entitiesIn([action.from, action.to], scene.blocks, this.#shownSigns(), scene.sight);
			this.#tell({ type: 'selected', entities, adds: true });
			return true;
		}
		if (action.kind === 'brush') {
			this.#tell({ type: 'brushed', stamps: action.stamps.map(triple) });
			return true;
		}
		this.#tell({ type: 'dragging', words: null });
		if (action.kind === 'outline') {
			if (click || action.outlined === null) return !click;
			this.#edited = action.outlined;
			this.#edits.editSent();
			this.#tell({ type: 'reshaped', outlined: action.outlined });
			return true;
		}
		const { change, targets, base } = action;
		if (click || change === null || isNothing(change)) {
			this.#preview.clear();
			return !click;
		}
		const edits = targets.map((target) => editOf(target, changed(target.pose, change, base)));
		this.#edits.editSent();
		this.#tell({ type: 'edited', tool: change.kind, edits });
		return true;
	}

	/** Another world is shown: nothing of this one is dragged or previewed. */
	leave(): void {
		this.cancel();
		this.#preview.clear();
		this.#edited = null;
		this.#edits.leaveWorld();
	}

	/** Ends a drag without an edit. */
	cancel(): void {
		this.#ghost = null;
		if (this.#action?.kind === 'edit' || this.#action?.kind === 'outline') {
			this.#preview.clear();
			this.#tell({ type: 'dragging', words: null });
		}
		this.#action = null;
	}

	/** The pointer is over a point, not pressed. True if the picture is another for it. */
	hover(point: Point, scene: Scene): boolean {
		if (this.#settings === null || this.#action !== null) return false;
		if (this.#settings.tool === 'brush') {
			this.#ground = this.#groundAt(point, scene);
			return true;
		}
		return this.#setHot(this.#handleAt(point, scene));
	}

	/** The world has answered an edit of poses or of an outline. */
	settle(): void {
		this.#edited = null;
		this.#edits.editAnswered();
	}

	/** A frame is asked for. True if it is needed even if nothing has changed: a refused edit changes nothing. */
	asked(): boolean {
		return this.#edits.requestFrame();
	}

	/** A frame has come. True if the picture shows the world again. */
	taken(): boolean {
		if (!this.#edits.receiveFrame()) return false;
		if (this.#action === null) this.#preview.clear();
		return true;
	}

	/** Poses as the picture shows them: those of the frame, but for what is dragged. */
	poses(rows: FrameRows, poses: Float32Array): Float32Array {
		if (this.#preview.size === 0) return poses;
		const shown = poses.slice();
		for (const [id, pose] of this.#preview) {
			const row = rowOf(id, rows);
			if (row >= 0) writePose(shown, row * POSE_STRIDE, pose);
		}
		return shown;
	}

	/** True if the picture shows something elsewhere than the world has it. */
	get previews(): boolean {
		return this.#preview.size > 0;
	}

	/** Shapes over the picture. */
	marks(scene: Pick<Scene, 'sight' | 'blocks'>): readonly Mark[] {
		if (this.#ghost !== null) return edgesOf(this.#ghost, scene.sight);
		const action = this.#action;
		if (action?.kind === 'rectangle') return rectangleMarks(action.from, action.to);
		if (this.#settings?.tool === 'brush') {
			const stamps = action?.kind === 'brush' ? action.stamps : [];
			return this.#ground === null
				? []
				: brushMarks(this.#ground, stamps, this.#settings.radius, scene.sight);
		}
		const tool = this.#settings === null ? null : TOOLS[this.#settings.tool];
		const base = this.#baseNow(scene.blocks);
		const selected = new Set(this.#selection.selected.map(({ id }) => id));
		const signs =
			this.#settings === null
				? []
				: [
						...this.#shownOutlines().flatMap((outlined) => outlineMarks(outlined, scene.sight)),
						...this.#shownSigns().flatMap((sign) => signMarks(sign, selected.has(sign.id), scene.sight)),
					];
		const handles = [
			...this.#outlineHandles(scene.sight),
			...(tool === null || base === null ? [] : tool.handles(base, scene.sight)),
		];
		const shown =
			action?.kind === 'brush' || action === null || !handles.some(({ name }) => name === action.handle)
				? handles
				: handles.filter(({ name }) => name === action.handle);
		return [...signs, ...shown.flatMap(({ name, marks }) => (name === this.#hot ? marks.map(lit) : marks))];
	}

	/** The outlines, where what is dragged is. */
	#shownOutlines(): readonly Outlined[] {
		const dragged = this.#action?.kind === 'outline' ? this.#action.outlined : this.#edited;
		return this.#outlines.map((outlined) => {
			if (outlined.key === dragged?.key) return dragged;
			if (!('carrier' in outlined) || outlined.carrier === null) return outlined;
			const carried = this.#preview.get(outlined.carrier);
			return carried === undefined ? outlined : { ...outlined, place: carried.place.toArray() };
		});
	}

	/** Returns the surface under a point; null in the sky. */
	#groundAt(point: Point, { sight, stage }: Scene): Vector3 | null {
		return this.#selection.surface(sight.ray(point), stage, new Set())?.point ?? null;
	}

	#outlineHandles(sight: Sight): readonly Handle[] {
		if (this.#settings === null) return [];
		return this.#shownOutlines().flatMap((outlined) => outlineHandles(outlined, sight));
	}

	/** Begins to drag a handle of an outline. False: no outline has it. */
	#beginOutline(handle: string, held: Held): boolean {
		const { tool, step } = this.#settings!;
		// Steps are of the tool; degrees are no metres.
		const metres = tool === 'turn' || tool === 'scale' ? null : step;
		for (const outlined of this.#shownOutlines()) {
			const drag = dragOutline(outlined, handle, held, metres);
			if (drag === null) continue;
			this.#setHot(handle);
			this.#action = { kind: 'outline', handle, drag, outlined: null };
			return true;
		}
		return false;
	}

	/** Shows where a thing comes to rest that is put down at a point of the picture: `box` round its place, which is answered. */
	landing(point: Point, box: Box3, step: number | null, scene: Scene): Vector3 | null {
		const position = landingPlace(
			this.#selection,
			scene.sight.ray(point),
			{ box, step, skip: new Set() },
			scene,
		);
		this.#ghost = position === null ? null : box.clone().translate(position);
		return position;
	}

	#begin(handle: string, pointer: Held, scene: Scene): void {
		const settings = this.#settings!;
		const base = this.#baseNow(scene.blocks)!;
		const targets = this.#targets(scene.blocks);
		const drag =
			handle === SURFACE
				? this.#overSurfaces(pointer, targets, settings.step, scene)
				: TOOLS[settings.tool]!.drag(handle, base, scene.sight, pointer, settings.step);
		this.#setHot(handle);
		this.#action = { kind: 'edit', handle, base, drag, targets, change: null };
	}

	/** Drags the entity selected last over what is under the pointer; the others keep their distance from it. */
	#overSurfaces(from: Held, targets: readonly Target[], step: number | null, scene: Scene): Drag {
		const { pose, id } = targets.at(-1)!;
		const moved = targets.flatMap(({ id: entityId, carries }) => [
			entityId,
			...carries.map(([other]) => other),
		]);
		const skip = new Set(moved.map((entityId) => rowOf(entityId, scene.blocks.rows)));
		const box = relativeBox(scene.blocks, this.poses(scene.blocks.rows, scene.blocks.poses), id, pose);
		// Where it was taken hold of stays under the pointer.
		const at = scene.sight.at(pose.place.clone().setY(pose.place.y + box.min.y));
		const grip = at === null ? ([0, 0] as const) : ([at[0] - from.point[0], at[1] - from.point[1]] as const);
		let last = pose.place;
		return ({ point: [x, y] }) => {
			const ray = scene.sight.ray([x + grip[0], y + grip[1]]);
			last = landingPlace(this.#selection, ray, { box, step, skip }, scene) ?? last;
			return { kind: 'move', by: last.clone().sub(pose.place) };
		};
	}

	/** Shows what is dragged where the change has it. */
	#show({ targets, change, base }: Extract<Action, { kind: 'edit' }>): void {
		this.#preview.clear();
		if (change === null) return;
		for (const { id, pose, carries } of targets) {
			const to = changed(pose, change, base);
			this.#preview.set(id, to);
			for (const [child, its] of carries) this.#preview.set(child, carried(its, pose, to));
		}
	}

	/** Returns the signs, where what is dragged is. */
	#shownSigns(): readonly Sign[] {
		return this.#signs.map((sign) => {
			const dragged = this.#preview.get(sign.id);
			return dragged === undefined ? sign : { ...sign, place: dragged.place.toArray() };
		});
	}

	#poseOf({ id, pose }: Pick<SelectedEntity, 'id' | 'pose'>, { rows, poses }: FrameBlocks): Pose | null {
		const shown = this.#preview.get(id);
		if (shown !== undefined) return shown;
		const row = rowOf(id, rows);
		if (row >= 0) return readPose(poses, row * POSE_STRIDE);
		return pose === null ? null : readPose(pose);
	}

	#targets(blocks: FrameBlocks): Target[] {
		return this.#selection.selected.flatMap((selectedEntity) => {
			const pose = selectedEntity.rides ? null : this.#poseOf(selectedEntity, blocks);
			if (pose === null) return [];
			const carries = selectedEntity.carries.flatMap((id) => {
				const its = this.#poseOf({ id, pose: null }, blocks);
				return its === null ? [] : [[id, its] as const];
			});
			return [{ id: selectedEntity.id, generation: selectedEntity.generation, pose, carries }];
		});
	}

	/** Base of the handles now; null if nothing that has a place is selected. */
	#baseNow(blocks: FrameBlocks): Base | null {
		const settings = this.#settings;
		const poses = this.#selection.selected.flatMap((selectedEntity) =>
			selectedEntity.rides ? [] : (this.#poseOf(selectedEntity, blocks) ?? []),
		);
		const last = poses.at(-1);
		if (settings === null || last === undefined) return null;
		const pivot = new Vector3();
		for (const { place } of poses) pivot.addScaledVector(place, 1 / poses.length);
		const own = settings.space === 'local' || settings.tool === 'scale';
		const axis = (x: number, y: number, z: number): Vector3 => {
			const one = new Vector3(x, y, z);
			return own ? one.applyQuaternion(last.turn) : one;
		};
		return { pivot, axes: [axis(1, 0, 0), axis(0, 1, 0), axis(0, 0, 1)] };
	}

	#handleAt(point: Point, { sight, blocks }: Scene): string | null {
		const tool = TOOLS[this.#settings!.tool];
		const base = tool === null ? null : this.#baseNow(blocks);
		const handles = tool === null || base === null ? [] : tool.handles(base, sight);
		let best: Handle | null = null;
		let least = REACH;
		for (const handle of [...handles, ...this.#outlineHandles(sight)]) {
			const away = handle.distance(point);
			if (away <= least) [best, least] = [handle, away];
		}
		return best?.name ?? null;
	}

	#isOnSelected(ray: Ray, { stage, blocks }: Scene): boolean {
		const met = this.#selection.firstHit(ray, stage, blocks.rows);
		const row = met === null ? -1 : rowOf(met.id, blocks.rows);
		// On ground a drag looks around, even if the ground is selected.
		if (row < 0 || isWide(worldBox(boxesOf(blocks), row))) return false;
		return this.#selection.selected.some(({ id }) => id === met!.id);
	}

	#setHot(name: string | null): boolean {
		if (name === this.#hot) return false;
		this.#hot = name;
		this.#tell({ type: 'handle', isOver: name !== null });
		return true;
	}
}
