/**
 * Random worlds with draws, and rules of every verb that influence each other.
 * Owns: the themes through which rules influence each other, each with actions that change it and conditions that read it.
 */

import fc from 'fast-check';
import { PLAYER_ACTIONS, type PlayerAction } from '../../shared/documents/input.ts';
import { base64, postModel } from './glb.ts';

/** Ids of three or four beings, and of rules, which are created after them. */
const entityId = fc.integer({ min: 0, max: 7 });
const tag = fc.constantFrom('a', 'b');
const team = fc.integer({ min: 1, max: 2 });
const place = fc.constantFrom([0, 0, 0], [2, 0, 0], [4, 0, 0]);
const small = fc.integer({ min: -1, max: 3 });
const filter = fc.oneof(
	{ weight: 3, arbitrary: fc.constant('any') },
	{ weight: 2, arbitrary: entityId.map((id) => `entity:${id}`) },
	{ weight: 2, arbitrary: tag.map((name) => `tag:${name}`) },
	{ weight: 2, arbitrary: team.map((number) => `team:${number}`) },
	{ weight: 1, arbitrary: fc.tuple(tag, team).map(([name, number]) => `tag:${name}+team:${number}`) },
);
const target = fc.oneof(
	{ weight: 1, arbitrary: fc.constantFrom<unknown>('this', 'source') },
	{ weight: 2, arbitrary: entityId.map((entity) => ({ entity })) },
	{ weight: 2, arbitrary: tag.map((name) => ({ tag: name })) },
	{ weight: 2, arbitrary: team.map((number) => ({ team: number })) },
	{ weight: 1, arbitrary: filter.map((nearest) => ({ nearest })) },
	{ weight: 3, arbitrary: filter.map((all) => ({ all })) },
);
const always = fc.constant<object>({ kind: 'tick', every: 1 });
const zone = fc.oneof(
	fc.record({ center: place, radius: fc.constant(1) }),
	fc.record({ entity: entityId, radius: fc.constant(1) }),
	fc.record({ center: place, half: fc.constant([1, 1, 1]) }),
);

const changing = (field: string) =>
	fc.record({
		action: fc.constantFrom('add_field', 'set_field'),
		target,
		field: fc.constant(field),
		value: small,
	});
const testing = (field: string) =>
	fc.record({
		kind: fc.constant('field'),
		field: fc.constant(field),
		op: fc.constantFrom('greater', 'less_equal', 'equal'),
		value: small,
		edge: fc.constantFrom('rising', 'level', 'level'),
	});
const onTarget = (action: string, more: Record<string, fc.Arbitrary<unknown>> = {}) =>
	fc.record({ action: fc.constant(action), target, ...more });

