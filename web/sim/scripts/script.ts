/**
 * A script in the machine.
 * Owns: how one is started and ended, what it may take, and what is remembered of its failures.
 */

import type { World } from '../core/world.ts';
import {
	ACTION_COST,
	EVENTS_EACH,
	MAX_ACTION_EVENTS,
	MAX_ACTION_LOOKS,
	MAX_SCRIPT_SPAWNS,
} from './action-allowance.ts';
import { BLOCK } from './allocator.ts';
import { call, messageAt, within } from './budgeted-call.ts';
import { CHANCE, ENGINE_FUNCTIONS } from './engine-functions.ts';
import { EXHAUSTED, type HostFunction, type Running } from './host-call.ts';
import { INNER, numbers } from './host-functions.ts';
import { callLibrary, LIBRARY, withoutLibrary, wrapAsLibrary } from './library-call.ts';
import { PERIOD } from './library-meter.ts';
import { REGISTRY } from './lua-index.ts';
import { MAX_SOURCE, type Machine } from './machine.ts';
import { PRELUDE } from './prelude.ts';
import type { RunningScript, ScriptFailure } from './scripts.part.ts';
import { draws } from './sources.ts';
import { pushText } from './values.ts';

/** Maximum number of instructions of one call, and of all calls of a script on one tick. */
export const MAX_INSTRUCTIONS = 100_000;
export const MAX_PER_TICK = 1_000_000;
/** Maximum number of instructions of all scripts of a world on one tick. */
export const MAX_TOGETHER = 8_000_000;
/** Maximum number of bytes that a script holds. */
export const MAX_HELD = 4 * 2 ** 20;
/** The most that a script does on one tick of what ticks are limited in: queries, signals and actions. */
export const MAX_DONE = {
	spawned: MAX_SCRIPT_SPAWNS,
	actions: MAX_PER_TICK / ACTION_COST,
	searched: 4 * MAX_PER_TICK + MAX_ACTION_LOOKS,
	sent: MAX_PER_TICK / 8 + MAX_ACTION_EVENTS,
	effects: MAX_ACTION_EVENTS / EVENTS_EACH,
} as const;
/**
 * Maximum number of rounds of the library's loops for reading one source: some ten times what one of 64 kB takes that
 * is written to do something.
 */
const MAX_READING = 2 ** 24;
const MAX_FAILURES = 8;
const MAX_LINES = 40;

const OK = 0;
const FUNCTION = 6;
/** Name that Lua uses for every script, before the line in its messages. */
const CHUNK = 'script';

/** Loads a text as a function onto the stack. Returns the error message, or null. */
function load(machine: Machine, at: number, text: Uint8Array, name: string): string | null {
	machine.bytes.set(text, machine.scratch);
	const [chunk, mode] = [machine.name(`=${name}`, 0), machine.name('t', 1)];
	if (machine.lua.luaL_loadbufferx(at, machine.scratch, text.length, chunk, mode) === OK) return null;
	return messageAt(machine, at);
}

/** Loads the source of a script. Returns the error message, or null. */
function loadSource(machine: Machine, at: number, source: string): string | null {
	const bytes = encoder.encode(source);
	if (bytes.length > MAX_SOURCE) return 'the source has more than 65536 bytes';
	machine.beside.steps();
	const unfit = within(machine, () => load(machine, at, bytes, CHUNK));
	return machine.beside.steps() > MAX_READING ? 'the source takes too long to be read' : unfit;
}

const LIBRARIES = ['coroutine', 'table', 'string', 'math', 'utf8'] as const;

/** Opens what scripts have of Lua. `_LOADED` is where errors of functions that were called without a name look theirs up. */
function openLibraries(machine: Machine, at: number): void {
	const { lua } = machine;
	lua.lua_createtable(at, 0, LIBRARIES.length + 1);
	lua.luaopen_base(at);
	lua.lua_setfield(at, 1, machine.name('_G'));
	for (const name of LIBRARIES) {
		lua[`luaopen_${name}`](at);
		lua.lua_pushvalue(at, -1);
		lua.lua_setglobal(at, machine.name(name));
		lua.lua_setfield(at, 1, machine.name(name));
	}
	lua.lua_setfield(at, REGISTRY, machine.name('_LOADED'));
	lua.lua_settop(at, 0);
}

/** Wraps every function of Lua in the table on top of the stack, and takes the table off. */
function wrapFunctions(machine: Machine, at: number): void {
	const { lua } = machine;
	lua.lua_pushnil(at);
	while (lua.lua_next(at, -2) !== 0) {
		if (lua.lua_type(at, -1) === FUNCTION && lua.lua_iscfunction(at, -1) === 0) {
			wrapAsLibrary(machine, at, numbers.get(callLibrary)!);
			lua.lua_pushvalue(at, -2);
			lua.lua_rotate(at, -2, 1);
			lua.lua_rawset(at, -4);
		} else lua.lua_settop(at, -2);
	}
	lua.lua_settop(at, -2);
}

