/**
 * Elements of the HUD: what is written and drawn over the picture.
 * Owns: the kinds of elements, their fields, and the origin of their positions. They are kept as they stand here.
 */

import * as z from 'zod';
import { namesBy } from '../contract/entity-mark.ts';
import { names } from '../contract/thing.ts';
import { tick } from '../contract/tick.ts';
import {
	caseInsensitiveTag,
	integer,
	nullMeansDefault,
	number,
	optional,
	text,
	word,
} from '../contract/values.ts';

/** The point of an element that is at its x and y. */
export const ANCHORS = [
	'top-left',
	'top',
	'top-right',
	'left',
	'center',
	'right',
	'bottom-left',
	'bottom',
	'bottom-right',
] as const;
export type Anchor = (typeof ANCHORS)[number];

export const HUD_TYPES = ['text', 'bar', 'rect', 'image', 'button'] as const;
export type HudType = (typeof HUD_TYPES)[number];

export const elementId = text('Name of the element', 100).min(1).meta(names('element'));

/** Ticks that an element is shown. */
export const lifetime = optional(
	integer('Time it is shown; left out: until it is removed', { unit: 'ticks', min: 1 }),
);

/** Text that is shown, with placeholders. */
export const template = text(
	'Text to show. Placeholders follow the world: {tick}, {time}, {phase}, {score}, {score:team:1}, {count:FILTER}, {FIELD:FILTER} such as {health.current:tag:hero}; {{ is a brace',
	500,
).meta({ ...namesBy('template'), format: 'template' });

const share = (what: string) => number(`${what}, as a share of the picture, 0 to 1`);
const extent = (what: string, side: string) =>
	number(`${what}, as a share of the picture's ${side}`, { min: 0, max: 10 });
const color = text('Colour: a name of the palette, or "r,g,b" with parts from 0 to 1', 100).default('white');
const opacity = number('Opacity, 0 to 1', { min: 0, max: 1 }).default(1);
const letters = number('Height of the letters', { unit: 'pixels', min: 1, max: 500 }).default(20);
const anchor = (usual: Anchor) => word(ANCHORS, 'Point of the element that is at x, y').default(usual);

const at = {
	x: share('Distance from the left edge'),
	y: share('Distance from the top edge'),
};

/** A text: beside where it is used, its fields are those of the actions that show one. */
export const textFields = {
	text: template,
	x: at.x.default(0.5),
	y: at.y.default(0.1),
	size: letters,
	color,
	anchor: anchor('top'),
};

const barFields = {
	x: at.x.default(0.02),
	y: at.y.default(0.95),
	width: extent('Width', 'width').default(0.2),
	height: extent('Height', 'height').default(0.03),
	fill: optional(number('Filled share, 0 to 1; give this or follow')),
	follow: optional(
		text(
			'Number it shows, as FIELD:FILTER such as health.current:tag:hero, or score:team:1, count:team:2; give this or fill',
			200,
		).meta({ ...namesBy('measure'), format: 'measure' }),
	),
	full: optional(
		z
			.union([
				number('Value at which it is full'),
				text('Number of the world at which it is full', 200).meta(namesBy('measure')),
			])
			.describe(
				'Of a bar with follow: value at which it is full, a number or in the form of follow. Left out: max if follow is current, 100 if it is a percentage',
			),
	),
	color,
	anchor: anchor('top-left'),
};

const rectFields = {
	...at,
	width: extent('Width', 'width'),
	height: extent('Height', 'height'),
	color,
	opacity,
	anchor: anchor('top-left'),
};

const imageFields = {
	image: text('Asset: its hash, its upload name, or its file', 400).min(1),
	...at,
	width: extent('Width', 'width').default(0.1),
	height: optional(
		extent('Height', 'height').describe(
			'Height, as a share of the picture; left out: keeps the proportions of the image',
		),
	),
	opacity,
	anchor: anchor('top-left'),
};

const buttonFields = {
	text: template,
	x: at.x.default(0.5),
	y: at.y.default(0.8),
	size: letters,
	color,
	anchor: anchor('center'),
};

const ownFields = {
	id: elementId,
	until: tick('First tick it is no longer shown; null: it stays').nullable().default(null),
};

/** An element as worlds keep it. */
export const hudElement = z.discriminatedUnion('type', [
	z.strictObject({ type: z.literal('text'), ...ownFields, ...textFields }),
	z.strictObject({ type: z.literal('bar'), ...ownFields, ...barFields }),
	z.strictObject({ type: z.literal('rect'), ...ownFields, ...rectFields }),
	z.strictObject({ type: z.literal('image'), ...ownFields, ...imageFields }),
	z.strictObject({ type: z.literal('button'), ...ownFields, ...buttonFields }),
]);

export type HudElement = Readonly<z.output<typeof hudElement>>;

const FIELDS = {
	text: textFields,
	bar: barFields,
	rect: rectFields,
	image: imageFields,
	button: buttonFields,
} as const;

const sentBeside = {
	id: optional(
		elementId.describe(
			'Name of the element. It replaces one of the same name; left out: it replaces one at the same position, or gets a new name',
		),
	),
	lifetime,
};

/** An element as callers send it. */
export interface SentElement {
	readonly type?: HudType | null | undefined;
	readonly id?: string | null | undefined;
	readonly lifetime?: number | null | undefined;
	readonly [field: string]: unknown;
}

const sentShape = (type: HudType, usual: HudType) =>
	z.strictObject({
		...nullMeansDefault(FIELDS[type]),
		type:
			type === usual
				? z.literal(type).optional().describe('Kind of element')
				: z.literal(type).describe('Kind of element'),
		...sentBeside,
	});

/** Returns an element of one kind as callers send it, or, where its type says so, of one of some others. */
export function sentElement(usual: HudType, others: readonly HudType[] = []): z.ZodType<SentElement> {
	const [own, ...rest] = [usual, ...others].map((type) => sentShape(type, usual));
	if (rest.length === 0) return caseInsensitiveTag<z.ZodType<SentElement>>('type', own!);
	const union: z.ZodType<SentElement> = z.discriminatedUnion('type', [own!, ...rest]);
	return caseInsensitiveTag('type', union);
}

/** Changes to an element: the fields of all kinds, all optional. */
export const changedElement: z.ZodType<{ readonly id: string } & SentElement> = z.strictObject({
	id: elementId,
	...Object.fromEntries(
		Object.values(FIELDS)
			.flatMap((fields) => Object.entries(fields) as [string, z.ZodType][])
			.map(([name, field]) => {
				const plain = withoutDefault(field);
				return [name, optional(plain).describe(plain.description ?? name)];
			}),
	),
	lifetime,
});

/** Returns the kinds of elements with a field that can be changed. */
export const typesWith = (field: string): readonly HudType[] =>
	HUD_TYPES.filter((type) => Object.hasOwn(FIELDS[type], field));

function withoutDefault(field: z.ZodType): z.ZodType {
	return field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType) : field;
}
