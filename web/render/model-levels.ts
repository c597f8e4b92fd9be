/**
 * Coarser levels of detail of a model: fewer triangles between the same vertices.
 * Owns: the permitted error of each level. meshoptimizer chooses the triangles.
 */

import { MeshoptSimplifier } from 'three/addons/libs/meshopt_simplifier.module.js';
import { BufferAttribute, type BufferGeometry, Vector3 } from 'three/webgpu';
import { facingsOf } from './model-openness.ts';
import type { ModelPart } from './models.ts';

/**
 * Errors of the levels, as shares of the model's longest side. With larger errors, thin parts vanish and
 * colours change.
 */
const ERRORS = [0.03, 0.06, 0.09];
/**
 * Error of the last level as a share of the model's longest side. This level has at most eight triangles per
 * part.
 */
const LAST_ERROR = 0.3;
/** Maximum number of triangles of a level, relative to the previous level. */
const MAX_TRIANGLE_SHARE = 0.8;
/** Cosine of the angle between two faces up to which they share vertices. */
const SHARED_COSINE = 0.7;

/** Triangles of a part. A part with morph targets keeps all triangles at all levels. */
type Body = Pick<ModelPart, 'geometry' | 'rest' | 'morph'>;

export interface ModelLevels {
	/** Error of each level at scale 1 (m), the finest first. */
	readonly errors: readonly number[];
	/** Vertex indices of triangles, by part and level. */
	readonly indices: readonly (readonly BufferAttribute[])[];
}

/** Finds the levels of a model whose box has a longest side of `size` metres. */
export async function levelsOf(parts: readonly Body[], size: number): Promise<ModelLevels> {
	await MeshoptSimplifier.ready;
	const simplified = parts.map((part) => new Part(part));
	const errors: number[] = [];
	const levels: Uint32Array[][] = [];
	let previousTotal = totalLength(simplified.map(({ index }) => index));
	for (const share of [...ERRORS, LAST_ERROR]) {
		const error = share * size;
		const indices = simplified.map((part) =>
			share === LAST_ERROR ? part.coarsestLevel() : part.simplify(error),
		);
		const count = totalLength(indices);
		if (count > previousTotal * MAX_TRIANGLE_SHARE) continue;
		previousTotal = count;
		errors.push(error);
		levels.push(indices);
	}
	const indices = parts.map((_, partIndex) =>
		levels.map((level) => new BufferAttribute(level[partIndex]!, 1)),
	);
	return { errors, indices };
}

const totalLength = (indices: readonly Uint32Array[]): number =>
	indices.reduce((sum, { length }) => sum + length, 0);

/** State of a part during the search for its levels. */
class Part {
	readonly index: Uint32Array;
	/** Positions at rest. */
	readonly #positions: Float32Array;
	readonly #isMorphed: boolean;
	/** Triangles in which each vertex is replaced by its first twin. Twins differ only in their normals. */
	readonly #merged: Uint32Array;
	/** Twins of each vertex, by the first of them. */
	readonly #twins: ReadonlyMap<number, readonly number[]>;
	/** Mean direction of the triangles of each vertex. */
	readonly #facings: Float32Array;
	/** Triangles of the coarsest level so far. */
	#coarsest: Uint32Array;

