/** Moves bodies by one tick: changes are pushed into the library, it steps, active bodies are read back. */

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
import { bodyRows, FARTHEST, FASTEST, type Rows } from './body-rows.ts';
import { pushByWater } from './buoyancy.ts';
import { countTiles, touchesTold } from './ground-touches.ts';
import { collidersOf, DYNAMIC, indexOfHandle, type Mirror, NONE } from './mirror.ts';
import { abandonPhysics, livePhysics, Physics, type PhysicsState, rebuildPhysics } from './physics.part.ts';
import { requirePhysics } from './rapier.ts';
import { countMoving, markSynced, needsPhysics, renewBody, syncBodies } from './sync-bodies.ts';
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
	most: (world) => ({ sent: mostTouches(world) }),
	run,
};

/**
 * Maximum number of touches that a tick reports. So no step of the library exceeds the events of a tick, and its world needs no
 * snapshot before it, which costs a third of a tick. Only tests set another number, to reach it with few bodies.
 */
export const touchLimits = { reported: 300_000 };

/** Returns the maximum number of touches that begin or end on a tick: both may, and one of the two moves or was changed. */
function mostTouches(world: World): number {
	const bodies = count(world, PhysicsBody) + count(world, Terrain);
	const moving = countMoving(world, partState(world, Physics));
	return Math.min(touchLimits.reported, bodies * bodies, 2 * moving * bodies);
}

function run(world: World): void {
	const state = partState(world, Physics);
	if (!needsPhysics(world, state)) return;
	// A binary that cannot be read is no damaged world: the tick fails, and the next call tries again.
	requirePhysics();
	const live = stepLibrary(world, state);
	readBack(world, state.mirror, live);
	emitCollisions(world, state.mirror, state.queue!);
	markSynced(world, state);
}

/**
 * Pushes what changed into the library and has it step. A world of the library that fails, as one from a damaged
 * document may at any time, is rebuilt from the columns, which know nothing of the attempt yet.
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
	const clearForces = pushByWater(world, state.mirror, live, -live.gravity.y);
	live.step(state.queue!);
	clearForces();
	return live;
}

/** Sets gravity and surfaces. Others than before wake every body that they move. */
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

/** Writes the poses and velocities of bodies that moved, and of those that have just come to rest. */
function readBack(world: World, mirror: Mirror, live: RapierWorld): void {
	const before = mirror.awake;
	const now = new Uint32Array(before.length);
	const { slotOfBody } = mirror;
	live.islands.forEachActiveRigidBodyHandle((handle) => setBit(now, slotOfBody[indexOfHandle(handle)]!));
	if (changed(before, now)) markChanged(world);
	mirror.awake = now;
	if (isEmpty(before) && isEmpty(now)) return;
	const rows: Rows = {
		position: write(world, LocalTransform, 'position') as Float32Array,
		rotation: write(world, LocalTransform, 'rotation') as Float32Array,
		linear: write(world, Velocity, 'linear') as Float32Array,
		angular: write(world, Velocity, 'angular') as Float32Array,
	};
	const readRow = bodyRows(live);
	const odd: number[] = [];
	eachBit(
		now.length,
		(i) => before[i]! | now[i]!,
		(slot) => {
			if (!readRow(mirror.body[slot]!, slot, rows)) odd.push(slot);
		},
	);
	holdInRange(world, mirror, live, odd, rows);
	// Of every body the library now knows what the columns say; rows without one are never looked at.
	remember(mirror.position, rows.position);
	remember(mirror.rotation, rows.rotation);
	remember(mirror.linear, rows.linear);
	remember(mirror.angular, rows.angular);
}

/**
 * Undoes what the library made of extreme bodies that is no number or beyond all range: they stay where they were,
 * and are put into the library again, so that nothing of it is left there for the next step.
 */
function holdInRange(
	world: World,
	mirror: Mirror,
	live: RapierWorld,
	slots: readonly number[],
	{ position, rotation, linear, angular }: Rows,
): void {
	for (const slot of slots) {
		const at = slot * 3;
		const posed = isWithin(position, at, 3, FARTHEST) && isWithin(rotation, slot * 4, 4, 2);
		if (posed && isWithin(linear, at, 3, FASTEST) && isWithin(angular, at, 3, FASTEST)) continue;
		if (!posed) {
			position.set(mirror.position.subarray(at, at + 3), at);
			rotation.set(mirror.rotation.subarray(slot * 4, slot * 4 + 4), slot * 4);
		}
		for (const column of [linear, angular])
			for (let j = at; j < at + 3; j++)
				column[j] = Number.isNaN(column[j]) ? 0 : Math.min(FASTEST, Math.max(-FASTEST, column[j]!));
		renewBody(world, mirror, live, slot);
	}
}

/** Returns true if no number is beyond `most`; NaN is. */
function isWithin(numbers: Float32Array, from: number, count: number, most: number): boolean {
	for (let i = from; i < from + count; i++) if (!(Math.abs(numbers[i]!) <= most)) return false;
	return true;
}

function remember(known: Float32Array, column: Float32Array): void {
	known.set(column.length > known.length ? column.subarray(0, known.length) : column);
}

function isEmpty(words: Uint32Array): boolean {
	return words.every((word) => word === 0);
}

function changed(before: Uint32Array, now: Uint32Array): boolean {
	for (let i = 0; i < now.length; i++) if (before[i] !== now[i]) return true;
	return false;
}

/** Sends what began and ceased to touch, in the order of entity ids; beyond the limit none. */
function emitCollisions(world: World, mirror: Mirror, queue: EventQueue): void {
	const found = countTiles(mirror, touchesTold(mirror, queue));
	found.sort((p, q) => p.low - q.low || p.high - q.high || Number(p.started) - Number(q.started));
	for (const { low, high, started } of found.slice(0, touchLimits.reported)) {
		const handle = (id: number) => ({ id, generation: mirror.generation[id]! });
		emit(world, Collision, { a: handle(low), b: handle(high), started });
	}
}
