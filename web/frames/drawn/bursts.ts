/**
 * Emitters of particles that no entity has: bursts of feedback moments, and trails of projectiles.
 * Owns: the look of bursts and trails. The particles follow from the emitter and the tick.
 */

import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Projectile } from '../../../shared/components/projectile.ts';
import type { FeedbackMoment } from '../../../shared/documents/feedback.ts';
import { colorBytes } from '../../../shared/media/palette.ts';
import { DEFAULT_EMITTER, type Emitter, scramble } from '../../../shared/media/particles.ts';
import { slotOf } from '../../sim/core/entities.ts';
import { resourceVersion } from '../../sim/core/resource.ts';
import { count, get, versionOf, type World } from '../../sim/core/world.ts';
import { Feedback, feedbackOf, ShownMoments, shownMomentsOf } from '../../sim/looks/feedback.ts';
import type { FrameEmitter } from './particles.ts';

type Rgb = readonly [red: number, green: number, blue: number];

/** Colours of the teams' light (sRGB), brighter than the colours of their units. */
const TEAM_LIGHTS: Readonly<Record<number, Rgb>> = { 1: [0.42, 0.7, 1], 2: [1, 0.5, 0.3] };
const NO_TEAM: Rgb = [1, 0.86, 0.6];
const SPARK: Rgb = [1, 0.86, 0.55];
const GOLD: Rgb = [1, 0.8, 0.35];
const DUST: Rgb = [0.62, 0.58, 0.52];

/** Speed of the light of a shot (m/s), and its minimum and maximum duration (s). */
const SHOT_SPEED = 45;
const SHOT_SECONDS = [0.07, 0.22] as const;
/** Number of ticks for which a shot is shown. Its light has arrived by then. */
const SHOT_TICKS = 20;

const NO_MOTION = { rotation: [0, 0, 0, 1], velocity: [0, 0, 0] } as const;

/**
 * Returns a text that changes whenever the result of `feedbackEmitters` may change within a tick. Returns an empty text without
 * feedback.
 */
export function feedbackVersion(world: World): string {
	if (!feedbackOf(world).enabled) return '';
	const versions = [Feedback, ShownMoments].map((item) => resourceVersion(world, item as typeof Feedback));
	return `${versions} ${versionOf(world, Projectile)}`;
}

/** Returns the emitters of the current bursts, shots and projectiles of a world. */
export function feedbackEmitters(world: World): FrameEmitter[] {
	const { enabled, bursts, trails } = feedbackOf(world);
	if (!enabled) return [];
	const emitters: FrameEmitter[] = [];
	for (const moment of shownMomentsOf(world).moments) {
		if (trails && moment.shooter !== null && world.tick - moment.tick < SHOT_TICKS)
			emitters.push(...shotEmittersOf(moment));
		if (bursts) emitters.push(...burstsOf(moment));
	}
	if (trails && count(world, Projectile) > 0) emitters.push(...trailEmittersOf(world));
	return emitters;
}

/** Returns an emitter of a moment. `index` distinguishes the emitters of one moment. */
function emitterOf(
	{ number, tick }: FeedbackMoment,
	index: number,
	position: readonly [number, number, number],
	burst: number,
	emitter: Partial<Emitter>,
): FrameEmitter {
	return {
		// Entities have ids from 0 on.
		id: -1 - number * 4 - index,
		generation: 0,
		emitter: { ...DEFAULT_EMITTER, rate: 0, max: 400, ...emitter },
		run: {
			seed: scramble(scramble(number) + index),
			since: null,
			until: null,
			bursts: [{ tick, count: burst, number: 1 }],
			burst_count: 1,
		},
		position,
		...NO_MOTION,
	};
}

/** Returns the reach of a burst from the middle of its entity (m). */
const reachOf = ({ size }: FeedbackMoment): number => Math.min(Math.max(size, 0.4), 4);

const footPointOf = (moment: FeedbackMoment): readonly [number, number, number] => {
	const [x, y, z] = moment.place;
	return [x, y - Math.min(reachOf(moment), 1.6) * 0.45, z];
};

/** Returns an emitter of motes that rise in a disc of this width (m) around the feet of an entity. */
const ringEmitterOf = (
	moment: FeedbackMoment,
	burst: number,
	width: number,
	emitter: Partial<Emitter>,
): FrameEmitter =>
	emitterOf(moment, 0, footPointOf(moment), burst, {
		...MOTES,
		shape: 'disc',
		size: [width, 0, width],
		...emitter,
	});

function burstsOf(moment: FeedbackMoment): FrameEmitter[] {
	const { kind, place, share } = moment;
	const reach = reachOf(moment);
	const foot = footPointOf(moment);
	const chest = [place[0], place[1] + reach * 0.25, place[2]] as const;
	const light = lightOf(moment.team);
	const paint = paintOf(moment);
	const boxSize: [number, number, number] = [reach * 0.7, reach * 0.5, reach * 0.7];
	switch (kind) {
		case 'hurt':
			return [
				emitterOf(moment, 0, chest, 7 + Math.round(Math.min(share, 0.4) * 30), {
					...SPARKS,
					shape: 'sphere',
					// The sphere is larger than the entity, because particles inside the entity are not visible.
					size: [reach * 1.25, reach, reach * 1.25],
					speed: [2.2 * Math.sqrt(reach), 5.5 * Math.sqrt(reach)],
					colors: fadingColors(SPARK, [1, 0.45, 0.12]),
				}),
			];
		case 'death':
			return [
				emitterOf(moment, 0, place, 16 + Math.round(reach * 8), {
					...SHARDS,
					size: boxSize,
					speed: [1.2 * Math.sqrt(reach), 4.2 * Math.sqrt(reach)],
					sizes: [0.17 * reach ** 0.6, 0.13 * reach ** 0.6, 0.02],
					colors: [[...paint, 1]],
				}),
				emitterOf(moment, 1, foot, 8 + Math.round(reach * 4), {
					...PUFF,
					size: [reach, 0.2, reach],
					sizes: [0.25 * reach, 0.75 * reach, reach],
				}),
				emitterOf(moment, 2, place, 9, {
					...MOTES,
					size: boxSize,
					sizes: [0.04, 0.16, 0.1, 0],
					colors: lightColors(light, 0.75),
				}),
			];
		case 'appear':
			return [
				ringEmitterOf(moment, 14, reach * 1.6, {
					lifetime: 0.75,
					speed: [0.8, 2],
					colors: lightColors(light, 0.9),
				}),
			];
		case 'level':
			return [
				ringEmitterOf(moment, 34, reach * 1.3, {
					lifetime: 1.15,
					speed: [1, 3.2],
					colors: lightColors(GOLD, 1),
				}),
			];
	}
}

