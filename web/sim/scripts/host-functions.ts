/**
 * Functions of the engine that scripts can call.
 * Owns: every function of the tables `engine` and `euca`, and those that the prelude needs beside them.
 */

import { Health } from '../../../shared/components/health.ts';
import { components } from '../../../shared/components/index.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Mana } from '../../../shared/components/mana.ts';
import { Owner } from '../../../shared/components/owner.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import { type Component, type EntityHandle, readoutKey } from '../../../shared/contract/component.ts';
import { ApiError, Refusal } from '../../../shared/contract/errors.ts';
import {
	bitsOf,
	commonDenominator,
	type Fraction,
	parseFraction,
} from '../../../shared/contract/fraction.ts';
import { nearest } from '../../../shared/contract/nearest.ts';
import { FAR } from '../../../shared/contract/values.ts';
import { NOT_WEIGHABLE } from '../../../shared/contract/weight.ts';
import { type EventKind, eventType } from '../../../shared/documents/event.ts';
import type { HostFunctionName } from '../../../shared/documents/script-functions.ts';
import { type SpawnDocument, spawnDocument } from '../../../shared/documents/spawn.ts';
import { Signal } from '../../../shared/events/signal.ts';
import { type Action, actionDocument, readAction } from '../../../shared/verbs/actions/index.ts';
import { fieldPath } from '../../../shared/verbs/field-name.ts';
import { face } from '../ai/walk.ts';
import { decide, NO_ENTITY, type Outcome, type Source } from '../core/chance.ts';
import { TICKS_PER_SECOND } from '../core/clock.ts';
import { handleOf, isAlive, slotOf } from '../core/entities.ts';
import { emit, type SentEvent } from '../core/events.ts';
import { nothingSpent, spend } from '../core/tick-budget.ts';
import { add, despawn, get, has, inTick, read, remove, spawn, type World, write } from '../core/world.ts';
import { hasNumber, readField, writeField } from '../fields/field-path.ts';
import { ownerOfScript, spawnWithinShare } from '../owners/shares.ts';
import { runActions } from '../rules/actions/index.ts';
import { afterHealth, whyFixed } from '../rules/actions/settable-field.ts';
import { eachMatch, parseFilter } from '../rules/conditions/filter.ts';
import { checkActions } from '../rules/rule.ts';
import { globalPosition } from '../space/global-position.ts';
import { changeEntity } from '../spawn/change-entity.ts';
import { ensureMovable, trySpawn } from '../spawn/spawn-entity.ts';
import { forgetBonus } from '../stats/resolve-stats.ts';
import {
	ACTION_COST,
	MAX_ACTION_EVENTS,
	MAX_ACTION_LOOKS,
	MAX_SCRIPT_SPAWNS,
	requireAllowance,
} from './action-allowance.ts';
import { BLOCK } from './allocator.ts';
import { callLibrary, wrapAsLibrary } from './library-call.ts';
import type { Machine } from './machine.ts';
import { Matcher } from './pattern.ts';
import {
	bytesAt,
	handleFrom,
	isThere,
	numberAt,
	numberOf,
	Parts,
	pushBytes,
	pushNumber,
	pushText,
	pushValue,
	textAt,
	valueAt,
} from './values.ts';

/** Source of scripts' draws; the name of the draw is part of its outcomes' labels. */
export const SCRIPTS: Source = { key: 0xffff0004, name: 'script' };

/** After so many instructions it is looked whether there are any left. */
export const PERIOD = 128;
const MAX_SENT = 1000;
const MAX_LINES = 20;
const MAX_LINE = 200;
const MAX_OUTCOMES = 64;

