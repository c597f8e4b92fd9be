/** The bytes of a read-out are those of JSON.stringify, for any stored values. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Health } from '../../../../shared/components/health.ts';
import { components } from '../../../../shared/components/index.ts';
import { LocalTransform } from '../../../../shared/components/local-transform.ts';
import { Tags } from '../../../../shared/components/tags.ts';
import { VisibleTo } from '../../../../shared/components/visible-to.ts';
import { clone, dispose } from '../../../../web/sim/core/clone.ts';
import { isAlive } from '../../../../web/sim/core/entities.ts';
import { shortestFloat32 } from '../../../../web/sim/core/float32.ts';
import { philox } from '../../../../web/sim/core/random.ts';
import { Undo } from '../../../../web/sim/core/rollback.ts';
import { add, despawn, has, remove, spawn, type World, write } from '../../../../web/sim/core/world.ts';
import { JsonWriter } from '../../../../web/sim/observe/json-bytes.ts';
import { observe } from '../../../../web/sim/observe/read-out.ts';
import { observeBytes } from '../../../../web/sim/observe/write-out.ts';
import { freshWorld } from '../../../support/engine.ts';
import { fieldValue, fullWorld } from '../../../support/every-component.ts';
import { check, SEED } from '../../../support/property.ts';

const decoder = new TextDecoder();
const single = new Float32Array(1);
const pattern = new Uint32Array(single.buffer);

function writtenText(writeTo: (out: JsonWriter) => void): string {
	const out = new JsonWriter();
	writeTo(out);
	return decoder.decode(out.finish());
}

function expectSame(world: World): void {
	expect(decoder.decode(observeBytes(world))).toBe(JSON.stringify(observe(world)));
}

describe('worlds', () => {
	test('with every component', async () => {
		expectSame(await fullWorld());
	});

	test('that are empty, or have gaps', async () => {
		const world = await freshWorld();
		expectSame(world);
		for (let i = 0; i < 70; i++) add(world, spawn(world).id, Health, { current: i / 3, max: 100 });
		for (const slot of [0, 31, 32, 69]) despawn(world, slot);
		expectSame(world);
	});

	test('seen by a viewer', async () => {
		const world = await freshWorld();
		const viewer = spawn(world);
		for (let i = 0; i < 3; i++)
			add(world, spawn(world).id, VisibleTo, { observers: i === 1 ? [viewer.id] : [] } as never);
		const seen = decoder.decode(observeBytes(world, viewer));
		expect(seen).toBe(JSON.stringify(observe(world, viewer)));
		expect(JSON.parse(seen)).toHaveLength(2);
	});

	test('with special characters, and very small and large numbers', async () => {
		const world = await freshWorld();
		const { id } = spawn(world);
		add(world, id, Tags, { tags: ['"', '\\', 'ä', '\u0000', '🌍', '\u2028', 'plain', ''] });
		add(world, id, LocalTransform, { position: [-0, 1e-30, 3.4e38], scale: [1e-7, 123456.78, -0.1] });
		expectSame(world);
	});
});

describe('a world that is read repeatedly', () => {
	const change = fc.record({
		what: fc.constantFrom('write', 'add', 'remove', 'spawn', 'despawn', 'undo'),
		slot: fc.nat(40),
		value: fc.nat(9),
		component: fc.constantFrom(...components.filter(({ readout }) => readout === undefined)),
	});

	function applyChange(
		world: World,
		{ what, slot, value, component }: typeof change extends fc.Arbitrary<infer D> ? D : never,
	) {
		const values = Object.fromEntries(
			Object.entries(component.fields).map(([name, field]) => [name, fieldValue(field, value)]),
		);
		if (what === 'spawn') add(world, spawn(world).id, component, values as never);
		else if (!isAlive(world, slot)) return;
		else if (what === 'add') add(world, slot, component, values as never);
		else if (what === 'remove') remove(world, slot, component);
		else if (what === 'despawn') despawn(world, slot);
		else if (has(world, slot, component))
			for (const [name, field] of Object.entries(component.fields))
				if ('size' in field) (write(world, component, name) as unknown as Float32Array).fill(value);
	}

	test('has the same bytes after every change', async () => {
		const start = await fullWorld();
		for (let i = 0; i < 40; i++) add(start, spawn(start).id, Health, { current: i, max: 100 });
		await check(60, [fc.array(change, { maxLength: 12 })], (deeds) => {
			const world = clone(start);
			expectSame(world);
			for (const deed of deeds) {
				const undo = deed.what === 'undo' ? new Undo(world) : null;
				world.undo = undo;
				applyChange(world, undo === null ? deed : { ...deed, what: deed.value % 2 === 0 ? 'write' : 'add' });
				expectSame(world);
				undo?.restore();
				world.undo = null;
				expectSame(world);
			}
			dispose(world);
		});
	});
});

describe('numbers', () => {
	const expectSameFloat = (x: number): void => {
		const text = writtenText((out) => out.writeFloat(x));
		if (text !== JSON.stringify(shortestFloat32(x)))
			throw new Error(`${x} was written as ${text}, not ${JSON.stringify(shortestFloat32(x))}`);
	};

	test('random 32-bit patterns', () => {
		for (let block = 0; block < 25_000; block++) {
			for (const word of philox([block, 0, 0, 0], [SEED, 4])) {
				pattern[0] = word;
				if (Number.isFinite(single[0])) expectSameFloat(single[0]!);
			}
		}
	});

	test('numbers of everyday size, and the neighbours of powers of two and ten', () => {
		for (let i = -200_000; i < 200_000; i += 7) expectSameFloat(Math.fround(i / 1000));
		for (let exponent = -40; exponent <= 38; exponent++) {
			for (const base of [2 ** exponent, Number(`1e${exponent}`)]) {
				single[0] = base;
				const middle = pattern[0]!;
				for (let step = -20; step <= 20; step++) {
					pattern[0] = middle + step;
					if (Number.isFinite(single[0])) expectSameFloat(single[0]!);
				}
			}
		}
	});

	test('64-bit ones', async () => {
		await check(100, [fc.double({ noNaN: true, noDefaultInfinity: true })], (x) => {
			expect(writtenText((out) => out.writeNumber(x))).toBe(JSON.stringify(x));
		});
		for (const x of [-0, 2 ** 31, -(2 ** 31), 2 ** 31 - 1, 2 ** 53, 1e21, 1e-7, Number.NaN])
			expect(writtenText((out) => out.writeNumber(x))).toBe(JSON.stringify(x));
	});
});

test('any JSON', async () => {
	await check(100, [fc.jsonValue()], (value) => {
		expect(writtenText((out) => out.writeValue(value))).toBe(JSON.stringify(value));
	});
	expect(writtenText((out) => out.writeValue({ a: undefined, b: [true, null] }))).toBe('{"b":[true,null]}');
});
