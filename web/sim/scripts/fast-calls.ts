/**
 * Functions beside Lua's library, as a few bytes of WebAssembly: the allocator of scripts, and their most frequent
 * operations.
 * Owns: the speed of these operations. Each is one call from JavaScript; with the library alone, it would be many.
 */

import { allocatorBody, BLOCK } from './allocator.ts';
import { COUNT_EVENT, MAX_STEPS, PERIOD, STEPS_PER_INSTRUCTION } from './library-meter.ts';
import { REGISTRY, upvalue } from './lua-index.ts';
import {
	callInstruction,
	F64,
	f64Const,
	getLocal,
	I32,
	I64,
	i32Const,
	nameBytes,
	section,
	setLocal,
} from './wasm-code.ts';

type FunctionType = readonly [parameters: readonly number[], results: readonly number[]];

/** Functions of the library and of the host, by their names in the imports `e`. */
const IMPORTS = {
	realloc: [[I32, I32], [I32]],
	free: [[I32], []],
	lua_pushinteger: [[I32, I64], []],
	lua_pushnumber: [[I32, F64], []],
	lua_type: [[I32, I32], [I32]],
	lua_tonumberx: [[I32, I32, I32], [F64]],
	lua_rawgeti: [[I32, I32, I64], [I32]],
	lua_sethook: [[I32, I32, I32, I32], []],
	lua_pcallk: [[I32, I32, I32, I32, I32, I32], [I32]],
	lua_toboolean: [[I32, I32], [I32]],
	lua_settop: [[I32, I32], []],
	host: [[I32, F64], [I32]],
	counted: [[I32, I32], []],
	resumed: [[I32, I32, I32], [I32]],
} as const satisfies Readonly<Record<string, FunctionType>>;

export type FastCallImport = keyof typeof IMPORTS;
const NAMES = Object.keys(IMPORTS) as FastCallImport[];
const callImport = (name: FastCallImport): number[] => callInstruction(NAMES.indexOf(name));

/** Exports of the module. `alloc`, `host`, `hook` and `resume` go into Lua's function table. */
export interface FastCalls {
	readonly alloc: unknown;
	/** Calls the imported `host` with the Lua state and the number of the C function. */
	readonly host: unknown;
	readonly hook: unknown;
	readonly resume: unknown;
	/** Returns the number of loop rounds in the library since the last call, and resets the counter. */
	readonly takeSteps: () => number;
	/** Pushes a number. A whole number becomes an integer. */
	readonly push: (lua: number, value: number) => void;
	readonly push3: (lua: number, x: number, y: number, z: number) => void;
	/** Returns the number at an index; NaN if the value is not a number. */
	readonly numberAt: (lua: number, index: number) => number;
	/** Calls the function at `entryFunction` in a state's registry with three numbers: see `updateBody`. */
	readonly update: (
		lua: number,
		entryFunction: number,
		block: number,
		hook: number,
		entryPoint: number,
		entity: number,
		dt: number,
	) => number;
}

/** Results of `update`; 0 means that the function did not return true. After `FAILED`, the error is on the stack. */
export const [RETURNED_TRUE, FAILED] = [1, 2] as const;

const NUMBER_TYPE = 3;
const MAX_WHOLE = Number.MAX_SAFE_INTEGER;
const [STEPS, END, ELSE, RETURN, DROP] = [0, 0x0b, 0x05, 0x0f, 0x1a] as const;
const ifThen = (...then: readonly number[]): number[] => [0x04, 0x40, ...then, END];
const getSteps = [0x23, STEPS];
const setSteps = [0x24, STEPS];

const stepsBody = (): number[] => [
	...i32Const(MAX_STEPS),
	...getSteps,
	0x6b,
	...i32Const(MAX_STEPS),
	...setSteps,
];

/** Body of push(state, value). */
function pushBody(): number[] {
	const [LUA, VALUE] = [0, 1];
	return [
		// The value is a whole number, and at most the largest safe whole number.
		...[...getLocal(VALUE), 0x9d, ...getLocal(VALUE), 0x61],
		...[...getLocal(VALUE), 0x99, ...f64Const(MAX_WHOLE), 0x65, 0x71],
		...[0x04, 0x40],
		...[...getLocal(LUA), ...getLocal(VALUE), 0xb0, ...callImport('lua_pushinteger')],
		ELSE,
		...[...getLocal(LUA), ...getLocal(VALUE), ...callImport('lua_pushnumber')],
		END,
	];
}

function numberBody(): number[] {
	const [LUA, INDEX] = [0, 1];
	return [
		...[...getLocal(LUA), ...getLocal(INDEX), ...callImport('lua_type'), ...i32Const(NUMBER_TYPE), 0x47],
		...ifThen(...f64Const(Number.NaN), RETURN),
		...[...getLocal(LUA), ...getLocal(INDEX), ...i32Const(0), ...callImport('lua_tonumberx')],
	];
}

/** Body of host(state): passes on the first upvalue of the C function, which is its number. */
const hostBody = (): number[] => [
	...getLocal(0),
	...[...getLocal(0), ...i32Const(upvalue(1)), ...i32Const(0), ...callImport('lua_tonumberx')],
	...callImport('host'),
];

/**
 * Body of update(state, entryFunction, block, hook, entryPoint, entity, seconds). It starts the instruction counter and
 * calls the function. Then it charges for the library's loop rounds beyond those that one period of instructions pays for.
 */