function pushFunctions(
	machine: Machine,
	at: number,
	functions: Readonly<Record<string, HostFunction>>,
): void {
	const { lua } = machine;
	lua.lua_createtable(at, 0, 64);
	for (const [name, hostFunction] of Object.entries(functions)) {
		pushText(machine, at, name);
		lua.lua_pushinteger(at, BigInt(numbers.get(hostFunction)!));
		lua.lua_pushcclosure(at, machine.host, 1);
		lua.lua_rawset(at, -3);
	}
}

const encoder = new TextEncoder();
const prelude = encoder.encode(PRELUDE);

/** Runs the prelude; where the function is kept that the engine calls. */
function begin(machine: Machine, at: number, source: string): number {
	const { lua } = machine;
	const wrong = load(machine, at, prelude, LIBRARY);
	if (wrong !== null) throw new Error(`The prelude of scripts is broken: ${wrong}`);
	pushFunctions(machine, at, INNER);
	pushText(machine, at, 'api');
	pushFunctions(machine, at, {
		...ENGINE_FUNCTIONS,
		...(draws(source) ? { chance: CHANCE } : {}),
	});
	lua.lua_rawset(at, -3);
	pushText(machine, at, 'period');
	lua.lua_pushinteger(at, BigInt(PERIOD));
	lua.lua_rawset(at, -3);
	if (lua.lua_pcallk(at, 1, 1, 0, 0, 0) !== OK)
		throw new Error(`The prelude of scripts failed: ${messageAt(machine, at)}`);
	for (const name of ['_G', 'engine', ...LIBRARIES]) {
		lua.lua_getglobal(at, machine.name(name));
		wrapFunctions(machine, at);
	}
	pushText(machine, at, '');
	lua.lua_getmetatable(at, -1);
	wrapFunctions(machine, at);
	lua.lua_settop(at, -2);
	return lua.luaL_ref(at, REGISTRY);
}

/** Starts a script: loads its source and runs it once. One that fails has a failure and no state. */
export function startScript(machine: Machine, world: World, name: string, source: string): RunningScript {
	const { lua } = machine;
	const block = lua.malloc(BLOCK.bytes);
	for (const [word, value] of [
		[BLOCK.held, 0],
		[BLOCK.limit, MAX_HELD],
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
	const at = lua.lua_newstate(machine.allocator, block);
	if (at === 0)
		return failing(script, {
			message: 'there is no memory left for the script',
			during: 'load',
			tick: world.tick,
		});
	openLibraries(machine, at);
	const run = begin(machine, at, source);
	const output: string[] = [];
	const running: Running = {
		world,
		name,
		block,
		budget: MAX_INSTRUCTIONS,
		entity: null,
		update: '',
		event: null,
		loading: true,
		done: { spawned: 0, sent: 0, acted: { searched: 0, sent: 0 }, output },
	};
	const unfit = loadSource(machine, at, source);
	const { message, spent } = unfit !== null ? { message: unfit, spent: 0 } : call(machine, at, running);
	machine.reached(block);
	if (message !== null) {
		lua.lua_close(at);
		lua.free(block);
		return failing({ ...script, output, spent }, { message, during: 'load', tick: world.tick });
	}
	lua.lua_settop(at, 0);
	return { ...script, lua: at, block, run, output, spent, held: machine.word(block + BLOCK.held) };
}

/** Ends a script and gives back what it holds. */
export function endScript(machine: Machine, { lua: at, block }: RunningScript): void {
	if (at === 0) return;
	machine.reached(block);
	machine.lua.lua_close(at);
	machine.lua.free(block);
}

interface Failing {
	readonly message: string;
	readonly during: string;
	readonly tick: number;
	readonly entity?: number | null;
}

/** Returns a failure as it is reported. Lua puts the line before its message. */
export function failureOf({ message, during, tick, entity = null }: Failing): ScriptFailure {
	const found = /^script:(\d+): ([\s\S]*)$/.exec(message);
	const text = found === null ? withoutLibrary(message) : found[2]!;
	return { message: explained(text), line: found === null ? null : Number(found[1]), tick, during, entity };
}

function explained(message: string): string {
	if (message.startsWith(EXHAUSTED))
		return `${EXHAUSTED}: at most ${MAX_INSTRUCTIONS} per call, ${MAX_PER_TICK} per tick, and ${MAX_TOGETHER} per tick for all scripts`;
	if (message === 'not enough memory')
		return 'not enough memory: a script may use at most 4 MiB, and a text at most 8192 bytes';
	return message;
}

/** Returns the script with one more failure. */
export function failing(script: RunningScript, failing: Failing): RunningScript {
	return {
		...script,
		failed: script.failed + 1,
		failures: [...script.failures, failureOf(failing)].slice(-MAX_FAILURES),
	};
}

/** Returns the script with more lines of output. */
export function printing(script: RunningScript, lines: readonly string[]): RunningScript {
	return lines.length === 0 ? script : { ...script, output: [...script.output, ...lines].slice(-MAX_LINES) };
}
