/**
 * The allocator of every script, as instructions of WebAssembly: see beside.ts.
 * Owns: what a script may take. It counts bytes, refuses what is beyond the limit, refuses long texts, and charges the
 * script's budget of instructions for what it takes, so that no single instruction costs more than it says.
 */

import { call, get, number, set } from './wasm-code.ts';

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

const [UD, PTR, OLD, SIZE, HAD, NEXT, MADE] = [0, 1, 2, 3, 4, 5, 6] as const;
const load = (offset: number) => [...get(UD), 0x28, 2, offset];
/** Stores what `value` leaves, in a word of the block. */
const store = (offset: number, ...value: number[]) => [...get(UD), ...value, 0x36, 2, offset];
const [ADD, SUBTRACT, EQUAL, ZERO, ABOVE, SHIFT, AND, SELECT, RETURN, END] = [
	0x6a, 0x6b, 0x46, 0x45, 0x4b, 0x76, 0x71, 0x1b, 0x0f, 0x0b,
] as const;
const when = (...then: number[]) => [0x04, 0x40, ...then, END];

/**
 * alloc(block, pointer, old size or kind, new size) -> pointer, with three local variables. `realloc` and `free`: the
 * numbers of Lua's own functions.
 */
export function allocatorBody(realloc: number, free: number): number[] {
	const refuse = [...store(BLOCK.spent, ...load(BLOCK.spent), ...number(REFUSAL), ADD), ...number(0), RETURN];
	return [
		// What the place has now; without one the old size says what kind of thing is to be made.
		...[...get(OLD), ...number(0), ...get(PTR), SELECT, ...set(HAD)],
		...[...load(BLOCK.held), ...get(HAD), SUBTRACT, ...get(SIZE), ADD, ...set(NEXT)],
		...[...get(SIZE), ZERO],
		...when(...store(BLOCK.held, ...get(NEXT)), ...get(PTR), ...call(free), ...number(0), RETURN),
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
		...[...get(PTR), ...get(SIZE), ...call(realloc), ...set(MADE)],
		...[...get(MADE), ZERO, ...when(...number(0), RETURN)],
		...store(BLOCK.held, ...get(NEXT)),
		...[...get(MADE), ...get(SIZE), ADD, ...set(HAD)],
		...[...get(HAD), ...load(BLOCK.top), ABOVE],
		...when(...store(BLOCK.top, ...get(HAD))),
		...get(MADE),
	];
}
