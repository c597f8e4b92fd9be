/**
 * Memory allocator of scripts, as instructions of WebAssembly: see fast-calls.ts.
 * Owns: the memory limit of a script. It counts bytes, refuses allocations beyond the limit, and refuses long texts. It
 * charges the script's budget for allocated bytes, because one instruction of Lua can allocate many.
 */

import { callInstruction, getLocal, i32Const, setLocal } from './wasm-code.ts';

/** Offsets of the words in a script's block in the machine's memory. */
export const BLOCK = {
	/** Number of bytes that the script has allocated. */
	usedBytes: 0,
	/** Maximum number of bytes that it may allocate. */
	limit: 4,
	/** Number of instructions that it has used since its call began. */
	spent: 8,
	/** Highest address that it ever used. */
	top: 12,
	bytes: 16,
} as const;

/** Maximum length of a text in bytes. It is limited because comparing two texts is one instruction. */
export const MAX_TEXT_BYTES = 8192;
/** Bytes of Lua's header of a text. */
const TEXT_HEADER_BYTES = 32;
/** Type tag that Lua passes when it allocates a text. */
const STRING_TAG = 4;
/** Binary logarithm of the number of bytes that cost one instruction. */
const BYTES_PER_INSTRUCTION_LOG2 = 5;
/** Cost of a refusal in instructions. Lua then searches all of its memory for garbage. */
const REFUSAL_COST = 20_000;

const [BLOCK_ADDRESS, OLD_ADDRESS, OLD_SIZE, NEW_SIZE, PRESENT_BYTES, TOTAL_BYTES, NEW_ADDRESS] = [
	0, 1, 2, 3, 4, 5, 6,
] as const;
const load = (offset: number) => [...getLocal(BLOCK_ADDRESS), 0x28, 2, offset];
/** Stores the result of the instructions `value` in a word of the block. */
const store = (offset: number, ...value: number[]) => [...getLocal(BLOCK_ADDRESS), ...value, 0x36, 2, offset];
const [ADD, SUBTRACT, EQUAL, ZERO, ABOVE, SHIFT, AND, SELECT, RETURN, END] = [
	0x6a, 0x6b, 0x46, 0x45, 0x4b, 0x76, 0x71, 0x1b, 0x0f, 0x0b,
] as const;
const ifThen = (...then: number[]) => [0x04, 0x40, ...then, END];

/**
 * Returns the body of alloc(block, address, old size or type tag, new size) -> address, which has three local variables.
 * `realloc` and `free` are the function indexes of Lua's own functions.
 */
export function allocatorBody(realloc: number, free: number): number[] {
	const refuse = [
		...store(BLOCK.spent, ...load(BLOCK.spent), ...i32Const(REFUSAL_COST), ADD),
		...i32Const(0),
		RETURN,
	];
	return [
		// The present size of the allocation. Without an address, the old size is a type tag instead.
		...[...getLocal(OLD_SIZE), ...i32Const(0), ...getLocal(OLD_ADDRESS), SELECT, ...setLocal(PRESENT_BYTES)],
		...[
			...load(BLOCK.usedBytes),
			...getLocal(PRESENT_BYTES),
			SUBTRACT,
			...getLocal(NEW_SIZE),
			ADD,
			...setLocal(TOTAL_BYTES),
		],
		...[...getLocal(NEW_SIZE), ZERO],
		...ifThen(
			...store(BLOCK.usedBytes, ...getLocal(TOTAL_BYTES)),
			...getLocal(OLD_ADDRESS),
			...callInstruction(free),
			...i32Const(0),
			RETURN,
		),
		...[...getLocal(OLD_ADDRESS), ZERO, ...getLocal(OLD_SIZE), ...i32Const(STRING_TAG), EQUAL, AND],
		...[...getLocal(NEW_SIZE), ...i32Const(MAX_TEXT_BYTES + TEXT_HEADER_BYTES), ABOVE, AND],
		...ifThen(...refuse),
		...[...getLocal(NEW_SIZE), ...getLocal(PRESENT_BYTES), ABOVE],
		...ifThen(
			...[...getLocal(TOTAL_BYTES), ...load(BLOCK.limit), ABOVE],
			...ifThen(...refuse),
			...store(
				BLOCK.spent,
				...[...load(BLOCK.spent), ...getLocal(NEW_SIZE), ...i32Const(BYTES_PER_INSTRUCTION_LOG2), SHIFT, ADD],
			),
		),
		...[
			...getLocal(OLD_ADDRESS),
			...getLocal(NEW_SIZE),
			...callInstruction(realloc),
			...setLocal(NEW_ADDRESS),
		],
		...[...getLocal(NEW_ADDRESS), ZERO, ...ifThen(...i32Const(0), RETURN)],
		...store(BLOCK.usedBytes, ...getLocal(TOTAL_BYTES)),
		...[...getLocal(NEW_ADDRESS), ...getLocal(NEW_SIZE), ADD, ...setLocal(PRESENT_BYTES)],
		...[...getLocal(PRESENT_BYTES), ...load(BLOCK.top), ABOVE],
		...ifThen(...store(BLOCK.top, ...getLocal(PRESENT_BYTES))),
		...getLocal(NEW_ADDRESS),
	];
}
