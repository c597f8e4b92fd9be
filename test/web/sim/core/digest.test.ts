/**
 * Contents of the digest: every bit of the state, and nothing of the view scope.
 */

import { describe, expect, test } from 'vitest';
import { components } from '../../../../shared/components/index.ts';
import { Tags } from '../../../../shared/components/tags.ts';
import { Signal } from '../../../../shared/events/signal.ts';
import { clone, cloneWithout, dispose } from '../../../../web/sim/core/clone.ts';
import { encodeWorld } from '../../../../web/sim/core/codec.ts';
import { digest, futureDigest } from '../../../../web/sim/core/digest.ts';
import { Events, emit, pendingEvents, type SentEvent, swapEvents } from '../../../../web/sim/core/events.ts';
import type { WorldPart } from '../../../../web/sim/core/part.ts';
import { type Resource, setResource } from '../../../../web/sim/core/resource.ts';
import { add, despawn, partState, remove, spawn, type World, write } from '../../../../web/sim/core/world.ts';
import { loadWorld } from '../../../../web/sim/create-world.ts';
import { Physics } from '../../../../web/sim/physics/physics.part.ts';
import { resources } from '../../../../web/sim/resources.ts';
import { TemplateRegistry } from '../../../../web/sim/templates/templates.ts';
import { freshWorld, startEngine } from '../../../support/engine.ts';
import { ENTITY_COUNT, everyChange, fullWorld } from '../../../support/every-component.ts';
import { times } from '../../../support/property.ts';

const world = await fullWorld();
const initialDigest = digest(world);

/** Returns the digest after a change to a copy of the full world. */
function digestAfter(change: (copy: World) => void): string {
	const copy = clone(world);
	change(copy);
	return digest(copy);
}

test('the digest has 16 hexadecimal digits, which are equal for equal worlds', async () => {
	expect(initialDigest).toMatch(/^[0-9a-f]{16}$/);
	expect(digest(await fullWorld())).toBe(initialDigest);
	expect(digestAfter(() => {})).toBe(initialDigest);
});

describe('one bit of one field', () => {
	for (const change of everyChange(components.filter(({ scope }) => scope === 'state'))) {
		test(`of ${change.description} changes the digest`, () => {
			const digests = new Set([initialDigest]);
			for (let slot = 0; slot < ENTITY_COUNT; slot++)
				digests.add(
					digestAfter((copy) => change.apply(write(copy, change.component, change.field) as never, slot)),
				);
			expect(digests.size).toBe(1 + ENTITY_COUNT);
			expect(digest(world), 'the world that was cloned').toBe(initialDigest);
		});
	}
	for (const change of everyChange(components.filter(({ scope }) => scope !== 'state'))) {
		test(`of ${change.description}, which is not state, keeps it`, () => {
			expect(
				digestAfter((copy) => change.apply(write(copy, change.component, change.field) as never, 0)),
			).toBe(initialDigest);
		});
	}
});

describe('the presence of a component changes the digest if it is state', () => {
	for (const component of components) {
		test(component.title, () => {
			const digests = new Set([initialDigest]);
			for (let slot = 0; slot < ENTITY_COUNT; slot++)
				digests.add(digestAfter((copy) => void remove(copy, slot, component)));
			expect(digests.size).toBe(component.scope === 'state' ? 1 + ENTITY_COUNT : 1);
		});
	}

	test('a component without fields, removed and added again, leaves it unchanged', () => {
		for (const component of components) {
			const isEmpty = Object.keys(component.fields).length === 0;
			if (!isEmpty) continue;
			const digestThen = digestAfter((copy) => {
				remove(copy, 0, component);
				add(copy, 0, component);
			});
			expect(digestThen).toBe(initialDigest);
		}
	});
});

