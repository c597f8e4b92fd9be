/**
 * One call of an engine function by a script: its cost and its arguments.
 * Owns: the limits of a call, and reading the arguments.
 */

import { components } from '../../../shared/components/index.ts';
import { type Component, type EntityHandle, readoutKey } from '../../../shared/contract/component.ts';
import { Refusal } from '../../../shared/contract/errors.ts';
import {
	bitsOf,
	commonDenominator,
	type Fraction,
	parseFraction,
} from '../../../shared/contract/fraction.ts';
import { nearest } from '../../../shared/contract/nearest.ts';
import { FAR } from '../../../shared/contract/values.ts';
import { NOT_WEIGHABLE } from '../../../shared/contract/weight.ts';
import { type Action, actionDocument, readAction } from '../../../shared/verbs/actions/index.ts';
import { fieldPath } from '../../../shared/verbs/field-name.ts';
import type { ChanceOutcome, ChanceSource } from '../core/chance.ts';
import { handleOf, slotOf } from '../core/entities.ts';
import type { SentEvent } from '../core/events.ts';
import type { World } from '../core/world.ts';
import { ownerOfScript } from '../owners/shares.ts';
import { checkActions } from '../rules/rule.ts';
import { BLOCK } from './allocator.ts';
import type { Machine } from './machine.ts';
import { handleFrom, numberAt, PartCounter, pushNumber, textAt, valueAt } from './values.ts';

/** Source of scripts' draws; the name of the draw is part of its outcomes' labels. */
export const SCRIPT_CHANCE: ChanceSource = { key: 0xffff0004, name: 'script' };

export const MAX_SIGNALS = 1000;
export const MAX_LINES = 20;
export const MAX_LINE_LENGTH = 200;
const MAX_OUTCOMES = 64;

/** Call of a script function that is in progress. */
export interface ScriptCall {
	readonly world: World;
	readonly name: string;
	/** Address of the script's block: see allocator.ts. */
	readonly block: number;
	/** Maximum number of instructions of this call. */
	budget: number;
	/** Entity that the script runs for. */
	entity: EntityHandle | null;
	/** Name of the called update function. */
	update: string;
	/** Event that the script handles. */
	event: SentEvent | null;
	/** True while the script is loaded. It then cannot use the world. */
	readonly isLoading: boolean;
	/** Work of the script on this tick so far. */
	readonly work: WorkDone;
}

export interface WorkDone {
	spawned: number;
	/** Number of signals. */
	sent: number;
	/** Entities and events that its actions have checked, and events that they have sent. */
	readonly byActions: { searched: number; sent: number };
	readonly output: string[];
}

export type HostFunction = (machine: Machine, lua: number, call: ScriptCall) => number;

/** Charges the call in progress. Throws a Refusal above the budget; the script's next instructions then end the call. */
export function charge(machine: Machine, { block, budget }: ScriptCall, instructions: number): void {
	const spent = machine.word(block + BLOCK.spent) + Math.min(instructions, budget + 1);
	machine.setWord(block + BLOCK.spent, Math.min(spent, 0xffffffff));
	if (spent > budget) throw new Refusal(EXHAUSTED);
}

/** Basic cost of a call of an engine function, and cost of a refusal, whose text may need a search. */
export const CALL_COST = 8;
export const REFUSAL_COST = 400;
/**
 * Cost of an outcome of a draw. The draw itself costs as much as two outcomes. Each also costs half a unit for each bit of
 * the common denominator.
 */
const OUTCOME_COST = 30;
/** Maximum length of the name of a draw or an outcome. It is limited because all draws of a tick are kept. */
const MAX_NAME_LENGTH = 100;

/** Returns an argument of a script as JSON. */
export function jsonAt(machine: Machine, lua: number, index: number, call: ScriptCall): unknown {
	return valueAt(machine, lua, index, new PartCounter((instructions) => charge(machine, call, instructions)));
}

export const EXHAUSTED = 'the script has used all of its instructions';

/** Returns the slot of the entity that an argument names, or -1 if it is despawned. */
export function slotAt(machine: Machine, lua: number, index: number, { world }: ScriptCall): number {
	const value = numberAt(machine, lua, index);
	if (!Number.isInteger(value) || value < 0)
		throw new Refusal(`argument ${index} is not an entity: ${value}`);
	return slotOf(world, handleFrom(value));
}

/** Returns the entity that an argument names. Throws a Refusal if it is despawned. */
export function entityAt(machine: Machine, lua: number, index: number, call: ScriptCall): EntityHandle {
	const slot = slotAt(machine, lua, index, call);
	if (slot < 0) throw new Refusal(`entity ${numberAt(machine, lua, index)} is gone`);
	return handleOf(call.world, slot);
}

/** Pushes numbers, and returns their count. */
export function pushNumbers(machine: Machine, lua: number, ...values: number[]): number {
	for (const value of values) pushNumber(machine, lua, value);
	return values.length;
}

/** Pushes the three numbers of an entity in a column, and returns 3. */
export function pushRow(
	{ fastCalls }: Machine,
	lua: number,
	column: ArrayLike<number>,
	slot: number,
): number {
	const start = slot * 3;
	fastCalls.push3(lua, column[start]!, column[start + 1]!, column[start + 2]!);
	return 3;
}

