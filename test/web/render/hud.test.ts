/**
 * Texts in screenshots: their positions and their legibility.
 * Owns: the tests of hud.ts that need no canvas.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HUD_INKS, HUD_PLATES, hudInk } from '../../../shared/documents/hud-ink.ts';
import { separateTops } from '../../../shared/documents/hud-room.ts';
import type { ShownElement } from '../../../web/frames/frames.ts';
import { placeBox, placeText, placeTexts } from '../../../web/render/hud.ts';
import { check } from '../../support/property.ts';

type TextElement = Extract<ShownElement, { readonly type: 'text' }>;

/** Returns the width of a text whose letters are half as wide as high. */
const measure = (text: string, size: number) => (text.length * size) / 2;
const element = (more: Partial<TextElement> = {}): TextElement => ({
	type: 'text',
	id: 'text-1',
	until: null,
	anchor: 'top',
	text: 'Treasure',
	x: 0.5,
	y: 0.1,
	size: 20,
	color: 'white',
	...more,
});

test('names over adjacent units are stacked, and the first keeps its place', () => {
	const box = { left: 0, top: 50, width: 40, height: 18 };
	const tops = separateTops(
		[box, { ...box, left: 10 }, { ...box, left: 20 }, { ...box, left: 90 }],
		1000,
		'up',
	);
	expect(tops).toEqual([50, 30, 10, 50]);
});

