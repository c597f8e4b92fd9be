/**
 * Light of a world: the default light, the light at an hour of the day, or the light of a sun that is an entity.
 * Owns: the colours of the day, computed from settings alone. Never: touches a light.
 */

import type { Vector } from '../../../shared/contract/vector.ts';
import { sunAt } from '../../../shared/documents/sky.ts';
import type { FrameLight, FrameSky } from '../../frames/frames.ts';

export interface Daylight {
	/** Direction towards the sun or moon: a unit vector. */
	readonly towards: Vector;
	/** Linear light of the sun or moon. */
	readonly sun: Vector;
	/** Linear light of the upper half of the sky. */
	readonly above: Vector;
	/** Linear light of the lower half of the sky. */
	readonly below: Vector;
	readonly shadows: boolean;
	/** Colours of the visible sky, linear; null for the dark backdrop. */
	readonly seen: Seen | null;
}

export interface Seen {
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

/** Altitude of the default light (rad), which comes from the left. */
const ALTITUDE = (41 * Math.PI) / 180;
const TABLE: Daylight = {
	towards: unit([-0.88 * Math.cos(ALTITUDE), Math.sin(ALTITUDE), 0.475 * Math.cos(ALTITUDE)]),
	sun: [2.25, 1.86, 1.36],
	above: [0.62, 0.67, 0.78],
	below: [0.5, 0.46, 0.35],
	shadows: true,
	seen: null,
};

/** The day by the height of the sun (sine of its altitude): light of the sun, colour overhead, colour at the horizon. */
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
const MOON: Vector = [0.08, 0.11, 0.19];
/** Share of the sky's light that the ground reflects. */
const EARTH: Vector = [0.42, 0.37, 0.28];
/** Brightness of the sun's disc, as a multiple of its light on surfaces. */
const SUN_DISC = 6;
const MOON_DISC: Vector = [1.05, 1.02, 0.94];
/** Colour added to the horizon opposite a low sun. */
const DUSK: Vector = [0.12, 0.08, 0.14];
const GREY: Vector = [1, 1, 1];
/** Share of the sun's light that an overcast sky takes. */
const OVERCAST = 0.7;
/** Factor by which the samples of the sky may be raised to the light that a night has at least. */
const MAX_LEVEL = 3;
/** Rates at which the sky's colour changes with height by day and at dusk. */
const DAY_RISE = 2.4;
const DUSK_RISE = 5;
/** Rate at which the ground comes out of the haze below the horizon. */
export const GROUND_FALL = 6;
/** Height that is added to the sun for clouds (sine of its altitude). */
const CLOUD_LIFT = 0.05;
/** Minimum light of nights, so that something is visible. */
const LEAST: Vector = [0.02, 0.026, 0.046];

/** Computes the light of a sky. `sun`: entity that replaces the sun of the sky, or null. */
export function daylight(sky: FrameSky, sun: FrameLight | null): Daylight {
	const natural = sky.time_of_day === null ? TABLE : ofHour(sky, sky.time_of_day);
	const { sun_intensity, ambient_intensity } = sky;
	const lit = {
		...natural,
		...(sun === null ? {} : ofEntity(sun)),
		above: scaled(natural.above, ambient_intensity),
		below: scaled(natural.below, ambient_intensity),
	};
	if (sun !== null && lit.seen !== null) {
		const seen = { ...lit.seen, sunward: lit.towards, sunDisc: scaled(lit.sun, SUN_DISC), cloudSun: lit.sun };
		return { ...lit, seen, sun: scaled(lit.sun, sun_intensity) };
	}
	return { ...lit, sun: scaled(lit.sun, sun_intensity) };
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
	const flat = Math.sqrt(1 - y * y);
	const angle = i * Math.PI * (3 - Math.sqrt(5));
	return [Math.cos(angle) * flat, y, Math.sin(angle) * flat];
});

/**
 * Computes ambient light: the visible sky and ground, projected on nine spherical harmonics. Surfaces that face straight
 * up or down get exactly `above` and `below`. Others are lit by their side of the sky, warm near a low sun.
 */
export function ambience({ above, below, seen }: Daylight): Vector[] {
	const found: Vector[] = BANDS.map(() => [0, 0, 0]);
	if (seen !== null) {
		const level = brightness(above) / brightness(mixed(seen.zenith, seen.horizon, 0.45));
		const weight = (Math.min(level, MAX_LEVEL) * 4 * Math.PI) / DIRECTIONS.length;
		for (const direction of DIRECTIONS) {
			const light = scaled(radiance(seen, direction), weight);
			for (const [i, band] of BANDS.entries()) found[i] = plus(found[i]!, scaled(light, band(...direction)));
		}
	}
	// The factors of three.js for irradiance; straight up and down only harmonics 0, 1, 6 and 8 count.
	const others = plus(scaled(found[6]!, -0.247708), scaled(found[8]!, -0.429043));
	const even = scaled(plus(above, below), Math.PI / 2);
	found[0] = scaled(plus(even, scaled(others, -1)), 1 / 0.886227);
	found[1] = scaled(plus(above, scaled(below, -1)), Math.PI / 2 / (2 * 0.511664));
	return found;
}

