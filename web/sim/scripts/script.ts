/**
 * A script in the machine.
 * Owns: its start and end, its limits, and the list of its failures.
 */

import type { World } from '../core/world.ts';
import {
	ACTION_COST,
	MAX_ACTION_EVENTS,
	MAX_ACTION_LOOKS,
	MAX_EVENTS_PER_ENTITY,
	MAX_SCRIPT_SPAWNS,
} from './action-allowance.ts';
import { BLOCK } from './allocator.ts';
import { callWithBudget, messageAt, runInMachine } from './budgeted-call.ts';
import { CHANCE, ENGINE_FUNCTIONS } from './engine-functions.ts';
import { EXHAUSTED, type HostFunction, type ScriptCall } from './host-call.ts';
import { functionNumbers, PRELUDE_FUNCTIONS } from './host-functions.ts';
import { callLibrary, LIBRARY, withoutLibrary, wrapAsLibrary } from './library-call.ts';
import { PERIOD } from './library-meter.ts';
import { REGISTRY } from './lua-index.ts';
import { MAX_SOURCE_BYTES, type Machine } from './machine.ts';
import { PRELUDE } from './prelude.ts';
import type { RunningScript, ScriptFailure } from './scripts.part.ts';
import { canDraw } from './sources.ts';
import { pushText } from './values.ts';

/** Maximum number of instructions of one call. */
export const MAX_CALL_INSTRUCTIONS = 100_000;
/** Maximum number of instructions of all calls of a script on one tick. */
export const MAX_SCRIPT_INSTRUCTIONS = 1_000_000;
/** Maximum number of instructions of all scripts of a world on one tick. */
export const MAX_TOTAL_INSTRUCTIONS = 8_000_000;
/** Maximum number of bytes that a script may allocate. */
export const MAX_SCRIPT_BYTES = 4 * 2 ** 20;
/** Maximum work of a script on one tick that counts for the limits of the tick. */
export const MAX_SCRIPT_WORK = {
	spawned: MAX_SCRIPT_SPAWNS,
	actions: MAX_SCRIPT_INSTRUCTIONS / ACTION_COST,
	searched: 4 * MAX_SCRIPT_INSTRUCTIONS + MAX_ACTION_LOOKS,
	sent: MAX_SCRIPT_INSTRUCTIONS / 8 + MAX_ACTION_EVENTS,
	effects: MAX_ACTION_EVENTS / MAX_EVENTS_PER_ENTITY,
} as const;
/**
 * Maximum number of loop rounds in the library for loading one source. A normal source of 64 kB takes about a tenth of it.
 */
const MAX_LOAD_STEPS = 2 ** 24;
const MAX_FAILURES = 8;
const MAX_OUTPUT_LINES = 40;

const OK = 0;
const FUNCTION = 6;
/** Name that Lua uses for every script, before the line in its messages. */
const CHUNK = 'script';

/** Compiles a text into a function on the stack. Returns the error message, or null. */
function load(machine: Machine, state: number, text: Uint8Array, name: string): string | null {
	machine.bytes.set(text, machine.scratch);
	const [chunkName, mode] = [machine.writeName(`=${name}`, 0), machine.writeName('t', 1)];
	if (machine.lua.luaL_loadbufferx(state, machine.scratch, text.length, chunkName, mode) === OK) return null;
	return messageAt(machine, state);
}

/** Compiles the source of a script into a function on the stack. Returns the error message, or null. */
function loadSource(machine: Machine, state: number, source: string): string | null {
	const bytes = encoder.encode(source);
	if (bytes.length > MAX_SOURCE_BYTES) return 'the source has more than 65536 bytes';
	machine.fastCalls.takeSteps();
	const loadError = runInMachine(machine, () => load(machine, state, bytes, CHUNK));
	return machine.fastCalls.takeSteps() > MAX_LOAD_STEPS ? 'the source takes too long to be read' : loadError;
}

const LIBRARIES = ['coroutine', 'table', 'string', 'math', 'utf8'] as const;

/** Opens the libraries of Lua that scripts may use. Lua finds names for error messages in the table `_LOADED`. */
function openLibraries(machine: Machine, state: number): void {
	const { lua } = machine;
	lua.lua_createtable(state, 0, LIBRARIES.length + 1);
	lua.luaopen_base(state);
	lua.lua_setfield(state, 1, machine.writeName('_G'));
	for (const name of LIBRARIES) {
		lua[`luaopen_${name}`](state);
		lua.lua_pushvalue(state, -1);
		lua.lua_setglobal(state, machine.writeName(name));
		lua.lua_setfield(state, 1, machine.writeName(name));
	}
	lua.lua_setfield(state, REGISTRY, machine.writeName('_LOADED'));
	lua.lua_settop(state, 0);
}

/** Wraps every Lua function in the table on top of the stack, and pops the table. */
function wrapFunctions(machine: Machine, state: number): void {
	const { lua } = machine;
	lua.lua_pushnil(state);
	while (lua.lua_next(state, -2) !== 0) {
		if (lua.lua_type(state, -1) === FUNCTION && lua.lua_iscfunction(state, -1) === 0) {
			wrapAsLibrary(machine, state, functionNumbers.get(callLibrary)!);
			lua.lua_pushvalue(state, -2);
			lua.lua_rotate(state, -2, 1);
			lua.lua_rawset(state, -4);
		} else lua.lua_settop(state, -2);
	}
	lua.lua_settop(state, -2);
}

