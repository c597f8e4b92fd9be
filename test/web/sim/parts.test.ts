/** Every part of a world: clone, digest, encode and decode keep their contracts. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Health } from '../../../shared/components/health.ts';
import { clone, dispose } from '../../../web/sim/core/clone.ts';
import { decodeWorld, encodeWorld } from '../../../web/sim/core/codec.ts';
import { rebuildParts } from '../../../web/sim/core/derived-parts.ts';
import { digest, futureDigest } from '../../../web/sim/core/digest.ts';
import type { WorldPart } from '../../../web/sim/core/part.ts';
import { add, count, partState, spawn, versionOf, type World } from '../../../web/sim/core/world.ts';
import { createWorld, loadWorld } from '../../../web/sim/create-world.ts';
import { loadParts, parts } from '../../../web/sim/parts.ts';
import { step } from '../../../web/sim/step.ts';
import { commands, perform } from '../../support/arbitraries.ts';
import { freshWorld, startEngine } from '../../support/engine.ts';
import { SEED } from '../../support/property.ts';

let busy: Promise<World> | undefined;

/** Returns a clone of a world in which no part is empty. */
async function busyWorld(): Promise<World> {
	busy ??= makeBusyWorld();
	return clone(await busy);
}

async function makeBusyWorld(): Promise<World> {
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

const encodingOf = (part: WorldPart, state: unknown) => Buffer.from(part.encode(state)).toString('base64');
const digestOf = (part: WorldPart, state: unknown) => Buffer.from(part.digest(state)).toString('base64');

describe.each(parts.map((part) => [part.name, part] as const))('%s', (_, part) => {
	test('fresh states are equal', async () => {
		const [world, other] = [await freshWorld(), await freshWorld()];
		expect(encodingOf(part, partState(world, part))).toBe(encodingOf(part, partState(other, part)));
		expect(digestOf(part, partState(world, part))).toBe(digestOf(part, partState(other, part)));
	});

	test('a clone encodes and digests like the original, and changes independently', async () => {
		const world = await busyWorld();
		const state = partState(world, part);
		const before = [encodingOf(part, state), digestOf(part, state)];
		const copy = clone(world);
		expect([encodingOf(part, partState(copy, part)), digestOf(part, partState(copy, part))]).toEqual(before);
		for (let i = 0; i < 5; i++) step(copy);
		expect(
			[encodingOf(part, state), digestOf(part, state)],
			'the original, after ticks of its clone',
		).toEqual(before);
		for (let i = 0; i < 5; i++) step(world);
		expect(encodingOf(part, partState(copy, part))).toBe(encodingOf(part, partState(world, part)));
		expect(digestOf(part, partState(copy, part))).toBe(digestOf(part, partState(world, part)));
		dispose(copy);
	});

	test('decode restores the state from encode', async () => {
		const world = await busyWorld();
		const state = partState(world, part);
		const decoded = part.decode(part.encode(state), world);
		expect(encodingOf(part, decoded)).toBe(encodingOf(part, state));
		expect(digestOf(part, decoded)).toBe(digestOf(part, state));
		part.dispose?.(decoded);
	});

	test('equal versions have equal bytes, in clones too', async () => {
		const world = await busyWorld();
		const state = partState(world, part);
		const seen = new Map<number, string[]>();
		for (let i = 0; i < 30; i++) {
			const version = part.version(state);
			const now = [encodingOf(part, state), digestOf(part, state)];
			expect(seen.get(version) ?? now).toEqual(now);
			seen.set(version, now);
			const copy = clone(world);
			expect(part.version(partState(copy, part))).toBe(version);
			dispose(copy);
			step(world);
		}
	});

	test('a loaded world has the same state', async () => {
		const world = await busyWorld();
		const loaded = loadWorld(encodeWorld(world));
		expect(encodingOf(part, partState(loaded, part))).toBe(encodingOf(part, partState(world, part)));
		dispose(loaded);
	});

	test('weights are not negative, and clones report the same contents', async () => {
		const world = await busyWorld();
		const weights = (of: World) => {
			const things = new Map<object, number>();
			part.weigh?.(partState(of, part), (thing, weight) => things.set(thing, weight));
			return things;
		};
		for (const weight of weights(world).values()) expect(weight).toBeGreaterThanOrEqual(0);
		const [first, second] = [clone(world), clone(world)];
		expect(new Set(weights(first).keys())).toEqual(new Set(weights(second).keys()));
		dispose(first);
		dispose(second);
	});

	test('encode and digest change nothing', async () => {
		const world = await busyWorld();
		const state = partState(world, part);
		const before = encodingOf(part, state);
		digestOf(part, state);
		expect(encodingOf(part, state)).toBe(before);
	});
});

test('parts have unique names', () => {
	expect(new Set(parts.map(({ name }) => name)).size).toBe(parts.length);
});

/** Returns a part that counts its digests and encodings. */
function countedPart() {
	const counts = { digest: 0, encode: 0 };
	const part: WorldPart<{ version: number }> = {
		name: 'counted',
		scope: 'state',
		create: () => ({ version: 0 }),
		clone: ({ version }) => ({ version }),
		version: ({ version }) => version,
		digest({ version }) {
			counts.digest++;
			return Uint8Array.of(version);
		},
		encode({ version }) {
			counts.encode++;
			return Uint8Array.of(version);
		},
		decode: ([version = 0]) => ({ version }),
	};
	return { part, counts };
}

describe('a heavy part', () => {
	test('is digested and encoded again only after a change, in clones too', async () => {
		await loadParts();
		const { part, counts } = countedPart();
		const world = createWorld({ parts: [...parts, part as WorldPart] });
		const before = [digest(world), futureDigest(world)];
		for (let i = 0; i < 10; i++) step(world);
		const copy = clone(world);
		for (const each of [world, copy]) expect(digest(each)).not.toBe(before[0]);
		expect(futureDigest(copy)).toBe(futureDigest(world));
		expect(counts).toEqual({ digest: 1, encode: 1 });
		partState(world, part).version++;
		world.version++;
		expect(digest(world)).not.toBe(digest(copy));
		expect(futureDigest(world)).not.toBe(futureDigest(copy));
		expect(counts).toEqual({ digest: 2, encode: 2 });
	});

	test('is loaded before the first world is created', async () => {
		const log: string[] = [];
		const load = async () => {
			await new Promise((resolve) => setImmediate(resolve));
			log.push('loaded');
		};
		const part: WorldPart<{ version: number }> = {
			...countedPart().part,
			loadLibrary: load,
			create() {
				log.push('made');
				return { version: 0 };
			},
		};
		const all = [...parts, part as WorldPart];
		await loadParts(all);
		createWorld({ parts: all });
		expect(log).toEqual(['loaded', 'made']);
	});
});

describe('a derived part', () => {
	interface Census {
		readonly builtFrom: number;
		readonly sick: number;
	}

	/** Returns a part that counts the entities with health, and logs each rebuild. */
	function censusPart() {
		const log: string[] = [];
		const refuse = (): never => {
			throw new Error('A derived part is neither saved nor digested.');
		};
		const part: WorldPart<Census> = {
			name: 'census',
			scope: 'derived',
			create: () => ({ builtFrom: -1, sick: 0 }),
			clone: (state) => state,
			version: ({ builtFrom }) => builtFrom,
			digest: refuse,
			encode: refuse,
			decode: refuse,
			dispose: ({ builtFrom }) => void log.push(`dropped ${builtFrom}`),
			derived: {
				isStale: ({ builtFrom }, world) => builtFrom !== versionOf(world, Health),
				*rebuild(world) {
					let sick = 0;
					for (; sick < count(world, Health); sick++) yield;
					log.push(`built of ${sick}`);
					return { builtFrom: versionOf(world, Health), sick };
				},
			},
		};
		const create = () => createWorld({ parts: [...parts, part as WorldPart] });
		return { part, log, create };
	}

	async function withHealth(census: ReturnType<typeof censusPart>, entityCount: number): Promise<World> {
		await loadParts();
		const world = census.create();
		for (let i = 0; i < entityCount; i++) add(world, spawn(world).id, Health, { max: 5, current: 5 });
		return world;
	}

	test('is updated after a tick, and only if its sources changed', async () => {
		const census = censusPart();
		const world = await withHealth(census, 3);
		expect(partState(world, census.part).sick).toBe(0);
		step(world);
		expect(partState(world, census.part).sick).toBe(3);
		for (let i = 0; i < 5; i++) step(world);
		expect(census.log).toEqual(['built of 3', 'dropped -1']);
	});

	test('is rebuilt in slices, and the world keeps the old state until the end', async () => {
		const census = censusPart();
		const world = await withHealth(census, 3);
		const before = digest(world);
		const work = rebuildParts(world);
		for (let slice = 0; slice < 3; slice++) {
			expect(work.next().done).toBe(false);
			expect(partState(world, census.part).sick).toBe(0);
			expect(digest(world)).toBe(before);
		}
		expect(work.next().done).toBe(true);
		expect(partState(world, census.part).sick).toBe(3);
	});

	test('is not saved; a loaded world rebuilds it and has the same future', async () => {
		const census = censusPart();
		const world = await withHealth(census, 4);
		step(world);
		const loaded = decodeWorld(encodeWorld(world), () => census.create());
		expect(partState(loaded, census.part).sick).toBe(0);
		expect([digest(loaded), futureDigest(loaded)]).toEqual([digest(world), futureDigest(world)]);
		step(loaded);
		step(world);
		expect(partState(loaded, census.part).sick).toBe(4);
		expect(digest(loaded)).toBe(digest(world));
	});

	test('is shared with a clone without a rebuild', async () => {
		const census = censusPart();
		const world = await withHealth(census, 2);
		step(world);
		const copy = clone(world);
		step(copy);
		expect(partState(copy, census.part)).toBe(partState(world, census.part));
		expect(census.log).toEqual(['built of 2', 'dropped -1']);
	});
});
