/** Textures are loaded once, shared by their users, and given back when the last lets go. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PixelBudget } from '../../../web/render/pixel-room.ts';
import { Textures } from '../../../web/render/textures.ts';

/** Pictures that were decoded and not closed. */
let open = 0;
let most = 0;
let asked: string[] = [];

beforeEach(() => {
	open = 0;
	most = 0;
	asked = [];
	vi.stubGlobal('createImageBitmap', async (source: Blob, options: ImageBitmapOptions) => {
		if (source.size === 0) throw new DOMException('no picture', 'InvalidStateError');
		open++;
		most = Math.max(most, open);
		return {
			width: options.resizeWidth ?? 4,
			height: options.resizeHeight ?? 4,
			close: () => open--,
		};
	});
});

afterEach(() => vi.unstubAllGlobals());

const bytes = async (hash: string): Promise<Uint8Array | null> => {
	asked.push(hash);
	if (hash === 'nowhere') return null;
	return new Uint8Array(hash === 'broken' ? 0 : 8);
};

test('two users share one, which is freed with the last of them', async () => {
	const textures = new Textures(bytes, 64);
	const [live, capture] = [{}, {}];
	textures.use(live, new Set(['a']));
	textures.use(capture, new Set(['a', 'b']));
	expect(textures.get('a')).toBeNull();
	await Promise.all([textures.waitFor(live), textures.waitFor(capture)]);
	expect(asked).toEqual(['a', 'b']);
	const first = textures.get('a');
	expect(first).not.toBeNull();
	textures.use(live, new Set());
	expect(textures.get('a')).toBe(first);
	expect(open).toBe(2);
	textures.use(capture, new Set());
	expect([textures.get('a'), textures.count, open]).toEqual([null, 0, 0]);
});

test('one that loads after its release is closed without a report', async () => {
	const textures = new Textures(bytes, 64);
	const told = vi.fn();
	textures.onSettled = told;
	textures.use(textures, new Set(['a']));
	const late = textures.waitFor(textures);
	textures.use(textures, new Set());
	await late;
	expect([open, told.mock.calls.length]).toEqual([0, 0]);
});

test('a missing file or no picture gives no texture, and an undecodable one is reported', async () => {
	const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
	const textures = new Textures(bytes, 64);
	const undecodable: string[] = [];
	textures.onUndecodable = (hash) => undecodable.push(hash);
	textures.use(textures, new Set(['nowhere', 'broken', 'a']));
	await textures.waitFor(textures);
	expect([textures.get('nowhere'), textures.get('broken'), textures.count]).toEqual([null, null, 1]);
	expect(undecodable).toEqual(['broken']);
	expect(warn).toHaveBeenCalledOnce();
	warn.mockRestore();
});

test('a thousand that come and go leave no memory', async () => {
	const textures = new Textures(bytes, 64);
	for (let i = 0; i < 1000; i++) {
		textures.use(textures, new Set([`${i}`]));
		if (i % 3 === 0) await textures.waitFor(textures);
	}
	await textures.waitFor(textures);
	expect([textures.count, open]).toEqual([1, 1]);
	textures.dispose();
	await Promise.resolve();
	expect([textures.count, open]).toEqual([0, 0]);
});

test('any number of them take at most the allowed pixels, and free all of them', async () => {
	// Three pictures of 4 x 4 pixels.
	const room = new PixelBudget(48);
	const textures = new Textures(bytes, 64, room);
	const names = Array.from({ length: 20 }, (_, i) => `many ${i}`);
	textures.use(textures, new Set(names));
	await textures.waitFor(textures);
	const images = names.map((name) => textures.get(name)!.image as ImageBitmap);
	expect(images[0]).toMatchObject({ width: 4, height: 4 });
	expect(images[2]!.width).toBeLessThan(4);
	expect(open).toBe(20);
	// One is decoded after the other.
	expect(most).toBe(21);
	textures.use(textures, new Set());
	expect(open).toBe(0);
	expect(room.reserve({ width: 4, height: 4 })).toEqual({ width: 4, height: 4 });
	expect(room.reserve({ width: 5, height: 4 }, 4)).toEqual({ width: 4, height: 3 });
	const full = new PixelBudget();
	let taken = 0;
	for (let i = 0; i < 100; i++) {
		const { width, height } = full.reserve({ width: 8192, height: 8192 });
		taken += width * height;
	}
	expect(taken).toBeLessThanOrEqual(2 ** 28 + 100);
});