/** State through which rules influence each other: actions that change it, and conditions that read it. */
interface Theme {
	readonly actions: fc.Arbitrary<object>;
	readonly conditions: fc.Arbitrary<object>;
	/** Filters that depend on the state. */
	readonly filter?: fc.Arbitrary<string>;
	/** Targets that depend on the state. */
	readonly target?: fc.Arbitrary<object>;
}
const spawned = fc.record({
	action: fc.constant('spawn'),
	mesh: fc.constant('cube'),
	position: place,
	health: fc.constantFrom(1, 3),
	team,
	tags: fc.array(tag, { maxLength: 1 }),
	combat: fc.boolean(),
});
/** Spawn of a template at an entity. */
const placed = fc.record({
	action: fc.constant('spawn'),
	template: fc.constantFrom('imp', 'imp', 'gone'),
	at: target,
	count: fc.constantFrom(1, 2),
});
const group = fc.oneof(filter, fc.constant<object>({ kind: 'alive' }));
const signal = fc.oneof(
	fc.constant({ action: 'emit', name: 's' }),
	fc.record({ action: fc.constant('emit'), name: fc.constant('s'), about: target }),
);
const THEMES: Readonly<Record<string, Theme>> = {
	gold: { actions: changing('gold'), conditions: testing('gold') },
	health: {
		actions: fc.oneof(
			onTarget('heal', { amount: fc.constantFrom(1, 2) }),
			changing('health.current'),
			onTarget('cleanse'),
			onTarget('apply_effect', {
				tag: fc.constant('e'),
				duration: fc.constant(1),
				modifiers: fc.constantFrom(['max_health:set:1'], ['crit_chance:add:0.5']),
			}),
		),
		conditions: fc.oneof(
			testing('health.current'),
			testing('health.max'),
			fc.record({ kind: fc.constant('health_below'), threshold: fc.constantFrom(2, 3) }),
		),
	},
	team: {
		actions: changing('team'),
		conditions: testing('level'),
		filter: team.map((number) => `team:${number}`),
		target: team.map((number) => ({ team: number })),
	},
	place: {
		actions: fc.oneof(onTarget('teleport', { position: place }), changing('x')),
		conditions: fc.oneof(
			testing('x'),
			fc.record({ kind: fc.constantFrom('enter', 'leave'), zone }),
			fc.record({ kind: fc.constant('not'), of: fc.record({ kind: fc.constant('enter'), zone }) }),
		),
		target: filter.map((nearest) => ({ nearest })),
	},
	lives: {
		actions: fc.oneof(spawned, onTarget('despawn')),
		conditions: fc.oneof(testing('level'), always),
	},
	rules: {
		actions: entityId.map((entity) => ({ action: 'despawn', target: { entity } })),
		conditions: fc.oneof(testing('level'), always),
	},
	match: {
		actions: fc.oneof(
			onTarget('score', { points: small }),
			fc.record({ action: fc.constant('endgame'), winner_team: team }),
		),
		conditions: fc.oneof(
			fc.record({ kind: fc.constant('score'), threshold: fc.constantFrom(1, 2) }),
			fc.record({ kind: fc.constant('phase'), phase: fc.constantFrom('playing', 'post_match') }),
		),
	},
	labels: {
		actions: onTarget('tag', {
			add: fc.uniqueArray(tag, { maxLength: 1 }),
			remove: fc.uniqueArray(tag, { maxLength: 1 }),
		}),
		conditions: testing('level'),
		filter: tag.map((name) => `tag:${name}`),
		target: tag.map((name) => ({ tag: name })),
	},
	trade: {
		actions: fc.oneof(
			onTarget('buy', { item_id: fc.constantFrom(1, 2) }),
			onTarget('equip', { item_id: fc.constant(1) }),
			onTarget('take_item', { item_id: fc.constant(1) }),
			changing('gold'),
		),
		conditions: fc.oneof(testing('gold'), testing('health.max')),
		filter: fc.constantFrom('component:inventory', 'component:equipment'),
	},
	looks: {
		actions: fc.oneof(
			onTarget('color', { color: fc.constant('red') }),
			onTarget('play_animation', { clip: fc.constantFrom<string | number>('bow', 0, 'gone') }),
			onTarget('give_item', { item_id: fc.constant(1) }),
		),
		conditions: fc.oneof(testing('level'), fc.record({ kind: fc.constant('not'), of: testing('level') })),
		filter: fc.constantFrom('component:color', 'component:inventory'),
		target: fc.constantFrom({ all: 'component:color' }, { all: 'component:inventory' }),
	},
	magic: {
		actions: fc.oneof(
			fc.record({
				action: fc.constant('cast'),
				target,
				slot: fc.constantFrom('Q', 'W'),
				at: fc.option(target, { nil: undefined }),
			}),
			changing('mana'),
			fc.constant({ action: 'text', text: 'hocus' }),
		),
		conditions: fc.oneof(
			testing('mana'),
			fc.constant({ kind: 'event', event: 'cast_failed' }),
			fc.constantFrom({ kind: 'elapsed', ticks: 1 }, { kind: 'timer', interval: 0.02 }),
		),
		filter: fc.constantFrom('component:abilities'),
	},
	written: {
		actions: fc.oneof(
			fc.constantFrom<object>(
				{ action: 'text', id: 'a', text: '{count:tag:a} {gold:team:1}' },
				{ action: 'set_text', id: 'a', text: 'set {x:tag:b}' },
				{ action: 'set_text', id: 'bar', text: 'shows no text' },
				{ action: 'clear_text' },
				{ action: 'clear_text', id: 'a' },
			),
			changing('gold'),
			onTarget('tag', { add: fc.constant(['a']) }),
			onTarget('emit_particles', { count: fc.constantFrom(3, undefined) }),
			onTarget('stop_particles', {}),
			fc.constant({ action: 'camera_shake', ticks: 2 }),
		),
		conditions: fc.constantFrom<object>(
			{ kind: 'text', id: 'a' },
			{ kind: 'text', id: 'a', contains: 'set' },
			{ kind: 'text', contains: '1' },
			{ kind: 'not', of: { kind: 'text', equals: 'set 0' } },
		),
	},
	sounds: {
		actions: fc.oneof(
			fc.record({
				action: fc.constant('play_sound'),
				clip: fc.constantFrom('beep.wav', '0'.repeat(64)),
				at: fc.option(target, { nil: undefined }),
			}),
			onTarget('stop_sound'),
			changing('gold'),
		),
		conditions: fc.oneof(
			fc.constant({ kind: 'event', event: 'sound_played' }),
			fc.constant({ kind: 'event', event: 'action_failed' }),
			testing('gold'),
		),
	},
	effects: {
		actions: fc.oneof(
			onTarget('apply_effect', { tag: fc.constantFrom('e', 'f'), duration: fc.constant(0.05) }),
			onTarget('cleanse', { filter: fc.constantFrom('e', '') }),
		),
		conditions: fc.oneof(
			fc.record({ kind: fc.constant('has_effect'), tag: fc.constantFrom('e', 'f') }),
			fc.record({ kind: fc.constant('not'), of: fc.constant({ kind: 'has_effect', tag: 'e' }) }),
		),
	},
	goods: {
		actions: fc.oneof(
			onTarget('give_item', { item_id: fc.constantFrom(1, 2, 9) }),
			onTarget('take_item', { item_id: fc.constant(1) }),
			onTarget('equip', { item_id: fc.constant(1) }),
		),
		conditions: fc.oneof(
			fc.record({ kind: fc.constant('has_item'), item_id: fc.constantFrom(1, 2) }),
			fc.constant({ kind: 'event', event: 'action_failed' }),
		),
	},
	census: {
		actions: fc.oneof(
			spawned,
			placed,
			onTarget('despawn'),
			onTarget('teleport', { position: place }),
			changing('team'),
		),
		conditions: fc.oneof(
			group.map((filter) => ({ type: 'entity_exists', filter })),
			fc.record({ type: fc.constant('entity_count'), filter: group, min: fc.integer({ min: 1, max: 4 }) }),
			fc.record({ type: fc.constant('field_check'), filter: group, field: fc.constant('x'), value: small }),
			group.map((filter) => ({ type: 'none_are_dead', filter })),
			fc.record({ type: fc.constant('no_overlap'), filter: group, min_distance: fc.constantFrom(0.5, 1.5) }),
			fc.integer({ min: 4, max: 9 }).map((max) => ({ type: 'entity_budget', max })),
			fc.constant({ type: 'all_teams_have_spawn_points' }),
			fc.constant({ type: 'no_zero_health_alive' }),
			fc.constant({ type: 'all_renderable_have_transform' }),
			fc.record({ kind: fc.constant('distance'), from: entityId, value: fc.constantFrom(1, 3) }),
		),
	},
	who: {
		actions: fc.oneof(
			changing('health.current'),
			changing('team'),
			onTarget('tag', {
				add: fc.uniqueArray(tag, { maxLength: 1 }),
				remove: fc.uniqueArray(tag, { maxLength: 1 }),
			}),
		),
		conditions: fc.oneof(
			fc.constantFrom(
				{ kind: 'alive' },
				{ kind: 'dead' },
				{ kind: 'not', of: { kind: 'dead' } },
				{ type: 'any' },
				{ type: 'role', role: 'Hero' },
				{ type: 'has_component', component: 'gold' },
			),
			fc.constantFrom(
				{ type: 'and', filters: [{ kind: 'alive' }, { type: 'tag', tag: 'a' }] },
				{ type: 'and', filters: [] },
			),
			entityId.map((entity) => ({ type: 'entity', entity })),
			team.map((number) => ({ type: 'team', team: number })),
			tag.map((name) => ({ type: 'tag', tag: name })),
		),
	},
	verdict: {
		actions: fc.oneof(
			fc.record({ action: fc.constant('endgame'), winner_team: team }),
			onTarget('score', { points: fc.constant(3) }),
		),
		conditions: fc.oneof(
			fc.constantFrom(
				{ kind: 'winner', team: 1 },
				{ kind: 'winner', draw: true },
				{ type: 'game_phase', phase: 'playing' },
				{ type: 'game_phase', phase: 'post_match' },
				{ kind: 'not', of: { kind: 'digest', digest: '0000000000000000' } },
			),
			fc.record({ kind: fc.constant('score'), threshold: fc.constantFrom(1, 2) }),
		),
	},
	walks: {
		actions: fc.oneof(
			onTarget('walk_to', { position: place, speed: fc.constantFrom(undefined, 3) }),
			onTarget('stop_walking'),
			changing('x'),
		),
		conditions: fc.oneof(
			fc.constant({ kind: 'arrived' }),
			fc.constant({ kind: 'event', event: 'path_ended' }),
			fc.constant({ kind: 'event', event: 'action_failed' }),
			testing('x'),
		),
		filter: fc.constantFrom('component:path'),
	},
	news: {
		actions: fc.oneof(onTarget('damage', { amount: fc.constantFrom(1, 2, 50) }), signal),
		conditions: fc.oneof(
			fc.constant({ kind: 'death' }),
			fc.record({
				kind: fc.constant('event'),
				event: fc.constantFrom('damage', 'signal', 'score', 'rule_spawn', 'death'),
			}),
			fc.constant({ kind: 'event', event: 'damage', where: [{ field: 'amount', op: 'greater', value: 1 }] }),
		),
	},
};

