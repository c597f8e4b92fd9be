/** Routes that explain results. Each names the causes, and a change of one field that changes the result. */

import * as z from 'zod';
import { route } from '../contract/route.ts';
import { namesThing } from '../contract/thing.ts';
import { entityId, existingEntityId, integer, optional, place } from '../contract/values.ts';
import { DEAD_CAUSES, FIRE_CAUSES, REACH_CAUSES, VISIBLE_CAUSES } from '../documents/causes.ts';
import { reading } from '../rules/assertion.ts';
import { worldStamp } from './entity-view.ts';
import { warnings } from './warnings.ts';

const causesOf = <const W extends readonly [string, ...string[]]>(words: W) =>
	z
		.array(
			z.strictObject({
				code: z.enum(words),
				text: z.string(),
				entity_id: z.int().optional().describe('Id of the entity that it is about'),
			}),
		)
		.describe('Reasons, the most direct first');

const change = z
	.strictObject({
		of: z.enum(['entity', 'rule', 'navmesh', 'camera']).describe('Kind of thing that is changed'),
		id: z.int().nullable().describe('Id of the entity or rule'),
		field: z.string().describe('Field that is changed, such as health or when.value'),
		from: z
			.union([z.number(), z.boolean(), z.string()])
			.describe('Its value when it is changed, in the unit of the field; for health, the current health'),
		to: z.union([z.number(), z.boolean(), z.string()]).describe('Its value after the change'),
		relative: z
			.number()
			.nullable()
			.describe('Size of the change as a share of `from`, or of 1 if that is 0; null for a boolean or tag'),
		requests: z
			.array(
				z.strictObject({
					method: z.enum(['POST', 'PATCH']),
					path: z.string(),
					body: z.record(z.string(), z.unknown()),
				}),
			)
			.describe('Calls that show it, to be sent in this order'),
	})
	.nullable()
	.describe(
		'Smallest change of one field that was found to alter the result, tried in a fork; null: none found',
	);

const changeFields = {
	answer: z.string().describe('The answer in one sentence'),
	change,
	tried: z.int().describe('Changes that were tried'),
	finished: z.boolean().describe('false: tries or time ran out, so a smaller change may exist'),
	...worldStamp,
};

const tries = integer('Largest number of changes to try; 0: only the causes', { max: 2000 }).default(300);
const ticks = (meaning: string, defaultTicks: number) =>
	integer(meaning, { unit: 'ticks', min: 1, max: 36_000 }).default(defaultTicks);

const shared = { tag: 'Discovery and ops', method: 'GET', effect: 'read' } as const;
const SEARCH_NOTE =
	'It changes nothing, takes about 10 seconds at most, on a busy machine up to 25, and DELETE /calls/{id} ends it. Each try is a fork that is dropped.';

export const whyFire = route({
	...shared,
	id: 'why.fire',
	path: '/why/fire/{rule}',
	cli: ['why', 'fire'],
	summary:
		'Why a rule fires or never fires: each part of its condition with its value now, and a change that alters it',
	description: SEARCH_NOTE,
	params: z.strictObject({ rule: entityId.describe('Id of the rule').meta(namesThing('rule')) }),
	query: z.strictObject({ ticks: ticks('Ticks ahead in which to look for a firing', 300), tries }),
	answer: z.strictObject({
		ok: z.literal(true),
		rule: entityId,
		name: z.string().nullable(),
		reading,
		filter: z.string().describe('Its filter, as a text'),
		passing: z.int().describe('Entities that pass it now'),
		enabled: z.boolean(),
		once: z.boolean(),
		fired: z.int().describe('Firings so far'),
		last_fired: z.int().nullable().describe('Ticks completed when it last fired'),
		fires_in: z
			.int()
			.nullable()
			.describe('Ticks until it fires if nothing is changed; null: not within `ticks`'),
		parts: z.array(
			z.strictObject({
				part: z.string().describe('Part of the condition'),
				holds: z.boolean(),
				holds_for: z
					.int()
					.nullable()
					.describe('Entities for which it holds; null: it is not about an entity'),
				now: z.string().describe('Current finding; events are those of the last tick'),
				nearest: z
					.strictObject({
						entity_id: entityId,
						value: z.number().describe('Its value of the compared field'),
					})
					.nullable()
					.describe(
						'For a comparison, also inside any, all or none: the entity of its group that comes nearest',
					),
			}),
		),
		causes: causesOf(FIRE_CAUSES),
		warnings,
		...changeFields,
	}),
	errors: ['rule_not_found'],
	examples: [
		{
			name: 'A rule that waits for low health',
			given: [
				{ path: '/spawn', body: { health: 100 } },
				{ path: '/rule/create', body: { when: 'field:health<50', do: ['emit low'] } },
			],
			path: '/why/fire/1',
		},
	],
});

