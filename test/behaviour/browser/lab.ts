/**
 * An engine and its view in one page, for tests that look at what calls do to a picture.
 * Owns: the browser and the page; calls go in and pictures come out.
 */

import { writeFile } from 'node:fs/promises';
import { decode } from 'fast-png';
import { expect } from 'vitest';
import { type LaunchOptions, launchBrowser } from '../../support/browser.ts';
import type {} from '../../web/render/page/world.ts';
import { servePage } from '../../web/render/serve-page.ts';

export type Rgb = readonly [red: number, green: number, blue: number];

export interface Picture {
	readonly width: number;
	readonly height: number;
	/** The pixel in column x of row y, from the top left. */
	at(x: number, y: number): Rgb;
	/** The mean colour of a rectangle, in shares of the picture. */
	mean(left: number, top: number, right: number, bottom: number): Rgb;
	readonly bytes: Uint8Array;
}

export interface Lab {
	// biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects of them
	call(method: string, path: string, body?: unknown): Promise<any>;
	/** The same, which must succeed. */
	// biome-ignore lint/suspicious/noExplicitAny: as above
	must(method: string, path: string, body?: unknown): Promise<any>;
	/** A picture; kept as a file in the folder that the environment variable KEEP_PICTURES names. */
	picture(name: string, width?: number, height?: number, query?: string): Promise<Picture>;
	/** The entity at a point of the live picture, in shares of it, once there is one. */
	pick(x: number, y: number): Promise<number>;
	/** Draw calls of the live picture, once it shows so many entities and nothing else is to come. */
	drawCalls(entities: number): Promise<number>;
	/** Milliseconds of work for one live picture, on average for so long, with calls one after the other meanwhile or none. */
	pictureTime(ms: number, calls: boolean): Promise<number>;
	/** Takes the GPU's process away, and settles when the view has another device. */
	loseDevice(): Promise<void>;
	close(): Promise<void>;
}

export async function openLab(options: LaunchOptions = {}): Promise<Lab> {
	const served = await servePage();
	const browser = await launchBrowser({ width: 160, height: 90, ...options });
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
	await page.goto(`${served.url}world.html`);
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
			return ((await found.jsonValue()) as { id: number }).id;
		},
		async drawCalls(entities) {
			const drawn = await page.waitForFunction(
				(count) => {
					const last = window.lab.events.findLast((event) => event.type === 'drawn');
					return last?.type === 'drawn' && last.count === count && last.complete && last.draw_calls;
				},
				{},
				entities,
			);
			return (await drawn.jsonValue()) as number;
		},
		pictureTime: (ms, calls) =>
			page.evaluate(
				async (long, busy) => {
					const from = window.lab.events.length;
					const end = performance.now() + long;
					while (performance.now() < end) {
						if (busy) await window.lab.call('GET', '/digest');
						await new Promise((rest) => setTimeout(rest, busy ? 0 : 100));
					}
					let [pictures, work] = [0, 0];
					for (const event of window.lab.events.slice(from)) {
						if (event.type !== 'drawn') continue;
						pictures += event.pictures;
						work += event.pictures * event.submit_ms;
					}
					return work / pictures;
				},
				ms,
				calls,
			),
		async loseDevice() {
			const devices = () => window.lab.events.filter(({ type }) => type === 'gpu').length;
			const before = await page.evaluate(devices);
			const session = await browser.target().createCDPSession();
			await session.send('Browser.crashGpuProcess');
			await page.waitForFunction(
				(count) => window.lab.events.filter(({ type }) => type === 'gpu').length > count,
				{},
				before,
			);
			await session.detach();
			// What the browser itself says of the lost process is no fault of the page.
			faults.length = 0;
		},
		async close() {
			await browser.close();
			await served.close();
		},
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
