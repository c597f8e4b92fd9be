/** Operations of scripts return the same NaN on every processor, so texts, packed bytes and memory are the same too. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { withCanonicalNan } from '../../../../web/sim/scripts/canonical-nan.ts';
import { startEngine } from '../../../support/engine.ts';

const [I32, I64, F32, F64] = [0x7f, 0x7e, 0x7d, 0x7c] as const;
const CANONICAL_F32 = 0x7fc00000;
const CANONICAL_F64 = 0x7ff8000000000000n;

const section = (id: number, ...bytes: number[]) => [id, bytes.length, ...bytes];

/** Returns a module with one function `f`. */
function binary(parameters: readonly number[], result: number, body: readonly number[]): Uint8Array {
	return new Uint8Array([
		...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
		...section(1, 1, 0x60, parameters.length, ...parameters, 1, result),
		...section(3, 1, 0),
		...section(7, 1, 1, 0x66, 0, 0),
		...section(10, 1, body.length + 2, 0, ...body, 0x0b),
	]);
}

function instanceOf(bytes: Uint8Array): (...values: (number | bigint)[]) => number | bigint {
	const { exports } = new WebAssembly.Instance(new WebAssembly.Module(withCanonicalNan(bytes)));
	return exports.f as (...values: (number | bigint)[]) => number | bigint;
}

const TYPES = { f32: [F32, I32, 0xbe, 0xbc], f64: [F64, I64, 0xbf, 0xbd] } as const;

/** Returns a function from the bits of operands to the bits of an operation's result. */
function operation(
	code: number,
	from: 'f32' | 'f64',
	to: 'f32' | 'f64',
	operands: number,
): (...bits: (number | bigint)[]) => number | bigint {
	const [, integer, reinterpret] = TYPES[from];
	const [, result, , back] = TYPES[to];
	const operandCode = Array.from({ length: operands }, (_, i) => [0x20, i, reinterpret]).flat();
	return instanceOf(binary(Array(operands).fill(integer), result, [...operandCode, code, back]));
}

describe('arithmetic', () => {
	const odd32 = 0xffa00001 | 0;
	const odd64 = -0x000f_ffff_ffff_fff5n;

	for (const code of [0x8d, 0x8e, 0x8f, 0x90, 0x91])
		test(`f32 ${code.toString(16)}`, () => {
			expect(operation(code, 'f32', 'f32', 1)(odd32)).toBe(CANONICAL_F32);
		});

	for (const code of [0x92, 0x93, 0x94, 0x95, 0x96, 0x97])
		test(`f32 ${code.toString(16)}`, () => {
			expect(operation(code, 'f32', 'f32', 2)(odd32, 0x3f800000)).toBe(CANONICAL_F32);
			expect(operation(code, 'f32', 'f32', 2)(0x3f800000, odd32)).toBe(CANONICAL_F32);
		});

	for (const code of [0x9b, 0x9c, 0x9d, 0x9e, 0x9f])
		test(`f64 ${code.toString(16)}`, () => {
			expect(operation(code, 'f64', 'f64', 1)(odd64)).toBe(CANONICAL_F64);
		});

	for (const code of [0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5])
		test(`f64 ${code.toString(16)}`, () => {
			expect(operation(code, 'f64', 'f64', 2)(odd64, 0n)).toBe(CANONICAL_F64);
			expect(operation(code, 'f64', 'f64', 2)(0n, odd64)).toBe(CANONICAL_F64);
		});

	test('between both widths', () => {
		expect(operation(0xb6, 'f64', 'f32', 1)(odd64)).toBe(CANONICAL_F32);
		expect(operation(0xbb, 'f32', 'f64', 1)(odd32)).toBe(CANONICAL_F64);
	});

	test('numbers, and operations that only change the sign, keep their bits', () => {
		const bits = (value: number) => new BigInt64Array(new Float64Array([value]).buffer)[0]!;
		expect(operation(0xa3, 'f64', 'f64', 2)(bits(1), bits(3))).toBe(bits(1 / 3));
		expect(operation(0xa3, 'f64', 'f64', 2)(bits(-1), 0n)).toBe(bits(-Infinity));
		expect(operation(0xa2, 'f64', 'f64', 2)(bits(-1), 0n)).toBe(bits(-0));
		expect(operation(0x9a, 'f64', 'f64', 1)(CANONICAL_F64)).toBe(BigInt.asIntN(64, 0xfff8n << 48n));
		expect(operation(0x9a, 'f64', 'f64', 1)(odd64)).toBe(odd64 & 0x7fff_ffff_ffff_ffffn);
	});
});

test('instructions with immediates are skipped correctly', () => {
	// (block (block (br_table 0 1 (local.get 0))) (return (i64.const 7))) (i64.const -300)
	const branches = [
		...[0x02, 0x40, 0x02, 0x40, 0x20, 0, 0x0e, 1, 0, 1, 0x0b, 0x42, 7, 0x0f, 0x0b],
		...[0x42, 0xd4, 0x7d],
	];
	const f = instanceOf(binary([I32], I64, branches));
	expect([f(0), f(1), f(2)]).toEqual([7n, -300n, -300n]);
	// The bytes of a constant can look like operations.
	const constant = [0x44, 0xa3, 0xa3, 0xa3, 0xa3, 0xa3, 0xa3, 0xa3, 0x3f, 0xbd];
	expect(instanceOf(binary([], I64, constant))()).toBe(0x3fa3a3a3a3a3a3a3n);
});

test('an unknown instruction and truncated bytes are refused', () => {
	expect(() => withCanonicalNan(binary([], I32, [0xfd, 0x0c]))).toThrow(/instruction 253/);
	expect(() => withCanonicalNan(binary([], I32, [0xfc, 99]))).toThrow(/instruction 99/);
	expect(() => withCanonicalNan(binary([], I32, [0x41, 0x80]).subarray(0, -2))).toThrow(/ends too early/);
});

test('the changed binary of Lua is valid', () => {
	const file = createRequire(import.meta.url).resolve('wasmoon/dist/glue.wasm');
	expect(WebAssembly.validate(withCanonicalNan(readFileSync(file)))).toBe(true);
});

test('a NaN is the same in texts, joined texts and packed bytes, whichever operation returned it', async () => {
	const { post, spawn, step, get } = await startEngine();
	await spawn();
	const source = `
		local zero = 0
		local nan = zero / zero
		kept = { nan, -nan, math.huge - math.huge, math.sqrt(-1), math.fmod(1, 0.0), (-8) ^ (1 / 3), math.huge * zero, math.huge % -math.huge * zero }
		print(nan, -nan, nan .. "", tostring(nan), table.concat(kept, ","))
		print(string.format("%f %g %s %5.1f %a %q", nan, nan, nan, nan, nan, nan))
		print(string.pack("d", nan):byte(1, 8))
		print(string.pack("f", nan):byte(1, 4))
		print(string.pack("d", -nan):byte(1, 8))
		print(0/0, -(0/0), math.log(-1), math.acos(2), math.sin(math.huge), math.max(nan, 1), math.min(nan, 1))`;
	await post('/script/load', { script_name: 's', source, entity_id: 0 });
	await step();
	expect((await get('/script/list')).scripts[0].output).toEqual([
		'nan\t-nan\tnan\tnan\tnan,-nan,nan,nan,nan,nan,nan,nan',
		'nan nan nan   nan nan (0/0)',
		'0\t0\t0\t0\t0\t0\t248\t127',
		'0\t0\t192\t127',
		'0\t0\t0\t0\t0\t0\t248\t255',
		'nan\t-nan\tnan\tnan\tnan\tnan\tnan',
	]);
});
