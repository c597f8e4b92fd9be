/** System that moves bodies by one tick: it passes changes to the library, steps it, and reads the active bodies back. */

import type { EventQueue, World as RapierWorld } from '@dimforge/rapier3d-compat';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { Terrain } from '../../../shared/components/terrain.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import { Collision } from '../../../shared/events/collision.ts';
import { eachBit, setBit } from '../core/bits.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { DT } from '../core/clock.ts';
import { emit } from '../core/events.ts';
import type { System } from '../core/system.ts';
import { markChanged } from '../core/version.ts';
import { count, partState, type World, write } from '../core/world.ts';
import { groundPoints } from '../terrain/terrain.ts';
import { tuning } from '../tuning/tuning.ts';
import { type BodyRows, MAX_DISTANCE, MAX_SPEED, rowReader } from './body-rows.ts';
import { applyWaterForces } from './buoyancy.ts';
import { mergeTileTouches, takeTouches } from './ground-touches.ts';
import { collidersOf, DYNAMIC, indexOfHandle, type Mirror, NONE } from './mirror.ts';
import { abandonPhysics, livePhysics, Physics, type PhysicsState, rebuildPhysics } from './physics.part.ts';
import { requirePhysics } from './rapier.ts';
import { countMoving, markSynced, needsPhysics, recreateBody, syncBodies } from './sync-bodies.ts';
import { wakeAhead } from './wake-ahead.ts';

export const stepPhysics: System = {
	name: 'step-physics',
	access: {
		reads: [
			'collider',
			'local_transform.position',
			'local_transform.rotation',
			'mass',
			'parent',
			'physics',
			'physics_body.kind',
			'terrain',
			'tuning',
			'velocity',
			'water',
		],
		writes: ['local_transform.position', 'local_transform.rotation', 'physics', 'velocity'],
		emits: ['collision'],
	},
	maximum: (world) => ({ sent: maxTouches(world) }),
	run: stepWorld,
};

/**
 * Maximum number of touches that a tick reports. With it, a step never exceeds the limit of events. So it needs no
 * snapshot before it, which would cost a third of a tick. Only tests change it.
 */
export const touchLimits = { reported: 300_000 };

/** Returns the maximum number of touches that begin or end on a tick. One body of each touch moves or was changed. */
function maxTouches(world: World): number {
	const bodies = count(world, PhysicsBody) + count(world, Terrain);
	const moving = countMoving(world, partState(world, Physics));
	return Math.min(touchLimits.reported, bodies * bodies, 2 * moving * bodies);
}

function stepWorld(world: World): void {
	const state = partState(world, Physics);
	if (!needsPhysics(world, state)) return;
	// If the binary cannot be read, the tick fails and the next call tries again. The world is not damaged.
	requirePhysics();
	const live = stepLibrary(world, state);
	readBack(world, state.mirror, live);
	emitCollisions(world, state.mirror, state.queue!);
	markSynced(world, state);
}

/**
 * Passes changes to the library and steps it. If the library fails, for example on a world from a damaged document, its
 * world is rebuilt from the columns, which the failed attempt has not changed.
 */
function stepLibrary(world: World, state: PhysicsState): RapierWorld {
	try {
		return tryLibrary(world, state);
	} catch {
		rebuildPhysics(state);
	}
	try {
		return tryLibrary(world, state);
	} catch (error) {
		abandonPhysics(state);
		throw error;
	}
}

function tryLibrary(world: World, state: PhysicsState): RapierWorld {
	const live = livePhysics(
		state,
		Math.max(state.mirror.count, count(world, PhysicsBody)),
		groundPoints(world),
	);
	syncBodies(world, state, live);
	tuneBodies(world, state.mirror, live);
	wakeAhead(world, state.mirror, live);
	live.timestep = DT;
	const clearForces = applyWaterForces(world, state.mirror, live, -live.gravity.y);
	live.step(state.queue!);
	clearForces();
	return live;
}

/** Sets gravity, restitution and friction. If they change, all Dynamic bodies wake. */
function tuneBodies(world: World, mirror: Mirror, live: RapierWorld): void {
	const { physics } = tuning(world);
	const { gravity, restitution, friction } = physics;
	const [x, y, z] = gravity;
	live.gravity = { x, y, z };
	if (mirror.tuning === physics) return;
	const isSame = canonicalJson(mirror.tuning) === canonicalJson(physics);
	mirror.tuning = physics;
	if (isSame) return;
	mirror.kind.forEach((kind, slot) => {
		for (const handle of kind === NONE ? [] : collidersOf(mirror, slot)) {
			const collider = live.getCollider(handle);
			collider.setRestitution(restitution);
			collider.setFriction(friction);
		}
		if (kind === DYNAMIC) live.getRigidBody(mirror.body[slot]!).wakeUp();
	});
}

