/** A picture or a patch of colour on the ground. The state does not depend on it, so no digest includes it. */

import * as z from 'zod';
import { component, type NumberField, scalar } from '../contract/component.ts';
import { number, optional } from '../contract/values.ts';
import { GlobalTransform } from './global-transform.ts';
import { LocalTransform } from './local-transform.ts';

/** Maximum number of decals of a world. */
export const MAX_DECALS = 500;

const edge = z.number().min(0.01).max(1000);
const DEFAULTS = { size: [2, 2], soft: 0.3 } as const;

const decalDocument = z
	.strictObject({
		size: optional(
			z
				.tuple([edge, edge])
				.describe('Length of its sides along x and z before its entity is rotated (m); left out: [2, 2]')
				.meta({ unit: 'm' }),
		),
		soft: optional(
			number(
				'Share of it that fades towards its rim, which is then round; 0: a rectangle with hard edges; left out: 0.3',
				{
					unit: 'share',
					min: 0,
					max: 1,
				},
			),
		),
	})
	.describe(
		'A patch on the ground; `material` and `color` of the entity are its look. Of a material, `transmission` has no effect on it',
	)
	.meta({ id: 'Decal' });

const size: NumberField<2> = {
	kind: 'f32',
	size: 2,
	doc: 'Length of its sides along x and z before its entity is rotated',
	unit: 'm',
	initial: DEFAULTS.size,
	range: [0.01, 1000],
};

export const Decal = component({
	name: 'decal',
	title: 'Decal',
	scope: 'view',
	summary:
		'A patch on the ground under its entity, such as a path, a stain or a sign, with the texture and colours of `material`. It follows the heights of terrains; without one it lies at the height of the entity. A world has at most 500',
	fields: {
		size,
		soft: scalar('f32', 'Share of it that fades towards its rim', {
			unit: 'share',
			initial: DEFAULTS.soft,
			range: [0, 1],
		}),
	},
	spawn: {
		fields: { decal: optional(decalDocument) },
		row: ({ decal }) =>
			decal == null ? null : { size: decal.size ?? DEFAULTS.size, soft: decal.soft ?? DEFAULTS.soft },
		describe: (row) => ({
			decal: row && { size: [row.size[0]!, row.size[1]!] as [number, number], soft: row.soft },
		}),
		brings: () => [
			[LocalTransform, {}],
			[GlobalTransform, {}],
		],
	},
});
