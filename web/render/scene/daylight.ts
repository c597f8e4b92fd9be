/**
 * Light of a world: the default light, the light at an hour of the day, or the light of a sun that is an
 * entity.
 * Owns: the colours of the day, computed from settings alone. Never: touches a light.
 */

import type { Vector } from '../../../shared/contract/vector.ts';
import { sunAt } from '../../../shared/documents/sky.ts';
import type { FrameLight, FrameSky } from '../../frames/frames.ts';

export interface Daylight {
	/** Direction towards the sun or moon: a unit vector. */
	readonly direction: Vector;
	/** Linear light of the sun or moon. */
	readonly sun: Vector;
	/** Linear light of the upper half of the sky. */
	readonly fromAbove: Vector;
	/** Linear light of the lower half of the sky. */
	readonly fromBelow: Vector;
	readonly shadows: boolean;
	/** Colours of the visible sky, linear; null for the dark backdrop. */
	readonly sky: SkyColors | null;
}

export interface SkyColors {
	readonly zenith: Vector;
	/** Colour of the horizon below the sun. */
	readonly horizon: Vector;
	/** Colour of the horizon opposite the sun. */
	readonly opposite: Vector;
	readonly ground: Vector;
	/** Rate at which the colour changes from the horizon upwards. */
	readonly rise: number;
	/** Light of the glow around the sun. */
	readonly glow: Vector;
	/** Light of the glow around the moon. */
	readonly moonGlow: Vector;
	/** Light of the sun's disc; zero when it is below the horizon. */
	readonly sunDisc: Vector;
	/** Light of the full moon's disc; zero when it is below the horizon. */
	readonly moonDisc: Vector;
	/** Direction towards the sun, also when it is below the horizon: a unit vector. */
	readonly sunward: Vector;
	/** Direction towards the moon, also when it is below the horizon: a unit vector. */
	readonly moonward: Vector;
	/** Brightness of the stars, 0 by day. */
	readonly stars: number;
	/** Light on clouds from the sun or the moon. */
	readonly cloudSun: Vector;
	/** Light on clouds from all directions. */
	readonly cloudShade: Vector;
}

/** Altitude of the default light, which comes from the left (radians). */
const ALTITUDE = (41 * Math.PI) / 180;
const DEFAULT_LIGHT: Daylight = {
	direction: normalise([-0.88 * Math.cos(ALTITUDE), Math.sin(ALTITUDE), 0.475 * Math.cos(ALTITUDE)]),
	sun: [2.25, 1.86, 1.36],
	fromAbove: [0.62, 0.67, 0.78],
	fromBelow: [0.5, 0.46, 0.35],
	shadows: true,
	sky: null,
};

/**
 * The day by the height of the sun (sine of its altitude): light of the sun, colour overhead, colour at the
 * horizon.
 */
const DAY: readonly (readonly [height: number, sun: Vector, zenith: Vector, horizon: Vector])[] = [
	[-0.3, [0, 0, 0], [0.006, 0.011, 0.032], [0.014, 0.022, 0.05]],
	[-0.1, [0, 0, 0], [0.026, 0.043, 0.12], [0.16, 0.1, 0.13]],
	[-0.02, [0.6, 0.22, 0.08], [0.07, 0.11, 0.26], [0.6, 0.27, 0.16]],
	[0.06, [1.7, 0.78, 0.32], [0.14, 0.23, 0.47], [0.95, 0.5, 0.24]],
	[0.2, [2.2, 1.5, 0.92], [0.2, 0.37, 0.7], [0.86, 0.76, 0.6]],
	[0.6, [2.3, 2.0, 1.62], [0.18, 0.4, 0.82], [0.66, 0.78, 0.9]],
	[1, [2.35, 2.1, 1.8], [0.16, 0.38, 0.82], [0.62, 0.77, 0.92]],
];
/** Light of the full moon at its highest. */
const MOONLIGHT: Vector = [0.08, 0.11, 0.19];
/** Share of the sky's light that the ground reflects. */
const GROUND_ALBEDO: Vector = [0.42, 0.37, 0.28];
/** Brightness of the sun's disc, as a multiple of its light on surfaces. */
const SUN_DISC = 6;
const MOON_DISC: Vector = [1.05, 1.02, 0.94];
/** Colour added to the horizon opposite a low sun. */
const DUSK: Vector = [0.12, 0.08, 0.14];
const GREY: Vector = [1, 1, 1];
/** Share of the sun's light that an overcast sky absorbs. */
const OVERCAST = 0.7;
/** Maximum factor by which samples of the sky are raised to the minimum light of nights. */
const MAX_GAIN = 3;
/** Rates at which the sky's colour changes with height by day and at dusk. */
const DAY_RISE = 2.4;
const DUSK_RISE = 5;
/** Rate at which the haze in front of the ground decreases below the horizon. */
export const GROUND_FALL = 6;
/** Offset of the sun's height for clouds (sine of its altitude). */
const CLOUD_SUN_OFFSET = 0.05;
/** Minimum light of nights, so that something is visible. */
const MIN_NIGHT_LIGHT: Vector = [0.02, 0.026, 0.046];

