/**
 * Texts and shapes of the HUD, drawn over captured pictures. Over the live picture, the page draws them itself.
 * Owns: the position of each element, and the lines of texts. Never: touches the 3D picture.
 */

import { anchorShares, HUD_PLATES, hudInk } from '../../shared/documents/hud-ink.ts';
import { separateTops } from '../../shared/documents/hud-room.ts';
import type { ShownElement } from '../frames/frames.ts';

type Kind<T extends ShownElement['type']> = Extract<ShownElement, { readonly type: T }>;
type WrittenElement = Kind<'text'> | Kind<'button'>;

const SANS = '"Avenir Next", "Segoe UI", Cantarell, Roboto, "DejaVu Sans Condensed", system-ui, sans-serif';
const SERIF = '"Iowan Old Style", Palatino, "P052", "DejaVu Serif Condensed", Georgia, serif';
/** Font size from which on the font of titles is used (pixels). */
const TITLE = 28;
/** Picture heights between which letters have their declared size. In lower pictures they shrink, at most to half; in higher ones they grow. */
const FULL_HEIGHT = 480;
const GROWING_HEIGHT = 1080;
/** Line height and padding, relative to the font size. */
const LINE = 1.25;
const PAD = { x: 0.6, y: 0.2 };
/** Maximum width of a plate, relative to the picture. */
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

/** Returns the width of a text in a font size, both in pixels. */
export type Measure = (text: string, size: number) => number;

/** Returns the plate of a text or button at its anchor, moved into the picture if it fits. */
export function placeText(
	element: WrittenElement,
	width: number,
	height: number,
	measure: Measure,
): HudPlate {
	const shrink = Math.min(1, Math.max(0.5, height / FULL_HEIGHT));
	const size = element.size * shrink * Math.max(1, height / GROWING_HEIGHT);
	const [across, down] = anchorShares(element.anchor);
	const beside = across === 0.5 ? 1 : across === 0 ? 1 - element.x : element.x;
	const room = width * WIDEST * Math.min(1, Math.max(0, beside)) - 2 * PAD.x * size;
	const lines = element.text.split('\n').flatMap((line) => wrap(line, room, (text) => measure(text, size)));
	const wide = Math.max(...lines.map((line) => measure(line, size))) + 2 * PAD.x * size;
	const high = lines.length * LINE * size + 2 * PAD.y * size;
	const inside = (at: number, most: number) => Math.max(0, Math.min(at, most));
	return {
		left: inside(element.x * width - wide * across, width - wide),
		top: inside(element.y * height - high * down, height - high),
		width: wide,
		height: high,
		size,
		lines,
	};
}

/** Returns the plates of all texts and buttons. None overlaps an earlier one. */
export function placeTexts(
	elements: readonly ShownElement[],
	width: number,
	height: number,
	measure: Measure,
): ReadonlyMap<ShownElement, HudPlate> {
	const written = elements.filter(
		(element): element is WrittenElement => element.type === 'text' || element.type === 'button',
	);
	const plates = written.map((element) => placeText(element, width, height, measure));
	const tops = separateTops(plates, height, 'down');
	return new Map(written.map((element, index) => [element, { ...plates[index]!, top: tops[index]! }]));
}

/** Pixels of the picture. */
export interface HudBox {
	readonly left: number;
	readonly top: number;
	readonly width: number;
	readonly height: number;
}

/**
 * Returns the box of a bar, rectangle or image. `ratio`: height over width of an element without a height.
 */
export function placeBox(
	element: Kind<'bar'> | Kind<'rect'> | Kind<'image'>,
	width: number,
	height: number,
	ratio = 1,
): HudBox {
	const wide = element.width * width;
	const high = element.height == null ? wide * ratio : element.height * height;
	const [across, down] = anchorShares(element.anchor);
	return {
		left: element.x * width - wide * across,
		top: element.y * height - high * down,
		width: wide,
		height: high,
	};
}

