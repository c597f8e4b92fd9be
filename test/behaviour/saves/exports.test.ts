/** What is exported can be given back, however large it is. */

import { expect, test } from 'vitest';
import { FAR } from '../../../shared/contract/values.ts';
import { getCamera } from '../../../shared/routes/camera.ts';
import { getEntity } from '../../../shared/routes/world.ts';
import { startEngine } from '../../support/engine.ts';

test('a body may have texts as long as itself', { timeout: 60_000 }, async () => {
	const { engine, call, must } = await startEngine();
	await must('POST', '/spawn', { health: 5 });
	const document = await must('GET', '/scenario?exact=true');
	const world = Buffer.alloc(20 * 1024 * 1024, 'orrery').toString('base64');
	const sent = { ...document, exact: { ...(document.exact as object), world } };
	const { status, body } = await call('POST', '/scenario', sent);
	expect(status).toBe(200);
	expect(body).toMatchObject({ exact: false, entities_spawned: 1 });
	expect(body.warnings).toEqual([expect.stringContaining('the exact part was ignored: it is damaged')]);
	engine.close();
});

test('what came farther out than anything can be put is answered as the schema says, and comes back with the camera on it', async () => {
	const { engine, call, must, step } = await startEngine();
	const near = [999_900, 0, 0];
	const wild = { velocity: { linear: [1e4, 0, 0] }, physics_body: 'Kinematic' };
	await must('POST', '/spawn', { position: near, ...wild, collider: { shape: 'Sphere', radius: 1 } });
	await must('POST', '/spawn', { position: near, scale: [1e4, 1e4, 1e4] });
	await must('POST', '/spawn', { position: [9900, 0, 0], scale: [1e4, 1, 1], parent: 1 });
	await step(60);
	const entities = [];
	for (const id of [0, 2]) {
		await must('POST', '/camera/focus', { entity_id: id });
		entities.push(getEntity.answer.parse((await call('GET', `/entities/${id}`)).body));
	}
	const far = entities.map(({ transform }) => (transform as { position: number[] }).position[0]);
	expect(far.every((x) => x! > FAR)).toBe(true);
	expect(entities[1]).toMatchObject({ transform: { scale: [1e8, 1e4, 1e4] } });
	expect(getCamera.answer.safeParse((await call('GET', '/camera')).body).error).toBeUndefined();
	const document = await must('GET', '/scenario');
	expect(await must('POST', '/scenario', document)).toMatchObject({ entities_spawned: 3 });
	engine.close();
});
