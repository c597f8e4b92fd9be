/**
 * Poses and velocities of many bodies at once.
 * Owns: where they are in the physics library's memory. A call of the library for each of four vectors takes some twenty
 * times as long as reading them there. Their place depends on how the library was compiled, so it is searched for, once,
 * in a world of which everything is known; if it is not found beyond doubt, the library's calls are used.
 */

import type { World as RapierWorld } from '@dimforge/rapier3d-compat';
import { indexOfHandle } from './mirror.ts';
import { physicsMemory, RAPIER } from './rapier.ts';

/** Columns of bodies by slot. */
export interface Rows {
	readonly position: Float32Array;
	readonly rotation: Float32Array;
	readonly linear: Float32Array;
	readonly angular: Float32Array;
}

/** Farthest (m) and fastest (m/s, rad/s) that the library may leave a body. */
export const FARTHEST = 1e9;
export const FASTEST = 1e6;
/** Sum of the parts of a rotation at most, with some rounding. */
const MAX_TURN = 2.001;

/**
 * Writes the numbers of a body into the rows of a slot. Holds until the library is called again. Returns false if one may
 * be out of range or is none.
 */
export type ReadRow = (handle: number, slot: number, rows: Rows) => boolean;

/** Reads the rows of a world's bodies by the quickest way there is. */
export function bodyRows(live: RapierWorld): ReadRow {
	layout ??= findLayout() ?? 'unknown';
	return layout === 'unknown' ? rowsByCalls(live) : rowsInMemory(live, layout);
}

/** Reads each of the four vectors by a call. */
export function rowsByCalls(live: RapierWorld): ReadRow {
	// The library's own calls: a body object in between would cost as much again.
	const bodies = live.bodies.raw;
	const turn = new Float32Array(4);
	const vector = new Float32Array(3);
	const copy = (from: Float32Array, to: Float32Array, at: number): number => {
		let sum = 0;
		for (let i = 0; i < from.length; i++) {
			// + 0 makes -0 to 0.
			to[at + i] = from[i]! + 0;
			sum += Math.abs(from[i]!);
		}
		return sum;
	};
	return (handle, slot, { position, rotation, linear, angular }) => {
		bodies.rbTranslation(handle, vector);
		const distance = copy(vector, position, slot * 3);
		bodies.rbRotation(handle, turn);
		const turned = copy(turn, rotation, slot * 4);
		bodies.rbLinvel(handle, vector);
		let speed = copy(vector, linear, slot * 3);
		bodies.rbAngvel(handle, vector);
		speed += copy(vector, angular, slot * 3);
		return distance <= FARTHEST && turned <= MAX_TURN && speed <= FASTEST;
	};
}

/** Places of things, counted in words of four bytes. */
interface Layout {
	/** Of the pointer to the first body, from the beginning of the set of bodies. */
	readonly pointer: number;
	/** From one body to the next. */
	readonly stride: number;
	/** Of the four vectors, from the beginning of a body. */
	readonly position: number;
	readonly rotation: number;
	readonly linear: number;
	readonly angular: number;
}

let layout: Layout | 'unknown' | undefined;

function rowsInMemory(live: RapierWorld, at: Layout): ReadRow {
	const { buffer } = physicsMemory()!;
	const numbers = new Float32Array(buffer);
	const first = new Uint32Array(buffer)[setOf(live) + at.pointer]! >>> 2;
	const { stride } = at;
	const [toPlace, toTurn, toPace, toSpin] = [at.position, at.rotation, at.linear, at.angular];
	return (handle, slot, { position, rotation, linear, angular }) => {
		const body = first + indexOfHandle(handle) * stride;
		let distance = 0;
		let speed = 0;
		for (let i = 0; i < 3; i++) {
			// + 0 makes -0 to 0.
			const coordinate = numbers[body + toPlace + i]! + 0;
			const pace = numbers[body + toPace + i]! + 0;
			const spin = numbers[body + toSpin + i]! + 0;
			position[slot * 3 + i] = coordinate;
			linear[slot * 3 + i] = pace;
			angular[slot * 3 + i] = spin;
			distance += Math.abs(coordinate);
			speed += Math.abs(pace) + Math.abs(spin);
		}
		let turned = 0;
		for (let i = 0; i < 4; i++) {
			const turn = numbers[body + toTurn + i]! + 0;
			rotation[slot * 4 + i] = turn;
			turned += Math.abs(turn);
		}
		return distance <= FARTHEST && turned <= MAX_TURN && speed <= FASTEST;
	};
}

