/**
 * Quality of pictures: a processor that draws leaves out the costly parts.
 * Owns: the two choices, which GET /engine/gpu reports.
 */

import type { GpuInfo } from '../frames/frames.ts';

export type Quality = GpuInfo['quality'];

/** Returns the quality for drawing by a processor (`software`), or by a GPU. */
export function qualityFor(software: boolean): Quality {
	return software
		? {
				software,
				sun_shadow_pixels: 1024,
				local_lights: 8,
				shadow_lights: 1,
				grass_distance: 60,
				terrain_pixels: 12,
				occlusion_samples: 8,
				occlusion_scale: 0.5,
				bloom_scale: 0.25,
				particles: 20_000,
			}
		: {
				software,
				sun_shadow_pixels: 2048,
				local_lights: 32,
				shadow_lights: 4,
				grass_distance: 1000,
				terrain_pixels: 7,
				occlusion_samples: 16,
				occlusion_scale: 1,
				bloom_scale: 0.5,
				particles: 200_000,
			};
}
