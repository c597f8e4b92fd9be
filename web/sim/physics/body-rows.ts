/**
 * Reads the poses and velocities of many bodies.
 * Owns: their layout in the physics library's memory. Reading there is about twenty times as fast as a call for each of
 * the four vectors. The layout depends on the compiled library, so it is searched once, in a world with known bodies. If
 * the search has no unique result, the library's calls are used.
 */

import type { World as RapierWorld } from '@dimforge/rapier3d-compat';
import { indexOfHandle } from './mirror.ts';
import { physicsMemory, RAPIER } from './rapier.ts';

/** Columns of bodies by slot. */
export interface BodyRows {
	readonly position: Float32Array;
	readonly rotation: Float32Array;
	readonly linear: Float32Array;
	readonly angular: Float32Array;
}

/** Limits of a body after a step: distance (m), and speed (m/s, rad/s). */
export const MAX_DISTANCE = 1e9;
export const MAX_SPEED = 1e6;
/** Maximum sum of the absolute components of a rotation, with a margin for rounding. */
const MAX_ROTATION_SUM = 2.001;

/**
 * Writes the pose and velocities of a body into the rows of a slot. A reader is valid until the library is called again.
 * Returns false if a number may be out of range or NaN.
 */
export type RowReader = (handle: number, slot: number, rows: BodyRows) => boolean;

/** Returns the fastest available reader of a world's bodies. */
export function rowReader(live: RapierWorld): RowReader {
	layout ??= findLayout() ?? 'unknown';
	return layout === 'unknown' ? callReader(live) : memoryReader(live, layout);
}

/** Returns a reader that calls the library for each of the four vectors. */
export function callReader(live: RapierWorld): RowReader {
	// These are the library's raw calls. A body object would double the time.
	const bodies = live.bodies.raw;
	const quaternion = new Float32Array(4);
	const vector = new Float32Array(3);
	const copy = (from: Float32Array, to: Float32Array, start: number): number => {
		let sum = 0;
		for (let i = 0; i < from.length; i++) {
			// + 0 turns -0 into 0.
			to[start + i] = from[i]! + 0;
			sum += Math.abs(from[i]!);
		}
		return sum;
	};
	return (handle, slot, { position, rotation, linear, angular }) => {
		bodies.rbTranslation(handle, vector);
		const distance = copy(vector, position, slot * 3);
		bodies.rbRotation(handle, quaternion);
		const rotationSum = copy(quaternion, rotation, slot * 4);
		bodies.rbLinvel(handle, vector);
		let speed = copy(vector, linear, slot * 3);
		bodies.rbAngvel(handle, vector);
		speed += copy(vector, angular, slot * 3);
		return distance <= MAX_DISTANCE && rotationSum <= MAX_ROTATION_SUM && speed <= MAX_SPEED;
	};
}

/** Offsets in the library's memory, in words of four bytes. */
interface Layout {
	/** Offset of the pointer to the first body, from the start of the set of bodies. */
	readonly pointer: number;
	/** Distance from one body to the next. */
	readonly stride: number;
	/** Offsets of the four vectors, from the start of a body. */
	readonly position: number;
	readonly rotation: number;
	readonly linear: number;
	readonly angular: number;
}

let layout: Layout | 'unknown' | undefined;

function memoryReader(live: RapierWorld, layout: Layout): RowReader {
	const { buffer } = physicsMemory()!;
	const numbers = new Float32Array(buffer);
	const firstBody = new Uint32Array(buffer)[bodySetWord(live) + layout.pointer]! >>> 2;
	const { stride, position: positionAt, rotation: rotationAt, linear: linearAt, angular: angularAt } = layout;
	return (handle, slot, { position, rotation, linear, angular }) => {
		const body = firstBody + indexOfHandle(handle) * stride;
		let distance = 0;
		let speed = 0;
		for (let i = 0; i < 3; i++) {
			// + 0 turns -0 into 0.
			const coordinate = numbers[body + positionAt + i]! + 0;
			const linearSpeed = numbers[body + linearAt + i]! + 0;
			const angularSpeed = numbers[body + angularAt + i]! + 0;
			position[slot * 3 + i] = coordinate;
			linear[slot * 3 + i] = linearSpeed;
			angular[slot * 3 + i] = angularSpeed;
			distance += Math.abs(coordinate);
			speed += Math.abs(linearSpeed) + Math.abs(angularSpeed);
		}
		let rotationSum = 0;
		for (let i = 0; i < 4; i++) {
			const component = numbers[body + rotationAt + i]! + 0;
			rotation[slot * 4 + i] = component;
			rotationSum += Math.abs(component);
		}
		return distance <= MAX_DISTANCE && rotationSum <= MAX_ROTATION_SUM && speed <= MAX_SPEED;
	};
}

