/**
 * WebAssembly whose arithmetic makes one NaN only: positive, and nothing else in it.
 * Owns: that rewriting. Which NaN an operation makes is up to the processor (0/0 is negative on x64 and positive on arm64), and a script
 * can see it: in texts, in packed bytes, and in its memory, which is digested.
 * Never: touches what moves or turns the sign of a number, which is the same everywhere.
 */

import { joinBytes, totalLength } from '../../../shared/contract/joined-bytes.ts';
import { Reader, skipInstruction, uleb } from './wasm-binary.ts';

const [TYPES, FUNCTIONS, CODE] = [1, 3, 10] as const;
const [F32, F64] = [0x7d, 0x7c] as const;
const [GET, TEE, SELECT] = [0x20, 0x22, 0x1b] as const;
const [F32_CONST, F64_CONST, F32_EQUAL, F64_EQUAL] = [0x43, 0x44, 0x5b, 0x61] as const;

/**
 * Returns true if the result of an instruction may be a NaN of any bits: rounding and arithmetic, and coming from the
 * other width.
 */
const makesF32 = (code: number): boolean => (code >= 0x8d && code <= 0x97) || code === 0xb6;
const makesF64 = (code: number): boolean => (code >= 0x9b && code <= 0xa5) || code === 0xbb;

/**
 * Returns the same binary, with every NaN that its arithmetic makes made the one that is the same everywhere. Throws
 * a RangeError for instructions that are not known.
 */
export function withCanonicalNan(binary: Uint8Array): Uint8Array<ArrayBuffer> {
	const reader = new Reader(binary, 8);
	const pieces: Uint8Array[] = [binary.subarray(0, 8)];
	/** Number of parameters of functions of each type, and the type of each function. */
	let parameters: readonly number[] = [];
	let types: readonly number[] = [];
	while (reader.at < binary.length) {
		const start = reader.at;
		const id = reader.byte();
		const content = reader.take(reader.number());
		const inside = new Reader(content);
		if (id === TYPES) parameters = Array.from({ length: inside.number() }, () => parametersOf(inside));
		if (id === FUNCTIONS) types = Array.from({ length: inside.number() }, () => inside.number());
		if (id !== CODE) {
			pieces.push(binary.subarray(start, reader.at));
			continue;
		}
		inside.number();
		const bodies = types.flatMap((type) => {
			const body = mendedBody(inside.take(inside.number()), parameters[type]!);
			return [Uint8Array.from(uleb(totalLength(body))), ...body];
		});
		const count = uleb(types.length);
		pieces.push(Uint8Array.from([CODE, ...uleb(count.length + totalLength(bodies)), ...count]), ...bodies);
	}
	return joinBytes(pieces);
}

function parametersOf(reader: Reader): number {
	reader.byte();
	const count = reader.number();
	reader.take(count);
	reader.take(reader.number());
	return count;
}

/** Returns the body of a function with two locals more, through which new numbers pass. */
function mendedBody(body: Uint8Array, parameters: number): Uint8Array[] {
	const reader = new Reader(body);
	const groups = reader.number();
	const declared = reader.at;
	let locals = parameters;
	for (let i = 0; i < groups; i++) {
		locals += reader.number();
		reader.byte();
	}
	const f32 = mend(locals, [F32_CONST, 0, 0, 0xc0, 0x7f], F32_EQUAL);
	const f64 = mend(locals + 1, [F64_CONST, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f], F64_EQUAL);
	const more = Uint8Array.of(1, F32, 1, F64);
	const pieces = [Uint8Array.from(uleb(groups + 2)), body.subarray(declared, reader.at), more];
	let copied = reader.at;
	while (reader.at < body.length) {
		const code = reader.byte();
		skipInstruction(code, reader);
		const mended = makesF64(code) ? f64 : makesF32(code) ? f32 : null;
		if (mended === null) continue;
		pieces.push(body.subarray(copied, reader.at), mended);
		copied = reader.at;
	}
	return [...pieces, body.subarray(copied)];
}

/** Instructions that leave a number as it is and make any NaN the one: x == x ? x : NaN. */
function mend(local: number, nan: readonly number[], equal: number): Uint8Array {
	const index = uleb(local);
	return Uint8Array.from([TEE, ...index, ...nan, GET, ...index, GET, ...index, equal, SELECT]);
}
