/**
 * Effects on a picture between the light of its surfaces and its final colours.
 * Owns: the settings, the same in calls and in saved worlds, and the presets.
 */

import * as z from 'zod';
import { flag, number } from '../contract/values.ts';

export const postprocessFields = {
	enabled: flag('Applies post-processing; false: shows the rendered colours unchanged'),
	ssao_enabled: flag('Ambient occlusion: darkens corners and creases'),
	ssao_radius: number('Distance within which surfaces shade each other', { unit: 'm', min: 0.01, max: 20 }),
	ssao_intensity: number('Strength of the shading: exponent of the unoccluded share of the light', {
		unit: 'power',
		min: 0,
		max: 10,
	}),
	fxaa_enabled: flag('Smooths edges in the finished picture (FXAA)'),
	bloom_enabled: flag('Bright surfaces glow beyond their edges'),
	bloom_threshold: number(
		'Light above which surfaces glow, after exposure; 1 is about white paint in full light',
		{ unit: 'light', min: 0, max: 1000 },
	),
	exposure: number('Exposure: each 1 doubles the light', { unit: 'EV', min: -16, max: 16 }),
	contrast: number('Contrast around middle grey; 1: unchanged, 0: grey', {
		unit: 'factor',
		min: 0,
		max: 4,
	}),
	saturation: number('Saturation; 1: unchanged, 0: black and white', {
		unit: 'factor',
		min: 0,
		max: 4,
	}),
	temperature: number('Colour temperature: -1 cool and blue, 0 unchanged, 1 warm and orange', {
		min: -1,
		max: 1,
	}),
};

export const postprocessSettings = z.strictObject(postprocessFields);
export type PostprocessSettings = Readonly<z.output<typeof postprocessSettings>>;

/** Settings of post-processing that was only switched on. */
export const USUAL_POSTPROCESS: PostprocessSettings = {
	enabled: true,
	ssao_enabled: true,
	ssao_radius: 0.5,
	ssao_intensity: 1,
	fxaa_enabled: true,
	bloom_enabled: true,
	bloom_threshold: 0.8,
	exposure: 0,
	contrast: 1,
	saturation: 1,
	temperature: 0,
};

/** The presets by name: each the usual settings, but for what is listed. */
export const PRESETS = {
	low: { ssao_enabled: false },
	medium: { ssao_radius: 0.3 },
	high: {},
	ultra: { ssao_intensity: 1.2, contrast: 1.05, saturation: 1.05 },
} as const satisfies Record<string, Partial<PostprocessSettings>>;
export type PresetName = keyof typeof PRESETS;
