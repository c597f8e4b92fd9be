/** Water with a level surface: bodies float in it, walkers avoid it, and the view draws it. */

import * as z from 'zod';
import { component, listOf, type NumberField, scalar, vector3, yesNo } from '../contract/component.ts';
import { FAR, flag, number, optional } from '../contract/values.ts';
import { colorShares, colorText } from './color.ts';
import { GlobalTransform } from './global-transform.ts';
import { LocalTransform } from './local-transform.ts';

/** Maximum number of entities with water in a world. */
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

/** Numbers of water. Documents and the component have a field for each. */
const NUMBERS = {
	depth: {
		doc: 'Distance from the surface down to which there is water',
		unit: 'm',
		initial: 100,
		range: [0.01, 1e4],
	},
	clarity: { doc: 'Distance that one sees into it', unit: 'm', initial: 2.5, range: [0.01, 1000] },
	wave_height: {
		doc: 'Height of the highest crest above the surface; bodies move with the waves; 0: it is calm',
		unit: 'm',
		initial: 0.04,
		range: [0, 10],
	},
	wave_length: {
		doc: 'Distance between the crests of the longest waves',
		unit: 'm',
		initial: 3,
		range: [0.1, 1000],
	},
	wave_speed: {
		doc: 'Speed of waves and ripples as a multiple of the natural one',
		unit: 'factor',
		initial: 1,
		range: [0, 10],
	},
	density: { doc: 'Mass of a cubic metre', unit: 'kg/m³', initial: 1000, range: [0, 1e5] },
	drag: {
		doc: 'Resistance to bodies as a multiple of that of water',
		unit: 'factor',
		initial: 1,
		range: [0, 100],
	},
	walk_cost: {
		doc: 'Cost of walking a metre in it on the navigation mesh, as a multiple of that of the ground; less than 1 counts as 1; 0: not walkable',
		unit: 'factor',
		initial: 0,
		range: [0, 1000],
	},
	wade: { doc: 'Depth up to which walkers do not mind it', unit: 'm', initial: 0.3, range: [0, 100] },
} as const;
type NumberName = keyof typeof NUMBERS;

/** Returns a value for each of these numbers. */
function mapNumbers<T>(valueFor: (number: (typeof NUMBERS)[NumberName]) => T): Record<NumberName, T> {
	const values = Object.entries(NUMBERS).map(([name, declared]) => [name, valueFor(declared)]);
	return Object.fromEntries(values) as Record<NumberName, T>;
}

const COLOR = [0.05, 0.24, 0.27] as const;

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
		color: optional(
			z
				.union([z.tuple([part, part, part]), colorText])
				.describe(
					'Colour of deep water as sRGB [r, g, b], each 0 to 1, or a colour name; left out: blue green',
				),
		),
		mirror: optional(
			flag(
				'It reflects what is around it, and not only the sky. Of several that do, the lowest id counts. The picture is then drawn twice; left out: false',
			),
		),
		flow: optional(
			z
				.tuple([speed, speed])
				.describe(
					'Velocity of the water along x and z (m/s): it carries bodies and ripples; left out: it stands',
				)
				.meta({ unit: 'm/s' }),
		),
		...mapNumbers(({ doc, unit, initial, range: [min, max] }) =>
			optional(number(`${doc}; left out: ${initial}`, { unit, min, max })),
		),
	})
	.describe('Water; the height of the entity is its surface')
	.meta({ id: 'Water' });

interface StoredWater {
	readonly size: readonly number[];
	readonly color: readonly [number, number, number];
	readonly flow: readonly number[];
	readonly mirror: number;
}

/** Returns the document of water from its columns. */
function documentOf<R extends StoredWater>({ size, color, flow, mirror, ...numbers }: R) {
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
		color: { ...vector3('sRGB colour of deep water', 'share', COLOR), range: [0, 1] },
		mirror: yesNo('1: it reflects what is around it, and not only the sky'),
		flow: { ...pair('Velocity of the water along x and z', 'm/s'), range: [-100, 100] },
		...mapNumbers(({ doc, unit, initial, range }) => scalar('f32', doc, { unit, initial, range })),
	},
	readout: { schema: waterDocument, from: documentOf },
	spawn: {
		fields: { water: optional(waterDocument) },
		row: ({ water }, warnings) => {
			if (water == null) return null;
			const settings = Object.fromEntries(Object.entries(water).filter(([, value]) => value != null));
			const { color, mirror } = water;
			return {
				...mapNumbers(({ initial }) => initial),
				size: [0, 0],
				color: COLOR,
				flow: [0, 0],
				...settings,
				...(typeof color === 'string' ? { color: colorShares(color, warnings) } : {}),
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