/** Returns three arguments from `index` on, clamped to the coordinates that a world can have. */
export const pointAt = (machine: Machine, lua: number, index: number): [x: number, y: number, z: number] => [
	clamp(numberAt(machine, lua, index), FAR),
	clamp(numberAt(machine, lua, index + 1), FAR),
	clamp(numberAt(machine, lua, index + 2), FAR),
];

/** Writes the three numbers of an entity in a column. Faster than `set` of the array. */
export function writeRow(column: Float32Array, slot: number, row: readonly number[]): void {
	const start = slot * 3;
	column[start] = row[0]!;
	column[start + 1] = row[1]!;
	column[start + 2] = row[2]!;
}

export function pushBoolean(machine: Machine, lua: number, value: boolean): number {
	machine.lua.lua_pushboolean(lua, value ? 1 : 0);
	return 1;
}

export const componentsByName = new Map<string, Component>();
for (const component of components) {
	componentsByName.set(component.name, component);
	const key = readoutKey(component);
	if (key !== null && !componentsByName.has(key)) componentsByName.set(key, component);
}

export function componentAt(machine: Machine, lua: number, index: number): Component {
	const name = textAt(machine, lua, index);
	const component = componentsByName.get(name);
	if (component !== undefined) return component;
	const similar = nearest(name, componentsByName.keys());
	throw new Refusal(
		`there is no component "${name}"${similar === undefined ? '' : `; did you mean "${similar}"?`}`,
	);
}

function clamp(value: number, limit: number): number {
	return Math.min(limit, Math.max(-limit, value));
}

/** Returns an argument as the path of a number, or null if it names a component. */
export function pathAt(machine: Machine, lua: number, index: number) {
	const name = textAt(machine, lua, index);
	if (componentsByName.has(name)) return null;
	return fieldPath(name);
}

/** Parses a value with a schema. Throws a Refusal with the first issue. */
export function parseDocument<T>(
	schema: {
		safeParse(value: unknown): {
			readonly success: boolean;
			readonly data?: T;
			readonly error?: {
				readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
			};
		};
	},
	value: unknown,
): T {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data as T;
	const [issue] = parsed.error!.issues;
	const path = issue!.path.join('.');
	throw new Refusal(path === '' ? issue!.message : `${path}: ${issue!.message}`);
}

/** Returns a record for an empty list, because an empty table of Lua is read as a list. */
export const recordOf = (value: unknown): unknown =>
	Array.isArray(value) && value.length === 0 ? {} : value;

/** Returns a text or number as a name. Throws a Refusal for other values, and if it is too long. */
export function requireName(value: unknown, subject: string): string {
	if (typeof value !== 'string' && typeof value !== 'number') throw new Refusal(`${subject} must be a text`);
	const name = String(value);
	if (name.length > MAX_NAME_LENGTH)
		throw new Refusal(`${subject} may have at most ${MAX_NAME_LENGTH} letters`);
	return name;
}

/** Returns the outcomes of a draw: a table from labels to weights, or a list of label and weight pairs. */
export function outcomesAt(
	machine: Machine,
	lua: number,
	name: string,
	call: ScriptCall,
): { outcomes: ChanceOutcome[]; labels: string[] } {
	const sent = jsonAt(machine, lua, 2, call);
	const rows: [unknown, unknown][] = Array.isArray(sent)
		? sent.map((row: unknown) => {
				if (Array.isArray(row)) return [row[0], row[1]];
				const { label, weight } = Object(row) as Record<string, unknown>;
				return [label, weight];
			})
		: Object.entries(Object(sent) as object);
	if (rows.length === 0 || rows.length > MAX_OUTCOMES)
		throw new Refusal(`${name} needs from 1 to ${MAX_OUTCOMES} outcomes, such as { hit = 3, miss = 1 }`);
	const labels = rows.map(([label]) => requireName(label, 'the label of an outcome'));
	const weights = rows.map(([, weight], i): Fraction => {
		const fraction =
			typeof weight === 'number' || typeof weight === 'string' ? parseFraction(weight) : undefined;
		if (fraction == null)
			throw new Refusal(`the weight of ${labels[i]} must be a number of 0 or more, or "a/b"`);
		return fraction;
	});
	if (weights.every(({ num }) => num <= 0n))
		throw new Refusal(`${name} needs an outcome with a weight above 0`);
	const common = commonDenominator(weights);
	if (common === null) throw new Refusal(NOT_WEIGHABLE);
	charge(machine, call, (rows.length + 2) * (OUTCOME_COST + (bitsOf(common) >>> 1)));
	return {
		labels,
		outcomes: labels.map((label, i) => ({ label: `${name}: ${label}`, weight: weights[i]! })),
	};
}

export function actionAt(machine: Machine, lua: number, call: ScriptCall): Action {
	const sent = jsonAt(machine, lua, 1, call);
	const action = typeof sent === 'string' ? readAction(sent) : parseDocument(actionDocument, sent);
	checkActions([action], 'do');
	return action;
}

/** Returns the event as scripts see it. */
export function eventOf({ kind, data }: SentEvent, type: { subject?: string; source?: string }) {
	return {
		...data,
		type: kind,
		subject: type.subject === undefined ? null : (data[type.subject] ?? null),
		source: type.source === undefined ? null : (data[type.source] ?? null),
	};
}

export const ownerOf = ({ world, name, entity }: ScriptCall): number | undefined =>
	ownerOfScript(world, name, entity?.id);