describe('placeText', () => {
	test('centres a text on its x, with its top at its y', () => {
		const plate = placeText(element({ x: 0.25, y: 0.5 }), 1280, 720, measure);
		expect(plate.left + plate.width / 2).toBeCloseTo(320, 9);
		expect(plate.top).toBe(360);
		expect(plate.size).toBe(20);
		expect(plate.lines).toEqual(['Treasure']);
	});

	test('shrinks letters in small pictures, to at least half their size, and grows them in large ones', () => {
		const size = (height: number) => placeText(element(), 1280, height, measure).size;
		expect([2160, 1080, 480, 360, 240, 64].map(size)).toEqual([40, 20, 20, 15, 10, 10]);
	});

	test('moves overlapping texts below each other, in order, and leaves the others', () => {
		const texts = [
			element({ id: 'a', y: 0.1 }),
			element({ id: 'b', y: 0.12 }),
			element({ id: 'c', y: 0.11, x: 0.2 }),
			element({ id: 'd', y: 0.99, anchor: 'bottom' }),
			element({ id: 'e', y: 0.99, anchor: 'bottom' }),
		];
		const plates = [...placeTexts(texts, 1280, 720, measure).values()];
		const [a, b, c, d, e] = plates;
		expect([a!.top, c!.top]).toEqual([72, 0.11 * 720]);
		expect(b!.top).toBeGreaterThanOrEqual(a!.top + a!.height);
		// There is no room below the last one.
		expect(e!.top + e!.height).toBeLessThanOrEqual(d!.top);
	});

	test('breaks long texts between words, and keeps lines that were sent', () => {
		const { lines, width } = placeText(element({ text: 'a long way round\nand back' }), 130, 480, measure);
		expect(lines).toEqual(['a long way', 'round', 'and back']);
		expect(width).toBeLessThanOrEqual(130);
	});

	test.each([
		[
			'Japanese',
			'冒険を助けるコインやアイテムが入っていることがあります。冒険を助けるコインやアイテムが入っていることがあります',
		],
		['Chinese', '这是一个没有空格的很长的句子，它必须在图片里换行，这样玩家才能读完整个句子'],
		['Thai', 'สวัสดีชาวโลกนี่คือข้อความยาวที่ไม่มีช่องว่างซึ่งต้องอยู่ในภาพทั้งหมด'],
		['a URL', `see https://example.org/${'a'.repeat(100)}?q=1 for more`],
		['one long word', 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen'],
		['emoji of several code points each', '👨‍👩‍👧‍👦🏳️‍🌈👍🏽'.repeat(12)],
	])('breaks texts without spaces: %s', (_, text) => {
		const { lines, left, width } = placeText(element({ text }), 320, 480, measure);
		expect(lines.length).toBeGreaterThan(1);
		expect(left).toBeGreaterThanOrEqual(0);
		expect(left + width).toBeLessThanOrEqual(320);
		expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
		const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
		const whole = new Set([...letters.segment(text)].map(({ segment }) => segment));
		for (const line of lines)
			for (const { segment } of letters.segment(line)) expect(whole).toContain(segment);
	});

	test('keeps every plate that fits inside the picture, and cuts none at the left and upper edge', async () => {
		const texts = fc.array(fc.constantFrom('a', 'way', 'treasure'), { minLength: 1, maxLength: 12 });
		const share = fc.double({ min: -2, max: 3, noNaN: true });
		await check(100, [texts, share, share, fc.integer({ min: 1, max: 200 })], (words, x, y, size) => {
			const plate = placeText(element({ text: words.join(' '), x, y, size }), 640, 360, measure);
			expect(plate.lines.join('').replaceAll(' ', '')).toBe(words.join(''));
			expect(plate.left).toBeGreaterThanOrEqual(0);
			expect(plate.top).toBeGreaterThanOrEqual(0);
			if (plate.width <= 640) expect(plate.left + plate.width).toBeLessThanOrEqual(640 + 1e-9);
			if (plate.height <= 360) expect(plate.top + plate.height).toBeLessThanOrEqual(360 + 1e-9);
		});
	});
});

describe('anchors', () => {
	const plate = (anchor: TextElement['anchor']) =>
		placeText(element({ x: 0.5, y: 0.5, anchor }), 1280, 720, measure);

	test('a text has its anchor at its position', () => {
		const { left, top } = plate('top-left');
		expect([left, top]).toEqual([640, 360]);
		const end = plate('bottom-right');
		expect([end.left + end.width, end.top + end.height]).toEqual([640, 360]);
		const middle = plate('center');
		expect([middle.left + middle.width / 2, middle.top + middle.height / 2]).toEqual([640, 360]);
	});

	test('a text that begins at its position is broken at the edge of the picture', () => {
		const far = placeText(element({ text: 'a long way round', x: 0.8, anchor: 'left' }), 640, 480, measure);
		expect(far.lines.length).toBeGreaterThan(1);
		expect(far.left + far.width).toBeLessThanOrEqual(640);
	});

	test('bars, rectangles and images have the size of their share of the picture', () => {
		const bar = { type: 'bar', id: 'a', until: null, color: 'red', fill: 1, x: 0.5, y: 0.5 } as const;
		const sized = { ...bar, width: 0.25, height: 0.1 };
		expect(placeBox({ ...sized, anchor: 'top-left' }, 640, 360)).toEqual({
			left: 320,
			top: 180,
			width: 160,
			height: 36,
		});
		expect(placeBox({ ...sized, anchor: 'right' }, 640, 360)).toMatchObject({ left: 160, top: 162 });
		const image = { type: 'image', id: 'b', until: null, image: 'x', opacity: 1, x: 0, y: 0 } as const;
		expect(placeBox({ ...image, width: 0.5, anchor: 'top-left' }, 640, 360, 0.5)).toMatchObject({
			width: 320,
			height: 160,
		});
	});
});

describe('the inks', () => {
	test('other colours are given by red, green and blue, and the default is white', () => {
		expect(hudInk('0.5, 1,0')).toBe('rgb(128 255 0)');
		expect(hudInk(' Gold ')).toBe(HUD_INKS.get('gold'));
		expect(hudInk('mauve')).toBe(HUD_INKS.get('white'));
	});

	const style = (file: string) => readFileSync(join(import.meta.dirname, '../../../web/ui', file), 'utf8');
	const tokens = new Map(
		[...style('style/tokens.css').matchAll(/--([\w-]+): light-dark\([^,]+, (#\w+)\)/g)].map(
			([, name, dark]) => [name, dark],
		),
	);
	/** Token of each named colour in the page's style. */
	const tokenOf = new Map<string, string>();
	for (const [, selectors, token] of style('stage/stage.css').matchAll(
		/(&[^{]*\[data-ink[^{]*)\{\s*color: var\(--([\w-]+)\)/g,
	))
		for (const [, name] of selectors!.matchAll(/data-ink="(\w+)"/g)) tokenOf.set(name!, token!);

	test('are the dark inks of the page', () => {
		expect(tokenOf.size).toBe(10);
		for (const [name, token] of tokenOf)
			expect([name, HUD_INKS.get(name)]).toEqual([name, tokens.get(token)]);
		expect(HUD_INKS.get('white')).toBe(tokens.get('text1'));
		expect(HUD_INKS.get('black')).toBe(tokens.get('bg0'));
		expect(HUD_PLATES.light).toBe(tokens.get('text1'));
		expect([...HUD_INKS.keys()].sort()).toEqual([...tokenOf.keys(), 'white', 'black'].sort());
	});

	const linear = (byte: number) => (byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
	const luminance = ([r, g, b]: readonly number[]) =>
		0.2126 * linear(r!) + 0.7152 * linear(g!) + 0.0722 * linear(b!);
	const bytes = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
	const contrast = (a: readonly number[], b: readonly number[]) => {
		const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
		return (high + 0.05) / (low + 0.05);
	};

	test('can be read on their plates, over any picture', () => {
		const [r, g, b, alpha] = HUD_PLATES.dark.match(/[\d.]+/g)!.map(Number) as [
			number,
			number,
			number,
			number,
		];
		const plates = [0, 255].map((under) => [r, g, b].map((byte) => byte * alpha + under * (1 - alpha)));
		for (const [name, ink] of HUD_INKS) {
			const under = name === 'black' ? [bytes(HUD_PLATES.light)] : plates;
			for (const plate of under) expect([name, contrast(bytes(ink), plate) >= 4.5]).toEqual([name, true]);
		}
	});
});
