/**
 * Calls of the prelude's functions by scripts.
 * Owns: their error messages. Like those of Lua's own library, they contain the line of the script's call and the name
 * that it used. Each function is wrapped as a C function, because a tail call keeps its caller's frame only then.
 */

import type { HostFunction } from './host-call.ts';
import { upvalue } from './lua-index.ts';
import type { Machine } from './machine.ts';
import { pushText, textAt } from './values.ts';

/** Name of the prelude in messages of Lua, before the line. */
export const LIBRARY = '[library]';
const LIBRARY_LINE = /^\[library\]:\d+: /;
/** Errors that Lua's library raises without a line, because its caller is not a Lua function. */
const WITHOUT_LINE = /^(attempt to|invalid key to 'next')/;
const BAD_ARGUMENT = /^bad argument #(\d+) to '[^']*' \(([\s\S]*)\)$/;

const [OK, YIELD, TEXT, ALL_RESULTS] = [0, 1, 4, -1];

/** Returns a message without the line of the prelude that raised it. */
export const withoutLibrary = (message: string): string => message.replace(LIBRARY_LINE, '');

/** Replaces the Lua function on top of the stack by a C function that calls it. `number` is that of `callLibrary`. */
export function wrapAsLibrary(machine: Machine, state: number, number: number): void {
	const { lua } = machine;
	lua.lua_pushinteger(state, BigInt(number));
	lua.lua_rotate(state, -2, 1);
	lua.lua_pushcclosure(state, machine.host, 2);
}

/** Host function that calls the wrapped Lua function. */
export const callLibrary: HostFunction = (machine, state) => {
	const { lua } = machine;
	lua.lua_pushvalue(state, upvalue(2));
	lua.lua_rotate(state, 1, 1);
	const status = lua.lua_pcallk(state, lua.lua_gettop(state) - 1, ALL_RESULTS, 0, 0, machine.resume);
	return endLibraryCall(machine, state, status);
};

/** Returns the number of results of the call. Raises its error again, with the line of the script. */
export function endLibraryCall(machine: Machine, state: number, status: number): number {
	const { lua } = machine;
	if (status === OK || status === YIELD) return lua.lua_gettop(state);
	if (lua.lua_type(state, -1) !== TEXT) return lua.lua_error(state);
	const errorText = textAt(machine, state, lua.lua_gettop(state));
	if (!LIBRARY_LINE.test(errorText) && !WITHOUT_LINE.test(errorText)) return lua.lua_error(state);
	const message = withoutLibrary(errorText);
	const argument = BAD_ARGUMENT.exec(message);
	if (argument !== null)
		return lua.luaL_argerror(state, Number(argument[1]), machine.writeName(argument[2]!));
	lua.luaL_where(state, 1);
	pushText(machine, state, message);
	lua.lua_concat(state, 2);
	return lua.lua_error(state);
}