/** Breaks a line between words. A word that is too long is broken where its script allows it, or else between letters. */
function wrap(line: string, room: number, measure: (text: string) => number): string[] {
	const lines: string[] = [];
	let begun = '';
	/** Appends a piece to the current line, or begins another line with it. Returns false if it fits into neither. */
	const append = (between: string, piece: string): boolean => {
		const longer = begun === '' ? piece : `${begun}${between}${piece}`;
		if (measure(longer) <= room) {
			begun = longer;
			return true;
		}
		if (measure(piece) > room) return false;
		lines.push(begun);
		begun = piece;
		return true;
	};
	for (const word of line.split(' ')) {
		if (append(' ', word)) continue;
		let between = ' ';
		for (const piece of brokenUp(word)) {
			const letters = append(between, piece) ? [] : [...LETTERS.segment(piece)];
			for (const { segment } of letters) {
				// A letter that is wider than the picture has a line of its own.
				if (!append(between, segment)) {
					if (begun !== '') lines.push(begun);
					begun = segment;
				}
				between = '';
			}
			between = '';
		}
	}
	return [...lines, begun];
}

const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' });
const LETTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Returns the words of a text without spaces, such as one in Japanese or Thai. Marks stay at the end of the word
 * before them.
 */
function brokenUp(text: string): string[] {
	const pieces: string[] = [];
	for (const { segment, isWordLike } of WORDS.segment(text)) {
		if (isWordLike || pieces.length === 0) pieces.push(segment);
		else pieces[pieces.length - 1] += segment;
	}
	return pieces;
}

const font = (size: number): string => (size < TITLE ? `500 ${size}px ${SANS}` : `400 ${size}px ${SERIF}`);

/** A picture that can be drawn, by the hash of its bytes. */
export type HudImages = ReadonlyMap<string, ImageBitmap>;

/** Draws the elements over what is drawn already; in place of a picture that is not there, an empty plate. */
export function drawHud(
	context: OffscreenCanvasRenderingContext2D,
	elements: readonly ShownElement[],
	width: number,
	height: number,
	images: HudImages = new Map(),
): void {
	const plates = placeTexts(elements, width, height, (text, size) => {
		context.font = font(size);
		return context.measureText(text).width;
	});
	for (const element of elements) {
		context.save();
		switch (element.type) {
			case 'text':
			case 'button':
				drawText(context, element, plates.get(element)!);
				break;
			case 'bar':
				drawBar(context, element, placeBox(element, width, height));
				break;
			case 'rect': {
				const box = placeBox(element, width, height);
				context.globalAlpha = element.opacity;
				context.fillStyle = hudInk(element.color);
				context.fillRect(box.left, box.top, box.width, box.height);
				break;
			}
			case 'image': {
				const image = images.get(element.image);
				const box = placeBox(element, width, height, image && image.height / image.width);
				context.globalAlpha = element.opacity;
				if (image === undefined) drawPlate(context, box, HUD_PLATES.dark, HUD_PLATES.edge);
				else context.drawImage(image, box.left, box.top, box.width, box.height);
			}
		}
		context.restore();
	}
}

function drawPlate(
	context: OffscreenCanvasRenderingContext2D,
	{ left, top, width, height }: HudBox,
	fill: string,
	edge: string,
): void {
	context.beginPath();
	context.roundRect(left, top, width, height, Math.min(3, width / 2, height / 2));
	context.fillStyle = fill;
	context.fill();
	context.strokeStyle = edge;
	context.stroke();
}

function drawText(
	context: OffscreenCanvasRenderingContext2D,
	element: WrittenElement,
	plate: HudPlate,
): void {
	const ink = hudInk(element.color);
	const onPaper = element.color.trim().toLowerCase() === 'black';
	const edge = element.type === 'button' ? ink : HUD_PLATES.edge;
	drawPlate(context, plate, onPaper ? HUD_PLATES.light : HUD_PLATES.dark, edge);
	context.textAlign = 'center';
	context.textBaseline = 'middle';
	context.font = font(plate.size);
	context.fillStyle = ink;
	plate.lines.forEach((line, index) => {
		const y = plate.top + (PAD.y + (index + 0.5) * LINE) * plate.size;
		context.fillText(line, plate.left + plate.width / 2, y);
	});
}

/** Draws a bar: a plate with a filling, one pixel from its edge. */
function drawBar(context: OffscreenCanvasRenderingContext2D, element: Kind<'bar'>, box: HudBox): void {
	drawPlate(context, box, HUD_PLATES.dark, HUD_PLATES.edge);
	const full = Math.min(1, Math.max(0, element.fill));
	const [width, height] = [Math.max(0, box.width - 2) * full, Math.max(0, box.height - 2)];
	context.fillStyle = hudInk(element.color);
	context.fillRect(box.left + 1, box.top + 1, width, height);
}
