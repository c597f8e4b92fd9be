/** Colour of an entity. */

import * as z from 'zod';
import { component, json } from '../contract/component.ts';
import { optional, text } from '../contract/values.ts';
import { colorBytes, PALETTE, parseColor } from '../media/palette.ts';

export const colorText = text(
	'Colour: red, blue, green, gold, silver, gray, white, black, yellow, cyan, magenta, orange, or "r,g,b" with parts from 0 to 1. An unknown colour becomes white',
	100,
).meta({ format: 'color' });

/** Returns the warning about an unknown colour. */
export function colorWarning(color: string): string {
	const knownNames = Object.keys(PALETTE).join(', ');
	return `color "${color}" is unknown and shown as white; known: ${knownNames}, or "r,g,b" with parts from 0 to 1`;
}

/** Returns the stored form of a colour. An unknown colour becomes white, with a warning. */
export function colorOf(color: string, warnings: string[]): string {
	const parsed = parseColor(color);
	if (parsed === null) warnings.push(colorWarning(color));
	return parsed ?? 'white';
}

/** Returns the sRGB shares of a colour text, each from 0 to 1. An unknown colour becomes white, with a warning. */
export function colorShares(color: string, warnings: string[]): readonly [number, number, number] {
	const [red, green, blue] = colorBytes(colorOf(color, warnings));
	return [red / 255, green / 255, blue / 255];
}

export const Color = component({
	name: 'color',
	title: 'Color',
	scope: 'state',
	summary: 'Colour: a palette name, or r,g,b with parts from 0 to 1',
	fields: { color: json<string>(z.string(), 'white', 'Palette name or r,g,b') },
	readout: { schema: z.string(), from: (row) => row.color },
	spawn: {
		fields: { color: optional(colorText) },
		row: ({ color }, warnings) => (color == null ? null : { color: colorOf(color, warnings) }),
		describe: (row) => ({ color: row?.color }),
	},
});
