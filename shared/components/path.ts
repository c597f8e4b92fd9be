/** Goal of an entity on the navigation mesh, and its path to the goal. */

import * as z from 'zod';
import { component, json, listOf, scalar, vector3, words, yesNo } from '../contract/component.ts';
import { flag, number, optional, vec3 } from '../contract/values.ts';
import { MOVABLE } from './combat.ts';

export const PATH_STATES = ['waiting', 'walking', 'arrived', 'no_way'] as const;

const MAX_WAYPOINTS = 100_000;

/** Fields that set a path, in requests and documents. */
export const pathFields = {
	speed: number('Walking speed without effects', { unit: 'm/s', min: 0, max: 1000 }),
	radius: number('Radius that other walkers keep clear of', { unit: 'm', min: 0.01, max: 100 }),
	partial: flag('Goes as near as it can if no path leads to the goal'),
};

export const Path = component({
	name: 'path',
	title: 'PathGoal',
	scope: 'state',
	summary:
		'Goal on the navigation mesh to which it walks while nothing else moves it: fighters fight on the way. POST /path/set sets it, DELETE /path/{entity_id} removes it',
	fields: {
		goal: vector3('Goal', 'm'),
		speed: scalar('f32', pathFields.speed.description!, { unit: 'm/s', initial: 5, range: [0, 1000] }),
		radius: scalar('f32', pathFields.radius.description!, { unit: 'm', initial: 0.5, range: [0.01, 100] }),
		partial: yesNo(pathFields.partial.description!),
		state: words(
			PATH_STATES,
			'waiting: its path is being searched. walking: it follows its path. arrived: it is at the goal, or as near as it can get with partial. no_way: no path leads there; it searches again when the mesh changes',
		),
		near: yesNo('1: its path ends before the goal, as near as it can get'),
		next: scalar('u32', 'Index of its next waypoint'),
		lift: scalar('f32', 'Height above the ground that it keeps unless gravity moves its body', {
			unit: 'm',
			range: [-1000, 1000],
		}),
		mesh: scalar('u32', 'Version of the mesh on which its path was last checked', { hidden: true }),
		waypoints: json(
			z.array(vec3('Waypoint')).max(MAX_WAYPOINTS),
			[],
			'Waypoints of its path from its start; empty until it is found and after it ends',
		),
	},
	spawn: {
		fields: {
			path: optional(
				z
					.strictObject({
						goal: vec3('Goal'),
						speed: optional(pathFields.speed),
						radius: optional(pathFields.radius),
						partial: optional(pathFields.partial),
					})
					.describe('Goal on the navigation mesh, as with POST /path/set'),
			),
		},
		otherFields: ['combat_speed'],
		row: ({ path, combat_speed }) => {
			if (path == null) return null;
			const defaultSpeed = typeof combat_speed === 'number' ? combat_speed : 5;
			return {
				goal: path.goal,
				speed: path.speed ?? defaultSpeed,
				radius: path.radius ?? 0.5,
				partial: path.partial === true ? 1 : 0,
			};
		},
		describe: (row) =>
			row === undefined
				? {}
				: {
						path: {
							goal: listOf(row.goal),
							speed: row.speed,
							radius: row.radius,
							...(row.partial === 1 ? { partial: true } : {}),
						},
					},
		brings: () => MOVABLE,
	},
});