describe('other state', () => {
	test('the tick', () => {
		const digestOfNextTick = digestAfter((copy) => {
			copy.tick++;
			copy.version++;
		});
		expect(digestOfNextTick).not.toBe(initialDigest);
	});

	test('the seed is only in the future digest, which also contains all state', () => {
		const futures = new Set([futureDigest(world)]);
		for (const change of [
			(copy: World) => copy.seed++,
			(copy: World) => (copy.seed += 2 ** 32),
			(copy: World) => copy.tick++,
		]) {
			const copy = clone(world);
			change(copy);
			copy.version++;
			expect(digest(copy) === initialDigest).toBe(copy.tick === world.tick);
			futures.add(futureDigest(copy));
		}
		expect(futures.size).toBe(4);
		expect(futureDigest(clone(world))).toBe(futureDigest(world));
	});

	test('entities, their generations, and the next slot', () => {
		const despawnEntity = (id: number) => (copy: World) => despawn(copy, id);
		const digests = [
			digestAfter((copy) => void spawn(copy)),
			digestAfter(despawnEntity(0)),
			digestAfter(despawnEntity(1)),
			digestAfter((copy) => {
				despawn(copy, 0);
				despawn(copy, 1);
			}),
			digestAfter((copy) => {
				despawn(copy, 1);
				despawn(copy, 0);
			}),
			digestAfter((copy) => {
				const { id } = spawn(copy);
				despawn(copy, id);
			}),
		];
		expect(new Set([initialDigest, ...digests]).size).toBe(7);
	});

	test('every field of every pending event, and its tick', () => {
		const events = pendingEvents(world) as SentEvent[];
		expect(new Set(events.map(({ kind }) => kind)).size).toBe(4);
		const digests = new Set([initialDigest]);
		let changes = 0;
		const addDigest = (change: (copy: World) => void) => {
			changes++;
			digests.add(digestAfter(change));
		};
		const replace = (event: SentEvent, data: unknown) => (copy: World) => {
			const state = partState(copy, Events);
			const list = [...state.current.lists[event.kind]!];
			state.current = { ...state.current, lists: { ...state.current.lists, [event.kind]: list } };
			const index = list.findIndex(({ sequence }) => sequence === event.sequence);
			list[index] = { ...event, data } as SentEvent;
			state.version++;
			copy.version++;
		};
		for (const event of events) {
			const { data } = event;
			for (const [key, value] of Object.entries(data)) {
				const other =
					typeof value === 'number'
						? value + 1
						: typeof value === 'boolean'
							? !value
							: typeof value === 'string'
								? `${value}x`
								: { id: 2, generation: 9 };
				addDigest(replace(event, { ...data, [key]: other }));
			}
		}
		addDigest((copy) => emit(copy, Signal, { name: '', data: null }));
		addDigest((copy) => swapEvents(copy));
		addDigest((copy) => {
			swapEvents(copy);
			swapEvents(copy);
		});
		expect(digests.size).toBe(1 + changes);
	});

	test('resources of scope state, and no others', () => {
		const scopes = new Set<string>();
		for (const resource of resources) {
			scopes.add(resource.scope);
			const heldResource = world.resources.get(resource.name);
			const value =
				heldResource === undefined || heldResource.value === null ? {} : (heldResource.value as object);
			const changedDigest = digestAfter((copy) => setResource(copy, resource, { ...value, other: 1 }));
			expect(changedDigest !== initialDigest, resource.name).toBe(resource.scope === 'state');
		}
		expect([...scopes].sort()).toEqual(['state', 'view']);
	});

	test('the set of awake bodies', () => {
		expect(
			digestAfter((copy) => {
				const state = partState(copy, Physics);
				state.mirror = { ...state.mirror, awake: new Uint32Array([1]) };
				state.version++;
				copy.version++;
			}),
		).not.toBe(initialDigest);
	});
});

test('a copy without a part has another digest, and keeps it when it is saved and loaded', async () => {
	const { engine, must } = await startEngine();
	await must('POST', '/spawn', { physics_body: 'Dynamic', collider: { shape: 'Sphere', radius: 1 } });
	await must('POST', '/step', { ticks: 1 });
	for (const hash of [digest, futureDigest]) {
		const loaded = loadWorld(encodeWorld(engine.worlds.main.world));
		hash(loaded);
		const copy = cloneWithout(loaded, Physics as WorldPart);
		const world = loadWorld(encodeWorld(copy));
		expect([digest(copy), futureDigest(copy)]).toEqual([digest(world), futureDigest(world)]);
		expect(digest(copy)).not.toBe(digest(loaded));
		for (const each of [loaded, copy, world]) dispose(each);
	}
	await engine.close();
});

test('a component without entities equals one that never had entities', async () => {
	const [usedWorld, unusedWorld] = [await freshWorld(), await freshWorld()];
	for (const component of components) {
		const { id } = spawn(usedWorld);
		add(usedWorld, id, component);
		despawn(usedWorld, id);
		despawn(unusedWorld, spawn(unusedWorld).id);
	}
	expect(digest(usedWorld)).toBe(digest(unusedWorld));
});

// `npm run deep` exceeds the maximum length of a text, 2 ** 29 characters.
describe('many long texts', () => {
	const longTexts = ['x'.repeat(2 ** 20)];
	const textCount = times(1) > 1 ? 2 ** 9 + 8 : 8;

	test('in a column', async () => {
		const large = await freshWorld();
		for (let i = 0; i < textCount; i++) add(large, spawn(large).id, Tags, { tags: longTexts });
		const first = digest(large);
		add(large, textCount - 1, Tags, { tags: [] });
		expect(digest(large)).not.toBe(first);
	});

	test('in a resource', async () => {
		const large = await freshWorld();
		const registryWith = (last: unknown) =>
			Object.fromEntries(
				Array.from({ length: textCount }, (_, i) => [`n${i}`, i === textCount - 1 ? last : longTexts]),
			);
		setResource(large, TemplateRegistry as Resource, registryWith(longTexts));
		const first = digest(large);
		setResource(large, TemplateRegistry as Resource, registryWith([]));
		expect(digest(large)).not.toBe(first);
	});
});
