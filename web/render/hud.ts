/**
 * Texts and shapes of the HUD, drawn over captured pictures. Over the live picture, the page draws them itself.
 * Owns: the position of each element, and the lines of texts. Never: touches the 3D picture.
 */

import { anchorShares, HUD_PLATES, hudInk } from '../../shared/documents/hud-ink.ts';
import { separateTops } from '../../shared/documents/hud-room.ts';
import type { ShownElement } from '../frames/frames.ts';

type Kind<T extends ShownElement['type']> = Extract<ShownElement, { readonly type: T }>;
type TextElement = Kind<'text'> | Kind<'button'>;

const SANS = '"Avenir Next", "Segoe UI", Cantarell, Roboto, "DejaVu Sans Condensed", system-ui, sans-serif';
const SERIF = '"Iowan Old Style", Palatino, "P052", "DejaVu Serif Condensed", Georgia, serif';
/** Font size from which on the font of titles is used (pixels). */
const MIN_TITLE_SIZE = 28;
/**
 * Picture heights between which letters have their declared size. In lower pictures they shrink, at most to
 * half; in higher ones they grow.
 */
const FULL_HEIGHT = 480;
const GROWING_HEIGHT = 1080;
/** Line height and padding, relative to the font size. */
const LINE_HEIGHT = 1.25;
const PADDING = { x: 0.6, y: 0.2 };
/** Maximum width of a plate, relative to the picture. */
const MAX_PLATE_SHARE = 0.96;

export interface HudPlate {
	/** Pixels of the picture. */
	readonly left: number;
	readonly top: number;
	readonly width: number;
	readonly height: number;
	/** Font size (pixels). */
	readonly size: number;
	readonly lines: readonly string[];
}

/** Returns the width of a text in a font size, both in pixels. */
export type Measure = (text: string, size: number) => number;

/** Returns the plate of a text or button at its anchor, moved into the picture if it fits. */
export function placeText(element: TextElement, width: number, height: number, measure: Measure): HudPlate {
	const factor = Math.min(1, Math.max(0.5, height / FULL_HEIGHT));
	const size = element.size * factor * Math.max(1, height / GROWING_HEIGHT);
	const [across, down] = anchorShares(element.anchor);
	const freeShare = across === 0.5 ? 1 : across === 0 ? 1 - element.x : element.x;
	const lineWidth = width * MAX_PLATE_SHARE * Math.min(1, Math.max(0, freeShare)) - 2 * PADDING.x * size;
	const lines = element.text
		.split('\n')
		.flatMap((line) => wrap(line, lineWidth, (text) => measure(text, size)));
	const plateWidth = Math.max(...lines.map((line) => measure(line, size))) + 2 * PADDING.x * size;
	const plateHeight = lines.length * LINE_HEIGHT * size + 2 * PADDING.y * size;
	const clamp = (value: number, max: number) => Math.max(0, Math.min(value, max));
	return {
		left: clamp(element.x * width - plateWidth * across, width - plateWidth),
		top: clamp(element.y * height - plateHeight * down, height - plateHeight),
		width: plateWidth,
		height: plateHeight,
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
	const texts = elements.filter(
		(element): element is TextElement => element.type === 'text' || element.type === 'button',
	);
	const plates = texts.map((element) => placeText(element, width, height, measure));
	const tops = separateTops(plates, height, 'down');
	return new Map(texts.map((element, index) => [element, { ...plates[index]!, top: tops[index]! }]));
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
	const boxWidth = element.width * width;
	const boxHeight = element.height == null ? boxWidth * ratio : element.height * height;
	const [across, down] = anchorShares(element.anchor);
	return {
		left: element.x * width - boxWidth * across,
		top: element.y * height - boxHeight * down,
		width: boxWidth,
		height: boxHeight,
	};
}

/**
 * Breaks a line between words. A word that is too long is broken between the words of its script, otherwise
 * between letters.
 */
function wrap(line: string, lineWidth: number, measure: (text: string) => number): string[] {
	const lines: string[] = [];
	let current = '';
	/**
	 * Appends a piece to the current line, or begins another line with it. Returns false if it fits into
	 * neither.
	 */
	const append = (separator: string, piece: string): boolean => {
		const extended = current === '' ? piece : `${current}${separator}${piece}`;
		if (measure(extended) <= lineWidth) {
			current = extended;
			return true;
		}
		if (measure(piece) > lineWidth) return false;
		lines.push(current);
		current = piece;
		return true;
	};
	for (const word of line.split(' ')) {
		if (append(' ', word)) continue;
		let separator = ' ';
		for (const piece of splitWord(word)) {
			const letters = append(separator, piece) ? [] : [...LETTERS.segment(piece)];
			for (const { segment } of letters) {
				// A letter that is wider than the picture has a line of its own.
				if (!append(separator, segment)) {
					if (current !== '') lines.push(current);
					current = segment;
				}
				separator = '';
			}
			separator = '';
		}
	}
	return [...lines, current];
}

const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' });
const LETTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Returns the words of a text without spaces, such as one in Japanese or Thai. Punctuation stays at the end
 * of the previous word.
 */
function splitWord(text: string): string[] {
	const pieces: string[] = [];
	for (const { segment, isWordLike } of WORDS.segment(text)) {
		if (isWordLike || pieces.length === 0) pieces.push(segment);
		else pieces[pieces.length - 1] += segment;
	}
	return pieces;
}

const fontOf = (size: number): string =>
	size < MIN_TITLE_SIZE ? `500 ${size}px ${SANS}` : `400 ${size}px ${SERIF}`;

/** Decoded pictures, by the hashes of their bytes. */
export type HudImages = ReadonlyMap<string, ImageBitmap>;

/** Draws the elements over the picture. An empty plate replaces a missing image. */
export function drawHud(
	context: OffscreenCanvasRenderingContext2D,
	elements: readonly ShownElement[],
	width: number,
	height: number,
	images: HudImages = new Map(),
): void {
	const plates = placeTexts(elements, width, height, (text, size) => {
		context.font = fontOf(size);
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

function drawText(context: OffscreenCanvasRenderingContext2D, element: TextElement, plate: HudPlate): void {
	const ink = hudInk(element.color);
	const isOnPaper = element.color.trim().toLowerCase() === 'black';
	const edge = element.type === 'button' ? ink : HUD_PLATES.edge;
	drawPlate(context, plate, isOnPaper ? HUD_PLATES.light : HUD_PLATES.dark, edge);
	context.textAlign = 'center';
	context.textBaseline = 'middle';
	context.font = fontOf(plate.size);
	context.fillStyle = ink;
	plate.lines.forEach((line, index) => {
		const y = plate.top + (PADDING.y + (index + 0.5) * LINE_HEIGHT) * plate.size;
		context.fillText(line, plate.left + plate.width / 2, y);
	});
}

/** Draws a bar: a plate with a filling, one pixel from its edge. */
function drawBar(context: OffscreenCanvasRenderingContext2D, element: Kind<'bar'>, box: HudBox): void {
	drawPlate(context, box, HUD_PLATES.dark, HUD_PLATES.edge);
	const share = Math.min(1, Math.max(0, element.fill));
	const [width, height] = [Math.max(0, box.width - 2) * share, Math.max(0, box.height - 2)];
	context.fillStyle = hudInk(element.color);
	context.fillRect(box.left + 1, box.top + 1, width, height);
}