/** Returns the emitter of the light that flies from a shooter to its target; none if they are at one point. */
function shotEmittersOf(moment: FeedbackMoment): FrameEmitter[] {
	const { place, shooter } = moment;
	const { place: start, team } = shooter!;
	const shotVector = place.map((part, axis) => part - start[axis]!) as [number, number, number];
	const distance = Math.hypot(...shotVector);
	if (distance < 1e-3) return [];
	const seconds = Math.min(Math.max(distance / SHOT_SPEED, SHOT_SECONDS[0]), SHOT_SECONDS[1]);
	const speed = distance / seconds;
	const light = lightOf(team);
	return [
		emitterOf(moment, 3, start, 7, {
			lifetime: seconds,
			lifetime_spread: 0,
			direction: shotVector,
			spread: 0,
			speed: [speed * 0.78, speed],
			gravity: [0, 0, 0],
			sizes: [0.13, 0.17, 0.13],
			colors: [
				[1, 0.97, 0.9, 1],
				[...light, 0.95],
				[...light, 0.6],
			],
			glow: 2.2,
			additive: true,
			stretch: 0.022,
		}),
	];
}

/** Returns the emitters of projectiles with the light behind them. */
function trailEmittersOf(world: World): FrameEmitter[] {
	return shownMomentsOf(world).flights.flatMap(({ entity, since }): FrameEmitter[] => {
		const slot = slotOf(world, entity);
		const row = slot < 0 ? undefined : get(world, slot, Projectile);
		if (row === undefined) return [];
		const { direction, speed, team, radius } = row;
		const light = lightOf(team);
		const thickness = Math.min(Math.max(radius * 0.7, 0.18), 0.9);
		return [
			{
				id: -1 - entity.id,
				generation: -1 - entity.generation,
				emitter: {
					...DEFAULT_EMITTER,
					rate: 180,
					lifetime: 0.2,
					lifetime_spread: 0,
					spread: 180,
					speed: [0, 0.25],
					gravity: [0, 0, 0],
					sizes: [thickness, thickness * 0.7, thickness * 0.15],
					colors: [
						[1, 0.97, 0.9, 0.9],
						[...light, 0.55],
						[...light, 0],
					],
					glow: 1.8,
					additive: true,
					trail: true,
				},
				run: { seed: scramble(entity.id), since, until: null, bursts: [], burst_count: 0 },
				position: [...get(world, slot, LocalTransform)!.position],
				rotation: NO_MOTION.rotation,
				velocity: direction.map((part) => part * speed) as [number, number, number],
			},
		];
	});
}

const SPARKS: Partial<Emitter> = {
	lifetime: 0.38,
	lifetime_spread: 0.5,
	spread: 110,
	gravity: [0, -7, 0],
	drag: 1.5,
	sizes: [0.1, 0.07, 0.02],
	glow: 1.7,
	additive: true,
	stretch: 0.03,
};
const SHARDS: Partial<Emitter> = {
	lifetime: 0.85,
	lifetime_spread: 0.4,
	shape: 'box',
	spread: 75,
	gravity: [0, -11, 0],
	drag: 0.4,
	spin: 300,
	lit: true,
};
const PUFF: Partial<Emitter> = {
	lifetime: 0.9,
	lifetime_spread: 0.4,
	shape: 'disc',
	spread: 85,
	speed: [0.4, 1.1],
	gravity: [0, 0.5, 0],
	drag: 1.6,
	spin: 40,
	colors: [
		[...DUST, 0.42],
		[...DUST, 0.26],
		[...DUST, 0],
	],
	lit: true,
};
const MOTES: Partial<Emitter> = {
	lifetime: 1,
	lifetime_spread: 0.4,
	shape: 'box',
	spread: 18,
	speed: [0.5, 1.3],
	gravity: [0, 1.2, 0],
	turbulence: 0.08,
	sizes: [0.03, 0.13, 0.09, 0],
	glow: 1.7,
	additive: true,
};

type Colors = Emitter['colors'];

const fadingColors = (from: Rgb, to: Rgb): Colors => [
	[...from, 1],
	[...from, 1],
	[...to, 0],
];
const lightColors = (light: Rgb, alpha: number): Colors => [
	[...light, 0],
	[...light, alpha],
	[...light, alpha * 0.6],
	[...light, 0],
];

const lightOf = (team: number | null): Rgb => TEAM_LIGHTS[team ?? -1] ?? NO_TEAM;

function paintOf({ color, team }: FeedbackMoment): Rgb {
	if (color === null) return lightOf(team);
	const [r, g, b] = colorBytes(color);
	return [r / 255, g / 255, b / 255];
}
