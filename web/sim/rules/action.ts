/**
 * What a rule does.
 * Owns: what each action means. An action about an entity that is not there, or lacks what is needed, does nothing.
 */

import { Dead } from '../../../shared/components/dead.ts';
import { Health } from '../../../shared/components/health.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Mana } from '../../../shared/components/mana.ts';
import type { Handle } from '../../../shared/contract/component.ts';
import { type ErrorCode, Fault } from '../../../shared/contract/errors.ts';
import type { Action } from '../../../shared/documents/action.ts';
import type { SpawnDocument } from '../../../shared/documents/spawn.ts';
import { ActionFailed } from '../../../shared/events/action-failed.ts';
import { CastFailed } from '../../../shared/events/cast-failed.ts';
import { RuleSpawn } from '../../../shared/events/rule-spawn.ts';
import { Signal } from '../../../shared/events/signal.ts';
import { queueCast } from '../abilities/ability.ts';
import { heal, liveWithHealth, queueDamage } from '../combat/damage.ts';
import { emit } from '../core/events.ts';
import { despawn, has, type World } from '../core/world.ts';
import { equip } from '../economy/equipment.ts';
import { give, take } from '../economy/inventory.ts';
import { findItem } from '../economy/items.ts';
import { buy } from '../economy/shop.ts';
import { dispelCrowdControl } from '../effects/crowd-control.ts';
import { applyEffect, removeEffects } from '../effects/effect.ts';
import { type FieldPath, fieldPath, readField, writeField } from '../fields/field-path.ts';
import { showText } from '../hud/hud.ts';
import { addScore, endMatch } from '../match/match.ts';
import { placeOf } from '../space/place.ts';
import { changeTags, setColor, trySpawn } from '../spawn/spawn-entity.ts';
import { forgetBonus } from '../stats/resolve-stats.ts';
import { findTemplate, overlay } from '../templates/templates.ts';
import { teleport } from '../transform/teleport.ts';
import type { Occurrence } from './condition.ts';
import { resolveTarget } from './target.ts';

/** Does the actions of one firing, in order. */
export function runActions(world: World, actions: readonly Action[], occurrence: Occurrence): void {
	for (const action of actions) runAction(world, action, occurrence);
}

function runAction(world: World, action: Action, occurrence: Occurrence): void {
	if (action.action === 'spawn') {
		for (const place of placesOf(world, action, occurrence)) spawnSeveral(world, action, place);
		return;
	}
	if (!('target' in action)) {
		runUntargeted(world, action, occurrence);
		return;
	}
	for (const target of resolveTarget(world, action.target, occurrence))
		runTargeted(world, action, target, occurrence);
}

type Targeted = Extract<Action, { target: unknown }>;
type Spawning = Extract<Action, { action: 'spawn' }>;
type Place = readonly [number, number, number];

function runTargeted(world: World, action: Targeted, target: Handle, occurrence: Occurrence): void {
	const { id } = target;
	const lives = has(world, id, Health) && !has(world, id, Dead);
	switch (action.action) {
		case 'damage':
			if (lives)
				queueDamage(
					world,
					target,
					action.amount,
					credited(action, occurrence),
					action.category ?? 'physical',
				);
			return;
		case 'heal':
			if (lives) heal(world, target, action.amount);
			return;
		case 'score':
			addScore(world, target, action.points);
			return;
		case 'despawn':
			despawn(world, id);
			return;
		case 'teleport':
			teleport(world, target, action.position);
			return;
		case 'color':
		case 'set_color':
			setColor(world, id, action.color, []);
			return;
		case 'set_field':
			setField(world, id, fieldPath(action.field), action.value);
			return;
		case 'add_field': {
			const path = fieldPath(action.field);
			const value = readField(world, id, path);
			if (value === undefined) return;
			writeField(world, id, path, value + action.value);
			afterHealth(world, id, path);
			return;
		}
		case 'apply_effect': {
			const { action: _, target: __, by: ___, ...effect } = action;
			applyEffect(world, target, effect, credited(action, occurrence));
			return;
		}
		case 'cleanse':
			removeEffects(world, id, ({ tag }) => tag.includes(action.filter));
			if (action.dispel != null) dispelCrowdControl(world, id, action.dispel);
			return;
		case 'give_item':
			if (findItem(world, action.item_id) === undefined) fail(world, action, target, 'unknown_item');
			else if (give(world, target, action.item_id, action.count) < action.count)
				fail(world, action, target, 'inventory_full');
			return;
		case 'take_item':
			if (!take(world, target, action.item_id, action.count)) fail(world, action, target, 'item_missing');
			return;
		case 'equip':
			tryTo(world, action, target, () => equip(world, id, action.slot, action.item_id));
			return;
		case 'buy':
			tryTo(world, action, target, () => buy(world, target, action.item_id));
			return;
		case 'cast':
			cast(world, action, target, occurrence);
			return;
		case 'tag':
			changeTags(world, id, action.add, action.remove);
	}
}

