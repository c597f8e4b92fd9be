/** The entity of a rule has no position. It may get any other component, and no call on such a world is an internal error. */

import { expect, test } from 'vitest';
import { routes } from '../../shared/routes/index.ts';
import { spawnDocuments } from '../support/arbitraries.ts';
import { startEngine } from '../support/engine.ts';
import { cases, SEED, times } from '../support/property.ts';

/** GET routes about a world that need no parameter. */
const READS = Object.values(routes).filter(
	({ method, path, tag }) => method === 'GET' && !path.includes('{') && tag !== 'Discovery and ops',
);

test(`any component on the entity of a rule (seed ${SEED})`, async () => {
	let accepted = 0;
	for (const document of cases(spawnDocuments, 12)) {
		const { position: _, rotation: __, scale: ___, parent: ____, ...rest } = document;
		const engine = await startEngine();
		await engine.must('POST', '/feedback/settings', {});
		const id = await engine.rule({ when: 'tick:5', do: ['emit x'] });
		const fighter = await engine.spawn({ position: [1, 0, 0], health: 50, team: 7, combat: true });
		// One field per call, so that a refused field does not prevent the others.
		for (const [field, value] of Object.entries(rest)) {
			const { status, body } = await engine.call('POST', `/entities/${id}/components`, { [field]: value });
			expect(status, `${field}: ${JSON.stringify(body)}`).toBeLessThan(500);
			if (body.ok === true) accepted++;
		}
		const calls: [string, string, object?][] = [
			['POST', '/entity/damage', { entity_id: id, amount: 3, source: fighter }],
			['POST', '/step', { ticks: 4 }],
			['POST', '/foliage/scatter', { mesh_name: 'grass', area_min: [-2, 0, -2], area_max: [2, 0, 2] }],
			['POST', '/terrain/edit', { op: 'raise', x: 1, z: 1, radius: 1, amount: 1 }],
			['POST', '/navmesh/generate', {}],
			['POST', '/entity/damage', { entity_id: id, amount: 1e6, source: fighter }],
			['POST', '/step', { ticks: 4 }],
			...READS.map(({ path }): [string, string] => ['GET', path]),
		];
		for (const [method, path, body] of calls) {
			const reply = await engine.call(method, path, body);
			const text = JSON.stringify([rest, reply.body]).slice(0, 2000);
			if (reply.status >= 500) expect(reply.body.code, `${method} ${path}: ${text}`).not.toBe('internal');
		}
		await engine.engine.close();
	}
	expect(accepted).toBeGreaterThan(times(30));
});
