/**
 * Making a world by clicks, keys and drags, in the built page without a relay.
 * Owns: tests of rules as sentences and texts, zones and patrols in the picture, the timeline, files and links, the
 * hierarchy and the brush, forks side by side, and the odds of coming ticks.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decode } from 'fast-png';
import type { ElementHandle, Page } from 'puppeteer';
import send from 'send';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PAGE } from '../../../relay/folders.ts';
import { openingOf } from '../../../web/render/cameras.ts';
import { clickOn } from '../../support/click.ts';
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
	for (const fork of (await must('GET', '/fork/list')).forks) await must('DELETE', `/fork/${fork}`);
	await must('POST', '/reset', { fresh: true, seed: 0 });
	await goTo('make');
});

/** Goes to a view, and waits until no notice covers it. */
async function goTo(hash: string): Promise<void> {
	await page.evaluate((to) => {
		location.hash = to;
	}, hash);
	await page.keyboard.press('Escape');
	await page.waitForFunction(() => document.querySelector('.notices button') === null);
}

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

const click = (selector: string): Promise<void> => clickOn(page, selector);

const button = (words: string): Promise<void> => click(`.view-make button::-p-text(${words})`);

/** Types a text into a field and presses Enter. */
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

/** Returns the pixels for a metre in the picture, at a distance from the eye. */
async function pixelsPerMetre(distance: number): Promise<number> {
	const { fov_y } = await must('GET', '/camera');
	const { width, height } = await canvasBox();
	return height / 2 / (distance * Math.tan(fov_y / 2) * openingOf(width / height));
}

