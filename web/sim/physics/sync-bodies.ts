/**
 * Passes the columns' changes since the last step to the physics library.
 * Owns: the kind of body of each entity. Bodies are removed and created in slot order.
 *
 * A moving body is an entity without a parent, with a pose, a velocity and a Dynamic or Kinematic body. A Static body, or
 * a body without velocity, is a fixed obstacle if it has a collider; otherwise it is not in the library.
 * A Kinematic body without a collider needs no library: see integrate-kinematics.system.ts.
 */

import type { World as RapierWorld } from '@dimforge/rapier3d-compat';
import { Collider } from '../../../shared/components/collider.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Mass } from '../../../shared/components/mass.ts';
import { Parent } from '../../../shared/components/parent.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { Terrain } from '../../../shared/components/terrain.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import { clearBit, countBits, hasBit, setBit } from '../core/bits.ts';
import { count, each, has, read, versionOf, type World } from '../core/world.ts';
import { hierarchyVersion, parentOf } from '../transform/hierarchy.ts';
import { massOf } from './buoyancy.ts';
import { createColliderDesc } from './collider-desc.ts';
import { groundAt, isSurface } from './geometry.ts';
import { createTiles, rebuildTiles, wakeTouching } from './ground-colliders.ts';
import { deleteTileCounts, mergeTileTouches, takeTouches } from './ground-touches.ts';
import {
	collidersOf,
	DYNAMIC,
	FIXED,
	GROUND,
	growMirror,
	indexOfHandle,
	KINEMATIC,
	type Mirror,
	NONE,
	setGround,
	setSlot,
	wasAsleep,
} from './mirror.ts';
import type { PhysicsState } from './physics.part.ts';
import { RAPIER } from './rapier.ts';

/** Moment of inertia per kilogram of a body without a collider: that of a cube with edges of 1 m. */
const CUBE_INERTIA = 1 / 6;

/**
 * Distance at which a body predicts contacts on its way (m): as far as the fastest bodies move in a tick. The library's
 * other method against tunnelling would stop bodies that a Kinematic body pushes. Fixed bodies always hold others.
 */
export const LOOK_AHEAD = 7;

type NumberColumn = ReturnType<
	typeof read<{ n: { kind: 'f32'; size: 3; doc: string; initial: number[] } }, 'n'>
>;

/** Returns a version of all data that decides the kind of body of each entity. */
function structureVersion(world: World): number {
	return Math.max(
		versionOf(world, PhysicsBody, 'kind'),
		versionOf(world, Collider, 'shape', 'size', 'geometry'),
		versionOf(world, Terrain, 'ground'),
		versionOf(world, Velocity),
		versionOf(world, LocalTransform),
		hierarchyVersion(world),
	);
}

/** For each shape, true if it is a surface, which never moves. */
const IS_SURFACE = Collider.fields.shape.words.map(isSurface);

/**
 * Returns true if the library has bodies, or if a moving body needs it. Obstacles are added only with the first moving
 * body, because without one they would only enlarge snapshots and saves.
 */
export function needsPhysics(world: World, state: PhysicsState): boolean {
	if (state.mirror.count > 0 || state.mirror.lost !== null) return true;
	if (count(world, PhysicsBody) === 0) return false;
	const structure = structureVersion(world);
	if (state.syncedVersions.noBodyStructure === structure) return false;
	const bodyKind: BodyKind = { kind: NONE, shape: 0 };
	const kinds = read(world, PhysicsBody, 'kind');
	const shapes = read(world, Collider, 'shape');
	let isNeeded = false;
	each(world, [PhysicsBody], (slot) => {
		if (isNeeded) return;
		readBodyKind(world, slot, bodyKind, kinds, shapes);
		isNeeded = bodyKind.kind === DYNAMIC || bodyKind.kind === KINEMATIC;
	});
	if (!isNeeded) state.syncedVersions.noBodyStructure = structure;
	return isNeeded;
}

