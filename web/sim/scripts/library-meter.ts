/**
 * Counts what the library of Lua does by itself, in C, where the hook for its instructions is not called: comparing texts, reading
 * numbers from them, going through arguments.
 * Owns: putting a count into every loop of a WebAssembly binary. One that goes round too often ends the machine. Also a
 * low-water mark of its stack, so that only what was used of it must be cleared.
 */

import { joinBytes, totalLength } from '../../../shared/contract/joined-bytes.ts';
import { Reader, skipInstruction, uleb } from './wasm-binary.ts';

/** The binary exports the count, as a number that goes down to 0, under this name. */
export const STEPS = 'steps';
/** Under this name it exports the lowest address that its stack has reached, as an unsigned number that the host resets. */
export const LOWEST = 'lowest';
/** Maximum rounds of the library's loops between two looks at them. A machine in which there are more comes to an end. */
export const MAX_STEPS = 2 ** 27;

/** The event of Lua's hook that comes after so many instructions, and after how many it is looked whether any are left. */
export const [COUNTED, PERIOD] = [8, 128] as const;
/** Rounds of the library's loops that an instruction may take, and how many more cost one instruction. */
export const STEPS_PER_INSTRUCTION = 64;

const [GLOBALS, EXPORTS, IMPORTS, CODE] = [6, 7, 2, 10] as const;
const [LOOP, GLOBAL_GET, GLOBAL_SET] = [0x03, 0x23, 0x24] as const;
const GLOBAL = 3;
/** The global that has the top of the stack: the machine checks that it is. */
const STACK = 0;

/** Instructions that are put into every body: first of all in each round of a loop, and after the stack's top has moved. */
interface Added {
	readonly round: Uint8Array;
	readonly moved: Uint8Array;
}

/** Returns the body of a function with what is added to it. */
function countedBody(body: Uint8Array, { round, moved }: Added): Uint8Array[] {
	const reader = new Reader(body);
	for (let groups = reader.number(); groups > 0; groups--) reader.numbers(2);
	const pieces: Uint8Array[] = [];
	let copied = 0;
	while (reader.at < body.length) {
		const code = reader.byte();
		const isStack = code === GLOBAL_SET && body[reader.at] === STACK;
		skipInstruction(code, reader);
		if (code !== LOOP && !isStack) continue;
		pieces.push(body.subarray(copied, reader.at), isStack ? moved : round);
		copied = reader.at;
	}
	return [...pieces, body.subarray(copied)];
}

/** Returns the content of a list section, with more entries at its end. */
function withMore(content: Uint8Array, entries: readonly (readonly number[])[]): Uint8Array[] {
	const reader = new Reader(content);
	const count = reader.number();
	return [
		Uint8Array.from(uleb(count + entries.length)),
		content.subarray(reader.at),
		Uint8Array.from(entries.flat()),
	];
}

/** A global in the list of exports. */
const exported = (name: string, place: number): number[] => [
	name.length,
	...[...name].map((letter) => letter.charCodeAt(0)),
	GLOBAL,
	...uleb(place),
];

/** `steps` and `lowest` are the places of the two globals. */
function addedFor(steps: number, lowest: number): Added {
	const get = (place: number) => [GLOBAL_GET, ...uleb(place)];
	const set = (place: number) => [GLOBAL_SET, ...uleb(place)];
	return {
		// One less; unreachable where that leaves 0.
		round: Uint8Array.from([
			...[...get(steps), 0x41, 1, 0x6b, ...set(steps)],
			...[...get(steps), 0x45, 0x04, 0x40, 0x00, 0x0b],
		]),
		// The lower of the two, without a sign.
		moved: Uint8Array.from([
			...[...get(STACK), ...get(lowest), 0x49],
			...[0x04, 0x40, ...get(STACK), ...set(lowest), 0x0b],
		]),
	};
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

/**
 * The binary with the count in all of its loops, and the mark of its stack. It stops where the count, which the host sets,
 * comes to 0.
 */
export function metered(binary: Uint8Array): Uint8Array<ArrayBuffer> {
	const reader = new Reader(binary, 8);
	const pieces: Uint8Array[] = [binary.subarray(0, 8)];
	const add = (id: number, content: readonly Uint8Array[]): void => {
		pieces.push(Uint8Array.from([id, ...uleb(totalLength(content))]), ...content);
	};
	let index = 0;
	while (reader.at < binary.length) {
		const id = reader.byte();
		const content = reader.take(reader.number());
		if (id === IMPORTS) index += importedGlobals(content);
		if (id === GLOBALS) {
			index += new Reader(content).number();
			// Two 32-bit numbers that change: 1 until the host says otherwise, and the highest of all addresses.
			const [count, mark] = [
				[0x7f, 1, 0x41, 1, 0x0b],
				[0x7f, 1, 0x41, 0x7f, 0x0b],
			];
			add(id, withMore(content, [count, mark]));
		} else if (id === EXPORTS)
			add(id, withMore(content, [exported(STEPS, index), exported(LOWEST, index + 1)]));
		else if (id === CODE) {
			const added = addedFor(index, index + 1);
			const bodies = new Reader(content);
			const functions = bodies.number();
			const counted: Uint8Array[] = [Uint8Array.from(uleb(functions))];
			for (let i = 0; i < functions; i++) {
				const body = countedBody(bodies.take(bodies.number()), added);
				counted.push(Uint8Array.from(uleb(totalLength(body))), ...body);
			}
			add(id, counted);
		} else add(id, [content]);
	}
	return joinBytes(pieces);
}
