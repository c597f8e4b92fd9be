/** Settings of a fighter. */

import * as z from 'zod';
import { type Companion, component, json, scalar, words } from '../contract/component.ts';
import { parseFraction } from '../contract/fraction.ts';
import { flag, number, optional, word } from '../contract/values.ts';
import { Building } from './building.ts';
import { PhysicsBody } from './physics-body.ts';
import { Velocity } from './velocity.ts';

export const COMBAT_STYLES = ['melee', 'stationary'] as const;

/** Smallest chance above 0. */
const MIN_CHANCE = 1e-12;

/** Schema of a chance from 0 to 1. It is stored exactly as it is written. */
export const chance = z
	.union([
		z
			.number()
			.min(0)
			.max(1)
			.refine((value) => value === 0 || value >= MIN_CHANCE, 'a chance must be 0 or at least 1e-12')
			.meta({ not: { exclusiveMinimum: 0, exclusiveMaximum: MIN_CHANCE } }),
		z
			.string()
			.regex(
				/^(\d{1,40}\/0*[1-9]\d{0,38}|\d{1,3}(\.\d{1,40})?)$/,
				'a chance must be a number or a fraction such as "1/4"',
			)
			.refine(isAtMostOne, 'a chance must be at most 1')
			.meta({ format: 'chance' }),
	])
	.describe('Chance from 0 to 1: a number, or an exact fraction such as "1/4"');

function isAtMostOne(text: string): boolean {
	const chance = parseFraction(text);
	return chance === null || chance.num <= chance.den;
}

export const crit = z.strictObject({
	chance,
	multiplier: number('Damage of a critical hit as a multiple of the normal damage', {
		min: 0,
		max: 1e6,
	}).default(2),
});

export type Crit = z.output<typeof crit>;

/** Returns the default distance at which a fighter notices enemies (m). For a stationary fighter it is its range. */
export function detectRange(style: (typeof COMBAT_STYLES)[number], range: number): number {
	return style === 'stationary' ? range : Math.max(20, range);
}

/** Components that a walking entity gets: a velocity, and a Kinematic body unless it has another. */
export const MOVABLE: readonly Companion[] = [
	[PhysicsBody, { kind: 'Kinematic' }],
	[Velocity, {}],
];

interface FighterSettings {
	readonly damage: number;
	readonly range: number;
	readonly speed: number;
	readonly cooldown: number;
	readonly detect_range: number;
	readonly style: (typeof COMBAT_STYLES)[number];
	readonly crit: Crit | null;
}

/** Returns the fields of a spawn document for a fighter. */
export function fighterFields({
	damage,
	range,
	speed,
	cooldown,
	detect_range,
	style,
	crit,
}: FighterSettings) {
	const isDefaultRange = Math.fround(detect_range) === Math.fround(detectRange(style, range));
	return {
		combat: true,
		combat_damage: damage,
		combat_range: range,
		combat_speed: speed,
		combat_cooldown: cooldown,
		combat_style: style,
		crit: crit ?? undefined,
		...(isDefaultRange ? {} : { combat_detect_range: detect_range }),
	};
}

export const Combat = component({
	name: 'combat',
	title: 'AutoCombat',
	scope: 'state',
	summary: 'Automatic combat: chooses targets, chases them unless stationary, deals damage',
	fields: {
		damage: scalar('f32', 'Damage per attack', { unit: 'HP', initial: 10 }),
		range: scalar('f32', 'Attack range', { unit: 'm', initial: 1.5 }),
		speed: scalar('f32', 'Walking speed', { unit: 'm/s', initial: 3 }),
		cooldown: scalar('f32', 'Time between attacks', { unit: 's', initial: 1 }),
		detect_range: scalar('f32', 'Distance at which it notices enemies', { unit: 'm', initial: 20 }),
		style: words(COMBAT_STYLES, 'melee: chases targets; stationary: stays in place'),
		crit: json<Crit | null>(crit.nullable(), null, 'Critical hits; null: none'),
	},
	spawn: {
		fields: {
			combat: optional(flag('Fights automatically. Without a body it gets a Kinematic one')),
			combat_damage: optional(number('Damage per attack; default 10', { unit: 'HP', min: 0 })),
			combat_range: optional(number('Attack range; default 1.5', { unit: 'm', min: 0, max: 1e4 })),
			combat_speed: optional(
				number('Walking speed, also on patrol; default 3', { unit: 'm/s', min: 0, max: 1e3 }),
			),
			combat_cooldown: optional(number('Time between attacks; default 1', { unit: 's', min: 0, max: 1e5 })),
			combat_detect_range: optional(
				number('Distance at which it notices enemies; default 20, or combat_range if that is more', {
					unit: 'm',
					min: 0,
					max: 1e4,
				}),
			),
			combat_style: optional(
				word(COMBAT_STYLES, 'melee: chases targets; stationary: stays in place; default melee'),
			),
			crit: optional(crit.describe('Critical hits of a fighter')),
		},
		row: (document) => {
			if (document.combat !== true) return null;
			const style = document.combat_style ?? 'melee';
			const range = document.combat_range ?? 1.5;
			return {
				damage: document.combat_damage ?? 10,
				range,
				speed: style === 'stationary' ? 0 : (document.combat_speed ?? 3),
				cooldown: document.combat_cooldown ?? 1,
				detect_range: document.combat_detect_range ?? detectRange(style, range),
				style,
				crit: document.crit ?? null,
			};
		},
		describe: (row, rowOf) => {
			if (row === undefined) return {};
			// The combat values of a building come from its type.
			return rowOf(Building) === undefined ? fighterFields(row) : { crit: row.crit ?? undefined };
		},
		brings: () => MOVABLE,
	},
});
