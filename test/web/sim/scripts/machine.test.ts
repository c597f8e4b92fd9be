/**
 * The memory of scripts: a copy is complete after any allocations, and any machine can continue from it.
 */

import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { partState } from '../../../../web/sim/core/world.ts';
import { SCRIPT_HOST } from '../../../../web/sim/scripts/budgeted-call.ts';
import { Machine } from '../../../../web/sim/scripts/machine.ts';
import { Scripts } from '../../../../web/sim/scripts/scripts.part.ts';
import { startEngine, type TestEngine } from '../../../support/engine.ts';
import { check, SEED } from '../../../support/property.ts';

let engine: TestEngine;
beforeEach(async () => {
	// This provides the binary of Lua, which Machine needs.
	engine = await startEngine();
});
afterEach(() => engine.engine.close());

const MIB = 2 ** 20;

/** A request to the heap: allocates, resizes or, with size 0, frees a piece. */
type HeapRequest = { readonly index: number; readonly size: number };
const heapRequests = fc.array(
	fc.record({
		index: fc.nat(12),
		size: fc.oneof(fc.nat(200), fc.nat(100_000), fc.nat(3 * MIB)),
	}),
	{ minLength: 1, maxLength: 25 },
);

/** Makes the requests. Returns the address of the piece after each. */
function request({ lua }: Machine, pieces: number[], requests: readonly HeapRequest[]): number[] {
	return requests.map(({ index, size }) => {
		const piece = pieces[index] ?? 0;
		if (size === 0) lua.free(piece);
		pieces[index] = size === 0 ? 0 : lua.realloc(piece, size);
		return pieces[index];
	});
}

/** Returns the index of the last byte that is not 0. Memory has whole words, most of them 0. */
function lastByte({ bytes }: Machine): number {
	const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
	let word = words.length - 1;
	while (word >= 0 && words[word] === 0) word--;
	const rest = bytes.subarray(4 * word, 4 * word + 4);
	return 4 * word + rest.findLastIndex((byte) => byte !== 0);
}

test(`memory after its used part is 0, and a used machine continues from a copy like a new one (seed ${SEED})`, () =>
	check(20, [heapRequests, heapRequests, heapRequests], (before, first, after) => {
		const machine = new Machine(SCRIPT_HOST);
		const pieces: number[] = [];
		request(machine, pieces, first);
		expect(lastByte(machine)).toBeLessThan(machine.contentEnd);
		const other = new Machine(SCRIPT_HOST);
		request(other, [], before);
		const copy = machine.copy();
		other.restore(copy);
		expect(other.contentEnd).toBe(machine.contentEnd);
		expect(lastByte(other)).toBeLessThan(other.contentEnd);
		expect(request(other, [...pieces], after)).toEqual(request(machine, [...pieces], after));
		expect(Buffer.compare(other.copy(), machine.copy())).toBe(0);
	}));

test('a cleared stack is 0 everywhere after deep calls', async () => {
	const deep = 'function f(n) return n == 0 and 0 or 1 + select(2, pcall(f, n - 1)) end';
	const texts = 'string.format("%5.2f %s", n, ("x"):rep(900)) .. table.concat({ n, n }, "y")';
	await engine.must('POST', '/script/load', {
		script_name: 's',
		source: `${deep} n = 1 function on_update(me) n = 1 + n * 2 % 150 f(n) s = ${texts} end`,
	});
	await engine.spawn({ script: 's' });
	for (let tick = 0; tick < 20; tick++) {
		await engine.must('POST', '/step', {});
		const machine = partState(engine.engine.worlds.main.world, Scripts).live!;
		const [end, top] = [machine.lua.emscripten_stack_get_end(), machine.lua.stackSave()];
		const stack = () => machine.bytes.subarray(end, top);
		expect(stack().some((byte) => byte !== 0)).toBe(true);
		machine.clearStack();
		expect(stack().every((byte) => byte === 0)).toBe(true);
	}
});

test('a forged copy with too high an end of its heap is limited to the memory of the machine', () => {
	const machine = new Machine(SCRIPT_HOST);
	const copy = machine.copy();
	const heap = machine.lua.emscripten_stack_get_end();
	new DataView(copy.buffer).setUint32(heap + 8, 0xffff_fff0, true);
	machine.restore(copy);
	expect(machine.contentEnd).toBeLessThanOrEqual(64 * MIB);
	expect(machine.copy().length).toBeLessThanOrEqual(64 * MIB);
});

test('a fork equals its parent if its machine has grown in another world', async () => {
	const source =
		'local t, n = {}, 0 function on_update(me) for i = 1, 12 do n = n + 1 t[n] = string.rep("x", 8000) .. n end end';
	/** Ticks after which each script has about 2 MiB. Six of them soon have more than a new machine's memory. */
	const ticks = 22;
	const withScripts = async (world: string, count: number): Promise<void> => {
		await engine.must('POST', '/fork', { fork_id: world });
		for (let i = 0; i < count; i++) {
			await engine.must('POST', `/script/load?world=${world}`, { script_name: `s${i}`, source });
			await engine.must('POST', `/spawn?world=${world}`, { script: `s${i}` });
		}
	};
	await withScripts('large', 8);
	await engine.must('POST', '/step?world=large', { ticks: 2 * ticks });
	await withScripts('parent', 6);
	await engine.must('POST', '/fork', { fork_id: 'fork', from: 'parent' });
	await engine.must('DELETE', '/fork/large');
	for (const world of ['parent', 'fork']) await engine.must('POST', `/step?world=${world}`, { ticks });
	for (let i = 0; i < 8; i++) {
		const [parent, fork] = [await engine.future(1, 'parent'), await engine.future(1, 'fork')];
		expect(fork, `tick ${i}`).toEqual(parent);
	}
});
