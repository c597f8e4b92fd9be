/** Vectors and rotations in space, as three and four numbers. */

export type Vector = readonly [x: number, y: number, z: number];
/** A unit quaternion. */
export type Rotation = readonly [x: number, y: number, z: number, w: number];
