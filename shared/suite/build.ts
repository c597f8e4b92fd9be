/** Tasks in which an agent builds something. The suite then tests it. */

import { get, post, type SuiteTask } from './task.ts';

const SPAWN_HERO = post('/spawn', { health: 100, gold: 0, team: 1, tags: ['hero'], position: [0, 0, 0] });

/** Entities that the task `same-digest` asks for. */
const SPAWN_MODEL = [
	post('/spawn', {
		mesh: 'cube',
		color: 'red',
		position: [1, 0, 0],
		health: 40,
		team: 2,
		tags: ['foe', 'red'],
	}),
	post('/spawn', {
		mesh: 'sphere',
		color: 'blue',
		position: [0, 2, '{{depth}}'],
		gold: '{{gold}}',
		tags: ['ball'],
	}),
	post('/spawn', { health: 75, team: 1, scale: [2, 1, 1], tags: ['hero'] }),
];

export const BUILD: readonly SuiteTask[] = [
	{
		id: 'one-hero',
		title: 'One entity with given fields',
		numbers: { health: [80, 120, 150], gold: [7, 12, 35], x: [3, 4, 6] },
		start: [],
		prompt:
			'The world is empty. Create exactly one entity with the tag "hero": team 1, {{health}} health, {{gold}} gold, at position [{{x}}, 0, -2]. No other entity may remain. Submit no answer.',
		budget: { calls: 12, bytes: 60_000 },
		claims: [
			{
				otherwise: 'There is not exactly one entity.',
				calls: [get('/', 'status')],
				field: 'status.entity_count',
				equals: 1,
			},
			{
				otherwise: 'The hero has other fields.',
				calls: [
					post(
						'/observe',
						{
							filter: 'tag:hero',
							fields: ['team', 'health.current', 'gold', 'position.x', 'position.y', 'position.z'],
						},
						'seen',
					),
				],
				field: 'seen.rows.0',
				equals: ['$seen.rows.0.0', 1, '{{health}}', '{{gold}}', '{{x}}', 0, -2],
			},
		],
		solution: {
			calls: [
				post('/spawn', {
					health: '{{health}}',
					gold: '{{gold}}',
					team: 1,
					tags: ['hero'],
					position: ['{{x}}', 0, -2],
				}),
			],
		},
	},
	{
		id: 'exact-trap',
		title: 'A trap with exact odds',
		numbers: { num: [1, 2, 3], den: [5, 7, 11] },
		start: [post('/spawn', { gold: 100, tags: ['hero'] })],
		prompt:
			'Entity 0 (tag "hero") has 100 gold. Build a trap: on each tick it steals exactly 10 gold from the hero with probability {{num}}/{{den}}, and does nothing otherwise. The odds must be exact, as POST /peek shows them. Do not step the world. Submit no answer.',
		budget: { calls: 15, bytes: 80_000 },
		claims: [
			{
				otherwise: 'The odds of one tick are different.',
				calls: [post('/peek', { condition: 'any tag:hero & field:gold==90' }, 'next')],
				field: 'next.condition.probability',
				equals: '{{num}}/{{den}}',
			},
			{
				otherwise: 'The odds of two ticks are different.',
				calls: [post('/peek', { ticks: 2, limit: 0, condition: 'any tag:hero & field:gold==80' }, 'second')],
				field: 'second.condition.probability',
				equals: '{{num*num}}/{{den*den}}',
			},
		],
		solution: {
			calls: [
				post('/rule/create', {
					name: 'trap',
					when: 'tick:1',
					outcomes: [
						{ label: 'stolen', weight: '{{num}}', do: ['add_field tag:hero gold -10'] },
						{ label: 'missed', weight: '{{den-num}}' },
					],
				}),
			],
		},
	},
	{
		id: 'patrol',
		title: 'A guard that walks to and fro',
		numbers: { far: [5, 6, 8] },
		start: [],
		prompt:
			'Create a guard with the tag "guard" at [0, 0, 0] that walks to [{{far}}, 0, 0], back to [0, 0, 0], and so on for ever, without further calls. It must come within 0.5 m of each end, and take at most 20 seconds (1200 ticks) from one to the other. Do not step the world. Submit no answer.',
		budget: { calls: 15, bytes: 80_000 },
		claims: ['position.x>{{far-1}}.5', 'position.x<0.5', 'position.x>{{far-1}}.5', 'position.x<0.5'].map(
			(end) => ({
				otherwise: 'The guard does not come to the next end.',
				calls: [post('/probe', { ticks: 1200, until: `any tag:guard & field:${end}` }, 'walk')],
				field: 'walk.stopped',
				equals: 'until',
			}),
		),
		solution: {
			calls: [
				post('/spawn', {
					position: [0, 0, 0],
					health: 100,
					team: 1,
					combat: true,
					combat_speed: 2,
					ai_patrol: [
						['{{far}}', 0, 0],
						[0, 0, 0],
					],
					tags: ['guard'],
				}),
			],
		},
	},
	{
		id: 'market-price',
		title: 'A price that follows demand',
		numbers: { price: [10, 20, 30], rise: [2, 3, 4] },
		start: [post('/spawn', { gold: '{{price}}', tags: ['price'] })],
		prompt:
			'Entity 0 (tag "price") holds a price as its gold: {{price}}. Make the price rise by {{rise}} for each signal "buy", and fall by 1 for each signal "sell". POST /events {"type":"SignalEvent","name":"buy"} sends such a signal. Other signals change nothing. Submit no answer.',
		budget: { calls: 15, bytes: 80_000 },
		claims: [
			['buy', '{{price+rise}}'],
			['steal', '{{price+rise}}'],
			['sell', '{{price+rise-1}}'],
			['buy', '{{price+rise-1+rise}}'],
		].map(([name, equals]) => ({
			otherwise: `The price is wrong after the signal "${name}".`,
			calls: [
				post('/events', { type: 'SignalEvent', name }),
				post('/step', { ticks: 3 }),
				get('/entities/0', 'price'),
			],
			field: 'price.gold',
			equals,
		})),
		solution: {
			calls: [
				post('/rule/create', { when: 'event:signal name==buy', do: ['add_field tag:price gold {{rise}}'] }),
				post('/rule/create', { when: 'event:signal name==sell', do: ['add_field tag:price gold -1'] }),
			],
		},
	},
	{
		id: 'key-and-door',
		title: 'A door that only a key opens',
		numbers: { x: [5, 7, 9] },
		start: [
			SPAWN_HERO,
			post('/spawn', { position: ['{{x}}', 0, 0], tags: ['door'] }),
			post('/item/define', { id: 7, name: 'Key' }),
		],
		prompt:
			'Entity 0 is the hero, entity 1 (tag "door") a door at [{{x}}, 0, 0], item 7 a key. Make the door disappear when the hero is within 1.5 m of it and carries the key. Without the key it must stay. Do not move the hero, and do not give it the key. Submit no answer.',
		budget: { calls: 15, bytes: 80_000 },
		claims: [
			{
				otherwise: 'The door was gone from the start.',
				calls: [post('/step', { ticks: 3 })],
				holds: 'count tag:door min=1 max=1',
			},
			{
				otherwise: 'The door opens without the key.',
				calls: [post('/entities/0/components', { position: ['{{x}}', 0, 1] }), post('/step', { ticks: 5 })],
				holds: 'count tag:door min=1 max=1',
			},
			{
				otherwise: 'The door opens from afar.',
				calls: [
					post('/entities/0/components', { position: [0, 0, 0] }),
					post('/step', { ticks: 5 }),
					post('/item/give', { entity_id: 0, item_id: 7 }),
					post('/step', { ticks: 5 }),
				],
				holds: 'count tag:door min=1 max=1',
			},
			{
				otherwise: 'The door stays closed for the key.',
				calls: [post('/entities/0/components', { position: ['{{x}}', 0, 1] }), post('/step', { ticks: 5 })],
				holds: 'count tag:door max=0',
			},
		],
		solution: {
			calls: [
				post('/rule/create', {
					when: 'distance:1<1.5 & has-item:7',
					filter: 'tag:hero',
					do: ['despawn tag:door'],
				}),
			],
		},
	},
	{
		id: 'survive',
		title: 'A match that is won by surviving',
		numbers: { ticks: [240, 300, 420] },
		start: [SPAWN_HERO],
		prompt:
			'Entity 0 is the hero of team 1. Create a match that team 1 wins on tick {{ticks}} or one tick later if the hero is still alive, and that team 2 wins as soon as the hero dies. Do not step the world. Submit no answer.',
		budget: { calls: 15, bytes: 80_000 },
		claims: [
			{
				otherwise: 'The death of the hero does not end the match for team 2.',
				calls: [
					post('/fork', { fork_id: 'lost' }),
					post('/step?world=lost', { ticks: 60 }),
					post('/entity/damage?world=lost', { entity_id: 0, amount: 1000 }),
					post('/step?world=lost', { ticks: 5 }),
					get('/game/state?world=lost', 'lost'),
				],
				field: 'lost.winner_team',
				equals: 2,
			},
			{
				otherwise: 'The match is over too early.',
				calls: [post('/probe', { ticks: '{{ticks}}', until: 'winner:1' }, 'run')],
				field: 'run.end_tick',
				equals: '{{ticks}}',
			},
			{ otherwise: 'Team 1 does not win.', calls: [post('/step', { ticks: 1 })], holds: 'winner:1' },
		],
		solution: {
			calls: [
				post('/game/create', { score_limit: 1000, time_limit: 0 }),
				post('/rule/create', { when: 'elapsed:{{ticks}}', do: ['endgame 1'] }),
				post('/rule/create', { when: 'death', filter: 'tag:hero', do: ['endgame 2'] }),
			],
		},
	},
	{
		id: 'shelf',
		title: 'A shelf that catches a ball',
		numbers: { low: [2, 3, 4] },
		start: [
			post('/spawn', {
				position: [0, 8, 0],
				physics_body: 'Dynamic',
				collider: { shape: 'Sphere', radius: 0.5 },
				tags: ['ball'],
			}),
		],
		prompt:
			'Entity 0 is a ball with a radius of 0.5 m that hangs at [0, 8, 0] until the first tick. Build something that it falls on: ten seconds (600 ticks) after the start its position must have a y from {{low}}.4 to {{low}}.6, and a speed below 0.1 m/s on each axis. Do not change the ball or gravity, and do not step the world. Submit no answer.',
		budget: { calls: 15, bytes: 80_000 },
		claims: [
			{
				otherwise: 'The ball was changed.',
				calls: [get('/entities/0', 'ball')],
				field: 'ball.local_transform.position',
				equals: [0, 8, 0],
			},
			{
				otherwise: 'The ball is no free body any more.',
				field: 'ball.physics_body',
				equals: 'Dynamic',
			},
			{
				otherwise: 'The ball is elsewhere after 600 ticks.',
				calls: [post('/step', { ticks: 600 })],
				holds:
					'any tag:ball & field:position.y>{{low}}.4 & field:position.y<{{low}}.6 & field:velocity.linear.y>-0.1 & field:velocity.linear.y<0.1',
			},
		],
		solution: {
			calls: [
				post('/spawn', {
					position: [0, '{{low}}', 0],
					physics_body: 'Static',
					collider: { shape: 'Aabb', hx: 3, hy: 0.001, hz: 3 },
				}),
			],
		},
	},
	{
		id: 'same-digest',
		title: 'The same world, call by call',
		numbers: { depth: [-3, 4, 9], gold: [5, 18, 60] },
		start: [
			post('/fork', { fork_id: 'model' }),
			...SPAWN_MODEL.map((call) => ({ ...call, path: `${call.path}?world=model` })),
		],
		prompt:
			'The fork "model" contains three entities, and main is empty. Make main equal to the fork: GET /digest and GET /digest?world=model must answer with the same state_digest. Build it with POST /spawn, /despawn, /tag and /entities/{id}/components. Submit no answer.',
		budget: { calls: 25, bytes: 120_000 },
		moves: ['POST /spawn', 'POST /despawn', 'POST /tag', 'POST /entities/{id}/components'],
		claims: [
			{
				otherwise: 'The worlds differ.',
				calls: [get('/digest?world=model', 'model'), get('/digest', 'main')],
				field: 'main.state_digest',
				equals: '$model.state_digest',
			},
		],
		solution: { calls: SPAWN_MODEL },
	},
];