/** Moves the pointer to a point until the cursor shows that a handle is there. */
async function moveToHandle(x: number, y: number): Promise<void> {
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

const readRules = async () => (await must('GET', '/rule/list')).rules;

test('a trap is made by clicks: its zone is dragged, its odds change, and rules are filled in, picked, switched off, deleted', async () => {
	await must('POST', '/spawn', { mesh: 'cube', position: [-6, 0.5, -3], health: 100, name: 'Crate' });
	await must('POST', '/camera', { eye: [0, 0.5, 8], target: [0, 0.5, 0] });
	await button('Zones');
	const tile = (await (await page.waitForSelector('.spawn-palette button::-p-text(Trap)'))!.boundingBox())!;
	const { x, y, width, height } = await canvasBox();
	const middle = [x + width / 2, y + height / 2] as const;
	await drag([tile.x + 20, tile.y + 20], middle);
	// The tile is dropped on the sky, where nothing is hit, so the zone is placed at the origin.
	await expect
		.poll(async () => (await readRules())[0]?.when.zone)
		.toEqual({ center: [0, 0.5, 0], half: [2, 1, 2] });
	await page.waitForSelector('.rule-sentence::-p-text(When it enters the box around 0, 0.5, 0)');

	// One face of the box is dragged; the opposite face stays.
	const metre = await pixelsPerMetre(8);
	const face = [middle[0] + 2 * metre, middle[1]] as const;
	await moveToHandle(...face);
	await drag(face, [face[0] + metre, face[1]]);
	await expect.poll(async () => (await readRules())[0].when.zone.half[0]).toBeGreaterThan(2.3);
	const { center, half } = (await readRules())[0].when.zone;
	expect([center[0] - half[0], ...half.slice(1)].map((part) => Math.round(part * 100) / 100)).toEqual([
		-2, 1, 2,
	]);

	// Odds are exact, and follow the weights.
	expect(await page.$$eval('.odds-mark', (marks) => marks.map((mark) => mark.textContent))).toEqual([
		'1⁄4',
		'3⁄4',
	]);
	await fill('Weight of outcome snap', '3');
	await expect.poll(async () => (await readRules())[0].outcomes[0].weight).toBe(3);
	await page.waitForSelector('.odds-mark[title="one half"]');

	// As a text: Apply selects an error, and changes nothing until the text is valid.
	await button('Text');
	const text = (await page.waitForSelector(
		'[aria-label="The rule as a text"]',
	)) as ElementHandle<HTMLTextAreaElement>;
	expect(await text.evaluate(({ value }) => value.split('\n').slice(2))).toEqual([
		'odds 3 snap',
		'  do damage this 20',
		'odds 3 miss',
	]);
	await text.evaluate((field) => field.setSelectionRange(field.value.length, field.value.length));
	await text.type('\n  do damge this 5');
	await button('Apply');
	await page.waitForSelector('.clause ::-p-text(Line 6)');
	const selected = () =>
		text.evaluate((field) => field.value.slice(field.selectionStart, field.selectionEnd));
	expect([await selected(), (await readRules())[0].outcomes[1].do]).toEqual(['damge this 5', []]);
	await text.type('heal this 5');
	await button('Apply');
	await expect
		.poll(async () => (await readRules())[0].outcomes[1].do)
		.toEqual([{ action: 'heal', target: 'this', amount: 5 }]);

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
		.poll(async () => (await readRules())[1])
		.toMatchObject({
			name: 'Rot',
			when: { kind: 'tick', every: 2 },
			do: [{ action: 'damage', target: { entity: 0 }, amount: 7 }],
			enabled: true,
		});
	await must('POST', '/step', { ticks: 4 });
	await page.waitForSelector('.firings ::-p-text(Fired 2 times)');
	await button('Rules');
	const row = '[aria-label="Rot enabled"]';
	await click(row);
	await expect.poll(async () => (await readRules())[1].enabled).toBe(false);
	await page.waitForSelector('.firings ::-p-text(disabled)');
	await button('Delete');
	await expect.poll(async () => (await readRules()).length).toBe(1);
	await click('.undo-line button');
	await page.waitForSelector('.notices ::-p-text(Undone: Delete Rot.)');
	expect((await readRules())[1]).toMatchObject({ name: 'Rot', enabled: false });
	await button('Rules');
});

/** Returns the colour in the middle of the picture. */
async function middleColour() {
	const { x, y, width, height } = await canvasBox();
	const clip = { x: Math.round(x + width / 2), y: Math.round(y + height / 2), width: 2, height: 2 };
	const [red = 0, green = 0, blue = 0] = decode(
		await page.screenshot({ clip, captureBeyondViewport: false }),
	).data;
	return { red, green, blue };
}

async function isMagenta(): Promise<boolean> {
	const { red, green, blue } = await middleColour();
	return red > green * 1.5 && blue > green * 1.3;
}

/** Returns true for grass, and false for the floor of a world without ground. */
async function isGround(): Promise<boolean> {
	const { green, blue } = await middleColour();
	return blue < green * 0.65;
}

const boxOf = async (selector: string) => (await (await page.waitForSelector(selector))!.boundingBox())!;

test('the timeline is dragged to a tick inside a run: the picture shows it, and it is branched from there', async () => {
	await must('POST', '/camera', { eye: [0, 0.5, 3.5], target: [0, 0.5, 0] });
	await must('POST', '/spawn', {
		mesh: 'cube',
		color: 'magenta',
		position: [0, 0.5, 0],
		health: 1,
		name: 'Box',
	});
	await must('POST', '/step', { ticks: 200 });
	await must('POST', '/despawn', { entity_id: 0, entity_generation: 0 });
	await must('POST', '/step', { ticks: 400 });
	await expect.poll(isMagenta).toBe(false);
	await page.waitForSelector(
		'.timeline-sign[title="Delete entity 0"], .timeline-sign[title="Delete an entity"]',
	);
	const { x, y, width } = await boxOf('.timeline-track');
	await drag([x + width * 0.8, y + 30], [x + width * 0.2, y + 30]);
	await page.waitForSelector('.timeline-notes ::-p-text(Looking at tick 120 of main)');
	expect((await must('GET', '/fork/list')).details).toMatchObject([{ parent: 'main', tick: 120 }]);
	await expect.poll(isMagenta).toBe(true);
	await button('Back to now');
	await expect.poll(isMagenta).toBe(false);
	await expect.poll(async () => (await must('GET', '/fork/list')).count).toBe(0);

	await page.focus('.timeline-track');
	await page.keyboard.press('Home');
	await page.keyboard.press('ArrowRight');
	await page.keyboard.press('Enter');
	await page.waitForSelector('.timeline-notes ::-p-text(Looking at tick 1 of main)');
	await button('Branch here');
	await expect
		.poll(async () => (await must('GET', '/fork/list')).details)
		.toMatchObject([{ fork_id: 'past-1', tick: 1, entity_count: 1 }]);
	await page.waitForSelector('.notices ::-p-text(past-1 is main as it was at tick 1.)');
	await must('DELETE', '/fork/past-1');
	// A later notice would cover the elements that the next test clicks.
	await page.waitForSelector('.notices ::-p-text(The fork "past-1" no longer exists.)');
});

test('a new world is started, saved, opened from its file, and opened from its link', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'orrery-file-'));
	const entities = async () => (await must('POST', '/observe')).entities;
	try {
		await goTo('start');
		await click('[aria-label="New world: Ground"]');
		await page.waitForSelector('.view-make:not(.away)');
		expect(await entities()).toMatchObject([{ name: 'Ground', physics_body: 'Static' }]);
		// An uploaded model is part of a file, but not of a link.
		const glb = await page.evaluate(async () => {
			const bytes = await (await fetch('models/crate.glb')).arrayBuffer();
			return btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''));
		});
		const { hash } = await must('POST', '/asset/upload?name=own/box.glb', { data: glb });
		await must('POST', '/spawn', { mesh: 'own/box.glb', name: 'Own box' });

		await page.evaluate(() => {
			URL.createObjectURL = (file) => {
				void (file as Blob).text().then((text) => {
					document.body.dataset.saved = text;
				});
				return '#';
			};
			navigator.clipboard.writeText = async (text) => {
				document.body.dataset.copied = text;
			};
		});
		await button('Save as a file');
		await page.waitForSelector('body[data-saved]');
		const saved = await page.$eval('body', ({ dataset }) => dataset.saved!);
		expect(JSON.parse(saved).assets).toEqual([{ name: 'own/box.glb', data: glb }]);
		await button('Copy a link');
		await page.waitForSelector('.notices ::-p-text(Save the world as a file.)');
		await must('POST', '/reset', { fresh: true });
		await must('DELETE', `/asset/${hash}`);

		const path = join(folder, 'own.orrery.json');
		await writeFile(path, saved);
		await goTo('start');
		const file = (await page.waitForSelector(
			'[aria-label="File of a world"]',
		)) as ElementHandle<HTMLInputElement>;
		await file.uploadFile(path);
		await page.waitForSelector('.view-make:not(.away)');
		expect(await entities()).toMatchObject([{ name: 'Ground' }, { name: 'Own box' }]);
		expect((await must('GET', `/asset/${hash}`)).names).toEqual(['own/box.glb']);

		await must('POST', '/despawn', { entity_id: 1, entity_generation: 0 });
		await button('Copy a link');
		await page.waitForSelector('body[data-copied]');
		const link = await page.$eval('body', ({ dataset }) => dataset.copied!);
		await must('POST', '/reset', { fresh: true });
		await goTo(new URL(link).hash);
		await click('button::-p-text(Open it)');
		await page.waitForSelector('.view-make:not(.away)');
		expect(await entities()).toMatchObject([{ name: 'Ground' }]);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
});

