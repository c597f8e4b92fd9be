/**
 * Functions of the tables `engine` and `euca`, which scripts call.
 * Owns: their behaviour.
 */

import { Health } from '../../../shared/components/health.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Mana } from '../../../shared/components/mana.ts';
import { Owner } from '../../../shared/components/owner.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import { ApiError, Refusal } from '../../../shared/contract/errors.ts';
import type { HostFunctionName } from '../../../shared/documents/script-functions.ts';
import { type SpawnDocument, spawnDocument } from '../../../shared/documents/spawn.ts';
import { fieldPath } from '../../../shared/verbs/field-name.ts';
import { face } from '../ai/walk.ts';
import { decide, NO_ENTITY } from '../core/chance.ts';
import { TICKS_PER_SECOND } from '../core/clock.ts';
import { handleOf, isAlive, slotOf } from '../core/entities.ts';
import { noSpending, spend } from '../core/tick-budget.ts';
import { add, despawn, get, has, inTick, read, remove, spawn, type World, write } from '../core/world.ts';
import { hasField, readField, writeField } from '../fields/field-path.ts';
import { spawnWithinShare } from '../owners/shares.ts';
import { runActions } from '../rules/actions/index.ts';
import { reasonNotSettable, reviveIfHealed } from '../rules/actions/settable-field.ts';
import { eachMatch, parseFilter } from '../rules/conditions/filter.ts';
import { globalPosition } from '../space/global-position.ts';
import { changeEntity } from '../spawn/change-entity.ts';
import { ensureMovable, trySpawn } from '../spawn/spawn-entity.ts';
import { clearBonus } from '../stats/resolve-stats.ts';
import {
	ACTION_COST,
	MAX_ACTION_EVENTS,
	MAX_ACTION_LOOKS,
	MAX_SCRIPT_SPAWNS,
	requireAllowance,
} from './action-allowance.ts';
import { BLOCK } from './allocator.ts';
import {
	actionAt,
	charge,
	componentAt,
	componentsByName,
	entityAt,
	type HostFunction,
	jsonAt,
	outcomesAt,
	ownerOf,
	parseDocument,
	pathAt,
	pointAt,
	pushBoolean,
	pushNumbers,
	pushRow,
	recordOf,
	requireName,
	SCRIPT_CHANCE,
	slotAt,
	writeRow,
} from './host-call.ts';
import {
	entityNumber,
	handleFrom,
	isPresent,
	numberAt,
	pushNumber,
	pushText,
	pushValue,
	textAt,
} from './values.ts';

