/**
 * Columns shared between a world and its forks: a write on one side never affects the other.
 */

import { describe, expect, test } from 'vitest';
import { components } from '../../../../shared/components/index.ts';
import type { Component } from '../../../../shared/contract/component.ts';
import { clone } from '../../../../web/sim/core/clone.ts';
import { digest } from '../../../../web/sim/core/digest.ts';
import {
	add,
	count,
	despawn,
	each,
	get,
	read,
	remove,
	spawn,
	type World,
	write,
} from '../../../../web/sim/core/world.ts';
import { freshWorld } from '../../../support/engine.ts';
import { ENTITY_COUNT, everyChange, fieldValue, fullWorld } from '../../../support/every-component.ts';

function rowsOf(world: World): unknown {
	return components.map((component) =>
		Array.from({ length: ENTITY_COUNT }, (_, slot) => get(world, slot, component)),
	);
}

/** Changes of a world after it was cloned. */
const CHANGES: Readonly<Record<string, (world: World, component: Component) => void>> = {
	'writing a row': (world, component) => {
		const row = Object.fromEntries(
			Object.entries(component.fields).map(([name, field]) => [name, fieldValue(field, 7)]),
		);
		add(world, 1, component, row as never);
	},
	'removing a component': (world, component) => void remove(world, 1, component),
	'despawning its entity': (world) => despawn(world, 1),
	'spawning until columns grow': (world, component) => {
		for (let i = 0; i < 200; i++) add(world, spawn(world).id, component);
	},
};

for (const [title, change] of Object.entries(CHANGES)) {
	describe(title, () => {
		for (const component of components) {
			test(`of ${component.title}, in a fork and in its parent`, async () => {
				const parentWorld = await fullWorld();
				const before = rowsOf(parentWorld);
				const parentDigest = digest(parentWorld);
				const fork = clone(parentWorld);
				change(fork, component);
				expect(rowsOf(parentWorld)).toEqual(before);
				expect(digest(parentWorld)).toBe(parentDigest);
				const secondFork = clone(parentWorld);
				change(parentWorld, component);
				expect(rowsOf(secondFork)).toEqual(before);
				expect(digest(secondFork)).toBe(parentDigest);
				expect(digest(fork), 'both sides changed alike').toBe(digest(parentWorld));
			});
		}
	});
}

describe('a column opened for writing', () => {
	for (const { component, field, description, apply } of everyChange(components)) {
		test(`${description} belongs to this world`, async () => {
			const parent = await fullWorld();
			const fork = clone(parent);
			const grandchild = clone(fork);
			const data = read(parent, component, field);
			expect(read(fork, component, field), 'shared until a write').toBe(data);
			const writable = write(fork, component, field);
			expect(writable).not.toBe(data);
			const before = structuredClone(Array.from(data as ArrayLike<unknown>));
			apply(writable as never, 1);
			expect(Array.from(data as ArrayLike<unknown>)).toEqual(before);
			expect(read(grandchild, component, field)).toBe(data);
			expect(read(fork, component, field)).toBe(writable);
			expect(write(fork, component, field), 'copied once').toBe(writable);
			apply(write(parent, component, field) as never, 2);
			expect(Array.from(read(grandchild, component, field) as ArrayLike<unknown>)).toEqual(before);
		});
	}
});

describe('each', () => {
	test('visits the slots with all given components, in order, across word boundaries', async () => {
		const world = await freshWorld();
		const [component, other] = [components[0]!, components[1]!];
		const expected: number[] = [];
		for (let i = 0; i < 150; i++) {
			const { id } = spawn(world);
			if (i % 2 === 0) add(world, id, component);
			if (i % 3 === 0 || i === 31 || i === 32) add(world, id, other);
			if (i % 6 === 0 || i === 32) expected.push(id);
		}
		const visited: number[] = [];
		each(world, [component, other], (slot) => visited.push(slot));
		expect(visited).toEqual(expected);
		each(world, [component], (slot) => void remove(world, slot, component));
		expect(count(world, component)).toBe(0);
	});
});
