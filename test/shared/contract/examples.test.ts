/**
 * Examples and read-outs fit the JSON schemas that the OpenAPI document declares for them.
 * Never: the answers to examples, which `test/behaviour/transport/conformance.ts` checks.
 */

import { describe, expect, test } from 'vitest';
import { routes } from '../../../shared/routes/index.ts';
import { startEngine } from '../../support/engine.ts';
import { objections } from '../../support/open-api.ts';

describe('examples', () => {
	const examples = routes.flatMap((route) =>
		route.examples.map((example) => [`${route.id}: ${example.name}`, route, example] as const),
	);

	test.each(examples)('%s fits the JSON Schema of its body', (_, route, example) => {
		if (route.body !== undefined)
			expect(objections(route.method, route.path, 'body', example.body)).toEqual([]);
		else expect(example.body ?? {}).toEqual({});
	});
});

test('every readable part of an entity is in the schema of its answer', async () => {
	const { engine, must } = await startEngine();
	await must('POST', '/spawn', {
		mesh: 'cube',
		color: '0.1,0.2,0.3',
		position: [0.1, 0.2, 0.3],
		velocity: { linear: [1, 2, 3] },
		collider: { shape: 'capsule', radius: 0.5, half_height: 0.5 },
		physics_body: 'dynamic',
		health: 5.5,
		team: 255,
		tags: ['b', 'a'],
		combat: true,
		ai_patrol: [[1, 2, 3]],
		gold: -3,
		gold_bounty: 1,
		xp_bounty: 2,
		role: 'HERO',
		building_type: 'Ancient',
		lane: 'mid',
		spawn_point: 1,
		player: true,
		agent_id: 9,
	});
	await must('POST', '/step', { ticks: 2 });
	const entity = await must('GET', '/entities/0');
	expect(objections('GET', '/entities/{id}', 200, entity)).toEqual([]);
	expect(entity).toMatchObject({ color: '0.1,0.2,0.3', tags: ['a', 'b'], role: 'Hero', agent_id: 9 });
	expect((entity.transform as { position: number[] }).position[0]).toBeCloseTo(0.133, 2);
	engine.close();
});
