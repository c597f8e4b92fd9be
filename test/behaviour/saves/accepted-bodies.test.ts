/** Every accepted spawn can be exported and loaded again, and gives the same world. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyBodyDocuments } from '../../support/arbitraries.ts';
import { startEngine } from '../../support/engine.ts';
import { SEED } from '../../support/property.ts';

const heights = {
	shape: 'HeightField',
	heights: [
		[4.5, -1],
		[0, 13],
	],
	size: [7, 18],
};

test('a fighter made of heights stands still, is warned of, and can be exported', async () => {
	const { must, entity, engine } = await startEngine();
	const { id, warnings } = await must('POST', '/spawn', {
		health: 100,
		team: 1,
		combat: true,
		collider: heights,
	});
	expect(warnings).toContain('physics_body is Static: a HeightField cannot move');
	expect((await entity(Number(id))).physics_body).toBe('Static');
	const { id: later } = await must('POST', '/spawn', { collider: heights });
	await must('POST', `/entities/${later}/components`, {
		ai_patrol: [
			[0, 0, 0],
			[2, 0, 0],
		],
	});
	expect((await entity(Number(later))).physics_body).toBe('Static');
	await must('GET', '/scenario');
	engine.close();
});

test(`every accepted spawn exports, loads, and has the same digest (seed ${SEED})`, async () => {
	const { must, call, engine } = await startEngine();
	let accepted = 0;
	for (const document of fc.sample(anyBodyDocuments, { seed: SEED, numRuns: 60 })) {
		await must('POST', '/reset', { fresh: true });
		const spawned = await call('POST', '/spawn', document);
		if (spawned.body.ok !== true) continue;
		accepted++;
		const { state_digest } = await must('GET', '/digest');
		const { ok: _, ...scenario } = await must('GET', '/scenario?exact=true');
		const { ok: __, ...plain } = await must('GET', '/scenario?exact=false');
		await must('POST', '/reset', { fresh: true });
		await must('POST', '/scenario', scenario);
		expect((await must('GET', '/digest')).state_digest, JSON.stringify(document)).toBe(state_digest);
		await must('POST', '/scenario', plain);
	}
	expect(accepted).toBeGreaterThan(20);
	engine.close();
});
