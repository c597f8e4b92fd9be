/**
 * The sky and the fog.
 * Owns: their settings, which are the same in calls and saved worlds, and the direction of the sun at an hour.
 */

import * as z from 'zod';
import { flag, integer, number } from '../contract/values.ts';

const light = z.number().min(0).max(1000);
const color = (description: string) =>
	z
		.tuple([light, light, light])
		.describe(`${description} [r, g, b], linear, 1 is white`)
		.meta({ unit: 'factor' });

const lightFields = {
	time_of_day: number(
		'Hour of the day, which sets the sun and the colours of the sky; null: studio light with a dark backdrop',
		{ unit: 'h', min: 0, max: 24 },
	).nullable(),
	turbidity: number('Haze: 1 mountain air, 10 a hazy day', { min: 1, max: 10 }),
	zenith_color: color("Colour overhead, instead of the hour's").nullable(),
	horizon_color: color("Colour at the horizon, instead of the hour's").nullable(),
	ground_color: color("Colour below the horizon, instead of the hour's").nullable(),
	sun_intensity: number('Light of the sun, as a factor', { unit: 'factor', min: 0, max: 100 }),
	ambient_intensity: number('Light of the sky, as a factor', { unit: 'factor', min: 0, max: 100 }),
	plate: flag('Draws the round plate below the world'),
};

/** Fields about clouds, stars and the moon. */
const cloudAndStarFields = {
	clouds: number('Share of the sky that clouds cover', { unit: 'share', min: 0, max: 1 }),
	stars: number('Brightness of the stars at night, as a factor', { unit: 'factor', min: 0, max: 10 }),
	moon_phase: number('Phase of the moon: 0 and 1 new, 0.5 full, 0.25 and 0.75 half', { min: 0, max: 1 }),
	cloud_height: number('Height of the lower clouds', { unit: 'm', min: 50, max: 20_000 }),
	cloud_seed: integer('Number that chooses the shapes of the clouds', { max: 0xffff }),
	wind_speed: number('Speed of the clouds', { unit: 'm/s', min: 0, max: 200 }),
	wind_direction: number('Direction in which the clouds move: 0 along +x, 90 along +z', {
		unit: 'deg',
		min: 0,
		max: 360,
	}),
};

export const skyFields = { ...lightFields, ...cloudAndStarFields };
export type SkySettings = Readonly<z.output<z.ZodObject<typeof skyFields>>>;

/** Settings in worlds. Fields about clouds, stars and the moon are missing until a call sets them, as in older worlds. */
export const storedSky = z.strictObject({ ...lightFields, ...z.object(cloudAndStarFields).partial().shape });
export type StoredSky = Readonly<z.output<typeof storedSky>>;

const DEFAULT_CLOUDS_AND_STARS: Omit<SkySettings, keyof typeof lightFields> = {
	clouds: 0.35,
	stars: 1,
	moon_phase: 0.5,
	cloud_height: 900,
	cloud_seed: 0,
	wind_speed: 9,
	wind_direction: 20,
};

/** Stored sky of a new world. */
export const FRESH_SKY: StoredSky = {
	time_of_day: null,
	turbidity: 2.5,
	zenith_color: null,
	horizon_color: null,
	ground_color: null,
	sun_intensity: 1,
	ambient_intensity: 1,
	plate: true,
};

/** Adds the defaults of fields that a world does not store. */
export const fillSky = (stored: StoredSky): SkySettings =>
	({ ...DEFAULT_CLOUDS_AND_STARS, ...stored }) as SkySettings;

export const DEFAULT_SKY: SkySettings = fillSky(FRESH_SKY);

/** Fields that have no effect without a time of day. */
export const HOUR_FIELDS = [
	'turbidity',
	'zenith_color',
	'horizon_color',
	'ground_color',
	...(Object.keys(cloudAndStarFields) as (keyof typeof cloudAndStarFields)[]),
] as const;
/** Fields that have no effect without clouds. */
export const CLOUD_FIELDS = ['cloud_height', 'cloud_seed', 'wind_speed', 'wind_direction'] as const;

/** Angle by which the sun's path leans from overhead (rad). */
export const SUN_LEAN = (38 * Math.PI) / 180;

/**
 * Returns the unit vector towards the sun at an hour. The sun rises along +x at 6, is highest towards +z at 12, and sets
 * along -x at 18.
 */
export function sunAt(hour: number): readonly [number, number, number] {
	const angle = ((hour - 6) / 12) * Math.PI;
	const up = Math.sin(angle);
	return [Math.cos(angle), up * Math.cos(SUN_LEAN), up * Math.sin(SUN_LEAN)];
}

export const fogFields = {
	enabled: flag('Shows fog'),
	density: number('Amount in a metre of air at height 0', { unit: '1/m', min: 0, max: 100 }),
	scattering: number('Share of the light it scatters; more is brighter', { min: 0, max: 100 }),
	absorption: number('Share of the light it absorbs; more is darker', { min: 0, max: 100 }),
	height_falloff: number('Decrease with height: by a factor e per 1/height_falloff metres', {
		unit: '1/m',
		min: 0,
		max: 100,
	}),
	max_distance: number('Distance from the camera beyond which it does not thicken', {
		unit: 'm',
		min: 0,
		max: 1e5,
	}),
	color: color('Colour of the light it scatters'),
	light_contribution: number('Share of sunlight in that light', { unit: 'factor', min: 0, max: 100 }),
};

export const fogSettings = z.strictObject(fogFields);
export type FogSettings = Readonly<z.output<typeof fogSettings>>;

/** Settings of fog that is switched on without other settings. */
export const DEFAULT_FOG: FogSettings = {
	enabled: true,
	density: 0.02,
	scattering: 0.5,
	absorption: 0.1,
	height_falloff: 0.1,
	max_distance: 100,
	color: [1, 1, 1],
	light_contribution: 1,
};
