/**
 * Passes the columns' changes since the last step to the physics library.
 * Owns: which entity has which body. Bodies are removed and made in slot order.
 *
 * Moving bodies: an entity without a parent, with a pose, a velocity and a Dynamic or Kinematic body. A Static body,
 * and any body without velocity, is an immovable obstacle when it has a collider, and nothing otherwise.
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
import { colliderDesc } from './collider-desc.ts';
import { groundAt, isSurface } from './geometry.ts';
import { makeTiles, renewTiles, wakeTouching } from './ground-colliders.ts';
import { countTiles, forgetTiles, touchesTold } from './ground-touches.ts';
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
	putSlot,
	setGround,
	sleptThen,
} from './mirror.ts';
import type { PhysicsState } from './physics.part.ts';
import { RAPIER } from './rapier.ts';

/** Per kilogram, of a body without a collider: that of a cube with edges of 1 m. */
const INERTIA = 1 / 6;

/**
 * Distance ahead at which a body looks for contacts on its way (m): as far as the fastest go in a tick. The library's
 * other way of keeping fast bodies from passing through each other stops those that a Kinematic body pushes. What is
 * fixed always holds.
 */
export const LOOK_AHEAD = 7;

type Numbers = ReturnType<typeof read<{ n: { kind: 'f32'; size: 3; doc: string; initial: number[] } }, 'n'>>;

/** Version of everything that decides which entity has which body. */
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

/** Of each shape, whether it is a surface, which never moves. */
const SURFACES = Collider.fields.shape.words.map(isSurface);

/**
 * Returns true if the library has bodies, or a body that moves wants to be in it. Obstacles alone wait for the first of those:
 * without it they are only bytes in each snapshot and save.
 */
export function needsPhysics(world: World, state: PhysicsState): boolean {
	if (state.mirror.count > 0 || state.mirror.lost !== null) return true;
	if (count(world, PhysicsBody) === 0) return false;
	const structure = structureVersion(world);
	if (state.seen.unwanted === structure) return false;
	const want: Wanted = { kind: NONE, shape: 0 };
	const kinds = read(world, PhysicsBody, 'kind');
	const shapes = read(world, Collider, 'shape');
	let any = false;
	each(world, [PhysicsBody], (slot) => {
		if (any) return;
		wanted(world, slot, want, kinds, shapes);
		any = want.kind === DYNAMIC || want.kind === KINEMATIC;
	});
	if (!any) state.seen.unwanted = structure;
	return any;
}

export function syncBodies(world: World, state: PhysicsState, live: RapierWorld): void {
	const { mirror, seen } = state;
	const structure = structureVersion(world);
	if (seen.structure !== structure) {
		growMirror(mirror, world.entities.generations.data.length);
		// The moving bodies are known again from the bodies that are built.
		if (mirror.lost !== null) mirror.awake.fill(0);
		syncStructure(world, mirror, live);
		if (mirror.lost !== null) settleLost(mirror, live);
		seen.structure = structure;
	}
	const push = (
		name: 'mass' | 'position' | 'rotation' | 'linear' | 'angular',
		version: number,
		apply: () => void,
	) => {
		if (seen[name] !== version) apply();
	};
	push('position', versionOf(world, LocalTransform, 'position'), () => {
		const position = read(world, LocalTransform, 'position');
		eachChanged(mirror, position, mirror.position, 3, (slot) => {
			const moved = { x: position[slot * 3]!, y: position[slot * 3 + 1]!, z: position[slot * 3 + 2]! };
			const body = live.getRigidBody(mirror.body[slot]!);
			body.setTranslation(moved, true);
			wakeNeighbours(live, mirror, slot);
		});
	});
	const masses = versionOf(world, Mass, 'kilograms');
	if (masses !== 0) push('mass', masses, () => pushMasses(world, mirror, live));
	push('rotation', versionOf(world, LocalTransform, 'rotation'), () => {
		const rotation = read(world, LocalTransform, 'rotation');
		eachChanged(mirror, rotation, mirror.rotation, 4, (slot) => {
			const at = slot * 4;
			const turned = { x: rotation[at]!, y: rotation[at + 1]!, z: rotation[at + 2]!, w: rotation[at + 3]! };
			const body = live.getRigidBody(mirror.body[slot]!);
			body.setRotation(turned, true);
			wakeNeighbours(live, mirror, slot);
		});
	});
	push('linear', versionOf(world, Velocity, 'linear'), () => {
		const linear = read(world, Velocity, 'linear');
		eachChanged(mirror, linear, mirror.linear, 3, (slot) => {
			if (mirror.kind[slot] === FIXED) return;
			const at = slot * 3;
			live
				.getRigidBody(mirror.body[slot]!)
				.setLinvel({ x: linear[at]!, y: linear[at + 1]!, z: linear[at + 2]! }, true);
		});
	});
	push('angular', versionOf(world, Velocity, 'angular'), () => {
		const angular = read(world, Velocity, 'angular');
		eachChanged(mirror, angular, mirror.angular, 3, (slot) => {
			if (mirror.kind[slot] === FIXED) return;
			const at = slot * 3;
			live
				.getRigidBody(mirror.body[slot]!)
				.setAngvel({ x: angular[at]!, y: angular[at + 1]!, z: angular[at + 2]! }, true);
		});
	});
}

