/**
 * Meters the work of Lua's C library, such as comparing texts, parsing numbers and iterating over arguments. Lua's
 * instruction hook does not count that work.
 * Owns: adding a step counter to every loop of a WebAssembly binary. If the counter reaches 0, the machine ends. It also
 * adds a low-water mark of the stack, so that only the used part of the stack must be cleared.
 */

import { joinBytes, totalLength } from '../../../shared/contract/joined-bytes.ts';
import { skipInstruction, unsignedLeb128, WasmReader } from './wasm-binary.ts';

/** Export name of the step counter, which counts down to 0. */
export const STEPS = 'steps';
/** Export name of the lowest address that the stack has reached: an unsigned number that the host resets. */
export const LOWEST = 'lowest';
/** Maximum number of loop rounds between two resets of the counter. More rounds end the machine. */
export const MAX_STEPS = 2 ** 27;

/** Lua's hook event for counted instructions, and the number of instructions between two checks of the budget. */
export const [COUNT_EVENT, PERIOD] = [8, 128] as const;
/** Number of loop rounds that one instruction pays for. */
export const STEPS_PER_INSTRUCTION = 64;

const [GLOBALS, EXPORTS, IMPORTS, CODE] = [6, 7, 2, 10] as const;
const [LOOP, GLOBAL_GET, GLOBAL_SET] = [0x03, 0x23, 0x24] as const;
const GLOBAL_KIND = 3;
/** Index of the global with the stack pointer. The machine checks this at its start. */
const STACK_GLOBAL = 0;

/** Instructions that are added to every function body: at the start of each loop round, and after the stack pointer moves. */
interface MeterCode {
	readonly onLoopRound: Uint8Array;
	readonly onStackMove: Uint8Array;
}

/** Returns the body of a function with the added instructions. */
function addMeterToBody(body: Uint8Array, { onLoopRound, onStackMove }: MeterCode): Uint8Array[] {
	const reader = new WasmReader(body);
	for (let groups = reader.number(); groups > 0; groups--) reader.skipNumbers(2);
	const pieces: Uint8Array[] = [];
	let copiedTo = 0;
	while (reader.offset < body.length) {
		const code = reader.byte();
		const isStack = code === GLOBAL_SET && body[reader.offset] === STACK_GLOBAL;
		skipInstruction(code, reader);
		if (code !== LOOP && !isStack) continue;
		pieces.push(body.subarray(copiedTo, reader.offset), isStack ? onStackMove : onLoopRound);
		copiedTo = reader.offset;
	}
	return [...pieces, body.subarray(copiedTo)];
}

/** Returns the content of a list section with more entries at its end. */
function appendEntries(content: Uint8Array, entries: readonly (readonly number[])[]): Uint8Array[] {
	const reader = new WasmReader(content);
	const count = reader.number();
	return [
		Uint8Array.from(unsignedLeb128(count + entries.length)),
		content.subarray(reader.offset),
		Uint8Array.from(entries.flat()),
	];
}

/** Returns the export entry of a global. */
const globalExport = (name: string, globalIndex: number): number[] => [
	name.length,
	...[...name].map((letter) => letter.charCodeAt(0)),
	GLOBAL_KIND,
	...unsignedLeb128(globalIndex),
];

/** Returns the added instructions. `steps` and `lowest` are the indexes of the two globals. */
function meterCode(steps: number, lowest: number): MeterCode {
	const getGlobal = (index: number) => [GLOBAL_GET, ...unsignedLeb128(index)];
	const setGlobal = (index: number) => [GLOBAL_SET, ...unsignedLeb128(index)];
	return {
		// steps -= 1; if steps is 0, the machine traps.
		onLoopRound: Uint8Array.from([
			...[...getGlobal(steps), 0x41, 1, 0x6b, ...setGlobal(steps)],
			...[...getGlobal(steps), 0x45, 0x04, 0x40, 0x00, 0x0b],
		]),
		// lowest = min(stack pointer, lowest), unsigned.
		onStackMove: Uint8Array.from([
			...[...getGlobal(STACK_GLOBAL), ...getGlobal(lowest), 0x49],
			...[0x04, 0x40, ...getGlobal(STACK_GLOBAL), ...setGlobal(lowest), 0x0b],
		]),
	};
}

function countImportedGlobals(content: Uint8Array): number {
	const reader = new WasmReader(content);
	let globals = 0;
	for (let remaining = reader.number(); remaining > 0; remaining--) {
		reader.take(reader.number());
		reader.take(reader.number());
		const kind = reader.byte();
		if (kind === GLOBAL_KIND) {
			globals++;
			reader.offset += 2;
		} else if (kind === 0) reader.number();
		else {
			if (kind === 1) reader.offset++;
			reader.skipNumbers(reader.byte() % 2 === 1 ? 2 : 1);
		}
	}
	return globals;
}

/**
 * Returns the binary with a step counter in all loops, and a low-water mark of its stack. The host sets the counter; at 0,
 * the machine traps.
 */
export function addMeter(binary: Uint8Array): Uint8Array<ArrayBuffer> {
	const reader = new WasmReader(binary, 8);
	const pieces: Uint8Array[] = [binary.subarray(0, 8)];
	const add = (id: number, content: readonly Uint8Array[]): void => {
		pieces.push(Uint8Array.from([id, ...unsignedLeb128(totalLength(content))]), ...content);
	};
	let index = 0;
	while (reader.offset < binary.length) {
		const id = reader.byte();
		const content = reader.take(reader.number());
		if (id === IMPORTS) index += countImportedGlobals(content);
		if (id === GLOBALS) {
			index += new WasmReader(content).number();
			// Two mutable 32-bit globals: the counter starts at 1, and the mark at the highest address.
			const [counter, mark] = [
				[0x7f, 1, 0x41, 1, 0x0b],
				[0x7f, 1, 0x41, 0x7f, 0x0b],
			];
			add(id, appendEntries(content, [counter, mark]));
		} else if (id === EXPORTS)
			add(id, appendEntries(content, [globalExport(STEPS, index), globalExport(LOWEST, index + 1)]));
		else if (id === CODE) {
			const meter = meterCode(index, index + 1);
			const bodies = new WasmReader(content);
			const functions = bodies.number();
			const newContent: Uint8Array[] = [Uint8Array.from(unsignedLeb128(functions))];
			for (let i = 0; i < functions; i++) {
				const body = addMeterToBody(bodies.take(bodies.number()), meter);
				newContent.push(Uint8Array.from(unsignedLeb128(totalLength(body))), ...body);
			}
			add(id, newContent);
		} else add(id, [content]);
	}
	return joinBytes(pieces);
}
