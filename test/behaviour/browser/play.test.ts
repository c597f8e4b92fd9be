/**
 * A game played in the page: keys move the hero through calls that any client can repeat.
 * Owns: the test of the whole path in a browser, from a key to the state digest.
 */

import { setTimeout } from 'node:timers/promises';
import { decode } from 'fast-png';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CallRecord } from '../../../web/frames/frames.ts';
import { PATIENCE } from '../../support/patience.ts';
import { type Stage, startStage } from './stage.ts';
import { openTabs } from './tabs.ts';

let stage: Stage;
let hero: number;
/** Number of started worlds. */
let worlds = 0;
/** Start position of a hero, in metres. It differs from the default target of the camera. */
const HERO_START = [6, 0, 4] as const;

beforeAll(async () => {
	stage = await startStage(await openTabs(1280, 720, 1));
});
afterAll(() => stage?.close());

const must = async (method: string, path: string, body?: unknown) => {
	const answer = await stage.call(method, path, body);
	expect([answer.status, answer.body.ok], `${method} ${path}: ${JSON.stringify(answer.body)}`).toEqual([
		answer.status < 300 ? answer.status : 200,
		true,
	]);
	return answer.body;
};
const clickOn = (selector: string) =>
	stage.host
		.waitForSelector(selector)
		.then(() => stage.host.$eval(selector, (found) => (found as HTMLElement).click()));
const readPosition = async (): Promise<readonly number[]> =>
	(await must('GET', `/entities/${hero}`)).local_transform.position;
/** Polls ten times a second, because more polls would slow the game down. */
const POLL_MS = 100;
const until = async (name: string, holds: () => Promise<boolean>): Promise<void> => {
	const end = performance.now() + PATIENCE;
	while (!(await holds())) {
		if (performance.now() > end) throw new Error(`${name}: not within ${PATIENCE / 1000} s.`);
		await setTimeout(POLL_MS);
	}
};
const readHeldKeys = async (): Promise<readonly { key: string }[]> => (await must('GET', '/input/list')).held;

/** Returns the number of pixels of about this colour, around the hero. */
async function countPixels(...color: readonly number[]): Promise<number> {
	const clip = { x: 540, y: 300, width: 200, height: 140 };
	const { data, channels } = decode(await stage.host.screenshot({ type: 'png', clip }));
	let count = 0;
	for (let at = 0; at < data.length; at += channels)
		if (color.every((part, i) => Math.abs(part - data[at + i]!) < 24)) count++;
	return count;
}

/** Returns the share of green pixels in an element. */
async function greenShare(selector: string): Promise<number> {
	const clip = (await (await stage.host.waitForSelector(selector))!.boundingBox())!;
	const { data, channels } = decode(await stage.host.screenshot({ type: 'png', clip }));
	let count = 0;
	for (let at = 0; at < data.length; at += channels)
		if (data[at + 1]! > 1.25 * Math.max(data[at]!, data[at + 2]!)) count++;
	return (count * channels) / data.length;
}

/** Creates a hero, and takes it over in the view Play, with time running. */
beforeEach(async () => {
	await stage.host.evaluate(() => {
		location.hash = 'start';
	});
	await stage.fresh();
	await must('POST', '/pause');
	// The hero has another id in each test, so a name label with its id belongs to this world, not to the last picture.
	for (let i = 0; i < worlds; i++) await must('POST', '/spawn', { position: [0, -5, 0] });
	worlds++;
	const ground = { mesh: 'cube', color: 'green', position: [0, -1, 0], scale: [60, 1, 60] };
	await must('POST', '/spawn', ground);
	hero = (
		await must('POST', '/spawn', {
			mesh: 'cube',
			role: 'hero',
			team: 1,
			health: 100,
			physics_body: 'Kinematic',
			combat: true,
			combat_speed: 5,
			march: [0, 0, 0],
			position: HERO_START,
		})
	).id;
	await stage.host.evaluate(() => {
		location.hash = 'play';
	});
	await clickOn('.pause .primary');
	await clickOn('.watch-plate .primary');
	await stage.host.waitForSelector('.hero-plate:not(.watch-plate)');
	// Input is ignored until time runs.
	await stage.host.waitForSelector('.pause', { hidden: true });
});

