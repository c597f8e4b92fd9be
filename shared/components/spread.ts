/** Where chance may send a projectile instead of straight on. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';
import { integer, number, optional, text } from '../contract/values.ts';
import { hasWeight, someWeight, weight } from '../contract/weight.ts';

const HALF_TURN = Math.PI;
const TURN = { unit: 'rad', min: -HALF_TURN, max: HALF_TURN };

const ray = z.strictObject({
	label: optional(text('Name of this outcome', 100)),
	weight,
	angle: number('To the left of where it is aimed, about the vertical; negative: to the right', TURN).default(
		0,
	),
	rise: number('Upwards; negative: downwards', TURN).default(0),
});

export const spreadDocument = z
	.union([
		z.strictObject({
			cone: number('Half the opening of the cone', { unit: 'rad', min: 0, max: HALF_TURN }),
			rays: integer('Number of ways, all equally likely: the first straight on, the others out to the rim', {
				min: 2,
				max: 256,
			}),
		}),
		z.array(ray).min(1).max(256).refine(hasWeight, 'one of the weights must be above zero').meta(someWeight),
	])
	.describe(
		'Which ways chance may send it, decided on the first tick of its flight: {cone, rays}, or a list of ways with weights',
	)
	.meta({ id: 'Spread' });

export type SpreadDocument = z.output<typeof spreadDocument>;

export const Spread = component({
	name: 'spread',
	title: 'Spread',
	scope: 'state',
	summary: 'Ways that chance may send a projectile, until its first tick of flight has decided',
	fields: {
		ways: json<SpreadDocument>(spreadDocument, [], 'A cone, or a list of ways'),
	},
	readout: { schema: spreadDocument, from: (row) => row.ways },
});
