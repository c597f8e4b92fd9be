/**
 * All functions of the engine that scripts can call, by their numbers.
 * Owns: the numbers, and the functions that the prelude needs beside those of `engine`.
 */

import { Refusal } from '../../../shared/contract/errors.ts';
import { type EventKind, eventType } from '../../../shared/documents/event.ts';
import { Signal } from '../../../shared/events/signal.ts';
import { emit } from '../core/events.ts';
import { CHANCE, ENGINE_FUNCTIONS } from './engine-functions.ts';
import {
	A_CALL,
	A_REFUSAL,
	charge,
	eventOf,
	givenAt,
	type HostFunction,
	MAX_LINE,
	MAX_LINES,
	MAX_SENT,
	push,
	type Running,
} from './host-call.ts';
import { callLibrary, wrapAsLibrary } from './library-call.ts';
import type { Machine } from './machine.ts';
import { Matcher } from './pattern.ts';
import { bytesAt, isThere, numberAt, pushBytes, pushNumber, pushText, pushValue, textAt } from './values.ts';

/** Functions that the prelude needs. They do not see the world, except `signal` and `event`. */
export const INNER: Readonly<Record<string, HostFunction>> = {
	/** Returns a function of the prelude, as a script is given it. */
	library(machine, lua) {
		wrapAsLibrary(machine, lua, numbers.get(callLibrary)!);
		return 1;
	},
	charge(machine, lua, running) {
		charge(machine, running, Math.max(0, numberAt(machine, lua, 1)));
		return 0;
	},
	print(machine, lua, { done }) {
		if (done.output.length < MAX_LINES) done.output.push(textAt(machine, lua, 1).slice(0, MAX_LINE));
		return 0;
	},
	check_format(machine, lua, running) {
		const form = bytesAt(machine, lua, 1);
		charge(machine, running, form.length);
		for (let i = 0; i < form.length; i++) {
			if (form[i] !== 0x25) continue;
			i++;
			while (i < form.length && !(form[i]! >= 0x41) && form[i] !== 0x25) i++;
			if (form[i] === 0x70)
				throw new Refusal("there are no addresses here: invalid conversion '%p' to 'format'");
		}
		return 0;
	},
	find_plain(machine, lua, running) {
		const [text, wanted] = [bytesAt(machine, lua, 1), bytesAt(machine, lua, 2)];
		for (let start = numberAt(machine, lua, 3) - 1; start + wanted.length <= text.length; start++) {
			charge(machine, running, 1);
			let same = 0;
			while (same < wanted.length && text[start + same] === wanted[same]) same++;
			charge(machine, running, same >>> 3);
			if (same === wanted.length) return push(machine, lua, start + 1, start + wanted.length);
		}
		machine.lua.lua_pushnil(lua);
		return 1;
	},
	find_match(machine, lua, running) {
		const [text, pattern] = [bytesAt(machine, lua, 1), bytesAt(machine, lua, 2)];
		const literal = machine.lua.lua_toboolean(lua, 4) !== 0;
		const not = isThere(machine, lua, 5) ? numberAt(machine, lua, 5) : -1;
		let steps = 0;
		const matcher = new Matcher(text, pattern, (more) => {
			steps += more;
			if (steps < 64) return;
			charge(machine, running, steps >>> 1);
			steps = 0;
		});
		const found = matcher.find(numberAt(machine, lua, 3) - 1, literal, not);
		charge(machine, running, steps >>> 1);
		if (found === null) {
			machine.lua.lua_pushnil(lua);
			return 1;
		}
		const taken = found.captures.map((capture) =>
			typeof capture === 'number' ? capture : text.slice(capture[0], capture[1]),
		);
		machine.lua.luaL_checkstack(lua, taken.length + 2, 0);
		push(machine, lua, found.start + 1, found.end);
		for (const capture of taken)
			if (typeof capture === 'number') pushNumber(machine, lua, capture);
			else pushBytes(machine, lua, capture);
		return taken.length + 2;
	},
	/** Returns a replacement with its %0 to %9 filled in: argument 2 is the whole match, the captures follow. */
	expand(machine, lua, running) {
		const form = bytesAt(machine, lua, 1).slice();
		const out: number[] = [];
		const captures = machine.lua.lua_gettop(lua) - 2;
		for (let i = 0; i < form.length; i++) {
			if (form[i] !== 0x25) {
				out.push(form[i]!);
				continue;
			}
			const next = form[++i];
			if (next === 0x25) out.push(next);
			else if (next !== undefined && next >= 0x30 && next <= 0x39) {
				const digit = next - 0x30;
				if (digit > Math.max(captures, 1))
					throw new Refusal(`invalid capture index %${digit} in replacement string`);
				const at = digit === 0 || captures === 0 ? 2 : digit + 2;
				const isNumber = machine.lua.lua_isinteger(lua, at) !== 0;
				const piece = isNumber
					? [...String(numberAt(machine, lua, at))].map((item) => item.charCodeAt(0))
					: bytesAt(machine, lua, at);
				for (const byte of piece) out.push(byte);
			} else throw new Refusal("invalid use of '%' in replacement string");
			if (out.length > 0x2000) throw new Refusal('the text becomes too long');
		}
		charge(machine, running, out.length >>> 3);
		pushBytes(machine, lua, Uint8Array.from(out));
		return 1;
	},
	signal(machine, lua, running) {
		const { world, done, entity } = running;
		const name = textAt(machine, lua, 1);
		if (name.length > 100) throw new Refusal('the name of a signal may have at most 100 letters');
		if (++done.sent > MAX_SENT) throw new Refusal(`a script may send at most ${MAX_SENT} signals per tick`);
		const given = machine.lua.lua_gettop(lua) - 1;
		const data =
			given <= 1
				? givenAt(machine, lua, 2, running)
				: Array.from({ length: given }, (_, i) => givenAt(machine, lua, i + 2, running));
		emit(world, Signal, entity === null ? { name, data } : { name, data, entity });
		return 0;
	},
	event(machine, lua, { event }) {
		if (event === null) throw new Refusal('there is no event');
		pushValue(machine, lua, eventOf(event, eventType(event.kind as EventKind)));
		return 1;
	},
	update_name(machine, lua, { update }) {
		pushText(machine, lua, update);
		return 1;
	},
};

/** In the order of their numbers. */
const ALL: readonly HostFunction[] = [
	...Object.values(INNER),
	callLibrary,
	...Object.values(ENGINE_FUNCTIONS),
	CHANCE,
];
const SEES_NO_WORLD = new Set<HostFunction>([
	callLibrary,
	...Object.values(INNER).filter((hostFunction) => hostFunction !== INNER.signal),
]);
export const numbers = new Map(ALL.map((hostFunction, number) => [hostFunction, number]));

/** Calls the function with a number. Throws a Refusal that is reported to the script. */
export function callHost(machine: Machine, lua: number, number: number, running: Running): number {
	const called = ALL[number];
	if (called === undefined) throw new Refusal('there is no such function');
	if (running.loading && !SEES_NO_WORLD.has(called))
		throw new Refusal('the world cannot be used while the script is loaded; use it in on_start or later');
	charge(machine, running, A_CALL);
	try {
		return called(machine, lua, running);
	} catch (error) {
		if (error instanceof Refusal) charge(machine, running, A_REFUSAL);
		throw error;
	}
}
