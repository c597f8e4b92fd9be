/**
 * Models as bodies: the vertices and triangles of the visible meshes at rest.
 * Owns: reading them from the bytes, and reducing the points of a hull. Uses no drawing library, so results are
 * deterministic.
 */

import { ApiError } from '../../../shared/contract/errors.ts';
import type { Geometry } from '../../../shared/media/collider-geometry.ts';
import type { Vector } from '../core/math/vector.ts';
import { isReadable, numbersOf } from './accessors.ts';
import { gltfOf } from './gltf.ts';
import { TRIANGLES } from './gltf-document.ts';
import { isMirrored, transformPoint } from './matrix.ts';
import { placedMeshes } from './placed-meshes.ts';

const STRIP = 5;
const FAN = 6;
/** Maximum number of hull points. A larger set is reduced to the outermost points. */
const MAX_HULL_POINTS = 256;
/**
 * Grid points along each edge of a cube. The directions for farthest points lead from the centre of the cube to the
 * grid points on its faces.
 */
const DIRECTION_GRID = 7;

/** Calls `visit` for each primitive with triangles. `points`: its vertices in the model, three numbers each. */
function eachPrimitive(
	bytes: Uint8Array,
	label: string,
	visit: (points: Float32Array, indices: Float64Array | null, mode: number, mirrored: boolean) => void,
): void {
	const gltf = gltfOf(bytes, label);
	for (const { mesh, matrix } of placedMeshes(gltf))
		for (const { attributes, indices, mode } of gltf.json.meshes[mesh]!.primitives) {
			if (mode < TRIANGLES) continue;
			const positions = attributes.POSITION!;
			for (const index of [positions, indices])
				if (index !== undefined && !isReadable(gltf, index))
					throw new ApiError(
						'asset_refused',
						`${label} is compressed, but a collider needs uncompressed numbers.`,
						{
							fix: 'Upload the model without Draco and meshopt compression for the collider. The mesh may stay compressed.',
						},
					);
			const numbers = numbersOf(gltf, positions);
			const points = new Float32Array(numbers.length);
			for (let i = 0; i < numbers.length; i += 3)
				points.set(transformPoint(matrix, numbers[i]!, numbers[i + 1]!, numbers[i + 2]!), i);
			const corners = indices === undefined ? null : numbersOf(gltf, indices);
			visit(points, corners, mode, isMirrored(matrix));
		}
}

/** Returns the triangles of a model and its distinct vertices as 32-bit numbers. Throws `asset_refused`. */
export function trianglesOf(
	bytes: Uint8Array,
	label: string,
): Required<Pick<Geometry, 'points' | 'triangles'>> {
	const points = new DistinctPoints();
	const triangles: Vector[] = [];
	eachPrimitive(bytes, label, (raw, indices, mode, mirrored) => {
		const distinct = Array.from({ length: raw.length / 3 }, (_, i) => points.put(raw, i * 3));
		const corners = indices === null ? distinct : Array.from(indices, (i) => distinct[i]!);
		for (const [a, b, c] of cornersOf(corners, mode))
			if (a !== b && b !== c && a !== c) triangles.push(mirrored ? [a, c, b] : [a, b, c]);
	});
	return { points: points.points, triangles };
}

/** Distinct points in order of insertion, found by their coordinates in an open-addressing table. */
class DistinctPoints {
	readonly points: Vector[] = [];
	/** Index in `points` plus 1; 0 if free. At most half full. */
	#table = new Uint32Array(1024);

	/** Adds the point whose three numbers begin at `offset` in `raw`, if it is new. Returns its index. */
	put(raw: Float32Array, offset: number): number {
		// Adding 0 turns -0 into 0.
		const point: Vector = [raw[offset]! + 0, raw[offset + 1]! + 0, raw[offset + 2]! + 0];
		const slot = this.#slotOf(point);
		const entry = this.#table[slot]!;
		if (entry > 0) return entry - 1;
		this.#table[slot] = this.points.push(point);
		if (this.points.length * 2 > this.#table.length) this.#grow();
		return this.points.length - 1;
	}

	#slotOf(point: Vector): number {
		const last = this.#table.length - 1;
		for (let slot = hashOf(point) & last; ; slot = (slot + 1) & last) {
			const entry = this.#table[slot]!;
			if (entry === 0 || point.every((part, axis) => Object.is(part, this.points[entry - 1]![axis])))
				return slot;
		}
	}

	#grow(): void {
		this.#table = new Uint32Array(this.#table.length * 2);
		for (const [i, point] of this.points.entries()) this.#table[this.#slotOf(point)] = i + 1;
	}
}

const floats = new Float32Array(3);
const bits = new Uint32Array(floats.buffer);

function hashOf(point: Vector): number {
	floats.set(point);
	let mixed =
		Math.imul(bits[0]!, 0x9e3779b1) ^ Math.imul(bits[1]!, 0x85ebca77) ^ Math.imul(bits[2]!, 0xc2b2ae3d);
	mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
	return mixed ^ (mixed >>> 13);
}

/** Yields the vertices of each triangle. `mode`: glTF mode of the primitive. */
function* cornersOf(corners: readonly number[], mode: number): Generator<Vector> {
	const step = mode === TRIANGLES ? 3 : 1;
	for (let i = 0; i + 2 < corners.length; i += step) {
		const first = mode === FAN ? corners[0]! : corners[i]!;
		const isSwapped = mode === STRIP && i % 2 === 1;
		const [b, c] = [corners[i + 1]!, corners[i + 2]!];
		yield isSwapped ? [first, c, b] : [first, b, c];
	}
}

/** Returns the points that define the convex hull of a model. Throws `asset_refused`. */
export function hullPointsOf(bytes: Uint8Array, label: string): readonly Vector[] {
	const parts: Float32Array[] = [];
	eachPrimitive(bytes, label, (raw) => parts.push(raw));
	const fewPoints = distinctPoints(parts);
	if (fewPoints !== null) return fewPoints;
	const chosen = new DistinctPoints();
	const points = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
	let length = 0;
	for (const raw of parts) {
		points.set(raw, length);
		length += raw.length;
	}
	const indices = new Set<number>();
	const half = (DIRECTION_GRID - 1) / 2;
	for (let x = -half; x <= half; x++)
		for (let y = -half; y <= half; y++)
			for (let z = -half; z <= half; z++) {
				if (Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) === half) indices.add(farthest(points, x, y, z));
			}
	for (const offset of [...indices].sort((a, b) => a - b)) chosen.put(points, offset);
	return chosen.points;
}

/** Returns the distinct points; null if they exceed the maximum of a hull. */
function distinctPoints(parts: readonly Float32Array[]): readonly Vector[] | null {
	const points = new DistinctPoints();
	for (const raw of parts)
		for (let i = 0; i < raw.length; i += 3) if (points.put(raw, i) >= MAX_HULL_POINTS) return null;
	return points.points;
}

/** Returns the offset of the point that is farthest along a direction; the first one of equals. */
function farthest(points: Float32Array, x: number, y: number, z: number): number {
	let best = 0;
	let maxDistance = -Infinity;
	for (let i = 0; i < points.length; i += 3) {
		const distance = points[i]! * x + points[i + 1]! * y + points[i + 2]! * z;
		if (distance > maxDistance) {
			best = i;
			maxDistance = distance;
		}
	}
	return best;
}
