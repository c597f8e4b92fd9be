/**
 * Settings of post-processing: effects applied to a rendered picture.
 * Owns: the settings, in calls and in saved worlds, and the presets.
 */

import * as z from 'zod';
import { flag, integer, number } from '../contract/values.ts';

const firstFields = {
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

/** Fields that worlds of older versions do not contain. */
const laterFields = {
	light_shafts_enabled: flag('Shafts of light around the sun or the moon, where things stand before it'),
	light_shafts_intensity: number('Strength of the light shafts', { unit: 'factor', min: 0, max: 10 }),
	bounce_enabled: flag('Bounced light: lit surfaces colour the surfaces near them'),
	bounce_intensity: number('Strength of the bounced light', { unit: 'factor', min: 0, max: 10 }),
	bounce_radius: number('Distance that bounced light reaches', { unit: 'm', min: 0.05, max: 50 }),
	depth_of_field_enabled: flag('Depth of field: blurs what is nearer or farther than the focus'),
	focus_distance: number('Distance of the focus; 0: the point that the camera looks at', {
		unit: 'm',
		min: 0,
		max: 1e5,
	}),
	focus_range: number('Distance from the focus at which the blur is strongest', {
		unit: 'm',
		min: 0.01,
		max: 1e5,
	}),
	blur_size: number('Radius of the strongest blur, in percent of the height of the picture', {
		unit: '%',
		min: 0,
		max: 5,
	}),
	shadow_cascades: integer(
		'Shadow maps of the sun, each for another distance from the camera; 1: one for all. WebGL 2 and parallel projection always have 1',
		{ min: 1, max: 4 },
	),
	model_error: number(
		'Models are drawn with fewer triangles where that changes the picture by no more than this; 0: always in full detail',
		{ unit: 'px', min: 0, max: 64 },
	),
};

export const postprocessFields = { ...firstFields, ...laterFields };
export type PostprocessSettings = Readonly<z.output<z.ZodObject<typeof postprocessFields>>>;

/** Settings as worlds store them. */
export const storedPostprocess = z.strictObject({ ...firstFields, ...z.object(laterFields).partial().shape });
export type StoredPostprocess = Readonly<z.output<typeof storedPostprocess>>;

/** Stored settings after post-processing is first enabled. */
export const INITIAL_POSTPROCESS: StoredPostprocess = {
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

const LATER_DEFAULTS: Omit<PostprocessSettings, keyof typeof firstFields> = {
	light_shafts_enabled: false,
	light_shafts_intensity: 1,
	bounce_enabled: false,
	bounce_intensity: 1,
	bounce_radius: 2,
	depth_of_field_enabled: false,
	focus_distance: 0,
	focus_range: 20,
	blur_size: 0.8,
	shadow_cascades: 1,
	model_error: 1,
};

/** Adds defaults for fields that a world does not store. */
export const fillPostprocess = (stored: StoredPostprocess): PostprocessSettings =>
	({ ...LATER_DEFAULTS, ...stored }) as PostprocessSettings;

export const DEFAULT_POSTPROCESS: PostprocessSettings = fillPostprocess(INITIAL_POSTPROCESS);

/** For each flag, the fields that have no effect without it. */
export const DEPENDENT_FIELDS = {
	ssao_enabled: ['ssao_radius', 'ssao_intensity'],
	bloom_enabled: ['bloom_threshold'],
	light_shafts_enabled: ['light_shafts_intensity'],
	bounce_enabled: ['bounce_intensity', 'bounce_radius'],
	depth_of_field_enabled: ['focus_distance', 'focus_range', 'blur_size'],
} as const satisfies Partial<Record<keyof PostprocessSettings, readonly (keyof PostprocessSettings)[]>>;

/** Presets by name, the cheapest first. Each lists its differences from the defaults. */
export const PRESETS = {
	low: { ssao_enabled: false, model_error: 2 },
	medium: { ssao_radius: 0.3 },
	high: { light_shafts_enabled: true, shadow_cascades: 2 },
	ultra: {
		ssao_intensity: 1.2,
		light_shafts_enabled: true,
		bounce_enabled: true,
		shadow_cascades: 3,
		model_error: 0.5,
		contrast: 1.05,
		saturation: 1.05,
	},
} as const satisfies Record<string, Partial<PostprocessSettings>>;
export type PresetName = keyof typeof PRESETS;
export const PRESET_NAMES = ['low', 'medium', 'high', 'ultra'] as const satisfies readonly PresetName[];