/** Computes the light of a sky. `sun`: entity that replaces the sun of the sky, or null. */
export function daylight(sky: FrameSky, sun: FrameLight | null): Daylight {
	const natural = sky.time_of_day === null ? DEFAULT_LIGHT : lightAtHour(sky, sky.time_of_day);
	const { sun_intensity, ambient_intensity } = sky;
	const light = {
		...natural,
		...(sun === null ? {} : lightOfEntity(sun)),
		fromAbove: scale(natural.fromAbove, ambient_intensity),
		fromBelow: scale(natural.fromBelow, ambient_intensity),
	};
	if (sun !== null && light.sky !== null) {
		const skyColors = {
			...light.sky,
			sunward: light.direction,
			sunDisc: scale(light.sun, SUN_DISC),
			cloudSun: light.sun,
		};
		return { ...light, sky: skyColors, sun: scale(light.sun, sun_intensity) };
	}
	return { ...light, sun: scale(light.sun, sun_intensity) };
}

/** Real spherical harmonics of three bands, in the order of three.js. */
const BANDS: readonly ((x: number, y: number, z: number) => number)[] = [
	() => 0.282095,
	(_x, y) => 0.488603 * y,
	(_x, _y, z) => 0.488603 * z,
	(x) => 0.488603 * x,
	(x, y) => 1.092548 * x * y,
	(_x, y, z) => 1.092548 * y * z,
	(_x, _y, z) => 0.315392 * (3 * z * z - 1),
	(x, _y, z) => 1.092548 * x * z,
	(x, y) => 0.546274 * (x * x - y * y),
];

/** Directions spread evenly over a sphere. */
const DIRECTIONS = Array.from({ length: 200 }, (_, i): Vector => {
	const y = 1 - (2 * i + 1) / 200;
	const radius = Math.sqrt(1 - y * y);
	const angle = i * Math.PI * (3 - Math.sqrt(5));
	return [Math.cos(angle) * radius, y, Math.sin(angle) * radius];
});

/**
 * Computes ambient light: the visible sky and ground, projected on nine spherical harmonics. Surfaces that
 * face straight up or down get exactly `fromAbove` and `fromBelow`. Others are lit by their side of the sky, warm
 * near a low sun.
 */
export function ambience({ fromAbove, fromBelow, sky }: Daylight): Vector[] {
	const coefficients: Vector[] = BANDS.map(() => [0, 0, 0]);
	if (sky !== null) {
		const gain = brightness(fromAbove) / brightness(mix(sky.zenith, sky.horizon, 0.45));
		const weight = (Math.min(gain, MAX_GAIN) * 4 * Math.PI) / DIRECTIONS.length;
		for (const direction of DIRECTIONS) {
			const light = scale(radiance(sky, direction), weight);
			for (const [i, band] of BANDS.entries())
				coefficients[i] = add(coefficients[i]!, scale(light, band(...direction)));
		}
	}
	// The factors of three.js for irradiance; straight up and down only harmonics 0, 1, 6 and 8 count.
	const otherBands = add(scale(coefficients[6]!, -0.247708), scale(coefficients[8]!, -0.429043));
	const mean = scale(add(fromAbove, fromBelow), Math.PI / 2);
	coefficients[0] = scale(add(mean, scale(otherBands, -1)), 1 / 0.886227);
	coefficients[1] = scale(add(fromAbove, scale(fromBelow, -1)), Math.PI / 2 / (2 * 0.511664));
	return coefficients;
}

/**
 * Returns the light of sky or ground from a direction, without discs, stars and clouds. `SkyDome` draws the
 * same light.
 */
export function radiance(sky: SkyColors, direction: Vector): Vector {
	const { zenith, horizon, opposite, ground, rise, sunward, glow } = sky;
	const up = direction[1];
	const length = Math.hypot(sunward[0], sunward[2]);
	const cosine = length < 1e-4 ? 0 : (direction[0] * sunward[0] + direction[2] * sunward[2]) / length;
	const horizonColor = mix(opposite, horizon, (0.5 + 0.5 * cosine) ** 1.5);
	const sunCosine = Math.max(0, direction[0] * sunward[0] + up * sunward[1] + direction[2] * sunward[2]);
	const halo = scale(glow, sunCosine ** 6 * 0.35);
	const haze = Math.exp(Math.min(0, up) * GROUND_FALL);
	if (up < 0) return add(mix(ground, horizonColor, haze), scale(halo, haze));
	const height = (1 - Math.exp(-rise * up)) / (1 - Math.exp(-rise));
	return add(mix(horizonColor, zenith, height), halo);
}

