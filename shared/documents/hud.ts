/**
 * Elements of the HUD: texts and shapes over the picture.
 * Owns: the kinds of elements, their fields, and the origin of their positions. Worlds keep elements in this form.
 */

import * as z from 'zod';
import { namesBy } from '../contract/entity-mark.ts';
import { namesThing } from '../contract/thing.ts';
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

/** Points of an element that can be at its x and y. */
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

export const elementId = text('Name of the element', 100).min(1).meta(namesThing('element'));

/** Schema of the time that an element is shown. */
export const lifetime = optional(
	integer('Time it is shown; left out: until it is removed', { unit: 'ticks', min: 1 }),
);

/** Text of an element, with placeholders. */
export const template = text(
	'Text to show. Placeholders follow the world: {tick}, {time}, {phase}, {score}, {score:team:1}, {count:FILTER}, {FIELD:FILTER} such as {health.current:tag:hero}; {{ is a brace',
	500,
).meta({ ...namesBy('template'), format: 'template' });

const share = (description: string) => number(`${description}, as a share of the picture, 0 to 1`);
const extent = (description: string, side: string) =>
	number(`${description}, as a share of the picture's ${side}`, { min: 0, max: 10 });
const color = text('Colour: a name of the palette, or "r,g,b" with parts from 0 to 1', 100).default('white');
const opacity = number('Opacity, 0 to 1', { min: 0, max: 1 }).default(1);
const letterHeight = number('Height of the letters', { unit: 'pixels', min: 1, max: 500 }).default(20);
const anchor = (defaultAnchor: Anchor) =>
	word(ANCHORS, 'Point of the element that is at x, y').default(defaultAnchor);

const point = {
	x: share('Distance from the left edge'),
	y: share('Distance from the top edge'),
};

/** Fields of a text. Actions that show a text use them too. */
export const textFields = {
	text: template,
	x: point.x.default(0.5),
	y: point.y.default(0.1),
	size: letterHeight,
	color,
	anchor: anchor('top'),
};

const barFields = {
	x: point.x.default(0.02),
	y: point.y.default(0.95),
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
	...point,
	width: extent('Width', 'width'),
	height: extent('Height', 'height'),
	color,
	opacity,
	anchor: anchor('top-left'),
};

const imageFields = {
	image: text('Asset: its hash, its upload name, or its file', 400).min(1),
	...point,
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
	x: point.x.default(0.5),
	y: point.y.default(0.8),
	size: letterHeight,
	color,
	anchor: anchor('center'),
};

const storedFields = {
	id: elementId,
	until: tick('First tick it is no longer shown; null: it stays').nullable().default(null),
};

/** Schema of an element in a world. */
export const hudElement = z.discriminatedUnion('type', [
	z.strictObject({ type: z.literal('text'), ...storedFields, ...textFields }),
	z.strictObject({ type: z.literal('bar'), ...storedFields, ...barFields }),
	z.strictObject({ type: z.literal('rect'), ...storedFields, ...rectFields }),
	z.strictObject({ type: z.literal('image'), ...storedFields, ...imageFields }),
	z.strictObject({ type: z.literal('button'), ...storedFields, ...buttonFields }),
]);

export type HudElement = Readonly<z.output<typeof hudElement>>;

const FIELDS = {
	text: textFields,
	bar: barFields,
	rect: rectFields,
	image: imageFields,
	button: buttonFields,
} as const;

const requestFields = {
	id: optional(
		elementId.describe(
			'Name of the element. It replaces one of the same name; left out: it replaces one at the same position, or gets a new name',
		),
	),
	lifetime,
};

/** An element in a request. */
export interface SentElement {
	readonly type?: HudType | null | undefined;
	readonly id?: string | null | undefined;
	readonly lifetime?: number | null | undefined;
	readonly [field: string]: unknown;
}

const requestShape = (type: HudType, defaultType: HudType) =>
	z.strictObject({
		...nullMeansDefault(FIELDS[type]),
		type:
			type === defaultType
				? z.literal(type).optional().describe('Kind of element')
				: z.literal(type).describe('Kind of element'),
		...requestFields,
	});

/** Returns the schema of an element in a request. Its kind is `defaultType`, or its field `type` names one of `others`. */
export function sentElement(defaultType: HudType, others: readonly HudType[] = []): z.ZodType<SentElement> {
	const [defaultShape, ...otherShapes] = [defaultType, ...others].map((type) =>
		requestShape(type, defaultType),
	);
	if (otherShapes.length === 0) return caseInsensitiveTag<z.ZodType<SentElement>>('type', defaultShape!);
	const union: z.ZodType<SentElement> = z.discriminatedUnion('type', [defaultShape!, ...otherShapes]);
	return caseInsensitiveTag('type', union);
}

/** Schema of changes to an element: the optional fields of all kinds of elements. */
export const changedElement: z.ZodType<{ readonly id: string } & SentElement> = z.strictObject({
	id: elementId,
	...Object.fromEntries(
		Object.values(FIELDS)
			.flatMap((fields) => Object.entries(fields) as [string, z.ZodType][])
			.map(([name, field]) => {
				const bareField = withoutDefault(field);
				return [name, optional(bareField).describe(bareField.description ?? name)];
			}),
	),
	lifetime,
});

/** Returns the kinds of elements with a field that can be changed. */
export const typesWithField = (field: string): readonly HudType[] =>
	HUD_TYPES.filter((type) => Object.hasOwn(FIELDS[type], field));

function withoutDefault(field: z.ZodType): z.ZodType {
	return field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType) : field;
}
