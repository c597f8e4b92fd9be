/**
 * Calling into scripts.
 * Owns: the budget of every call, and that whatever goes wrong in a script stays an error of that script.
 */

import { Refusal } from '../../../shared/contract/errors.ts';
import { BLOCK } from './allocator.ts';
import { FAILED, SAID_YES } from './beside.ts';
import { EXHAUSTED, type Running } from './host-call.ts';
import { callHost } from './host-functions.ts';
import { endLibraryCall } from './library-call.ts';
import { COUNTED, PERIOD, STEPS_PER_INSTRUCTION } from './library-meter.ts';
import type { Machine, Surroundings } from './machine.ts';
import { pushNumber, pushText } from './values.ts';

/** Cost of an error, or of a coroutine's yield: it leaves the library and comes back into it. */
const THROWN = 200;
const TEXT = 4;

/** The call that is being made: one at a time, since scripts cannot call each other. */
let running: Running | null = null;

/** Charges the script for steps of the library beyond those that `instructions` pay for. Returns what it has spent. */
function chargeSteps(machine: Machine, block: number, instructions: number): number {
	const beyond = Math.floor(machine.beside.steps() / STEPS_PER_INSTRUCTION) - instructions;
	const spent = machine.word(block + BLOCK.spent) + Math.max(0, beyond);
	machine.setWord(block + BLOCK.spent, spent);
	return spent;
}

export const SURROUNDINGS: Surroundings = {
	host(machine, at, number) {
		const { lua } = machine;
		let message: string;
		try {
			return callHost(machine, at, number, running!);
		} catch (error) {
			// Errors of Lua on their way, and a tick that does too much, continue.
			if (!(error instanceof Refusal)) throw error;
			message = error.message;
		}
		lua.luaL_where(at, 1);
		pushText(machine, at, message.slice(0, 1000));
		lua.lua_concat(at, 2);
		return lua.lua_error(at);
	},
	resumed: endLibraryCall,
	thrown(machine) {
		if (running === null) return;
		const { block } = running;
		machine.setWord(block + BLOCK.spent, machine.word(block + BLOCK.spent) + THROWN);
	},
	counted(machine, at) {
		const { lua } = machine;
		const { block, budget } = running!;
		const every = lua.lua_gethookcount(at);
		const spent = chargeSteps(machine, block, every) + every;
		machine.setWord(block + BLOCK.spent, spent);
		if (spent <= budget) {
			// A coroutine that was once stopped, and continues in another call.
			if (every !== PERIOD) lua.lua_sethook(at, machine.hook, COUNTED, PERIOD);
			return;
		}
		// From now on every instruction of it fails, so that nothing it does about the error helps.
		lua.lua_sethook(at, machine.hook, COUNTED, 1);
		pushText(machine, at, EXHAUSTED);
		lua.lua_error(at);
	},
};

export interface Called {
	/** Error message; null without an error. */
	readonly message: string | null;
	/** True if the function returned true. */
	readonly returnedTrue: boolean;
	/** Number of instructions used. */
	readonly spent: number;
}

/** The machine has failed, and cannot be used again. */
export class BrokenMachine extends Error {}

/** Does something with a machine. Throws a BrokenMachine where the machine fails, and what ends the tick. */
export function within<T>(machine: Machine, work: () => T): T {
	try {
		return work();
	} catch (error) {
		machine.unwind();
		throw isFailure(error) ? new BrokenMachine(explained(error)) : error;
	}
}

/** Calls the function on top of a script's stack with these numbers. Throws a BrokenMachine, and what ends the tick. */
export function call(machine: Machine, at: number, as: Running, ...values: number[]): Called {
	const { lua } = machine;
	machine.setWord(as.block + BLOCK.spent, 0);
	machine.beside.steps();
	lua.lua_sethook(at, machine.hook, COUNTED, PERIOD);
	running = as;
	try {
		return within(machine, () => {
			for (const value of values) pushNumber(machine, at, value);
			const failed = lua.lua_pcallk(at, values.length, 1, 0, 0, 0) !== 0;
			const message = failed ? messageAt(machine, at) : null;
			const returnedTrue = !failed && lua.lua_toboolean(at, -1) !== 0;
			lua.lua_settop(at, 0);
			return { message, returnedTrue, spent: chargeSteps(machine, as.block, PERIOD) };
		});
	} finally {
		running = null;
	}
}

/** Calls the function that a script's state keeps at `run`, as `call` does, with three numbers. Costs less. */
export function callTurn(
	machine: Machine,
	at: number,
	run: number,
	as: Running,
	what: number,
	entity: number,
	seconds: number,
): Called {
	const { block } = as;
	running = as;
	try {
		return within(machine, () => {
			const result = machine.beside.turn(at, run, block, machine.hook, what, entity, seconds);
			if (result !== FAILED)
				return { message: null, returnedTrue: result === SAID_YES, spent: machine.word(block + BLOCK.spent) };
			const message = messageAt(machine, at);
			machine.lua.lua_settop(at, 0);
			return { message, returnedTrue: false, spent: chargeSteps(machine, block, PERIOD) };
		});
	} finally {
		running = null;
	}
}

/** Returns true for an error that the machine itself throws when it cannot continue. */
function isFailure(error: unknown): error is Error {
	return error instanceof Error && (error.name === 'RuntimeError' || error.name === 'RangeError');
}

/** The count of steps that has reached its end is a place that cannot be reached: see meter.ts. */
function explained(error: Error): string {
	return error.message.includes('unreachable') ? 'one call of the library took too long' : String(error);
}

/** Returns the message on top of the stack, which is a text or whatever a script has thrown. */
export function messageAt(machine: Machine, at: number): string {
	const { lua } = machine;
	if (lua.lua_type(at, -1) !== TEXT) return 'an error value that is not a text';
	const start = lua.lua_tolstring(at, -1, 0);
	return new TextDecoder().decode(
		machine.bytes.subarray(start, start + Math.min(1000, Number(lua.lua_rawlen(at, -1)))),
	);
}
