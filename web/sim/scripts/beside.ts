/**
 * Functions beside Lua's library, as a few bytes of WebAssembly: the allocator of scripts, and what scripts do most often.
 * Owns: that each of these is one step out of JavaScript and back, where the library alone would take many.
 */

import { allocatorBody, BLOCK } from './allocator.ts';
import { COUNTED, MAX_STEPS, PERIOD, STEPS_PER_INSTRUCTION } from './library-meter.ts';
import { REGISTRY, upvalue } from './lua-index.ts';
import { call, F64, float, get, I32, I64, name, number, section, set } from './wasm-code.ts';

type Type = readonly [parameters: readonly number[], results: readonly number[]];

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
} as const satisfies Readonly<Record<string, Type>>;

export type BesideImport = keyof typeof IMPORTS;
const NAMES = Object.keys(IMPORTS) as BesideImport[];
const imported = (name: BesideImport): number[] => call(NAMES.indexOf(name));

/** Exports of the module: `alloc`, `host`, `hook` and `resume` are for Lua's table of functions. */
export interface Beside {
	readonly alloc: unknown;
	/** Calls `host` with the state and the number that belongs to the C function. */
	readonly host: unknown;
	readonly hook: unknown;
	readonly resume: unknown;
	/** Returns the rounds of the library's loops since this was last asked, from when on there may be as many again. */
	readonly steps: () => number;
	/** Pushes a number: a whole one as an integer. */
	readonly push: (lua: number, value: number) => void;
	readonly push3: (lua: number, x: number, y: number, z: number) => void;
	/** The number at an index; NaN if the value is none. */
	readonly numberAt: (lua: number, index: number) => number;
	/** Calls the function that a state keeps at `run` with three numbers: see `turnBody`. */
	readonly turn: (
		lua: number,
		run: number,
		block: number,
		hook: number,
		what: number,
		entity: number,
		dt: number,
	) => number;
}

/** Results of `turn` where the function has not answered no, which is 0. After `FAILED` the error is on the stack. */
export const [SAID_YES, FAILED] = [1, 2] as const;

const A_NUMBER = 3;
const MAX_WHOLE = Number.MAX_SAFE_INTEGER;
const [STEPS, END, ELSE, RETURN, DROP] = [0, 0x0b, 0x05, 0x0f, 0x1a] as const;
const when = (...then: readonly number[]): number[] => [0x04, 0x40, ...then, END];
const steps = [0x23, STEPS];
const setSteps = [0x24, STEPS];

const stepsBody = (): number[] => [...number(MAX_STEPS), ...steps, 0x6b, ...number(MAX_STEPS), ...setSteps];

/** push(state, value). */
function pushBody(): number[] {
	const [LUA, VALUE] = [0, 1];
	return [
		// Equal to itself without a fraction, and no larger than the largest safe whole number.
		...[...get(VALUE), 0x9d, ...get(VALUE), 0x61],
		...[...get(VALUE), 0x99, ...float(MAX_WHOLE), 0x65, 0x71],
		...[0x04, 0x40],
		...[...get(LUA), ...get(VALUE), 0xb0, ...imported('lua_pushinteger')],
		ELSE,
		...[...get(LUA), ...get(VALUE), ...imported('lua_pushnumber')],
		END,
	];
}

function numberBody(): number[] {
	const [LUA, INDEX] = [0, 1];
	return [
		...[...get(LUA), ...get(INDEX), ...imported('lua_type'), ...number(A_NUMBER), 0x47],
		...when(...float(Number.NaN), RETURN),
		...[...get(LUA), ...get(INDEX), ...number(0), ...imported('lua_tonumberx')],
	];
}

/** host(state): with the first value that belongs to the C function. */
const hostBody = (): number[] => [
	...get(0),
	...[...get(0), ...number(upvalue(1)), ...number(0), ...imported('lua_tonumberx')],
	...imported('host'),
];

/**
 * turn(state, run, block, hook, what, entity, seconds): begins to count instructions, calls, and charges for what the
 * library did in the call beyond what a period of instructions may take.
 */
