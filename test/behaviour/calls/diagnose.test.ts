/** Findings of GET /diagnose. */

import { expect, test } from 'vitest';
import { playing } from '../../support/playing.ts';

const { post, get, spawn, kill, step, change } = playing();
/** Returns true if GET /diagnose reports that an entity stays dead. */
const isReportedDead = async (id: number): Promise<boolean> =>
	(await get('/diagnose')).warnings.some((line: string) => line.startsWith(`E${id} is dead`));

test('team members that will not return are named, but not those that will, corpses and ruins', async () => {
	const hero = await spawn({ health: 10, team: 1, role: 'hero' });
	const minion = await spawn({ health: 10, team: 1, role: 'minion' });
	const loner = await spawn({ health: 10 });
	const tower = await spawn({ building_type: 'tier1_tower', team: 1 });
	const all = [hero, minion, loner, tower];
	for (const id of all) await kill(id);
	await step(2);
	for (const id of all) expect(await isReportedDead(id), String(id)).toBe(false);
	await change(hero, { remove: ['respawn_timer'] });
	expect(await isReportedDead(hero)).toBe(true);
});

test('a missing match is reported only when it matters', async () => {
	const matches = async () =>
		(await get('/diagnose')).info.filter((line: string) => line.includes('there is no match'));
	expect(await matches()).toHaveLength(1);
	await post('/game/create');
	expect(await matches()).toEqual([]);
});

test('many entities in one place give one finding', async () => {
	const requests = Array.from({ length: 500 }, () => ({
		path: '/spawn',
		body: { mesh: 'cube', color: 'red', position: [1, 2, 3] },
	}));
	await post('/batch', { requests });
	await spawn({ mesh: 'cube', color: 'red', position: [1.0099, 2, 3] });
	await spawn({ mesh: 'cube', color: 'red', position: [1.5, 2, 3] });
	await spawn({ mesh: 'cube', color: 'red', position: [1.5, 2.001, 3] });
	const findings = (await get('/diagnose')).warnings.filter((line: string) => line.includes('same position'));
	expect(findings).toEqual([
		'E0, E1, E2, E3, E4 and 496 more are drawn at the same position',
		'E501 and E502 are drawn at the same position',
	]);
});
