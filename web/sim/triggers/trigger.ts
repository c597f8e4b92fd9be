/** Making trigger zones, and the short text that says what one does. */

import type { DamageCategory } from '../../../shared/components/defense.ts';
import type { EffectDocument } from '../../../shared/components/effects.ts';
import { GlobalTransform } from '../../../shared/components/global-transform.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import {
	ANY_TEAM,
	type TRIGGER_ACTIONS,
	type TRIGGER_RATES,
	TriggerZone,
} from '../../../shared/components/trigger-zone.ts';
import { ZoneEffect } from '../../../shared/components/zone-effect.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { FAR } from '../../../shared/contract/values.ts';
import type { Vector } from '../core/math/vector.ts';
import { add, get, remove, spawn, type World } from '../core/world.ts';

export interface TriggerAction {
	readonly action: (typeof TRIGGER_ACTIONS)[number];
	/** HP. */
	readonly amount: number;
	/** Position that it teleports to (m). */
	readonly destination: Vector;
	/** Effect that it puts on entities; null unless the action is effect. */
	readonly effect: EffectDocument | null;
}

export interface NewTrigger extends TriggerAction {
	readonly position: Vector;
	/** Half extents (m). */
	readonly half: Vector;
	readonly per: (typeof TRIGGER_RATES)[number];
	readonly category: DamageCategory;
	readonly team: number | null;
	readonly once: boolean;
}

const NUMBER = /^\d+(\.\d+)?(e[+-]?\d{1,2})?$/i;
const MOST = 1e9;

function refuse(text: string, why: string): never {
	throw new ApiError('invalid_body', `action "${text}" ${why}.`, {
		path: 'action',
		fix: 'Send damage:N, heal:N, teleport:x,y,z, teleport with the field target, or effect with the field effect.',
	});
}

/** Reads `damage:10`, `heal:5`, `teleport:0,2,0`, or `teleport` and `effect` with what belongs to them beside. Throws `invalid_body`. */
export function parseTriggerAction(
	text: string,
	target: Vector | null,
	effect: EffectDocument | null,
): TriggerAction {
	const [word = '', ...rest] = text.trim().split(':');
	const action = word.trim().toLowerCase();
	const given = rest.join(':').trim();
	if (action === 'effect') {
		if (effect === null || given !== '') refuse(text, 'needs the field effect');
		if (target !== null) refuse(text, 'does not accept the field target');
		return { action, amount: 0, destination: [0, 0, 0], effect };
	}
	if (effect !== null) refuse(text, 'does not accept the field effect');
	if (action === 'teleport') {
		if (given === '' && target !== null) return { action, amount: 0, destination: target, effect };
		const parts = given.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
		if (parts.length !== 3 || !parts.every((part) => Math.abs(part) <= FAR)) refuse(text, 'needs a position');
		const [x = 0, y = 0, z = 0] = parts;
		return { action, amount: 0, destination: [x, y, z], effect };
	}
	if (action !== 'damage' && action !== 'heal') refuse(text, 'does not exist');
	if (target !== null) refuse(text, 'does not accept the field target');
	const amount = NUMBER.test(given) ? Number(given) : Number.NaN;
	if (!(amount <= MOST)) refuse(text, `needs an amount from 0 to ${MOST}`);
	return { action, amount, destination: [0, 0, 0], effect };
}

/** Returns the text that `parseTriggerAction` reads. */
export function triggerText(action: TriggerAction['action'], amount: number, destination: Vector): string {
	if (action === 'effect') return action;
	return action === 'teleport' ? `teleport:${destination.join(',')}` : `${action}:${amount}`;
}

/** Creates a trigger zone. */
export function createTrigger(world: World, trigger: NewTrigger): EntityHandle {
	const { position, half, action, amount, destination, per, category, team, once, effect } = trigger;
	const handle = spawn(world);
	add(world, handle.id, LocalTransform, { position });
	add(world, handle.id, GlobalTransform, { position });
	add(world, handle.id, TriggerZone, {
		half,
		action,
		amount,
		destination,
		per,
		category,
		team: team ?? ANY_TEAM,
		once: once ? 1 : 0,
	});
	if (effect !== null) add(world, handle.id, ZoneEffect, { effect });
	return handle;
}

/** Changes settings of a trigger zone, and, with `does`, its action. */
export function changeTrigger(
	world: World,
	id: number,
	settings: Partial<Pick<NewTrigger, 'half' | 'per' | 'category'>> & {
		readonly team?: number;
		readonly once?: boolean;
	},
	does: TriggerAction | null,
): void {
	const { once, ...rest } = settings;
	const { effect = null, ...acts } = does ?? {};
	const before = get(world, id, TriggerZone)!;
	add(world, id, TriggerZone, {
		...before,
		...rest,
		...acts,
		...(once === undefined ? {} : { once: once ? 1 : 0, spent: 0 }),
	});
	if (does === null) return;
	if (effect === null) remove(world, id, ZoneEffect);
	else add(world, id, ZoneEffect, { effect });
}
