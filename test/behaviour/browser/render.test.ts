/**
 * The view in a real browser, with a fake engine: captures, picks, hidden tabs, lost devices, idling.
 * Owns: tests that need pixels. The maths is tested in `test/web/render` without a browser.
 */

import { decode } from 'fast-png';
import type { Browser, Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { CaptureRequest, Channel, ShownElement } from '../../../web/frames/frames.ts';
import { depthMetres, segmentationId } from '../../../web/render/channels.ts';
import { launchBrowser, newTab } from '../../support/browser.ts';
import { times } from '../../support/seed.ts';
import type {} from '../../web/render/page/main.ts';

interface Picture {
	readonly width: number;
	readonly height: number;
	/** Red, green and blue of the pixel in column x of row y, from the top left. */
	at(x: number, y: number): [number, number, number];
	/** Colour of each pixel as one number. */
	readonly pixels: Uint32Array;
}

/** Draws with WebGPU. Hidden tabs are throttled as in a normal browser. */
let browser: Browser;

beforeAll(async () => {
	browser = await launchBrowser({ width: 320, height: 200, throttled: true });
});

afterAll(() => browser?.close());

async function open(program: Browser, query = ''): Promise<Page> {
	const page = await newTab(program);
	await page.goto(`${inject('viewPage')}?${query}`);
	return page;
}

async function capture(
	page: Page,
	channel: Channel,
	width: number,
	height: number,
	more: Partial<CaptureRequest> = {},
): Promise<Picture> {
	const request: CaptureRequest = { channel, width, height, ...more };
	const answer = await page.evaluate((captureRequest) => window.trial.capture(captureRequest), request);
	if (answer.png === undefined) throw new Error(answer.error);
	const image = decode(Buffer.from(answer.png, 'base64'));
	const { data, channels } = image;
	const pixels = new Uint32Array(image.width * image.height);
	for (let index = 0; index < pixels.length; index++) {
		const from = index * channels;
		pixels[index] = data[from]! + data[from + 1]! * 256 + data[from + 2]! * 65536;
	}
	return {
		width: image.width,
		height: image.height,
		pixels,
		at: (x, y) => {
			const from = (y * image.width + x) * channels;
			return [data[from]!, data[from + 1]!, data[from + 2]!];
		},
	};
}

/** Returns the number of pixels of each entity in a segmentation picture. The key null counts pixels without an entity. */
function idsOf(picture: Picture): Map<number | null, number> {
	const counts = new Map<number | null, number>();
	for (const code of picture.pixels) {
		const id = segmentationId(code & 255, (code >> 8) & 255, code >> 16);
		counts.set(id, (counts.get(id) ?? 0) + 1);
	}
	return counts;
}

const SHAPE_IDS = [7, 1007, 2007, 3007, 4007, 5007];

describe.each([
	{ name: 'WebGPU in a Worker', graphics: 'webgpu', query: '', backend: 'webgpu' },
	{ name: 'WebGL 2, for want of WebGPU', graphics: 'webgl2', query: '', backend: 'webgl2' },
	{ name: 'WebGPU on the main thread', graphics: 'webgpu', query: 'here', backend: 'webgpu' },
] as const)('captures with $name', ({ graphics, query, backend }) => {
	let ownBrowser: Browser | undefined;
	let page: Page;
	/** Declares a test whose result does not depend on the thread. On the main thread only `npm run deep` runs it. */
	const onAnyThread = test.skipIf(query === 'here' && times(1) === 1);

	beforeAll(async () => {
		if (graphics !== 'webgpu')
			ownBrowser = await launchBrowser({ width: 320, height: 200, throttled: true, graphics });
		page = await open(ownBrowser ?? browser, query);
		await page.evaluate(() => window.trial.show('shapes'));
	});

	afterAll(async () => {
		await page?.close();
		await ownBrowser?.close();
	});

	test('the very first segmentation shows exactly the entities, by exact id', async () => {
		const picture = await capture(page, 'segmentation', 201, 101);
		expect([picture.width, picture.height]).toEqual([201, 101]);
		const ids = idsOf(picture);
		expect([...ids.keys()].sort((a, b) => Number(a) - Number(b))).toEqual([null, ...SHAPE_IDS]);
		for (const id of SHAPE_IDS) expect(ids.get(id)).toBeGreaterThan(20);
		const reported = await page.evaluate(() => window.trial.events.find((event) => event.type === 'gpu'));
		expect(reported).toMatchObject({ type: 'gpu', info: { backend } });
	});

	onAnyThread('rows run from top to bottom and columns from left to right', async () => {
		// The six shapes are side by side along x, seen from the front, in the lower half of the picture.
		await page.evaluate(() => window.trial.look([0, 1.5, 12], [0, 1.5, 0]));
		const picture = await capture(page, 'segmentation', 200, 100);
		const rows: number[] = [];
		const firstColumn = new Map<number, number>();
		for (let y = 0; y < picture.height; y++) {
			for (let x = 0; x < picture.width; x++) {
				const id = segmentationId(...picture.at(x, y));
				if (id === null) continue;
				rows.push(y);
				firstColumn.set(id, Math.min(firstColumn.get(id) ?? Infinity, x));
			}
		}
		expect(Math.min(...rows)).toBeGreaterThan(50);
		const order = [...firstColumn].sort((a, b) => a[1] - b[1]).map(([id]) => id);
		expect(order).toEqual(SHAPE_IDS);
		await page.evaluate(() => window.trial.show('shapes'));
	});

	onAnyThread('depth is the distance along the view axis, to the millimetre', async () => {
		// The camera looks straight at the front face of the first cube, at z = 0.5. All of the face has one depth.
		await page.evaluate(() => window.trial.look([-4, 0.5, 6.25], [-4, 0.5, 0]));
		const picture = await capture(page, 'depth', 101, 101);
		expect(depthMetres(...picture.at(50, 50))).toBeCloseTo(5.75, 3);
		expect(depthMetres(...picture.at(45, 55))).toBeCloseTo(5.75, 3);
		expect(depthMetres(...picture.at(2, 2))).toBeNull();
		await page.evaluate(() => window.trial.show('shapes'));
	});

	test('color shows plate, backdrop and paint, and the same frame gives the same picture', async () => {
		const first = await capture(page, 'color', 240, 135);
		const picture = await capture(page, 'color', 240, 135);
		expect(picture.pixels).toEqual(first.pixels);
		const [skyRed, skyGreen, skyBlue] = first.at(120, 2);
		expect(skyBlue).toBeGreaterThan(skyRed);
		expect(skyRed + skyGreen + skyBlue).toBeLessThan(120);
		const [red, green, blue] = first.at(120, 125);
		expect(green).toBeGreaterThan(blue);
		expect(red + green + blue).toBeGreaterThan(250);
		expect(new Set(first.pixels).size).toBeGreaterThan(500);
	});

	onAnyThread('a picture of a single colour is valid', async () => {
		// The camera sees only a tiny part of the first cube's top.
		const above = { orthographic: true, ortho_size: 0.01, up: [0, 0, -1] as [number, number, number] };
		await page.evaluate((more) => window.trial.look([-4, 6, 0.2], [-4, 0, 0.2], more), above);
		const top = await capture(page, 'color', 40, 30);
		expect(new Set(top.pixels).size).toBe(1);
		for (const channel of ['segmentation', 'depth'] as const)
			expect(new Set((await capture(page, channel, 40, 30)).pixels).size).toBe(1);
		await page.evaluate(() => window.trial.show('shapes'));
		expect(new Set((await capture(page, 'color', 40, 30)).pixels).size).toBeGreaterThan(100);
	});

	test('texts appear at their position in the colour channel only', async () => {
		const bare = await capture(page, 'color', 240, 135);
		const ids = await capture(page, 'segmentation', 240, 135);
		await page.evaluate(() => window.trial.write('Treasure', 0.5, 0.2));
		const written = await capture(page, 'color', 240, 135);
		expect((await capture(page, 'segmentation', 240, 135)).pixels).toEqual(ids.pixels);
		await page.evaluate(() => window.trial.write(''));
		expect((await capture(page, 'color', 240, 135)).pixels).toEqual(bare.pixels);
		const changed = [...written.pixels.keys()].filter((at) => written.pixels[at] !== bare.pixels[at]);
		const columns = changed.map((at) => at % 240);
		const rows = changed.map((at) => Math.floor(at / 240));
		// 24 px letters are half as high in a picture this small.
		expect(Math.min(...rows)).toBeGreaterThanOrEqual(26);
		expect(Math.max(...rows)).toBeLessThan(26 + 24);
		expect((Math.min(...columns) + Math.max(...columns)) / 2).toBeCloseTo(119.5, -1);
		// Light letters on a dark plate.
		const inks = changed.map((at) => written.pixels[at]! & 255);
		expect(Math.min(...inks)).toBeLessThan(60);
		expect(Math.max(...inks)).toBeGreaterThan(180);
	});

	onAnyThread(
		'bars have their fill, rectangles their position, and a picture without HUD has neither',
		async () => {
			const bare = await capture(page, 'color', 240, 135);
			const common = { until: null, anchor: 'top-left', y: 0.2, height: 0.2 } as const;
			await page.evaluate((shown) => window.trial.overlay(shown), [
				{ ...common, type: 'bar', id: 'bar', x: 0, width: 0.5, fill: 0.5, color: '1,0,0' },
				{ ...common, type: 'rect', id: 'rect', x: 0.75, width: 0.25, color: '0,0,1', opacity: 1 },
			] as ShownElement[]);
			const picture = await capture(page, 'color', 240, 135);
			const without = await capture(page, 'color', 240, 135, { hud: false });
			await page.evaluate(() => window.trial.write(''));
			expect(without.pixels).toEqual(bare.pixels);
			const row = 40;
			expect(picture.at(30, row)).toEqual([255, 0, 0]);
			expect(picture.at(57, row)).toEqual([255, 0, 0]);
			expect(Math.max(...picture.at(64, row))).toBeLessThan(60);
			expect(picture.at(182, row)).toEqual([0, 0, 255]);
			expect(picture.at(239, row)).toEqual([0, 0, 255]);
			for (const [x, y] of [
				[150, row],
				[30, 20],
				[30, 60],
				[178, row],
			] as const)
				expect(picture.at(x, y)).toEqual(bare.at(x, y));
		},
	);

	test('a hidden tab takes pictures too', async () => {
		const before = await capture(page, 'color', 160, 90);
		const other = await newTab(page.browser());
		await other.bringToFront();
		expect(await page.evaluate(() => document.hidden)).toBe(true);
		await page.evaluate(() => window.trial.show('pile'));
		const picture = await capture(page, 'color', 160, 90);
		expect(picture.pixels).not.toEqual(before.pixels);
		expect(idsOf(await capture(page, 'segmentation', 160, 90)).size).toBeGreaterThan(30);
		await other.close();
		await page.bringToFront();
	});
});

describe('a picture that fails is reported, whatever the target contains', () => {
	let page: Page;

	beforeAll(async () => {
		page = await open(browser, 'here');
		await page.evaluate(() => window.trial.show('shapes'));
	});

	afterAll(() => page?.close());

	/** Lets the GPU refuse all drawing commands, or silently lose them; null ends the fault. */
	function setFault(kind: 'refused' | 'lost' | null): Promise<void> {
		return page.evaluate((wanted) => {
			const state = window as { fault?: typeof wanted };
			const isPatched = 'fault' in state;
			state.fault = wanted;
			if (isPatched) return;
			const drawing = new WeakSet<GPUCommandEncoder | GPUCommandBuffer>();
			const { beginRenderPass, finish } = GPUCommandEncoder.prototype;
			const { submit } = GPUQueue.prototype;
			GPUCommandEncoder.prototype.beginRenderPass = function (descriptor) {
				const pass = beginRenderPass.call(this, descriptor);
				const { drawIndexed } = pass;
				pass.drawIndexed = (...counts) => {
					drawing.add(this);
					drawIndexed.apply(pass, counts);
				};
				return pass;
			};
			GPUCommandEncoder.prototype.finish = function (descriptor) {
				// An open debug group makes all commands of the buffer invalid.
				if (state.fault === 'refused' && drawing.has(this)) this.pushDebugGroup('open');
				const buffer = finish.call(this, descriptor);
				if (drawing.has(this)) drawing.add(buffer);
				return buffer;
			};
			GPUQueue.prototype.submit = function (buffers) {
				submit.call(
					this,
					[...buffers].filter((candidate) => state.fault !== 'lost' || !drawing.has(candidate)),
				);
			};
		}, kind);
	}

	test.each([
		['refused', 'The GPU refused to draw the picture'],
		['lost', 'The GPU accepted the commands but drew nothing'],
	] as const)('%s, and the next one is drawn', async (kind, message) => {
		const before = await capture(page, 'color', 160, 90);
		await setFault(kind);
		for (const channel of ['color', 'segmentation', 'depth'] as const)
			await expect(capture(page, channel, 160, 90)).rejects.toThrow(message);
		await setFault(null);
		expect((await capture(page, 'color', 160, 90)).pixels).toEqual(before.pixels);
	});
});

describe('the live view', () => {
	let page: Page;

	beforeAll(async () => {
		page = await open(browser);
		await page.setViewport({ width: 480, height: 270 });
		await page.evaluate(() => window.trial.show('shapes'));
		await page.waitForFunction(() => window.trial.events.some((e) => e.type === 'drawn' && e.count === 6));
	});

	afterAll(() => page?.close());

	test('reports each text written over the picture once to the page', async () => {
		const readHudEvents = () =>
			page.evaluate(() =>
				window.trial.events.flatMap((event) =>
					event.type === 'hud'
						? [
								event.elements
									.map((element) => (element.type === 'text' ? element.text : element.type))
									.join(),
							]
						: [],
				),
			);
		await page.evaluate(() => window.trial.write('Treasure'));
		await page.waitForFunction(() =>
			window.trial.events.some((event) => event.type === 'hud' && event.elements.length === 1),
		);
		await page.evaluate(() => window.trial.write(''));
		const requestCount = await page.evaluate(() => window.trial.asked);
		await page.waitForFunction((before) => window.trial.asked > before + 3, {}, requestCount);
		expect(await readHudEvents()).toEqual(['', 'Treasure', '']);
	});

	test('a click selects the entity that the segmentation shows, and captures have no selection line', async () => {
		const picture = await capture(page, 'segmentation', 480, 270);
		const before = await capture(page, 'color', 240, 135);
		for (const [x, y] of [
			[90, 130],
			[270, 130],
			[240, 260],
			[142, 132],
		] as const) {
			const expected = segmentationId(...picture.at(x, y));
			const hit = await page.evaluate((a, b) => window.trial.pick(a, b), x, y);
			expect(hit?.id ?? null).toBe(expected);
		}
		await page.mouse.click(90, 130);
		await page.waitForFunction(() => window.trial.events.some((e) => e.type === 'selected'));
		const selected = await page.evaluate(() => window.trial.events.find((e) => e.type === 'selected'));
		expect(selected).toEqual({ type: 'selected', entities: [{ id: 7, generation: 1 }], isAdding: false });
		expect((await capture(page, 'color', 240, 135)).pixels).toEqual(before.pixels);
	});

	test('a paused, still world costs no picture', async () => {
		// Waits until the view has sent no events for 1.5 s. On a busy machine, the last picture takes a while.
		await page.waitForFunction(() => {
			const { events } = window.trial;
			const state = window as unknown as { still?: { events: number; since: number } };
			if (state.still?.events !== events.length)
				state.still = { events: events.length, since: performance.now() };
			return performance.now() - state.still.since > 1500;
		});
	});

	test('thousands of moving entities need few draws', async () => {
		await page.evaluate(() => {
			window.trial.show('swarm', 3000);
			window.trial.play();
		});
		await page.waitForFunction(
			() =>
				window.trial.events.filter((e) => e.type === 'drawn' && e.count === 3000 && e.tick > 30).length > 1,
		);
		const last = await page.evaluate(() => window.trial.events.findLast((e) => e.type === 'drawn'));
		expect(last).toMatchObject({ count: 3000 });
		if (last?.type === 'drawn') expect(last.draw_calls).toBeLessThan(12);
	});

	test('a lost GPU process is replaced, also twice', async () => {
		const session = await browser.target().createCDPSession();
		await page.evaluate(() => window.trial.show('shapes'));
		for (let times = 2; times <= 3; times++) {
			await session.send('Browser.crashGpuProcess');
			await page.waitForFunction(
				(count) => window.trial.events.filter((e) => e.type === 'gpu').length >= count,
				{},
				times,
			);
			const ids = idsOf(await capture(page, 'segmentation', 200, 100));
			expect([...ids.keys()].filter((id) => id !== null).sort((a, b) => a! - b!)).toEqual(SHAPE_IDS);
		}
	});
});

test('without WebGPU and WebGL 2, the view reports that it cannot draw, and a capture is an error', async () => {
	const blind = await launchBrowser({ width: 320, height: 200, graphics: 'none' });
	try {
		const page = await open(blind);
		await page.waitForFunction(() => window.trial.events.some((e) => e.type === 'unavailable'));
		const event = await page.evaluate(() => window.trial.events.find((e) => e.type === 'unavailable'));
		expect(event).toMatchObject({ message: expect.stringContaining('cannot draw the world') });
		await expect(capture(page, 'color', 64, 64)).rejects.toThrow('cannot draw the world');
	} finally {
		await blind.close();
	}
});
