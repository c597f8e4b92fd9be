/** Where an entity walks to on the navigation mesh, and its way there. */

import * as z from 'zod';
import { component, json, listOf, scalar, vector3, words, yesNo } from '../contract/component.ts';
import { flag, number, optional, vec3 } from '../contract/values.ts';
import { MOVABLE } from './combat.ts';

export const PATH_STATES = ['waiting', 'walking', 'arrived', 'no_way'] as const;

const MOST_WAYPOINTS = 100_000;

/** What a path is set with, in requests and documents. */
export const pathFields = {
	speed: number('Walking speed without effects', { unit: 'm/s', min: 0, max: 1000 }),
	radius: number('Radius that others who walk keep clear of', { unit: 'm', min: 0.01, max: 100 }),
	partial: flag('Whether it goes as near as it can where no way leads to the goal'),
};

export const Path = component({
	name: 'path',
	title: 'PathGoal',
	scope: 'state',
	summary:
		'Where it walks to on the navigation mesh; it walks while nothing else leads it: fighters fight on the way. POST /path/set sets it, DELETE /path/{entity_id} takes it away',
	fields: {
		goal: vector3('Where it is to go', 'm'),
		speed: scalar('f32', pathFields.speed.description!, { unit: 'm/s', initial: 5, range: [0, 1000] }),
		radius: scalar('f32', pathFields.radius.description!, { unit: 'm', initial: 0.5, range: [0.01, 100] }),
		partial: yesNo(pathFields.partial.description!),
		state: words(
			PATH_STATES,
			'waiting: for its way to be found; walking; arrived: there, or, where partial, as near as it can get; no_way: no way leads there as things are, and it is looked for again when the mesh changes',
		),
		near: yesNo('Whether its way ends before the goal, as near as it can get'),
		next: scalar('u32', 'Index of the waypoint that it walks to'),
		lift: scalar('f32', 'How far above the ground it is kept, when its body does not fall by itself', {
			unit: 'm',
			range: [-1000, 1000],
		}),
		mesh: scalar('u32', 'The mesh on which its way was last found to hold', { hidden: true }),
		waypoints: json(
			z.array(vec3('Waypoint')).max(MOST_WAYPOINTS),
			[],
			'Its way from where it began; nothing until it is found, and none when it has ended',
		),
	},
	spawn: {
		fields: {
			path: optional(
				z
					.strictObject({
						goal: vec3('Where it is to go'),
						speed: optional(pathFields.speed),
						radius: optional(pathFields.radius),
						partial: optional(pathFields.partial),
					})
					.describe('Where it walks to on the navigation mesh, as with POST /path/set'),
			),
		},
		also: ['combat_speed'],
		row: ({ path, combat_speed }) => {
			if (path == null) return null;
			const own = typeof combat_speed === 'number' ? combat_speed : 5;
			return {
				goal: path.goal,
				speed: path.speed ?? own,
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
