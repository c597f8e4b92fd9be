/** Every part of a world: clone, digest, encode and decode hold what they promise. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clone, dispose } from '../../web/sim/core/clone.ts';
import type { Part } from '../../web/sim/core/part.ts';
import { partState, type World } from '../../web/sim/core/world.ts';
import { parts } from '../../web/sim/parts.ts';
import { step } from '../../web/sim/step.ts';
import { commands, perform } from '../support/arbitraries.ts';
import { freshWorld, startEngine } from '../support/engine.ts';
import { SEED } from '../support/property.ts';

/** A world in which all parts have something to hold. */
async function busyWorld(): Promise<World> {
	const engine = await startEngine();
	const ball = { position: [0, 1, 0], physics_body: 'Dynamic', collider: { shape: 'Sphere', radius: 0.5 } };
	await engine.must('POST', '/spawn', { ...ball, health: 10 });
	await engine.must('POST', '/spawn', { ...ball, position: [0, 2.2, 0] });
	await engine.must('POST', '/spawn', {
		physics_body: 'Static',
		collider: { shape: 'Aabb', hx: 4, hy: 0.5, hz: 4 },
	});
	for (const command of fc.sample(commands, { seed: SEED, numRuns: 40 })) await perform(engine, command);
	await engine.must('POST', '/events', { type: 'SignalEvent', name: 'x' });
	engine.engine.close();
	return engine.engine.worlds.main.world;
}

const bytes = (part: Part, state: unknown) => Buffer.from(part.encode(state)).toString('base64');
const hashed = (part: Part, state: unknown) => Buffer.from(part.digest(state)).toString('base64');

describe.each(parts.map((part) => [part.name, part] as const))('%s', (_, part) => {
	test('a fresh state is the same every time', async () => {
		const [one, other] = [await freshWorld(), await freshWorld()];
		expect(bytes(part, partState(one, part))).toBe(bytes(part, partState(other, part)));
		expect(hashed(part, partState(one, part))).toBe(hashed(part, partState(other, part)));
	});

	test('a clone encodes and digests as the original does, and lives on its own', async () => {
		const world = await busyWorld();
		const state = partState(world, part);
		const before = [bytes(part, state), hashed(part, state)];
		const copy = clone(world);
		expect([bytes(part, partState(copy, part)), hashed(part, partState(copy, part))]).toEqual(before);
		for (let i = 0; i < 5; i++) step(copy);
		expect([bytes(part, state), hashed(part, state)], 'the original, while its clone moved on').toEqual(
			before,
		);
		for (let i = 0; i < 5; i++) step(world);
		expect(bytes(part, partState(copy, part))).toBe(bytes(part, partState(world, part)));
		expect(hashed(part, partState(copy, part))).toBe(hashed(part, partState(world, part)));
		dispose(copy);
	});

	test('what decode reads is what encode wrote', async () => {
		const world = await busyWorld();
		const state = partState(world, part);
		const decoded = part.decode(part.encode(state), world);
		expect(bytes(part, decoded)).toBe(bytes(part, state));
		expect(hashed(part, decoded)).toBe(hashed(part, state));
		part.dispose?.(decoded);
	});

	test('encode and digest change nothing', async () => {
		const world = await busyWorld();
		const state = partState(world, part);
		const before = bytes(part, state);
		hashed(part, state);
		expect(bytes(part, state)).toBe(before);
	});
});

test('parts have names of their own', () => {
	expect(new Set(parts.map(({ name }) => name)).size).toBe(parts.length);
});
