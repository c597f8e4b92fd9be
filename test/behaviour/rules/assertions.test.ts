/** Assertions and the manifest. */

import { beforeEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../../web/host/engine.ts';
import { clientOf, type TestClient } from '../../support/engine.ts';

let engine: Engine;
let client: TestClient;
beforeEach(async () => {
	engine = await createEngine({ seed: 11 });
	client = clientOf(engine.handle);
});

describe('assertions', () => {
	test('every short word means its typed form', async () => {
		const words: [object, object][] = [
			[
				{ condition: 'exists', filter: 'tag:x' },
				{ type: 'entity_exists', filter: { type: 'tag', tag: 'x' } },
			],
			[
				{ condition: 'entity-count', min: 1 },
				{ type: 'entity_count', min: 1, filter: { type: 'any' } },
			],
			[{ condition: 'overlap' }, { type: 'no_overlap', min_distance: 0.5 }],
			[{ condition: 'spawns' }, { type: 'all_teams_have_spawn_points' }],
			[{ condition: 'no-zero-health' }, { type: 'no_zero_health_alive' }],
			[{ condition: 'renderable' }, { type: 'all_renderable_have_transform' }],
			[
				{ condition: 'phase', phase: 'playing' },
				{ type: 'game_phase', phase: 'playing' },
			],
			[
				{ condition: 'budget', max: 9 },
				{ type: 'entity_budget', max: 9 },
			],
			[
				{ condition: 'field-check', field: 'combat.damage', value: 3, filter: 'team:1+role:hero' },
				{ type: 'field_check', op: 'greater', value: 3 },
			],
		];
		for (const [short, typed] of words) {
			const result = await client.post('/assert/create', { name: 'n', ...short });
			expect(result.condition).toMatchObject(typed);
		}
		expect((await client.get('/assert/list')).count).toBe(words.length);
		expect((await client.get('/')).entity_count).toBe(words.length);
		expect(await client.post('/assert/create', { name: 'n', condition: 'field', field: 'x' })).toMatchObject({
			code: 'invalid_assertion',
		});
		expect(await client.remove('/assert/0')).toMatchObject({ ok: true });
		expect(await client.remove('/assert/0')).toMatchObject({ ok: false, code: 'unknown_assertion' });
	});

	test('a condition in one text equals its word with the other fields beside it', async () => {
		const create = (more: object) => client.post('/assert/create', { name: 'n', ...more });
		const short = { condition: 'field', filter: 'team:1', field: 'health', op: '<', value: 50 };
		const { condition } = await create(short);
		expect(await create({ condition: 'field health < 50 team:1' })).toMatchObject({ ok: true, condition });
		expect(await create({ condition: 'count team:1 max=3', max: 3 })).toMatchObject({
			code: 'invalid_assertion',
			path: 'max',
			fix: 'Put "max" inside "condition".',
		});
		expect(await create({ condition: 'count tema:1' })).toMatchObject({
			fix: expect.stringContaining('team:1'),
		});
	});

	test('documents may hold them as texts, whose ids are mapped to the new entities', async () => {
		await client.post('/spawn', {});
		const level = {
			entities: [{ id: 0, health: 5 }],
			assertions: [
				{ name: 'a', condition: 'exists entity:0+component:health' },
				{ name: 'b', condition: 'alive' },
			],
		};
		const { entity_ids } = await client.post('/level/load', { level });
		const { assertions } = await client.get('/assert/list');
		expect(assertions.find(({ name }: { name: string }) => name === 'a').condition.filter).toMatchObject({
			filters: [{ type: 'entity', entity: entity_ids[0] }, { type: 'has_component' }],
		});
		expect(await client.post('/assert/evaluate')).toMatchObject({ passed: 2, failed: 0 });
	});

	test('typed filters nest, and are kept, shown and exported as sent', async () => {
		const both = (...filters: object[]) => ({ type: 'and', filters });
		const [team, role, tag] = [
			{ type: 'team', team: 1 },
			{ type: 'role', role: 'Hero' },
			{ type: 'tag', tag: 'x' },
		];
		const condition = {
			type: 'entity_count',
			filter: both(team, both(role, both(tag), both())),
			min: 1,
			max: 1,
		};
		await client.post('/spawn', { team: 1, role: 'hero', tags: ['x'] });
		await client.post('/spawn', { team: 1, role: 'hero' });
		expect(await client.post('/assert/create', { name: 'n', condition })).toMatchObject({
			ok: true,
			condition,
		});
		expect((await client.post('/assert/evaluate')).results[0]).toMatchObject({
			passed: true,
			message: expect.stringContaining('team:1+role:hero+tag:x+any'),
		});
		const document = await client.get('/scenario?exact=false');
		expect(document.assertions[0].condition).toEqual(condition);
		expect(await client.post('/scenario', document)).toMatchObject({ ok: true, assertions: 1 });
		const deep = { ...condition, filter: Array.from({ length: 8 }).reduce<object>((one) => both(one), team) };
		expect(await client.post('/assert/create', { name: 'n', condition: deep })).toMatchObject({ ok: false });
	});

	test('each condition passes and fails as it should', async () => {
		const passes = async (condition: object | string, more: object = {}) => {
			const { entity_id } = await client.post('/assert/create', { name: 'one', condition, ...more });
			const { results } = await client.post('/assert/evaluate');
			await client.remove(`/assert/${entity_id}`);
			return results.find((result: { entity_id: number }) => result.entity_id === entity_id).passed;
		};
		const { id } = await client.post('/spawn', { health: 33.3, team: 1, position: [0, 0, 0], mesh: 'cube' });
		await client.post('/spawn', { position: [0.4, 0, 0] });
		expect(await passes('field', { field: 'health', op: '==', value: 33.3 })).toBe(true);
		expect(await passes('field', { field: 'position.x', op: '<', value: 0.4 })).toBe(false);
		expect(await passes('overlap')).toBe(false);
		expect(await passes('overlap', { min_distance: 0.39 })).toBe(true);
		expect(await passes('spawns')).toBe(false);
		await client.post('/spawn', { spawn_point: 1, position: [9, 9, 9] });
		expect(await passes('spawns')).toBe(true);
		expect(await passes('phase', { phase: 'playing' })).toBe(false);
		expect(await passes('budget', { max: 4 })).toBe(true);
		expect(await passes('budget', { max: 3 })).toBe(false);
		await client.post('/entity/damage', { entity_id: id, amount: 99 });
		await client.post('/step');
		expect(await passes('alive', { filter: 'team:1' })).toBe(false);
		expect(await passes('no-zero-health')).toBe(true);
	});

	test('a feature counts by its assertions, not by its status word', async () => {
		await client.post('/assert/create', { name: 'a', condition: 'count', min: 1 });
		const feature = (name: string, status: string, assertions: string[]) => ({
			name,
			description: '',
			status,
			assertions,
		});
		await client.post('/manifest', {
			name: 'g',
			genre: '',
			description: '',
			features: [
				feature('x', 'inprogress', ['a']),
				feature('y', 'verified', []),
				feature('z', 'planned', ['a', 'b']),
			],
		});
		const read = async () => (await client.get('/manifest')).manifest;
		expect((await read()).features.map((f: { status: string }) => f.status)).toEqual([
			'in_progress',
			'complete',
			'planned',
		]);
		await client.post('/assert/evaluate');
		expect(await read()).toMatchObject({ verified_features: 1, total_features: 3, completion_pct: 33 });
		await client.post('/manifest/feature', { name: 'z', remove_assertions: ['b'] });
		expect((await read()).verified_features).toBe(2);
		const done = { name: 'w', status: 'complete' };
		expect(await client.post('/manifest/feature', done)).toMatchObject({
			code: 'unknown_feature',
			fix: 'Use one of: x, y, z.',
		});
		await client.post('/manifest/feature', { name: 'w', add: true });
		await client.post('/manifest/feature', { name: 'y', remove: true });
		expect((await read()).features.map((f: { name: string }) => f.name)).toEqual(['x', 'z', 'w']);
	});

	test('a parameter that the condition does not take is refused, not ignored', async () => {
		const wrong: [object, string, string][] = [
			[{ condition: 'alive', min: 3 }, 'min', 'Omit "min". The fields of alive: filter.'],
			[{ condition: 'spawns', filter: 'team:1' }, 'filter', 'Omit "filter". The fields of spawns: none.'],
			[{ condition: 'budget' }, 'max', 'Send "max" beside the condition.'],
			[{ condition: 'count', min: 5, max: 2 }, 'condition.max', 'Send a larger "max" or a smaller "min".'],
			[
				{ condition: { type: 'none_are_dead', filter: { type: 'any' } }, filter: 'team:1' },
				'filter',
				'Put "filter" inside "condition".',
			],
			[{ condition: 'count', filter: 'tema:1' }, 'filter', 'Did you mean "team:1"?'],
			[
				{ condition: 'count', filter: { type: 'has_component', component: 'healt' } },
				'filter.component',
				'Did you mean "health"?',
			],
			[{ condition: 'field', field: 'healt', value: 1 }, 'condition.field', 'Did you mean "health"?'],
		];
		for (const [body, path, fix] of wrong) {
			const answer = await client.post('/assert/create', { name: 'n', ...body });
			expect(answer).toMatchObject({ ok: false, code: 'invalid_assertion', path });
			expect(answer.fix).toContain(fix);
		}
		expect(await client.post('/assert/create', { name: 'n', condition: 5 })).toMatchObject({
			fix: 'Send "condition" as an object or a text.',
		});
		expect((await client.get('/assert/list')).count).toBe(0);
	});

	test('rules refer to an assertion by its id alone', async () => {
		const { id, generation } = await client.post('/assert/create', { name: 'a', condition: 'count', min: 1 });
		const game = await client.post('/spawn', { health: 5 });
		await client.post('/rule/create', {
			when: 'tick:1',
			actions: [
				{ action: 'apply_effect', target: { all: 'any' }, tag: 'x' },
				{ action: 'despawn', target: { all: 'any' } },
			],
		});
		await client.post('/step');
		expect((await client.get(`/entities/${game.id}`)).ok).toBe(false);
		expect(await client.get(`/entities/${id}`)).toEqual({
			ok: true,
			id,
			generation,
			assertion: expect.objectContaining({ name: 'a' }),
		});
		await client.post('/rule/create', { when: 'tick:1', actions: [`despawn entity:${id}`] });
		await client.post('/step');
		expect((await client.get('/assert/list')).count).toBe(0);
	});
});

describe('the manifest', () => {
	const feature = (name: string, assertions: string[]) => ({
		name,
		description: '',
		status: 'planned',
		assertions,
	});

	test('reports missing assertions and shared names, and is removed on request', async () => {
		await client.post('/assert/create', { name: 'a', condition: 'alive' });
		const about = { name: 'g', genre: '', description: '' };
		const set = await client.post('/manifest', {
			...about,
			features: [feature('x', ['a', 'b']), feature('x', [])],
		});
		expect(set.warnings).toEqual([
			'feature "x": there is no assertion "b" yet',
			'there are several features "x"; only the first can be changed',
		]);
		const changed = await client.post('/manifest/feature', {
			name: 'x',
			status: 'Complete',
			assertions: ['c'],
		});
		expect(changed.feature).toMatchObject({ status: 'complete', assertions: ['a', 'b', 'c'] });
		expect(changed.warnings).toHaveLength(2);
		expect(await client.post('/manifest/feature', { name: 'x', remove: true })).toMatchObject({
			feature: null,
		});
		expect(
			(await client.post('/manifest', { ...about, features: [feature('x', ['a'])] })).warnings,
		).toBeUndefined();
		expect(await client.remove('/manifest')).toMatchObject({ ok: true });
		expect(await client.remove('/manifest')).toMatchObject({ ok: false, code: 'no_manifest' });
	});

	test('an empty or contradictory change is refused', async () => {
		await client.post('/manifest', { name: 'g', genre: '', description: '', features: [feature('x', [])] });
		for (const change of [{}, { add: true, remove: true }, { remove: true, status: 'planned' }]) {
			const { status, body } = await clientOf(engine.handle).call('POST', '/manifest/feature', {
				name: 'x',
				...change,
			});
			expect([status, body.ok]).toEqual([200, false]);
			expect(body.fix).toContain('"remove_assertions", "add" or "remove"');
		}
		expect((await client.get('/manifest')).manifest.total_features).toBe(1);
	});
});

test('answers show when an assertion is evaluated', async () => {
	const result = await client.post('/assert/create', { name: 'a', condition: 'any', held: 'throughout' });
	expect(result.held).toBe('throughout');
	expect((await client.post('/assert/create', { name: 'b', condition: 'any' })).held).toBe('end');
	const { assertions } = await client.get('/assert/list');
	expect(assertions.map(({ held }: { held: string }) => held)).toEqual(['throughout', 'end']);
});