export function syncBodies(world: World, state: PhysicsState, live: RapierWorld): void {
	const { mirror, syncedVersions: synced } = state;
	const structure = structureVersion(world);
	if (synced.structure !== structure) {
		growMirror(mirror, world.entities.generations.data.length);
		// The awake bodies are set again while the bodies are created.
		if (mirror.lost !== null) mirror.awake.fill(0);
		syncStructure(world, mirror, live);
		if (mirror.lost !== null) restoreTouches(mirror, live);
		synced.structure = structure;
	}
	const syncColumn = (
		name: 'mass' | 'position' | 'rotation' | 'linear' | 'angular',
		version: number,
		apply: () => void,
	) => {
		if (synced[name] !== version) apply();
	};
	syncColumn('position', versionOf(world, LocalTransform, 'position'), () => {
		const position = read(world, LocalTransform, 'position');
		eachChanged(mirror, position, mirror.position, 3, (slot) => {
			const translation = { x: position[slot * 3]!, y: position[slot * 3 + 1]!, z: position[slot * 3 + 2]! };
			const body = live.getRigidBody(mirror.body[slot]!);
			body.setTranslation(translation, true);
			wakeNeighbours(live, mirror, slot);
		});
	});
	const masses = versionOf(world, Mass, 'kilograms');
	if (masses !== 0) syncColumn('mass', masses, () => pushMasses(world, mirror, live));
	syncColumn('rotation', versionOf(world, LocalTransform, 'rotation'), () => {
		const rotation = read(world, LocalTransform, 'rotation');
		eachChanged(mirror, rotation, mirror.rotation, 4, (slot) => {
			const start = slot * 4;
			const [x, y, z, w] = [
				rotation[start]!,
				rotation[start + 1]!,
				rotation[start + 2]!,
				rotation[start + 3]!,
			];
			const body = live.getRigidBody(mirror.body[slot]!);
			body.setRotation({ x, y, z, w }, true);
			wakeNeighbours(live, mirror, slot);
		});
	});
	syncColumn('linear', versionOf(world, Velocity, 'linear'), () => {
		const linear = read(world, Velocity, 'linear');
		eachChanged(mirror, linear, mirror.linear, 3, (slot) => {
			if (mirror.kind[slot] === FIXED) return;
			const velocity = { x: linear[slot * 3]!, y: linear[slot * 3 + 1]!, z: linear[slot * 3 + 2]! };
			live.getRigidBody(mirror.body[slot]!).setLinvel(velocity, true);
		});
	});
	syncColumn('angular', versionOf(world, Velocity, 'angular'), () => {
		const angular = read(world, Velocity, 'angular');
		eachChanged(mirror, angular, mirror.angular, 3, (slot) => {
			if (mirror.kind[slot] === FIXED) return;
			const velocity = { x: angular[slot * 3]!, y: angular[slot * 3 + 1]!, z: angular[slot * 3 + 2]! };
			live.getRigidBody(mirror.body[slot]!).setAngvel(velocity, true);
		});
	});
}

/** Returns true if the library has all bodies at the positions of the columns. */
export function isSynced(world: World, { syncedVersions: synced }: PhysicsState): boolean {
	return (
		synced.structure === structureVersion(world) &&
		synced.position === versionOf(world, LocalTransform, 'position')
	);
}

/**
 * Returns the maximum number of bodies whose touches may change in the next step: awake bodies, and bodies that are new or
 * changed. If an obstacle changes, all bodies count, because it may be as large as the world.
 */
export function countMoving(world: World, { mirror, syncedVersions: synced }: PhysicsState): number {
	const awake = countBits(mirror.awake);
	const isPosed =
		synced.position === versionOf(world, LocalTransform, 'position') &&
		synced.rotation === versionOf(world, LocalTransform, 'rotation');
	const isBuilt = synced.structure === structureVersion(world);
	return isPosed && isBuilt ? awake : awake + countChanged(world, mirror, isBuilt);
}

function countChanged(world: World, mirror: Mirror, isBuilt: boolean): number {
	const isSame = isBuilt ? () => true : sameBodyTest(world, mirror);
	const position = read(world, LocalTransform, 'position');
	const rotation = read(world, LocalTransform, 'rotation');
	let changedCount = 0;
	for (let slot = 0; slot < world.entities.used; slot++) {
		const kind = mirror.kind[slot] ?? NONE;
		if (isBuilt && kind === NONE) continue;
		const isPosed =
			kind === NONE ||
			(areEqual(position, mirror.position, slot * 3, 3) && areEqual(rotation, mirror.rotation, slot * 4, 4));
		if (isPosed && isSame(slot)) continue;
		if (kind === FIXED) return world.entities.used;
		changedCount++;
	}
	return changedCount;
}

