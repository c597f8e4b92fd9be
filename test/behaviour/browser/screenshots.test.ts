/** Screenshots in several formats, from several cameras, with reports and labels. */

import { writeFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import type {} from '../../web/render/page/world.ts';
import { type Lab, openLab } from './lab.ts';

let lab: Lab;

beforeAll(async () => {
	lab = await openLab();
});

const SIZE = 'width=160&height=90';

/** Fetches a screenshot as bytes, with its media type. */
async function fetchPicture(query: string, accept: string) {
	const { status, type, text } = await lab.page.evaluate(
		(path, wanted) => window.lab.call('GET', path, undefined, wanted),
		`/screenshot?${SIZE}${query}`,
		accept,
	);
	expect(status, text.slice(0, 300)).toBe(200);
	return { type, bytes: Buffer.from(text, 'base64') };
}

test('formats, cameras, reports and labels show one scene with a hidden box', async () => {
	const wall = { mesh: 'cube', color: 'red', position: [-2, 1, 0], scale: [3, 3, 0.5], name: 'wall' };
	const spy = { mesh: 'cube', color: 'green', position: [-2, 1, -3], tags: ['spy'] };
	const side = { mesh: 'cube', color: 'blue', position: [3, 1, 0], scale: [2, 2, 2] };
	const away = { mesh: 'cube', position: [80, 1, 0] };
	for (const body of [wall, spy, side, away]) await lab.must('POST', '/spawn', body);
	await lab.must('POST', '/camera', { eye: [0, 1, 10], target: [0, 1, 0] });

	// Formats. The default is PNG.
	const plain = await fetchPicture('', 'image/png');
	expect([plain.type, plain.bytes.subarray(1, 4).toString()]).toEqual(['image/png', 'PNG']);
	const fine = await fetchPicture('&format=jpeg&quality=95', 'image/*');
	const coarse = await fetchPicture('&format=jpeg&quality=10', 'image/*');
	expect([fine.type, fine.bytes[0], fine.bytes[1]]).toEqual(['image/jpeg', 0xff, 0xd8]);
	expect(coarse.bytes.length).toBeLessThan(fine.bytes.length);
	const webp = await fetchPicture('&format=webp', 'image/*');
	expect([webp.type, webp.bytes.subarray(8, 12).toString()]).toEqual(['image/webp', 'WEBP']);

	// The report of the world's camera.
	const one = await lab.must('GET', `/screenshot?${SIZE}&report=true`);
	const [{ report, data, type }] = one.pictures;
	expect([type, Buffer.from(data, 'base64').equals(plain.bytes)]).toEqual(['image/png', true]);
	expect(report).toMatchObject({ entity_count: 2, hidden_count: 1 });
	// 2 x 2 m at 9 m and 3 x 3 m at 9.75 m, in 90 pixels of 2 * tan(22.5 degrees) * distance.
	const [first, second] = report.entities;
	expect([first.id, first.generation, first.name, second.id]).toEqual([0, 0, 'wall', 2]);
	expect(Math.abs(first.box.width - 33.4)).toBeLessThan(3);
	// The lowest half metre of the wall is below the ground.
	expect(Math.abs(first.box.height - 27.8)).toBeLessThan(3);
	expect(first.pixels).toBeLessThanOrEqual(first.box.width * first.box.height);
	expect(first.pixels).toBeGreaterThan(800);
	expect(second.box.left).toBeGreaterThan(first.box.left + first.box.width);
	expect(report.hidden).toEqual([
		{ id: 1, generation: 0, tags: ['spy'], box: expect.any(Object), hidden_by: 0 },
	]);

	// Two cameras: seen from behind, the box is in front of the wall, and nothing is hidden.
	const back = { eye: [-2, 1, -12], target: [-2, 1, 0] };
	const two = ['POST', `/screenshot?${SIZE}&report=true`, { cameras: [{}, back] }] as const;
	const both = await lab.must(...two);
	expect([both.tick, both.state_digest]).toEqual([one.tick, one.state_digest]);
	expect(both.pictures[0]).toEqual(one.pictures[0]);
	const behind = both.pictures[1].report;
	expect(behind.entities.map(({ id }: { id: number }) => id).sort()).toEqual([0, 1, 2]);
	expect(behind.hidden).toEqual([]);
	expect((await lab.must('GET', '/camera')).eye).toEqual([0, 1, 10]);
	expect(await lab.must(...two)).toEqual(both);

	// Labels change the picture near the boxes, and only there.
	const labelled = await lab.picture('labels', 160, 90, '&annotate=true');
	const bare = await lab.picture('bare', 160, 90);
	const changed = (left: number, right: number) => {
		let count = 0;
		for (let y = 0; y < 90; y++)
			for (let x = left; x < right; x++) if (labelled.at(x, y).join() !== bare.at(x, y).join()) count++;
		return count;
	};
	expect(changed(first.box.left, first.box.left + first.box.width)).toBeGreaterThan(50);
	expect(changed(0, first.box.left - 1)).toBe(0);

	const folder = process.env.KEEP_PICTURES;
	if (folder !== undefined) {
		await lab.picture('large', 960, 540, '&annotate=true');
		await writeFile(`${folder}/plain.webp`, webp.bytes);
	}
});
