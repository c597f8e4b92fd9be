/**
 * From light to the bytes of the picture: exposure, an ACES-like curve, saturation, sRGB.
 * Owns: the curve.
 */

import { clamp, dot, Fn, mix, sRGBTransferOETF, vec3 } from 'three/tsl';
import type { Node } from 'three/webgpu';

const EXPOSURE = 0.9;
const SATURATION = 0.86;

/** Linear light to encoded colour, both 0 to 1 and above. */
export const finish = Fn(([light]: [Node<'vec3'>]) => {
	const x = light.mul(EXPOSURE * 0.62);
	const curve = clamp(x.mul(x.mul(2.51).add(0.03)).div(x.mul(x.mul(2.43).add(0.59)).add(0.14)), 0, 1);
	const grey = dot(curve, vec3(0.2126, 0.7152, 0.0722));
	return vec3(sRGBTransferOETF(mix(vec3(grey), curve, SATURATION)) as Node<'vec3'>);
});