test('a row is dragged under another; the brush raises ground and plants on it, each stroke as one step of undo', async () => {
	await must('POST', '/spawn', { mesh: 'cube', name: 'Cart', position: [2, 0, 0], scale: [2, 2, 2] });
	await must('POST', '/spawn', { mesh: 'cube', name: 'Wheel', position: [3, 1, 0] });
	await must('POST', '/terrain/create', { width: 33, height: 33, centered: true });
	await must('POST', '/camera', { eye: [0, 20, 0.1], target: [0, 0, 0] });
	const wheel = async () => await must('GET', '/entities/1');
	const middleOf = async (selector: string): Promise<readonly [number, number]> => {
		const { x, y, width, height } = await boxOf(selector);
		return [x + width / 2, y + height / 2];
	};
	// The rows do not move any more after the last one has appeared.
	await page.waitForSelector('#entity-2');
	await drag(await middleOf('#entity-1'), await middleOf('#entity-0'));
	await expect.poll(wheel).toMatchObject({
		parent: { id: 0 },
		local_transform: { position: [0.5, 0.5, 0], scale: [0.5, 0.5, 0.5] },
	});
	await page.waitForSelector('#entity-1[aria-level="3"]');
	await drag(await middleOf('#entity-1'), await middleOf('#group-w'));
	await expect.poll(wheel).toMatchObject({ local_transform: { position: [3, 1, 0], scale: [1, 1, 1] } });
	expect((await wheel()).parent ?? null).toBeNull();

	// Until the picture shows the ground, a stroke turns the camera instead.
	await expect.poll(isGround).toBe(true);
	const highest = async () => (await must('GET', '/terrain/list')).terrains[0].highest;
	await page.keyboard.press('b');
	await page.waitForSelector('.brush-bar select[aria-label="Stroke"]');
	const { x, y, width, height } = await canvasBox();
	const stroke = [
		[x + width * 0.35, y + height * 0.6],
		[x + width * 0.65, y + height * 0.6],
	] as const;
	await drag(...stroke);
	await expect.poll(highest).toBeGreaterThan(0.5);
	await click('.undo-line button');
	await page.waitForSelector('.notices ::-p-text(Undone: Brush the ground.)');
	expect(await highest()).toBe(0);
	await choose('Stroke', 'plants');
	await drag(...stroke);
	const plants = async () => (await must('GET', '/foliage/list')).layers;
	await expect.poll(async () => (await plants()).length).toBeGreaterThan(0);
	expect((await plants())[0].instance_count).toBeGreaterThan(0);
});

