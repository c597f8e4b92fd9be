/**
 * Reader of WebAssembly binaries.
 * Owns: reading numbers and instructions, and encoding numbers. It never changes the program.
 */

const [BR_TABLE, SELECT_OF, CALL_INDIRECT, F32, F64, LONG_PREFIX] = [
	0x0e, 0x1c, 0x11, 0x43, 0x44, 0xfc,
] as const;

/** Returns a number in unsigned LEB128, the number format of WebAssembly. */
export function unsignedLeb128(value: number): number[] {
	const bytes: number[] = [];
	for (let rest = value; ; rest >>>= 7) {
		if (rest < 0x80) return [...bytes, rest];
		bytes.push((rest & 0x7f) | 0x80);
	}
}

/** Reads a binary, starting at a position. */
export class WasmReader {
	readonly bytes: Uint8Array;
	offset: number;

	constructor(bytes: Uint8Array, offset = 0) {
		this.bytes = bytes;
		this.offset = offset;
	}

	byte(): number {
		const byte = this.bytes[this.offset++];
		if (byte === undefined) throw new RangeError('The WebAssembly ends too early.');
		return byte;
	}

	/** Reads a number in LEB128, modulo 2^32. */
	number(): number {
		let value = 0;
		for (let shift = 0; ; shift += 7) {
			const byte = this.byte();
			value |= (byte & 0x7f) << shift;
			if (byte < 0x80) return value >>> 0;
		}
	}

	/** Skips a number of LEB128 numbers. */
	skipNumbers(count: number): void {
		for (let i = 0; i < count; i++) this.number();
	}

	take(length: number): Uint8Array {
		this.offset += length;
		return this.bytes.subarray(this.offset - length, this.offset);
	}
}

const unknownInstruction = (code: number): RangeError =>
	new RangeError(`The WebAssembly has the unknown instruction ${code}.`);

/** Returns the number of operands of an instruction. Throws for an unknown one. */
function countOperands(code: number): number {
	if (code === 0x02 || code === 0x03 || code === 0x04 || code === 0x0c || code === 0x0d || code === 0x10)
		return 1;
	if (code >= 0x20 && code <= 0x26) return 1;
	if (code === CALL_INDIRECT || (code >= 0x28 && code <= 0x3e)) return 2;
	if (code >= 0x3f && code <= 0x42) return 1;
	if (code <= 0x01 || code === 0x05 || code === 0x0b || code === 0x0f || code === 0x1a || code === 0x1b)
		return 0;
	if (code >= 0x45 && code <= 0xc4) return 0;
	throw unknownInstruction(code);
}

/** Number of operands of instructions with two bytes, by the second byte: saturating conversions, then memory and tables. */
const LONG_OPERANDS = [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1] as const;

function countLongOperands(code: number): number {
	const count = LONG_OPERANDS[code];
	if (count === undefined) throw unknownInstruction(code);
	return count;
}

/** Skips the operands of an instruction. Throws a RangeError for an unknown one. */
export function skipInstruction(code: number, reader: WasmReader): void {
	if (code === BR_TABLE) reader.skipNumbers(reader.number() + 1);
	else if (code === SELECT_OF) reader.skipNumbers(reader.number());
	else if (code === F32) reader.offset += 4;
	else if (code === F64) reader.offset += 8;
	else if (code === LONG_PREFIX) reader.skipNumbers(countLongOperands(reader.number()));
	else reader.skipNumbers(countOperands(code));
}
