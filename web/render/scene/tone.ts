/**
 * Conversion of light to the colours of the picture and back: exposure, an ACES-like curve, saturation, sRGB.
 * Owns: the curve.
 */

import { clamp, dot, Fn, mix, sqrt, sRGBTransferEOTF, sRGBTransferOETF, vec3 } from 'three/tsl';
import type { Node } from 'three/webgpu';

const EXPOSURE = 0.9 * 0.62;
const SATURATION = 0.86;

const greyOf = (color: Node<'vec3'>): Node<'float'> => dot(color, vec3(0.2126, 0.7152, 0.0722));

/** Returns the encoded colour of linear light. */
export const encodeLight = Fn(([light]: [Node<'vec3'>]) => {
	const x = light.mul(EXPOSURE);
	const curve = clamp(x.mul(x.mul(2.51).add(0.03)).div(x.mul(x.mul(2.43).add(0.59)).add(0.14)), 0, 1);
	return vec3(sRGBTransferOETF(mix(vec3(greyOf(curve)), curve, SATURATION)) as Node<'vec3'>);
});

/** Returns the linear light of an encoded colour. The brightest colours stay below white. */
export const decodeColor = Fn(([encoded]: [Node<'vec3'>]) => {
	const linear = vec3(sRGBTransferEOTF(encoded) as Node<'vec3'>).toVar();
	const grey = vec3(greyOf(linear));
	const c = clamp(linear.sub(grey).div(SATURATION).add(grey), 0, 0.95).toVar();
	// Solve the curve for x, a quadratic equation: a x^2 - b x - 0.14 c = 0.
	const a = vec3(2.51).sub(c.mul(2.43)).toVar();
	const b = c.mul(0.59).sub(0.03).toVar();
	return b
		.add(sqrt(b.mul(b).add(a.mul(c).mul(0.56))))
		.div(a.mul(2))
		.div(EXPOSURE);
});