function areEqual(column: NumberColumn, mirrorColumn: Float32Array, from: number, count: number): boolean {
	for (let i = from; i < from + count; i++) if (column[i] !== mirrorColumn[i]) return false;
	return true;
}

/** Records that the library and the columns agree now. */
export function markSynced(world: World, state: PhysicsState): void {
	state.syncedVersions.position = versionOf(world, LocalTransform, 'position');
	state.syncedVersions.rotation = versionOf(world, LocalTransform, 'rotation');
	state.syncedVersions.mass = versionOf(world, Mass, 'kilograms');
	state.syncedVersions.linear = versionOf(world, Velocity, 'linear');
	state.syncedVersions.angular = versionOf(world, Velocity, 'angular');
}

/** Copies changed rows of bodies to the mirror, and calls `apply` for each of these slots. */
function eachChanged(
	mirror: Mirror,
	column: NumberColumn,
	mirrorColumn: Float32Array,
	stride: number,
	apply: (slot: number) => void,
): void {
	const slots = Math.min(mirror.kind.length, column.length / stride);
	for (let slot = 0; slot < slots; slot++) {
		if (mirror.kind[slot] === NONE) continue;
		let isSame = true;
		for (let i = slot * stride; i < slot * stride + stride; i++) {
			if (mirrorColumn[i] === column[i]) continue;
			mirrorColumn[i] = column[i]!;
			isSame = false;
		}
		if (!isSame) apply(slot);
	}
}

/** Relative tolerance for the library's rounding of masses. */
const MASS_TOLERANCE = 1e-5;

/** Sets the changed masses of bodies. */
function pushMasses(world: World, mirror: Mirror, live: RapierWorld): void {
	mirror.kind.forEach((kind, slot) => {
		if (kind !== DYNAMIC) return;
		const body = live.getRigidBody(mirror.body[slot]!);
		const mass = massOf(world, slot);
		if (mirror.shape[slot] === 0) {
			if (Math.abs(body.mass() - mass) <= mass * MASS_TOLERANCE) return;
			body.setAdditionalMassProperties(...bareMass(mass), true);
			return;
		}
		const collider = live.getCollider(mirror.collider[slot]!);
		if (Math.abs(collider.mass() - mass) <= mass * MASS_TOLERANCE) return;
		collider.setMass(mass);
		body.wakeUp();
	});
}

/** Returns the mass properties of a body without a collider. */
function bareMass(mass: number) {
	const inertia = CUBE_INERTIA * mass;
	return [
		mass,
		{ x: 0, y: 0, z: 0 },
		{ x: inertia, y: inertia, z: inertia },
		{ x: 0, y: 0, z: 0, w: 1 },
	] as const;
}

/** Wakes the bodies that touch an obstacle. The library does not wake them if the obstacle moves. */
function wakeNeighbours(live: RapierWorld, mirror: Mirror, slot: number): void {
	if (mirror.kind[slot] !== FIXED) return;
	for (const handle of collidersOf(mirror, slot)) wakeTouching(live, handle);
}

/** Kind and shape of a body, with the numbers that the mirror uses. */
export interface BodyKind {
	kind: number;
	shape: number;
}

/** Writes the body that an entity needs in the library into `out`; its kind is NONE if it needs none. */
export function readBodyKind(
	world: World,
	slot: number,
	out: BodyKind,
	kinds: NumberColumn,
	shapes: NumberColumn,
): void {
	out.kind = NONE;
	out.shape = has(world, slot, Collider) ? shapes[slot]! + 1 : 0;
	const ground = groundAt(world, slot) !== null;
	if ((!ground && !has(world, slot, PhysicsBody)) || !has(world, slot, LocalTransform)) return;
	if (has(world, slot, Parent) && parentOf(world, slot) !== null) return;
	if (ground) {
		out.kind = FIXED;
		out.shape = GROUND;
		return;
	}
	const kind = PhysicsBody.fields.kind.words[kinds[slot]!]!;
	// A Kinematic body without a collider touches nothing: `integrateKinematics` moves it.
	if (kind === 'Kinematic' && out.shape === 0) return;
	const isFixedSurface = out.shape !== 0 && IS_SURFACE[shapes[slot]!]!;
	if (!isFixedSurface && kind !== 'Static' && has(world, slot, Velocity))
		out.kind = kind === 'Dynamic' ? DYNAMIC : KINEMATIC;
	else if (out.shape !== 0) out.kind = FIXED;
}