/** Writes the poses and velocities of active bodies, and of those that have just fallen asleep. */
function readBack(world: World, mirror: Mirror, live: RapierWorld): void {
	const oldAwake = mirror.awake;
	const newAwake = new Uint32Array(oldAwake.length);
	const { slotOfBody } = mirror;
	live.islands.forEachActiveRigidBodyHandle((handle) => setBit(newAwake, slotOfBody[indexOfHandle(handle)]!));
	if (areDifferent(oldAwake, newAwake)) markChanged(world);
	mirror.awake = newAwake;
	if (isEmpty(oldAwake) && isEmpty(newAwake)) return;
	const rows: BodyRows = {
		position: write(world, LocalTransform, 'position') as Float32Array,
		rotation: write(world, LocalTransform, 'rotation') as Float32Array,
		linear: write(world, Velocity, 'linear') as Float32Array,
		angular: write(world, Velocity, 'angular') as Float32Array,
	};
	const readRow = rowReader(live);
	const extremeSlots: number[] = [];
	eachBit(
		newAwake.length,
		(i) => oldAwake[i]! | newAwake[i]!,
		(slot) => {
			if (!readRow(mirror.body[slot]!, slot, rows)) extremeSlots.push(slot);
		},
	);
	resetExtremeBodies(world, mirror, live, extremeSlots, rows);
	// The library and the columns now agree on every body. Rows without a body are never read.
	copyColumn(mirror.position, rows.position);
	copyColumn(mirror.rotation, rows.rotation);
	copyColumn(mirror.linear, rows.linear);
	copyColumn(mirror.angular, rows.angular);
}

/**
 * Resets bodies whose numbers are NaN or out of range after the step. They keep their old pose, and are created again in
 * the library, so that no bad number remains there.
 */
function resetExtremeBodies(
	world: World,
	mirror: Mirror,
	live: RapierWorld,
	slots: readonly number[],
	{ position, rotation, linear, angular }: BodyRows,
): void {
	for (const slot of slots) {
		const start = slot * 3;
		const hasPose = isWithin(position, start, 3, MAX_DISTANCE) && isWithin(rotation, slot * 4, 4, 2);
		if (hasPose && isWithin(linear, start, 3, MAX_SPEED) && isWithin(angular, start, 3, MAX_SPEED)) continue;
		if (!hasPose) {
			position.set(mirror.position.subarray(start, start + 3), start);
			rotation.set(mirror.rotation.subarray(slot * 4, slot * 4 + 4), slot * 4);
		}
		for (const column of [linear, angular])
			for (let j = start; j < start + 3; j++)
				column[j] = Number.isNaN(column[j]) ? 0 : Math.min(MAX_SPEED, Math.max(-MAX_SPEED, column[j]!));
		recreateBody(world, mirror, live, slot);
	}
}

/** Returns true if the absolute value of every number is at most `max`; false for NaN. */
function isWithin(numbers: Float32Array, from: number, count: number, max: number): boolean {
	for (let i = from; i < from + count; i++) if (!(Math.abs(numbers[i]!) <= max)) return false;
	return true;
}

function copyColumn(target: Float32Array, column: Float32Array): void {
	target.set(column.length > target.length ? column.subarray(0, target.length) : column);
}

function isEmpty(words: Uint32Array): boolean {
	return words.every((word) => word === 0);
}

function areDifferent(oldWords: Uint32Array, newWords: Uint32Array): boolean {
	for (let i = 0; i < newWords.length; i++) if (oldWords[i] !== newWords[i]) return true;
	return false;
}

/** Sends events for touches that began or ended, in the order of entity ids, up to the limit. */
function emitCollisions(world: World, mirror: Mirror, queue: EventQueue): void {
	const touches = mergeTileTouches(mirror, takeTouches(mirror, queue));
	touches.sort((p, q) => p.low - q.low || p.high - q.high || Number(p.isStart) - Number(q.isStart));
	for (const { low, high, isStart } of touches.slice(0, touchLimits.reported)) {
		const handle = (id: number) => ({ id, generation: mirror.generation[id]! });
		emit(world, Collision, { a: handle(low), b: handle(high), started: isStart });
	}
}