/** Rules of one or two themes, so that their actions and conditions affect each other. */
export const rules = fc
	.uniqueArray(fc.constantFrom(...Object.values(THEMES)), { minLength: 1, maxLength: 2 })
	.chain((themes) => {
		const either = <T>(of: (theme: Theme) => fc.Arbitrary<T>) => fc.oneof(...themes.map(of));
		const simple = either(({ conditions }) => conditions);
		const when = fc.oneof(
			{ weight: 2, arbitrary: always },
			{ weight: 5, arbitrary: simple },
			{
				weight: 1,
				arbitrary: fc.record({
					kind: fc.constantFrom('all', 'any'),
					of: fc.array(simple, { minLength: 1, maxLength: 2 }),
				}),
			},
			{ weight: 1, arbitrary: fc.record({ kind: fc.constant('not'), of: simple }) },
		);
		const plainAction = either(({ actions }) => actions);
		const aimed = fc
			.tuple(
				plainAction,
				either((theme): fc.Arbitrary<unknown> => theme.target ?? target),
			)
			.map(([action, whom]) => ('target' in action ? { ...action, target: whom } : action));
		const effects = fc.array(fc.oneof(plainAction, aimed), { minLength: 1, maxLength: 2 });
		const frame = (condition: fc.Arbitrary<object>, maxPriority: number) => ({
			when: condition,
			filter: fc.oneof(
				filter,
				either((theme) => theme.filter ?? filter),
			),
			priority: fc.integer({ min: Math.max(0, maxPriority - 1), max: maxPriority }),
			once: fc.constantFrom(false, false, false, false, true),
		});
		const share = fc.constantFrom<number | string>(1, 2, 0.5, '1/3', '2/7', 0);
		const outcome = (
			label: string,
			weight: fc.Arbitrary<number | string>,
			effect: fc.Arbitrary<readonly unknown[]>,
		) => fc.record({ label: fc.constant(label), weight, do: effect });
		const outcomes = fc.tuple(
			outcome('x', fc.constantFrom<number | string>(1, '1/3'), effects),
			outcome('y', share, fc.oneof(fc.constant<object[]>([]), effects)),
		);
		// The first rule always draws. The last one depends on the changes of the rules before it.
		const first = fc.record({ ...frame(always, 2), outcomes });
		const between = fc.oneof(
			fc.record({ ...frame(when, 2), outcomes }),
			fc.record({ ...frame(when, 2), do: effects }),
			fc.record({ ...frame(always, 2), do: effects }),
		);
		const last = fc.record({ ...frame(simple, 1), outcomes });
		return fc
			.tuple(first, fc.array(between, { maxLength: 2 }), last)
			.map(([firstRule, middleRules, lastRule]) => [firstRule, ...middleRules, lastRule] as object[]);
	});

