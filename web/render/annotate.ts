/**
 * Draws boxes with the ids and names of entities over a captured picture.
 * Owns: the positions of labels, so that they do not overlap. Never: touches the 3D picture.
 */

import type { PixelBox, SeenEntity } from '../frames/frames.ts';

/** Maximum number of entities with a box. */
const MAX_LABELS = 100;
/** Characters of a name; longer names are cut. */
const MAX_NAME_LENGTH = 24;
/** Number of further positions to try below the box's top, a label's height apart. */
const MAX_MOVES = 6;
const FONT = '"DejaVu Sans Condensed", system-ui, sans-serif';
const PADDING = 2;

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
	entities: readonly SeenEntity[],
	names: Readonly<Record<number, string>>,
	width: number,
	height: number,
	measure: (text: string) => number,
): Label[] {
	const plateHeight = sizeFor(height) + 2 * PADDING;
	const plates: PixelBox[] = [];
	return entities.slice(0, MAX_LABELS).map(({ id, box }) => {
		const name = names[id];
		const text = name === undefined ? `${id}` : `${id} ${[...name].slice(0, MAX_NAME_LENGTH).join('')}`;
		const plateWidth = Math.ceil(measure(text)) + 2 * PADDING;
		const plate = findPlate(box, plateWidth, plateHeight, width, height, plates);
		if (plate !== null) plates.push(plate);
		return { id, text, box, plate };
	});
}

/** Returns the first free position: above the box, in its top corner, below it, and further down. */
function findPlate(
	box: PixelBox,
	plateWidth: number,
	plateHeight: number,
	width: number,
	height: number,
	plates: readonly PixelBox[],
): PixelBox | null {
	const left = Math.max(0, Math.min(box.left, width - plateWidth));
	const tops = [box.top - plateHeight, box.top, box.top + box.height];
	for (let move = 1; move <= MAX_MOVES; move++) tops.push(box.top + move * plateHeight);
	for (const top of tops) {
		const plate = { left, top, width: plateWidth, height: plateHeight };
		const isInside = top >= 0 && top + plateHeight <= height && plateWidth <= width;
		if (isInside && !plates.some((other) => overlaps(plate, other))) return plate;
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
	entities: readonly SeenEntity[],
	names: Readonly<Record<number, string>>,
	width: number,
	height: number,
): void {
	context.save();
	context.font = `600 ${sizeFor(height)}px ${FONT}`;
	context.textBaseline = 'middle';
	const labels = placeLabels(entities, names, width, height, (text) => context.measureText(text).width);
	for (const { id, box } of labels) {
		context.strokeStyle = colorOf(id);
		context.strokeRect(box.left + 0.5, box.top + 0.5, box.width - 1, box.height - 1);
	}
	for (const { id, text, plate } of labels) {
		if (plate === null) continue;
		context.fillStyle = '#101418';
		context.fillRect(plate.left, plate.top, plate.width, plate.height);
		context.fillStyle = colorOf(id);
		context.fillText(text, plate.left + PADDING, plate.top + plate.height / 2);
	}
	context.restore();
}
