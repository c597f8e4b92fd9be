/**
 * Calls of script functions by the engine.
 * Owns: the budget of every call. A failure in a script becomes an error of that script only.
 */

import { Refusal } from '../../../shared/contract/errors.ts';
import { BLOCK } from './allocator.ts';
import { FAILED, RETURNED_TRUE } from './fast-calls.ts';
import { EXHAUSTED, type ScriptCall } from './host-call.ts';
import { callHost } from './host-functions.ts';
import { endLibraryCall } from './library-call.ts';
import { COUNT_EVENT, PERIOD, STEPS_PER_INSTRUCTION } from './library-meter.ts';
import type { Machine, MachineHost } from './machine.ts';
import { pushNumber, pushText } from './values.ts';

/** Cost of an error or of a coroutine's yield, in instructions. Both leave and re-enter the library. */
const THROW_COST = 200;
const STRING_TYPE = 4;

/** The call in progress. There is only one, because scripts cannot call each other. */
let currentCall: ScriptCall | null = null;

/** Charges a script for the library's steps beyond those that `instructions` pay for. Returns all instructions spent. */
function chargeSteps(machine: Machine, block: number, instructions: number): number {
	const excess = Math.floor(machine.fastCalls.takeSteps() / STEPS_PER_INSTRUCTION) - instructions;
	const spent = machine.word(block + BLOCK.spent) + Math.max(0, excess);
	machine.setWord(block + BLOCK.spent, spent);
	return spent;
}

export const SCRIPT_HOST: MachineHost = {
	callHostFunction(machine, state, number) {
		const { lua } = machine;
		let message: string;
		try {
			return callHost(machine, state, number, currentCall!);
		} catch (error) {
			// Lua's own errors, and the overrun of a tick, are passed on.
			if (!(error instanceof Refusal)) throw error;
			message = error.message;
		}
		lua.luaL_where(state, 1);
		pushText(machine, state, message.slice(0, 1000));
		lua.lua_concat(state, 2);
		return lua.lua_error(state);
	},
	resumeCall: endLibraryCall,
	onThrow(machine) {
		if (currentCall === null) return;
		const { block } = currentCall;
		machine.setWord(block + BLOCK.spent, machine.word(block + BLOCK.spent) + THROW_COST);
	},
	onPeriod(machine, state) {
		const { lua } = machine;
		const { block, budget } = currentCall!;
		const period = lua.lua_gethookcount(state);
		const spent = chargeSteps(machine, block, period) + period;
		machine.setWord(block + BLOCK.spent, spent);
		if (spent <= budget) {
			// A coroutine that was stopped in an earlier call still has a period of 1.
			if (period !== PERIOD) lua.lua_sethook(state, machine.hook, COUNT_EVENT, PERIOD);
			return;
		}
		// From now on every instruction fails, so the script cannot handle the error and continue.
		lua.lua_sethook(state, machine.hook, COUNT_EVENT, 1);
		pushText(machine, state, EXHAUSTED);
		lua.lua_error(state);
	},
};

/** Result of a call of a script function. */
export interface CallResult {
	/** Error message; null without an error. */
	readonly message: string | null;
	/** True if the function returned true. */
	readonly returnedTrue: boolean;
	/** Number of instructions used. */
	readonly spent: number;
}

/** The machine has failed, and cannot be used again. */
export class BrokenMachine extends Error {}

/** Runs `work` with a machine. Throws a BrokenMachine if the machine fails; other errors end the tick. */
export function runInMachine<T>(machine: Machine, work: () => T): T {
	try {
		return work();
	} catch (error) {
		machine.unwind();
		throw isFailure(error) ? new BrokenMachine(describeFailure(error)) : error;
	}
}

/** Calls the function on top of a script's stack with numbers. Throws a BrokenMachine; other errors end the tick. */
export function callWithBudget(
	machine: Machine,
	state: number,
	scriptCall: ScriptCall,
	...values: number[]
): CallResult {
	const { lua } = machine;
	machine.setWord(scriptCall.block + BLOCK.spent, 0);
	machine.fastCalls.takeSteps();
	lua.lua_sethook(state, machine.hook, COUNT_EVENT, PERIOD);
	currentCall = scriptCall;
	try {
		return runInMachine(machine, () => {
			for (const value of values) pushNumber(machine, state, value);
			const failed = lua.lua_pcallk(state, values.length, 1, 0, 0, 0) !== 0;
			const message = failed ? messageAt(machine, state) : null;
			const returnedTrue = !failed && lua.lua_toboolean(state, -1) !== 0;
			lua.lua_settop(state, 0);
			return { message, returnedTrue, spent: chargeSteps(machine, scriptCall.block, PERIOD) };
		});
	} finally {
		currentCall = null;
	}
}

/** Calls the function at `entryFunction` in a script's registry with three numbers. Faster than `callWithBudget`. */
export function callUpdate(
	machine: Machine,
	state: number,
	entryFunction: number,
	scriptCall: ScriptCall,
	entryPoint: number,
	entity: number,
	seconds: number,
): CallResult {
	const { block } = scriptCall;
	currentCall = scriptCall;
	try {
		return runInMachine(machine, () => {
			const result = machine.fastCalls.update(
				state,
				entryFunction,
				block,
				machine.hook,
				entryPoint,
				entity,
				seconds,
			);
			if (result !== FAILED)
				return {
					message: null,
					returnedTrue: result === RETURNED_TRUE,
					spent: machine.word(block + BLOCK.spent),
				};
			const message = messageAt(machine, state);
			machine.lua.lua_settop(state, 0);
			return { message, returnedTrue: false, spent: chargeSteps(machine, block, PERIOD) };
		});
	} finally {
		currentCall = null;
	}
}

/** Returns true for an error that the machine itself throws when it cannot continue. */
function isFailure(error: unknown): error is Error {
	return error instanceof Error && (error.name === 'RuntimeError' || error.name === 'RangeError');
}

/** Returns a message for an error of the machine. The meter of the library ends it with "unreachable": see library-meter.ts. */
function describeFailure(error: Error): string {
	return error.message.includes('unreachable') ? 'one call of the library took too long' : String(error);
}

/** Returns the error message on top of the stack. A script may also throw a value that is not a text. */
export function messageAt(machine: Machine, state: number): string {
	const { lua } = machine;
	if (lua.lua_type(state, -1) !== STRING_TYPE) return 'an error value that is not a text';
	const start = lua.lua_tolstring(state, -1, 0);
	return new TextDecoder().decode(
		machine.bytes.subarray(start, start + Math.min(1000, Number(lua.lua_rawlen(state, -1)))),
	);
}
