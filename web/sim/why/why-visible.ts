/**
 * Reasons that an entity is in the picture of the camera or is not in it.
 * Owns: the view of the camera, and the search for objects in front of an entity. Treats meshes as shapes or boxes.
 */

import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Mesh } from '../../../shared/components/mesh.ts';
import { Terrain } from '../../../shared/components/terrain.ts';
import type { VISIBLE_CAUSES } from '../../../shared/documents/causes.ts';
import { alphaModeOf } from '../../../shared/media/material.ts';
import { moveCamera, type WorldCamera } from '../camera/camera.ts';
import { currentCamera } from '../camera/camera-movement.ts';
import type { Vector } from '../core/math/vector.ts';
import { tan } from '../core/math.ts';
import { each, get, has, type World } from '../core/world.ts';
import { materialOf } from '../looks/materials.ts';
import { ballOf, currentPose, type ShapeBox, UNIT_BOX } from '../models/ball.ts';
import type { Matrix } from '../models/matrix.ts';
import { canSee } from '../observe/read-out.ts';
import { surfaceOf, terrains } from '../terrain/terrain.ts';
import { parentOf } from '../transform/hierarchy.ts';
import { type Candidate, entityCandidates } from './candidate.ts';
import type { Cause } from './cause.ts';

type VisibleCause = Cause<(typeof VISIBLE_CAUSES)[number]>;

/** Width of the picture divided by its height. */
export const ASPECT = 16 / 9;
/** Height of the picture (pixels). */
const PIXELS = 720;
/** Maximum number of entities that are tested for hiding another entity. */
const MAX_HIDERS = 10_000;
/** Points of a ray at which it is compared with the ground. */
const GROUND_SAMPLES = 64;

export interface VisibilityAnswer {
	readonly visible: boolean;
	readonly causes: readonly VisibleCause[];
	/** Entities that hide the entity. */
	readonly hiding: readonly number[];
	/** Distance from the camera (m); null without a position. */
	readonly distance: number | null;
}

/**
 * Explains whether an entity is in the picture. `box`: box of its mesh. `viewer`: entity whose view filter must include
 * it.
 */
export function whyVisible(world: World, id: number, box: ShapeBox, viewer?: number): VisibilityAnswer {
	const causes: VisibleCause[] = [];
	const add = (code: VisibleCause['code'], text: string, entity_id?: number) =>
		causes.push({ code, text, ...(entity_id === undefined ? {} : { entity_id }) });
	if (viewer !== undefined && !canSee(world, viewer, id))
		add(
			'unseen_by_viewer',
			`Entity ${viewer} did not see it on the last tick: its view filter excludes it.`,
			viewer,
		);
	if (!has(world, id, LocalTransform)) {
		add('no_position', `Entity ${id} has no position.`);
		return { visible: false, causes, hiding: [], distance: null };
	}
	const isGround = has(world, id, Terrain);
	if (!has(world, id, Mesh) && !isGround)
		add(
			'no_mesh',
			`Entity ${id} has no mesh: nothing of it is drawn. Send "mesh" with POST /entities/${id}/components.`,
		);
	checkScale(world, id, add);
	const material = materialOf(world, id);
	if (material !== null && isClear(material))
		add('transparent', `Its material has alpha_mode ${material.alpha_mode} and is fully transparent.`);
	const camera = currentCamera(world);
	const view = viewOf(camera);
	const { point, radius } = ballOf(world, id, box);
	const centre = viewPoint(view, point);
	const distance = Math.sqrt(centre.x * centre.x + centre.y * centre.y + centre.depth * centre.depth);
	if (!isGround) checkFrame(view, centre, radius, add);
	const hiding: number[] = [];
	if (causes.length === 0 && !isGround) {
		const hiders = findHiders(world, id, camera.eye, { point, radius });
		hiding.push(...hiders.entities);
		for (const entity of hiders.entities)
			add('hidden_by', `Entity ${entity} stands between it and the camera.`, entity);
		if (hiders.ground !== null)
			add('hidden_by_terrain', 'The ground is between it and the camera.', hiders.ground);
	}
	const visible = causes.length === 0;
	if (visible) add('visible', `It is in the picture, ${metres(distance)} m from the camera.`);
	return { visible, causes, hiding, distance: Number(metres(distance)) };
}

/** Adds a cause to the answer. */
type AddCause = (code: VisibleCause['code'], text: string, entity_id?: number) => void;

const metres = (value: number): string => value.toFixed(2);

/** Adds a cause if the entity or one of its parents has a scale of 0. */
function checkScale(world: World, id: number, add: AddCause): void {
	const isFlat = (slot: number) => get(world, slot, LocalTransform)!.scale.some((part) => part === 0);
	if (isFlat(id)) add('no_size', `The scale of entity ${id} is 0 in a direction.`, id);
	for (let parent = parentOf(world, id); parent !== null; parent = parentOf(world, parent.id)) {
		if (!has(world, parent.id, LocalTransform)) return;
		if (isFlat(parent.id))
			add(
				'parent_without_size',
				`The scale of its parent, entity ${parent.id}, is 0 in a direction.`,
				parent.id,
			);
	}
}

