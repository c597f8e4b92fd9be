/**
 * Automatic movement of the camera. View scope: saved and forked, never digested.
 * Owns: the current pose, which depends only on the movement, the tick and the entity that the camera follows.
 */

import { GlobalTransform } from '../../../shared/components/global-transform.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { FAR } from '../../../shared/contract/values.ts';
import { type CameraMove, cameraMove, type PathPoint } from '../../../shared/documents/camera-move.ts';
import { slotOf } from '../core/entities.ts';
import type { Vector } from '../core/math/vector.ts';
import { cos, sin } from '../core/math.ts';
import { clearResource, type Resource, resource, setResource } from '../core/resource.ts';
import { get, type World } from '../core/world.ts';
import { globalPosition } from '../space/global-position.ts';
import { parentOf } from '../transform/hierarchy.ts';
import { moveCamera, stillCamera, type WorldCamera } from './camera.ts';

/** Movement of the camera; undefined if it does not move by itself. */
export const CameraMovement: Resource<CameraMove> = {
	name: 'camera_move',
	scope: 'view',
	summary: 'Automatic camera movement',
	schema: cameraMove,
	initial: () => undefined,
};

export function movementOf(world: World): CameraMove | null {
	return resource(world, CameraMovement) ?? null;
}

/** Starts an automatic movement. Returns the current camera. */
export function startMovement(world: World, move: CameraMove): WorldCamera {
	moveCamera(world, {});
	setResource(world, CameraMovement, move);
	return currentCamera(world);
}

/** Stops the automatic movement at the current pose. Returns false if there is none. */
export function stopMovement(world: World): boolean {
	const { eye, target } = currentCamera(world);
	if (!clearResource(world, CameraMovement)) return false;
	moveCamera(world, { eye, target });
	return true;
}

/** Changes fields of the camera. A new eye or target stops the automatic movement. */
export function placeCamera(world: World, change: Parameters<typeof moveCamera>[1]): WorldCamera {
	if (change.eye !== undefined || change.target !== undefined) stopMovement(world);
	moveCamera(world, change);
	return currentCamera(world);
}

/** Returns the camera on this tick. If its entity is gone, the camera is where it was before the movement. */
export function currentCamera(world: World): WorldCamera {
	const still = stillCamera(world);
	const move = movementOf(world);
	const pose = move === null ? null : poseOf(world, move);
	if (pose === null) return still;
	return { ...still, eye: clampToLimits(pose.eye), target: clampToLimits(pose.target) };
}

/** Pose of a camera on one tick. */
interface CameraView {
	readonly eye: Vector;
	readonly target: Vector;
}

function poseOf(world: World, move: CameraMove): CameraView | null {
	switch (move.mode) {
		case 'follow': {
			const slot = slotOf(world, move.entity);
			if (slot < 0) return null;
			const position = globalPosition(world, slot);
			const [offset, look] = [move.offset, move.look].map((vector) =>
				move.turn ? rotate(vector, rotationOf(world, slot)) : vector,
			) as [Vector, Vector];
			return { eye: addVectors(position, offset), target: addVectors(position, look) };
		}
		case 'orbit': {
			const slot = slotOf(world, move.entity);
			if (move.entity !== null && slot < 0) return null;
			const target = slot < 0 ? move.center : addVectors(globalPosition(world, slot), move.center);
			const { turn_ticks, start, distance, height, angle } = move;
			const turns = turn_ticks === 0 ? 0 : ((world.tick - start) % turn_ticks) / turn_ticks;
			const radians = (angle / 180 + turns * 2) * Math.PI;
			return { eye: addVectors(target, [distance * sin(radians), height, distance * cos(radians)]), target };
		}
		case 'path':
			return poseOnPath(move, world.tick - move.start);
	}
}

function poseOnPath({ points, loop, smooth }: CameraMove & { mode: 'path' }, ticks: number): CameraView {
	const lastTick = points.at(-1)!.tick;
	const pathTick =
		loop && ticks > lastTick ? points[0]!.tick + ((ticks - lastTick) % (lastTick - points[0]!.tick)) : ticks;
	const nextIndex = points.findIndex(({ tick }) => tick > pathTick);
	if (nextIndex === 0) return points[0]!;
	if (nextIndex < 0) return points.at(-1)!;
	const [from, to] = [points[nextIndex - 1]!, points[nextIndex]!];
	const share = (pathTick - from.tick) / (to.tick - from.tick);
	return {
		eye: interpolate('eye', share),
		target: interpolate('target', share),
	};

	function interpolate(point: 'eye' | 'target', t: number): Vector {
		const [a, b] = [from[point], to[point]];
		if (!smooth) return vectorOf((i) => a[i] + (b[i] - a[i]) * t);
		// A cubic through both points. Its velocity at a point is the mean velocity between the neighbours (Catmull-Rom).
		const span = to.tick - from.tick;
		const [v, w] = [velocityAt(points, nextIndex - 1, point), velocityAt(points, nextIndex, point)];
		const [t2, t3] = [t * t, t * t * t];
		return vectorOf(
			(i) =>
				a[i] * (2 * t3 - 3 * t2 + 1) +
				b[i] * (3 * t2 - 2 * t3) +
				span * (v[i] * (t3 - 2 * t2 + t) + w[i] * (t3 - t2)),
		);
	}
}

/** Returns the velocity at a point of a path (m/tick); zero at its ends. */
function velocityAt(points: readonly PathPoint[], index: number, point: 'eye' | 'target'): Vector {
	const [previous, next] = [points[index - 1], points[index + 1]];
	if (previous === undefined || next === undefined) return [0, 0, 0];
	return vectorOf((i) => (next[point][i] - previous[point][i]) / (next.tick - previous.tick));
}

function rotationOf(world: World, slot: number): readonly [number, number, number, number] {
	const isChild = parentOf(world, slot) !== null;
	const pose = isChild ? get(world, slot, GlobalTransform) : get(world, slot, LocalTransform);
	const [x, y, z, w] = pose?.rotation ?? [0, 0, 0, 1];
	return [x, y, z, w];
}

function rotate([x, y, z]: Vector, [a, b, c, w]: readonly [number, number, number, number]): Vector {
	const [tx, ty, tz] = [2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)];
	return [x + w * tx + b * tz - c * ty, y + w * ty + c * tx - a * tz, z + w * tz + a * ty - b * tx];
}

function vectorOf(run: (axis: 0 | 1 | 2) => number): Vector {
	return [run(0), run(1), run(2)];
}
function addVectors(a: Vector, b: Vector): Vector {
	return vectorOf((i) => a[i] + b[i]);
}
/** Returns the nearest point that a camera can have. */
function clampToLimits(point: Vector): Vector {
	return vectorOf((i) => Math.min(FAR, Math.max(-FAR, point[i])));
}
