/**
 * Automatic movement of a camera: after an entity, round a point or along a path; and the shaking of its picture.
 * Owns: the kinds of movement in worlds. The position of the camera is computed from the movement and the tick.
 */

import * as z from 'zod';
import { handle } from '../contract/handle.ts';
import { pastTick } from '../contract/tick.ts';
import { flag, integer, number, vec3 } from '../contract/values.ts';

const MAX_DISTANCE = 1e5;

export const followFields = {
	offset: vec3('Position of the camera, relative to the entity', { min: -MAX_DISTANCE, max: MAX_DISTANCE }),
	look: vec3('Point it looks at, relative to the entity', { min: -MAX_DISTANCE, max: MAX_DISTANCE }),
	turn: flag('Turns with the entity, as if fixed to it'),
};

export const orbitFields = {
	center: vec3('Point it circles; with an entity, relative to the entity'),
	distance: number('Horizontal distance from that point', { unit: 'm', min: 0.01, max: MAX_DISTANCE }),
	height: number('Height above that point', { unit: 'm', min: -MAX_DISTANCE, max: MAX_DISTANCE }),
	angle: number('Angle at the start: 0 on the side of +z, 90 on the side of +x', {
		unit: 'deg',
		min: -360,
		max: 360,
	}),
	turn_ticks: integer('Ticks for a full turn; below 0: the other way round, 0: it does not turn', {
		unit: 'ticks',
		min: -1e6,
		max: 1e6,
	}),
};

export const pathPoint = z.strictObject({
	tick: integer('Ticks from the start of the path to this point', { unit: 'ticks', max: 1e7 }),
	eye: vec3('Position of the camera'),
	target: vec3('Point it looks at'),
});
export type PathPoint = z.output<typeof pathPoint>;

export const MAX_POINTS = 256;

export const pathFields = {
	points: z
		.array(pathPoint)
		.min(2)
		.max(MAX_POINTS)
		.refine(
			(points) => points.every(({ tick }, index) => index === 0 || tick > points[index - 1]!.tick),
			'each tick of the points must be above the one before',
		)
		.describe('Positions with their ticks, in ascending order'),
	loop: flag('Repeats after the last point; else it stays there'),
	smooth: flag('Moves in curves instead of straight lines'),
};

export const shakeFields = {
	strength: number('Largest shift of the picture, at the distance of the camera', {
		unit: 'm',
		min: 0,
		max: 100,
	}),
	ticks: integer('Duration', { unit: 'ticks', min: 1, max: 3600 }),
};
export const DEFAULT_SHAKE = { strength: 0.3, ticks: 24 } as const;

const start = pastTick('Tick of its start');

export const cameraMove = z.discriminatedUnion('mode', [
	z.strictObject({ mode: z.literal('follow'), entity: handle, ...followFields }),
	z.strictObject({ mode: z.literal('orbit'), entity: handle.nullable(), ...orbitFields, start }),
	z.strictObject({ mode: z.literal('path'), ...pathFields, start }),
]);
export type CameraMove = Readonly<z.output<typeof cameraMove>>;