/** Returns true if a surface is fully transparent. */
function isClear({
	alpha_mode,
	albedo,
}: {
	readonly alpha_mode: string;
	readonly albedo: readonly number[] | null;
}): boolean {
	const alpha = albedo?.[3] ?? 1;
	const { mode, cutoff } = alphaModeOf(alpha_mode);
	return mode === 'blend' ? alpha === 0 : mode === 'mask' && alpha < cutoff;
}

/** Position and axes of the camera, with the size of its picture. */
interface CameraFrame {
	readonly eye: Vector;
	readonly right: Vector;
	readonly up: Vector;
	readonly forward: Vector;
	readonly camera: WorldCamera;
	/** Half the height of the picture: per metre of depth, or in metres if orthographic. */
	readonly half: number;
}

const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
	a[1] * b[2] - a[2] * b[1],
	a[2] * b[0] - a[0] * b[2],
	a[0] * b[1] - a[1] * b[0],
];
function unit(vector: Vector, otherwise: Vector): Vector {
	const length = Math.sqrt(dot(vector, vector));
	return length === 0 ? otherwise : [vector[0] / length, vector[1] / length, vector[2] / length];
}

function viewOf(camera: WorldCamera): CameraFrame {
	const forward = unit(minus(camera.target, camera.eye), [0, 0, -1]);
	const right = unit(cross(forward, camera.up), [1, 0, 0]);
	const half = camera.orthographic ? camera.ortho_size : tan(camera.fov_y / 2);
	return { eye: camera.eye, right, up: cross(right, forward), forward, camera, half };
}

interface ScreenPoint {
	readonly x: number;
	readonly y: number;
	readonly depth: number;
}

function viewPoint({ eye, right, up, forward }: CameraFrame, point: Vector): ScreenPoint {
	const offset = minus(point, eye);
	return { x: dot(offset, right), y: dot(offset, up), depth: dot(offset, forward) };
}

/** Adds a cause for each reason that a ball is not in the picture. */
function checkFrame(
	{ camera, half }: CameraFrame,
	{ x, y, depth }: ScreenPoint,
	radius: number,
	add: AddCause,
): void {
	const { near, far, orthographic } = camera;
	const focus = 'Send POST /camera/focus with its entity_id.';
	if (depth + radius <= 0) {
		add('behind_camera', `It is ${metres(-depth)} m behind the camera. ${focus}`);
		return;
	}
	if (depth + radius <= near)
		add('too_near', `It is ${metres(depth)} m away; the camera draws from ${near} m on.`);
	if (depth - radius >= far)
		add('too_far', `It is ${metres(depth)} m away; the camera draws up to ${far} m.`);
	const halfWidth = half * ASPECT;
	const maxOffset = (edge: number) =>
		orthographic ? edge + radius : edge * depth + radius * Math.sqrt(1 + edge * edge);
	const sides = [
		...(Math.abs(x) > maxOffset(halfWidth) ? [x > 0 ? 'right of' : 'left of'] : []),
		...(Math.abs(y) > maxOffset(half) ? [y > 0 ? 'above' : 'below'] : []),
	];
	if (sides.length > 0) add('outside_view', `It is ${sides.join(' and ')} the picture. ${focus}`);
	const pixels = (radius * PIXELS) / (orthographic ? half : half * Math.max(depth, near));
	if (radius > 0 && pixels < 1)
		add('too_small', `It is ${pixels.toFixed(2)} pixels high in a picture of ${PIXELS} pixels.`);
}

/**
 * Returns the entities that hide a ball, or the terrain that hides it. A ball is hidden if all sample points of it are
 * hidden.
 */
function findHiders(
	world: World,
	id: number,
	eye: Vector,
	{ point, radius }: { readonly point: Vector; readonly radius: number },
): { readonly entities: readonly number[]; readonly ground: number | null } {
	const offset = unit(minus(point, eye), [0, 0, -1]);
	const side = unit(cross(offset, [0, 1, 0]), [1, 0, 0]);
	const up = cross(side, offset);
	const edge = radius * 0.5;
	const points = [
		point,
		...[side, up].flatMap((axis) => [edge, -edge].map((distance) => pointAlong(point, axis, distance))),
	];
	const candidates: { readonly slot: number; readonly matrix: Matrix; readonly round: boolean }[] = [];
	each(world, [Mesh, LocalTransform], (slot) => {
		if (slot === id || candidates.length === MAX_HIDERS) return;
		const material = materialOf(world, slot);
		if (material !== null && alphaModeOf(material.alpha_mode).mode !== 'opaque') return;
		candidates.push({
			slot,
			matrix: currentPose(world, slot).matrix,
			round: get(world, slot, Mesh)!.mesh === 'sphere',
		});
	});
	const entities = new Set<number>();
	for (const end of points) {
		const hider = candidates.find(({ matrix, round }) => isCrossed(matrix, round, eye, end));
		if (hider === undefined) return { entities: [], ground: findHidingTerrain(world, eye, points) };
		entities.add(hider.slot);
	}
	return { entities: [...entities], ground: null };
}