/** Returns true if the library already has all bodies where the columns have them. */
export function isSynced(world: World, { seen }: PhysicsState): boolean {
	return (
		seen.structure === structureVersion(world) &&
		seen.position === versionOf(world, LocalTransform, 'position')
	);
}

/**
 * Returns the number of bodies that may begin or cease to touch others in the next step: those awake, and those that
 * the library has not, or not like that. Obstacles may be as large as the world: if one changes, all bodies count.
 */
export function countMoving(world: World, { mirror, seen }: PhysicsState): number {
	const awake = countBits(mirror.awake);
	const isPosed =
		seen.position === versionOf(world, LocalTransform, 'position') &&
		seen.rotation === versionOf(world, LocalTransform, 'rotation');
	const isBuilt = seen.structure === structureVersion(world);
	return isPosed && isBuilt ? awake : awake + countChanged(world, mirror, isBuilt);
}

function countChanged(world: World, mirror: Mirror, isBuilt: boolean): number {
	const isSame = isBuilt ? () => true : sameness(world, mirror);
	const position = read(world, LocalTransform, 'position');
	const rotation = read(world, LocalTransform, 'rotation');
	let changed = 0;
	for (let slot = 0; slot < world.entities.used; slot++) {
		const kind = mirror.kind[slot] ?? NONE;
		if (isBuilt && kind === NONE) continue;
		const isPosed =
			kind === NONE ||
			(areEqual(position, mirror.position, slot * 3, 3) && areEqual(rotation, mirror.rotation, slot * 4, 4));
		if (isPosed && isSame(slot)) continue;
		if (kind === FIXED) return world.entities.used;
		changed++;
	}
	return changed;
}

function areEqual(column: Numbers, known: Float32Array, from: number, count: number): boolean {
	for (let i = from; i < from + count; i++) if (column[i] !== known[i]) return false;
	return true;
}

/** Remembers the columns as they are now: what the library and the world agree on. */
export function markSynced(world: World, state: PhysicsState): void {
	state.seen.position = versionOf(world, LocalTransform, 'position');
	state.seen.rotation = versionOf(world, LocalTransform, 'rotation');
	state.seen.mass = versionOf(world, Mass, 'kilograms');
	state.seen.linear = versionOf(world, Velocity, 'linear');
	state.seen.angular = versionOf(world, Velocity, 'angular');
}

/** Copies changed rows to the mirror and calls `apply` for the slots that have a body. */
function eachChanged(
	mirror: Mirror,
	column: Numbers,
	known: Float32Array,
	stride: number,
	apply: (slot: number) => void,
): void {
	const slots = Math.min(mirror.kind.length, column.length / stride);
	for (let slot = 0; slot < slots; slot++) {
		if (mirror.kind[slot] === NONE) continue;
		let isSame = true;
		for (let i = slot * stride; i < slot * stride + stride; i++) {
			if (known[i] === column[i]) continue;
			known[i] = column[i]!;
			isSame = false;
		}
		if (!isSame) apply(slot);
	}
}

