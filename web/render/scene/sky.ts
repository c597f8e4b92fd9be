/**
 * The backdrop: ink, a little lighter towards the bottom, with a faint glow behind the plate.
 * Owns: the background node. Never: lights anything.
 */

import { float, mix, screenUV, smoothstep, vec2, vec3, vec4 } from 'three/tsl';
import { Color, type Node } from 'three/webgpu';
import { BACKDROP_LOW, BACKDROP_TOP } from '../palette.ts';

/** The colour behind everything, already encoded for the screen. */
export function backdrop(): Node<'vec4'> {
	const top = encoded(BACKDROP_TOP);
	const low = encoded(BACKDROP_LOW);
	const middle = screenUV.sub(vec2(0.5, 0.55)).length();
	const glow = float(1)
		.sub(smoothstep(0.1, 0.8, middle))
		.mul(0.35);
	const fall = smoothstep(0, 1.1, screenUV.y);
	return vec4(mix(top, low, fall.mul(0.65).add(glow)), 1);
}

function encoded(hex: number): Node<'vec3'> {
	const color = new Color().setHex(hex, '');
	return vec3(color.r, color.g, color.b);
}
