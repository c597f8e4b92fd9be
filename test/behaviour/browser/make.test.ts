/**
 * Editing in the picture: dragging a handle is one call and one step of undo.
 * Owns: the test of the whole path in a browser, from the pointer to the world and back to the picture.
 */

import { decode } from 'fast-png';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CallRecord } from '../../../web/frames/frames.ts';
import { clickOn } from '../../support/click.ts';
import { type Stage, startStage } from './stage.ts';
import { openTabs } from './tabs.ts';

let stage: Stage;

beforeAll(async () => {
	stage = await startStage(await openTabs(960, 640));
});
afterAll(() => stage?.close());
// A failed test may leave a button or a key pressed.
beforeEach(async () => {
	await stage.host.mouse.reset();
	await stage.host.keyboard.up('Control');
});

test('a handle is dragged: the picture follows, one call moves the entity, undo takes it back, and it is duplicated', async () => {
	await stage.fresh(true);
	const { host } = stage;
	const must = async (method: string, path: string, body?: object) => {
		const answer = await stage.call(method, path, body);
		expect(answer.body, `${method} ${path}`).toMatchObject({ ok: true });
		return answer.body;
	};
	await must('POST', '/spawn', { mesh: 'cube', color: 'magenta', position: [0, 0.5, 0] });
	await must('POST', '/camera', { eye: [0, 0.5, 3.5], target: [0, 0.5, 0] });
	const readPositions = async (): Promise<number[][]> => {
		const { entities } = await must('POST', '/observe');
		return entities.map(({ local_transform }: { local_transform: { position: number[] } }) =>
			local_transform.position.map((part) => Math.round(part * 1e4) / 1e4),
		);
	};
	const readOwnCalls = async (): Promise<readonly CallRecord[]> =>
		(await must('GET', '/watch')).calls.filter(({ sender }: CallRecord) => sender === 'you');

	await host.evaluate(() => {
		location.hash = 'make';
	});
	const canvas = await host.waitForSelector('.view-make canvas.picture');
	await clickOn(host, '#entity-0');
	await host.keyboard.press('g');
	const box = (await canvas!.boundingBox())!;
	const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
	/** Returns true if the pixel `right` and `down` of the picture's middle is magenta. */
	const isPainted = async (right: number, down = 12): Promise<boolean> => {
		const clip = { x: Math.round(x + right), y: Math.round(y + down), width: 2, height: 2 };
		const [red = 0, green = 0, blue = 0] = decode(
			await host.screenshot({ clip, captureBeyondViewport: false }),
		).data;
		return red > green * 1.5 && blue > green * 1.3;
	};
	await expect.poll(() => isPainted(0)).toBe(true);
	expect(await isPainted(60)).toBe(false);

	// The cursor shows that the pointer is over the handle.
	await expect
		.poll(async () => {
			await host.mouse.move(x + 58, y + 1);
			await host.mouse.move(x + 60, y);
			return canvas!.evaluate((element) => element.style.cursor);
		})
		.toBe('grab');
	const before = (await readOwnCalls()).length;
	await host.mouse.down();
	await host.mouse.move(x + 90, y, { steps: 3 });
	await host.mouse.move(x + 130, y, { steps: 4 });
	await expect.poll(async () => [await isPainted(60), await isPainted(0)]).toEqual([true, false]);
	expect(await readPositions()).toEqual([[0, 0.5, 0]]);
	await host.mouse.up();

	await expect.poll(async () => (await readPositions())[0]![0]).toBeGreaterThan(0);
	const [[right = 0, ...rest] = []] = await readPositions();
	expect([right % 0.5, rest]).toEqual([0, [0.5, 0]]);
	const callRecords = (await readOwnCalls()).slice(before);
	expect(callRecords.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /entities/0/components']);
	expect(await isPainted(60)).toBe(true);

	await host.keyboard.down('Control');
	await host.keyboard.press('z');
	await host.waitForSelector('.notices ::-p-text(Undone: Move Box 0.)');
	expect(await readPositions()).toEqual([[0, 0.5, 0]]);
	await expect.poll(() => isPainted(0)).toBe(true);
	await host.keyboard.press('d');
	await host.keyboard.up('Control');
	await expect.poll(readPositions).toEqual([
		[0, 0.5, 0],
		[1, 0.5, 0],
	]);
	await host.waitForSelector('#entity-1[aria-selected="true"]');
});
