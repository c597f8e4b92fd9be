/** The name of a world. Owns: where it comes from and what keeps it. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../../support/engine.ts';

let world: TestEngine;
beforeEach(async () => {
	world = await startEngine();
});
afterEach(() => world.engine.close());

const name = async (of = 'main') => (await world.must('GET', `/?world=${of}`)).world_name;

test('a world has the name of its scenario, and without one none', async () => {
	expect(await name()).toBe('');
	await world.must('POST', '/scenario', { name: 'Arena' });
	expect(await name()).toBe('Arena');
	await world.must('POST', '/scenario', { entities: [{}] });
	expect(await name()).toBe('');
});

test('a level names a world without a name', async () => {
	await world.must('POST', '/scenario', { name: 'Hill' });
	await world.must('POST', '/level/save', { path: 'hill.json' });
	await world.must('POST', '/reset', { fresh: true });
	await world.must('POST', '/level/load', { path: 'hill.json' });
	expect(await name()).toBe('Hill');
	await world.must('POST', '/scenario', { name: 'Valley' });
	await world.must('POST', '/level/load', { path: 'hill.json' });
	expect(await name()).toBe('Valley');
});

test('forks, snapshots and documents keep it, plain and exact', async () => {
	await world.must('POST', '/scenario', { name: 'Arena' });
	await world.must('POST', '/snapshot', { label: 'before' });
	await world.must('POST', '/fork', { fork_id: 'plan' });
	expect(await name('plan')).toBe('Arena');
	const plain = await world.must('GET', '/scenario');
	const exact = await world.must('GET', '/scenario?exact=true');
	expect([plain.name, exact.name]).toEqual(['Arena', 'Arena']);
	for (const { ok: _, ...document } of [plain, exact]) {
		await world.must('POST', '/reset', { fresh: true });
		expect(await name()).toBe('');
		await world.must('POST', '/scenario', document);
		expect(await name()).toBe('Arena');
	}
	await world.must('POST', '/reset', { fresh: true });
	await world.must('POST', '/snapshot/before/restore', {});
	expect(await name()).toBe('Arena');
});

test('the name of a world does not affect it', async () => {
	await world.must('POST', '/scenario', { name: 'Arena', entities: [{}] });
	const { state_digest } = await world.must('GET', '/digest');
	await world.must('POST', '/scenario', { entities: [{}] });
	expect((await world.must('GET', '/digest')).tick).toBe(0);
	await world.must('POST', '/reset', { fresh: true });
	await world.must('POST', '/scenario', { entities: [{}] });
	expect((await world.must('GET', '/digest')).state_digest).toBe(state_digest);
});

test('a world is renamed by a call, and a fork by itself; the list of forks has both names', async () => {
	await world.must('POST', '/scenario', { name: 'Arena', entities: [{}] });
	await world.must('POST', '/fork', { fork_id: 'plan' });
	const before = await world.must('GET', '/digest');
	expect((await world.must('POST', '/rename?world=plan', { name: 'Hills' })).world_name).toBe('Hills');
	const { details } = await world.must('GET', '/fork/list');
	expect([await name(), details]).toMatchObject(['Arena', [{ fork_id: 'plan', world_name: 'Hills' }]]);
	await world.must('POST', '/rename', { name: '' });
	expect([await name(), await world.must('GET', '/digest')]).toEqual(['', before]);
});
