/** Textures are loaded once, shared by their users, and given back when the last lets go. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Textures } from '../../../web/render/textures.ts';

/** Pictures that were decoded and not closed. */
let open = 0;
let asked: string[] = [];

beforeEach(() => {
	open = 0;
	asked = [];
	vi.stubGlobal('createImageBitmap', async (source: Blob) => {
		if (source.size === 0) throw new DOMException('no picture', 'InvalidStateError');
		open++;
		return { width: 4, height: 4, close: () => open-- };
	});
});

afterEach(() => vi.unstubAllGlobals());

const bytes = async (hash: string): Promise<Uint8Array | null> => {
	asked.push(hash);
	if (hash === 'nowhere') return null;
	return new Uint8Array(hash === 'broken' ? 0 : 8);
};

test('two users share one, which goes with the last of them', async () => {
	const textures = new Textures(bytes, 64);
	const [live, capture] = [{}, {}];
	textures.use(live, new Set(['a']));
	textures.use(capture, new Set(['a', 'b']));
	expect(textures.get('a')).toBeNull();
	await Promise.all([textures.settled(live), textures.settled(capture)]);
	expect(asked).toEqual(['a', 'b']);
	const first = textures.get('a');
	expect(first).not.toBeNull();
	textures.use(live, new Set());
	expect(textures.get('a')).toBe(first);
	expect(open).toBe(2);
	textures.use(capture, new Set());
	expect([textures.get('a'), textures.count, open]).toEqual([null, 0, 0]);
});

test('one that comes after it was let go of is closed, and nobody is told', async () => {
	const textures = new Textures(bytes, 64);
	const told = vi.fn();
	textures.onSettled = told;
	textures.use(textures, new Set(['a']));
	const late = textures.settled(textures);
	textures.use(textures, new Set());
	await late;
	expect([open, told.mock.calls.length]).toEqual([0, 0]);
});

test('what is nowhere, or no picture, settles without a texture', async () => {
	const textures = new Textures(bytes, 64);
	textures.use(textures, new Set(['nowhere', 'broken']));
	await textures.settled(textures);
	expect([textures.get('nowhere'), textures.get('broken'), textures.count]).toEqual([null, null, 0]);
});

test('a thousand that come and go leave nothing', async () => {
	const textures = new Textures(bytes, 64);
	for (let i = 0; i < 1000; i++) {
		textures.use(textures, new Set([`${i}`]));
		if (i % 3 === 0) await textures.settled(textures);
	}
	await textures.settled(textures);
	expect([textures.count, open]).toEqual([1, 1]);
	textures.dispose();
	await Promise.resolve();
	expect([textures.count, open]).toEqual([0, 0]);
});