export const whyReach = route({
	...shared,
	id: 'why.reach',
	path: '/why/reach/{id}',
	cli: ['why', 'reach'],
	summary: 'Why an entity gets to a goal or not: mesh, obstacles, speed, and a change that lets it',
	description: `The entity is sent there in a fork. A change is only looked for if it does not get there. ${SEARCH_NOTE}`,
	params: z.strictObject({ id: existingEntityId }),
	query: z.strictObject({
		to: optional(
			z
				.string()
				.regex(/^\s*-?[\d.]+\s*,\s*-?[\d.]+\s*,\s*-?[\d.]+\s*$/, 'it must be x,y,z')
				.describe('Position x,y,z; left out: the goal of its path'),
		),
		ticks: ticks('Time that it has', 3600),
		tries,
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		entity_id: entityId,
		to: place.describe('The position'),
		reaches: z.boolean().describe('true: sent there now, it arrives within `ticks`'),
		ticks: z.int().nullable().describe('Ticks that it needs'),
		length: z.number().nullable().describe('Length of its way (m); null: there is none'),
		speed: z.number().describe('Walking speed with effects (m/s)'),
		walk: z
			.strictObject({
				method: z.literal('POST'),
				path: z.string(),
				body: z.record(z.string(), z.unknown()),
			})
			.nullable()
			.describe('Call that sends it there; null: it is on its way'),
		causes: causesOf(REACH_CAUSES),
		...changeFields,
	}),
	errors: ['entity_not_found', 'bad_navmesh'],
	examples: [
		{
			name: 'Behind a wall',
			given: [
				{ path: '/spawn', body: { position: [-4, 0, 0] } },
				{
					path: '/spawn',
					body: {
						position: [0, 1, 0],
						physics_body: 'Static',
						collider: { shape: 'Aabb', hx: 0.5, hy: 1, hz: 12 },
					},
				},
				{ path: '/navmesh/generate', body: { min_x: -8, min_z: -8, max_x: 8, max_z: 8, cell_size: 1 } },
			],
			path: '/why/reach/0?to=4,0,0&tries=40',
		},
	],
});

export const whyVisible = route({
	...shared,
	id: 'why.visible',
	path: '/why/visible/{id}',
	cli: ['why', 'visible'],
	summary: 'Why an entity is seen or not: the picture of the camera, and a change that alters it',
	description: `Works without a view: it computes a picture of 16:9. Other entities hide it as their shapes, models as their boxes. ${SEARCH_NOTE}`,
	params: z.strictObject({ id: existingEntityId }),
	query: z.strictObject({
		viewer: optional(entityId.describe('Also: whether this entity sees it, as in POST /observe?viewer=')),
		tries,
	}),
	answer: z.strictObject({
		ok: z.literal(true),
		entity_id: entityId,
		visible: z.boolean(),
		distance: z.number().nullable().describe('From the camera (m)'),
		causes: causesOf(VISIBLE_CAUSES),
		...changeFields,
	}),
	errors: ['entity_not_found'],
	examples: [
		{
			name: 'Behind the camera',
			given: [{ path: '/spawn', body: { mesh: 'cube', position: [30, 20, 30] } }],
			path: '/why/visible/0',
		},
	],
});

export const whyDead = route({
	...shared,
	id: 'why.dead',
	path: '/why/dead/{id}',
	cli: ['why', 'dead'],
	batch: false,
	summary: 'Why an entity died: since when, the damage before it, and a change that saves it',
	description: `Re-runs the journal, from its end back to the death, or to the last reset, load, restore, undo or promote. The change is made \`ticks\` before the death, or after the last call before it, and the entity must live a second longer. ${SEARCH_NOTE}`,
	params: z.strictObject({ id: existingEntityId }),
	query: z.strictObject({ ticks: ticks('Time before the death at which the change is made', 600), tries }),
	answer: z.strictObject({
		ok: z.literal(true),
		entity_id: z.int().describe('Id that was asked about'),
		dead: z.boolean().nullable().describe('true: it is dead now; null: it is no longer in the world'),
		died_at: z
			.int()
			.nullable()
			.describe('Ticks completed when it last died; null: no death is in the journal'),
		entry: z.int().nullable().describe('Entry of the history in which it died'),
		killer: z.int().nullable().describe('Source of the last damage that had one'),
		health: z
			.array(
				z.strictObject({
					tick: z.int().describe('Ticks completed'),
					current: z.number().describe('Health (HP)'),
				}),
			)
			.describe('Its health each time that it changed, oldest first'),
		hits: z
			.array(
				z.strictObject({
					tick: z.int().describe('Ticks completed when it was sent'),
					entry: z.int().describe('Entry of the history that sent it'),
					amount: z.number().describe('Before armour and resistance (HP)'),
					category: z.string(),
					source: z.int().nullable().describe('Id of the entity that dealt it'),
					source_tags: z.array(z.string()),
					source_team: z.int().nullable().describe('Team of that entity'),
					call: z
						.strictObject({ sender: z.string(), method: z.string(), path: z.string() })
						.optional()
						.describe('The call that dealt it'),
				}),
			)
			.describe('Damage before the death, oldest first, at most the last 50'),
		hit_count: z.int().describe('Number of hits, listed or not'),
		rules: z
			.array(z.strictObject({ id: entityId, name: z.string().nullable() }))
			.describe('Rules that fired on the tick of its death or the one before'),
		causes: causesOf(DEAD_CAUSES),
		lives_until: z
			.int()
			.nullable()
			.describe('Last tick up to which it was seen to live with the change; null: no change was found'),
		...changeFields,
	}),
	errors: ['entity_not_found', 'journal_cut', 'journal_unreadable', 'no_moment'],
	examples: [
		{
			name: 'A fighter that died',
			given: [
				{ path: '/spawn', body: { health: 20 } },
				{ path: '/entity/damage', body: { entity_id: 0, amount: 30 } },
				{ path: '/step', body: { ticks: 5 } },
			],
			path: '/why/dead/0',
		},
	],
});
