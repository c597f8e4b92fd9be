/**
 * Counts what the library of Lua does by itself, in C, where the hook for its instructions is not called: comparing texts, reading
 * numbers from them, going through arguments.
 * Owns: putting a count into every loop of a WebAssembly binary. One that goes round too often ends the machine.
 */

import { joinedBytes, lengthOf } from '../../../shared/contract/joined-bytes.ts';
import { Reader, skipInstruction, uleb } from './wasm-binary.ts';

/** The binary exports the count, as a number that goes down to 0, under this name. */
export const STEPS = 'steps';
/**
 * Maximum number of rounds of the library's loops between two looks at them. A machine in which there are more comes
 * to an end.
 */
export const MAX_STEPS = 2 ** 27;

const [GLOBALS, EXPORTS, IMPORTS, CODE] = [6, 7, 2, 10] as const;
const LOOP = 0x03;
const GLOBAL = 3;

/** Returns the body of a function, in which every round of a loop does `count` first. */
function countedBody(body: Uint8Array, count: readonly number[]): Uint8Array[] {
	const reader = new Reader(body);
	for (let groups = reader.number(); groups > 0; groups--) reader.numbers(2);
	const pieces: Uint8Array[] = [];
	let copied = 0;
	while (reader.at < body.length) {
		const code = reader.byte();
		skipInstruction(code, reader);
		if (code !== LOOP) continue;
		pieces.push(body.subarray(copied, reader.at), Uint8Array.from(count));
		copied = reader.at;
	}
	return [...pieces, body.subarray(copied)];
}

/** Returns the content of a list section, with one more entry at its end. */
function withOneMore(content: Uint8Array, one: readonly number[]): Uint8Array[] {
	const reader = new Reader(content);
	const count = reader.number();
	return [Uint8Array.from(uleb(count + 1)), content.subarray(reader.at), Uint8Array.from(one)];
}

function importedGlobals(content: Uint8Array): number {
	const reader = new Reader(content);
	let globals = 0;
	for (let remaining = reader.number(); remaining > 0; remaining--) {
		reader.take(reader.number());
		reader.take(reader.number());
		const kind = reader.byte();
		if (kind === GLOBAL) {
			globals++;
			reader.at += 2;
		} else if (kind === 0) reader.number();
		else {
			if (kind === 1) reader.at++;
			reader.numbers(reader.byte() % 2 === 1 ? 2 : 1);
		}
	}
	return globals;
}

/** Returns the binary with the count in all of its loops. It stops where the count, which the host sets, comes to 0. */
export function metered(binary: Uint8Array): Uint8Array<ArrayBuffer> {
	const reader = new Reader(binary, 8);
	const pieces: Uint8Array[] = [binary.subarray(0, 8)];
	const add = (id: number, content: readonly Uint8Array[]): void => {
		pieces.push(Uint8Array.from([id, ...uleb(lengthOf(content))]), ...content);
	};
	let index = 0;
	while (reader.at < binary.length) {
		const id = reader.byte();
		const content = reader.take(reader.number());
		if (id === IMPORTS) index += importedGlobals(content);
		if (id === GLOBALS) {
			index += new Reader(content).number();
			// A 32-bit number that changes; 1 until the host says otherwise.
			add(id, withOneMore(content, [0x7f, 1, 0x41, 1, 0x0b]));
		} else if (id === EXPORTS) {
			const name = [...STEPS].map((letter) => letter.charCodeAt(0));
			add(id, withOneMore(content, [name.length, ...name, GLOBAL, ...uleb(index)]));
		} else if (id === CODE) {
			const [get, set] = [
				[0x23, ...uleb(index)],
				[0x24, ...uleb(index)],
			];
			// One less; unreachable where that leaves 0.
			const count = [...get, 0x41, 1, 0x6b, ...set, ...get, 0x45, 0x04, 0x40, 0x00, 0x0b];
			const bodies = new Reader(content);
			const functions = bodies.number();
			const counted: Uint8Array[] = [Uint8Array.from(uleb(functions))];
			for (let i = 0; i < functions; i++) {
				const body = countedBody(bodies.take(bodies.number()), count);
				counted.push(Uint8Array.from(uleb(lengthOf(body))), ...body);
			}
			add(id, counted);
		} else add(id, [content]);
	}
	return joinedBytes(pieces);
}
