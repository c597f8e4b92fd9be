/**
 * Light of a world: that of the table, of an hour of the day, or of a sun which is an entity.
 * Owns: the colours of the day, worked out of settings alone. Never: touches a light.
 */

import type { Vector } from '../../../shared/contract/vector.ts';
import { sunAt } from '../../../shared/documents/sky.ts';
import type { FrameLight, FrameSky } from '../../frames/frames.ts';

export interface Daylight {
	/** Towards what lights the world: a unit vector. */
	readonly towards: Vector;
	/** Its light, and that of the upper and the lower half of the sky; linear. */
	readonly sun: Vector;
	readonly above: Vector;
	readonly below: Vector;
	readonly shadows: boolean;
	/** Colours of the visible sky, linear; null for the dark backdrop. */
	readonly seen: Seen | null;
}

export interface Seen {
	readonly zenith: Vector;
	readonly horizon: Vector;
	readonly ground: Vector;
	/** The glow round the sun. */
	readonly glow: Vector;
}

/** The light of the table: from the left, 41 degrees high. */
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
/** The light of the moon at its highest. */
const MOON: Vector = [0.08, 0.11, 0.19];
/** Share of the sky's light that the ground sends back. */
const EARTH: Vector = [0.42, 0.37, 0.28];
/** Minimum light of nights, so that something is visible. */
const LEAST: Vector = [0.02, 0.026, 0.046];

/** Works out the light of a sky, with the sun that an entity is, if any. */
export function daylight(sky: FrameSky, sun: FrameLight | null): Daylight {
	const natural = sky.time_of_day === null ? TABLE : ofHour(sky, sky.time_of_day);
	const { sun_intensity, ambient_intensity } = sky;
	const lit = {
		...natural,
		...(sun === null ? {} : ofEntity(sun)),
		above: scaled(natural.above, ambient_intensity),
		below: scaled(natural.below, ambient_intensity),
	};
	return { ...lit, sun: scaled(lit.sun, sun_intensity) };
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
	const towards = sunAt(hour);
	const [sun, high, low] = between(towards[1]);
	const haze = (sky.turbidity - 2.5) / 7.5;
	const zenith = sky.zenith_color ?? mixed(high, low, Math.max(-0.1, haze * 0.5));
	const horizon = sky.horizon_color ?? low;
	const ground = sky.ground_color ?? times(horizon, EARTH);
	const above = plus(mixed(zenith, horizon, 0.45), LEAST);
	const moon = Math.max(0, -towards[1]);
	const night = towards[1] < -0.06;
	return {
		towards: night ? unit(scaled(towards, -1)) : towards,
		sun: night ? scaled(MOON, Math.min(1, moon * 2)) : sun,
		above,
		below: plus(scaled(ground, 0.8), scaled(LEAST, 0.5)),
		shadows: true,
		seen: { zenith, horizon, ground, glow: night ? scaled(MOON, 0.4) : scaled(sun, 0.25 + 0.15 * haze) },
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
