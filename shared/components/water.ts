/** Water with a level surface: bodies float in it, walkers avoid it, and the view draws it. */

import * as z from 'zod';
import { component, listOf, type NumberField, scalar, vector3, yesNo } from '../contract/component.ts';
import { FAR, flag, number, optional } from '../contract/values.ts';
import { colorBytes } from '../media/palette.ts';
import { colorOf, colorText } from './color.ts';
import { GlobalTransform } from './global-transform.ts';
import { LocalTransform } from './local-transform.ts';

/** Most waters of a world. */
export const MAX_WATERS = 64;

const part = z.number().min(0).max(1);
const edge = z.number().min(0).max(FAR);
const speed = z.number().min(-100).max(100);

const pair = (doc: string, unit: string): NumberField<2> => ({
	kind: 'f32',
	size: 2,
	doc,
	unit,
	initial: [0, 0],
});

/** Values that a document leaves out. */
const USUAL = {
	depth: 100,
	color: [0.05, 0.24, 0.27],
	clarity: 2.5,
	mirror: 0,
	wave_height: 0.04,
	wave_length: 3,
	wave_speed: 1,
	flow: [0, 0],
	density: 1000,
	drag: 1,
	walk_cost: 0,
	wade: 0.3,
} as const;

const waterDocument = z
	.strictObject({
		size: optional(
			z
				.tuple([edge, edge])
				.describe(
					'Length of its sides along x and z (m), with the entity in the middle; left out, or [0, 0]: over every terrain, of more than 64 the first. It shows where the ground is lower',
				)
				.meta({ unit: 'm' }),
		),
		depth: optional(
			number(`Distance from the surface down to which there is water; left out: ${USUAL.depth}`, {
				unit: 'm',
				min: 0.01,
				max: 1e4,
			}),
		),
		color: optional(
			z
				.union([z.tuple([part, part, part]), colorText])
				.describe(
					'Colour of deep water as sRGB [r, g, b], each 0 to 1, or a colour name; left out: blue green',
				),
		),
		clarity: optional(
			number(`Distance that one sees into it; left out: ${USUAL.clarity}`, {
				unit: 'm',
				min: 0.01,
				max: 1000,
			}),
		),
		mirror: optional(
			flag(
				'It reflects what is around it, and not only the sky. Of several that do, the lowest id counts. The picture is then drawn twice; left out: false',
			),
		),
		wave_height: optional(
			number(
				`Height of the highest crest above the surface; bodies move with the waves; 0: it is calm; left out: ${USUAL.wave_height}`,
				{ unit: 'm', min: 0, max: 10 },
			),
		),
		wave_length: optional(
			number(`Distance between the crests of the longest waves; left out: ${USUAL.wave_length}`, {
				unit: 'm',
				min: 0.1,
				max: 1000,
			}),
		),
		wave_speed: optional(
			number('Speed of waves and ripples as a multiple of the natural one; left out: 1', {
				unit: 'factor',
				min: 0,
				max: 10,
			}),
		),
		flow: optional(
			z
				.tuple([speed, speed])
				.describe(
					'Velocity of the water along x and z (m/s): it carries bodies and ripples; left out: it stands',
				)
				.meta({ unit: 'm/s' }),
		),
		density: optional(
			number(`Mass of a cubic metre; left out: ${USUAL.density}`, { unit: 'kg/m³', min: 0, max: 1e5 }),
		),
		drag: optional(
			number('Resistance to bodies as a multiple of that of water; left out: 1', {
				unit: 'factor',
				min: 0,
				max: 100,
			}),
		),
		walk_cost: optional(
			number(
				'Cost of walking a metre in it on the navigation mesh, as a multiple of that of the ground; less than 1 counts as 1; 0: not walkable; left out: 0',
				{ unit: 'factor', min: 0, max: 1000 },
			),
		),
		wade: optional(
			number(`Depth up to which walkers do not mind it; left out: ${USUAL.wade}`, {
				unit: 'm',
				min: 0,
				max: 100,
			}),
		),
	})
	.describe('Water; the height of the entity is its surface')
	.meta({ id: 'Water' });