/** Pushes a table of host functions. */
function pushFunctions(
	machine: Machine,
	state: number,
	functions: Readonly<Record<string, HostFunction>>,
): void {
	const { lua } = machine;
	lua.lua_createtable(state, 0, 64);
	for (const [name, hostFunction] of Object.entries(functions)) {
		pushText(machine, state, name);
		lua.lua_pushinteger(state, BigInt(functionNumbers.get(hostFunction)!));
		lua.lua_pushcclosure(state, machine.host, 1);
		lua.lua_rawset(state, -3);
	}
}

const encoder = new TextEncoder();
const prelude = encoder.encode(PRELUDE);

/** Runs the prelude. Returns the registry index of its main function, which the engine calls. */
function runPrelude(machine: Machine, state: number, source: string): number {
	const { lua } = machine;
	const loadError = load(machine, state, prelude, LIBRARY);
	if (loadError !== null) throw new Error(`The prelude of scripts is broken: ${loadError}`);
	pushFunctions(machine, state, PRELUDE_FUNCTIONS);
	pushText(machine, state, 'api');
	pushFunctions(machine, state, {
		...ENGINE_FUNCTIONS,
		...(canDraw(source) ? { chance: CHANCE } : {}),
	});
	lua.lua_rawset(state, -3);
	pushText(machine, state, 'period');
	lua.lua_pushinteger(state, BigInt(PERIOD));
	lua.lua_rawset(state, -3);
	if (lua.lua_pcallk(state, 1, 1, 0, 0, 0) !== OK)
		throw new Error(`The prelude of scripts failed: ${messageAt(machine, state)}`);
	for (const name of ['_G', 'engine', ...LIBRARIES]) {
		lua.lua_getglobal(state, machine.writeName(name));
		wrapFunctions(machine, state);
	}
	pushText(machine, state, '');
	lua.lua_getmetatable(state, -1);
	wrapFunctions(machine, state);
	lua.lua_settop(state, -2);
	return lua.luaL_ref(state, REGISTRY);
}

/** Starts a script: loads its source and runs it once. If this fails, the result has a failure and no Lua state. */
export function startScript(machine: Machine, world: World, name: string, source: string): RunningScript {
	const { lua } = machine;
	const block = lua.malloc(BLOCK.bytes);
	for (const [word, value] of [
		[BLOCK.usedBytes, 0],
		[BLOCK.limit, MAX_SCRIPT_BYTES],
		[BLOCK.spent, 0],
		[BLOCK.top, block + BLOCK.bytes],
	] as const)
		machine.setWord(block + word, value);
	const script: RunningScript = {
		name,
		source,
		lua: 0,
		block: 0,
		run: 0,
		started: [],
		failures: [],
		failed: 0,
		output: [],
		spent: 0,
		held: 0,
	};
	const state = lua.lua_newstate(machine.allocator, block);
	if (state === 0)
		return withFailure(script, {
			message: 'there is no memory left for the script',
			during: 'load',
			tick: world.tick,
		});
	openLibraries(machine, state);
	const run = runPrelude(machine, state, source);
	const output: string[] = [];
	const running: ScriptCall = {
		world,
		name,
		block,
		budget: MAX_CALL_INSTRUCTIONS,
		entity: null,
		update: '',
		event: null,
		isLoading: true,
		work: { spawned: 0, sent: 0, byActions: { searched: 0, sent: 0 }, output },
	};
	const loadError = loadSource(machine, state, source);
	const { message, spent } =
		loadError !== null ? { message: loadError, spent: 0 } : callWithBudget(machine, state, running);
	machine.recordTop(block);
	if (message !== null) {
		lua.lua_close(state);
		lua.free(block);
		return withFailure({ ...script, output, spent }, { message, during: 'load', tick: world.tick });
	}
	lua.lua_settop(state, 0);
	return { ...script, lua: state, block, run, output, spent, held: machine.word(block + BLOCK.usedBytes) };
}

/** Ends a script and frees its memory. */
export function endScript(machine: Machine, { lua: state, block }: RunningScript): void {
	if (state === 0) return;
	machine.recordTop(block);
	machine.lua.lua_close(state);
	machine.lua.free(block);
}

interface FailedCall {
	readonly message: string;
	readonly during: string;
	readonly tick: number;
	readonly entity?: number | null;
}

/** Returns a failure for reports. It separates the line, which Lua puts before its message. */
export function failureOf({ message, during, tick, entity = null }: FailedCall): ScriptFailure {
	const withLine = /^script:(\d+): ([\s\S]*)$/.exec(message);
	const text = withLine === null ? withoutLibrary(message) : withLine[2]!;
	return {
		message: explainMessage(text),
		line: withLine === null ? null : Number(withLine[1]),
		tick,
		during,
		entity,
	};
}

function explainMessage(message: string): string {
	if (message.startsWith(EXHAUSTED))
		return `${EXHAUSTED}: at most ${MAX_CALL_INSTRUCTIONS} per call, ${MAX_SCRIPT_INSTRUCTIONS} per tick, and ${MAX_TOTAL_INSTRUCTIONS} per tick for all scripts`;
	if (message === 'not enough memory')
		return 'not enough memory: a script may use at most 4 MiB, and a text at most 8192 bytes';
	return message;
}

/** Returns the script with one more failure. */
export function withFailure(script: RunningScript, failedCall: FailedCall): RunningScript {
	return {
		...script,
		failed: script.failed + 1,
		failures: [...script.failures, failureOf(failedCall)].slice(-MAX_FAILURES),
	};
}

/** Returns the script with more lines of output. */
export function withOutput(script: RunningScript, lines: readonly string[]): RunningScript {
	return lines.length === 0
		? script
		: { ...script, output: [...script.output, ...lines].slice(-MAX_OUTPUT_LINES) };
}