test('keys move the hero, and the same calls on a fork give the same digest', async () => {
	const { keyboard } = stage.host;
	await keyboard.press('Escape');
	await stage.host.waitForSelector('.pause');
	const { tick: from } = await must('GET', '/digest');
	const { calls } = await must('GET', '/watch');
	const before = Math.max(...calls.map(({ number }: CallRecord) => number));
	await must('POST', '/fork', { fork_id: 'again' });

	await keyboard.press('Escape');
	await until('Time runs', async () => (await must('GET', '/digest')).tick > from);
	const [x = 0] = await readPosition();
	await keyboard.down('ArrowRight');
	await until('East', async () => (await readPosition())[0]! > x + 1);
	await keyboard.down('f');
	await keyboard.down('ArrowDown');
	await keyboard.up('ArrowRight');
	await until('South', async () => (await readPosition())[2]! > HERO_START[2] + 1);
	await keyboard.up('f');
	await keyboard.up('ArrowDown');
	// Keys that change the view in other views do nothing in the game.
	await keyboard.press('1');
	await keyboard.press('o');
	expect(await stage.host.evaluate(() => location.hash)).toBe('#play');
	await until('Nothing is held', async () => (await readHeldKeys()).length === 0);
	await keyboard.press('Escape');
	await stage.host.waitForSelector('.pause');

	const { tick: to, state_digest } = await must('GET', '/digest');
	const since: CallRecord[] = (await must('GET', `/watch?after=${before}`)).calls;
	const played = since.filter(({ path, sender }) => path.startsWith('/input/') && sender === 'you');
	expect(played.map(({ path }) => path.replace('/input/', ''))).toEqual([
		'press',
		'press',
		'press',
		'release',
		'release',
		'release',
	]);
	const keys = ['ArrowRight', 'F', 'ArrowDown', 'ArrowRight', 'F', 'ArrowDown'];
	const inputs = played.map(({ path, tick }, index) => ({
		at: tick - from,
		key: keys[index],
		entity_id: hero,
		...(path === '/input/release' ? { release: true } : { hold: true }),
	}));
	const again = await must('POST', '/fork/again/step', { ticks: to - from, inputs });
	expect([again.new_tick, again.state_digest]).toEqual([to, state_digest]);
});

test('the mouse sends the hero to a point on the ground, and a closed page releases all keys', async () => {
	const { keyboard, mouse } = stage.host;
	// The camera has reached the hero when its name is in the middle of the picture.
	await until('The camera is with the hero', async () =>
		stage.host.evaluate((id) => {
			const name = document.querySelector(`.name-labels [data-id="${id}"]:not([hidden])`);
			const picture = document.querySelector('canvas.picture');
			if (name === null || picture === null) return false;
			const middle = (of: Element): number => {
				const { left, width } = of.getBoundingClientRect();
				return left + width / 2;
			};
			return Math.abs(middle(name) - middle(picture)) < 1;
		}, hero),
	);
	// The ring under the played hero is brass; nothing else in this world is.
	await until('A ring is under the hero', async () => (await countPixels(0xf0, 0xd3, 0x9a)) > 60);
	await mouse.click(900, 300, { button: 'right' });
	await until('On the way', async () => {
		const [x, , z] = await readPosition();
		return x! > HERO_START[0] + 1 && z! < HERO_START[2] - 0.5;
	});
	await keyboard.down('ArrowLeft');
	await until('The key is held', async () => (await readHeldKeys()).some(({ key }) => key === 'ArrowLeft'));
	await stage.host.evaluate(() => dispatchEvent(new Event('blur')));
	await until('The key is released', async () => (await readHeldKeys()).length === 0);
	await keyboard.up('ArrowLeft');
});

test('the page reports a fall and a return of the hero, and the end plate blocks input', async () => {
	const { keyboard } = stage.host;
	await must('POST', '/entity/damage', { entity_id: hero, amount: 1000 });
	await stage.host.waitForSelector('.down-plate ::-p-text(You have fallen)');
	await stage.host.waitForSelector('.feed ::-p-text(You are back)');
	await stage.host.waitForSelector('.down-plate', { hidden: true });

	await must('POST', '/game/create', { mode: 'duel', score_limit: 5 });
	await must('POST', '/game/end', { winner_team: 1 });
	await stage.host.waitForSelector('.pause ::-p-text(You win with Lapis)');
	const { calls } = await must('GET', '/watch');
	const before = Math.max(...calls.map(({ number }: CallRecord) => number));
	await keyboard.down('ArrowRight');
	await keyboard.press('f');
	await keyboard.up('ArrowRight');
	await keyboard.press('Escape');
	// When this later call of the page is answered, earlier ones have arrived.
	await stage.host.evaluate(() => fetch('./digest'));
	const since: CallRecord[] = (await must('GET', `/watch?after=${before}`)).calls;
	const written = since.filter(({ method }) => method === 'POST').map(({ path }) => path);
	expect(written.filter((path) => /^\/(input|play|pause)/.test(path))).toEqual([]);
	await must('DELETE', '/game/state');
});

test('F walks to an enemy out of reach; the end plate tells the story and links to its turning point', async () => {
	await stage.host.waitForSelector('.map image');
	await until('The ground is on the map', async () => (await greenShare('.map svg')) > 0.2);
	await must('POST', '/spawn', {
		name: 'Rook',
		mesh: 'cube',
		role: 'hero',
		team: 2,
		health: 5,
		position: [HERO_START[0] + 9, 0, HERO_START[2]],
	});
	await must('POST', '/game/create', { mode: 'duel', score_limit: 1 });
	await until('Rook is seen', async () =>
		stage.host.evaluate(() => document.querySelector('.score')?.textContent?.includes('Vermilion') === true),
	);
	await stage.host.keyboard.press('f');
	await stage.host.waitForSelector('.end-story ::-p-text(killed Rook)');
	await stage.host.waitForSelector('.end-story ::-p-text(You brought down 1)');
	await clickOn('.pause button::-p-text(Look back)');
	await stage.host.waitForSelector('.view-make:not(.away) ::-p-text(Looking at tick)');
	expect((await must('GET', '/fork/list')).forks).toEqual(['look-1']);
});
