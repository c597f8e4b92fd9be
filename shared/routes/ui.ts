/** Routes of the tag UI and HUD: texts, bars, shapes, pictures and buttons over the picture. */

import * as z from 'zod';
import { type ExampleCall, route } from '../contract/route.ts';
import { listLength, message, text } from '../contract/values.ts';
import {
	ANCHORS,
	changedElement,
	elementId,
	HUD_TYPES,
	type HudType,
	sentElement,
} from '../documents/hud.ts';
import { assetErrors, warnings } from './world.ts';

const shared = { tag: 'UI and HUD' } as const;

/** Schema of an element in an answer, with its current numbers. */
const elementView = z.strictObject({
	id: elementId,
	type: z.enum(HUD_TYPES),
	x: z.number().describe('Distance from the left edge, as a share of the picture'),
	y: z.number().describe('Distance from the top edge, as a share of the picture'),
	anchor: z.enum(ANCHORS).describe('Point of the element that is at x, y'),
	lifetime: z.int().nullable().describe('Remaining time; null: until it is removed (ticks)'),
	text: z
		.string()
		.optional()
		.describe('For texts and buttons: the text as shown, with placeholders filled in'),
	template: z.string().optional().describe('For texts and buttons: the text as sent'),
	size: z.number().optional().describe('Height of the letters (pixels)'),
	color: z.string().optional().describe('Its colour, as sent'),
	width: z.number().optional().describe('Width, as a fraction of the width of the picture'),
	height: z
		.number()
		.nullish()
		.describe('Height, as a fraction of the height of the picture; null: keeps the proportions of the asset'),
	fill: z.number().optional().describe('For bars: filled share, 0 to 1'),
	follow: z.string().nullish().describe('For bars: the number it shows'),
	full: z
		.union([z.number().describe('Value at which it is full'), z.string()])
		.nullish()
		.describe('For bars: value at which it is full'),
	image: z.string().optional().describe('For images: hash of the asset'),
	opacity: z.number().optional().describe('Opacity, 0 to 1'),
});

const createdMessage = message.extend({
	id: elementId,
	replaced: z.boolean().describe('true: it replaced another element'),
	element: elementView,
	warnings,
});
const makes = { thing: 'element', named: { element: '$response.body#/id' } } as const;
const errors = ['invalid_ui', 'ui_full', ...assetErrors] as const;

const score: ExampleCall = { path: '/ui/text', body: { id: 'score', text: 'Score {score:team:1}', y: 0.05 } };
const start: ExampleCall = { path: '/ui/button', body: { id: 'start', text: 'Start' } };
const otherTypes = (excluded: HudType) => HUD_TYPES.filter((type) => type !== excluded);

export const showText = route({
	...shared,
	id: 'ui.text',
	method: 'POST',
	path: '/ui/text',
	cli: ['ui', 'text'],
	summary: 'Shows a text on the HUD; its placeholders follow the world',
	description:
		'The text is centred on x, with its top at y, unless "anchor" says otherwise. Placeholders: {tick}, {time}, {phase}, {score} (the highest), {score:team:1}, {count:FILTER} and {FIELD:FILTER}. The last shows a number of the first entity by id that matches the filter and has the field, such as {health.current:tag:hero} or {gold:entity:3}. Filters and fields are those of rules. Another "type" creates another kind of element.',
	effect: 'write',
	body: sentElement('text', otherTypes('text')),
	answer: createdMessage,
	makes,
	errors,
	examples: [
		{ name: 'A title', body: { text: 'Treasure', size: 40, color: 'gold' } },
		{ name: 'A score that updates itself', body: score.body },
		{
			name: 'For two seconds, in a corner',
			body: { text: 'Saved', x: 0.98, y: 0.97, anchor: 'bottom-right', lifetime: 120 },
		},
		{ name: 'A rectangle', body: { type: 'rect', x: 0, y: 0.9, width: 1, height: 0.1, color: 'black' } },
	],
});

export const showBar = route({
	...shared,
	id: 'ui.bar',
	method: 'POST',
	path: '/ui/bar',
	cli: ['ui', 'bar'],
	summary: 'Shows a bar on the HUD, with a given fill or one that follows a field',
	description: 'Another "type" creates another kind of element.',
	effect: 'write',
	body: sentElement('bar', otherTypes('bar')),
	answer: createdMessage,
	makes,
	errors,
	examples: [
		{ name: 'Half full', body: { x: 0.02, y: 0.95, fill: 0.5, color: 'red' } },
		{
			name: 'The health of a hero',
			given: [{ path: '/spawn', body: { health: 100, tags: ['hero'] } }],
			body: { id: 'health', follow: 'health.current:tag:hero', color: 'green' },
		},
	],
});