function turnBody(push: number): number[] {
	const [LUA, RUN, BLOCK_AT, HOOK, WHAT, ENTITY, SECONDS, SAID, BEYOND] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
	return [
		...[...get(LUA), ...number(REGISTRY), ...get(RUN), 0xac, ...imported('lua_rawgeti'), DROP],
		...[...get(BLOCK_AT), ...number(0), 0x36, 2, BLOCK.spent],
		...[...number(MAX_STEPS), ...setSteps],
		...[...get(LUA), ...get(HOOK), ...number(COUNTED), ...number(PERIOD), ...imported('lua_sethook')],
		...[...get(LUA), ...get(WHAT), 0xac, ...imported('lua_pushinteger')],
		...[...get(LUA), ...get(ENTITY), ...call(push), ...get(LUA), ...get(SECONDS), ...call(push)],
		...[...get(LUA), ...number(3), ...number(1), ...number(0), ...number(0), ...number(0)],
		...imported('lua_pcallk'),
		...when(...number(FAILED), RETURN),
		...[...get(LUA), ...number(-1), ...imported('lua_toboolean'), ...number(0), 0x47, ...set(SAID)],
		...[...get(LUA), ...number(0), ...imported('lua_settop')],
		...[...number(MAX_STEPS), ...steps, 0x6b, ...number(STEPS_PER_INSTRUCTION), 0x6e],
		...[...number(PERIOD), 0x6b, ...set(BEYOND), ...number(MAX_STEPS), ...setSteps],
		...[...get(BEYOND), ...number(0), 0x4a],
		...when(
			...[...get(BLOCK_AT), ...get(BLOCK_AT), 0x28, 2, BLOCK.spent],
			...[...get(BEYOND), 0x6a, 0x36, 2, BLOCK.spent],
		),
		...get(SAID),
	];
}

interface Own {
	readonly export: keyof Beside;
	readonly type: Type;
	/** Number of local variables, all of 32 bits. */
	readonly locals: number;
	readonly body: readonly number[];
}

const PUSH = NAMES.length;
const forward = (name: 'counted' | 'resumed', parameters: number): number[] => [
	...Array.from({ length: parameters }, (_, i) => get(i)).flat(),
	...imported(name),
];

const OWN: readonly Own[] = [
	{ export: 'push', type: [[I32, F64], []], locals: 0, body: pushBody() },
	{
		export: 'push3',
		type: [[I32, F64, F64, F64], []],
		locals: 0,
		body: [1, 2, 3].flatMap((value) => [...get(0), ...get(value), ...call(PUSH)]),
	},
	{ export: 'numberAt', type: [[I32, I32], [F64]], locals: 0, body: numberBody() },
	{ export: 'steps', type: [[], [I32]], locals: 0, body: stepsBody() },
	{ export: 'turn', type: [[I32, I32, I32, I32, I32, F64, F64], [I32]], locals: 2, body: turnBody(PUSH) },
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

/** Takes Lua's memory `m` and its count of steps `g` beside the functions, all as `e`. */
export function besideModule(): WebAssembly.Module {
	if (compiled !== null) return compiled;
	const types: readonly Type[] = [...Object.values(IMPORTS), ...OWN.map(({ type }) => type)];
	const list = (entries: readonly (readonly number[])[]) => [entries.length, ...entries.flat()];
	const from = (what: string, ...kind: readonly number[]) => [...name('e'), ...name(what), ...kind];
	compiled = new WebAssembly.Module(
		new Uint8Array([
			...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
			...section(
				1,
				...list(types.map(([takes, gives]) => [0x60, takes.length, ...takes, gives.length, ...gives])),
			),
			...section(
				2,
				...list([from('m', 2, 0, 1), from('g', 3, I32, 1), ...NAMES.map((one, type) => from(one, 0, type))]),
			),
			...section(3, ...list(OWN.map((_, i) => [NAMES.length + i]))),
			...section(7, ...list(OWN.map((own, i) => [...name(own.export), 0, NAMES.length + i]))),
			...section(10, ...list(OWN.map(codeOf))),
		]),
	);
	return compiled;
}

function codeOf({ locals, body }: Own): number[] {
	const code = [...(locals === 0 ? [0] : [1, locals, I32]), ...body, END];
	return section(code.length, ...code).slice(1);
}
