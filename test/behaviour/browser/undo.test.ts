/**
 * Undo in the page: it undoes the last change of the person, unless later changes depend on it.
 * Owns: the test of the whole path in a browser, from a key or button to the state digest.
 */

import type { KeyInput } from 'puppeteer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stage, startStage } from './stage.ts';
import { openTabs } from './tabs.ts';

let stage: Stage;

beforeAll(async () => {
	stage = await startStage(await openTabs(960, 640));
});
afterAll(() => stage?.close());

test('a person names a spawn in the tree and in the heading, finds it, and undoes it', async () => {
	await stage.fresh();
	const { host } = stage;
	const name = async () => (await stage.call('POST', '/observe', {})).body.entities[0]?.name;
	await host.evaluate(() => {
		location.hash = 'make';
	});
	await host.click('.spawn-palette ::-p-text(Box)');
	await host.waitForSelector('.tree-row[aria-selected=true] b ::-p-text(Box 1)');
	await host.focus('[role=tree]');
	await host.keyboard.press('F2');
	await host.waitForSelector('.tree-row .name-editor:focus');
	await host.keyboard.type('Oak 3');
	await host.keyboard.press('Enter');
	await expect.poll(name).toBe('Oak 3');
	const heading = await host.waitForSelector('.inspector h2 ::-p-text(Oak 3)');
	await heading!.click({ count: 2 });
	await host.waitForSelector('.inspector .name-editor:focus');
	await host.keyboard.type('Elm');
	await host.keyboard.press('Enter');
	await expect.poll(name).toBe('Elm');
	await host.click('[data-search]');
	await host.keyboard.type('elm');
	await host.waitForSelector('.tree-row mark ::-p-text(Elm)');
	await host.keyboard.press('Escape');
	await host.click('.undo-line [aria-label=Undo]');
	await expect.poll(name).toBe('Oak 3');
});

test("undo and redo apply to this page's changes, and changes that others built on them stay", async () => {
	await stage.fresh();
	const { host } = stage;
	const agent = { 'content-type': 'application/json', 'x-agent': 'agent-3' };
	const must = async (method: string, path: string, body?: object) => {
		const answer = await stage.call(method, path, body, agent);
		expect(answer.body, `${method} ${path}`).toMatchObject({ ok: true });
		return answer.body;
	};
	const digest = async (): Promise<string> => (await must('GET', '/digest')).state_digest;
	const untilDigest = (wanted: string) => expect.poll(digest).toBe(wanted);
	const untilNotice = (words: string) => host.waitForSelector(`.notices ::-p-text(${words})`);
	const close = async () => {
		await host.click('.notice [aria-label=Close]');
		await host.waitForSelector('.notice', { hidden: true });
	};
	const spawn = async (name: string, entities: number) => {
		await host.click(`.spawn-palette ::-p-text(${name})`);
		await expect.poll(async () => (await must('POST', '/observe')).entities.length).toBe(entities);
	};
	const keys = async (...keyInputs: readonly KeyInput[]) => {
		for (const key of keyInputs) await host.keyboard.down(key);
		await host.keyboard.press('z');
		for (const key of keyInputs) await host.keyboard.up(key);
	};

	await host.evaluate(() => {
		location.hash = 'make';
	});
	await host.waitForSelector('.undo-line');
	await spawn('Box', 1);
	await must('POST', '/fork', { fork_id: 'alone' });
	await spawn('Ball', 2);
	await must('POST', '/step', { ticks: 30 });
	const both = await digest();
	const one = (await must('POST', '/step?world=alone', { ticks: 30 })).state_digest;
	expect(one).not.toBe(both);

	// Undo and redo of the ball keep the agent's ticks.
	await keys('Meta');
	await untilNotice('Undone: Spawn Ball');
	await untilDigest(one);
	await close();
	await keys('Control', 'Shift');
	await untilNotice('Redone: Spawn Ball');
	await untilDigest(both);
	await close();

	// In a field, Ctrl+Z undoes the typing only.
	await host.click('[data-search]');
	await host.keyboard.type('b');
	await keys('Control');
	await host.keyboard.press('Escape');
	expect(await digest()).toBe(both);

	await must('POST', '/entities/1/components', { gold: 5 });
	const rich = await digest();
	await host.click('.undo-line [aria-label=Undo]');
	await untilNotice('Undo was refused.');
	await untilNotice('of "agent-3"');
	expect(await digest()).toBe(rich);
	await close();
	await must('POST', '/undo');
	await untilDigest(both);

	// Undo works while time runs.
	await must('POST', '/play');
	await expect.poll(async () => (await must('GET', '/digest')).tick).toBeGreaterThan(40);
	await host.click('.undo-line [aria-label=Undo]');
	await untilNotice('Undone: Spawn Ball');
	const { tick: then } = await must('GET', '/digest');
	await expect.poll(async () => (await must('GET', '/digest')).tick).toBeGreaterThan(then);
	await must('POST', '/pause');
	const { tick, state_digest } = await must('GET', '/digest');
	const apart = await must('POST', '/step?world=alone', { ticks: tick - 30 });
	expect(state_digest).toBe(apart.state_digest);
	await close();

	await host.click('.latest-calls ::-p-text(History)');
	const row = await host.waitForSelector('::-p-xpath(//tr[contains(., "agent-3") and contains(., "/step")])');
	await (await row!.waitForSelector('button'))!.click();
	await untilNotice('past-1 is main as it was at tick 30.');
	expect((await must('GET', '/digest?world=past-1')).state_digest).toBe(both);
	expect(await digest()).toBe(state_digest);
});