/** A colour by its name, as sRGB shares. */
function named(color: string, warnings: string[]): readonly [number, number, number] {
	const [red, green, blue] = colorBytes(colorOf(color, warnings));
	return [red / 255, green / 255, blue / 255];
}

interface Stored {
	readonly size: readonly number[];
	readonly color: readonly [number, number, number];
	readonly flow: readonly number[];
	readonly mirror: number;
}

/** Water as documents have it, from its columns. */
function documentOf<R extends Stored>({ size, color, flow, mirror, ...numbers }: R) {
	return {
		size: [size[0]!, size[1]!] as [number, number],
		...numbers,
		color: listOf(color),
		mirror: mirror !== 0,
		flow: [flow[0]!, flow[1]!] as [number, number],
	};
}

export const Water = component({
	name: 'water',
	title: 'Water',
	scope: 'state',
	summary:
		'Water with its surface at the height of the entity; its sides are along x and z, however the entity is rotated. Dynamic bodies with a collider float in it by their `mass` and volume, and walkers on the navigation mesh avoid it. It has no effect while its entity has a parent. A world has at most 64',
	fields: {
		size: { ...pair('Length of its sides along x and z; 0, 0: over every terrain', 'm'), range: [0, FAR] },
		depth: scalar('f32', 'Distance from the surface down to which there is water', {
			unit: 'm',
			initial: USUAL.depth,
			range: [0.01, 1e4],
		}),
		color: { ...vector3('sRGB colour of deep water', 'share', USUAL.color), range: [0, 1] },
		clarity: scalar('f32', 'Distance that one sees into it', {
			unit: 'm',
			initial: USUAL.clarity,
			range: [0.01, 1000],
		}),
		mirror: yesNo('1: it reflects what is around it, and not only the sky'),
		wave_height: scalar('f32', 'Height of the highest crest above the surface', {
			unit: 'm',
			initial: USUAL.wave_height,
			range: [0, 10],
		}),
		wave_length: scalar('f32', 'Distance between the crests of the longest waves', {
			unit: 'm',
			initial: USUAL.wave_length,
			range: [0.1, 1000],
		}),
		wave_speed: scalar('f32', 'Speed of waves as a multiple of the natural one', {
			unit: 'factor',
			initial: USUAL.wave_speed,
			range: [0, 10],
		}),
		flow: { ...pair('Velocity of the water along x and z', 'm/s'), range: [-100, 100] },
		density: scalar('f32', 'Mass of a cubic metre', {
			unit: 'kg/m³',
			initial: USUAL.density,
			range: [0, 1e5],
		}),
		drag: scalar('f32', 'Resistance to bodies as a multiple of that of water', {
			unit: 'factor',
			initial: USUAL.drag,
			range: [0, 100],
		}),
		walk_cost: scalar('f32', 'Cost of walking a metre in it; 0: not walkable', {
			unit: 'factor',
			initial: USUAL.walk_cost,
			range: [0, 1000],
		}),
		wade: scalar('f32', 'Depth up to which walkers do not mind it', {
			unit: 'm',
			initial: USUAL.wade,
			range: [0, 100],
		}),
	},
	readout: { schema: waterDocument, from: documentOf },
	spawn: {
		fields: { water: optional(waterDocument) },
		row: ({ water }, warnings) => {
			if (water == null) return null;
			const sent = Object.fromEntries(Object.entries(water).filter(([, value]) => value != null));
			const { color, mirror } = water;
			return {
				...USUAL,
				size: [0, 0],
				...sent,
				...(typeof color === 'string' ? { color: named(color, warnings) } : {}),
				mirror: mirror === true ? 1 : 0,
			};
		},
		describe: (row) => ({ water: row && documentOf(row) }),
		brings: () => [
			[LocalTransform, {}],
			[GlobalTransform, {}],
		],
	},
});
