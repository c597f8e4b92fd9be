/**
 * Quality of pictures: software rendering omits the costly parts.
 * Owns: the settings for a processor and for a GPU, which GET /engine/gpu reports.
 */

import type { GpuInfo } from '../frames/frames.ts';

export type Quality = GpuInfo['quality'];

/** Returns the quality for a processor (`software`) or a GPU. WebGL 2 has too few texture units for cascades. */
export function qualityFor(isSoftware: boolean, backend: GpuInfo['backend'] = 'webgpu'): Quality {
	const quality = qualityOf(isSoftware);
	return backend === 'webgl2' ? { ...quality, shadow_cascades: 1 } : quality;
}

function qualityOf(software: boolean): Quality {
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
				bounce_samples: 8,
				blur_samples: 24,
				shadow_cascades: 2,
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
				bounce_samples: 16,
				blur_samples: 48,
				shadow_cascades: 4,
				particles: 200_000,
			};
}