const pointAlong = (start: Vector, axis: Vector, distance: number): Vector => [
	start[0] + axis[0] * distance,
	start[1] + axis[1] * distance,
	start[2] + axis[2] * distance,
];

/** Returns true if the line from `eye` to `end` enters a unit box, or a unit ball if `round`. `m`: pose of the shape. */
function isCrossed(m: Matrix, round: boolean, eye: Vector, end: Vector): boolean {
	const local = (point: Vector): Vector => {
		const offset = minus(point, [m[12]!, m[13]!, m[14]!]);
		return [0, 1, 2].map((axis) => {
			const column: Vector = [m[axis * 4]!, m[axis * 4 + 1]!, m[axis * 4 + 2]!];
			const square = dot(column, column);
			return square === 0 ? Infinity : dot(offset, column) / square;
		}) as unknown as Vector;
	};
	const [a, b] = [local(eye), local(end)];
	const ray = minus(b, a);
	if (!ray.every(Number.isFinite)) return false;
	if (round) {
		// Solves the quadratic equation for the points of the ray at a distance of 0.5 from the centre.
		const [square, half, constant] = [dot(ray, ray), dot(a, ray), dot(a, a) - 0.25];
		const discriminant = half * half - square * constant;
		if (square === 0 || discriminant < 0 || constant < 0) return false;
		const enters = (-half - Math.sqrt(discriminant)) / square;
		return enters > 0 && enters < 1;
	}
	let [enters, leaves] = [0, 1];
	for (const axis of [0, 1, 2] as const) {
		const [low, high] = [UNIT_BOX.low[axis], UNIT_BOX.high[axis]];
		if (ray[axis] === 0) {
			if (a[axis] < low || a[axis] > high) return false;
			continue;
		}
		const [first, second] = [(low - a[axis]) / ray[axis], (high - a[axis]) / ray[axis]];
		enters = Math.max(enters, Math.min(first, second));
		leaves = Math.min(leaves, Math.max(first, second));
	}
	// If the eye is inside the box, the box does not hide anything: its walls are not drawn from inside.
	return enters > 0 && enters < leaves;
}

/** Returns the terrain that hides all points from the eye; null if no terrain does. */
function findHidingTerrain(world: World, eye: Vector, points: readonly Vector[]): number | null {
	for (const terrain of terrains(world)) {
		const isHidden = (end: Vector) => {
			for (let i = 1; i < GROUND_SAMPLES; i++) {
				const share = i / GROUND_SAMPLES;
				const [x, y, z] = [0, 1, 2].map(
					(axis) => eye[axis]! + (end[axis]! - eye[axis]!) * share,
				) as unknown as Vector;
				const ground = surfaceOf(world, terrain, 'world', x, z);
				if (ground !== null && y < ground.height) return true;
			}
			return false;
		};
		if (points.every(isHidden)) return terrain.id;
	}
	return null;
}

const SHOWN_COMPONENTS = new Set(['local_transform', 'material']);

/** Returns candidates for fields of the entity, its parents, the entities that hide it, and the camera. */
export function visibleCandidates(world: World, id: number, hiding: readonly number[]): Candidate[] {
	const parents: number[] = [];
	for (let parent = parentOf(world, id); parent !== null; parent = parentOf(world, parent.id))
		parents.push(parent.id);
	return [
		...[id, ...parents, ...hiding].flatMap((entityId) => entityCandidates(world, entityId, SHOWN_COMPONENTS)),
		...cameraCandidates(world),
	];
}

/** Returns candidates for the near and far limit of the camera, and for the width of its view. */
function cameraCandidates(world: World): Candidate[] {
	const { near, far, fov_y, ortho_size } = currentCamera(world);
	const ranges = {
		near: [near, 1e-3, 1e4],
		far: [far, 0.01, 1e6],
		fov_y: [fov_y, 0.01, 3.1],
		ortho_size: [ortho_size, 0.01, 1e4],
	} as const;
	return Object.entries(ranges).map(([field, [from, low, high]]) => ({
		of: 'camera' as const,
		id: null,
		field,
		from,
		allows: (to) => typeof to === 'number' && to >= low && to <= high,
		request: (to) => ({ method: 'POST' as const, path: '/camera', body: { [field]: to } }),
		apply: (copy: World, to) => void moveCamera(copy, { [field]: to }),
	}));
}
