/**
 * Fine shape of surfaces by pictures: bumps, and the light that hollows keep out.
 * Owns: normals from a picture, on any place of it. three's own node knows only the first place on a shape.
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
 * Returns the normal that a picture gives a point, as the eye sees it. `texel` is read at `place`; red goes along its
 * first number, green along its second. `scale`: height of the bumps along each. The frame of both follows from how
 * places change over the screen, after Schüler, "Normal mapping without precomputed tangents" (2006).
 */
export function bumpy(texel: Node<'vec3'>, position: Node<'vec2'>, scale: Node<'vec2'>): Node<'vec3'> {
	const acrossX = cross(positionView.dFdy(), normalView);
	const acrossY = cross(normalView, positionView.dFdx());
	const [stepX, stepY] = [position.dFdx(), position.dFdy()];
	const direction = acrossX.mul(stepX.x).add(acrossY.mul(stepY.x)).toVar();
	const up = acrossX.mul(stepX.y).add(acrossY.mul(stepY.y)).toVar();
	const size = max(dot(direction, direction), dot(up, up)).toVar();
	const even = select(size.equal(0), float(0), inverseSqrt(size));
	const bump = texel.mul(2).sub(1);
	const tilt = direction.mul(bump.x.mul(scale.x)).add(up.mul(bump.y.mul(scale.y)));
	return normalize(tilt.mul(even).add(vec3(normalView).mul(bump.z)));
}

/** Returns the share of indirect light that reaches a point, as the red of a picture says. */
export const unshut = (texel: Node<'vec4'>, strength: Node<'float'>): Node<'float'> =>
	float(1).sub(float(1).sub(texel.x).mul(strength));