/** Returns the size of a body's shape, or the number of points of a ground. */
function sizeAt(world: World, slot: number, { shape }: BodyKind, sizes: NumberColumn): readonly number[] {
	if (shape === GROUND) {
		const { width, height } = groundAt(world, slot)!;
		return [width, height, 0];
	}
	return [sizes[slot * 3]!, sizes[slot * 3 + 1]!, sizes[slot * 3 + 2]!];
}

/** Returns a function that tests if the library's body of a slot matches the columns, apart from its pose. */
function sameBodyTest(world: World, mirror: Mirror): (slot: number) => boolean {
	const kinds = read(world, PhysicsBody, 'kind');
	const shapes = read(world, Collider, 'shape');
	const sizes = read(world, Collider, 'size');
	const generations = world.entities.generations.data;
	const bodyKind: BodyKind = { kind: NONE, shape: 0 };
	return (slot) => {
		readBodyKind(world, slot, bodyKind, kinds, shapes);
		const kind = mirror.kind[slot] ?? NONE;
		if (bodyKind.kind === NONE && kind === NONE) return true;
		const isSameSize =
			bodyKind.shape === 0 ||
			sizeAt(world, slot, bodyKind, sizes).every((component, i) => component === mirror.size[slot * 3 + i]);
		return (
			bodyKind.kind === kind &&
			bodyKind.shape === mirror.shape[slot] &&
			generations[slot] === mirror.generation[slot] &&
			isSameSize
		);
	};
}

function syncStructure(world: World, mirror: Mirror, live: RapierWorld): void {
	const kinds = read(world, PhysicsBody, 'kind');
	const shapes = read(world, Collider, 'shape');
	const isSame = sameBodyTest(world, mirror);
	const slotsToCreate: number[] = [];
	for (let slot = 0; slot < world.entities.used; slot++) {
		if (isSame(slot)) {
			if (mirror.shape[slot] === GROUND && mirror.kind[slot] !== NONE)
				rebuildTiles(world, mirror, live, slot, groundAt(world, slot)!);
			continue;
		}
		if (mirror.kind[slot] !== NONE) removeBody(mirror, live, slot);
		slotsToCreate.push(slot);
	}
	const bodyKind: BodyKind = { kind: NONE, shape: 0 };
	for (const slot of slotsToCreate) {
		readBodyKind(world, slot, bodyKind, kinds, shapes);
		if (bodyKind.kind !== NONE) createBody(world, mirror, live, slot, bodyKind);
	}
}

/**
 * Restores the touches of a rebuilt library world with a step of duration 0. Otherwise the next tick would wake sleeping
 * bodies and report old touches as new. Such a step still changes velocities, so they are set again.
 */
function restoreTouches(mirror: Mirror, live: RapierWorld): void {
	const unreportedTouches = new RAPIER.EventQueue(true);
	live.timestep = 0;
	live.step(unreportedTouches);
	mergeTileTouches(mirror, takeTouches(mirror, unreportedTouches));
	unreportedTouches.free();
	mirror.kind.forEach((kind, slot) => {
		if (kind !== DYNAMIC && kind !== KINEMATIC) return;
		const body = live.getRigidBody(mirror.body[slot]!);
		const [x = 0, y = 0, z = 0] = mirror.linear.subarray(slot * 3, slot * 3 + 3);
		const [ax = 0, ay = 0, az = 0] = mirror.angular.subarray(slot * 3, slot * 3 + 3);
		body.setLinvel({ x, y, z }, false);
		body.setAngvel({ x: ax, y: ay, z: az }, false);
		if (!hasBit(mirror.awake, slot)) body.sleep();
	});
	mirror.lost = null;
}

