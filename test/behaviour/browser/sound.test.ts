/**
 * Sounds in samples: rendered by Chromium's Web Audio without loudspeakers.
 * Owns: tests of level, side, distance and length. The list of sounds to play is tested without a browser.
 */

import type { Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { DEFAULT_MIXER } from '../../../shared/media/sound.ts';
import { wav } from '../../support/wav.ts';
import type { Heard, Scene } from '../../web/render/page/sound.ts';
import { openTabs, type Tabs } from './tabs.ts';

let tabs: Tabs;
let page: Page;

beforeAll(async () => {
	tabs = await openTabs();
	page = await tabs.newPage();
	await page.goto(`${inject('viewPage')}sound.html`);
	await page.waitForFunction(() => 'heard' in window);
});

afterAll(() => tabs?.close());

const file = (seconds: number) => wav({ seconds, level: 0.5 }).toString('base64');
const files = { tone: file(1), short: file(0.2), broken: Buffer.from('RIFFxxxxWAVE').toString('base64') };

const renderSound = (scene: Partial<Scene>): Promise<Heard> =>
	page.evaluate((given) => window.heard(given), { seconds: 1, sounds: [], files, ...scene } as Scene);

/** Returns the level in the middle, where nothing fades in or out. */
const level = (heard: readonly number[]): number => heard[4]!;

describe('a sound', () => {
	test('without a position has the same level in both ears: that of its file times its volume', async () => {
		const { left, right, voices } = await renderSound({ sounds: [{}] });
		// The file is a sine wave with amplitude 0.5.
		expect(level(left)).toBeCloseTo(0.5 / Math.SQRT2, 2);
		expect(level(right)).toBeCloseTo(level(left), 5);
		expect(voices).toBe(1);
		const half = await renderSound({ sounds: [{ volume: 0.5 }] });
		expect(level(half.left) / level(left)).toBeCloseTo(0.5, 2);
	});

	test('is heard from its side as seen by the camera', async () => {
		const position = [5, 0, 0] as const;
		const right = await renderSound({ sounds: [{ position, falloff: 'none' }] });
		expect(level(right.right)).toBeGreaterThan(10 * level(right.left));
		const left = await renderSound({ sounds: [{ position, falloff: 'none' }], target: [0, 0, 1] });
		expect(level(left.left)).toBeGreaterThan(10 * level(left.right));
	});

	test('is heard from the position and direction of the listening entity', async () => {
		const position = [5, 0, 0] as const;
		// The listener is turned by half a turn about y.
		const listener = { position: [10, 0, 0], rotation: [0, 1, 0, 0] } as const;
		const { left, right } = await renderSound({ sounds: [{ position, falloff: 'none' }], listener });
		expect(level(right)).toBeGreaterThan(10 * level(left));
	});

	test('gets softer with the distance, and is silent beyond max_distance', async () => {
		const at = async (distance: number) => {
			const sounds = [{ position: [0, 0, -distance] as const, max_distance: 20 }];
			const { left, voices } = await renderSound({ sounds });
			return { level: level(left), voices };
		};
		const [near, middle, far] = [await at(0.01), await at(10), await at(20)];
		expect(middle.level / near.level).toBeCloseTo(0.25, 2);
		expect(far).toEqual({ level: 0, voices: 0 });
	});

	test('is silent on a muted bus, and softer on a soft one', async () => {
		const { volumes } = DEFAULT_MIXER;
		const mixed = async (mixer: Scene['mixer']) => level((await renderSound({ sounds: [{}], mixer })).left);
		const usual = await mixed(DEFAULT_MIXER);
		expect(await mixed({ volumes, muted: ['sfx'] })).toBe(0);
		expect((await mixed({ volumes: { ...volumes, master: 0.5 }, muted: [] })) / usual).toBeCloseTo(0.5, 2);
	});

	test('ends, begins again, or resumes at its current position', async () => {
		const once = (await renderSound({ sounds: [{ clip: 'short' }] })).left;
		expect(once.slice(0, 2).every((part) => part > 0.3)).toBe(true);
		expect(once.slice(3).every((part) => part === 0)).toBe(true);
		const looped = (await renderSound({ sounds: [{ clip: 'short', loop: true }] })).left;
		expect(looped.every((part) => part > 0.3)).toBe(true);
		// At tick 30, half a second of the sound remains.
		const late = (await renderSound({ sounds: [{}], tick: 30 })).left;
		expect(late.slice(0, 4).every((part) => part > 0.3)).toBe(true);
		expect(late.slice(6).every((part) => part === 0)).toBe(true);
		expect((await renderSound({ sounds: [{ clip: 'short' }], tick: 30 })).voices).toBe(0);
	});

	test('fades in', async () => {
		const { left } = await renderSound({ sounds: [{ fade_in: 48 }] });
		expect(left[0]!).toBeLessThan(0.05);
		expect(left[3]! / left[8]!).toBeCloseTo(0.44, 1);
	});

	test('played by a rule is heard once', async () => {
		const data = {
			clip: 'short',
			position: null,
			volume: 1,
			pitch: 1,
			max_distance: 50,
			falloff: 'square',
			bus: 'ui',
			priority: 1,
		};
		const event = { tick: 3, kind: 'sound_played', data };
		const { left, voices } = await renderSound({ events: [event], tick: 3 });
		expect(voices).toBe(1);
		expect(left[0]!).toBeGreaterThan(0.3);
		expect(left[4]).toBe(0);
	});

	test('that cannot be decoded, or does not exist, is reported', async () => {
		const { faults, voices } = await renderSound({ sounds: [{ clip: 'broken' }, { clip: 'nowhere' }] });
		expect(voices).toBe(0);
		expect(faults).toHaveLength(2);
	});
});

test('the view plays at most 32 sounds, chosen by priority, then by distance', async () => {
	const sounds = Array.from({ length: 40 }, (_, i) => ({
		volume: 0.01,
		position: [0, 0, -1 - i / 10] as const,
		priority: i < 2 ? 200 : 100,
	}));
	expect((await renderSound({ sounds })).voices).toBe(32);
});
