/** The action `spawn`: creates entities. */

import * as z from 'zod';
import { Refusal } from '../../contract/errors.ts';
import { integer, isGiven, number, optional, text, vec3 } from '../../contract/values.ts';
import { labelsOf, namesOf, spawnFields } from '../../documents/spawn.ts';
import { PLACE_READ, ROOM_READ, SHARE_READ } from '../access.ts';
import { readTarget, type Target, writeTarget } from '../targets/index.ts';
import { readNumber, readPresent, readVector, readWhole, type Words } from '../verb-text.ts';
import { AT_ONCE, action, target } from './action.ts';

/** Pairs of fields with the same meaning. An action may have one of them. */
const SYNONYMS = [
	['speed', 'combat_speed'],
	['waypoints', 'ai_patrol'],
];

export const spawn = action({
	kind: 'spawn',
	when: `${AT_ONCE}. It moves and fights from the next tick on`,
	fields: {
		...spawnFields,
		template: optional(text('Template to start from; fields given here override those of the template', 100)),
		at: optional(
			target.describe('Spawns at each of these entities; `position` is then an offset from the entity'),
		),
		speed: optional(number('The same as combat_speed', { unit: 'm/s', min: 0, max: 1000 })),
		waypoints: optional(
			z.array(vec3('Waypoint')).max(1000).describe('The same as ai_patrol, but ignored for fighters'),
		),
		count: optional(integer('Number of entities, placed 1 m apart along z', { min: 1, max: 1000 })),
	},
	constraints: {
		allOf: [
			{ anyOf: ['mesh', 'template'].map(isGiven) },
			{ anyOf: ['position', 'at'].map(isGiven) },
			...SYNONYMS.map((both) => ({ not: { allOf: both.map(isGiven) } })),
		],
	},
	doc: 'Spawns entities. Requires mesh or template, and position or at. For each entity that cannot be spawned, action_failed is sent with the error code of POST /spawn',
	form: 'MESH|template:NAME X,Y,Z|TARGET|TARGET@X,Y,Z [COLOR] [HEALTH] [TEAM] [COMBAT] [X,Y,Z:X,Y,Z...] [SPEED] [SX,SY,SZ] [GOLD_BOUNTY] [XP_BOUNTY] [ROLE] [COUNT]',
	maxWords: 13,
	read: readSpawn,
	write: (action) =>
		[
			action.template == null ? action.mesh : `template:${action.template}`,
			writePlace(action),
			action.color,
			action.health,
			action.team,
			action.combat,
			action.waypoints?.map((point) => point.join(',')).join(':'),
			action.speed,
			action.scale?.join(','),
			action.gold_bounty,
			action.xp_bounty,
			action.role?.toLowerCase(),
			action.count,
		].map((word) => (word == null ? undefined : String(word))),
	spawns: ({ count }) => count ?? 1,
	provides: (document) => ({ tag: labelsOf(document), name: namesOf(document) }),
	targetFields: ['at'],
	access: ({ at, decal, particles, physics_body, template, terrain, water }) => {
		// A body is not spawned if there are too many bodies at its place.
		const body = physics_body === 'Dynamic' || template != null;
		return {
			reads: [
				...SHARE_READ,
				'items',
				'tuning',
				...(at == null ? [] : ['local_transform.position', ...PLACE_READ]),
				...(template == null ? [] : ['templates']),
				// All terrains of a world share one limit on points.
				...(terrain == null && template == null ? [] : ['terrain']),
				...(particles == null && template == null ? [] : ['particles']),
				...(water == null && template == null ? [] : ['water']),
				...(decal == null && template == null ? [] : ['decal']),
				...(body ? ROOM_READ : []),
			],
			writes: ['entities'],
			emits: ['rule_spawn', 'action_failed'],
		};
	},
});

const TEMPLATE = /^template:/i;

function readSpawn(words: Words): object {
	const [mesh, position, color, health, team, combat, waypoints, speed, scale, gold, xp, role, count] = words;
	if (mesh === undefined) throw new Refusal('spawn needs a mesh and a position');
	return {
		...(TEMPLATE.test(mesh)
			? { template: mesh.replace(TEMPLATE, '') }
			: readPresent({ mesh }, (word) => word)),
		...readPlace(position),
		...readPresent({ color, role }, (word) => word),
		...readPresent({ health }, (word) => readNumber(word, 'the health')),
		...readPresent({ team }, (word) => readWhole(word, 'the team')),
		...readPresent({ combat }, readBoolean),
		...readPresent({ waypoints }, (list) => list.split(':').map((point) => readVector(point, 'a waypoint'))),
		...readPresent({ speed }, (word) => readNumber(word, 'the speed')),
		...readPresent({ scale }, (word) => readVector(word, 'the scale')),
		...readPresent({ gold_bounty: gold }, (word) => readWhole(word, 'the gold')),
		...readPresent({ xp_bounty: xp }, (word) => readWhole(word, 'the experience')),
		...readPresent({ count }, (word) => readWhole(word, 'the count')),
	};
}

function readBoolean(word: string): boolean {
	const low = word.toLowerCase();
	if (low !== 'true' && low !== 'false') throw new Refusal(`combat must be true or false, got "${word}"`);
	return low === 'true';
}

function readPlace(word: string | undefined): object {
	if (word === undefined || /^[-+.\d]/.test(word)) return { position: readVector(word, 'the position') };
	const [target, offset] = word.split('@');
	const at = readTarget(target);
	return offset === undefined ? { at } : { at, position: readVector(offset, 'the position') };
}

function writePlace({
	at,
	position,
}: {
	readonly at?: Target | null | undefined;
	readonly position?: readonly number[] | null | undefined;
}): string | undefined {
	const point = position?.join(',');
	if (at == null) return point;
	return point === undefined ? writeTarget(at) : `${writeTarget(at)}@${point}`;
}
