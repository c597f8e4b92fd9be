/** Names of entities. */

import { expect, test } from 'vitest';
import { playing } from '../../support/playing.ts';

const { post, get, spawn, step, digest, call } = playing();

const idsOf = async (filter: string): Promise<number[]> =>
	(await post('/observe', { filter })).entities.map(({ id }: { id: number }) => id);

test('a spawn, a template, a prefab and a level give a name', async () => {
	await post('/template/create', { name: 'soldier', entity_name: 'Soldier', health: 5 });
	expect((await get('/template/soldier')).template).toEqual({ name: 'Soldier', health: 5 });
	await post('/prefab/register', { name: 'lamp', mesh: 'cylinder', entity_name: 'Lamp' });
	await spawn({ name: 'Oak 3' });
	const { id } = await post('/template/spawn', { name: 'soldier' });
	await post('/template/spawn', { name: 'soldier', overrides: { name: 'Wren' } });
	await post('/prefab/spawn', { name: 'lamp' });
	const { version, entities } = await get('/scenario?unset=false');
	const names = ['Oak 3', 'Soldier', 'Wren', 'Lamp'];
	expect(entities.map(({ name }: { name: string }) => name)).toEqual(names);
	await post('/reset', {});
	await post('/level/load', { level: { version, entities } });
	expect((await post('/observe')).entities.map(({ name }: { name: string }) => name)).toEqual(names);
	expect(await idsOf('name:Soldier')).toEqual([id]);
	expect(await post('/observe', { fields: ['name'] })).toMatchObject({
		rows: names.map((name, at) => [at, name]),
	});
});

test('a change renames and removes, and an entity without its former name equals one that never had it', async () => {
	const id = await spawn({ mesh: 'cube' });
	const unnamed = await digest();
	await post(`/entities/${id}/components`, { name: 'Cube 1' });
	expect(await digest()).not.toBe(unnamed);
	await post(`/entities/${id}/components`, { name: 'The cube' });
	expect((await get(`/entities/${id}`)).name).toBe('The cube');
	await post(`/entities/${id}/components`, { remove: ['name'] });
	expect(await get(`/entities/${id}`)).not.toHaveProperty('name');
	expect(await digest()).toBe(unnamed);
});

test.for(['', ' Oak', 'Oak ', 'two\nlines', 'x'.repeat(65)])('%j is not a valid name', async (name) => {
	const before = await digest();
	const { status, body } = await call('POST', '/spawn', { name });
	expect([status, body.code, body.path]).toEqual([422, 'invalid_body', 'name']);
	expect(body.fix).not.toBe('');
	expect(await digest()).toBe(before);
});

test('filters, targets and counts find a name exactly; quotes hold blanks and signs together', async () => {
	const oak = await spawn({ name: 'Oak 3', health: 9 });
	const other = await spawn({ name: 'Oak 30', health: 9 });
	const odd = await spawn({ name: 'A+b (& c)', health: 9, tags: ['two words'] });
	expect(await idsOf('name:Oak 3')).toEqual([oak]);
	expect(await idsOf('name:"Oak 3"+alive')).toEqual([oak]);
	expect(await idsOf('name:oak 3')).toEqual([]);
	expect(await idsOf('name:"A+b (& c)" | name:Oak 30')).toEqual([other, odd]);
	expect(await idsOf('tag:"two words"')).toEqual([odd]);
	await post('/rule/create', {
		when: 'count name:"Oak 3" min=1 max=1',
		do: ['damage all:name:"Oak 3" 2', 'damage tag:"two words" 3'],
	});
	await step(3);
	const health = async (id: number) => (await get(`/entities/${id}`)).health[0];
	expect(await health(oak)).toBeLessThan(9);
	expect(await health(odd)).toBeLessThan(9);
	expect(await health(other)).toBe(9);
	const { warnings } = await post('/rule/create', { when: 'dead+name:Oka 3', do: ['text hi'] });
	expect(warnings.join()).toContain('there is currently no name "Oka 3"; did you mean "Oak 3"?');
	const { found } = await get('/schema?q=filter+entities+by+name');
	expect(found).toContainEqual(expect.objectContaining({ kind: 'condition', name: 'name' }));
});

test('a rule reads the name of the dead, or the name of its hero', async () => {
	const wren = await spawn({ name: 'Wren', health: 5 });
	const rook = await spawn({ health: 5 });
	await post('/hero/define', { name: 'Rook', health: 5 });
	await post('/hero/select', { entity_id: rook, hero_name: 'Rook' });
	for (const name of ['Wren', 'Rook'])
		await post('/rule/create', {
			name,
			when: { kind: 'event', event: 'death', where: [{ field: 'entity.name', value: name }] },
			do: [`text ${name}`, 'despawn this'],
		});
	for (const entity_id of [wren, rook]) await post('/entity/damage', { entity_id, amount: 50 });
	const { events } = await post('/step', { ticks: 3, events: ['death'] });
	expect((await get('/diagnose')).rules.map(({ fired }: { fired: number }) => fired)).toEqual([1, 1]);
	expect(events).toContainEqual(expect.objectContaining({ type: 'DeathEvent', entity_name: 'Wren' }));
});