export const showRect = route({
	...shared,
	id: 'ui.rect',
	method: 'POST',
	path: '/ui/rect',
	cli: ['ui', 'rect'],
	summary: 'Shows a rectangle on the HUD',
	effect: 'write',
	body: sentElement('rect'),
	answer: createdMessage,
	makes,
	errors,
	examples: [
		{ name: 'A dark band', body: { x: 0, y: 0.9, width: 1, height: 0.1, color: 'black', opacity: 0.6 } },
	],
});

const PIXEL =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const showImage = route({
	...shared,
	id: 'ui.image',
	method: 'POST',
	path: '/ui/image',
	cli: ['ui', 'image'],
	summary: 'Shows an image asset on the HUD',
	effect: 'write',
	body: sentElement('image'),
	answer: createdMessage,
	makes,
	errors,
	examples: [
		{
			name: 'An emblem',
			given: [{ path: '/asset/upload?name=textures/pixel.png', body: { data: PIXEL } }],
			body: { id: 'emblem', image: 'textures/pixel.png', x: 0.02, y: 0.02, width: 0.05 },
		},
	],
});

export const showButton = route({
	...shared,
	id: 'ui.button',
	method: 'POST',
	path: '/ui/button',
	cli: ['ui', 'button'],
	summary: 'Shows a button on the HUD; pressing it sends a UiPressEvent',
	description: 'A click in the page and POST /ui/press do the same. Rules can use event:ui_press button==ID.',
	effect: 'write',
	body: sentElement('button'),
	answer: createdMessage,
	makes,
	errors,
	examples: [{ name: 'Start', body: start.body }],
});

export const pressButton = route({
	...shared,
	id: 'ui.press',
	method: 'POST',
	path: '/ui/press',
	cli: ['ui', 'press'],
	summary: 'Presses a button; rules receive it on the next tick',
	effect: 'write',
	owner: [{ none: 'buttons are there to be pressed' }],
	body: z.strictObject({ id: elementId }),
	answer: message,
	errors: ['unknown_element', 'not_a_button'],
	examples: [{ name: 'Press start', given: [start], body: { id: 'start' } }],
});

export const updateElement = route({
	...shared,
	id: 'ui.update',
	method: 'POST',
	path: '/ui/update',
	cli: ['ui', 'update'],
	summary: 'Changes fields of an element; those left out keep their values',
	description:
		'It takes the fields of all kinds of elements; fields of another kind are refused (invalid_ui).',
	effect: 'write',
	body: changedElement,
	answer: message.extend({ id: elementId, element: elementView, warnings }),
	errors: [...errors, 'unknown_element'],
	examples: [{ name: 'In red', given: [score], body: { id: 'score', color: 'red' } }],
});

export const removeElement = route({
	...shared,
	id: 'ui.remove',
	method: 'DELETE',
	path: '/ui/{id}',
	cli: ['ui', 'remove'],
	summary: 'Removes an element',
	effect: 'write',
	params: z.strictObject({ id: elementId }),
	answer: z.strictObject({ ok: z.literal(true), deleted: text('Name of the element') }),
	errors: ['unknown_element'],
	examples: [{ name: 'Remove the score', given: [score], path: '/ui/score' }],
});

export const clearUi = route({
	...shared,
	id: 'ui.clear',
	method: 'POST',
	path: '/ui/clear',
	cli: ['ui', 'clear'],
	summary: 'Removes all elements',
	effect: 'write',
	owner: ['element'],
	answer: message.extend({ removed: z.int().describe('Number of removed elements') }),
	errors: [],
	examples: [{ name: 'Clear the HUD', given: [score], body: {} }],
});

export const listElements = route({
	...shared,
	id: 'ui.list',
	method: 'GET',
	path: '/ui/list',
	cli: ['ui', 'list'],
	summary: 'Elements in the order they are drawn, with their current values',
	effect: 'read',
	answer: z.strictObject({ ok: z.literal(true), elements: z.array(elementView), count: listLength }),
	errors: [],
	examples: [{ name: 'A score', given: [score] }],
});