/** Share of a mass within which the library's rounding lies. */
const ROUNDING = 1e-5;

/** Gives bodies the masses that they do not have yet. */
function pushMasses(world: World, mirror: Mirror, live: RapierWorld): void {
	mirror.kind.forEach((kind, slot) => {
		if (kind !== DYNAMIC) return;
		const body = live.getRigidBody(mirror.body[slot]!);
		const mass = massOf(world, slot);
		if (mirror.shape[slot] === 0) {
			if (Math.abs(body.mass() - mass) <= mass * ROUNDING) return;
			body.setAdditionalMassProperties(...bareMass(mass), true);
			return;
		}
		const collider = live.getCollider(mirror.collider[slot]!);
		if (Math.abs(collider.mass() - mass) <= mass * ROUNDING) return;
		collider.setMass(mass);
		body.wakeUp();
	});
}

/** Mass properties of a body without a collider. */
function bareMass(mass: number) {
	const inertia = INERTIA * mass;
	return [
		mass,
		{ x: 0, y: 0, z: 0 },
		{ x: inertia, y: inertia, z: inertia },
		{ x: 0, y: 0, z: 0, w: 1 },
	] as const;
}

/** An obstacle that moves under sleeping bodies must wake them. */
function wakeNeighbours(live: RapierWorld, mirror: Mirror, slot: number): void {
	if (mirror.kind[slot] !== FIXED) return;
	for (const handle of collidersOf(mirror, slot)) wakeTouching(live, handle);
}

export interface Wanted {
	kind: number;
	shape: number;
}

export function wanted(world: World, slot: number, out: Wanted, kinds: Numbers, shapes: Numbers): void {
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
	const still = out.shape !== 0 && SURFACES[shapes[slot]!]!;
	if (!still && kind !== 'Static' && has(world, slot, Velocity))
		out.kind = kind === 'Dynamic' ? DYNAMIC : KINEMATIC;
	else if (out.shape !== 0) out.kind = FIXED;
}

/** Returns the numbers that distinguish its shape from others of the same kind. */
function sizeAt(world: World, slot: number, { shape }: Wanted, sizes: Numbers): readonly number[] {
	if (shape === GROUND) {
		const { width, height } = groundAt(world, slot)!;
		return [width, height, 0];
	}
	return [sizes[slot * 3]!, sizes[slot * 3 + 1]!, sizes[slot * 3 + 2]!];
}

/** Returns a test of whether the library has the body of a slot as the columns want it, except for its pose. */
function sameness(world: World, mirror: Mirror): (slot: number) => boolean {
	const kinds = read(world, PhysicsBody, 'kind');
	const shapes = read(world, Collider, 'shape');
	const sizes = read(world, Collider, 'size');
	const generations = world.entities.generations.data;
	const want: Wanted = { kind: NONE, shape: 0 };
	return (slot) => {
		wanted(world, slot, want, kinds, shapes);
		const kind = mirror.kind[slot] ?? NONE;
		if (want.kind === NONE && kind === NONE) return true;
		const sameSize =
			want.shape === 0 ||
			sizeAt(world, slot, want, sizes).every((part, i) => part === mirror.size[slot * 3 + i]);
		return (
			want.kind === kind &&
			want.shape === mirror.shape[slot] &&
			generations[slot] === mirror.generation[slot] &&
			sameSize
		);
	};
}

