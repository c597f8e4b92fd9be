/** A light. The state does not depend on it, so no digest includes it. */

import * as z from 'zod';
import { component, listOf, scalar, vector3, words, yesNo } from '../contract/component.ts';
import { flag, hasLength, number, optional, someLengthSchema, word } from '../contract/values.ts';
import { colorShares, colorText } from './color.ts';

export const LIGHT_KINDS = ['point', 'spot', 'sun'] as const;

const part = z.number().min(0).max(1);
const direction = z
	.tuple([z.number().min(-1e6).max(1e6), z.number().min(-1e6).max(1e6), z.number().min(-1e6).max(1e6)])
	.refine(hasLength, 'a direction must have a length above 0')
	.describe('Direction of a spot or a sun, rotated with the entity [x, y, z]; left out: [0, -1, 0]')
	.meta({ unit: 'direction', ...someLengthSchema });

const lightDocument = z
	.strictObject({
		kind: word(
			LIGHT_KINDS,
			"point: in all directions; spot: a cone; sun: far away, replaces the sky's sun (of several, the lowest id counts)",
		).default('point'),
		color: optional(
			z
				.union([z.tuple([part, part, part]), colorText])
				.describe('sRGB [r, g, b], each 0 to 1, or a colour name as for entities; left out: white'),
		),
		intensity: optional(
			number('Brightness: a white wall 1 m away is as bright as daylight at 1; left out: 5 (sun: 2)', {
				unit: 'factor',
				min: 0,
				max: 1e5,
			}),
		),
		range: optional(
			number('Distance at which it ends; 0 or left out: unlimited', { unit: 'm', min: 0, max: 1e4 }),
		),
		angle: optional(number('Width of the cone of a spot; left out: 60', { unit: 'deg', min: 1, max: 170 })),
		direction: optional(direction),
		shadows: optional(flag('A spot or a sun casts shadows; left out: true')),
	})
	.describe('A light')
	.meta({ id: 'Light' });

const DEFAULTS = { color: [1, 1, 1], angle: 60, direction: [0, -1, 0] } as const;

export const Light = component({
	name: 'light',
	title: 'Light',
	scope: 'view',
	summary: 'Light at the position of the entity: point, spot or sun',
	fields: {
		kind: words(LIGHT_KINDS, 'Kind of light'),
		color: vector3('sRGB colour', 'share', DEFAULTS.color),
		intensity: scalar('f32', 'Brightness', { unit: 'factor', initial: 5 }),
		range: scalar('f32', 'Distance at which it ends, 0: unlimited', { unit: 'm' }),
		angle: scalar('f32', 'Width of the cone of a spot', { unit: 'deg', initial: DEFAULTS.angle }),
		direction: vector3('Direction of its light, rotated with the entity', 'direction', DEFAULTS.direction),
		shadows: yesNo('1: a spot or a sun casts shadows', 1),
	},
	spawn: {
		fields: { light: optional(lightDocument) },
		row: ({ light }, warnings) => {
			if (light == null) return null;
			const { kind, color, intensity, range, angle, direction: lightDirection, shadows } = light;
			return {
				kind,
				color: typeof color === 'string' ? colorShares(color, warnings) : (color ?? DEFAULTS.color),
				intensity: intensity ?? (kind === 'sun' ? 2 : 5),
				range: range ?? 0,
				angle: angle ?? DEFAULTS.angle,
				direction: lightDirection ?? DEFAULTS.direction,
				shadows: shadows === false ? 0 : 1,
			};
		},
		describe: (row) => {
			if (row === undefined) return { light: undefined };
			const { kind, color, intensity, range, angle, direction: lightDirection, shadows } = row;
			return {
				light: {
					kind,
					color: listOf(color),
					intensity,
					range,
					angle,
					direction: listOf(lightDirection),
					shadows: shadows === 1,
				},
			};
		},
	},
});
