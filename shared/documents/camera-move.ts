/**
 * How a camera moves by itself: after an entity, round a point, or along a path; and how its picture is shaken.
 * Owns: the kinds of movement, as a world keeps them. Where a camera is then, follows from them and the tick.
 */

import * as z from 'zod';
import { handle } from '../contract/handle.ts';
import { pastTick } from '../contract/tick.ts';
import { flag, integer, number, vec3 } from '../contract/values.ts';

const FAR_AWAY = 1e5;

export const followFields = {
	offset: vec3('Where the camera is, from the entity', { min: -FAR_AWAY, max: FAR_AWAY }),
	look: vec3('What it looks at, from the entity', { min: -FAR_AWAY, max: FAR_AWAY }),
	turn: flag('Whether it turns with the entity, as if fixed to it'),
};

export const orbitFields = {
	center: vec3('Point that it goes round; with an entity, from where that is'),
	distance: number('Distance from that point, on the level', { unit: 'm', min: 0.01, max: FAR_AWAY }),
	height: number('Height above that point', { unit: 'm', min: -FAR_AWAY, max: FAR_AWAY }),
	angle: number('Where it begins: 0 on the side of +z, 90 on the side of +x', {
		unit: 'deg',
		min: -360,
		max: 360,
	}),
	turn_ticks: integer('Ticks for a whole turn; below 0 the other way round, 0: it stands still', {
		unit: 'ticks',
		min: -1e6,
		max: 1e6,
	}),
};

export const pathPoint = z.strictObject({
	tick: integer('Ticks from the start of the path until it is here', { unit: 'ticks', max: 1e7 }),
	eye: vec3('Position of the camera'),
	target: vec3('Point that it looks at'),
});
export type PathPoint = z.output<typeof pathPoint>;

export const MOST_POINTS = 256;

export const pathFields = {
	points: z
		.array(pathPoint)
		.min(2)
		.max(MOST_POINTS)
		.refine(
			(points) => points.every(({ tick }, index) => index === 0 || tick > points[index - 1]!.tick),
			'the ticks of the points must rise from each to the next',
		)
		.describe('Where it is when, in the order of their ticks'),
	loop: flag('Whether it begins again after the last point, where it otherwise stays'),
	smooth: flag('Whether it goes in curves rather than straight from point to point'),
};

export const shakeFields = {
	strength: number('How far the picture is moved at most, at the distance of the camera', {
		unit: 'm',
		min: 0,
		max: 100,
	}),
	ticks: integer('For how long', { unit: 'ticks', min: 1, max: 3600 }),
};
export const USUAL_SHAKE = { strength: 0.3, ticks: 24 } as const;

const start = pastTick('Tick at which it began');

export const cameraMove = z.discriminatedUnion('mode', [
	z.strictObject({ mode: z.literal('follow'), entity: handle, ...followFields }),
	z.strictObject({ mode: z.literal('orbit'), entity: handle.nullable(), ...orbitFields, start }),
	z.strictObject({ mode: z.literal('path'), ...pathFields, start }),
]);
export type CameraMove = Readonly<z.output<typeof cameraMove>>;
