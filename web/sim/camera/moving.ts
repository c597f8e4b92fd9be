/**
 * A camera that moves by itself. View scope: saved and forked, never digested.
 * Owns: its pose, which depends only on its movement, the tick and its entity.
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
import { camera, moveCamera, type WorldCamera } from './camera.ts';

/** None of a camera that stands where it was put. */
export const Moving: Resource<CameraMove> = {
	name: 'camera_move',
	scope: 'view',
	summary: 'Automatic camera movement',
	schema: cameraMove,
	initial: () => undefined,
};

export function moving(world: World): CameraMove | null {
	return resource(world, Moving) ?? null;
}

/** Lets the camera move by itself from now on. */
export function letMove(world: World, move: CameraMove): WorldCamera {
	moveCamera(world, {});
	setResource(world, Moving, move);
	return cameraNow(world);
}

/** Stops the camera where it is; false if it did not move by itself. */
export function standStill(world: World): boolean {
	const { eye, target } = cameraNow(world);
	if (!clearResource(world, Moving)) return false;
	moveCamera(world, { eye, target });
	return true;
}

/** Changes the given parts of the camera; one that is put somewhere, or aimed, no longer moves by itself. */
export function putCamera(world: World, change: Parameters<typeof moveCamera>[1]): WorldCamera {
	if (change.eye !== undefined || change.target !== undefined) standStill(world);
	moveCamera(world, change);
	return cameraNow(world);
}

/** Returns the camera as of this tick. One whose entity is gone is where it was before it began to move. */
export function cameraNow(world: World): WorldCamera {
	const still = camera(world);
	const move = moving(world);
	const pose = move === null ? null : poseOf(world, move);
	if (pose === null) return still;
	return { ...still, eye: within(pose.eye), target: within(pose.target) };
}

interface CameraView {
	readonly eye: Vector;
	readonly target: Vector;
}

function poseOf(world: World, move: CameraMove): CameraView | null {
	switch (move.mode) {
		case 'follow': {
			const slot = slotOf(world, move.entity);
			if (slot < 0) return null;
			const at = globalPosition(world, slot);
			const [offset, look] = [move.offset, move.look].map((way) =>
				move.turn ? rotated(way, rotationOf(world, slot)) : way,
			) as [Vector, Vector];
			return { eye: plus(at, offset), target: plus(at, look) };
		}
		case 'orbit': {
			const slot = slotOf(world, move.entity);
			if (move.entity !== null && slot < 0) return null;
			const target = slot < 0 ? move.center : plus(globalPosition(world, slot), move.center);
			const { turn_ticks, start, distance, height, angle } = move;
			const turns = turn_ticks === 0 ? 0 : ((world.tick - start) % turn_ticks) / turn_ticks;
			const radians = (angle / 180 + turns * 2) * Math.PI;
			return { eye: plus(target, [distance * sin(radians), height, distance * cos(radians)]), target };
		}
		case 'path':
			return onPath(move, world.tick - move.start);
	}
}

function onPath({ points, loop, smooth }: CameraMove & { mode: 'path' }, ticks: number): CameraView {
	const last = points.at(-1)!.tick;
	const at = loop && ticks > last ? points[0]!.tick + ((ticks - last) % (last - points[0]!.tick)) : ticks;
	const after = points.findIndex(({ tick }) => tick > at);
	if (after === 0) return points[0]!;
	if (after < 0) return points.at(-1)!;
	const [from, to] = [points[after - 1]!, points[after]!];
	const share = (at - from.tick) / (to.tick - from.tick);
	return {
		eye: between('eye', share),
		target: between('target', share),
	};

	function between(what: 'eye' | 'target', t: number): Vector {
		const [a, b] = [from[what], to[what]];
		if (!smooth) return each((i) => a[i] + (b[i] - a[i]) * t);
		// A cubic through both, as fast in each as the way past its neighbours is long (Catmull-Rom).
		const span = to.tick - from.tick;
		const [v, w] = [speedAt(points, after - 1, what), speedAt(points, after, what)];
		const [t2, t3] = [t * t, t * t * t];
		return each(
			(i) =>
				a[i] * (2 * t3 - 3 * t2 + 1) +
				b[i] * (3 * t2 - 2 * t3) +
				span * (v[i] * (t3 - 2 * t2 + t) + w[i] * (t3 - t2)),
		);
	}
}

/** Metres a tick at a point of a path; none at its ends. */
function speedAt(points: readonly PathPoint[], index: number, what: 'eye' | 'target'): Vector {
	const [before, after] = [points[index - 1], points[index + 1]];
	if (before === undefined || after === undefined) return [0, 0, 0];
	return each((i) => (after[what][i] - before[what][i]) / (after.tick - before.tick));
}

function rotationOf(world: World, slot: number): readonly [number, number, number, number] {
	const hangs = parentOf(world, slot) !== null;
	const pose = hangs ? get(world, slot, GlobalTransform) : get(world, slot, LocalTransform);
	const [x, y, z, w] = pose?.rotation ?? [0, 0, 0, 1];
	return [x, y, z, w];
}

function rotated([x, y, z]: Vector, [a, b, c, w]: readonly [number, number, number, number]): Vector {
	const [tx, ty, tz] = [2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)];
	return [x + w * tx + b * tz - c * ty, y + w * ty + c * tx - a * tz, z + w * tz + a * ty - b * tx];
}

function each(run: (axis: 0 | 1 | 2) => number): Vector {
	return [run(0), run(1), run(2)];
}
function plus(a: Vector, b: Vector): Vector {
	return each((i) => a[i] + b[i]);
}
/** As far out as cameras go. */
function within(point: Vector): Vector {
	return each((i) => Math.min(FAR, Math.max(-FAR, point[i])));
}