/** Returns the word address of a world's set of bodies. */
function bodySetWord(live: RapierWorld): number {
	return (live.bodies.raw as unknown as { readonly __wbg_ptr: number }).__wbg_ptr >>> 2;
}

/** Number of words of the set of bodies, and of a body, that are searched. */
const SEARCHED_WORDS = 512;

/**
 * Searches for the layout in a world of three bodies whose numbers all differ. It tries every pointer that leads to the
 * numbers of the first body, and every distance to those of the second. The result must be unique and match the third.
 */
export function findLayout(): Layout | undefined {
	if (physicsMemory() === undefined) return undefined;
	const world = new RAPIER.World({ x: 0, y: 0, z: 0 });
	try {
		const handles = [1, 2, 3].map((number) => {
			// The target pose differs from the current pose, so that the search cannot confuse them.
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
		return searchLayout(world, handles);
	} finally {
		world.free();
	}
}

/** Returns the position x, y, z, rotation x, y, z, w, linear velocity x, y, z, angular velocity x, y, z of a body. */
function readRowByCalls(world: RapierWorld, handle: number): Float32Array {
	const row = new Float32Array(13);
	const columnsFrom = (from: number, length: number) => row.subarray(from, from + length);
	const rows = {
		position: columnsFrom(0, 3),
		rotation: columnsFrom(3, 4),
		linear: columnsFrom(7, 3),
		angular: columnsFrom(10, 3),
	};
	callReader(world)(handle, 0, rows);
	return row;
}

function searchLayout(world: RapierWorld, handles: readonly number[]): Layout | undefined {
	const rows = handles.map((handle) => readRowByCalls(world, handle));
	const { buffer } = physicsMemory()!;
	const numbers = new Float32Array(buffer);
	const words = new Uint32Array(buffer);
	const isRowAt = (address: number, row: Float32Array, from: number, count: number): boolean => {
		for (let i = 0; i < count; i++) if (numbers[address + i] !== row[from + i]) return false;
		return true;
	};
	const layouts: Layout[] = [];
	for (let pointer = 0; pointer < SEARCHED_WORDS; pointer++) {
		const address = words[bodySetWord(world) + pointer]!;
		const first = address >>> 2;
		if (address === 0 || address % 4 !== 0 || first + 4 * SEARCHED_WORDS > words.length) continue;
		const findOffsets = (row: Float32Array, from: number, count: number, base: number): number[] => {
			const offsets: number[] = [];
			for (let i = 0; i < SEARCHED_WORDS; i++) if (isRowAt(base + i, row, from, count)) offsets.push(i);
			return offsets;
		};
		for (const position of findOffsets(rows[0]!, 0, 3, first)) {
			const strides = findOffsets(rows[1]!, 0, 3, first + position).filter((stride) =>
				isRowAt(first + 2 * stride + position, rows[2]!, 0, 3),
			);
			for (const stride of strides) {
				const commonOffsets = (from: number, count: number) =>
					findOffsets(rows[0]!, from, count, first).filter(
						(offset) =>
							offset < stride &&
							rows.every((row, i) => isRowAt(first + i * stride + offset, row, from, count)),
					);
				for (const rotation of commonOffsets(3, 4))
					for (const linear of commonOffsets(7, 3))
						for (const angular of commonOffsets(10, 3))
							layouts.push({ pointer, stride, position, rotation, linear, angular });
			}
		}
	}
	return layouts.length === 1 ? layouts[0] : undefined;
}
