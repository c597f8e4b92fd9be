/**
 * The allocator of every script, as a few bytes of WebAssembly beside Lua's own.
 * Owns: what a script may take. It counts bytes, refuses what is beyond the limit, refuses long texts, and charges the
 * script's budget of instructions for what it takes, so that no single instruction costs more than it says.
 */

import { MAX_STEPS } from './meter.ts';
import { uleb } from './wasm-binary.ts';

/** Words of a script's block in the machine's memory. */
export const BLOCK = {
	/** Bytes that the script holds. */
	held: 0,
	/** Maximum number of bytes that it may hold. */
	limit: 4,
	/** Instructions that it has spent since its call began. */
	spent: 8,
	/** The highest address that it ever had. */
	top: 12,
	bytes: 16,
} as const;

/** Longest text of a script, in bytes: comparing two of them is one instruction. */
export const MAX_TEXT = 8192;
/** Memory that Lua keeps of a text beside its bytes. */
const TEXT_HEAD = 32;
/** Tag with which Lua says that it makes a text. */
const A_TEXT = 4;
/** Bytes that cost one instruction, as a power of two. */
const BYTES_PER_INSTRUCTION = 5;
/** Cost of a refusal: Lua then looks through all of its memory for garbage. */
const REFUSAL = 20_000;

const [I32, I64, F64] = [0x7f, 0x7e, 0x7c] as const;

function sleb(value: number): number[] {
	const bytes: number[] = [];
	for (let rest = value; ; rest >>= 7) {
		const byte = rest & 0x7f;
		if ((rest < 64 && rest >= 0) || (rest >= -64 && rest < 0)) return [...bytes, byte];
		bytes.push(byte | 0x80);
	}
}

const section = (id: number, ...bytes: number[]) => [id, ...uleb(bytes.length), ...bytes];
const name = (text: string) => [text.length, ...[...text].map((letter) => letter.charCodeAt(0))];

const [UD, PTR, OLD, SIZE, HAD, NEXT, MADE] = [0, 1, 2, 3, 4, 5, 6] as const;
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const number = (value: number) => [0x41, ...sleb(value)];
const load = (offset: number) => [...get(UD), 0x28, 2, offset];
/** Stores what `value` leaves, in a word of the block. */
const store = (offset: number, ...value: number[]) => [...get(UD), ...value, 0x36, 2, offset];
const [ADD, SUBTRACT, EQUAL, ZERO, ABOVE, SHIFT, AND, SELECT, RETURN, END] = [
	0x6a, 0x6b, 0x46, 0x45, 0x4b, 0x76, 0x71, 0x1b, 0x0f, 0x0b,
] as const;
const call = (index: number) => [0x10, index];
const when = (...then: number[]) => [0x04, 0x40, ...then, END];
const [REALLOC, FREE, PUSH] = [0, 1, 5] as const;

/** alloc(block, pointer, old size or kind, new size) -> pointer */
function body(): number[] {
	const refuse = [...store(BLOCK.spent, ...load(BLOCK.spent), ...number(REFUSAL), ADD), ...number(0), RETURN];
	return [
		...[1, 3, I32],
		// What the place has now; without one the old size says what kind of thing is to be made.
		...[...get(OLD), ...number(0), ...get(PTR), SELECT, ...set(HAD)],
		...[...load(BLOCK.held), ...get(HAD), SUBTRACT, ...get(SIZE), ADD, ...set(NEXT)],
		...[...get(SIZE), ZERO],
		...when(...store(BLOCK.held, ...get(NEXT)), ...get(PTR), ...call(FREE), ...number(0), RETURN),
		...[...get(PTR), ZERO, ...get(OLD), ...number(A_TEXT), EQUAL, AND],
		...[...get(SIZE), ...number(MAX_TEXT + TEXT_HEAD), ABOVE, AND],
		...when(...refuse),
		...[...get(SIZE), ...get(HAD), ABOVE],
		...when(
			...[...get(NEXT), ...load(BLOCK.limit), ABOVE],
			...when(...refuse),
			...store(
				BLOCK.spent,
				...[...load(BLOCK.spent), ...get(SIZE), ...number(BYTES_PER_INSTRUCTION), SHIFT, ADD],
			),
		),
		...[...get(PTR), ...get(SIZE), ...call(REALLOC), ...set(MADE)],
		...[...get(MADE), ZERO, ...when(...number(0), RETURN)],
		...store(BLOCK.held, ...get(NEXT)),
		...[...get(MADE), ...get(SIZE), ADD, ...set(HAD)],
		...[...get(HAD), ...load(BLOCK.top), ABOVE],
		...when(...store(BLOCK.top, ...get(HAD))),
		...[...get(MADE), END],
	];
}

/** steps() -> rounds of loops since this was last asked, from when on there may be as many again */
const stepsBody = (): number[] => [
	...[0, ...number(MAX_STEPS), 0x23, 0, SUBTRACT],
	...[...number(MAX_STEPS), 0x24, 0, END],
];

/** push(state, whole number as a float) */
const pushBody = (): number[] => [0, ...get(0), ...get(1), 0xb0, ...call(PUSH), END];

let compiled: WebAssembly.Module | null = null;

/**
 * Takes Lua's memory `e.m`, its count of steps `e.g`, its `e.r` realloc, `e.f` free and `e.p` lua_pushinteger, and the
 * functions `e.h` (a C function for Lua) and `e.k` (a hook) and `e.c` (a continuation), which come out again as functions
 * that Lua can be given, with the allocator `a`. `s` (steps) and `p` (push) do what would be slow from outside: it reads a
 * global, and it makes a big integer of each number.
 */
export function allocatorModule(): WebAssembly.Module {
	if (compiled !== null) return compiled;
	const codes = [body(), stepsBody(), pushBody()];
	const types = [
		[0x60, 2, I32, I32, 1, I32],
		[0x60, 1, I32, 0],
		[0x60, 1, I32, 1, I32],
		[0x60, 2, I32, I32, 0],
		[0x60, 3, I32, I32, I32, 1, I32],
		[0x60, 2, I32, I64, 0],
		[0x60, 4, I32, I32, I32, I32, 1, I32],
		[0x60, 0, 1, I32],
		[0x60, 2, I32, F64, 0],
	];
	const functions = ['r', 'f', 'h', 'k', 'c', 'p'].flatMap((item, type) => [
		...name('e'),
		...name(item),
		0,
		type,
	]);
	const imported = [...name('e'), ...name('m'), 2, 0, 1, ...name('e'), ...name('g'), 3, I32, 1, ...functions];
	const exported = ['a', 's', 'p'].flatMap((item, i) => [...name(item), 0, 6 + i]);
	compiled = new WebAssembly.Module(
		new Uint8Array([
			...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
			...section(1, types.length, ...types.flat()),
			...section(2, 8, ...imported),
			...section(3, 3, 6, 7, 8),
			...section(7, 6, ...exported, ...name('h'), 0, 2, ...name('k'), 0, 3, ...name('c'), 0, 4),
			...section(10, 3, ...codes.flatMap((code) => [...uleb(code.length), ...code])),
		]),
	);
	return compiled;
}
