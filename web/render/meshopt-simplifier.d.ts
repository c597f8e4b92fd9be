/** The part of meshoptimizer's simplifier, as three.js ships it, that models need. three's types leave it out. */

declare module 'three/addons/libs/meshopt_simplifier.module.js' {
	export const MeshoptSimplifier: {
		readonly ready: Promise<void>;
		/** For each vertex the first one at the same position. */
		generatePositionRemap(positions: Float32Array, stride: number): Uint32Array;
		/** Factor from relative to absolute errors. */
		getScale(positions: Float32Array, stride: number): number;
		/** Corners of the triangles that are left, and the relative error. */
		simplify(
			indices: Uint32Array,
			positions: Float32Array,
			stride: number,
			target: number,
			error: number,
			flags: readonly ('Permissive' | 'Prune' | 'ErrorAbsolute')[],
		): [Uint32Array, number];
	};
}