	constructor({ geometry, rest, morph }: Body) {
		this.index = Uint32Array.from(geometry.index!.array);
		this.#positions = Float32Array.from((rest ?? geometry.getAttribute('position')).array);
		this.#isMorphed = morph !== null;
		const firstTwin = firstTwins(geometry, this.#positions);
		this.#merged = this.index.map((vertex) => firstTwin[vertex]!);
		this.#twins = Map.groupBy(firstTwin.keys(), (vertex) => firstTwin[vertex]!);
		this.#facings = facingsOf({ geometry, rest });
		this.#coarsest = this.index;
	}

	/** Returns the triangles that remain if an error of `error` metres is permitted. */
	simplify(error: number): Uint32Array {
		if (this.#isMorphed || this.index.length === 0) return this.index;
		const flags = ['Permissive', 'Prune', 'ErrorAbsolute'] as const;
		const [remaining] = MeshoptSimplifier.simplify(this.#merged, this.#positions, 3, 0, error, flags);
		this.#coarsest = this.#restoreTwins(remaining);
		return this.#coarsest;
	}

	/** Returns eight triangles between the outermost vertices, or the last level if it has fewer. */
	coarsestLevel(): Uint32Array {
		if (this.#isMorphed || this.#coarsest.length <= 24) return this.#coarsest;
		const ends = [0, 1, 2].flatMap((axis) => [this.#outermost(axis, -1), this.#outermost(axis, 1)]);
		const index: number[] = [];
		for (let octant = 0; octant < 8; octant++) {
			const [x, y, z] = [0, 1, 2].map((axis) => ends[axis * 2 + ((octant >> axis) & 1)]!) as [
				number,
				number,
				number,
			];
			const isOutside = [0, 3, 5, 6].includes(octant);
			index.push(x, isOutside ? z : y, isOutside ? y : z);
		}
		return Uint32Array.from(index);
	}

	#outermost(axis: number, side: 1 | -1): number {
		const distance = (vertex: number): number => this.#positions[vertex * 3 + axis]! * side;
		return this.#merged.reduce(
			(best, vertex) => (distance(vertex) > distance(best) ? vertex : best),
			this.#merged[0]!,
		);
	}

	/**
	 * Replaces each vertex by the twin whose normal fits the triangle best. Nearly parallel faces get the same
	 * twin.
	 */
	#restoreTwins(triangles: Uint32Array): Uint32Array {
		const restored = new Uint32Array(triangles.length);
		const used = new Set<number>();
		for (let start = 0; start < triangles.length; start += 3) {
			const normal = this.#normalOf(triangles, start);
			for (let corner = start; corner < start + 3; corner++) {
				let [vertex, best] = [triangles[corner]!, Number.NEGATIVE_INFINITY];
				for (const twin of this.#twins.get(vertex)!) {
					const facing = normal.dot(vector.fromArray(this.#facings, twin * 3).normalize());
					const fit = facing >= SHARED_COSINE && used.has(twin) ? 2 : facing;
					if (fit > best) [vertex, best] = [twin, fit];
				}
				restored[corner] = vertex;
				used.add(vertex);
			}
		}
		return restored;
	}

	/** Returns the normal of a triangle at rest. The vector is reused by the next call. */
	#normalOf(index: Uint32Array, start: number): Vector3 {
		const [a, b, c] = corners;
		for (const [corner, point] of corners.entries())
			point.fromArray(this.#positions, index[start + corner]! * 3);
		return b.sub(a).cross(c.sub(a)).normalize();
	}
}

const corners = [new Vector3(), new Vector3(), new Vector3()] as const;
const vector = new Vector3();

/** Returns for each vertex its first twin, which may differ only in its normal. */
function firstTwins(geometry: BufferGeometry, positions: Float32Array): Uint32Array {
	const attributes = Object.entries(geometry.attributes)
		.filter(([name]) => name !== 'position' && name !== 'normal')
		.map(([, { array, itemSize }]) => ({ array, itemSize }));
	const hasEqualAttributes = (one: number, other: number): boolean =>
		attributes.every(({ array, itemSize }) => {
			for (let component = 0; component < itemSize; component++)
				if (array[one * itemSize + component] !== array[other * itemSize + component]) return false;
			return true;
		});
	const positionIds = MeshoptSimplifier.generatePositionRemap(positions, 3);
	const twinsByPosition = new Map<number, number[]>();
	return positionIds.map((positionId, vertex) => {
		const firsts = twinsByPosition.get(positionId) ?? [];
		const first = firsts.find((other) => hasEqualAttributes(other, vertex));
		if (first === undefined) twinsByPosition.set(positionId, [...firsts, vertex]);
		return first ?? vertex;
	});
}
