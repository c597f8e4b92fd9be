/** Encodes instructions of WebAssembly as bytes. */

import { unsignedLeb128 } from './wasm-binary.ts';

export const [I32, I64, F64] = [0x7f, 0x7e, 0x7c] as const;

function signedLeb128(value: number): number[] {
	const bytes: number[] = [];
	for (let rest = value; ; rest >>= 7) {
		const byte = rest & 0x7f;
		if ((rest < 64 && rest >= 0) || (rest >= -64 && rest < 0)) return [...bytes, byte];
		bytes.push(byte | 0x80);
	}
}

export const getLocal = (local: number): number[] => [0x20, local];
export const setLocal = (local: number): number[] => [0x21, local];
export const callInstruction = (index: number): number[] => [0x10, index];
/** Returns the instruction that pushes a 32-bit integer constant. */
export const i32Const = (value: number): number[] => [0x41, ...signedLeb128(value)];
export const f64Const = (value: number): number[] => [0x44, ...new Uint8Array(Float64Array.of(value).buffer)];

export const section = (id: number, ...bytes: readonly number[]): number[] => [
	id,
	...unsignedLeb128(bytes.length),
	...bytes,
];
export const nameBytes = (text: string): number[] => [
	text.length,
	...[...text].map((letter) => letter.charCodeAt(0)),
];
