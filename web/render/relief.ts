/**
 * Fine relief of surfaces from pictures: bumps, and the shade in hollows.
 * Owns: normals from a picture with any texture coordinates. three's own node uses only the first set of a shape.
 */

import {
	cross,
	dot,
	float,
	inverseSqrt,
	max,
	normalize,
	normalView,
	positionView,
	select,
	vec3,
} from 'three/tsl';
import type { Node } from 'three/webgpu';

/**
 * Returns the normal of a point in view space. `texel` is the normal map at `position`: red tilts along the first
 * coordinate, green along the second. `scale`: height of the bumps along each. The tangents follow from the change of
 * `position` over the screen, after Schüler, "Normal mapping without precomputed tangents" (2006).
 */
export function bumpNormal(texel: Node<'vec3'>, position: Node<'vec2'>, scale: Node<'vec2'>): Node<'vec3'> {
	const tangentX = cross(positionView.dFdy(), normalView);
	const tangentY = cross(normalView, positionView.dFdx());
	const [stepX, stepY] = [position.dFdx(), position.dFdy()];
	const direction = tangentX.mul(stepX.x).add(tangentY.mul(stepY.x)).toVar();
	const up = tangentX.mul(stepX.y).add(tangentY.mul(stepY.y)).toVar();
	const size = max(dot(direction, direction), dot(up, up)).toVar();
	const inverseLength = select(size.equal(0), float(0), inverseSqrt(size));
	const bump = texel.mul(2).sub(1);
	const tilt = direction.mul(bump.x.mul(scale.x)).add(up.mul(bump.y.mul(scale.y)));
	return normalize(tilt.mul(inverseLength).add(vec3(normalView).mul(bump.z)));
}

/** Returns the share of indirect light that reaches a point, from the red of an occlusion picture. */
export const occlusionShare = (texel: Node<'vec4'>, strength: Node<'float'>): Node<'float'> =>
	float(1).sub(float(1).sub(texel.x).mul(strength));