function updateBody(push: number): number[] {
	const [LUA, ENTRY_FUNCTION, BLOCK_AT, HOOK, ENTRY_POINT, ENTITY, SECONDS, RETURNED, EXCESS] = [
		0, 1, 2, 3, 4, 5, 6, 7, 8,
	];
	return [
		...[
			...getLocal(LUA),
			...i32Const(REGISTRY),
			...getLocal(ENTRY_FUNCTION),
			0xac,
			...callImport('lua_rawgeti'),
			DROP,
		],
		...[...getLocal(BLOCK_AT), ...i32Const(0), 0x36, 2, BLOCK.spent],
		...[...i32Const(MAX_STEPS), ...setSteps],
		...[
			...getLocal(LUA),
			...getLocal(HOOK),
			...i32Const(COUNT_EVENT),
			...i32Const(PERIOD),
			...callImport('lua_sethook'),
		],
		...[...getLocal(LUA), ...getLocal(ENTRY_POINT), 0xac, ...callImport('lua_pushinteger')],
		...[
			...getLocal(LUA),
			...getLocal(ENTITY),
			...callInstruction(push),
			...getLocal(LUA),
			...getLocal(SECONDS),
			...callInstruction(push),
		],
		...[...getLocal(LUA), ...i32Const(3), ...i32Const(1), ...i32Const(0), ...i32Const(0), ...i32Const(0)],
		...callImport('lua_pcallk'),
		...ifThen(...i32Const(FAILED), RETURN),
		...[
			...getLocal(LUA),
			...i32Const(-1),
			...callImport('lua_toboolean'),
			...i32Const(0),
			0x47,
			...setLocal(RETURNED),
		],
		...[...getLocal(LUA), ...i32Const(0), ...callImport('lua_settop')],
		...[...i32Const(MAX_STEPS), ...getSteps, 0x6b, ...i32Const(STEPS_PER_INSTRUCTION), 0x6e],
		...[...i32Const(PERIOD), 0x6b, ...setLocal(EXCESS), ...i32Const(MAX_STEPS), ...setSteps],
		...[...getLocal(EXCESS), ...i32Const(0), 0x4a],
		...ifThen(
			...[...getLocal(BLOCK_AT), ...getLocal(BLOCK_AT), 0x28, 2, BLOCK.spent],
			...[...getLocal(EXCESS), 0x6a, 0x36, 2, BLOCK.spent],
		),
		...getLocal(RETURNED),
	];
}

interface OwnFunction {
	readonly export: keyof FastCalls;
	readonly type: FunctionType;
	/** Number of local variables, all of 32 bits. */
	readonly locals: number;
	readonly body: readonly number[];
}

const PUSH = NAMES.length;
const forward = (name: 'counted' | 'resumed', parameters: number): number[] => [
	...Array.from({ length: parameters }, (_, i) => getLocal(i)).flat(),
	...callImport(name),
];

const OWN_FUNCTIONS: readonly OwnFunction[] = [
	{ export: 'push', type: [[I32, F64], []], locals: 0, body: pushBody() },
	{
		export: 'push3',
		type: [[I32, F64, F64, F64], []],
		locals: 0,
		body: [1, 2, 3].flatMap((value) => [...getLocal(0), ...getLocal(value), ...callInstruction(PUSH)]),
	},
	{ export: 'numberAt', type: [[I32, I32], [F64]], locals: 0, body: numberBody() },
	{ export: 'takeSteps', type: [[], [I32]], locals: 0, body: stepsBody() },
	{ export: 'update', type: [[I32, I32, I32, I32, I32, F64, F64], [I32]], locals: 2, body: updateBody(PUSH) },
	{ export: 'host', type: [[I32], [I32]], locals: 0, body: hostBody() },
	{ export: 'hook', type: [[I32, I32], []], locals: 0, body: forward('counted', 2) },
	{ export: 'resume', type: [[I32, I32, I32], [I32]], locals: 0, body: forward('resumed', 3) },
	{
		export: 'alloc',
		type: [[I32, I32, I32, I32], [I32]],
		locals: 3,
		body: allocatorBody(NAMES.indexOf('realloc'), NAMES.indexOf('free')),
	},
];

let compiled: WebAssembly.Module | null = null;

/** Returns the compiled module. It imports, as `e`, Lua's memory `m`, its step counter `g`, and the functions. */
export function fastCallsModule(): WebAssembly.Module {
	if (compiled !== null) return compiled;
	const types: readonly FunctionType[] = [
		...Object.values(IMPORTS),
		...OWN_FUNCTIONS.map(({ type }) => type),
	];
	const list = (entries: readonly (readonly number[])[]) => [entries.length, ...entries.flat()];
	const importEntry = (name: string, ...kind: readonly number[]) => [
		...nameBytes('e'),
		...nameBytes(name),
		...kind,
	];
	compiled = new WebAssembly.Module(
		new Uint8Array([
			...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
			...section(
				1,
				...list(
					types.map(([parameters, results]) => [
						0x60,
						parameters.length,
						...parameters,
						results.length,
						...results,
					]),
				),
			),
			...section(
				2,
				...list([
					importEntry('m', 2, 0, 1),
					importEntry('g', 3, I32, 1),
					...NAMES.map((name, type) => importEntry(name, 0, type)),
				]),
			),
			...section(3, ...list(OWN_FUNCTIONS.map((_, i) => [NAMES.length + i]))),
			...section(7, ...list(OWN_FUNCTIONS.map((own, i) => [...nameBytes(own.export), 0, NAMES.length + i]))),
			...section(10, ...list(OWN_FUNCTIONS.map(codeOf))),
		]),
	);
	return compiled;
}

function codeOf({ locals, body }: OwnFunction): number[] {
	const code = [...(locals === 0 ? [0] : [1, locals, I32]), ...body, END];
	return section(code.length, ...code).slice(1);
}
