/**
 * Values on their way between scripts and the world.
 * Owns: what they become. Whole numbers arrive in scripts as integers, lists count from 1, null is nil, and an entity is one
 * number, its handle; out of scripts come plain JSON values with their keys in order.
 */

import type { EntityHandle } from '../../../shared/contract/component.ts';
import { Refusal } from '../../../shared/contract/errors.ts';
import { MAX_ENTITIES } from '../core/entities.ts';
import { MAX_SOURCE, type Machine } from './machine.ts';

const [NIL, BOOLEAN, NUMBER, TEXT, TABLE] = [0, 1, 3, 4, 5];
const NONE = -1;

/** Entities as scripts see them: of generation 0 the same as the id, so that a stale one is never taken for another. */
const SLOTS = 2 ** 20;
if (MAX_ENTITIES > SLOTS) throw new RangeError('an entity of a script has too few bits for its slot');

export const numberOf = ({ id, generation }: EntityHandle): number => generation * SLOTS + id;
export const handleFrom = (number: number): EntityHandle => ({
	id: number % SLOTS,
	generation: Math.floor(number / SLOTS),
});

const MAX_DEPTH = 12;
const MAX_VALUES = 4096;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function pushNumber({ beside }: Machine, at: number, value: number): void {
	beside.push(at, value);
}

export function pushBytes(machine: Machine, at: number, bytes: Uint8Array): void {
	if (bytes.length > MAX_SOURCE) throw new Refusal('the text is too long for a script');
	machine.bytes.set(bytes, machine.scratch);
	machine.lua.lua_pushlstring(at, machine.scratch, bytes.length);
}

export function pushText(machine: Machine, at: number, text: string): void {
	pushBytes(machine, at, encoder.encode(text));
}

/** Pushes any JSON value; a handle becomes what scripts see of an entity. */
export function pushValue(machine: Machine, at: number, value: unknown, depth = 0): void {
	const { lua } = machine;
	if (typeof value === 'number') pushNumber(machine, at, value);
	else if (typeof value === 'string') pushText(machine, at, value);
	else if (typeof value === 'boolean') lua.lua_pushboolean(at, value ? 1 : 0);
	else if (typeof value !== 'object' || value === null) lua.lua_pushnil(at);
	else if (isHandle(value)) pushNumber(machine, at, numberOf(value));
	else pushTable(machine, at, value, depth);
}

function pushTable(machine: Machine, at: number, value: object, depth: number): void {
	const { lua } = machine;
	if (depth > 32) throw new Refusal('the value is nested too deeply for a script');
	lua.luaL_checkstack(at, 4, 0);
	if (Array.isArray(value) || ArrayBuffer.isView(value)) {
		const list = value as readonly unknown[];
		lua.lua_createtable(at, list.length, 0);
		for (let i = 0; i < list.length; i++) {
			pushValue(machine, at, list[i], depth + 1);
			lua.lua_rawseti(at, -2, BigInt(i + 1));
		}
		return;
	}
	lua.lua_createtable(at, 0, 0);
	for (const [key, inner] of Object.entries(value)) {
		if (inner === undefined) continue;
		pushText(machine, at, key);
		pushValue(machine, at, inner, depth + 1);
		lua.lua_rawset(at, -3);
	}
}

function isHandle(value: object): value is EntityHandle {
	return 'id' in value && 'generation' in value && Object.keys(value).length === 2;
}

/** Returns the bytes of a text, good until Lua runs again. */
export function bytesAt(machine: Machine, at: number, index: number): Uint8Array {
	const { lua } = machine;
	if (lua.lua_type(at, index) !== TEXT) throw new Refusal(`argument ${index} must be a text`);
	const start = lua.lua_tolstring(at, index, 0);
	return machine.bytes.subarray(start, start + Number(lua.lua_rawlen(at, index)));
}

export function textAt(machine: Machine, at: number, index: number): string {
	return textOf(bytesAt(machine, at, index));
}

/** Names are short and plain, and asked for all the time. */
function textOf(bytes: Uint8Array): string {
	if (bytes.length > 24) return decoder.decode(bytes);
	let text = '';
	for (const byte of bytes) {
		if (byte > 127) return decoder.decode(bytes);
		text += String.fromCharCode(byte);
	}
	return text;
}

export function isThere({ lua }: Machine, at: number, index: number): boolean {
	const type = lua.lua_type(at, index);
	return type !== NIL && type !== NONE;
}

export function numberAt({ lua, beside }: Machine, at: number, index: number): number {
	const value = beside.numberAt(at, index);
	if (Number.isFinite(value)) return value;
	const kind = lua.lua_type(at, index) === NUMBER ? 'a finite number' : 'a number';
	throw new Refusal(`argument ${index} must be ${kind}`);
}

/** Counts the parts of a value that a script hands over. Throws when they are too many. */
export class Parts {
	#remaining = MAX_VALUES;
	readonly #charge: (instructions: number) => void;

	/** `charge` is told what each part costs, before it is read. */
	constructor(charge: (instructions: number) => void) {
		this.#charge = charge;
	}

	one(bytes = 0): void {
		if (--this.#remaining < 0) throw new Refusal(`the value has more than ${MAX_VALUES} parts`);
		this.#charge(1 + (bytes >>> 5));
	}
}

/** Returns a value of a script as JSON. Throws for what JSON has no word for. */
export function valueAt(machine: Machine, at: number, index: number, parts: Parts, depth = 0): unknown {
	const { lua } = machine;
	const type = lua.lua_type(at, index);
	parts.one(type === TEXT ? Number(lua.lua_rawlen(at, index)) : 0);
	if (type === NIL || type === NONE) return null;
	if (type === BOOLEAN) return lua.lua_toboolean(at, index) !== 0;
	if (type === TEXT) return textAt(machine, at, index);
	if (type === NUMBER) {
		const value = lua.lua_tonumberx(at, index, 0);
		if (!Number.isFinite(value)) throw new Refusal('a number must be finite');
		return value;
	}
	if (type !== TABLE) throw new Refusal('functions and coroutines cannot leave a script');
	if (depth >= MAX_DEPTH) throw new Refusal(`a table is nested more than ${MAX_DEPTH} deep`);
	lua.luaL_checkstack(at, 4, 0);
	const table = index < 0 ? lua.lua_gettop(at) + 1 + index : index;
	const length = Number(lua.lua_rawlen(at, table));
	if (length > 0) {
		const list: unknown[] = [];
		for (let i = 1; i <= length; i++) {
			lua.lua_rawgeti(at, table, BigInt(i));
			list.push(valueAt(machine, at, -1, parts, depth + 1));
			lua.lua_settop(at, -2);
		}
		return list;
	}
	const entries: [string, unknown][] = [];
	lua.lua_pushnil(at);
	while (lua.lua_next(at, table) !== 0) {
		if (lua.lua_type(at, -2) !== TEXT)
			throw new Refusal('the keys of a table must be texts, or the numbers from 1 to its length');
		entries.push([textAt(machine, at, lua.lua_gettop(at) - 1), valueAt(machine, at, -1, parts, depth + 1)]);
		lua.lua_settop(at, -2);
	}
	return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
