/**
 * Coarser levels of detail of a model: fewer triangles between the same vertices.
 * Owns: the permitted error of each level. meshoptimizer chooses the triangles.
 */

import { MeshoptSimplifier } from 'three/addons/libs/meshopt_simplifier.module.js';
import { BufferAttribute, type BufferGeometry, Vector3 } from 'three/webgpu';
import { facingsOf } from './model-openness.ts';
import type { ModelPart } from './models.ts';

/** Errors of the levels, as shares of the model's longest side. With more, thin parts vanish and the colours change. */
const ERRORS = [0.03, 0.06, 0.09];
/** Error of the last level, which has at most eight triangles per part. */
const LAST = 0.3;
/** Maximum number of triangles of a level, relative to the previous level. */
const MIN_GAIN = 0.8;
/** Cosine of the angle between two faces up to which they share vertices. */
const SHARED = 0.7;

/** Triangles of a part. A part with morph targets has all of them at all levels. */
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
	let before = total(simplified.map(({ index }) => index));
	for (const share of [...ERRORS, LAST]) {
		const error = share * size;
		const found = simplified.map((part) => (share === LAST ? part.least() : part.simplified(error)));
		const count = total(found);
		if (count > before * MIN_GAIN) continue;
		before = count;
		errors.push(error);
		levels.push(found);
	}
	const indices = parts.map((_, at) => levels.map((level) => new BufferAttribute(level[at]!, 1)));
	return { errors, indices };
}

const total = (indices: readonly Uint32Array[]): number =>
	indices.reduce((sum, { length }) => sum + length, 0);

/** A part while its levels are found. */
class Part {
	readonly index: Uint32Array;
	/** Positions at rest. */
	readonly #positions: Float32Array;
	readonly #isMorphed: boolean;
	/** Triangles in which each vertex is replaced by its first twin. Twins differ only in their normals. */
	readonly #joined: Uint32Array;
	/** Twins of each vertex, by the first of them. */
	readonly #twins: ReadonlyMap<number, readonly number[]>;
	/** Mean direction of the triangles of each vertex. */
	readonly #facing: Float32Array;
	/** Triangles of the coarsest level so far. */
	#last: Uint32Array;

	constructor({ geometry, rest, morph }: Body) {
		this.index = Uint32Array.from(geometry.index!.array);
		this.#positions = Float32Array.from((rest ?? geometry.getAttribute('position')).array);
		this.#isMorphed = morph !== null;
		const first = firstTwins(geometry, this.#positions);
		this.#joined = this.index.map((vertex) => first[vertex]!);
		this.#twins = Map.groupBy(first.keys(), (vertex) => first[vertex]!);
		this.#facing = facingsOf({ geometry, rest });
		this.#last = this.index;
	}

	/** Returns the triangles that remain if an error of `error` metres is permitted. */
	simplified(error: number): Uint32Array {
		if (this.#isMorphed || this.index.length === 0) return this.index;
		const flags = ['Permissive', 'Prune', 'ErrorAbsolute'] as const;
		const [left] = MeshoptSimplifier.simplify(this.#joined, this.#positions, 3, 0, error, flags);
		this.#last = this.#parted(left);
		return this.#last;
	}

	/** Returns eight triangles between the outermost vertices, or the last level if it has fewer. */
	least(): Uint32Array {
		if (this.#isMorphed || this.#last.length <= 24) return this.#last;
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
		const at = (vertex: number): number => this.#positions[vertex * 3 + axis]! * side;
		return this.#joined.reduce((best, vertex) => (at(vertex) > at(best) ? vertex : best), this.#joined[0]!);
	}

	/** Replaces each vertex by the twin whose normal fits the triangle best. Nearly parallel faces get the same twin. */
	#parted(triangles: Uint32Array): Uint32Array {
		const parted = new Uint32Array(triangles.length);
		const used = new Set<number>();
		for (let at = 0; at < triangles.length; at += 3) {
			const normal = this.#normalOf(triangles, at);
			for (let corner = at; corner < at + 3; corner++) {
				let [chosen, best] = [triangles[corner]!, Number.NEGATIVE_INFINITY];
				for (const twin of this.#twins.get(chosen)!) {
					const facing = normal.dot(vector.fromArray(this.#facing, twin * 3).normalize());
					const fit = facing >= SHARED && used.has(twin) ? 2 : facing;
					if (fit > best) [chosen, best] = [twin, fit];
				}
				parted[corner] = chosen;
				used.add(chosen);
			}
		}
		return parted;
	}

	/** Returns the normal of a triangle at rest. The vector is reused by the next call. */
	#normalOf(index: Uint32Array, at: number): Vector3 {
		const [a, b, c] = corners;
		for (const [corner, place] of corners.entries())
			place.fromArray(this.#positions, index[at + corner]! * 3);
		return b.sub(a).cross(c.sub(a)).normalize();
	}
}

const corners = [new Vector3(), new Vector3(), new Vector3()] as const;
const vector = new Vector3();

/** Returns for each vertex its first twin, which may differ only in its normal. */
function firstTwins(geometry: BufferGeometry, positions: Float32Array): Uint32Array {
	const looks = Object.entries(geometry.attributes)
		.filter(([name]) => name !== 'position' && name !== 'normal')
		.map(([, { array, itemSize }]) => ({ array, itemSize }));
	const alike = (one: number, other: number): boolean =>
		looks.every(({ array, itemSize }) => {
			for (let part = 0; part < itemSize; part++)
				if (array[one * itemSize + part] !== array[other * itemSize + part]) return false;
			return true;
		});
	const places = MeshoptSimplifier.generatePositionRemap(positions, 3);
	const there = new Map<number, number[]>();
	return places.map((place, vertex) => {
		const firsts = there.get(place) ?? [];
		const first = firsts.find((other) => alike(other, vertex));
		if (first === undefined) there.set(place, [...firsts, vertex]);
		return first ?? vertex;
	});
}
