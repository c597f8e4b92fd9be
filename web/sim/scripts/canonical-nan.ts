/**
 * Rewrites WebAssembly so that its arithmetic produces only the canonical NaN.
 * Owns: the rewriting. The bits of a NaN depend on the processor: 0/0 is negative on x64 and positive on arm64. A script
 * can see them in texts, in packed bytes, and in its memory, which is digested.
 * Never: changes instructions that move a number or its sign. They behave the same everywhere.
 */

import { joinBytes, totalLength } from '../../../shared/contract/joined-bytes.ts';
import { skipInstruction, unsignedLeb128, WasmReader } from './wasm-binary.ts';

const [TYPES, FUNCTIONS, CODE] = [1, 3, 10] as const;
const [F32, F64] = [0x7d, 0x7c] as const;
const [GET, TEE, SELECT] = [0x20, 0x22, 0x1b] as const;
const [F32_CONST, F64_CONST, F32_EQUAL, F64_EQUAL] = [0x43, 0x44, 0x5b, 0x61] as const;

/**
 * Returns true if an instruction may produce a NaN with any bits: arithmetic, rounding, and conversion from the other
 * width.
 */
const makesF32 = (code: number): boolean => (code >= 0x8d && code <= 0x97) || code === 0xb6;
const makesF64 = (code: number): boolean => (code >= 0x9b && code <= 0xa5) || code === 0xbb;

/**
 * Returns the binary with every NaN that its arithmetic produces replaced by the canonical one. Throws a RangeError for
 * unknown instructions.
 */
export function withCanonicalNan(binary: Uint8Array): Uint8Array<ArrayBuffer> {
	const reader = new WasmReader(binary, 8);
	const pieces: Uint8Array[] = [binary.subarray(0, 8)];
	/** Number of parameters of each function type, and the type of each function. */
	let parameters: readonly number[] = [];
	let types: readonly number[] = [];
	while (reader.offset < binary.length) {
		const start = reader.offset;
		const id = reader.byte();
		const content = reader.take(reader.number());
		const section = new WasmReader(content);
		if (id === TYPES) parameters = Array.from({ length: section.number() }, () => countParameters(section));
		if (id === FUNCTIONS) types = Array.from({ length: section.number() }, () => section.number());
		if (id !== CODE) {
			pieces.push(binary.subarray(start, reader.offset));
			continue;
		}
		section.number();
		const bodies = types.flatMap((type) => {
			const body = canonicalBody(section.take(section.number()), parameters[type]!);
			return [Uint8Array.from(unsignedLeb128(totalLength(body))), ...body];
		});
		const count = unsignedLeb128(types.length);
		pieces.push(
			Uint8Array.from([CODE, ...unsignedLeb128(count.length + totalLength(bodies)), ...count]),
			...bodies,
		);
	}
	return joinBytes(pieces);
}

function countParameters(reader: WasmReader): number {
	reader.byte();
	const count = reader.number();
	reader.take(count);
	reader.take(reader.number());
	return count;
}

/** Returns the body of a function with two more locals, and with NaNs made canonical after each instruction. */
function canonicalBody(body: Uint8Array, parameters: number): Uint8Array[] {
	const reader = new WasmReader(body);
	const groups = reader.number();
	const declarationsStart = reader.offset;
	let locals = parameters;
	for (let i = 0; i < groups; i++) {
		locals += reader.number();
		reader.byte();
	}
	const f32 = canonicalizeNan(locals, [F32_CONST, 0, 0, 0xc0, 0x7f], F32_EQUAL);
	const f64 = canonicalizeNan(locals + 1, [F64_CONST, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f], F64_EQUAL);
	const addedLocals = Uint8Array.of(1, F32, 1, F64);
	const declarations = body.subarray(declarationsStart, reader.offset);
	const pieces = [Uint8Array.from(unsignedLeb128(groups + 2)), declarations, addedLocals];
	let copiedTo = reader.offset;
	while (reader.offset < body.length) {
		const code = reader.byte();
		skipInstruction(code, reader);
		const fix = makesF64(code) ? f64 : makesF32(code) ? f32 : null;
		if (fix === null) continue;
		pieces.push(body.subarray(copiedTo, reader.offset), fix);
		copiedTo = reader.offset;
	}
	return [...pieces, body.subarray(copiedTo)];
}

/** Returns instructions that replace any NaN by the canonical one: x == x ? x : NaN. */
function canonicalizeNan(local: number, nan: readonly number[], equal: number): Uint8Array {
	const index = unsignedLeb128(local);
	return Uint8Array.from([TEE, ...index, ...nan, GET, ...index, GET, ...index, equal, SELECT]);
}