/** The functions of `engine`. They may access the world. */
export const ENGINE_FUNCTIONS: Readonly<Record<Exclude<HostFunctionName, 'chance'>, HostFunction>> = {
	spawn(machine, lua, call) {
		const { world, work } = call;
		const owner = ownerOf(call);
		if (++work.spawned > MAX_SCRIPT_SPAWNS)
			throw new Refusal(`a script may spawn at most ${MAX_SCRIPT_SPAWNS} entities per tick`);
		charge(machine, call, 200);
		if (!isPresent(machine, lua, 1)) {
			const handle = spawnWithinShare(world, owner, () => spawn(world));
			if (owner !== undefined) add(world, handle.id, Owner, { agent: owner });
			return pushNumbers(machine, lua, entityNumber(handle));
		}
		const document = parseDocument(spawnDocument, recordOf(jsonAt(machine, lua, 1, call))) as SpawnDocument;
		spend(world, 'actions');
		const result = trySpawn(world, document, owner);
		if (result instanceof ApiError) throw result;
		return pushNumbers(machine, lua, entityNumber(result.handle));
	},
	despawn(machine, lua, call) {
		const slot = slotAt(machine, lua, 1, call);
		if (slot >= 0) despawn(call.world, slot);
		return pushBoolean(machine, lua, slot >= 0);
	},
	exists(machine, lua, call) {
		return pushBoolean(machine, lua, slotAt(machine, lua, 1, call) >= 0);
	},
	get_position(machine, lua, call) {
		const { world } = call;
		const slot = slotAt(machine, lua, 1, call);
		if (slot < 0 || !has(world, slot, LocalTransform)) return pushNumbers(machine, lua, 0, 0, 0);
		return pushRow(machine, lua, read(world, LocalTransform, 'position'), slot);
	},
	world_position(machine, lua, call) {
		const slot = slotAt(machine, lua, 1, call);
		return pushNumbers(machine, lua, ...(slot < 0 ? [0, 0, 0] : globalPosition(call.world, slot)));
	},
	set_position(machine, lua, call) {
		const { world } = call;
		const slot = slotAt(machine, lua, 1, call);
		const point = pointAt(machine, lua, 2);
		if (slot < 0) return 0;
		if (!has(world, slot, LocalTransform)) add(world, slot, LocalTransform, { position: point });
		else writeRow(write(world, LocalTransform, 'position'), slot, point);
		return 0;
	},
	get_velocity(machine, lua, call) {
		const { world } = call;
		const slot = slotAt(machine, lua, 1, call);
		if (slot < 0 || !has(world, slot, Velocity)) return pushNumbers(machine, lua, 0, 0, 0);
		return pushRow(machine, lua, read(world, Velocity, 'linear'), slot);
	},
	set_velocity(machine, lua, call) {
		const { world } = call;
		const slot = slotAt(machine, lua, 1, call);
		const point = pointAt(machine, lua, 2);
		if (slot < 0) return 0;
		ensureMovable(world, slot);
		writeRow(write(world, Velocity, 'linear'), slot, point);
		return 0;
	},
	face(machine, lua, call) {
		const { world } = call;
		const slot = slotAt(machine, lua, 1, call);
		const [x, z] = [numberAt(machine, lua, 2), numberAt(machine, lua, 3)];
		if (slot >= 0 && has(world, slot, LocalTransform)) face(world, slot, [x, 0, z]);
		return 0;
	},
	distance(machine, lua, call) {
		const [a, b] = [1, 2].map((index) => {
			const slot = slotAt(machine, lua, index, call);
			return slot < 0 ? null : globalPosition(call.world, slot);
		});
		if (a == null || b == null) {
			machine.lua.lua_pushnil(lua);
			return 1;
		}
		const [x, y, z] = [a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!];
		return pushNumbers(machine, lua, Math.sqrt(x * x + y * y + z * z));
	},
	get_health(machine, lua, call) {
		const slot = slotAt(machine, lua, 1, call);
		const health = slot < 0 ? undefined : get(call.world, slot, Health);
		return pushNumbers(machine, lua, health?.current ?? 0, health?.max ?? 0);
	},
	set_health(machine, lua, call) {
		const { world } = call;
		const slot = slotAt(machine, lua, 1, call);
		const value = numberAt(machine, lua, 2);
		const health = slot < 0 ? undefined : get(world, slot, Health);
		if (health === undefined) return 0;
		write(world, Health, 'current')[slot] = Math.min(Math.max(0, value), health.max);
		reviveIfHealed(world, slot, fieldPath('health.current'));
		return 0;
	},
	has(machine, lua, call) {
		const slot = slotAt(machine, lua, 1, call);
		return pushBoolean(machine, lua, slot >= 0 && has(call.world, slot, componentAt(machine, lua, 2)));
	},
	get(machine, lua, call) {
		const { world } = call;
		const slot = slotAt(machine, lua, 1, call);
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
	set(machine, lua, call) {
		const { world } = call;
		const slot = slotAt(machine, lua, 1, call);
		const path = fieldPath(textAt(machine, lua, 2));
		const value = numberAt(machine, lua, 3);
		const reason = reasonNotSettable(path);
		if (reason !== undefined) throw new Refusal(`${textAt(machine, lua, 2)} ${reason}`);
		if (slot < 0 || !hasField(world, slot, path)) return pushBoolean(machine, lua, false);
		writeField(world, slot, path, value);
		reviveIfHealed(world, slot, path);
		if (path.field === 'max' && path.component === Health) clearBonus(world, slot, 'health');
		if (path.field === 'max' && path.component === Mana) clearBonus(world, slot, 'mana');
		return pushBoolean(machine, lua, true);
	},
	change(machine, lua, call) {
		const entity = entityAt(machine, lua, 1, call);
		charge(machine, call, 200);
		const { remove: removed, ...fields } = Object(recordOf(jsonAt(machine, lua, 2, call))) as Record<
			string,
			unknown
		>;
		if (removed !== undefined) throw new Refusal('to remove components, call engine.remove');
		changeEntity(call.world, entity, parseDocument(spawnDocument, fields) as SpawnDocument);
		return 0;
	},
	remove(machine, lua, call) {
		const entity = entityAt(machine, lua, 1, call);
		const component = componentAt(machine, lua, 2);
		if (component.removable === false) throw new Refusal(`${component.name} cannot be removed`);
		return pushBoolean(machine, lua, remove(call.world, entity.id, component));
	},
	query(machine, lua, call) {
		const { world } = call;
		const query = Object(recordOf(isPresent(machine, lua, 1) ? jsonAt(machine, lua, 1, call) : {})) as Record<
			string,
			unknown
		>;
		const unknownField = Object.keys(query).find(
			(key) => !['filter', 'with', 'near', 'radius', 'limit'].includes(key),
		);
		if (unknownField !== undefined) throw new Refusal(`a query has no field "${unknownField}"`);
		const { filter = 'any', near = null, radius = null, limit = 1000 } = query;
		if (typeof filter !== 'string') throw new Refusal('the filter of a query must be a text');
		const withComponents = (Array.isArray(query.with) ? query.with : []).map((name: unknown) => {
			const component = componentsByName.get(requireName(name, 'the name of a component'));
			if (component === undefined) throw new Refusal(`there is no component "${name as string}"`);
			return component;
		});
		charge(machine, call, 50 + (world.entities.count >>> 2));
		spend(world, 'searched', world.entities.count);
		const centre = centreOf(world, near);
		const matches: { readonly slot: number; readonly squaredDistance: number }[] = [];
		eachMatch(world, parseFilter(filter), withComponents, (slot) => {
			if (centre === null) return void matches.push({ slot, squaredDistance: 0 });
			if (!has(world, slot, LocalTransform)) return;
			const position = globalPosition(world, slot);
			const [x, y, z] = [position[0] - centre[0], position[1] - centre[1], position[2] - centre[2]];
			const squaredDistance = x * x + y * y + z * z;
			if (typeof radius !== 'number' || squaredDistance <= radius * radius)
				matches.push({ slot, squaredDistance });
		});
		if (centre !== null) matches.sort((a, b) => a.squaredDistance - b.squaredDistance || a.slot - b.slot);
		const maxMatches = typeof limit === 'number' ? Math.max(0, Math.min(4000, limit)) : 1000;
		pushValue(
			machine,
			lua,
			matches.slice(0, maxMatches).map(({ slot }) => entityNumber(handleOf(world, slot))),
		);
		return 1;
	},
	id(machine, lua) {
		return pushNumbers(machine, lua, handleFrom(numberAt(machine, lua, 1)).id);
	},
	entity(machine, lua, { world }) {
		const id = numberAt(machine, lua, 1);
		if (!Number.isInteger(id) || id < 0 || !isAlive(world, id)) machine.lua.lua_pushnil(lua);
		else pushNumber(machine, lua, entityNumber(handleOf(world, id)));
		return 1;
	},
	tick(machine, lua, { world }) {
		return pushNumbers(machine, lua, world.tick);
	},
	time(machine, lua, { world }) {
		return pushNumbers(machine, lua, world.tick / TICKS_PER_SECOND);
	},
	delta_time(machine, lua) {
		return pushNumbers(machine, lua, 1 / TICKS_PER_SECOND);
	},
	/** Performs an action: `engine.act(action, subject, source)`. */
	act(machine, lua, call) {
		const { world, work, block, budget } = call;
		charge(machine, call, 200);
		const action = actionAt(machine, lua, call);
		const [subject = null, source = null] = [2, 3].map((index) =>
			isPresent(machine, lua, index) ? entityAt(machine, lua, index, call) : call.entity,
		);
		const spent = world.chance?.spent ?? noSpending();
		const workBefore = { ...spent };
		work.spawned += requireAllowance(
			world,
			action,
			{ subject, source },
			{
				instructions: budget - machine.word(block + BLOCK.spent),
				spawned: MAX_SCRIPT_SPAWNS - work.spawned,
				searched: MAX_ACTION_LOOKS - work.byActions.searched,
				sent: MAX_ACTION_EVENTS - work.byActions.sent,
			},
		);
		runActions(world, { kind: 'script', actions: [action], owner: ownerOf(call) }, { subject, source });
		work.byActions.searched += spent.searched - workBefore.searched;
		work.byActions.sent += spent.sent - workBefore.sent;
		charge(machine, call, (spent.actions - workBefore.actions) * ACTION_COST);
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

/** The function `chance`. Only scripts whose source contains that word get it, so the world knows which scripts draw. */
export const CHANCE: HostFunction = (machine, lua, call) => {
	const { world, entity } = call;
	const name = requireName(textAt(machine, lua, 1), 'the name of a draw');
	const { outcomes, labels } = outcomesAt(machine, lua, name, call);
	if (!inTick(world)) throw new Refusal('a draw is possible only during a tick');
	const outcomeIndex = decide(world, SCRIPT_CHANCE, entity?.id ?? NO_ENTITY, outcomes);
	pushText(machine, lua, labels[outcomeIndex]!);
	return 1;
};
