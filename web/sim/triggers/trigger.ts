/** Creates and changes trigger zones. Owns: the short text of a zone's action. */

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
	/** Amount of damage or healing (HP). */
	readonly amount: number;
	/** Position to which the zone teleports (m). */
	readonly destination: Vector;
	/** Effect that the zone applies; null for other actions. */
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
const MAX_AMOUNT = 1e9;

function refuse(text: string, problem: string): never {
	throw new ApiError('invalid_body', `action "${text}" ${problem}.`, {
		path: 'action',
		fix: 'Send damage:N, heal:N, teleport:x,y,z, teleport with the field target, or effect with the field effect.',
	});
}

/** Parses `damage:10`, `heal:5`, `teleport:0,2,0`, `teleport` with a target, or `effect` with an effect. Throws `invalid_body`. */
export function parseTriggerAction(
	text: string,
	target: Vector | null,
	effect: EffectDocument | null,
): TriggerAction {
	const [word = '', ...rest] = text.trim().split(':');
	const action = word.trim().toLowerCase();
	const argument = rest.join(':').trim();
	if (action === 'effect') {
		if (effect === null || argument !== '') refuse(text, 'needs the field effect');
		if (target !== null) refuse(text, 'does not accept the field target');
		return { action, amount: 0, destination: [0, 0, 0], effect };
	}
	if (effect !== null) refuse(text, 'does not accept the field effect');
	if (action === 'teleport') {
		if (argument === '' && target !== null) return { action, amount: 0, destination: target, effect };
		const coordinates = argument.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
		if (coordinates.length !== 3 || !coordinates.every((part) => Math.abs(part) <= FAR))
			refuse(text, 'needs a position');
		const [x = 0, y = 0, z = 0] = coordinates;
		return { action, amount: 0, destination: [x, y, z], effect };
	}
	if (action !== 'damage' && action !== 'heal') refuse(text, 'does not exist');
	if (target !== null) refuse(text, 'does not accept the field target');
	const amount = NUMBER.test(argument) ? Number(argument) : Number.NaN;
	if (!(amount <= MAX_AMOUNT)) refuse(text, `needs an amount from 0 to ${MAX_AMOUNT}`);
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

/** Changes settings of a trigger zone. `newAction`: its new action; null keeps the current one. */
export function changeTrigger(
	world: World,
	id: number,
	settings: Partial<Pick<NewTrigger, 'half' | 'per' | 'category'>> & {
		readonly team?: number;
		readonly once?: boolean;
	},
	newAction: TriggerAction | null,
): void {
	const { once, ...rest } = settings;
	const { effect = null, ...actionFields } = newAction ?? {};
	const previous = get(world, id, TriggerZone)!;
	add(world, id, TriggerZone, {
		...previous,
		...rest,
		...actionFields,
		...(once === undefined ? {} : { once: once ? 1 : 0, spent: 0 }),
	});
	if (newAction === null) return;
	if (effect === null) remove(world, id, ZoneEffect);
	else add(world, id, ZoneEffect, { effect });
}
