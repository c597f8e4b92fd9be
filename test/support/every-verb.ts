/**
 * Calls for a world in which every action, condition and target occurs, and for states that are rare in other worlds.
 * Owns: at least one short text for each verb.
 */

import { SETTING } from './chance-worlds.ts';

type Call = readonly [path: string, body: object];

export const TARGETS = [
	'this',
	'source',
	'entity:1',
	'tag:a',
	'team:2',
	'nearest:team:2',
	'all:component:gold',
];

/** Actions without a target. */
export const ALONE = [
	'spawn cube 0,1,0 red 2 1 true 0,0,0:2,0,0',
	'spawn template:imp 0,1,0',
	'spawn template:gone 0,1,0',
	'text {count:tag:a} {gold:team:1}',
	'set_text text a',
	'set_text bar shows no text',
	'clear_text text',
	'camera_shake 0.1 2',
	'emit s',
	'play_sound beep.wav',
	// An asset that does not exist.
	`play_sound ${'0'.repeat(64)}`,
	'endgame 1',
	'endgame 2',
];

/** Actions on a target. The order keeps the target alive for the later ones. */
export const AIMED = [
	'damage TARGET 1',
	'heal TARGET 1',
	'score TARGET 1',
	'color TARGET red',
	'set_field TARGET health.current 2',
	'add_field TARGET gold 1',
	'apply_effect TARGET e 0.05 max_health:add:1',
	'cleanse TARGET e',
	'give_item TARGET 1 2',
	'give_item TARGET 9',
	'buy TARGET 2',
	'equip TARGET 1',
	'equip TARGET 9',
	'take_item TARGET 1',
	'take_item TARGET 9',
	'cast TARGET Q',
	'cast TARGET W TARGET',
	'tag TARGET +b -c',
	'emit s TARGET',
	'emit_particles TARGET 3',
	'stop_particles TARGET',
	'play_sound beep.wav TARGET',
	'stop_sound TARGET',
	'play_animation TARGET bow',
	'play_animation TARGET gone',
	'spawn cube TARGET@0,1,0',
	'spawn template:imp TARGET',
	'stop_walking TARGET',
	'walk_to TARGET 0,0,0',
	'teleport TARGET 1,0,0',
	'despawn TARGET',
];

export const CONDITIONS: readonly (string | object)[] = [
	'death',
	'timer:0.02',
	'health-below:500',
	'score:1',
	'phase:playing',
	'tick:1',
	'event:damage amount>0 target.team==1',
	'event:signal',
	'arrived',
	'enter:1,0,0:3',
	'leave:entity:1:1',
	'field:gold<5 level',
	{
		kind: 'all',
		of: [
			{ kind: 'tick', every: 1 },
			{ kind: 'field', field: 'health.current', value: 1 },
		],
	},
	{ kind: 'any', of: [{ kind: 'death' }, { kind: 'enter', zone: { entity: 1, radius: 3 } }] },
	{ kind: 'not', of: { kind: 'enter', zone: { entity: 1, radius: 1 } } },
	'elapsed:1',
	'winner:1',
	'text:text',
	'digest:0000000000000000',
	'alive',
	'dead',
	'name:Oak',
	'has-item:1',
	'has-effect:e',
	'distance:0<5',
	'distance:0:1>1',
	{ type: 'any' },
	'entity:1',
	'team:1',
	'role:hero',
	'tag:a',
	'component:gold',
	{ type: 'and', filters: [{ kind: 'alive' }, { type: 'tag', tag: 'a' }] },
	'exists tag:a',
	'count any min=1 max=100',
	'field gold > 1 tag:a',
	'all tag:a & field:gold>0',
	{ type: 'none_are_dead', filter: 'tag:a' },
	'overlap 0.5 any',
	'budget 1000',
	{ type: 'game_phase', phase: 'playing' },
	'spawns',
	'no-zero-health',
	'renderable',
];

const MEND = { slot: 'Q', name: 'Mend', cooldown: 0.02, mana_cost: 1, effect: { Heal: { amount: 1 } } };

/** Returns a fighter with all components that verbs read. */
const being = (team: number, x: number): object => ({
	position: [x, 0, 0],
	health: 300,
	team,
	gold: 5,
	mana: 50,
	role: 'hero',
	tags: ['a', 'c'],
	mesh: 'post.glb',
	combat: true,
	combat_range: 9,
	combat_cooldown: 0.02,
	spawn_point: team,
	sound: { clip: 'beep.wav' },
	path: { goal: [2, 0, 0] },
	inventory: [{ item_id: 1 }],
	abilities: [MEND],
});

const rule = (when: string | object, action: string, once = false): Call => [
	'/rule/create',
	{ when, once, do: [action] },
];

/** Calls that use every verb. Fighters hurt each other, so that rules have a subject and a source. */
export const EVERY_VERB: readonly Call[] = [
	...SETTING,
	...[1, 2, 1, 2].map((team, i): Call => ['/spawn', being(team, i)]),
	['/spawn', { position: [0, 0, 2], health: 0.5, team: 2, gold: 1, tags: ['a'] }],
	['/spawn', { position: [-5, 0, 0], tags: ['a'], path: { goal: [2, 0, 0] } }],
	// This entity can neither walk nor play a clip, and has no particles.
	['/spawn', { position: [0, 0, 4], physics_body: 'Static', tags: ['a'] }],
	['/step', { ticks: 2 }],
	['/entity/damage', { entity_id: 4, amount: 9, source: 0 }],
	...CONDITIONS.map((when) => rule(when, 'add_field tag:a gold 1')),
	...ALONE.map((action) => rule('event:damage', action, true)),
	...AIMED.flatMap((action) =>
		TARGETS.map((target) => rule('event:damage', action.replaceAll('TARGET', target), true)),
	),
];

const dropping = (label: string, spawn: object) => ({ label, weight: 1, spawn });

/**
 * Calls after which a protected building is struck, a player casts, an entity patrols, effects tick, and a zone kills
 * entities that drop ground, particles and water.
 */
export const RARELY_SEEN: readonly Call[] = [
	['/spawn', { building_type: 'tier3_tower', team: 1, position: [30, 0, 0] }],
	['/spawn', { health: 50, mana: 9, team: 2, player: true, abilities: [MEND] }],
	['/spawn', { position: [0, 0, 9], ai_patrol: [9, 10].map((z) => [0, 0, z]) }],
	...[
		dropping('ground', { terrain: { width: 2, height: 2, cell_size: 1, chunks: [] } }),
		dropping('sparks', { particles: { preset: 'fire' } }),
		dropping('puddle', { water: { size: [1, 1] }, decal: {} }),
	].map((entry): Call => ['/spawn', { health: 1, loot: [entry] }]),
	...['dps:6', 'hps:6', 'custom:a'].map(
		(tick_effect): Call => ['/effect/apply', { entity_id: 1, tag: tick_effect, duration: 9, tick_effect }],
	),
	['/trigger/create', { zone: [3, 3, 3], action: 'damage:1' }],
	['/step', { ticks: 2 }],
	['/entity/damage', { entity_id: 0, amount: 5, source: 1 }],
	['/input/press', { entity_id: 1, action: 'ability_q' }],
];