const loot = fc.array(
	fc.oneof(
		fc.constant({ label: 'nothing', weight: 1 }),
		fc.constant({ label: 'gold', weight: 2, gold: 3 }),
		fc.constant({ label: 'item', weight: '1/2', item: { item_id: 1, count: 1 } }),
		fc.constant({
			label: 'ghost',
			weight: 1,
			spawn: { health: 2, team: 2, tags: ['a'], position: [1, 0, 0] },
		}),
		fc.constant({ label: 'thug', weight: 1, spawn: { health: 2, team: 2, combat: true } }),
	),
	{ minLength: 2, maxLength: 2 },
);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
/** Abilities with every kind of effect. */
const spell = fc
	.constantFrom<object>(
		{ Heal: { amount: 1 } },
		{ Damage: { amount: 1 } },
		{ AreaDamage: { radius: 3, damage: 1 } },
		{ AreaEffect: { radius: 3, effect: { ApplyCc: { cc_type: 'Stun', duration: 0.1 } } } },
		{ SpeedBoost: { multiplier: 2, duration: 0.1 } },
		{ ApplyEffect: { tag: 'e', duration: 0.1, modifiers: ['max_health:add:1'] } },
		{ SpawnProjectile: { speed: 30, range: 9, width: 0.5, damage: 1, spread: { cone: 0.5, rays: 2 } } },
		{ Dash: { distance: 2 } },
	)
	.map((effect) => ({ slot: 'Q', name: 'Spell', cooldown: 0.02, mana_cost: 1, effect }));