test('a waypoint of a selected guard is dragged in the picture, and the library places what its search finds', async () => {
	const waypoints = [
		[2, 0.5, 0],
		[-2, 0.5, 0],
	];
	await must('POST', '/spawn', { mesh: 'cube', name: 'Guard', position: [0, 0.5, 0], ai_patrol: waypoints });
	await must('POST', '/camera', { eye: [0, 8, 0.1], target: [0, 0, 0] });
	await click('#entity-0');
	// The previous test may have left the brush active, and a selection may resize the picture.
	await page.keyboard.press('g');
	await page.waitForSelector('#entity-0[aria-selected=true]');
	const { x, y, width, height } = await canvasBox();
	const metre = await pixelsPerMetre(7.5);
	const first = [x + width / 2 + 2 * metre, y + height / 2] as const;
	await moveToHandle(...first);
	await drag(first, [first[0], first[1] + metre]);
	const readWaypoints = async () => (await must('GET', '/entities/0')).ai_goal.waypoints;
	await expect.poll(async () => (await readWaypoints())[0][2]).toBeGreaterThan(0.6);
	expect((await readWaypoints())[1]).toEqual(waypoints[1]);
	await page.keyboard.press('n');
	await page.keyboard.type('cone');
	await page.keyboard.press('Enter');
	await page.waitForSelector('.tree-row[aria-selected=true] b ::-p-text(Cone 1)');
	await page.keyboard.press('F2');
	await page.waitForSelector('.inspector .name-editor:focus');
	await page.keyboard.press('Escape');
});

/** Returns a pixel of a picture in the view Forks. `x` and `y` are shares of its width and height. */
const pixelOf = (world: string, x: number, y: number): Promise<readonly number[]> =>
	page.$eval(
		`.world-pane[aria-label="${world}"] img`,
		async (image, x, y) => {
			const picture = image as HTMLImageElement;
			await picture.decode();
			const canvas = new OffscreenCanvas(picture.naturalWidth, picture.naturalHeight);
			const context = canvas.getContext('2d')!;
			context.drawImage(picture, 0, 0);
			return [...context.getImageData(x * canvas.width, y * canvas.height, 1, 1).data.slice(0, 3)];
		},
		x,
		y,
	);

const tickOf = async (world: string): Promise<number> => (await must('GET', `/digest?world=${world}`)).tick;