/** A script while one of its functions runs. */
export interface Running {
	readonly world: World;
	readonly name: string;
	/** Address of its block. */
	readonly block: number;
	/** Most instructions of this call. */
	readonly budget: number;
	/** Entity that the script runs for. */
	readonly entity: EntityHandle | null;
	/** Name of the function that is called, where it is another than usual. */
	readonly update: string;
	/** The event that is told. */
	readonly event: SentEvent | null;
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
const A_CALL = 8;
const A_REFUSAL = 400;
/**
 * Cost of an outcome of a draw; the draw itself costs as much as two, and half of the bits of the common denominator.
 */
const AN_OUTCOME = 30;
/** Longest name of a draw and of an outcome: all draws of a tick are kept. */
const MAX_NAME = 100;

/** A value that a script hands over, as JSON. */
function givenAt(machine: Machine, lua: number, index: number, running: Running): unknown {
	return valueAt(machine, lua, index, new Parts((instructions) => charge(machine, running, instructions)));
}

export const EXHAUSTED = 'the script has used all of its instructions';

/** The slot of the entity that an argument names, or -1 when it is gone. */
function slotAt(machine: Machine, lua: number, index: number, { world }: Running): number {
	const value = numberAt(machine, lua, index);
	if (!Number.isInteger(value) || value < 0)
		throw new Refusal(`argument ${index} is not an entity: ${value}`);
	return slotOf(world, handleFrom(value));
}

/** The entity that an argument names. Throws when it is gone. */
function entityAt(machine: Machine, lua: number, index: number, running: Running): EntityHandle {
	const slot = slotAt(machine, lua, index, running);
	if (slot < 0) throw new Refusal(`entity ${numberAt(machine, lua, index)} is gone`);
	return handleOf(running.world, slot);
}

function push(machine: Machine, lua: number, ...values: number[]): number {
	for (const value of values) pushNumber(machine, lua, value);
	return values.length;
}

/** Three arguments from `index` on, as numbers that the world can hold. */
const pointAt = (machine: Machine, lua: number, index: number): [x: number, y: number, z: number] => [
	within(numberAt(machine, lua, index), FAR),
	within(numberAt(machine, lua, index + 1), FAR),
	within(numberAt(machine, lua, index + 2), FAR),
];

/** The three numbers of an entity in a column of such. */
const rowOf = (column: ArrayLike<number>, slot: number): [x: number, y: number, z: number] => [
	column[slot * 3]!,
	column[slot * 3 + 1]!,
	column[slot * 3 + 2]!,
];

function say(machine: Machine, lua: number, yes: boolean): number {
	machine.lua.lua_pushboolean(lua, yes ? 1 : 0);
	return 1;
}

const byName = new Map<string, Component>();
for (const component of components) {
	byName.set(component.name, component);
	const key = readoutKey(component);
	if (key !== null && !byName.has(key)) byName.set(key, component);
}

function componentAt(machine: Machine, lua: number, index: number): Component {
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

/** The text as a path of a number, or null when it names a component. */
function pathAt(machine: Machine, lua: number, index: number) {
	const name = textAt(machine, lua, index);
	if (byName.has(name)) return null;
	return fieldPath(name);
}

function parse<T>(
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
const recordOf = (value: unknown): unknown => (Array.isArray(value) && value.length === 0 ? {} : value);

/** A text, or a number as one, that stands in what is told of a tick. */
function requireName(value: unknown, what: string): string {
	if (typeof value !== 'string' && typeof value !== 'number') throw new Refusal(`${what} must be a text`);
	const name = String(value);
	if (name.length > MAX_NAME) throw new Refusal(`${what} may have at most ${MAX_NAME} letters`);
	return name;
}

function outcomesAt(
	machine: Machine,
	lua: number,
	name: string,
	running: Running,
): { outcomes: Outcome[]; labels: string[] } {
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

function actionAt(machine: Machine, lua: number, running: Running): Action {
	const sent = givenAt(machine, lua, 1, running);
	const action = typeof sent === 'string' ? readAction(sent) : parse(actionDocument, sent);
	checkActions([action], 'do');
	return action;
}

/** Returns the event as scripts see it. */
function eventOf({ kind, data }: SentEvent, type: { subject?: string; source?: string }) {
	return {
		...data,
		type: kind,
		subject: type.subject === undefined ? null : (data[type.subject] ?? null),
		source: type.source === undefined ? null : (data[type.source] ?? null),
	};
}

const ownerOf = ({ world, name, entity }: Running): number | undefined =>
	ownerOfScript(world, name, entity?.id);

/** The functions of `engine`. They see the world. */
export const API: Readonly<Record<Exclude<HostFunctionName, 'chance'>, HostFunction>> = {
	spawn(machine, lua, running) {
		const { world, done } = running;
		const owner = ownerOf(running);
		if (++done.spawned > MAX_SCRIPT_SPAWNS)
			throw new Refusal(`a script may spawn at most ${MAX_SCRIPT_SPAWNS} entities on one tick`);
		charge(machine, running, 200);
		if (!isThere(machine, lua, 1)) {
			const bare = spawnWithinShare(world, owner, () => spawn(world));
			if (owner !== undefined) add(world, bare.id, Owner, { agent: owner });
			return push(machine, lua, numberOf(bare));
		}
		const document = parse(spawnDocument, recordOf(givenAt(machine, lua, 1, running))) as SpawnDocument;
		spend(world, 'actions');
		const made = trySpawn(world, document, owner);
		if (made instanceof ApiError) throw made;
		return push(machine, lua, numberOf(made.handle));
	},
	despawn(machine, lua, running) {
		const slot = slotAt(machine, lua, 1, running);
		if (slot >= 0) despawn(running.world, slot);
		return say(machine, lua, slot >= 0);
	},
	exists(machine, lua, running) {
		return say(machine, lua, slotAt(machine, lua, 1, running) >= 0);
	},
	get_position(machine, lua, running) {
		const { world } = running;
		const slot = slotAt(machine, lua, 1, running);
		if (slot < 0 || !has(world, slot, LocalTransform)) return push(machine, lua, 0, 0, 0);
		return push(machine, lua, ...rowOf(read(world, LocalTransform, 'position'), slot));
	},
	world_position(machine, lua, running) {
		const slot = slotAt(machine, lua, 1, running);
		return push(machine, lua, ...(slot < 0 ? [0, 0, 0] : globalPosition(running.world, slot)));
	},
	set_position(machine, lua, running) {
		const { world } = running;
		const slot = slotAt(machine, lua, 1, running);
		const [x, y, z] = pointAt(machine, lua, 2);
		if (slot < 0) return 0;
		if (!has(world, slot, LocalTransform)) add(world, slot, LocalTransform, { position: [x, y, z] });
		else write(world, LocalTransform, 'position').set([x, y, z], slot * 3);
		return 0;
	},
	get_velocity(machine, lua, running) {
		const { world } = running;
		const slot = slotAt(machine, lua, 1, running);
		if (slot < 0 || !has(world, slot, Velocity)) return push(machine, lua, 0, 0, 0);
		return push(machine, lua, ...rowOf(read(world, Velocity, 'linear'), slot));
	},
	set_velocity(machine, lua, running) {
		const { world } = running;
		const slot = slotAt(machine, lua, 1, running);
		const [x, y, z] = pointAt(machine, lua, 2);
		if (slot < 0) return 0;
		ensureMovable(world, slot);
		write(world, Velocity, 'linear').set([x, y, z], slot * 3);
		return 0;
	},
	face(machine, lua, running) {
		const { world } = running;
		const slot = slotAt(machine, lua, 1, running);
		const [x, z] = [numberAt(machine, lua, 2), numberAt(machine, lua, 3)];
		if (slot >= 0 && has(world, slot, LocalTransform)) face(world, slot, [x, 0, z]);
		return 0;
	},
	distance(machine, lua, running) {
		const [a, b] = [1, 2].map((index) => {
			const slot = slotAt(machine, lua, index, running);
			return slot < 0 ? null : globalPosition(running.world, slot);
		});
		if (a == null || b == null) {
			machine.lua.lua_pushnil(lua);
			return 1;
		}
		const [x, y, z] = [a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!];
		return push(machine, lua, Math.sqrt(x * x + y * y + z * z));
	},
	get_health(machine, lua, running) {
		const slot = slotAt(machine, lua, 1, running);
		const health = slot < 0 ? undefined : get(running.world, slot, Health);
		return push(machine, lua, health?.current ?? 0, health?.max ?? 0);
	},
	set_health(machine, lua, running) {
		const { world } = running;
		const slot = slotAt(machine, lua, 1, running);
		const value = numberAt(machine, lua, 2);
		const health = slot < 0 ? undefined : get(world, slot, Health);
		if (health === undefined) return 0;
		write(world, Health, 'current')[slot] = Math.min(Math.max(0, value), health.max);
		afterHealth(world, slot, fieldPath('health.current'));
		return 0;
	},
	has(machine, lua, running) {
		const slot = slotAt(machine, lua, 1, running);
		return say(machine, lua, slot >= 0 && has(running.world, slot, componentAt(machine, lua, 2)));
	},
	get(machine, lua, running) {
		const { world } = running;
		const slot = slotAt(machine, lua, 1, running);
		const path = pathAt(machine, lua, 2);
		const value =
			slot < 0
				? undefined
				: path === null
					? get(world, slot, componentAt(machine, lua, 2))
					: readField(world, slot, path);
		pushValue(machine, lua, value);
		return 1;
	},
	set(machine, lua, running) {
		const { world } = running;
		const slot = slotAt(machine, lua, 1, running);
		const path = fieldPath(textAt(machine, lua, 2));
		const value = numberAt(machine, lua, 3);
		const reason = whyFixed(path);
		if (reason !== undefined) throw new Refusal(`${textAt(machine, lua, 2)} ${reason}`);
		if (slot < 0 || !hasNumber(world, slot, path)) return say(machine, lua, false);
		writeField(world, slot, path, value);
		afterHealth(world, slot, path);
		if (path.field === 'max' && path.component === Health) forgetBonus(world, slot, 'health');
		if (path.field === 'max' && path.component === Mana) forgetBonus(world, slot, 'mana');
		return say(machine, lua, true);
	},
	change(machine, lua, running) {
		const entity = entityAt(machine, lua, 1, running);
		charge(machine, running, 200);
		const { remove: taken, ...said } = Object(recordOf(givenAt(machine, lua, 2, running))) as Record<
			string,
			unknown
		>;
		if (taken !== undefined) throw new Refusal('to remove components, call engine.remove');
		changeEntity(running.world, entity, parse(spawnDocument, said) as SpawnDocument);
		return 0;
	},
	remove(machine, lua, running) {
		const entity = entityAt(machine, lua, 1, running);
		const component = componentAt(machine, lua, 2);
		if (component.removable === false) throw new Refusal(`${component.name} cannot be removed`);
		return say(machine, lua, remove(running.world, entity.id, component));
	},
	query(machine, lua, running) {
		const { world } = running;
		const asked = Object(
			recordOf(isThere(machine, lua, 1) ? givenAt(machine, lua, 1, running) : {}),
		) as Record<string, unknown>;
		const unknown = Object.keys(asked).find(
			(key) => !['filter', 'with', 'near', 'radius', 'limit'].includes(key),
		);
		if (unknown !== undefined) throw new Refusal(`a query has no field "${unknown}"`);
		const { filter = 'any', near = null, radius = null, limit = 1000 } = asked;
		if (typeof filter !== 'string') throw new Refusal('the filter of a query must be a text');
		const having = (Array.isArray(asked.with) ? asked.with : []).map((name: unknown) => {
			const found = byName.get(requireName(name, 'the name of a component'));
			if (found === undefined) throw new Refusal(`there is no component "${name as string}"`);
			return found;
		});
		charge(machine, running, 50 + (world.entities.count >>> 2));
		spend(world, 'searched', world.entities.count);
		const centre = centreOf(world, near);
		const found: { readonly slot: number; readonly far: number }[] = [];
		eachMatch(world, parseFilter(filter), having, (slot) => {
			if (centre === null) return void found.push({ slot, far: 0 });
			if (!has(world, slot, LocalTransform)) return;
			const at = globalPosition(world, slot);
			const [x, y, z] = [at[0] - centre[0], at[1] - centre[1], at[2] - centre[2]];
			const far = x * x + y * y + z * z;
			if (typeof radius !== 'number' || far <= radius * radius) found.push({ slot, far });
		});
		if (centre !== null) found.sort((a, b) => a.far - b.far || a.slot - b.slot);
		const most = typeof limit === 'number' ? Math.max(0, Math.min(4000, limit)) : 1000;
		pushValue(
			machine,
			lua,
			found.slice(0, most).map(({ slot }) => numberOf(handleOf(world, slot))),
		);
		return 1;
	},
	id(machine, lua) {
		return push(machine, lua, handleFrom(numberAt(machine, lua, 1)).id);
	},
	entity(machine, lua, { world }) {
		const id = numberAt(machine, lua, 1);
		if (!Number.isInteger(id) || id < 0 || !isAlive(world, id)) machine.lua.lua_pushnil(lua);
		else pushNumber(machine, lua, numberOf(handleOf(world, id)));
		return 1;
	},
	tick(machine, lua, { world }) {
		return push(machine, lua, world.tick);
	},
	time(machine, lua, { world }) {
		return push(machine, lua, world.tick / TICKS_PER_SECOND);
	},
	delta_time(machine, lua) {
		return push(machine, lua, 1 / TICKS_PER_SECOND);
	},
	/** Does an action: `engine.act(action, subject, source)`. */
	act(machine, lua, running) {
		const { world, done, block, budget } = running;
		charge(machine, running, 200);
		const action = actionAt(machine, lua, running);
		const [subject = null, source = null] = [2, 3].map((index) =>
			isThere(machine, lua, index) ? entityAt(machine, lua, index, running) : running.entity,
		);
		const spent = world.chance?.spent ?? nothingSpent();
		const before = { ...spent };
		done.spawned += requireAllowance(
			world,
			action,
			{ subject, source },
			{
				instructions: budget - machine.word(block + BLOCK.spent),
				spawned: MAX_SCRIPT_SPAWNS - done.spawned,
				searched: MAX_ACTION_LOOKS - done.acted.searched,
				sent: MAX_ACTION_EVENTS - done.acted.sent,
			},
		);
		runActions(world, { by: 'script', actions: [action], owner: ownerOf(running) }, { subject, source });
		done.acted.searched += spent.searched - before.searched;
		done.acted.sent += spent.sent - before.sent;
		charge(machine, running, (spent.actions - before.actions) * ACTION_COST);
		return 0;
	},
};

function centreOf(world: World, near: unknown): readonly [number, number, number] | null {
	if (near === null) return null;
	if (typeof near === 'number') {
		const slot = slotOf(world, handleFrom(near));
		if (slot < 0) throw new Refusal('the entity in "near" of the query no longer exists');
		return globalPosition(world, slot);
	}
	if (Array.isArray(near) && near.length === 3 && near.every((part) => typeof part === 'number'))
		return near as unknown as readonly [number, number, number];
	throw new Refusal('near must be an entity, or a position such as {0, 1, 0}');
}

/** Only scripts that name it have it, so that the world knows which of them draw. */
export const CHANCE: HostFunction = (machine, lua, running) => {
	const { world, entity } = running;
	const name = requireName(textAt(machine, lua, 1), 'the name of a draw');
	const { outcomes, labels } = outcomesAt(machine, lua, name, running);
	if (!inTick(world)) throw new Refusal('a draw is possible only during a tick');
	const chosen = decide(world, SCRIPTS, entity?.id ?? NO_ENTITY, outcomes);
	pushText(machine, lua, labels[chosen]!);
	return 1;
};

/** Functions that the prelude needs. They do not see the world, except `signal` and `event`. */
export const INNER: Readonly<Record<string, HostFunction>> = {
	/** A function of the prelude, as a script is given it. */
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
	/** A replacement with its %0 to %9 filled in: argument 2 is the whole match, the captures follow. */
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
					? [...String(numberAt(machine, lua, at))].map((one) => one.charCodeAt(0))
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
const ALL: readonly HostFunction[] = [...Object.values(INNER), callLibrary, ...Object.values(API), CHANCE];
const SEES_NO_WORLD = new Set<HostFunction>([
	callLibrary,
	...Object.values(INNER).filter((one) => one !== INNER.signal),
]);
export const numbers = new Map(ALL.map((one, number) => [one, number]));

/** Calls the function with a number. Throws a Refusal for what a script can be told of. */
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