/** Returns the word at which the library keeps a world's set of bodies. */
function setOf(live: RapierWorld): number {
	return (live.bodies.raw as unknown as { readonly __wbg_ptr: number }).__wbg_ptr >>> 2;
}

/** Maximum number of words of the set of bodies that are searched, and of a body. */
const MAX_WORDS = 512;

/**
 * Looks for the layout in a world of three bodies no two numbers of which are alike. Every pointer that leads to the first
 * body's numbers and every distance to the second's are tried; what is found must be the only one, and fit the third.
 */
export function findLayout(): Layout | undefined {
	if (physicsMemory() === undefined) return undefined;
	const world = new RAPIER.World({ x: 0, y: 0, z: 0 });
	try {
		const handles = [1, 2, 3].map((number) => {
			// On its way to another pose: where a body is must not be taken for where it will be.
			const body = world.createRigidBody(
				RAPIER.RigidBodyDesc.kinematicPositionBased()
					.setTranslation(number + 0.125, number + 0.25, number + 0.375)
					.setRotation({ x: 0.5, y: -0.5, z: 0.5, w: number === 2 ? -0.5 : 0.5 })
					.setLinvel(number + 10.125, number + 10.25, number + 10.375)
					.setAngvel({ x: number + 20.125, y: number + 20.25, z: number + 20.375 }),
			);
			body.setNextKinematicTranslation({ x: 100, y: 100, z: 100 });
			body.setNextKinematicRotation({ x: 0, y: 0, z: 0, w: 1 });
			return body.handle;
		});
		return search(world, handles);
	} finally {
		world.free();
	}
}

/** Returns the position x, y, z, rotation x, y, z, w, linear velocity x, y, z, angular velocity x, y, z of a body. */
function rowByCalls(world: RapierWorld, handle: number): Float32Array {
	const row = new Float32Array(13);
	const part = (from: number, length: number) => row.subarray(from, from + length);
	const rows = { position: part(0, 3), rotation: part(3, 4), linear: part(7, 3), angular: part(10, 3) };
	rowsByCalls(world)(handle, 0, rows);
	return row;
}

function search(world: RapierWorld, handles: readonly number[]): Layout | undefined {
	const rows = handles.map((handle) => rowByCalls(world, handle));
	const { buffer } = physicsMemory()!;
	const numbers = new Float32Array(buffer);
	const words = new Uint32Array(buffer);
	const standsAt = (at: number, row: Float32Array, from: number, count: number): boolean => {
		for (let i = 0; i < count; i++) if (numbers[at + i] !== row[from + i]) return false;
		return true;
	};
	const found: Layout[] = [];
	for (let pointer = 0; pointer < MAX_WORDS; pointer++) {
		const address = words[setOf(world) + pointer]!;
		const first = address >>> 2;
		if (address === 0 || address % 4 !== 0 || first + 4 * MAX_WORDS > words.length) continue;
		const offset = (row: Float32Array, from: number, count: number, base: number): number[] => {
			const all: number[] = [];
			for (let at = 0; at < MAX_WORDS; at++) if (standsAt(base + at, row, from, count)) all.push(at);
			return all;
		};
		for (const position of offset(rows[0]!, 0, 3, first)) {
			const strides = offset(rows[1]!, 0, 3, first + position).filter((stride) =>
				standsAt(first + 2 * stride + position, rows[2]!, 0, 3),
			);
			for (const stride of strides) {
				const everywhere = (from: number, count: number) =>
					offset(rows[0]!, from, count, first).filter(
						(at) =>
							at < stride && rows.every((row, i) => standsAt(first + i * stride + at, row, from, count)),
					);
				for (const rotation of everywhere(3, 4))
					for (const linear of everywhere(7, 3))
						for (const angular of everywhere(10, 3))
							found.push({ pointer, stride, position, rotation, linear, angular });
			}
		}
	}
	return found.length === 1 ? found[0] : undefined;
}