test('a fork is beside main: what moved is numbered, its ghost is drawn, and both are stepped together', async () => {
	await must('POST', '/camera', { eye: [0, 1, 8], target: [0, 1, 0] });
	await must('POST', '/spawn', {
		mesh: 'cube',
		color: 'magenta',
		position: [0, 1, 0],
		health: 9,
		name: 'Box',
	});
	await goTo('forks');
	await page.waitForSelector('.world-pane[aria-label="main"] img');
	await page.keyboard.press('b');
	await page.waitForSelector('.world-pane[aria-label="plan-1"] img');
	const isMagentaAt = async (world: string, x: number) => {
		const [red = 0, green = 0, blue = 0] = await pixelOf(world, x, 0.5);
		return red > green * 1.5 && blue > green * 1.3;
	};
	await expect.poll(() => isMagentaAt('plan-1', 0.5)).toBe(true);
	const sky = await pixelOf('plan-1', 0.8, 0.5);

	await must('POST', '/entities/0/components?world=plan-1', { position: [3, 1, 0], health: 4 });
	const rows = () =>
		page.$$eval('.world-pane[aria-label="plan-1"] tbody tr', (all) =>
			all.map((row) => [...row.children].map((cell) => cell.textContent?.trim())),
		);
	await expect.poll(rows).toEqual([
		['1', 'Box health', '9 →', '4 HP'],
		['2', 'Box place', '', '3 m away'],
	]);
	await expect
		.poll(() => page.$$eval('.pin', (pins) => pins.map((pin) => pin.textContent)))
		.toEqual(['1, 2', '1', '2']);
	// At the position of the box in main, the picture of main shows the box, and that of the fork a ghost.
	const isGreenish = async () => {
		const [red = 0, green = 0] = await pixelOf('plan-1', 0.5, 0.5);
		return green > red * 1.2;
	};
	await expect.poll(isGreenish).toBe(true);
	expect([await isMagentaAt('main', 0.5), await isMagentaAt('plan-1', 0.5)]).toEqual([true, false]);
	expect(await pixelOf('plan-1', 0.5, 0.5)).not.toEqual(sky);

	await page.keyboard.press('.');
	await expect.poll(async () => [await tickOf('main'), await tickOf('plan-1')]).toEqual([1, 1]);
	await click('button::-p-text(Together)');
	await page.keyboard.press('.');
	await expect.poll(async () => [await tickOf('main'), await tickOf('plan-1')]).toEqual([1, 2]);
	// The button is enabled when the page has noticed that the ticks differ.
	await click('button:not(:disabled)::-p-text(Same tick)');
	await expect.poll(() => tickOf('main')).toBe(2);
	await click('button::-p-text(Promote)');
	await page.waitForSelector('.world-pane.two[aria-label="was-main-1"]');
	expect((await must('GET', '/fork/list')).details).toMatchObject([
		{ parent: 'main', parent_tick: 0, tick: 2 },
	]);
	await must('DELETE', '/fork/was-main-1');
});

test('odds run to the next draw, open as a tree whose branch becomes a fork, and answer a typed condition', async () => {
	await must('POST', '/spawn', { gold: 0, tags: ['purse'], name: 'Purse' });
	await must('POST', '/rule/create', {
		name: 'Coin',
		when: { kind: 'tick', every: 50 },
		outcomes: [
			{ label: 'heads', weight: 1, do: ['add_field tag:purse gold 1'] },
			{ label: 'tails', weight: 3 },
		],
	});
	await goTo('odds');
	await page.waitForSelector('.view-odds:not(.away)');
	await page.keyboard.press('c');
	await expect.poll(() => tickOf('main')).toBe(49);
	await page.waitForSelector('.odds-head ::-p-text(Tick 50 has 2 outcomes)');
	await click('.odds-head button::-p-text(Tree)');
	const row = '.draw-tree [role=treeitem]';
	await page.waitForSelector(row);
	await page.focus(row);
	await page.keyboard.press('ArrowDown');
	await page.keyboard.press('ArrowRight');
	await page.waitForSelector(`${row}[aria-level="2"]`);
	const ways = await page.$$eval(`${row}[aria-level="2"]`, (all) =>
		all.map((candidate) =>
			[...candidate.children].map((part) => part.textContent).filter((text) => text !== ''),
		),
	);
	expect(ways).toEqual([
		['tails', '3/4', '3⁄16', '0.1875', 'tick 100', expect.stringMatching(/^signature /)],
		['heads', '1/4', '1⁄16', '0.0625', 'tick 100', expect.stringMatching(/^signature /)],
	]);
	await click('.odds-head button::-p-text(Ask)');
	await (await page.waitForSelector('[aria-label="Condition"]'))!.type('field:gold>=2 & tag:purse');
	await fill('Ticks', '60');
	await page.waitForSelector('.question-answer ::-p-text(one sixteenth)');
	await click('.odds-head button::-p-text(Tree)');
	await click('[aria-label="Branch along heads"]');
	await page.waitForSelector('.world-pane[aria-label="heads-1"]');
	expect(await tickOf('heads-1')).toBe(50);
	await must('DELETE', '/fork/heads-1');
});