function syncStructure(world: World, mirror: Mirror, live: RapierWorld): void {
	const kinds = read(world, PhysicsBody, 'kind');
	const shapes = read(world, Collider, 'shape');
	const isSame = sameness(world, mirror);
	const make: number[] = [];
	for (let slot = 0; slot < world.entities.used; slot++) {
		if (isSame(slot)) {
			if (mirror.shape[slot] === GROUND && mirror.kind[slot] !== NONE)
				renewTiles(world, mirror, live, slot, groundAt(world, slot)!);
			continue;
		}
		if (mirror.kind[slot] !== NONE) removeBody(mirror, live, slot);
		make.push(slot);
	}
	const want: Wanted = { kind: NONE, shape: 0 };
	for (const slot of make) {
		wanted(world, slot, want, kinds, shapes);
		if (want.kind !== NONE) makeBody(world, mirror, live, slot, want);
	}
}

/**
 * Restores the touches of a rebuilt world of the library, in a step of no time: finding them on a tick would wake
 * sleeping bodies and report old touches as new. It pushes all the same: velocities are set again.
 */
function settleLost(mirror: Mirror, live: RapierWorld): void {
	const unheard = new RAPIER.EventQueue(true);
	live.timestep = 0;
	live.step(unheard);
	countTiles(mirror, touchesTold(mirror, unheard));
	unheard.free();
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
	forgetTiles(mirror, slot);
	if (mirror.shape[slot] === GROUND) setGround(mirror, slot, null);
	live.removeRigidBody(body);
	mirror.kind[slot] = NONE;
	mirror.count--;
	clearBit(mirror.awake, slot);
}

/** Puts a body into the library again, as the columns have it, with no memory of what it touched. */
export function renewBody(world: World, mirror: Mirror, live: RapierWorld, slot: number): void {
	const as = { kind: mirror.kind[slot]!, shape: mirror.shape[slot]! };
	removeBody(mirror, live, slot);
	makeBody(world, mirror, live, slot, as);
}

function makeBody(
	world: World,
	mirror: Mirror,
	live: RapierWorld,
	slot: number,
	{ kind, shape }: Wanted,
): void {
	const row = (numbers: Numbers, stride: number) =>
		Array.from({ length: stride }, (_, i) => numbers[slot * stride + i]!);
	const [x = 0, y = 0, z = 0] = row(read(world, LocalTransform, 'position'), 3);
	const [rx = 0, ry = 0, rz = 0, rw = 1] = row(read(world, LocalTransform, 'rotation'), 4);
	const moves = kind !== FIXED;
	const linear = moves ? row(read(world, Velocity, 'linear'), 3) : [0, 0, 0];
	const angular = moves ? row(read(world, Velocity, 'angular'), 3) : [0, 0, 0];
	const desc =
		kind === DYNAMIC
			? RAPIER.RigidBodyDesc.dynamic()
			: kind === KINEMATIC
				? RAPIER.RigidBodyDesc.kinematicVelocityBased()
				: RAPIER.RigidBodyDesc.fixed();
	desc.setTranslation(x, y, z).setRotation({ x: rx, y: ry, z: rz, w: rw });
	desc.setLinvel(linear[0]!, linear[1]!, linear[2]!);
	desc.setAngvel({ x: angular[0]!, y: angular[1]!, z: angular[2]! });
	const sleeps = sleptThen(mirror, slot, world.entities.generations.data[slot]!);
	desc.setSleeping(sleeps);
	if (moves) desc.setSoftCcdPrediction(LOOK_AHEAD);
	if (kind === DYNAMIC) {
		if (shape === 0) desc.setAdditionalMassProperties(...bareMass(massOf(world, slot)));
	}
	const body = live.createRigidBody(desc);
	mirror.body[slot] = body.handle;
	mirror.slotOfBody = putSlot(mirror.slotOfBody, indexOfHandle(body.handle), slot);
	if (shape === GROUND) makeTiles(mirror, live, slot, body, groundAt(world, slot)!);
	else if (shape !== 0) {
		const collider = live.createCollider(colliderDesc(world, slot, mirror.tuning), body);
		mirror.collider[slot] = collider.handle;
		mirror.slotOfCollider = putSlot(mirror.slotOfCollider, indexOfHandle(collider.handle), slot);
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
	if (moves && !sleeps) setBit(mirror.awake, slot);
}