const being = fc.record({
	position: place,
	health: fc.constantFrom(1, 2, 3),
	gold: fc.integer({ min: 0, max: 3 }),
	team,
	tags: fc.uniqueArray(tag, { maxLength: 2 }),
	role: optional(fc.constantFrom('hero', 'minion')),
	xp_bounty: optional(fc.constant(500)),
	spawn_point: optional(team),
	mana: optional(fc.constantFrom(1, 50)),
	abilities: optional(fc.tuple(spell)),
	sound: optional(fc.constant({ clip: 'beep.wav' })),
	path: optional(fc.record({ goal: place })),
});
const mortal = fc.tuple(being, loot).map(([document, table]) => ({ ...document, health: 1, loot: table }));
const fighter = fc.record({
	position: place,
	health: fc.constantFrom(2, 30),
	team,
	gold: fc.constant(1),
	combat: fc.constant(true),
	role: optional(fc.constantFrom('hero', 'minion')),
	xp_bounty: optional(fc.constant(500)),
	stat_growth: optional(fc.constant({ max_health: 1 })),
	combat_cooldown: fc.constant(0),
	combat_damage: fc.constant(1),
	combat_range: fc.constant(5),
	combat_projectile: optional(
		fc.record({ speed: fc.constantFrom(30, 300), spread: optional(fc.constant({ cone: 0.5, rays: 2 })) }),
	),
	crit: optional(
		fc.record({ chance: fc.constantFrom<number | string>('1/3', 0.5, 1), multiplier: fc.constant(2) }),
	),
});
export const beings = fc.oneof(
	fc.array(being, { minLength: 3, maxLength: 3 }),
	fc.tuple(being, being, fighter, fighter),
	fc.tuple(mortal, fighter, fighter),
	fc.tuple(mortal, mortal, fighter, being),
);
export const falling = fc.record({
	position: fc.tuple(fc.constantFrom(0, 0.25), fc.integer({ min: 1, max: 4 }), fc.constantFrom(0, 0.25)),
	physics_body: fc.constant('Dynamic'),
	collider: fc.constant({ shape: 'Sphere', radius: 0.5 }),
	tags: fc.uniqueArray(tag, { maxLength: 1 }),
	gold: fc.constant(1),
});

