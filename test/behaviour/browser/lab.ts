/**
 * An engine and its view in one page, for tests of pictures.
 * Owns: the page. Tests send calls and get pictures.
 */

import { writeFile } from 'node:fs/promises';
import { decode } from 'fast-png';
import type { Page } from 'puppeteer';
import { expect, inject } from 'vitest';
import type {} from '../../web/render/page/world.ts';
import { openTabs, type Tabs } from './tabs.ts';

export type Rgb = readonly [red: number, green: number, blue: number];

export interface Picture {
	readonly width: number;
	readonly height: number;
	/** Returns the pixel in column x of row y, from the top left. */
	at(x: number, y: number): Rgb;
	/** Returns the mean colour of a rectangle, in shares of the picture. */
	mean(left: number, top: number, right: number, bottom: number): Rgb;
	readonly bytes: Uint8Array;
}

export interface Lab {
	readonly page: Page;
	// biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects of them
	call(method: string, path: string, body?: unknown): Promise<any>;
	/** Makes a call that must succeed. Returns its answer. */
	// biome-ignore lint/suspicious/noExplicitAny: as above
	must(method: string, path: string, body?: unknown): Promise<any>;
	/** Takes a picture. It is also written to the folder in the environment variable KEEP_PICTURES, if that is set. */
	picture(name: string, width?: number, height?: number, query?: string): Promise<Picture>;
	/** Waits for an entity at a point of the live picture, and returns its id. `x` and `y` are shares of the picture. */
	pick(x: number, y: number): Promise<number>;
	/** Waits for a complete live picture of this number of entities, and returns the number of its draw calls. */
	drawCalls(entities: number): Promise<number>;
	/** Kills the GPU process. Resolves when the view has another device. */
	loseDevice(): Promise<void>;
	close(): Promise<void>;
}

/** Lab in the Chromium of this worker. */
let shared: Promise<Lab> | undefined;

/**
 * Returns the lab that the test files of this worker share, with an empty world. Sharing saves the compilation of shaders.
 * The lab ends with the run.
 */
export async function openLab(): Promise<Lab> {
	shared ??= newLab();
	// If it did not open, or has crashed, the next file opens another one.
	const forget = (): void => {
		shared = undefined;
	};
	const lab = await shared.catch((error: unknown) => {
		forget();
		throw error;
	});
	lab.page.once('error', forget);
	const { forks } = await lab.must('GET', '/fork/list');
	for (const fork of forks) await lab.must('DELETE', `/fork/${fork}`);
	await lab.must('POST', '/reset', { fresh: true });
	return lab;
}

/** Opens the shared lab. Its live picture is drawn only while a test waits for it, because drawing it doubles the work. */
async function newLab(): Promise<Lab> {
	const lab = await openLabIn(await openTabs(160, 90, 1), inject('viewPage'));
	await lab.page.evaluate(() => window.lab.view.setShown(false));
	// Closing does nothing, because the next file uses it, too.
	return { ...lab, close: async () => {} };
}

/** Opens a lab in `browser`, which closes with it. Its live picture is always drawn. */
export async function openLabIn(browser: Tabs, url: string): Promise<Lab> {
	const page = await browser.newPage();
	const faults: string[] = [];
	page.on('pageerror', (error) => faults.push(String(error)));
	page.on('console', (message) => {
		if (message.type() === 'error') faults.push(message.text());
	});
	page.on('workercreated', (worker) =>
		worker.on('console', (message) => {
			if (message.type() === 'error') faults.push(message.text());
		}),
	);
	await page.goto(`${url}world.html`);
	const ask = (method: string, path: string, body?: unknown, accept?: string) =>
		page.evaluate(
			(...[how, where, what, wanted]: [string, string, unknown, string | undefined]) =>
				window.lab.call(how, where, what, wanted),
			method,
			path,
			body,
			accept,
		);
	const call: Lab['call'] = async (method, path, body) => {
		const { status, text } = await ask(method, path, body);
		return { status, ...JSON.parse(text) };
	};
	return {
		page,
		call,
		async must(method, path, body) {
			const answer = await call(method, path, body);
			expect(answer, `${method} ${path}`).toMatchObject({ ok: true });
			return answer;
		},
		async picture(name, width = 160, height = 90, query = '') {
			const where = `/screenshot?width=${width}&height=${height}${query}`;
			const { status, text } = await ask('GET', where, undefined, 'image/png');
			const events = await page.evaluate(() =>
				window.lab.events.filter(({ type }) => type === 'unavailable'),
			);
			expect({ status, events, faults }, text.slice(0, 300)).toEqual({ status: 200, events: [], faults: [] });
			const png = Buffer.from(text, 'base64');
			const folder = process.env.KEEP_PICTURES;
			if (folder !== undefined) await writeFile(`${folder}/${name}.png`, png);
			return pictureOf(png);
		},
		async pick(x, y) {
			await page.evaluate(() => window.lab.view.setShown(true));
			const found = await page.waitForFunction(
				async (across, down) => {
					const { clientWidth, clientHeight } = document.querySelector('canvas')!;
					const hit = await window.lab.view.pick(across * clientWidth, down * clientHeight);
					return hit === null ? null : { id: hit.id };
				},
				{},
				x,
				y,
			);
			await page.evaluate(() => window.lab.view.setShown(false));
			return ((await found.jsonValue()) as { id: number }).id;
		},
		async drawCalls(entities) {
			const from = await page.evaluate(() => {
				window.lab.view.setShown(true);
				return window.lab.events.length;
			});
			const drawn = await page.waitForFunction(
				(count, first) => {
					const last = window.lab.events.slice(first).findLast((event) => event.type === 'drawn');
					return last?.type === 'drawn' && last.count === count && last.complete && last.draw_calls;
				},
				{},
				entities,
				from,
			);
			await page.evaluate(() => window.lab.view.setShown(false));
			return (await drawn.jsonValue()) as number;
		},
		async loseDevice() {
			const devices = () => window.lab.events.filter(({ type }) => type === 'gpu').length;
			const before = await page.evaluate(devices);
			const session = await page.browser().target().createCDPSession();
			await session.send('Browser.crashGpuProcess');
			await page.waitForFunction(
				(count) => window.lab.events.filter(({ type }) => type === 'gpu').length > count,
				{},
				before,
			);
			await session.detach();
			// The browser's messages about the lost process are not faults of the page.
			faults.length = 0;
		},
		close: () => browser.close(),
	};
}

function pictureOf(png: Uint8Array): Picture {
	const { width, height, data, channels } = decode(png);
	const at = (x: number, y: number): Rgb => {
		const from = (y * width + x) * channels;
		return [data[from]!, data[from + 1]!, data[from + 2]!];
	};
	return {
		width,
		height,
		bytes: png,
		at,
		mean(left, top, right, bottom) {
			const sum = [0, 0, 0];
			let count = 0;
			for (let y = Math.floor(top * height); y < bottom * height; y++)
				for (let x = Math.floor(left * width); x < right * width; x++) {
					at(x, y).forEach((part, i) => {
						sum[i]! += part;
					});
					count++;
				}
			return sum.map((part) => part / count) as unknown as Rgb;
		},
	};
}
