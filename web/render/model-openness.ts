/**
 * Share of the sky's light that reaches each vertex of a model. Hollows and parts near the ground get less.
 * Owns: the measurement, with steps through a coarse grid of the model's cells. The length of a normal stores
 * the share, because a GPU permits few more attributes.
 */

import { type Box3, type BufferAttribute, Vector3 } from 'three/webgpu';
import type { ModelPart } from './models.ts';

/** Number of cells along the longest side of a model. */
const CELLS = 24;
/** Number of sampled directions, evenly over the sphere. */
const DIRECTIONS = 32;
/** Sampled distances in each direction (cells). */
const STEPS = [0.7, 1.5, 2.4, 3.5, 5];
/** Distance from the surface at which samples begin (cells). */
const START_DISTANCE = 1.3;
/** Minimum share, for a vertex that the model surrounds. */
const MIN_SHARE = 0.3;
/**
 * Maximum distance between a model's bottom and its origin, relative to its size, at which it stands on the
 * ground.
 */
const MAX_GROUND_GAP = 0.04;
/** Maximum number of vertices. Larger models have enough detail of their own. */
const MAX_VERTICES = 200_000;

/** Angle between consecutive points of a spiral that covers a sphere evenly (radians). */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
const directions = Array.from({ length: DIRECTIONS }, (_, index) => {
	const y = 1 - (2 * index + 1) / DIRECTIONS;
	const radius = Math.sqrt(1 - y * y);
	return new Vector3(Math.cos(index * GOLDEN_ANGLE) * radius, y, Math.sin(index * GOLDEN_ANGLE) * radius);
});

type Body = Pick<ModelPart, 'geometry' | 'rest'>;

const positionsOf = ({ geometry, rest }: Body): BufferAttribute =>
	rest ?? (geometry.getAttribute('position') as BufferAttribute);

/**
 * Stores the share of light at each vertex of a model as the length of its normal. `box`: bounding box of the
 * model.
 */
export function storeOpenness(bodies: readonly Body[], box: Box3): void {
	const count = bodies.reduce((sum, body) => sum + positionsOf(body).count, 0);
	const side = Math.max(...box.getSize(new Vector3()));
	if (count > MAX_VERTICES || side === 0) return;
	const grid = new FilledCells(box, side / CELLS, Math.abs(box.min.y) < side * MAX_GROUND_GAP);
	for (const body of bodies) grid.fill(body);
	for (const body of bodies) {
		const normals = body.geometry.getAttribute('normal');
		const facings = facingsOf(body);
		const positions = positionsOf(body);
		const [position, facing, normal] = [new Vector3(), new Vector3(), new Vector3()];
		for (let vertex = 0; vertex < positions.count; vertex++) {
			position.fromBufferAttribute(positions, vertex);
			const share = grid.openness(position, facing.fromArray(facings, vertex * 3).normalize());
			normal.fromBufferAttribute(normals, vertex).multiplyScalar(share);
			normals.setXYZ(vertex, normal.x, normal.y, normal.z);
		}
	}
}

/** Returns the mean direction of the triangles of each vertex at rest: three numbers each, not normalised. */
export function facingsOf(body: Body): Float32Array {
	const positions = positionsOf(body);
	const index = body.geometry.index!;
	const facings = new Float32Array(positions.count * 3);
	const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
	for (let start = 0; start < index.count; start += 3) {
		const corners = [index.getX(start), index.getX(start + 1), index.getX(start + 2)] as const;
		a.fromBufferAttribute(positions, corners[0]);
		b.fromBufferAttribute(positions, corners[1]).sub(a);
		c.fromBufferAttribute(positions, corners[2]).sub(a);
		b.cross(c).normalize();
		for (const corner of corners)
			for (let axis = 0; axis < 3; axis++)
				facings[corner * 3 + axis] = facings[corner * 3 + axis]! + b.getComponent(axis);
	}
	return facings;
}

/** Grid of cells around a model, with a mark for each cell that the model fills. */
class FilledCells {
	readonly #low: Vector3;
	readonly #cell: number;
	readonly #size: readonly [number, number, number];
	readonly #cells: Uint8Array;
	readonly #isOnGround: boolean;

	constructor(box: Box3, cell: number, isOnGround: boolean) {
		this.#cell = cell;
		this.#low = box.min;
		const { x, y, z } = box.getSize(new Vector3()).divideScalar(cell);
		this.#size = [Math.ceil(x) + 1, Math.ceil(y) + 1, Math.ceil(z) + 1];
		this.#cells = new Uint8Array(this.#size[0] * this.#size[1] * this.#size[2]);
		this.#isOnGround = isOnGround;
	}

	/** Marks the cells that the triangles of a part pass through. */
	fill(body: Body): void {
		const positions = positionsOf(body);
		const index = body.geometry.index!;
		const [a, b, c, position] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
		for (let start = 0; start < index.count; start += 3) {
			a.fromBufferAttribute(positions, index.getX(start));
			b.fromBufferAttribute(positions, index.getX(start + 1)).sub(a);
			c.fromBufferAttribute(positions, index.getX(start + 2)).sub(a);
			const steps = Math.ceil(Math.max(b.length(), c.length()) / this.#cell / 0.7) + 1;
			for (let stepB = 0; stepB <= steps; stepB++)
				for (let stepC = 0; stepC <= steps - stepB; stepC++) {
					position
						.copy(a)
						.addScaledVector(b, stepB / steps)
						.addScaledVector(c, stepC / steps);
					const cell = this.#cellAt(position);
					if (cell >= 0) this.#cells[cell] = 1;
				}
		}
	}

	/** Returns the index of the cell at a position; -1 outside the grid. */
	#cellAt({ x, y, z }: Vector3): number {
		const [columns, layers, rows] = this.#size;
		const column = Math.floor((x - this.#low.x) / this.#cell);
		const layer = Math.floor((y - this.#low.y) / this.#cell);
		const row = Math.floor((z - this.#low.z) / this.#cell);
		const isInside =
			column >= 0 && layer >= 0 && row >= 0 && column < columns && layer < layers && row < rows;
		return isInside ? (layer * rows + row) * columns + column : -1;
	}

	/** Returns the share of the directions in front of a surface in which nothing is near. */
	openness(origin: Vector3, facing: Vector3): number {
		const sample = new Vector3();
		let [total, hidden] = [0, 0];
		for (const direction of directions) {
			const weight = direction.dot(facing);
			if (weight < 0.1) continue;
			total += weight;
			for (const [index, step] of STEPS.entries()) {
				sample.copy(facing).multiplyScalar(START_DISTANCE).addScaledVector(direction, step);
				sample.multiplyScalar(this.#cell).add(origin);
				const cell = this.#cellAt(sample);
				const isGround = this.#isOnGround && sample.y < this.#low.y;
				if (!isGround && (cell < 0 || this.#cells[cell] === 0)) continue;
				// Farther cells hide less.
				hidden += weight * (1 - index / (STEPS.length + 1));
				break;
			}
		}
		return total === 0 ? 1 : MIN_SHARE + (1 - MIN_SHARE) * (1 - hidden / total);
	}
}
