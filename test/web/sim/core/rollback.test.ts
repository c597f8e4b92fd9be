/**
 * A world that remembers goes back to what it was, whatever was done to it, and continues as if that had never been.
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

/** Returns the entity of a number, if there is any. */
function pickEntity(world: World, number: number): number | undefined {
	const ids = living(world);
	return ids[number % Math.max(1, ids.length)];
}

/** Changes to a world, each with a number and a component. */
const DEEDS: Readonly<Record<string, UndoableChange>> = {
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

const deeds = fc.array(
	fc.record({
		what: fc.constantFrom(...Object.keys(DEEDS)),
		number: fc.nat(200),
		component: fc.constantFrom(...components),
	}),
	{ maxLength: 16 },
);

type History = typeof deeds extends fc.Arbitrary<infer H> ? H : never;

function live(world: World, history: History): void {
	for (const { what, number, component } of history) DEEDS[what]!(world, number, component);
}

const snapshotOf = (world: World) => ({
	digest: digest(world),
	bytes: Buffer.from(encodeWorld(world)).toString('base64'),
	counts: components.map((component) => count(world, component)),
	entities: world.entities.count,
});

const versions = (world: World) =>
	world.tables.flatMap((table) =>
		table === undefined
			? []
			: [table.presence, ...Object.values(table.columns)].map((column) => [
					column.version,
					column.data.length,
				]),
	);

describe(`undo (seed ${SEED})`, () => {
	test('leaves no trace of the change, or of its effects', () =>
		check(60, [deeds, deeds, deeds], async (before, tried, after) => {
			const [world, twin] = [await fullWorld(), await fullWorld()];
			for (const each of [world, twin]) live(each, before);
			const [was, columns] = [snapshotOf(world), versions(world)];
			world.undo = new Undo(world);
			live(world, tried);
			world.undo.restore();
			world.undo = null;
			expect(versions(world)).toEqual(columns);
			expect(snapshotOf(world)).toEqual(was);
			for (const each of [world, twin]) live(each, after);
			expect(snapshotOf(world)).toEqual(snapshotOf(twin));
			dispose(world);
			dispose(twin);
		}));

	test('restores the numbers of an entity whose slot was reused', async () => {
		const world = await fullWorld();
		const was = snapshotOf(world);
		world.undo = new Undo(world);
		despawn(world, 1);
		const next: EntityHandle = spawn(world);
		expect(next.id).toBe(1);
		for (const component of components) add(world, next.id, component, row(component, 5));
		world.undo.restore();
		world.undo = null;
		expect(snapshotOf(world)).toEqual(was);
	});
});
