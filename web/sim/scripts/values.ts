/**
 * Converts values between scripts and the world.
 * Owns: the conversion. In scripts, whole numbers are integers, lists count from 1, null is nil, and a handle is one
 * number. Values from scripts become plain JSON with sorted keys.
 */

import type { EntityHandle } from '../../../shared/contract/component.ts';
import { Refusal } from '../../../shared/contract/errors.ts';
import { MAX_ENTITIES } from '../core/entities.ts';
import { MAX_SOURCE_BYTES, type Machine } from './machine.ts';

const [NIL, BOOLEAN, NUMBER, TEXT, TABLE] = [0, 1, 3, 4, 5];
const NONE = -1;

/** In scripts, an entity is the number `generation * SLOTS_PER_GENERATION + id`. For generation 0 it is the id. */
const SLOTS_PER_GENERATION = 2 ** 20;
if (MAX_ENTITIES > SLOTS_PER_GENERATION)
	throw new RangeError('an entity of a script has too few bits for its slot');

export const entityNumber = ({ id, generation }: EntityHandle): number =>
	generation * SLOTS_PER_GENERATION + id;
export const handleFrom = (number: number): EntityHandle => ({
	id: number % SLOTS_PER_GENERATION,
	generation: Math.floor(number / SLOTS_PER_GENERATION),
});

const MAX_DEPTH = 12;
const MAX_VALUES = 4096;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function pushNumber({ fastCalls }: Machine, state: number, value: number): void {
	fastCalls.push(state, value);
}

export function pushBytes(machine: Machine, state: number, bytes: Uint8Array): void {
	if (bytes.length > MAX_SOURCE_BYTES) throw new Refusal('the text is too long for a script');
	machine.bytes.set(bytes, machine.scratch);
	machine.lua.lua_pushlstring(state, machine.scratch, bytes.length);
}

export function pushText(machine: Machine, state: number, text: string): void {
	pushBytes(machine, state, encoder.encode(text));
}

/** Pushes any JSON value. A handle becomes a number. */
export function pushValue(machine: Machine, state: number, value: unknown, depth = 0): void {
	const { lua } = machine;
	if (typeof value === 'number') pushNumber(machine, state, value);
	else if (typeof value === 'string') pushText(machine, state, value);
	else if (typeof value === 'boolean') lua.lua_pushboolean(state, value ? 1 : 0);
	else if (typeof value !== 'object' || value === null) lua.lua_pushnil(state);
	else if (isHandle(value)) pushNumber(machine, state, entityNumber(value));
	else pushTable(machine, state, value, depth);
}

function pushTable(machine: Machine, state: number, value: object, depth: number): void {
	const { lua } = machine;
	if (depth > 32) throw new Refusal('the value is nested too deeply for a script');
	lua.luaL_checkstack(state, 4, 0);
	if (Array.isArray(value) || ArrayBuffer.isView(value)) {
		const list = value as readonly unknown[];
		lua.lua_createtable(state, list.length, 0);
		for (let i = 0; i < list.length; i++) {
			pushValue(machine, state, list[i], depth + 1);
			lua.lua_rawseti(state, -2, BigInt(i + 1));
		}
		return;
	}
	lua.lua_createtable(state, 0, 0);
	for (const [key, inner] of Object.entries(value)) {
		if (inner === undefined) continue;
		pushText(machine, state, key);
		pushValue(machine, state, inner, depth + 1);
		lua.lua_rawset(state, -3);
	}
}

function isHandle(value: object): value is EntityHandle {
	return 'id' in value && 'generation' in value && Object.keys(value).length === 2;
}

/** Returns the bytes of a text argument. They are valid until Lua runs again. */
export function bytesAt(machine: Machine, state: number, index: number): Uint8Array {
	const { lua } = machine;
	if (lua.lua_type(state, index) !== TEXT) throw new Refusal(`argument ${index} must be a text`);
	const start = lua.lua_tolstring(state, index, 0);
	return machine.bytes.subarray(start, start + Number(lua.lua_rawlen(state, index)));
}

export function textAt(machine: Machine, state: number, index: number): string {
	return textOf(bytesAt(machine, state, index));
}

/** Decodes a text. Most are short and ASCII, for which this is faster than the decoder. */
function textOf(bytes: Uint8Array): string {
	if (bytes.length > 24) return decoder.decode(bytes);
	let text = '';
	for (const byte of bytes) {
		if (byte > 127) return decoder.decode(bytes);
		text += String.fromCharCode(byte);
	}
	return text;
}

/** Returns true if an argument is present and not nil. */
export function isPresent({ lua }: Machine, state: number, index: number): boolean {
	const type = lua.lua_type(state, index);
	return type !== NIL && type !== NONE;
}

/** Returns a finite number argument. Throws a Refusal for any other value. */
export function numberAt({ lua, fastCalls }: Machine, state: number, index: number): number {
	const value = fastCalls.numberAt(state, index);
	if (Number.isFinite(value)) return value;
	const kind = lua.lua_type(state, index) === NUMBER ? 'a finite number' : 'a number';
	throw new Refusal(`argument ${index} must be ${kind}`);
}

/** Counts the parts of a value of a script. Throws a Refusal if there are too many. */
export class PartCounter {
	#remaining = MAX_VALUES;
	readonly #charge: (instructions: number) => void;

	/** `charge` is called with the cost of each part before the part is read. */
	constructor(charge: (instructions: number) => void) {
		this.#charge = charge;
	}

	countPart(bytes = 0): void {
		if (--this.#remaining < 0) throw new Refusal(`the value has more than ${MAX_VALUES} parts`);
		this.#charge(1 + (bytes >>> 5));
	}
}

/** Returns a value of a script as JSON. Throws a Refusal for values that JSON cannot represent. */
export function valueAt(
	machine: Machine,
	state: number,
	index: number,
	parts: PartCounter,
	depth = 0,
): unknown {
	const { lua } = machine;
	const type = lua.lua_type(state, index);
	parts.countPart(type === TEXT ? Number(lua.lua_rawlen(state, index)) : 0);
	if (type === NIL || type === NONE) return null;
	if (type === BOOLEAN) return lua.lua_toboolean(state, index) !== 0;
	if (type === TEXT) return textAt(machine, state, index);
	if (type === NUMBER) {
		const value = lua.lua_tonumberx(state, index, 0);
		if (!Number.isFinite(value)) throw new Refusal('a number must be finite');
		return value;
	}
	if (type !== TABLE) throw new Refusal('functions and coroutines cannot leave a script');
	if (depth >= MAX_DEPTH) throw new Refusal(`a table is nested more than ${MAX_DEPTH} deep`);
	lua.luaL_checkstack(state, 4, 0);
	const table = index < 0 ? lua.lua_gettop(state) + 1 + index : index;
	const length = Number(lua.lua_rawlen(state, table));
	if (length > 0) {
		const list: unknown[] = [];
		for (let i = 1; i <= length; i++) {
			lua.lua_rawgeti(state, table, BigInt(i));
			list.push(valueAt(machine, state, -1, parts, depth + 1));
			lua.lua_settop(state, -2);
		}
		return list;
	}
	const entries: [string, unknown][] = [];
	lua.lua_pushnil(state);
	while (lua.lua_next(state, table) !== 0) {
		if (lua.lua_type(state, -2) !== TEXT)
			throw new Refusal('the keys of a table must be texts, or the numbers from 1 to its length');
		entries.push([
			textAt(machine, state, lua.lua_gettop(state) - 1),
			valueAt(machine, state, -1, parts, depth + 1),
		]);
		lua.lua_settop(state, -2);
	}
	return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
