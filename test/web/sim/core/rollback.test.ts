/**
 * Undo restores a world after any changes. The world then evolves as if the changes had not been made.
 */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { components } from '../../../../shared/components/index.ts';
import type { Component, EntityHandle } from '../../../../shared/contract/component.ts';
import { Signal } from '../../../../shared/events/signal.ts';
import { clone, dispose } from '../../../../web/sim/core/clone.ts';
import { encodeWorld } from '../../../../web/sim/core/codec.ts';
import { digest } from '../../../../web/sim/core/digest.ts';
import { eachEntity } from '../../../../web/sim/core/entities.ts';
import { emit } from '../../../../web/sim/core/events.ts';
import { setResource } from '../../../../web/sim/core/resource.ts';
import { Undo } from '../../../../web/sim/core/rollback.ts';
import {
	add,
	count,
	despawn,
	has,
	remove,
	spawn,
	type World,
	write,
} from '../../../../web/sim/core/world.ts';
import { MaterialRegistry } from '../../../../web/sim/looks/materials.ts';
import { fieldValue, fullWorld } from '../../../support/every-component.ts';
import { check, SEED } from '../../../support/property.ts';

type UndoableChange = (world: World, number: number, component: Component) => void;

const row = ({ fields }: Component, index: number) =>
	Object.fromEntries(
		Object.entries(fields).map(([name, field]) => [name, fieldValue(field, index)]),
	) as never;

function living(world: World): number[] {
	const ids: number[] = [];
	eachEntity(world, (id) => ids.push(id));
	return ids;
}

/** Returns the entity that a number selects; undefined in a world without entities. */
function pickEntity(world: World, number: number): number | undefined {
	const ids = living(world);
	return ids[number % Math.max(1, ids.length)];
}

/** Changes to a world, each with a number and a component. */
const CHANGES: Readonly<Record<string, UndoableChange>> = {
	spawn: (world, number, component) => {
		for (let i = 0; i <= number % 7; i++) add(world, spawn(world).id, component, row(component, number));
	},
	'spawn until columns grow': (world, number, component) => {
		for (let i = 0; i < 70; i++) add(world, spawn(world).id, component, row(component, number));
	},
	despawn: (world, number) => {
		const id = pickEntity(world, number);
		if (id !== undefined) despawn(world, id);
	},
	'despawn all': (world) => {
		for (const id of living(world)) despawn(world, id);
	},
	add: (world, number, component) => {
		const id = pickEntity(world, number);
		if (id !== undefined) add(world, id, component, row(component, number));
	},
	'give to all': (world, number, component) => {
		for (const id of living(world)) add(world, id, component, row(component, number));
	},
	remove: (world, number, component) => {
		const id = pickEntity(world, number);
		if (id !== undefined) remove(world, id, component);
	},
	write: (world, number, component) => {
		const id = pickEntity(world, number);
		if (id === undefined || !has(world, id, component)) return;
		for (const name in component.fields) write(world, component, name).reverse();
	},
	emit: (world, number) => emit(world, Signal, { name: `${number}`, data: {} } as never),
	'set a resource': (world, number) =>
		setResource(world, MaterialRegistry, { [`m${number}`]: { roughness: 0.5 } } as never),
	digest: (world) => void digest(world),
	'share all columns': (world) => dispose(clone(world)),
};

const changeLists = fc.array(
	fc.record({
		what: fc.constantFrom(...Object.keys(CHANGES)),
		number: fc.nat(200),
		component: fc.constantFrom(...components),
	}),
	{ maxLength: 16 },
);

type History = typeof changeLists extends fc.Arbitrary<infer H> ? H : never;

function applyChanges(world: World, history: History): void {
	for (const { what, number, component } of history) CHANGES[what]!(world, number, component);
}

const snapshotOf = (world: World) => ({
	digest: digest(world),
	bytes: Buffer.from(encodeWorld(world)).toString('base64'),
	counts: components.map((component) => count(world, component)),
	entities: world.entities.count,
});

const versionsOf = (world: World) =>
	world.tables.flatMap((table) =>
		table === undefined
			? []
			: [table.presence, ...Object.values(table.columns)].map((column) => [
					column.version,
					column.data.length,
				]),
	);

describe(`undo (seed ${SEED})`, () => {
	test('restores digest, bytes and versions, and the world then evolves like a twin', () =>
		check(60, [changeLists, changeLists, changeLists], async (before, undone, after) => {
			const [world, twin] = [await fullWorld(), await fullWorld()];
			for (const each of [world, twin]) applyChanges(each, before);
			const [expected, columns] = [snapshotOf(world), versionsOf(world)];
			world.undo = new Undo(world);
			applyChanges(world, undone);
			world.undo.restore();
			world.undo = null;
			expect(versionsOf(world)).toEqual(columns);
			expect(snapshotOf(world)).toEqual(expected);
			for (const each of [world, twin]) applyChanges(each, after);
			expect(snapshotOf(world)).toEqual(snapshotOf(twin));
			dispose(world);
			dispose(twin);
		}));

	test('restores the numbers of an entity whose slot was reused', async () => {
		const world = await fullWorld();
		const expected = snapshotOf(world);
		world.undo = new Undo(world);
		despawn(world, 1);
		const next: EntityHandle = spawn(world);
		expect(next.id).toBe(1);
		for (const component of components) add(world, next.id, component, row(component, 5));
		world.undo.restore();
		world.undo = null;
		expect(snapshotOf(world)).toEqual(expected);
	});
});
