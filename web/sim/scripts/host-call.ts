/**
 * One call of a function of the engine by a script: what the call costs, and what its arguments are.
 * Owns: the limits of a call, and the reading of arguments.
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
import { handleFrom, numberAt, Parts, pushNumber, textAt, valueAt } from './values.ts';

/** Source of scripts' draws; the name of the draw is part of its outcomes' labels. */
export const SCRIPTS: ChanceSource = { key: 0xffff0004, name: 'script' };

export const MAX_SENT = 1000;
export const MAX_LINES = 20;
export const MAX_LINE = 200;
const MAX_OUTCOMES = 64;

/** A script while one of its functions runs. */
export interface Running {
	readonly world: World;
	readonly name: string;
	/** Address of its block. */
	readonly block: number;
	/** Maximum number of instructions of this call. */
	budget: number;
	/** Entity that the script runs for. */
	entity: EntityHandle | null;
	/** Name of the function that is called, where it is another than usual. */
	update: string;
	/** The event that is told. */
	event: SentEvent | null;
	/** While the script itself is run, before it belongs to a tick: there is no world to see yet. */
	readonly loading: boolean;
	/** Work that it has done on this tick. */
	readonly done: Done;
}

export interface Done {
	spawned: number;
	sent: number;
	/** Share of the limits of a tick that its actions used. */
	readonly acted: { searched: number; sent: number };
	readonly output: string[];
}

export type HostFunction = (machine: Machine, lua: number, running: Running) => number;

/** Charges the call that runs. Throws when it has spent more than it may; the script's next instructions then end it. */
export function charge(machine: Machine, { block, budget }: Running, instructions: number): void {
	const spent = machine.word(block + BLOCK.spent) + Math.min(instructions, budget + 1);
	machine.setWord(block + BLOCK.spent, Math.min(spent, 0xffffffff));
	if (spent > budget) throw new Refusal(EXHAUSTED);
}

/** Cost of every call of a function beside its work, and cost of a refusal: its words are searched for. */
export const A_CALL = 8;
export const A_REFUSAL = 400;
/**
 * Cost of an outcome of a draw; the draw itself costs as much as two, and half of the bits of the common denominator.
 */
const AN_OUTCOME = 30;
/** Longest name of a draw and of an outcome: all draws of a tick are kept. */
const MAX_NAME = 100;

/** Returns a value that a script hands over, as JSON. */
export function givenAt(machine: Machine, lua: number, index: number, running: Running): unknown {
	return valueAt(machine, lua, index, new Parts((instructions) => charge(machine, running, instructions)));
}

export const EXHAUSTED = 'the script has used all of its instructions';

/** Returns the slot of the entity that an argument names, or -1 when it is gone. */
export function slotAt(machine: Machine, lua: number, index: number, { world }: Running): number {
	const value = numberAt(machine, lua, index);
	if (!Number.isInteger(value) || value < 0)
		throw new Refusal(`argument ${index} is not an entity: ${value}`);
	return slotOf(world, handleFrom(value));
}

/** Returns the entity that an argument names. Throws when it is gone. */
export function entityAt(machine: Machine, lua: number, index: number, running: Running): EntityHandle {
	const slot = slotAt(machine, lua, index, running);
	if (slot < 0) throw new Refusal(`entity ${numberAt(machine, lua, index)} is gone`);
	return handleOf(running.world, slot);
}

export function push(machine: Machine, lua: number, ...values: number[]): number {
	for (const value of values) pushNumber(machine, lua, value);
	return values.length;
}

/** Pushes the three numbers of an entity in a column of such. */
export function pushRow({ beside }: Machine, lua: number, column: ArrayLike<number>, slot: number): number {
	const at = slot * 3;
	beside.push3(lua, column[at]!, column[at + 1]!, column[at + 2]!);
	return 3;
}

/** Three arguments from `index` on, as numbers that the world can hold. */
export const pointAt = (machine: Machine, lua: number, index: number): [x: number, y: number, z: number] => [
	within(numberAt(machine, lua, index), FAR),
	within(numberAt(machine, lua, index + 1), FAR),
	within(numberAt(machine, lua, index + 2), FAR),
];

/** Writes the three numbers of an entity in a column of such: `set` of the array takes longer than that. */
export function writeRow(column: Float32Array, slot: number, row: readonly number[]): void {
	const at = slot * 3;
	column[at] = row[0]!;
	column[at + 1] = row[1]!;
	column[at + 2] = row[2]!;
}

export function pushBoolean(machine: Machine, lua: number, yes: boolean): number {
	machine.lua.lua_pushboolean(lua, yes ? 1 : 0);
	return 1;
}

export const byName = new Map<string, Component>();
for (const component of components) {
	byName.set(component.name, component);
	const key = readoutKey(component);
	if (key !== null && !byName.has(key)) byName.set(key, component);
}

export function componentAt(machine: Machine, lua: number, index: number): Component {
	const name = textAt(machine, lua, index);
	const found = byName.get(name);
	if (found !== undefined) return found;
	const near = nearest(name, byName.keys());
	throw new Refusal(
		`there is no component "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`,
	);
}

function within(value: number, most: number): number {
	return Math.min(most, Math.max(-most, value));
}

/** Returns the text as a path of a number, or null if it names a component. */
export function pathAt(machine: Machine, lua: number, index: number) {
	const name = textAt(machine, lua, index);
	if (byName.has(name)) return null;
	return fieldPath(name);
}

export function parse<T>(
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

/** An empty table of Lua is an empty list: a document is a record. */
export const recordOf = (value: unknown): unknown =>
	Array.isArray(value) && value.length === 0 ? {} : value;

/** Returns a text, or a number as one, within an event of a tick. */
export function requireName(value: unknown, what: string): string {
	if (typeof value !== 'string' && typeof value !== 'number') throw new Refusal(`${what} must be a text`);
	const name = String(value);
	if (name.length > MAX_NAME) throw new Refusal(`${what} may have at most ${MAX_NAME} letters`);
	return name;
}

export function outcomesAt(
	machine: Machine,
	lua: number,
	name: string,
	running: Running,
): { outcomes: ChanceOutcome[]; labels: string[] } {
	const sent = givenAt(machine, lua, 2, running);
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
		const found =
			typeof weight === 'number' || typeof weight === 'string' ? parseFraction(weight) : undefined;
		if (found == null)
			throw new Refusal(`the weight of ${labels[i]} must be a number of 0 or more, or "a/b"`);
		return found;
	});
	if (weights.every(({ num }) => num <= 0n))
		throw new Refusal(`${name} needs an outcome with a weight above 0`);
	const common = commonDenominator(weights);
	if (common === null) throw new Refusal(NOT_WEIGHABLE);
	charge(machine, running, (rows.length + 2) * (AN_OUTCOME + (bitsOf(common) >>> 1)));
	return {
		labels,
		outcomes: labels.map((label, i) => ({ label: `${name}: ${label}`, weight: weights[i]! })),
	};
}

export function actionAt(machine: Machine, lua: number, running: Running): Action {
	const sent = givenAt(machine, lua, 1, running);
	const action = typeof sent === 'string' ? readAction(sent) : parse(actionDocument, sent);
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

export const ownerOf = ({ world, name, entity }: Running): number | undefined =>
	ownerOfScript(world, name, entity?.id);
