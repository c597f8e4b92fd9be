/**
 * Share of the sky's light that reaches each vertex of a model. Hollows and parts near the ground get less.
 * Owns: the measurement, with steps through a coarse grid of the model's cells. The length of a normal stores the share, because a GPU
 * permits few more attributes.
 */

import { type Box3, type BufferAttribute, Vector3 } from 'three/webgpu';
import type { ModelPart } from './models.ts';

/** Number of cells along the longest side of a model. */
const CELLS = 24;
/** Number of sampled directions, evenly over the sphere, and the sampled distances in each (cells). */
const DIRECTIONS = 32;
const STEPS = [0.7, 1.5, 2.4, 3.5, 5];
/** Distance from the surface at which samples begin (cells). */
const LIFT = 1.3;
/** Minimum share, for a vertex that the model surrounds. */
const LEAST = 0.3;
/** Maximum distance between a model's bottom and its origin, relative to its size, at which it stands on the ground. */
const STANDS = 0.04;
/** Maximum number of vertices. Larger models have enough detail of their own. */
const MAX_VERTICES = 200_000;

const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const directions = Array.from({ length: DIRECTIONS }, (_, at) => {
	const y = 1 - (2 * at + 1) / DIRECTIONS;
	const flat = Math.sqrt(1 - y * y);
	return new Vector3(Math.cos(at * GOLDEN) * flat, y, Math.sin(at * GOLDEN) * flat);
});

type Body = Pick<ModelPart, 'geometry' | 'rest'>;

const placesOf = ({ geometry, rest }: Body): BufferAttribute =>
	rest ?? (geometry.getAttribute('position') as BufferAttribute);

/** Sets the length of all normals of a model to the share of light at their vertices. `box`: bounding box of the model. */
export function open(bodies: readonly Body[], box: Box3): void {
	const count = bodies.reduce((sum, body) => sum + placesOf(body).count, 0);
	const side = Math.max(...box.getSize(new Vector3()));
	if (count > MAX_VERTICES || side === 0) return;
	const grid = new Filled(box, side / CELLS, Math.abs(box.min.y) < side * STANDS);
	for (const body of bodies) grid.fill(body);
	for (const body of bodies) {
		const normals = body.geometry.getAttribute('normal');
		const facings = facingsOf(body);
		const places = placesOf(body);
		const [place, facing, normal] = [new Vector3(), new Vector3(), new Vector3()];
		for (let vertex = 0; vertex < places.count; vertex++) {
			place.fromBufferAttribute(places, vertex);
			const share = grid.openness(place, facing.fromArray(facings, vertex * 3).normalize());
			normal.fromBufferAttribute(normals, vertex).multiplyScalar(share);
			normals.setXYZ(vertex, normal.x, normal.y, normal.z);
		}
	}
}

/** Returns the mean direction of the triangles of each vertex at rest: three numbers each, not normalised. */
export function facingsOf(body: Body): Float32Array {
	const places = placesOf(body);
	const index = body.geometry.index!;
	const facings = new Float32Array(places.count * 3);
	const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
	for (let at = 0; at < index.count; at += 3) {
		const corners = [index.getX(at), index.getX(at + 1), index.getX(at + 2)] as const;
		a.fromBufferAttribute(places, corners[0]);
		b.fromBufferAttribute(places, corners[1]).sub(a);
		c.fromBufferAttribute(places, corners[2]).sub(a);
		b.cross(c).normalize();
		for (const corner of corners)
			for (let axis = 0; axis < 3; axis++)
				facings[corner * 3 + axis] = facings[corner * 3 + axis]! + b.getComponent(axis);
	}
	return facings;
}

/** Grid of the cells that a model fills. */
class Filled {
	readonly #low: Vector3;
	readonly #cell: number;
	readonly #size: readonly [number, number, number];
	readonly #cells: Uint8Array;
	readonly #stands: boolean;

	constructor(box: Box3, cell: number, stands: boolean) {
		this.#cell = cell;
		this.#low = box.min;
		const { x, y, z } = box.getSize(new Vector3()).divideScalar(cell);
		this.#size = [Math.ceil(x) + 1, Math.ceil(y) + 1, Math.ceil(z) + 1];
		this.#cells = new Uint8Array(this.#size[0] * this.#size[1] * this.#size[2]);
		this.#stands = stands;
	}

	/** Marks the cells that the triangles of a part pass through. */
	fill(body: Body): void {
		const places = placesOf(body);
		const index = body.geometry.index!;
		const [a, b, c, place] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
		for (let at = 0; at < index.count; at += 3) {
			a.fromBufferAttribute(places, index.getX(at));
			b.fromBufferAttribute(places, index.getX(at + 1)).sub(a);
			c.fromBufferAttribute(places, index.getX(at + 2)).sub(a);
			const steps = Math.ceil(Math.max(b.length(), c.length()) / this.#cell / 0.7) + 1;
			for (let along = 0; along <= steps; along++)
				for (let across = 0; across <= steps - along; across++) {
					place
						.copy(a)
						.addScaledVector(b, along / steps)
						.addScaledVector(c, across / steps);
					const cell = this.#at(place);
					if (cell >= 0) this.#cells[cell] = 1;
				}
		}
	}

	/** Returns the index of the cell at a position; -1 outside the grid. */
	#at({ x, y, z }: Vector3): number {
		const [columns, layers, rows] = this.#size;
		const column = Math.floor((x - this.#low.x) / this.#cell);
		const layer = Math.floor((y - this.#low.y) / this.#cell);
		const row = Math.floor((z - this.#low.z) / this.#cell);
		const inside = column >= 0 && layer >= 0 && row >= 0 && column < columns && layer < layers && row < rows;
		return inside ? (layer * rows + row) * columns + column : -1;
	}

	/** Returns the share of the directions in front of a surface in which nothing is near. */
	openness(place: Vector3, facing: Vector3): number {
		const spot = new Vector3();
		let [all, hidden] = [0, 0];
		for (const direction of directions) {
			const weight = direction.dot(facing);
			if (weight < 0.1) continue;
			all += weight;
			for (const [at, step] of STEPS.entries()) {
				spot.copy(facing).multiplyScalar(LIFT).addScaledVector(direction, step);
				spot.multiplyScalar(this.#cell).add(place);
				const cell = this.#at(spot);
				const isGround = this.#stands && spot.y < this.#low.y;
				if (!isGround && (cell < 0 || this.#cells[cell] === 0)) continue;
				// Farther cells hide less.
				hidden += weight * (1 - at / (STEPS.length + 1));
				break;
			}
		}
		return all === 0 ? 1 : LEAST + (1 - LEAST) * (1 - hidden / all);
	}
}
