/**
 * Draws boxes with the ids and names of entities over a captured picture.
 * Owns: the positions of labels, so that they do not overlap. Never: touches the 3D picture.
 */

import type { PixelBox, SeenEntity } from '../frames/frames.ts';

/** Maximum number of entities with a box. */
const MAX_LABELS = 100;
const MAX_NAME = 24;
/** Number of further positions to try below the box's top, a label's height apart. */
const MAX_MOVES = 6;
const FONT = '"DejaVu Sans Condensed", system-ui, sans-serif';
const PAD = 2;

export interface Label {
	readonly id: number;
	readonly text: string;
	/** Box around the pixels of the entity. */
	readonly box: PixelBox;
	/** Box of the label; null if there is no room for it. */
	readonly plate: PixelBox | null;
}

/** Returns the font size for a picture (pixels). */
const sizeFor = (height: number): number => Math.min(16, Math.max(9, Math.round(height / 45)));

/** Places the labels of entities in a picture, the largest entity first. */
export function placeLabels(
	seen: readonly SeenEntity[],
	names: Readonly<Record<number, string>>,
	width: number,
	height: number,
	measure: (text: string) => number,
): Label[] {
	const high = sizeFor(height) + 2 * PAD;
	const placed: PixelBox[] = [];
	return seen.slice(0, MAX_LABELS).map(({ id, box }) => {
		const name = names[id];
		const text = name === undefined ? `${id}` : `${id} ${[...name].slice(0, MAX_NAME).join('')}`;
		const wide = Math.ceil(measure(text)) + 2 * PAD;
		const plate = firstFree(box, wide, high, width, height, placed);
		if (plate !== null) placed.push(plate);
		return { id, text, box, plate };
	});
}

/** Returns the first free position: above the box, in its top corner, below it, and further down. */
function firstFree(
	box: PixelBox,
	wide: number,
	high: number,
	width: number,
	height: number,
	placed: readonly PixelBox[],
): PixelBox | null {
	const left = Math.max(0, Math.min(box.left, width - wide));
	const tops = [box.top - high, box.top, box.top + box.height];
	for (let move = 1; move <= MAX_MOVES; move++) tops.push(box.top + move * high);
	for (const top of tops) {
		const plate = { left, top, width: wide, height: high };
		const isInside = top >= 0 && top + high <= height && wide <= width;
		if (isInside && !placed.some((other) => overlaps(plate, other))) return plate;
	}
	return null;
}

const overlaps = (a: PixelBox, b: PixelBox): boolean =>
	a.left < b.left + b.width &&
	b.left < a.left + a.width &&
	a.top < b.top + b.height &&
	b.top < a.top + a.height;

/** Returns the colour of an id. Consecutive ids have very different colours. */
const colorOf = (id: number): string => `hsl(${(id * 137.5) % 360} 90% 65%)`;

/** Draws boxes and labels over the picture in a context. */
export function drawLabels(
	context: OffscreenCanvasRenderingContext2D,
	seen: readonly SeenEntity[],
	names: Readonly<Record<number, string>>,
	width: number,
	height: number,
): void {
	context.save();
	context.font = `600 ${sizeFor(height)}px ${FONT}`;
	context.textBaseline = 'middle';
	const labels = placeLabels(seen, names, width, height, (text) => context.measureText(text).width);
	for (const { id, box } of labels) {
		context.strokeStyle = colorOf(id);
		context.strokeRect(box.left + 0.5, box.top + 0.5, box.width - 1, box.height - 1);
	}
	for (const { id, text, plate } of labels) {
		if (plate === null) continue;
		context.fillStyle = '#101418';
		context.fillRect(plate.left, plate.top, plate.width, plate.height);
		context.fillStyle = colorOf(id);
		context.fillText(text, plate.left + PAD, plate.top + plate.height / 2);
	}
	context.restore();
}