function removeBody(mirror: Mirror, live: RapierWorld, slot: number): void {
	const body = live.getRigidBody(mirror.body[slot]!);
	wakeNeighbours(live, mirror, slot);
	mirror.slotOfBody[indexOfHandle(mirror.body[slot]!)] = -1;
	for (const handle of collidersOf(mirror, slot)) mirror.slotOfCollider[indexOfHandle(handle)] = -1;
	deleteTileCounts(mirror, slot);
	if (mirror.shape[slot] === GROUND) setGround(mirror, slot, null);
	live.removeRigidBody(body);
	mirror.kind[slot] = NONE;
	mirror.count--;
	clearBit(mirror.awake, slot);
}

/** Removes a body from the library and creates it again from the columns, without its touches. */
export function recreateBody(world: World, mirror: Mirror, live: RapierWorld, slot: number): void {
	const bodyKind = { kind: mirror.kind[slot]!, shape: mirror.shape[slot]! };
	removeBody(mirror, live, slot);
	createBody(world, mirror, live, slot, bodyKind);
}

function createBody(
	world: World,
	mirror: Mirror,
	live: RapierWorld,
	slot: number,
	{ kind, shape }: BodyKind,
): void {
	const row = (numbers: NumberColumn, stride: number) =>
		Array.from({ length: stride }, (_, i) => numbers[slot * stride + i]!);
	const [x = 0, y = 0, z = 0] = row(read(world, LocalTransform, 'position'), 3);
	const [rx = 0, ry = 0, rz = 0, rw = 1] = row(read(world, LocalTransform, 'rotation'), 4);
	const isMoving = kind !== FIXED;
	const linear = isMoving ? row(read(world, Velocity, 'linear'), 3) : [0, 0, 0];
	const angular = isMoving ? row(read(world, Velocity, 'angular'), 3) : [0, 0, 0];
	const desc =
		kind === DYNAMIC
			? RAPIER.RigidBodyDesc.dynamic()
			: kind === KINEMATIC
				? RAPIER.RigidBodyDesc.kinematicVelocityBased()
				: RAPIER.RigidBodyDesc.fixed();
	desc.setTranslation(x, y, z).setRotation({ x: rx, y: ry, z: rz, w: rw });
	desc.setLinvel(linear[0]!, linear[1]!, linear[2]!);
	desc.setAngvel({ x: angular[0]!, y: angular[1]!, z: angular[2]! });
	const isAsleep = wasAsleep(mirror, slot, world.entities.generations.data[slot]!);
	desc.setSleeping(isAsleep);
	if (isMoving) desc.setSoftCcdPrediction(LOOK_AHEAD);
	if (kind === DYNAMIC) {
		if (shape === 0) desc.setAdditionalMassProperties(...bareMass(massOf(world, slot)));
	}
	const body = live.createRigidBody(desc);
	mirror.body[slot] = body.handle;
	mirror.slotOfBody = setSlot(mirror.slotOfBody, indexOfHandle(body.handle), slot);
	if (shape === GROUND) createTiles(mirror, live, slot, body, groundAt(world, slot)!);
	else if (shape !== 0) {
		const collider = live.createCollider(createColliderDesc(world, slot, mirror.tuning), body);
		mirror.collider[slot] = collider.handle;
		mirror.slotOfCollider = setSlot(mirror.slotOfCollider, indexOfHandle(collider.handle), slot);
	}
	if (shape !== 0)
		mirror.size.set(sizeAt(world, slot, { kind, shape }, read(world, Collider, 'size')), slot * 3);
	mirror.kind[slot] = kind;
	mirror.shape[slot] = shape;
	mirror.generation[slot] = world.entities.generations.data[slot]!;
	mirror.position.set([x, y, z], slot * 3);
	mirror.rotation.set([rx, ry, rz, rw], slot * 4);
	mirror.linear.set(linear, slot * 3);
	mirror.angular.set(angular, slot * 3);
	mirror.count++;
	if (isMoving && !isAsleep) setBit(mirror.awake, slot);
}