/** A maximum that is set is the entity's own: what effects make of it follows on the next tick. */
function setField(world: World, id: number, path: FieldPath, value: number): void {
	if (!writeField(world, id, path, value)) return;
	afterHealth(world, id, path);
	if (path.field !== 'max') return;
	if (path.component === Health) forgetBonus(world, id, 'health');
	if (path.component === Mana) forgetBonus(world, id, 'mana');
}

/** Health above zero lets the dead live, as it does when a call gives it. */
function afterHealth(world: World, id: number, { component, field }: FieldPath): void {
	if (component === Health && field === 'current') liveWithHealth(world, id);
}

/** Who did it, as the action says; null for nobody, and for somebody who is gone. */
function credited({ by }: { by?: 'this' | 'source' | null }, occurrence: Occurrence): Handle | null {
	if (by == null) return null;
	return by === 'this' ? occurrence.subject : occurrence.source;
}

/** Tells of an action that could not be done, or not wholly. */
function fail(world: World, { action }: Targeted, entity: Handle, reason: ErrorCode): void {
	emit(world, ActionFailed, { entity, action, reason });
}

function tryTo(world: World, action: Targeted, target: Handle, deed: () => unknown): void {
	const refused = attempt(deed);
	if (refused !== null) fail(world, action, target, refused.code);
}

/** Does what may be refused; what refused it, or null. */
function attempt(deed: () => unknown): Fault | null {
	try {
		deed();
		return null;
	} catch (error) {
		if (error instanceof Fault) return error;
		throw error;
	}
}

/** A cast that cannot be made is told of by an event, as one that a call asked for. */
function cast(
	world: World,
	{ slot, at, point }: Extract<Action, { action: 'cast' }>,
	caster: Handle,
	occurrence: Occurrence,
): void {
	const [target = null] = at == null ? [] : resolveTarget(world, at, occurrence);
	if (at != null && target === null) return;
	const refused = attempt(() => queueCast(world, caster, slot, { target, point: point ?? null }));
	if (refused !== null) emit(world, CastFailed, { entity: caster, slot, reason: refused.code });
}

function runUntargeted(
	world: World,
	action: Exclude<Action, Targeted | Spawning>,
	occurrence: Occurrence,
): void {
	switch (action.action) {
		case 'text':
		case 'show_text': {
			const { text, x, y, size, color } = action;
			showText(world, { text, x, y, size, color });
			return;
		}
		case 'endgame':
			endMatch(world, action.winner_team);
			return;
		case 'emit':
			signal(world, action, occurrence);
	}
}

function signal(
	world: World,
	{ name, data, about }: Extract<Action, { action: 'emit' }>,
	occurrence: Occurrence,
): void {
	if (about == null) emit(world, Signal, { name, data });
	else
		for (const entity of resolveTarget(world, about, occurrence))
			emit(world, Signal, { name, data, entity, source: occurrence.source });
}

/** Where a spawn counts its position from: the origin, or each entity it is to happen at. */
function placesOf(world: World, { at }: Spawning, occurrence: Occurrence): Place[] {
	if (at == null) return [[0, 0, 0]];
	return resolveTarget(world, at, occurrence)
		.filter(({ id }) => has(world, id, LocalTransform))
		.map(({ id }) => placeOf(world, id));
}

/** What a spawn makes, without its place; null when its template is gone. */
export function spawnedDocument(world: World, action: Spawning): SpawnDocument | null {
	const { action: _, template: name, at: __, count: ___, speed, waypoints, ...fields } = action;
	const base = name == null ? {} : findTemplate(world, name);
	if (base === undefined) return null;
	const document = overlay(base, fields);
	const walks = document.combat !== true && waypoints != null && waypoints.length > 0;
	return overlay(document, { combat_speed: speed, ...(walks ? { ai_patrol: waypoints } : {}) });
}

/** Spawns `count` entities 1 m apart along z, centred on the place; none where there is no room. */
function spawnSeveral(world: World, action: Spawning, [x, y, z]: Place): void {
	const document = spawnedDocument(world, action);
	if (document === null) return;
	const copies = action.count ?? 1;
	const [dx, dy, dz] = document.position ?? [0, 0, 0];
	for (let i = 0; i < copies; i++) {
		const position: [number, number, number] = [x + dx, y + dy, z + dz + i - (copies - 1) / 2];
		const made = trySpawn(world, { ...document, position });
		if (made === null) continue;
		const { mesh = null, color = null } = document;
		emit(world, RuleSpawn, { entity: made.handle, mesh, color });
	}
}
