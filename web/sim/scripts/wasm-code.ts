/** Instructions of WebAssembly as bytes. */

import { uleb } from './wasm-binary.ts';

export const [I32, I64, F64] = [0x7f, 0x7e, 0x7c] as const;

function sleb(value: number): number[] {
	const bytes: number[] = [];
	for (let rest = value; ; rest >>= 7) {
		const byte = rest & 0x7f;
		if ((rest < 64 && rest >= 0) || (rest >= -64 && rest < 0)) return [...bytes, byte];
		bytes.push(byte | 0x80);
	}
}

export const get = (local: number): number[] => [0x20, local];
export const set = (local: number): number[] => [0x21, local];
export const call = (index: number): number[] => [0x10, index];
/** A constant of 32 bits. */
export const number = (value: number): number[] => [0x41, ...sleb(value)];
export const float = (value: number): number[] => [0x44, ...new Uint8Array(Float64Array.of(value).buffer)];

export const section = (id: number, ...bytes: readonly number[]): number[] => [
	id,
	...uleb(bytes.length),
	...bytes,
];
export const name = (text: string): number[] => [
	text.length,
	...[...text].map((letter) => letter.charCodeAt(0)),
];
