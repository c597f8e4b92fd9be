/**
 * How dearly pictures are drawn: what a processor that draws cannot afford is left out by itself.
 * Owns: the two choices, which GET /engine/gpu tells.
 */

import type { GpuInfo } from '../host/frames.ts';

export type Quality = GpuInfo['quality'];

/** What is chosen where a processor draws (`software`), and elsewhere. */
export function qualityFor(software: boolean): Quality {
	return software
		? { software, sun_shadow_pixels: 1024, local_lights: 8, shadow_lights: 1 }
		: { software, sun_shadow_pixels: 2048, local_lights: 32, shadow_lights: 4 };
}
