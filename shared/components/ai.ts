/** Movement goal of an entity. */

import * as z from 'zod';
import { component, json, listOf } from '../contract/component.ts';
import { handle } from '../contract/handle.ts';
import { number, optional, vec3 } from '../contract/values.ts';
import { Combat, MOVABLE } from './combat.ts';

const speed = number('Walking speed', { unit: 'm/s', min: 0, max: 1000 });

export const goal = z.discriminatedUnion('behavior', [
	z.strictObject({ behavior: z.literal('idle') }),
	z.strictObject({
		behavior: z.literal('patrol'),
		waypoints: z.array(vec3('Waypoint')),
		next: z.int().describe('Index of the next waypoint'),
		speed,
	}),
	z.strictObject({ behavior: z.literal('chase'), target: handle.nullable(), speed }),
	z.strictObject({ behavior: z.literal('flee'), target: handle.nullable(), speed }),
]);

export type WalkGoal = z.output<typeof goal>;

/** Returns a goal as text. */
export function describeGoal(goal: WalkGoal): string {
	if (goal.behavior === 'patrol') return `patrol (${goal.waypoints.length} waypoints)`;
	if (goal.behavior === 'chase') return `chase (target: ${goal.target?.id ?? 'none'})`;
	return goal.behavior;
}

export const Ai = component({
	name: 'ai',
	title: 'AiGoal',
	scope: 'state',
	summary: 'Movement goal: idle, patrol, chase or flee. Answers show it as a text',
	fields: { goal: json<WalkGoal>(goal, { behavior: 'idle' }, 'The goal') },
	readout: {
		schema: z.string(),
		from: (row) => describeGoal(row.goal),
		second: { key: 'ai_goal', schema: goal, from: (row) => row.goal },
	},
	spawn: {
		fields: {
			ai_patrol: optional(
				z.array(vec3('Waypoint')).max(1000).describe('Waypoints of a patrol, walked in a loop'),
			),
		},
		row: ({ ai_patrol: waypoints, combat_speed }, warnings) => {
			if (waypoints == null) return null;
			if (waypoints.length === 0) warnings.push('ai_patrol has no waypoints; the entity stands still');
			const speed = typeof combat_speed === 'number' ? combat_speed : 3;
			return { goal: { behavior: 'patrol', waypoints, next: 0, speed } };
		},
		describe: (row, rowOf) => {
			if (row?.goal.behavior !== 'patrol' || row.goal.waypoints.length === 0) return {};
			const { waypoints, speed } = row.goal;
			// A walking fighter patrols at the speed of its combat component.
			const fighter = rowOf(Combat);
			const needsSpeed = fighter === undefined ? speed !== 3 : fighter.style === 'stationary';
			return {
				ai_patrol: waypoints.map(listOf),
				...(needsSpeed ? { combat_speed: speed } : {}),
			};
		},
		brings: () => MOVABLE,
	},
});
