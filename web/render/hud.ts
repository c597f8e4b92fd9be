/**
 * What is written over the picture, drawn into pictures that are taken. The page writes it in its own way over the live one.
 * Owns: where each text stands, its lines, and its colours. Never: touches the 3D picture.
 */

import type { HudElement } from '../host/frames.ts';

/** The page's dark colours: pictures have no theme. Names of colours that are not listed are written in white. */
export const HUD_INKS: ReadonlyMap<string, string> = new Map([
	['red', '#f48f95'],
	['orange', '#f88b66'],
	['gold', '#f0d39a'],
	['yellow', '#f2c25c'],
	['green', '#5fbca6'],
	['cyan', '#6fb2f7'],
	['blue', '#6fb2f7'],
	['magenta', '#f6cad8'],
	['white', '#f0eadc'],
	['silver', '#bdb9ad'],
	['gray', '#9a9a97'],
	['black', '#0c111a'],
]);

const SANS = '"Avenir Next", "Segoe UI", Cantarell, Roboto, "DejaVu Sans Condensed", system-ui, sans-serif';
const SERIF = '"Iowan Old Style", Palatino, "P052", "DejaVu Serif Condensed", Georgia, serif';
export const HUD_PLATES = { dark: 'rgb(14 20 30 / 0.9)', light: '#f0eadc', edge: '#2b384b' };
/** Letters from this size on (pixels) are those of titles. */
const TITLE = 28;
/** Height of a picture in which letters have the size that was asked for; in smaller ones they shrink, to half at most. */
const FULL_HEIGHT = 480;
/** Shares of the letters' size. */
const LINE = 1.25;
const PAD = { x: 0.6, y: 0.2 };
/** Most of the picture's width that a plate takes. */
const WIDEST = 0.96;

export interface HudPlate {
	/** Pixels of the picture. */
	readonly left: number;
	readonly top: number;
	readonly width: number;
	readonly height: number;
	readonly size: number;
	readonly lines: readonly string[];
}

/** Width of a text in letters of a size, both in pixels. */
export type Measure = (text: string, size: number) => number;

/** Where a text stands: centred on its x, its top at its y, whole in the picture as far as it fits. */
export function placeText(element: HudElement, width: number, height: number, measure: Measure): HudPlate {
	const size = element.size * Math.min(1, Math.max(0.5, height / FULL_HEIGHT));
	const room = width * WIDEST - 2 * PAD.x * size;
	const lines = element.text.split('\n').flatMap((line) => wrap(line, room, (text) => measure(text, size)));
	const wide = Math.max(...lines.map((line) => measure(line, size))) + 2 * PAD.x * size;
	const high = lines.length * LINE * size + 2 * PAD.y * size;
	const inside = (at: number, most: number) => Math.max(0, Math.min(at, most));
	return {
		left: inside(element.x * width - wide / 2, width - wide),
		top: inside(element.y * height, height - high),
		width: wide,
		height: high,
		size,
		lines,
	};
}

/** Breaks a line between words; a word that is too long by itself stays whole. */
function wrap(line: string, room: number, measure: (text: string) => number): string[] {
	const lines: string[] = [];
	let begun = '';
	for (const word of line.split(' ')) {
		const longer = begun === '' ? word : `${begun} ${word}`;
		if (begun !== '' && measure(longer) > room) {
			lines.push(begun);
			begun = word;
		} else begun = longer;
	}
	return [...lines, begun];
}

const font = (size: number): string => (size < TITLE ? `500 ${size}px ${SANS}` : `400 ${size}px ${SERIF}`);

/** Writes the elements over what is drawn already. */
export function drawHud(
	context: OffscreenCanvasRenderingContext2D,
	elements: readonly HudElement[],
	width: number,
	height: number,
): void {
	context.textAlign = 'center';
	context.textBaseline = 'middle';
	const measure: Measure = (text, size) => {
		context.font = font(size);
		return context.measureText(text).width;
	};
	for (const element of elements) {
		const plate = placeText(element, width, height, measure);
		const name = element.color.trim().toLowerCase();
		context.beginPath();
		context.roundRect(plate.left, plate.top, plate.width, plate.height, 3);
		context.fillStyle = name === 'black' ? HUD_PLATES.light : HUD_PLATES.dark;
		context.fill();
		context.strokeStyle = HUD_PLATES.edge;
		context.stroke();
		context.font = font(plate.size);
		context.fillStyle = HUD_INKS.get(name) ?? HUD_INKS.get('white')!;
		plate.lines.forEach((line, index) => {
			const y = plate.top + (PAD.y + (index + 0.5) * LINE) * plate.size;
			context.fillText(line, plate.left + plate.width / 2, y);
		});
	}
}
