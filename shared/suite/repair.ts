/** Tasks in which an agent repairs a world that behaves wrongly. */

import { get, patch, post, type SuiteTask } from './task.ts';

const RULE_MOVES = ['PATCH /rule/{id}'];

export const REPAIR: readonly SuiteTask[] = [
	{
		id: 'never-fires',
		title: 'A rule that never fires',
		numbers: { limit: [40, 50, 60] },
		start: [
			post('/spawn', { health: 100, gold: 0, tags: ['hero'] }),
			post('/rule/create', {
				name: 'alms',
				when: 'field:health<{{limit-100}}',
				filter: 'tag:heros',
				do: ['add_field this gold 10'],
			}),
			post('/step', { ticks: 30 }),
		],
		prompt:
			'The rule "alms" (entity 1) should give the hero (tag "hero") 10 gold when its health falls below {{limit}}. It never fires. Repair it with PATCH /rule/1; nothing else in main may change. Submit no answer.',
		budget: { calls: 15, bytes: 80_000 },
		moves: RULE_MOVES,
		claims: [
			{
				otherwise: 'The rule pays too early.',
				calls: [
					post('/entity/damage', { entity_id: 0, amount: '{{100-limit}}' }),
					post('/step', { ticks: 5 }),
					get('/entities/0', 'full'),
				],
				field: 'full.gold',
				equals: 0,
			},
			{
				otherwise: 'The rule does not pay 10 gold once.',
				calls: [
					post('/entity/damage', { entity_id: 0, amount: 1 }),
					post('/step', { ticks: 5 }),
					get('/entities/0', 'hurt'),
				],
				field: 'hurt.gold',
				equals: 10,
			},
		],
		solution: { calls: [patch('/rule/1', { when: 'field:health<{{limit}}', filter: 'tag:hero' })] },
	},
	{
		id: 'blocked-path',
		title: 'A path that is blocked',
		numbers: { goal: [3, 4, 5] },
		start: [
			post('/spawn', { position: [-4, 0, 0], tags: ['walker'] }),
			post('/spawn', {
				mesh: 'cube',
				scale: [1, 2, 16],
				position: [0, 1, 0],
				physics_body: 'Static',
				collider: { shape: 'Aabb', hx: 0.5, hy: 1, hz: 8 },
				tags: ['wall'],
			}),
			post('/navmesh/generate', { min_x: -8, min_z: -8, max_x: 8, max_z: 8 }),
		],
		prompt:
			'The walker, entity 0, should walk to [{{goal}}, 0, 0], but a wall (entity 1) closes the way. Repair this: afterwards POST /path/set {"entity_id":0,"target":[{{goal}},0,0]} must be accepted, and the walker must arrive within 20 seconds. The wall must stay in the world, with its collider, and the walker at [-4, 0, 0]. Do not step main. Submit no answer.',
		budget: { calls: 20, bytes: 100_000 },
		moves: ['POST /entities/{id}/components', 'POST /navmesh/generate'],
		claims: [
			{
				otherwise: 'The walker was moved.',
				calls: [get('/entities/0', 'walker'), get('/entities/1', 'wall')],
				field: 'walker.local_transform.position',
				equals: [-4, 0, 0],
			},
			{ otherwise: 'The wall lost its collider.', field: 'wall.physics_body', equals: 'Static' },
			{ otherwise: 'The wall lost its collider.', holds: 'any tag:wall & component:collider' },
			{
				otherwise: 'The walker does not arrive.',
				calls: [
					post('/path/set', { entity_id: 0, target: ['{{goal}}', 0, 0] }),
					post('/probe', { ticks: 1200, until: 'any tag:walker & field:position.x>{{goal-1}}.8' }, 'walk'),
				],
				field: 'walk.stopped',
				equals: 'until',
			},
		],
		solution: { calls: [post('/entities/1/components', { position: [0, 1, 12] })] },
	},
	{
		id: 'unfair-draw',
		title: 'A draw that is unfair by a factor',
		numbers: { factor: [3, 4, 6] },
		start: [
			post('/spawn', { gold: 0, tags: ['red'] }),
			post('/spawn', { gold: 0, tags: ['blue'] }),
			post('/rule/create', {
				name: 'duel',
				when: 'tick:1',
				outcomes: [
					{ label: 'red', weight: '{{2*factor}}', do: ['add_field tag:red gold 1'] },
					{ label: 'blue', weight: 2, do: ['add_field tag:blue gold 1'] },
					{ label: 'tie', weight: '{{factor+1}}' },
				],
			}),
		],
		prompt:
			'The rule "duel" (entity 2) lets red win {{factor}} times as often as blue. Repair it with PATCH /rule/2: red and blue must win with equal probability, and the probability of a tie must stay exactly as it is. Submit no answer.',
		budget: { calls: 12, bytes: 80_000 },
		moves: RULE_MOVES,
		claims: [
			{
				otherwise: 'Red does not win with probability 1/3.',
				calls: [post('/peek', { condition: 'any tag:red & field:gold==1' }, 'red')],
				field: 'red.condition.probability',
				equals: '1/3',
			},
			{
				otherwise: 'Blue does not win with probability 1/3.',
				calls: [post('/peek', { condition: 'any tag:blue & field:gold==1' }, 'blue')],
				field: 'blue.condition.probability',
				equals: '1/3',
			},
		],
		solution: {
			calls: [
				patch('/rule/2', {
					outcomes: [
						{ label: 'red', weight: 1, do: ['add_field tag:red gold 1'] },
						{ label: 'blue', weight: 1, do: ['add_field tag:blue gold 1'] },
						{ label: 'tie', weight: 1 },
					],
				}),
			],
		},
	},
	{
		id: 'wrong-winner',
		title: 'A match that the wrong team wins',
		numbers: { ticks: [200, 300] },
		start: [
			post('/game/create', { score_limit: 1000, time_limit: 0 }),
			post('/spawn', { health: 50, team: 1, tags: ['hero'] }),
			post('/spawn', { health: 50, team: 2, tags: ['boss'] }),
			post('/rule/create', { name: 'boss fell', when: 'death', do: ['endgame 1'] }),
			post('/rule/create', { name: 'hero fell', when: 'death', filter: 'tag:hero', do: ['endgame 2'] }),
		],
		prompt:
			'Team 1 should win when the boss (tag "boss") dies, and team 2 when the hero (tag "hero") dies. Now team 1 wins in both cases. Repair the rules (entities 2 and 3) with PATCH /rule/{id}. Submit no answer.',
		budget: { calls: 15, bytes: 80_000 },
		moves: RULE_MOVES,
		claims: [
			{
				otherwise: 'Team 2 does not win when the hero dies.',
				calls: [
					post('/fork', { fork_id: 'lost' }),
					post('/step?world=lost', { ticks: '{{ticks}}' }),
					post('/entity/damage?world=lost', { entity_id: 0, amount: 99 }),
					post('/step?world=lost', { ticks: 5 }),
					get('/game/state?world=lost', 'lost'),
				],
				field: 'lost.winner_team',
				equals: 2,
			},
			{
				otherwise: 'Team 1 does not win when the boss dies.',
				calls: [
					post('/step', { ticks: '{{ticks}}' }),
					post('/entity/damage', { entity_id: 1, amount: 99 }),
					post('/step', { ticks: 5 }),
					get('/game/state', 'won'),
				],
				field: 'won.winner_team',
				equals: 1,
			},
		],
		solution: { calls: [patch('/rule/2', { filter: 'tag:boss' })] },
	},
	{
		id: 'endless-waves',
		title: 'Waves without an end',
		numbers: { most: [4, 5, 6] },
		start: [
			post('/template/create', { name: 'goblin', health: 20, team: 2, tags: ['foe'] }),
			post('/rule/create', { name: 'wave', when: 'timer:1', do: ['spawn template:goblin 8,0,0'] }),
		],
		prompt:
			'The rule "wave" (entity 0) spawns a goblin (tag "foe") each second, for ever. Repair it with PATCH /rule/0: it must go on until there are {{most}} goblins, and no further, and start again when one is removed. Submit no answer.',
		budget: { calls: 15, bytes: 80_000 },
		moves: RULE_MOVES,
		claims: [
			{
				otherwise: 'There are not {{most}} goblins after 15 seconds.',
				calls: [post('/step', { ticks: 900 })],
				holds: 'count tag:foe min={{most}} max={{most}}',
			},
			{
				otherwise: 'A goblin that is removed is not replaced.',
				calls: [
					post('/observe', { filter: 'tag:foe', fields: ['team'] }, 'foes'),
					post('/despawn', { entity_id: '$foes.rows.0.0' }),
					post('/step', { ticks: 300 }),
				],
				holds: 'count tag:foe min={{most}} max={{most}}',
			},
		],
		solution: { calls: [patch('/rule/0', { when: 'timer:1 & count tag:foe max={{most-1}}' })] },
	},
	{
		id: 'paid-twice',
		title: 'A reward that is paid on each tick',
		numbers: { x: [3, 5], reward: [10, 25] },
		start: [
			post('/spawn', { gold: 0, position: [0, 0, 0], tags: ['hero'] }),
			post('/rule/create', {
				name: 'reward',
				when: { kind: 'field', field: 'position.x', op: 'greater', value: '{{x}}', edge: 'level' },
				filter: 'tag:hero',
				do: ['add_field this gold {{reward}}'],
			}),
		],
		prompt:
			'The rule "reward" (entity 1) should pay {{reward}} gold each time the hero comes to x > {{x}}: once for each arrival. It pays on every tick that the hero is there. Repair it with PATCH /rule/1. Submit no answer.',
		budget: { calls: 15, bytes: 80_000 },
		moves: RULE_MOVES,
		claims: [
			['{{x+2}}', '{{reward}}'],
			[0, '{{reward}}'],
			['{{x+1}}', '{{reward*2}}'],
		].map(([x, equals]) => ({
			otherwise: `The gold is wrong after the hero came to x = ${x}.`,
			calls: [
				post('/entities/0/components', { position: [x, 0, 0] }),
				post('/step', { ticks: 10 }),
				get('/entities/0', 'hero'),
			],
			field: 'hero.gold',
			equals,
		})),
		solution: {
			calls: [
				patch('/rule/1', {
					when: { kind: 'field', field: 'position.x', op: 'greater', value: '{{x}}', edge: 'rising' },
				}),
			],
		},
	},
	{
		id: 'deadly-swamp',
		title: 'A swamp that is sixty times too deadly',
		numbers: { damage: [6, 12, 18] },
		start: [
			post('/spawn', { health: 100, position: [0, 0.5, 0], tags: ['hero'] }),
			post('/trigger/create', {
				position: [0, 0, 0],
				zone: [3, 1, 3],
				action: 'damage:{{damage}}',
				per: 'tick',
			}),
		],
		prompt:
			'The hero, entity 0, stands in a swamp (entity 1, a trigger zone). The swamp should take {{damage}} health a second, but takes that on each tick. Repair it: replace the zone by one of the same place and size. Use POST /trigger/create and DELETE /trigger/{id}. Submit no answer.',
		budget: { calls: 15, bytes: 80_000 },
		moves: ['POST /trigger/create', 'DELETE /trigger/{id}'],
		claims: [
			{
				otherwise: 'The swamp takes too much or too little in a second.',
				calls: [post('/step', { ticks: 60 })],
				holds: 'any tag:hero & field:health>{{99-damage}} & field:health<{{101-damage}}',
			},
			{
				otherwise: 'The swamp is elsewhere.',
				calls: [post('/entities/0/components', { position: [2.9, 0.5, 2.9] }), post('/step', { ticks: 60 })],
				holds: 'any tag:hero & field:health>{{99-damage-damage}} & field:health<{{101-damage-damage}}',
			},
			{
				otherwise: 'The swamp is larger than it was.',
				calls: [post('/entities/0/components', { position: [3.1, 0.5, 0] }), post('/step', { ticks: 60 })],
				holds: 'any tag:hero & field:health>{{98-damage-damage}}',
			},
		],
		solution: {
			calls: [
				{ method: 'DELETE', path: '/trigger/1' },
				post('/trigger/create', {
					position: [0, 0, 0],
					zone: [3, 1, 3],
					action: 'damage:{{damage}}',
					per: 'second',
				}),
			],
		},
	},
	{
		id: 'broken-chain',
		title: 'A chain of signals with a broken link',
		numbers: { gold: [30, 45] },
		start: [
			post('/spawn', { health: 20, team: 2, tags: ['boss'] }),
			post('/spawn', { tags: ['gate'] }),
			post('/spawn', { gold: 0, tags: ['hero'] }),
			post('/rule/create', { name: 'boss', when: 'death', filter: 'tag:boss', do: ['emit boss-fell'] }),
			post('/rule/create', {
				name: 'gate',
				when: 'event:signal name==boss_fell',
				do: ['despawn tag:gate', 'emit gate-opened'],
			}),
			post('/rule/create', {
				name: 'prize',
				when: 'event:signal name==gate-opened',
				enabled: false,
				do: ['add_field tag:hero gold {{gold}}'],
			}),
		],
		prompt:
			'When the boss (tag "boss") dies, the gate (tag "gate") should vanish, and then the hero should get {{gold}} gold, once. Three rules (entities 3, 4, 5) should do that, and do not. Repair them with PATCH /rule/{id}. Submit no answer.',
		budget: { calls: 20, bytes: 100_000 },
		moves: RULE_MOVES,
		claims: [
			{
				otherwise: 'The gate vanishes too early.',
				calls: [post('/step', { ticks: 5 })],
				holds: 'count tag:gate min=1',
			},
			{
				otherwise: 'The gate stays.',
				calls: [post('/entity/damage', { entity_id: 0, amount: 50 }), post('/step', { ticks: 10 })],
				holds: 'count tag:gate max=0',
			},
			{
				otherwise: 'The gold is wrong.',
				calls: [get('/entities/2', 'hero')],
				field: 'hero.gold',
				equals: '{{gold}}',
			},
		],
		solution: {
			calls: [
				patch('/rule/4', { when: 'event:signal name==boss-fell' }),
				patch('/rule/5', { enabled: true }),
			],
		},
	},
];
