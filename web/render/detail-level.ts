/**
 * Level of detail of an instance: the coarsest level whose error is invisible.
 * Owns: the choice, a pure function of camera and instance. It has no state, so equal ticks give equal
 * pictures.
 */

import { type Camera, OrthographicCamera, Vector3 } from 'three/webgpu';

/** Factor of distances in shadows and reflections. They may have twice the error of the picture. */
const ASIDE_FACTOR = 0.5;

/** Levels of detail of a shape. */
export interface Detail {
	/** Triangles at full detail. */
	readonly triangles: number;
	/** Error of each coarser level at scale 1 (m), the finest first. */
	readonly errors: readonly number[];
}

export const ONE_LEVEL: Detail = { triangles: 0, errors: [] };

/** Position of the eye, and the scale of the picture. */
export interface Eye {
	readonly x: number;
	readonly y: number;
	readonly z: number;
	/** Size of a metre at a distance of 1 m, in tolerated errors. With a parallel projection, at any distance. */
	readonly errorsPerMetre: number;
	readonly isParallel: boolean;
}

/** Eye that always gets full detail. */
export const SHARP_EYE: Eye = { x: 0, y: 0, z: 0, errorsPerMetre: Infinity, isParallel: false };

const eyePosition = new Vector3();

/** Returns the eye of a picture of `height` pixels, in which errors of `tolerance` pixels are invisible. */
export function eyeOf(lens: Camera, height: number, tolerance: number): Eye {
	const { x, y, z } = eyePosition.setFromMatrixPosition(lens.matrixWorld);
	const perMetre = (lens.projectionMatrix.elements[5]! * height) / 2;
	// Without tolerance, `errors` is infinity.
	return { x, y, z, errorsPerMetre: perMetre / tolerance, isParallel: lens instanceof OrthographicCamera };
}

/**
 * Writes the minimum distance of each coarser level for an instance of size 1, the finest first.
 * `isAside`: the instance is in a shadow or a reflection.
 */
export function distancesOf(errors: readonly number[], eye: Eye, isAside: boolean, out: Float64Array): void {
	for (let index = 0; index < errors.length; index++)
		out[index] = errors[index]! * eye.errorsPerMetre * (isAside ? ASIDE_FACTOR : 1);
}

/**
 * Returns the level of an instance of a size at a distance. 0 is full detail; the highest level is the
 * coarsest.
 */
export function levelAt(distances: Float64Array, distance: number, size: number): number {
	let level = 0;
	while (level < distances.length && distance >= distances[level]! * size) level++;
	return level;
}
