/**
 * Level of detail of an instance: the coarsest whose error is too small to see.
 * Owns: the choice, a pure function of the camera and of the instance. It keeps nothing between pictures, so a picture of a
 * tick is the same picture again.
 */

import { type Camera, OrthographicCamera, Vector3 } from 'three/webgpu';

/** Shadows and reflections show twice the error that the picture itself may show. */
const ASIDE = 0.5;

/** Levels of detail of a shape. */
export interface Detail {
	/** Triangles at full detail. */
	readonly triangles: number;
	/** Error of each coarser level at scale 1 (m), the finest first. */
	readonly errors: readonly number[];
}

export const ONE_LEVEL: Detail = { triangles: 0, errors: [] };

/** Place of the eye, and size of things on the picture. */
export interface Eye {
	readonly x: number;
	readonly y: number;
	readonly z: number;
	/** Tolerated errors that a metre has at a distance of 1 m; with a parallel projection at any distance. */
	readonly errors: number;
	readonly isParallel: boolean;
}

/** Sees full detail. */
export const SHARP_EYE: Eye = { x: 0, y: 0, z: 0, errors: Infinity, isParallel: false };

const place = new Vector3();

/** The eye of a picture that is `height` pixels high and may show errors of `tolerated` pixels. */
export function eyeOf(lens: Camera, height: number, tolerated: number): Eye {
	const { x, y, z } = place.setFromMatrixPosition(lens.matrixWorld);
	const perMetre = (lens.projectionMatrix.elements[5]! * height) / 2;
	// Without tolerance: infinity.
	return { x, y, z, errors: perMetre / tolerated, isParallel: lens instanceof OrthographicCamera };
}

/** Writes the distance from which on an instance of size 1 has each level, the first coarse one first. */
export function distancesOf(errors: readonly number[], eye: Eye, isAside: boolean, out: Float64Array): void {
	for (let at = 0; at < errors.length; at++) out[at] = errors[at]! * eye.errors * (isAside ? ASIDE : 1);
}

/** Level of an instance of a size at a distance: 0 is full detail, the last the coarsest. */
export function levelAt(distances: Float64Array, distance: number, size: number): number {
	let level = 0;
	while (level < distances.length && distance >= distances[level]! * size) level++;
	return level;
}
