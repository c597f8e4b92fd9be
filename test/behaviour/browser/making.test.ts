/**
 * Making a world by clicks, keys and drags, in the built page without a relay.
 * Owns: rules as sentences, zones in the picture, the timeline, files and links, the hierarchy and the brush.
 */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ElementHandle, Page } from 'puppeteer';
import send from 'send';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PAGE } from '../../../relay/folders.ts';
import { openTabs, type Tabs } from './tabs.ts';

let site: Server;
let url: string;
let browser: Tabs;
let page: Page;

beforeAll(async () => {
	site = createServer((request, response) => {
		send(request, request.url!.split('?')[0]!, { root: PAGE }).pipe(response);
	});
	await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
	browser = await openTabs(960, 640);
	page = await browser.newPage();
	await page.goto(`${url}#make`);
	await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
});

afterAll(async () => {
	await browser?.close();
	site?.close();
});

beforeEach(async () => {
	await must('POST', '/reset', { fresh: true, seed: 0 });
});

// biome-ignore lint/suspicious/noExplicitAny: answers are compared with what a test expects of them
const must = async (method: string, path: string, body?: object): Promise<any> => {
	const answer = await page.evaluate(
		async (method, path, body) => {
			const headers = { 'content-type': 'application/json' };
			const sent = body === undefined ? {} : { body: JSON.stringify(body) };
			return (await fetch(`.${path}`, { method, headers, ...sent })).json();
		},
		method,
		path,
		body,
	);
	expect(answer, `${method} ${path}`).toMatchObject({ ok: true });
	return answer;
};

const click = async (selector: string): Promise<void> => {
	await (await page.waitForSelector(selector))!.click();
};

const button = (words: string): Promise<void> => click(`.view-make button::-p-text(${words})`);

/** Puts a text into a field and leaves it. */
const fill = async (label: string, text: string): Promise<void> => {
	const field = (await page.waitForSelector(`[aria-label="${label}"]`)) as ElementHandle<HTMLInputElement>;
	await field.click({ count: 3 });
	await field.type(text);
	await page.keyboard.press('Enter');
};

const choose = async (label: string, word: string): Promise<void> => {
	const select = (await page.waitForSelector(
		`select[aria-label="${label}"]`,
	)) as ElementHandle<HTMLSelectElement>;
	const value = await select.evaluate(
		(element, wanted) => [...element.options].find((option) => option.text === wanted)?.value,
		word,
	);
	await select.select(value!);
};

const canvasBox = async () =>
	(await (await page.waitForSelector('.view-make canvas.picture'))!.boundingBox())!;

/** Pixels of a metre across the picture, at a distance from the eye. */
async function pixelsPerMetre(distance: number): Promise<number> {
	const { fov_y } = await must('GET', '/camera');
	return (await canvasBox()).height / 2 / (distance * Math.tan(fov_y / 2));
}

/** Moves the pointer to a point until the picture tells that something can be dragged there. */
async function overHandle(x: number, y: number): Promise<void> {
	await expect
		.poll(async () => {
			await page.mouse.move(x - 1, y + 1);
			await page.mouse.move(x, y);
			return page.$eval('.view-make canvas.picture', (canvas) => (canvas as HTMLElement).style.cursor);
		})
		.toBe('grab');
}

async function drag(from: readonly [number, number], to: readonly [number, number]): Promise<void> {
	await page.mouse.move(...from);
	await page.mouse.down();
	await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 3 });
	await page.mouse.move(...to, { steps: 3 });
	await page.mouse.up();
}

const rulesNow = async () => (await must('GET', '/rule/list')).rules;

test('a trap is made by clicks: its zone is dragged, its odds change, and rules are filled in, picked, switched off, deleted', async () => {
	await must('POST', '/spawn', { mesh: 'cube', position: [0, 0.5, -3], health: 100, name: 'Crate' });
	await must('POST', '/camera', { eye: [0, 1, 8], target: [0, 1, 0] });
	await button('Zones');
	const tile = (await (await page.waitForSelector('.spawn-palette button::-p-text(Trap)'))!.boundingBox())!;
	const { x, y, width, height } = await canvasBox();
	const middle = [x + width / 2, y + height / 2] as const;
	await drag([tile.x + 20, tile.y + 20], middle);
	// In the sky there is nothing to land on: it is put at the origin.
	await expect
		.poll(async () => (await rulesNow())[0]?.when.zone)
		.toEqual({ center: [0, 1, 0], half: [2, 1, 2] });
	await page.waitForSelector('.rule-sentence::-p-text(When it enters the box around 0, 1, 0)');

	// The face of the box is dragged; the one across stays.
	const metre = await pixelsPerMetre(8);
	const face = [middle[0] + 2 * metre, middle[1]] as const;
	await overHandle(...face);
	await drag(face, [face[0] + metre, face[1]]);
	await expect.poll(async () => (await rulesNow())[0].when.zone.half[0]).toBeGreaterThan(2.3);
	const { center, half } = (await rulesNow())[0].when.zone;
	expect([center[0] - half[0], ...half.slice(1)].map((part) => Math.round(part * 100) / 100)).toEqual([
		-2, 1, 2,
	]);

	// Odds are exact, and follow the weights.
	expect(await page.$$eval('.odds-mark', (marks) => marks.map((mark) => mark.textContent))).toEqual([
		'1⁄4',
		'3⁄4',
	]);
	await fill('Weight of outcome snap', '3');
	await expect.poll(async () => (await rulesNow())[0].outcomes[0].weight).toBe(3);
	await page.waitForSelector('.odds-mark[title="one half"]');

	// Another rule, filled in; the entity is picked in the list.
	await button('Rules');
	await button('New rule');
	await choose('When', 'tick');
	await fill('When every', '2');
	await choose('Action 1', 'damage');
	await choose('Action 1 target', 'entity');
	await click('.rule-form button[title^="Click an entity"]:not([aria-pressed="true"]) ::-p-text(Pick)');
	await page.keyboard.press('Escape');
	expect(await page.$('.view-make button[aria-pressed="true"] ::-p-text(Pick)')).toBeNull();
	await click('.actions button[title^="Click an entity"]');
	await button('Rules');
	await click('#entity-0');
	await fill('Action 1 amount', '7');
	await fill('name', 'Rot');
	await button('Create the rule');
	await expect
		.poll(async () => (await rulesNow())[1])
		.toMatchObject({
			name: 'Rot',
			when: { kind: 'tick', every: 2 },
			do: [{ action: 'damage', target: { entity: 0 }, amount: 7 }],
			enabled: true,
		});
	await must('POST', '/step', { ticks: 4 });
	await page.waitForSelector('.firings ::-p-text(Fired 2 times)');
	await button('Rules');
	const row = '.rule-row ::-p-aria([name="Rot enabled"])';
	await click(row);
	await expect.poll(async () => (await rulesNow())[1].enabled).toBe(false);
	await page.waitForSelector('.firings ::-p-text(disabled)');
	await button('Delete');
	await expect.poll(async () => (await rulesNow()).length).toBe(1);
	await page.click('.undo-line button');
	await page.waitForSelector('.notices ::-p-text(Undone: Delete Rot.)');
	expect((await rulesNow())[1]).toMatchObject({ name: 'Rot', enabled: false });
});
