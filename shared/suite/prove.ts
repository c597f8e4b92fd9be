/** Tasks about all futures of a world or about two worlds. Their answers must be true without exception. */

import { get, post, type SuiteCall, type SuiteTask } from './task.ts';

/** Returns the same call on a fork. */
const onFork = (fork: string, call: SuiteCall): SuiteCall => ({
	...call,
	path: `${call.path}?world=${fork}`,
});

/** A lock with a number: signals change it, and it opens at one value. */
const LOCK: readonly SuiteCall[] = [
	post('/spawn', { gold: '{{start}}', tags: ['lock'] }),
	post('/rule/create', { name: 'a', when: 'event:signal name==a', do: ['add_field tag:lock gold 3'] }),
	post('/rule/create', { name: 'b', when: 'event:signal name==b', do: ['add_field tag:lock gold -2'] }),
	post('/rule/create', {
		name: 'c',
		when: 'event:signal name==c & field:gold>={{limit}}',
		filter: 'tag:lock',
		do: ['add_field this gold 7'],
	}),
];

const signalRequest = (name: string, index: number) => ({
	path: '/events',
	body: { type: 'SignalEvent', name, data: index },
});

export const PROVE: readonly SuiteTask[] = [
	{
		id: 'equal-worlds',
		title: 'Forks that are equal to main',
		numbers: { heal: [4, 7], gold: [5, 6] },
		start: [
			post('/spawn', { health: 100, gold: 10, tags: ['hero'] }),
			post('/spawn', { position: [3, 0, 0], tags: ['stone'] }),
			...['a', 'b', 'c', 'd'].map((fork) => post('/fork', { fork_id: fork })),
			post('/entity/damage?world=a', { entity_id: 0, amount: 20 }),
			post('/step?world=a', { ticks: 30 }),
			post('/entity/damage?world=b', { entity_id: 0, amount: 10 }),
			post('/entity/damage?world=b', { entity_id: 0, amount: 10 }),
			post('/step?world=b', { ticks: 30 }),
			post('/entity/damage?world=c', { entity_id: 0, amount: '{{20+heal}}' }),
			post('/step?world=c', { ticks: 15 }),
			post('/entity/heal?world=c', { entity_id: 0, amount: '{{heal}}' }),
			post('/step?world=c', { ticks: 15 }),
			post('/step?world=d', { ticks: 29 }),
			post('/entity/damage?world=d', { entity_id: 0, amount: 20 }),
			post('/step?world=d', { ticks: 1 }),
			post('/entity/damage', { entity_id: 0, amount: 20 }),
			post('/step', { ticks: 30 }),
		],
		prompt:
			'The forks a, b, c and d were led to this tick by different calls. Which of them are in exactly the same state as main? Answer with a list of four truth values, in the order a, b, c, d, such as [true, false, false, true].',
		budget: { calls: 15, bytes: 100_000 },
		truth: {
			calls: ['a', 'b', 'c', 'd'].map((fork) => get(`/fork/${fork}/diff`, fork)),
			answer: ['$a.equal', '$b.equal', '$c.equal', '$d.equal'],
		},
	},
	{
		id: 'where-they-differ',
		title: 'The one difference of two worlds',
		numbers: { id: [3, 8, 14], gold: [4, 9] },
		start: [
			...Array.from({ length: 16 }, (_, index) =>
				post('/spawn', { gold: 5, health: 20 + index, position: [index, 0, 0], tags: ['row'] }),
			),
			post('/fork', { fork_id: 'other' }),
			post('/entities/{{id}}/components?world=other', { gold: '{{gold}}' }),
		],
		prompt:
			'The fork "other" differs from main in one number. Which entity has it, and what is its value in the fork? Answer with a list of two numbers: [id, value].',
		budget: { calls: 10, bytes: 60_000 },
		truth: {
			calls: [get('/fork/other/diff', 'diff')],
			answer: ['$diff.changed.0.id', '$diff.changed.0.fields.0.to'],
		},
	},
	{
		id: 'first-parting',
		title: 'The tick on which two worlds part',
		numbers: { every: [37, 53, 71] },
		start: [
			post('/spawn', { gold: 0, health: 50, tags: ['bank'] }),
			post('/rule/create', { when: 'tick:11', do: ['add_field tag:bank gold 1'] }),
			post('/fork', { fork_id: 'other' }),
			post('/rule/create', {
				name: 'extra',
				when: 'tick:{{every}}',
				do: ['set_field tag:bank health.current 9'],
			}),
			onFork(
				'other',
				post('/rule/create', {
					name: 'extra',
					when: 'tick:{{every}}',
					do: ['set_field tag:bank health.current 50'],
				}),
			),
		],
		prompt:
			'In main and in the fork "other", both at tick 0, a rule "extra" is different. On which tick does entity 0 differ between the two for the first time, if both are stepped? Answer with the number of the tick.',
		budget: { calls: 40, bytes: 150_000 },
		truth: {
			calls: [post('/probe', { ticks: 600, fork: true, until: 'any tag:bank & field:health==9' }, 'run')],
			answer: '$run.end_tick',
		},
	},
	{
		id: 'opening-sequences',
		title: 'All sequences of a length that reach a goal',
		numbers: { start: [4, 5, 6], limit: [5, 7], goal: [15, 17] },
		start: LOCK,
		prompt:
			'The lock, entity 0, has a number as its gold: {{start}}. The signals "a", "b" and "c" change it; GET /rule/list shows how. POST /events {"type":"SignalEvent","name":"a"} sends one, and POST /step with 2 ticks lets it act. How many of the 27 sequences of three signals end with a number of at least {{goal}}? Answer with the number.',
		budget: { calls: 60, bytes: 250_000 },
		truth: {
			calls: [
				post(
					'/sweep',
					{
						variants: ['a', 'b', 'c'].flatMap((item) =>
							['a', 'b', 'c'].flatMap((two) =>
								['a', 'b', 'c'].map((three) => ({
									name: `${item}${two}${three}`,
									requests: [item, two, three].flatMap((name, index) => [
										signalRequest(name, index),
										{ path: '/step', body: { ticks: 2 } },
									]),
								})),
							),
						),
						ticks: 0,
						where: { open: 'any tag:lock & field:gold>={{goal}}' },
					},
					'table',
				),
			],
			answer: { pick: '$table.rows', field: '1', equals: true, count: true },
		},
	},
	{
		id: 'half-by-tick',
		title: 'The tick from which on a chance is at least one half',
		numbers: { weight: [9, 14, 22] },
		start: [
			post('/spawn', { gold: 0, tags: ['hero'] }),
			post('/rule/create', {
				when: 'tick:1',
				outcomes: [
					{ label: 'found', weight: 1, do: ['add_field tag:hero gold 1'] },
					{ label: 'nothing', weight: '{{weight}}' },
				],
			}),
		],
		prompt:
			'On each tick the hero, entity 0, finds one gold with a small probability. What is the first tick by which it has found at least 2 gold with a probability of at least 1/2? Answer with the number of the tick.',
		budget: { calls: 15, bytes: 200_000 },
		truth: {
			calls: [
				post(
					'/peek',
					{ ticks: 80, limit: 0, merge: 'observable', until: 'any tag:hero & field:gold>=2' },
					'odds',
				),
			],
			answer: {
				pick: '$odds.until.by_tick',
				field: 'p',
				total: true,
				atLeast: 0.5,
				take: 'tick',
				first: true,
			},
		},
	},
	{
		id: 'last-way-out',
		title: 'The last way out of a death',
		numbers: { edge: [4, 5, 6, 7], amount: [5, 8, 12] },
		start: [
			post('/spawn', { health: 100, tags: ['hero'], physics_body: 'Kinematic', position: [0, 0, 0] }),
			post('/rule/create', {
				when: { kind: 'field', field: 'position.x', op: 'less', value: '{{edge}}', edge: 'level' },
				filter: 'tag:hero',
				do: ['damage this 1'],
			}),
			post('/step', { ticks: 150 }),
		],
		prompt:
			'The hero, entity 0, burned to death in a fire that reaches to x = {{edge}}. It had two ways out: POST /entities/0/components {"velocity":{"linear":[10,0,0]}}, or POST /entity/heal {"entity_id":0,"amount":{{amount}}}, one of them once. What is the last tick at which one of the two would have kept it alive up to now? Answer with the number of the tick.',
		budget: { calls: 20, bytes: 150_000 },
		truth: {
			calls: [
				post(
					'/inevitable',
					{
						outcome: 'dead & tag:hero',
						interventions: [
							{
								name: 'run',
								requests: [{ path: '/entities/0/components', body: { velocity: { linear: [10, 0, 0] } } }],
							},
							{
								name: 'sip',
								requests: [{ path: '/entity/heal', body: { entity_id: 0, amount: '{{amount}}' } }],
							},
						],
					},
					'past',
				),
			],
			answer: '$past.last_way_out.tick',
		},
	},
	{
		id: 'which-call',
		title: 'The calls without which the outcome is another',
		numbers: { first: [1, 2, 4], second: [3, 4] },
		start: [
			post('/spawn', { health: 101, team: 1, combat: true, combat_damage: 10, tags: ['blue'] }),
			post('/spawn', {
				health: 105,
				team: 2,
				combat: true,
				combat_damage: 10,
				position: [1, 0, 0],
				tags: ['red'],
			}),
			...['{{first}}', '{{second}}', 2].flatMap((amount) => [
				post('/entity/damage', { entity_id: 1, amount }),
				post('/step', { ticks: 30 }),
			]),
		],
		prompt:
			'Entities 0 (tag "blue") and 1 (tag "red") fight. Three calls to /entity/damage hurt red; GET /history shows them. If the fight goes on until one of the two is dead, blue is alive. For how many of the three calls is this not so without that one call, all other calls and their ticks as they were? Answer with the number.',
		budget: { calls: 25, bytes: 200_000 },
		truth: {
			calls: [
				post(
					'/sweep',
					{
						leave_out: { calls: 3 },
						until: 'any dead',
						ticks: 1200,
						where: { blue_lives: 'count tag:blue+alive min=1' },
					},
					'table',
				),
			],
			answer: { pick: '$table.rows', field: '3', equals: false, count: true },
		},
	},
	{
		id: 'never-both',
		title: 'The chance of two outcomes together',
		numbers: { ticks: [3, 4] },
		start: [
			post('/spawn', { gold: 0, position: [1, 0, 0], tags: ['hero'] }),
			post('/rule/create', {
				name: 'left',
				when: 'tick:1',
				outcomes: [
					{ label: 'coin', weight: 1, do: ['add_field tag:hero gold 1'] },
					{ label: 'none', weight: 2 },
				],
			}),
			post('/rule/create', {
				name: 'right',
				when: 'tick:1 & field:gold<2',
				filter: 'tag:hero',
				outcomes: [
					{ label: 'up', weight: 1, do: ['add_field this position.x 1'] },
					{ label: 'stay', weight: 3 },
				],
			}),
		],
		prompt:
			'Two rules draw on each tick. What is the exact probability that after {{ticks}} ticks entity 0 has both at least 2 gold and an x of at least 3? And that it has {{ticks}} gold and an x of {{ticks+1}}? Answer with a list of two fractions, such as [5/36, 0].',
		budget: { calls: 15, bytes: 150_000 },
		truth: {
			calls: [
				post(
					'/peek',
					{
						ticks: '{{ticks}}',
						limit: 0,
						merge: 'observable',
						condition: 'any tag:hero & field:gold>=2 & field:position.x>=3',
					},
					'both',
				),
				post(
					'/peek',
					{
						ticks: '{{ticks}}',
						limit: 0,
						merge: 'observable',
						condition: 'any tag:hero & field:gold=={{ticks}} & field:position.x=={{ticks+1}}',
					},
					'all',
				),
			],
			answer: ['$both.condition.probability', '$all.condition.probability'],
		},
	},
];
