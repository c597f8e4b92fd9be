/**
 * Calls of the prelude's functions by scripts.
 * Owns: that their errors have the line of the script's call and the name that it used, as errors of Lua's own library have. A script
 * gets each of these functions as a C function, because a tail call keeps the frame of its caller only if it calls one.
 */

import type { HostFunction } from './host-call.ts';
import { upvalue } from './lua-index.ts';
import type { Machine } from './machine.ts';
import { pushText, textAt } from './values.ts';

/** Name of the prelude in messages of Lua, before the line. */
export const LIBRARY = '[library]';
const RAISED_HERE = /^\[library\]:\d+: /;
/** Errors that Lua's library itself raises without a line, as there the caller is not a function of Lua. */
const WITHOUT_LINE = /^(attempt to|invalid key to 'next')/;
const BAD_ARGUMENT = /^bad argument #(\d+) to '[^']*' \(([\s\S]*)\)$/;

const [OK, YIELD, TEXT, ALL_RESULTS] = [0, 1, 4, -1];

/** Returns a message without the line of the prelude that raised it. */
export const withoutLibrary = (message: string): string => message.replace(RAISED_HERE, '');

/** Replaces the function of Lua on top of the stack by the one that scripts call. `number` is that of `callLibrary`. */
export function wrapAsLibrary(machine: Machine, at: number, number: number): void {
	const { lua } = machine;
	lua.lua_pushinteger(at, BigInt(number));
	lua.lua_rotate(at, -2, 1);
	lua.lua_pushcclosure(at, machine.host, 2);
}

export const callLibrary: HostFunction = (machine, at) => {
	const { lua } = machine;
	lua.lua_pushvalue(at, upvalue(2));
	lua.lua_rotate(at, 1, 1);
	const status = lua.lua_pcallk(at, lua.lua_gettop(at) - 1, ALL_RESULTS, 0, 0, machine.resume);
	return endLibraryCall(machine, at, status);
};

/** Returns the number of results of the call, or raises its error again as one of the script's line. */
export function endLibraryCall(machine: Machine, at: number, status: number): number {
	const { lua } = machine;
	if (status === OK || status === YIELD) return lua.lua_gettop(at);
	if (lua.lua_type(at, -1) !== TEXT) return lua.lua_error(at);
	const raised = textAt(machine, at, lua.lua_gettop(at));
	if (!RAISED_HERE.test(raised) && !WITHOUT_LINE.test(raised)) return lua.lua_error(at);
	const message = withoutLibrary(raised);
	const argument = BAD_ARGUMENT.exec(message);
	if (argument !== null) return lua.luaL_argerror(at, Number(argument[1]), machine.name(argument[2]!));
	lua.luaL_where(at, 1);
	pushText(machine, at, message);
	lua.lua_concat(at, 2);
	return lua.lua_error(at);
}
