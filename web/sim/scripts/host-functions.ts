/**
 * All engine functions that scripts can call, by number.
 * Owns: the numbers, and the functions that only the prelude calls.
 */

import { Refusal } from '../../../shared/contract/errors.ts';
import { type EventKind, eventType } from '../../../shared/documents/event.ts';
import { Signal } from '../../../shared/events/signal.ts';
import { emit } from '../core/events.ts';
import { CHANCE, ENGINE_FUNCTIONS } from './engine-functions.ts';
import {
	CALL_COST,
	charge,
	eventOf,
	type HostFunction,
	jsonAt,
	MAX_LINE_LENGTH,
	MAX_LINES,
	MAX_SIGNALS,
	pushNumbers,
	REFUSAL_COST,
	type ScriptCall,
} from './host-call.ts';
import { callLibrary, wrapAsLibrary } from './library-call.ts';
import type { Machine } from './machine.ts';
import { Matcher } from './pattern.ts';
import {
	bytesAt,
	isPresent,
	numberAt,
	pushBytes,
	pushNumber,
	pushText,
	pushValue,
	textAt,
} from './values.ts';

/** Functions that only the prelude calls. Only `signal` uses the world. */
export const PRELUDE_FUNCTIONS: Readonly<Record<string, HostFunction>> = {
	/** Wraps a function of the prelude for scripts: see library-call.ts. */
	library(machine, lua) {
		wrapAsLibrary(machine, lua, functionNumbers.get(callLibrary)!);
		return 1;
	},
	charge(machine, lua, call) {
		charge(machine, call, Math.max(0, numberAt(machine, lua, 1)));
		return 0;
	},
	print(machine, lua, { work }) {
		if (work.output.length < MAX_LINES) work.output.push(textAt(machine, lua, 1).slice(0, MAX_LINE_LENGTH));
		return 0;
	},
	check_format(machine, lua, call) {
		const format = bytesAt(machine, lua, 1);
		charge(machine, call, format.length);
		for (let i = 0; i < format.length; i++) {
			if (format[i] !== 0x25) continue;
			i++;
			while (i < format.length && !(format[i]! >= 0x41) && format[i] !== 0x25) i++;
			if (format[i] === 0x70)
				throw new Refusal("there are no addresses here: invalid conversion '%p' to 'format'");
		}
		return 0;
	},
	find_plain(machine, lua, call) {
		const [text, needle] = [bytesAt(machine, lua, 1), bytesAt(machine, lua, 2)];
		for (let start = numberAt(machine, lua, 3) - 1; start + needle.length <= text.length; start++) {
			charge(machine, call, 1);
			let matchLength = 0;
			while (matchLength < needle.length && text[start + matchLength] === needle[matchLength]) matchLength++;
			charge(machine, call, matchLength >>> 3);
			if (matchLength === needle.length) return pushNumbers(machine, lua, start + 1, start + needle.length);
		}
		machine.lua.lua_pushnil(lua);
		return 1;
	},
	find_match(machine, lua, call) {
		const [text, pattern] = [bytesAt(machine, lua, 1), bytesAt(machine, lua, 2)];
		const isLiteral = machine.lua.lua_toboolean(lua, 4) !== 0;
		const excludedEnd = isPresent(machine, lua, 5) ? numberAt(machine, lua, 5) : -1;
		let unpaidSteps = 0;
		const matcher = new Matcher(text, pattern, (steps) => {
			unpaidSteps += steps;
			if (unpaidSteps < 64) return;
			charge(machine, call, unpaidSteps >>> 1);
			unpaidSteps = 0;
		});
		const match = matcher.find(numberAt(machine, lua, 3) - 1, isLiteral, excludedEnd);
		charge(machine, call, unpaidSteps >>> 1);
		if (match === null) {
			machine.lua.lua_pushnil(lua);
			return 1;
		}
		const captures = match.captures.map((capture) =>
			typeof capture === 'number' ? capture : text.slice(capture[0], capture[1]),
		);
		machine.lua.luaL_checkstack(lua, captures.length + 2, 0);
		pushNumbers(machine, lua, match.start + 1, match.end);
		for (const capture of captures)
			if (typeof capture === 'number') pushNumber(machine, lua, capture);
			else pushBytes(machine, lua, capture);
		return captures.length + 2;
	},
	/** Replaces %0 to %9 in a replacement text. Argument 2 is the whole match; the captures follow. */
	expand(machine, lua, call) {
		const template = bytesAt(machine, lua, 1).slice();
		const out: number[] = [];
		const captures = machine.lua.lua_gettop(lua) - 2;
		for (let i = 0; i < template.length; i++) {
			if (template[i] !== 0x25) {
				out.push(template[i]!);
				continue;
			}
			const next = template[++i];
			if (next === 0x25) out.push(next);
			else if (next !== undefined && next >= 0x30 && next <= 0x39) {
				const digit = next - 0x30;
				if (digit > Math.max(captures, 1))
					throw new Refusal(`invalid capture index %${digit} in replacement string`);
				const argument = digit === 0 || captures === 0 ? 2 : digit + 2;
				const isNumber = machine.lua.lua_isinteger(lua, argument) !== 0;
				const piece = isNumber
					? [...String(numberAt(machine, lua, argument))].map((item) => item.charCodeAt(0))
					: bytesAt(machine, lua, argument);
				for (const byte of piece) out.push(byte);
			} else throw new Refusal("invalid use of '%' in replacement string");
			if (out.length > 0x2000) throw new Refusal('the text becomes too long');
		}
		charge(machine, call, out.length >>> 3);
		pushBytes(machine, lua, Uint8Array.from(out));
		return 1;
	},
	signal(machine, lua, call) {
		const { world, work, entity } = call;
		const name = textAt(machine, lua, 1);
		if (name.length > 100) throw new Refusal('the name of a signal may have at most 100 letters');
		if (++work.sent > MAX_SIGNALS)
			throw new Refusal(`a script may send at most ${MAX_SIGNALS} signals per tick`);
		const valueCount = machine.lua.lua_gettop(lua) - 1;
		const data =
			valueCount <= 1
				? jsonAt(machine, lua, 2, call)
				: Array.from({ length: valueCount }, (_, i) => jsonAt(machine, lua, i + 2, call));
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

/** All functions in the order of their numbers. */
const HOST_FUNCTIONS: readonly HostFunction[] = [
	...Object.values(PRELUDE_FUNCTIONS),
	callLibrary,
	...Object.values(ENGINE_FUNCTIONS),
	CHANCE,
];
const WITHOUT_WORLD = new Set<HostFunction>([
	callLibrary,
	...Object.values(PRELUDE_FUNCTIONS).filter((hostFunction) => hostFunction !== PRELUDE_FUNCTIONS.signal),
]);
export const functionNumbers = new Map(HOST_FUNCTIONS.map((hostFunction, number) => [hostFunction, number]));

/** Calls the function with a number. Throws a Refusal, which is reported to the script. */
export function callHost(machine: Machine, lua: number, number: number, call: ScriptCall): number {
	const hostFunction = HOST_FUNCTIONS[number];
	if (hostFunction === undefined) throw new Refusal('there is no such function');
	if (call.isLoading && !WITHOUT_WORLD.has(hostFunction))
		throw new Refusal('the world cannot be used while the script is loaded; use it in on_start or later');
	charge(machine, call, CALL_COST);
	try {
		return hostFunction(machine, lua, call);
	} catch (error) {
		if (error instanceof Refusal) charge(machine, call, REFUSAL_COST);
		throw error;
	}
}
