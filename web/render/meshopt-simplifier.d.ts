/** Functions of meshoptimizer's simplifier that models need. three.js contains it without types. */

declare module 'three/addons/libs/meshopt_simplifier.module.js' {
	export const MeshoptSimplifier: {
		readonly ready: Promise<void>;
		/** Returns for each vertex the first vertex at the same position. */
		generatePositionRemap(positions: Float32Array, stride: number): Uint32Array;
		/** Returns the factor from relative to absolute errors. */
		getScale(positions: Float32Array, stride: number): number;
		/** Returns the corners of the remaining triangles, and the relative error. */
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