const shot = fc.record({
	from: place,
	direction: fc.constantFrom([1, 0, 0], [0, 0, 1]),
	speed: fc.constantFrom(30, 600),
	damage: fc.constantFrom(1, 2),
	hits: fc.constantFrom('others', 'enemies'),
	team,
	spread: fc.oneof(
		fc.record({ cone: fc.constantFrom(0.2, 1.5), rays: fc.constantFrom(2, 3) }),
		fc.constant([
			{ label: 'on', weight: '2/3' },
			{ label: 'back', weight: 1, angle: Math.PI },
			{ label: 'never', weight: 0, rise: 1 },
		]),
	),
});
export const shots = fc.oneof(
	{ weight: 2, arbitrary: fc.constant<object[]>([]) },
	{ weight: 1, arbitrary: fc.array<object>(shot, { minLength: 1, maxLength: 2 }) },
);

const box = fc.record({
	position: place,
	zone: fc.constant([3, 3, 3]),
	once: fc.boolean(),
	team: optional(team),
	action: fc.constantFrom('damage:1', 'heal:1', 'teleport:0,0,0'),
});
const enchanted = box.map((given) => ({
	...given,
	action: 'effect',
	effect: { tag: 'z', duration: 0.05, modifiers: ['crit_chance:add:0.5'] },
}));

/** Trigger zones. */
export const zones = fc.oneof(
	{ weight: 2, arbitrary: fc.constant<object[]>([]) },
	{
		weight: 1,
		arbitrary: fc.array(fc.oneof<fc.Arbitrary<object>[]>(box, enchanted), { minLength: 1, maxLength: 2 }),
	},
);

const press = fc.record({
	entity_id: fc.constantFrom(0, 1, 2),
	action: fc.constantFrom(...(Object.keys(PLAYER_ACTIONS) as PlayerAction[]), 'jump'),
	ticks: fc.constantFrom(1, 2, 5),
	// At once, or after fighters have selected targets and casts have ended.
	tick: fc.constantFrom(0, 4),
	aim: fc.constantFrom<object[]>({}, { target_id: 0 }, { target_id: 2 }, { point: [4, 0, 1] }),
});

/** Calls that make some beings players, and press keys for them. */
export const presses = fc.oneof(
	{ weight: 2, arbitrary: fc.constant<(readonly [path: string, body: object])[]>([]) },
	{
		weight: 1,
		arbitrary: fc
			.array(press, { minLength: 1, maxLength: 4 })
			.map((list) =>
				list.flatMap(({ entity_id, aim, ...input }) => [
					[`/entities/${entity_id}/components`, { player: true }] as const,
					['/input/press', { entity_id, ...input, ...aim }] as const,
				]),
			),
	},
);

/** A sound of five milliseconds. */
const BEEP =
	'UklGRkwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YSgAAACAut/fuoBFICBFf7rf37qARSAgRX+639+6gEUgIEV/ut/fuoBFICBF';

/** Calls to make before the beings and rules above. */
export const SETTING: readonly (readonly [path: string, body: object])[] = [
	['/asset/upload?name=beep.wav', { data: BEEP }],
	['/item/define', { id: 1, name: 'thing', properties: { max_health: 1, cost: 1 } }],
	['/item/define', { id: 2, name: 'rarity', properties: { cost: 1 }, stock: 2 }],
	['/game/create', { score_limit: 3, respawn_delay: 0.02 }],
	['/tuning', { respawn: { corpse: 0.02 }, players: { paths: true } }],
	['/feedback/settings', {}],
	// Some positions are outside of the mesh.
	['/navmesh/generate', { min_x: -6, min_z: -6, max_x: 3, max_z: 6 }],
	['/ui/bar', { id: 'bar', fill: 1 }],
	// Both models have clips of the same names.
	['/asset/upload?name=post.glb', { data: base64(postModel()) }],
	['/asset/upload?name=other.glb', { data: base64(postModel([0, 0, 1])) }],
	['/animation/load', { path: 'post.glb' }],
	['/animation/load', { path: 'other.glb' }],
	[
		'/template/create',
		{
			name: 'imp',
			mesh: 'cube',
			health: 2,
			team: 2,
			physics_body: 'Dynamic',
			collider: { shape: 'Sphere', radius: 0.5 },
		},
	],
];
