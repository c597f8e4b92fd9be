/** Rules of observers, and of the entities that they see. */

import { describe, expect, test } from 'vitest';
import { playing } from '../../support/playing.ts';

const { post, get, spawn, step, entity, digest } = playing();

describe('sight', () => {
	test('an observer sees itself and everything that all its rules allow; the rest is hidden', async () => {
		const eye = await spawn({ team: 1 });
		const near = await spawn({ position: [5, 0, 0], team: 2, tags: ['gem'] });
		const far = await spawn({ position: [5.1, 0, 0], team: 2 });
		const friend = await spawn({ position: [1, 0, 0], team: 1 });
		await post('/view-filter/set', { entity_id: eye, rules: ['within:5', 'NOT:same-team'] });
		await step();
		expect((await entity(eye)).view_filter).toEqual(['within:5', 'NOT:same-team']);
		expect((await entity(near)).visible_to).toEqual([eye]);
		expect((await entity(far)).visible_to).toEqual([]);
		const seen = (await post(`/observe?viewer=${eye}`)).entities.map(({ id }: { id: number }) => id);
		expect(seen).toEqual([eye, near]);
		await post('/view-filter/set', { entity_id: friend, rules: ['tag:gem'] });
		await step();
		expect((await entity(near)).visible_to).toEqual([eye, friend]);
	});

	test.each([
		[['always'], ['eye', 'friend', 'foe', 'gem', 'far']],
		[[], []],
		[['same-team'], ['eye', 'friend']],
		[
			['Same-Team', 'within:3'],
			['eye', 'friend'],
		],
		[['within:2'], ['eye', 'friend']],
		[['within:5'], ['eye', 'friend', 'foe', 'gem']],
		[['tag:gem'], ['eye', 'gem']],
		[['not:tag:gem'], ['eye', 'friend', 'foe', 'far']],
		[['not:not:tag:gem'], ['eye', 'gem']],
		[['not:always'], ['eye']],
		[['zone:999'], ['eye']],
	])('%j shows %j', async (rules, seen) => {
		const folk: Record<string, object> = {
			eye: { team: 1 },
			friend: { team: 1, position: [2, 0, 0] },
			foe: { team: 2, position: [0, 3, 4] },
			gem: { tags: ['gem'], position: [0, 4.9, 0] },
			far: { position: [500, 0, 0] },
		};
		const ids: Record<string, number> = {};
		for (const [name, document] of Object.entries(folk)) ids[name] = await spawn(document);
		await post('/view-filter/set', { entity_id: ids.eye, rules });
		await step();
		for (const [name, id] of Object.entries(ids)) {
			const expected = rules.length === 0 ? undefined : seen.includes(name) ? [ids.eye] : [];
			expect((await entity(id)).visible_to, name).toEqual(expected);
		}
	});

	test('zone rules test entities inside a trigger zone', async () => {
		const zone = (await post('/trigger/create', { position: [10, 0, 0], action: 'heal:0' })).entity_id;
		const eye = await spawn({});
		const inside = await spawn({ position: [10.5, 0, 0] });
		const outside = await spawn({ position: [11, 0, 0] });
		await post('/view-filter/set', { entity_id: eye, rules: [`zone:${zone}`] });
		await step();
		expect((await entity(inside)).visible_to).toEqual([eye]);
		expect((await entity(outside)).visible_to).toEqual([]);
	});

	test('when the last observer is removed, the visible sets are removed', async () => {
		const eye = await spawn({});
		const other = await spawn({});
		await post('/view-filter/set', { entity_id: eye, rules: ['not:always'] });
		await step();
		expect((await entity(other)).visible_to).toEqual([]);
		await post('/view-filter/set', { entity_id: eye, clear: true });
		await step();
		expect((await entity(other)).visible_to).toBeUndefined();
		expect((await entity(eye)).view_filter).toBeUndefined();
		expect((await post('/view-filter/set', { entity_id: eye, rules: ['near'] })).code).toBe(
			'invalid_view_rule',
		);
	});
});

test('an observer without a pose has no position, also in a reused slot', async () => {
	await post('/spawn', {});
	const { id } = await post('/spawn', { position: [7, 2, 2] });
	await post('/despawn', { entity_id: id });
	const result = await post('/assert/create', { name: 'x', condition: 'count team:1 min=1' });
	await post('/view-filter/set', { entity_id: id, rules: ['within:5'] });
	expect(JSON.stringify(result)).toContain(String(id));
	const written = await get('/scenario?exact=true');
	await step(1);
	const here = await digest();
	await post('/reset', { fresh: true });
	expect(await post('/scenario', written)).toMatchObject({ exact: true });
	await step(1);
	expect(await digest()).toBe(here);
});
