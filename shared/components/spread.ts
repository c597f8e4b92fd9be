/** Possible directions of a projectile. One is chosen at random. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';
import { integer, number, optional, text } from '../contract/values.ts';
import { hasWeight, isWeighable, NOT_WEIGHABLE, someWeightSchema, weight } from '../contract/weight.ts';

const HALF_TURN = Math.PI;
const ANGLE = { unit: 'rad', min: -HALF_TURN, max: HALF_TURN };

const ray = z.strictObject({
	label: optional(text('Name of this outcome', 100)),
	weight,
	angle: number('Angle to the left of the aim, around the vertical axis; negative: right', ANGLE).default(0),
	rise: number('Angle upwards; negative: downwards', ANGLE).default(0),
});

export const spreadDocument = z
	.union([
		z.strictObject({
			cone: number('Half the opening angle of the cone', { unit: 'rad', min: 0, max: HALF_TURN }),
			rays: integer(
				'Number of directions, all equally likely: the first is the aim, the others spread to the rim of the cone',
				{
					min: 2,
					max: 256,
				},
			),
		}),
		z
			.array(ray)
			.min(1)
			.max(256)
			.refine(hasWeight, 'at least one weight must be above 0')
			.refine(isWeighable, NOT_WEIGHABLE)
			.meta(someWeightSchema),
	])
	.describe(
		'Directions from which one is chosen at random on the first tick of flight: {cone, rays}, or a list of directions with weights',
	)
	.meta({ id: 'Spread' });

export type SpreadDocument = z.output<typeof spreadDocument>;

export const Spread = component({
	name: 'spread',
	title: 'Spread',
	scope: 'state',
	summary: 'Directions from which one is chosen at random on the first tick of flight of a projectile',
	fields: {
		ways: json<SpreadDocument>(spreadDocument, [], 'A cone, or a list of directions'),
	},
	readout: { schema: spreadDocument, from: (row) => row.ways },
});
