/**
 * The conformance suite through the doors of the page, on an engine in headless Chromium: the relay and the service worker.
 * Owns: carrying calls to a page in large batches, and their number: to these doors, all bodies are alike. Each route has its
 * examples tried, and is refused bad calls, at one of them.
 */

import type { Page } from 'puppeteer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WireRequest, WireResponse } from '../../../shared/contract/wire.ts';
import { describeConformance, type TestedTransport } from '../transport/conformance.ts';
import { type Stage, startStage } from './stage.ts';

let stage: Stage;
/** Another tab of the same origin, whose calls the service worker takes. */
let neighbour: Page;

beforeAll(async () => {
	stage = await startStage();
	neighbour = await stage.browser.newPage();
	await neighbour.goto(`${stage.url}/digest`);
	// A hidden tab is slow to start its picture.
	await stage.host.bringToFront();
});

afterAll(() => stage?.close());

test('the neighbour speaks to the engine through the service worker', async () => {
	const answered = neighbour.waitForResponse((response) => response.url().endsWith('/fork/list'));
	await inPage([{ method: 'GET', path: '/fork/list', query: '', headers: {}, body: new Uint8Array(0) }]);
	expect((await answered).fromServiceWorker()).toBe(true);
});

/** The checks behind the doors are the same as in process, where all values are tried. */
const FAR = {
	reset: (needs?: string) => stage.fresh(needs === 'view'),
	refusalsPerLook: 40,
	maxBodies: 2,
	has: { view: true, files: true },
	async close() {},
} satisfies Omit<TestedTransport, 'handle'>;

describeConformance('through the relay', async () => ({ ...FAR, handle: stage.handle }), {
	far: { half: 0, refusals: 3 },
});

describeConformance(
	'through the service worker',
	async () => ({ ...FAR, handle: async (request) => (await inPage([request]))[0]!, handleAll: inPage }),
	{ far: { half: 1, refusals: 3 } },
);

/** Maximum numbers of calls, and of bytes of their bodies, that go to the page together. */
const BATCH_CALLS = 500;
const BATCH_BYTES = 6_000_000;

const BLANK = 0x20;

/** Makes calls with `fetch` in the neighbour, in order. */
async function inPage(requests: readonly WireRequest[]): Promise<WireResponse[]> {
	const answers: WireResponse[] = [];
	for (let at = 0; at < requests.length; ) {
		let bytes = 0;
		let end = at;
		while (end < requests.length && end - at < BATCH_CALLS && (end === at || bytes < BATCH_BYTES))
			bytes += requests[end++]!.body.length;
		answers.push(...(await batch(requests.slice(at, end))));
		at = end;
	}
	return answers;
}

async function batch(requests: readonly WireRequest[]): Promise<WireResponse[]> {
	const sent = requests.map(({ method, path, query, headers, body }) => {
		// Bodies over the limit are mostly blanks; these are made in the page, which takes seconds off every test.
		const end = body.findLastIndex((byte) => byte !== BLANK) + 1;
		return {
			method,
			url: query === '' ? path : `${path}?${query}`,
			headers: { ...headers },
			body: Buffer.from(body.subarray(0, end)).toString('base64'),
			length: body.length,
		};
	});
	const got = await neighbour.evaluate(async (calls) => {
		const bytesOf = (text: string, length: number) => {
			const bytes = new Uint8Array(length).fill(0x20);
			bytes.set(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
			return bytes;
		};
		const textOf = (bytes: Uint8Array) => {
			let text = '';
			for (let i = 0; i < bytes.length; i += 8192)
				text += String.fromCharCode(...bytes.subarray(i, i + 8192));
			return btoa(text);
		};
		const answers: { status: number; headers: [string, string][]; body: string }[] = [];
		for (const { method, url, headers, body, length } of calls) {
			const sends = method !== 'GET' && method !== 'HEAD' && length > 0;
			const answer = await fetch(url, { method, headers, ...(sends ? { body: bytesOf(body, length) } : {}) });
			answers.push({
				status: answer.status,
				headers: [...answer.headers],
				body: textOf(new Uint8Array(await answer.arrayBuffer())),
			});
		}
		return answers;
	}, sent);
	return got.map(({ status, headers, body }) => ({
		status,
		headers: Object.fromEntries(headers),
		body: Buffer.from(body, 'base64'),
	}));
}
