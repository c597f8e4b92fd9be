/** A document, or an answer, that would be too long is refused as soon as that is known: its last entities are not even written. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createExactPart } from '../../../web/sim/documents/exact-part.ts';
import { JsonWriter } from '../../../web/sim/observe/json-bytes.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

vi.mock(import('../../../shared/contract/wire.ts'), async (importOriginal) => ({
	...(await importOriginal()),
	// Some 70 entities with all their fields.
	MAX_DOCUMENT_BYTES: 65536 as never,
}));

const counts = vi.hoisted(() => ({ entities: 0 }));
vi.mock(import('../../../web/sim/spawn/spawn-entity.ts'), async (importOriginal) => {
	const original = await importOriginal();
	return {
		...original,
		spawnEntity: (...of) => {
			counts.entities++;
			return original.spawnEntity(...of);
		},
	};
});
vi.mock(import('../../../web/sim/observe/read-out.ts'), async (importOriginal) => {
	const original = await importOriginal();
	return {
		...original,
		entityReader: (world) => {
			const read = original.entityReader(world);
			return (id) => {
				counts.entities++;
				return read(id);
			};
		},
	};
});

let engine: TestEngine;
beforeEach(async () => {
	engine = await startEngine();
});
afterEach(() => engine.engine.close());

/** Makes this many entities, one beside the other. */
async function spawnMany(count: number, document: object, path = '/spawn'): Promise<void> {
	for (let from = 0; from < count; from += 200) {
		const requests = Array.from({ length: 200 }, (_, i) => ({
			path,
			body: { ...document, position: [from + i, 0, 0] },
		}));
		await engine.must('POST', '/batch', { requests });
	}
	counts.entities = 0;
}

test('a scenario, with all fields and without', async () => {
	await spawnMany(2000, { mesh: 'cube' });
	for (const [query, most] of [
		['', 100],
		['?unset=false', 1500],
		['?exact=false', 100],
	] as const) {
		counts.entities = 0;
		const { status, body } = await engine.call('GET', `/scenario${query}`);
		expect(body).toMatchObject({
			ok: false,
			code: 'answer_too_large',
			fix: expect.stringContaining('/fork'),
		});
		expect(status).toBe(413);
		expect(counts.entities).toBeGreaterThan(50);
		expect(counts.entities).toBeLessThan(most);
	}
});

test.each(['/scene/save', '/level/save'])('%s', async (path) => {
	await spawnMany(2000, { mesh: 'cube' });
	const { status, body } = await engine.call('POST', path, { path: 'kept.json' });
	expect(body).toMatchObject({
		ok: false,
		code: 'too_large_to_save',
		message: '"kept.json" would be longer than 65536 bytes and could not be read again. Nothing was written.',
	});
	expect(status).toBe(200);
	expect(counts.entities).toBeGreaterThan(50);
	expect(counts.entities).toBeLessThan(1500);
});

test('observations, in main and in a fork', async () => {
	await spawnMany(2000, { mesh: 'cube' });
	await engine.must('POST', '/fork', { fork_id: 'twin' });
	for (const [method, path] of [
		['POST', '/observe'],
		['GET', '/fork/twin/observe'],
	] as const) {
		const written = vi.spyOn(JsonWriter.prototype, 'writeNumber');
		const { status, body } = await engine.call(method, path);
		// Two of each entity: its id and its generation.
		const entities = written.mock.calls.length / 2;
		written.mockRestore();
		expect({ status, ...body }).toMatchObject({
			status: 413,
			ok: false,
			code: 'answer_too_large',
			message: 'The answer would exceed the limit of 65536 bytes.',
		});
		expect(entities).toBeGreaterThan(50);
		expect(entities).toBeLessThan(1500);
	}
});

test('an exact part of a small world', async () => {
	const tags = Array.from({ length: 64 }, (_, i) => `${i}${'€'.repeat(98)}`);
	await engine.must('POST', '/template/create', { name: 'wordy', tags });
	await spawnMany(2000, { name: 'wordy' }, '/template/spawn');
	let encoded = 0;
	const encode = vi.spyOn(TextEncoder.prototype, 'encode').mockImplementation(function (
		this: TextEncoder,
		text,
	) {
		encoded += text?.length ?? 0;
		return new Uint8Array(Buffer.from(text ?? ''));
	});
	const { world } = engine.engine.worlds.main;
	expect(() => createExactPart(world, {}, 2 ** 20)).toThrow(
		'The exact part would have more than 1048576 bytes after decompression, which is the limit.',
	);
	encode.mockRestore();
	// One piece of the column of tags, of three.
	expect(encoded).toBeLessThan(6e6);
});
