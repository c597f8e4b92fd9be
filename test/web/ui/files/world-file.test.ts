/**
 * Worlds as files and as links.
 * Owns: the tests of web/ui/files/world-file.ts.
 */

import { expect, test } from 'vitest';
import {
	fileName,
	readFile,
	readFragment,
	writeFile,
	writeFragment,
} from '../../../../web/ui/files/world-file.ts';

test('a world is restored from its file and from its link, and damaged ones are refused', async () => {
	const scenario = { name: 'Würfel', entities: [{ mesh: 'cube', position: [1, 2, 3] }] };
	const assets = [{ name: 'models/a.glb', data: 'AAAA' }];
	expect(readFile(writeFile({ scenario, assets }))).toEqual({ scenario, assets });
	expect(readFile(JSON.stringify(scenario))).toEqual({ scenario, assets: [] });
	expect(() => readFile('{')).toThrow('The file is not JSON');
	expect(() => readFile('[]')).toThrow('must be a JSON object');
	expect(() => readFile('{"format":"other"}')).toThrow('"other"');

	const fragment = await writeFragment(scenario);
	expect(fragment).toMatch(/^world=[\w-]+$/);
	expect(await readFragment(fragment)).toEqual({ scenario, assets: [] });
	await expect(readFragment(fragment.slice(0, -9))).rejects.toThrow('damaged');
	await expect(readFragment('world=%%')).rejects.toThrow('damaged');
	// The limit of size prevents a small link from filling the memory.
	const bomb = await writeFragment({ name: 'x'.repeat(9 * 2 ** 20) });
	await expect(readFragment(bomb)).rejects.toThrow('damaged');
	expect([fileName('Arena: Team A'), fileName('???')]).toEqual([
		'arena-team-a.orrery.json',
		'world.orrery.json',
	]);
});