function lightOfEntity({ direction, color, intensity, shadows }: FrameLight): Partial<Daylight> {
	const linear = color.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
	return {
		direction: normalise(scale(direction, -1)),
		sun: scale(linear as unknown as Vector, intensity),
		shadows,
	};
}

function lightAtHour(sky: FrameSky, hour: number): Daylight {
	const sunward = sunAt(hour);
	const height = sunward[1];
	const [sun, zenithOfDay, horizonOfDay] = dayAt(height);
	const haze = (sky.turbidity - 2.5) / 7.5;
	const zenith = sky.zenith_color ?? mix(zenithOfDay, horizonOfDay, Math.max(-0.1, haze * 0.5));
	const horizon = sky.horizon_color ?? horizonOfDay;
	const ground = sky.ground_color ?? multiply(horizon, GROUND_ALBEDO);
	const overcast = ramp(0.5, 1, sky.clouds) ** 2;
	const openSky = add(mix(zenith, horizon, 0.45), MIN_NIGHT_LIGHT);
	const isNight = height < -0.06;
	const moonlight = scale(MOONLIGHT, (1 - Math.cos(sky.moon_phase * 2 * Math.PI)) / 2);
	const mainLight = isNight ? scale(moonlight, Math.min(1, -height * 2)) : sun;
	const moonward = scale(sunward, -1);
	const dusk = ramp(-0.3, -0.06, height) * (1 - ramp(0.02, 0.5, height));
	// After sunset, the sun still lights the upper air.
	const sunAtClouds = dayAt(height + CLOUD_SUN_OFFSET)[0];
	const glow = scale(mix(sun, sunAtClouds, dusk), 0.25 + 0.15 * haze + 0.12 * dusk);
	const fromAbove = mix(openSky, scale(GREY, brightness(openSky)), 0.6 * overcast);
	return {
		direction: isNight ? moonward : sunward,
		sun: scale(mainLight, 1 - OVERCAST * overcast),
		fromAbove,
		fromBelow: add(scale(ground, 0.8), scale(MIN_NIGHT_LIGHT, 0.5)),
		shadows: true,
		sky: {
			zenith,
			horizon,
			opposite: sky.horizon_color ?? mix(horizon, add(scale(zenith, 0.9), DUSK), 0.8 * dusk),
			ground,
			rise: DAY_RISE + (DUSK_RISE - DAY_RISE) * dusk,
			glow,
			moonGlow: scale(moonlight, 0.7 * ramp(0.06, -0.2, height)),
			sunward,
			moonward,
			sunDisc: scale(isNight ? [0, 0, 0] : sun, SUN_DISC),
			moonDisc: scale(MOON_DISC, ramp(0.06, -0.2, height)),
			stars: sky.stars * ramp(-0.06, -0.3, height),
			cloudSun: add(sunAtClouds, scale(moonlight, ramp(0, -0.2, height))),
			cloudShade: fromAbove,
		},
	};
}

function dayAt(height: number): readonly [Vector, Vector, Vector] {
	const nextIndex = DAY.findIndex(([at]) => at >= height);
	const [next, previous] = [DAY[Math.max(0, nextIndex)]!, DAY[Math.max(0, nextIndex - 1)]!];
	const share = next[0] === previous[0] ? 0 : (height - previous[0]) / (next[0] - previous[0]);
	return [1, 2, 3].map((part) => mix(previous[part] as Vector, next[part] as Vector, share)) as [
		Vector,
		Vector,
		Vector,
	];
}

/** Returns 0 at `from`, 1 at `to`, and smooth values between them; `to` may be less than `from`. */
function ramp(from: number, to: number, value: number): number {
	const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
	return share * share * (3 - 2 * share);
}
function brightness([red, green, blue]: Vector): number {
	return red * 0.2126 + green * 0.7152 + blue * 0.0722;
}
function mapAxes(valueAt: (axis: 0 | 1 | 2) => number): Vector {
	return [valueAt(0), valueAt(1), valueAt(2)];
}
function scale(v: Vector, factor: number): Vector {
	return mapAxes((i) => v[i] * factor);
}
function add(a: Vector, b: Vector): Vector {
	return mapAxes((i) => a[i] + b[i]);
}
function multiply(a: Vector, b: Vector): Vector {
	return mapAxes((i) => a[i] * b[i]);
}
function mix(a: Vector, b: Vector, share: number): Vector {
	return mapAxes((i) => a[i] + (b[i] - a[i]) * share);
}
function normalise(v: Vector): Vector {
	return scale(v, 1 / Math.hypot(...v));
}