/** Returns the light of sky or ground from a direction, without discs, stars and clouds; `SkyDome` draws the same. */
export function radiance(seen: Seen, direction: Vector): Vector {
	const { zenith, horizon, opposite, ground, rise, sunward, glow } = seen;
	const up = direction[1];
	const length = Math.hypot(sunward[0], sunward[2]);
	const side = length < 1e-4 ? 0 : (direction[0] * sunward[0] + direction[2] * sunward[2]) / length;
	const low = mixed(opposite, horizon, (0.5 + 0.5 * side) ** 1.5);
	const near = Math.max(0, direction[0] * sunward[0] + up * sunward[1] + direction[2] * sunward[2]);
	const halo = scaled(glow, near ** 6 * 0.35);
	const clear = Math.exp(Math.min(0, up) * GROUND_FALL);
	if (up < 0) return plus(mixed(ground, low, clear), scaled(halo, clear));
	const high = (1 - Math.exp(-rise * up)) / (1 - Math.exp(-rise));
	return plus(mixed(low, zenith, high), halo);
}

function ofEntity({ direction, color, intensity, shadows }: FrameLight): Partial<Daylight> {
	const linear = color.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
	return {
		towards: unit(scaled(direction, -1)),
		sun: scaled(linear as unknown as Vector, intensity),
		shadows,
	};
}

function ofHour(sky: FrameSky, hour: number): Daylight {
	const sunward = sunAt(hour);
	const height = sunward[1];
	const [sun, high, low] = between(height);
	const haze = (sky.turbidity - 2.5) / 7.5;
	const zenith = sky.zenith_color ?? mixed(high, low, Math.max(-0.1, haze * 0.5));
	const horizon = sky.horizon_color ?? low;
	const ground = sky.ground_color ?? times(horizon, EARTH);
	const dull = ramp(0.5, 1, sky.clouds) ** 2;
	const open = plus(mixed(zenith, horizon, 0.45), LEAST);
	const night = height < -0.06;
	const moonlight = scaled(MOON, (1 - Math.cos(sky.moon_phase * 2 * Math.PI)) / 2);
	const main = night ? scaled(moonlight, Math.min(1, -height * 2)) : sun;
	const moonward = scaled(sunward, -1);
	const dusk = ramp(-0.3, -0.06, height) * (1 - ramp(0.02, 0.5, height));
	// After sunset the air above is still lit.
	const aloft = between(height + CLOUD_LIFT)[0];
	const glow = scaled(mixed(sun, aloft, dusk), 0.25 + 0.15 * haze + 0.12 * dusk);
	const above = mixed(open, scaled(GREY, brightness(open)), 0.6 * dull);
	return {
		towards: night ? moonward : sunward,
		sun: scaled(main, 1 - OVERCAST * dull),
		above,
		below: plus(scaled(ground, 0.8), scaled(LEAST, 0.5)),
		shadows: true,
		seen: {
			zenith,
			horizon,
			opposite: sky.horizon_color ?? mixed(horizon, plus(scaled(zenith, 0.9), DUSK), 0.8 * dusk),
			ground,
			rise: DAY_RISE + (DUSK_RISE - DAY_RISE) * dusk,
			glow,
			moonGlow: scaled(moonlight, 0.7 * ramp(0.06, -0.2, height)),
			sunward,
			moonward,
			sunDisc: scaled(night ? [0, 0, 0] : sun, SUN_DISC),
			moonDisc: scaled(MOON_DISC, ramp(0.06, -0.2, height)),
			stars: sky.stars * ramp(-0.06, -0.3, height),
			cloudSun: plus(aloft, scaled(moonlight, ramp(0, -0.2, height))),
			cloudShade: above,
		},
	};
}

function between(height: number): readonly [Vector, Vector, Vector] {
	const after = DAY.findIndex(([at]) => at >= height);
	const [next, last] = [DAY[Math.max(0, after)]!, DAY[Math.max(0, after - 1)]!];
	const share = next[0] === last[0] ? 0 : (height - last[0]) / (next[0] - last[0]);
	return [1, 2, 3].map((part) => mixed(last[part] as Vector, next[part] as Vector, share)) as [
		Vector,
		Vector,
		Vector,
	];
}

/** Returns 0 at `from`, 1 at `to`, and smooth values between them; `to` may be less than `from`. */
function ramp(from: number, to: number, at: number): number {
	const share = Math.min(1, Math.max(0, (at - from) / (to - from)));
	return share * share * (3 - 2 * share);
}
function brightness([red, green, blue]: Vector): number {
	return red * 0.2126 + green * 0.7152 + blue * 0.0722;
}
function each(run: (axis: 0 | 1 | 2) => number): Vector {
	return [run(0), run(1), run(2)];
}
function scaled(v: Vector, by: number): Vector {
	return each((i) => v[i] * by);
}
function plus(a: Vector, b: Vector): Vector {
	return each((i) => a[i] + b[i]);
}
function times(a: Vector, b: Vector): Vector {
	return each((i) => a[i] * b[i]);
}
function mixed(a: Vector, b: Vector, share: number): Vector {
	return each((i) => a[i] + (b[i] - a[i]) * share);
}
function unit(v: Vector): Vector {
	return scaled(v, 1 / Math.hypot(...v));
}
