/** Tasks in which an agent finds an exact fact about a world. The engine computes the expected answer. */

import { get, post, type SuiteTask } from './task.ts';

const drawRule = (name: string, sides: readonly number[]) =>
	post('/rule/create', {
		name,
		when: 'tick:1',
		outcomes: sides.map((eyes) => ({
			label: String(eyes),
			weight: 1,
			do: [`add_field tag:sum gold ${eyes}`],
		})),
	});

export const UNDERSTAND: readonly SuiteTask[] = [
	{
		id: 'sum-of-dice',
		title: 'The chance of a sum of dice',
		numbers: { sum: [9, 10, 12] },
		start: [
			post('/spawn', { gold: 0, tags: ['sum'] }),
			drawRule('fair die', [1, 2, 3, 4, 5, 6]),
			drawRule('odd die', [1, 1, 3, 3, 5, 7]),
			drawRule('coin', [0, 2]),
		],
		prompt:
			'Two dice and a coin are thrown on the next tick; their sum becomes the gold of entity 0 (tag "sum"). What is the exact probability that the gold is at least {{sum}} after one tick? Answer with a fraction such as 5/36.',
		budget: { calls: 15, bytes: 120_000 },
		truth: {
			calls: [
				post('/peek', { merge: true, limit: 0, condition: 'any tag:sum & field:gold>={{sum}}' }, 'odds'),
			],
			answer: '$odds.condition.probability',
		},
	},
	{
		id: 'ruin',
		title: 'The chance of ruin',
		numbers: { gold: [2, 3], ticks: [10, 12, 14] },
		start: [
			post('/spawn', { gold: '{{gold}}', tags: ['gambler'] }),
			post('/rule/create', {
				name: 'bet',
				when: 'tick:1',
				outcomes: [
					{ label: 'win', weight: 2, do: ['add_field tag:gambler gold 1'] },
					{ label: 'lose', weight: 3, do: ['add_field tag:gambler gold -1'] },
				],
			}),
		],
		prompt:
			'Entity 0 (tag "gambler") has {{gold}} gold, and bets one on each tick. What is the exact probability that its gold is 0 at some time within the next {{ticks}} ticks? Answer with a fraction such as 5/36.',
		budget: { calls: 15, bytes: 120_000 },
		truth: {
			calls: [
				post('/peek', { ticks: '{{ticks}}', limit: 0, until: 'any tag:gambler & field:gold<=0' }, 'odds'),
			],
			answer: '$odds.until.probability',
		},
	},
	{
		id: 'way-over-the-hills',
		title: 'The length of a way over hills',
		numbers: { z: [-4, 0, 4] },
		start: [post('/scene/open', { name: 'skirmish' })],
		prompt:
			'The world is a skirmish between two camps, with hills, rocks and a navigation mesh. How long is the cheapest path on the mesh from the present position of entity 1, a hero of team 1, to [20, 1.4, {{z}}], or to the nearest position that can be reached? Answer with the length in metres exactly as the engine writes it, with all digits.',
		budget: { calls: 15, bytes: 200_000 },
		truth: {
			calls: [
				get('/entities/1', 'hero'),
				post(
					'/path/compute',
					{ from: '$hero.local_transform.position', to: [20, 1.4, '{{z}}'], partial: true },
					'way',
				),
			],
			answer: '$way.length',
		},
	},
	{
		id: 'who-killed',
		title: 'The cause of a death',
		numbers: { third: [31, 37, 43] },
		start: [
			post('/spawn', { health: 60, team: 1, tags: ['hero'] }),
			...[6, 9, '{{third}}', 5].map((damage, index) =>
				post('/spawn', {
					team: 2,
					health: 50,
					combat: true,
					combat_style: 'stationary',
					combat_range: 20,
					combat_damage: damage,
					combat_cooldown: 0.8 + 0.3 * index,
					position: [5, 0, index * 2],
					tags: ['archer'],
				}),
			),
			post('/step', { ticks: 200 }),
		],
		prompt:
			'Entity 0, the hero, is dead. Four archers shot at it. Which one dealt the last blow, and on which tick did the hero die? Answer with a list of two numbers: [id of the archer, tick].',
		budget: { calls: 15, bytes: 120_000 },
		truth: {
			calls: [get('/why/dead/0?tries=0', 'why')],
			answer: ['$why.killer', '$why.died_at'],
		},
	},
	{
		id: 'where-it-is',
		title: 'An exact position',
		numbers: { speed: [2, 3, 4], ticks: [90, 100, 110] },
		start: [
			post('/spawn', {
				position: [0, -0.5, 0],
				physics_body: 'Static',
				collider: { shape: 'Aabb', hx: 20, hy: 0.5, hz: 20 },
			}),
			post('/spawn', {
				position: [0, 4, 0],
				velocity: { linear: ['{{speed}}', 0, 0] },
				physics_body: 'Dynamic',
				collider: { shape: 'Sphere', radius: 0.5 },
				tags: ['ball'],
			}),
		],
		prompt:
			'A ball, entity 1, is thrown and bounces on a floor. What is the x of its position after {{ticks}} ticks? Answer with the number exactly as the engine writes it, with all digits.',
		budget: { calls: 10, bytes: 80_000 },
		truth: {
			calls: [post('/step', { ticks: '{{ticks}}' }), get('/entities/1', 'ball')],
			answer: '$ball.local_transform.position.0',
		},
	},
	{
		id: 'three-rules',
		title: 'The result of three rules',
		numbers: { start: [3, 5, 8], ticks: [200, 260, 310] },
		start: [
			post('/spawn', { gold: '{{start}}', tags: ['bank'] }),
			post('/rule/create', { name: 'interest', when: 'tick:7', do: ['add_field tag:bank gold 3'] }),
			post('/rule/create', {
				name: 'tax',
				when: 'field:gold>=20',
				filter: 'tag:bank',
				do: ['add_field this gold -13', 'emit taxed'],
			}),
			post('/rule/create', {
				name: 'rebate',
				when: 'event:signal name==taxed',
				do: ['add_field tag:bank gold 4'],
			}),
		],
		prompt:
			'Three rules change the gold of entity 0 (tag "bank"). How much gold does it have after {{ticks}} ticks from now, and on which tick is its gold at least 20 for the first time? Answer with a list of two numbers: [gold, tick].',
		budget: { calls: 15, bytes: 100_000 },
		truth: {
			calls: [
				post('/fork', { fork_id: 'truth' }),
				post('/step?world=truth', { ticks: '{{ticks}}' }),
				get('/entities/0?world=truth', 'bank'),
				post('/probe', { ticks: 600, fork: true, until: 'event:signal name==taxed' }, 'run'),
			],
			answer: ['$bank.gold', '$run.end_tick'],
		},
	},
	{
		id: 'smallest-health',
		title: 'The smallest health that survives',
		numbers: { damage: [7, 9, 12] },
		start: [
			post('/spawn', { health: 50, team: 1, combat: true, combat_damage: 5, tags: ['hero'] }),
			post('/spawn', {
				health: 60,
				team: 2,
				combat: true,
				combat_damage: '{{damage}}',
				position: [1, 0, 0],
				tags: ['foe'],
			}),
		],
		prompt:
			'The hero, entity 0, fights entity 1 and would lose. What is the smallest whole health from 1 to 400 with which the hero wins: the foe (tag "foe") is dead within 1200 ticks? Answer with the number.',
		budget: { calls: 20, bytes: 150_000 },
		truth: {
			calls: [
				post(
					'/sweep',
					{
						vary: [{ as: 'health', field: 'health', of: 'tag:hero', from: 1, to: 400 }],
						until: 'dead & tag:foe',
						ticks: 1200,
						find: 'smallest',
					},
					'table',
				),
			],
			answer: '$table.found.value',
		},
	},
	{
		id: 'spikes-and-chest',
		title: 'A chest behind spikes',
		numbers: { limit: [170, 180] },
		start: [
			post('/scene/open', { name: 'dungeon' }),
			post('/entities/0/components', { position: [9.7, 0.55, -6.1] }),
		],
		prompt:
			'The world is a dungeon. The hero, entity 0, stands on a trap with spikes beside a chest; both act within the next ticks. What is the exact probability that it has at least 60 gold and less than {{limit}} health after two ticks? Answer with a fraction such as 5/36.',
		budget: { calls: 15, bytes: 200_000 },
		truth: {
			calls: [
				post(
					'/peek',
					{ ticks: 2, limit: 0, condition: 'any tag:hero & field:gold>=60 & field:health<{{limit}}' },
					'odds',
				),
			],
			answer: '$odds.condition.probability',
		},
	},
];
