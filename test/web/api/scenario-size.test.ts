/** A scenario that would be too long is refused as soon as that is known: its last entities are not even written. */

import { expect, test, vi } from 'vitest';
import { startEngine } from '../../support/engine.ts';

vi.mock(import('../../../shared/contract/wire.ts'), async (importOriginal) => ({
	...(await importOriginal()),
	// Some 70 entities with all their fields.
	MAX_DOCUMENT_BYTES: 65536 as never,
}));

const made = vi.hoisted(() => ({ entities: 0 }));
vi.mock(import('../../../web/sim/spawn/spawn-entity.ts'), async (importOriginal) => {
	const original = await importOriginal();
	return {
		...original,
		spawnEntity: (...of) => {
			made.entities++;
			return original.spawnEntity(...of);
		},
	};
});

test('with all fields and without', async () => {
	const engine = await startEngine();
	const requests = Array.from({ length: 200 }, (_, i) => ({
		path: '/spawn',
		body: { mesh: 'cube', position: [i, 0, 0] },
	}));
	for (let i = 0; i < 10; i++) await engine.must('POST', '/batch', { requests });
	for (const [query, most] of [
		['', 100],
		['?unset=false', 1500],
		['?exact=false', 100],
	] as const) {
		made.entities = 0;
		const { status, body } = await engine.call('GET', `/scenario${query}`);
		expect(body).toMatchObject({
			ok: false,
			code: 'answer_too_large',
			fix: expect.stringContaining('/fork'),
		});
		expect(status).toBe(413);
		expect(made.entities).toBeGreaterThan(50);
		expect(made.entities).toBeLessThan(most);
	}
	await engine.engine.close();
});
