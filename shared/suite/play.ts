/** Tasks in which an agent wins a game by its moves. The agent may try moves in forks. */

import { get, post, type SuiteCall, type SuiteTask, type TaskClaim } from './task.ts';

const moveCall = (name: string, parameters: object = {}): SuiteCall =>
	post(`/action/${name}`, { parameters });

/** Returns a move without parameters. It sends a signal and then advances some ticks, in which the world reacts. */
const signalMove = (name: string, description: string, ticks: number) => ({
	name,
	description,
	requests: [{ path: '/events', body: { type: 'SignalEvent', name } }],
	ticks,
});

/** Maximum number of stones in a pile. */
const STONES = 23;

/** Returns the claim that the world has completed at most `tick` ticks. */
const timeClaim = (tick: number): TaskClaim => ({
	otherwise: 'It took too long.',
	calls: [get('/', 'status')],
	field: 'status.tick',
	atMost: tick,
});

const TROLL_STRIKE = { path: '/entity/damage', body: { entity_id: 0, amount: 7 } };

export const PLAY: readonly SuiteTask[] = [
	{
		id: 'market',
		title: 'Win the market',
		start: [
			post('/scene/open', { name: 'market' }),
			...[1, 2, 3].map((trader) => post(`/entities/${trader}/components`, { gold: 120 })),
		],
		prompt:
			'The world is a market with three traders, who have 120 gold each. You are the baker, entity 1, of team 1. The first trader with 200 gold wins. Win. GET /action/list shows your moves; POST /action/cry_wares {} makes one.',
		budget: { calls: 90, bytes: 400_000 },
		moves: ['POST /action/cry_wares', 'POST /action/wait'],
		claims: [{ otherwise: 'The baker has not won.', holds: 'winner:1' }],
		solution: {
			calls: [
				{
					...moveCall('cry_wares'),
					until: { field: 'results.3.body.0', equals: 'post_match', times: 60 },
				},
			],
		},
	},
	{
		id: 'towers',
		title: 'Two crowns in eight seconds',
		start: [post('/scene/open', { name: 'towers' })],
		prompt:
			'The world is a game with a wrecking ball and five towers, each with a crown. The gold of the entity with the tag "board" is the number of crowns that have fallen. Bring it to at least 2 before tick 481. GET /action/list shows your move.',
		budget: { calls: 30, bytes: 250_000 },
		moves: ['POST /action/send_ball'],
		claims: [
			{ otherwise: 'Fewer than two crowns have fallen.', holds: 'any tag:board & field:gold>=2' },
			timeClaim(480),
		],
		solution: {
			calls: [
				[-5, -5],
				[5, -5],
				[0, 0],
				[5, 5],
			].map(([x, z]) => moveCall('send_ball', { to: [x, 2, z], ticks: 120 })),
		},
	},
	{
		id: 'arena',
		title: 'A duel of knights in the arena',
		start: [post('/scene/open', { name: 'arena' }), post('/entity/damage', { entity_id: 20, amount: 150 })],
		prompt:
			'The world is an arena with two lanes. You lead the heroes of team 1: the knight, entity 13, on the north lane, and the ranger, entity 16, on the south lane. Before tick 1080 the knight of team 2, entity 20, must be dead and your knight alive. It is wounded, but left alone your knight falls. GET /action/list shows your move.',
		budget: { calls: 30, bytes: 400_000 },
		moves: ['POST /action/send_hero'],
		claims: [
			{ otherwise: 'The knight of team 2 lives.', holds: 'any tag:knight+team:2 & dead' },
			{ otherwise: 'The knight of team 1 is dead.', holds: 'any tag:knight+team:1 & alive' },
			timeClaim(1079),
		],
		solution: {
			calls: [
				[-8, 240],
				[-4, 240],
				[-1, 295],
				[-1, 295],
			].flatMap(([x, ticks]) => [
				moveCall('send_hero', { hero: 16, to: [x, 0.6, -8], ticks: 1 }),
				moveCall('send_hero', { hero: 13, to: [x, 0.6, -8], ticks: ticks! - 1 }),
			]),
		},
	},
	{
		id: 'troll',
		title: 'A fight with three potions',
		numbers: { health: [70, 80] },
		start: [
			post('/scenario', {
				version: 2,
				entities: [
					{ health: 30, team: 1, tags: ['hero'] },
					{ health: '{{health}}', team: 2, tags: ['troll'] },
				],
				actions: [
					{
						name: 'strike',
						description: 'The hero strikes the troll for 10 health. The troll strikes back.',
						requests: [{ path: '/entity/damage', body: { entity_id: 1, amount: 10 } }, TROLL_STRIKE],
						ticks: 2,
					},
					{
						name: 'drink',
						description: 'The hero drinks a potion, which restores up to 20 health. The troll strikes.',
						requests: [
							{ path: '/item/take', body: { entity_id: 0, item_id: 1 } },
							{ path: '/entity/heal', body: { entity_id: 0, amount: 20 } },
							TROLL_STRIKE,
						],
						ticks: 2,
					},
				],
			}),
			post('/item/define', { id: 1, name: 'Potion' }),
			post('/item/give', { entity_id: 0, item_id: 1, count: 3 }),
		],
		prompt:
			'The hero, entity 0, fights the troll, entity 1, and has three potions (item 1). Kill the troll, and keep the hero alive. GET /action/list shows your moves; POST /action/strike {} makes one.',
		budget: { calls: 30, bytes: 120_000 },
		moves: ['POST /action/{name}'],
		claims: [
			{ otherwise: 'The troll lives.', holds: 'any tag:troll & dead' },
			{ otherwise: 'The hero is dead.', holds: 'any tag:hero & alive' },
		],
		solution: {
			calls: 'SSSDSSDSSDS'.split('').map((letter) => moveCall(letter === 'S' ? 'strike' : 'drink')),
		},
	},
	{
		id: 'stones',
		title: 'The last stone of a pile',
		numbers: { over: [1, 2, 3] },
		start: [
			post('/scenario', {
				version: 2,
				game: { score_limit: 1000, time_limit: 0 },
				entities: [{ gold: '{{20+over}}', tags: ['pile'] }],
				rules: [
					...[1, 2, 3].map((count) => ({
						name: `you take ${count}`,
						when: `event:signal name==take_${count}`,
						actions: [`add_field tag:pile gold -${count}`, 'emit taken'],
					})),
					{
						name: 'you took the last one',
						when: 'event:signal name==taken & field:gold==0',
						filter: 'tag:pile',
						actions: ['endgame 1'],
					},
					{
						name: 'too many',
						when: 'field:gold<0',
						filter: 'tag:pile',
						actions: ['endgame 2'],
					},
					...Array.from({ length: STONES }, (_, index) => ({
						name: `reply to ${index + 1}`,
						when: `event:signal name==taken & field:gold==${index + 1}`,
						filter: 'tag:pile',
						actions: [
							`add_field this gold -${(index + 1) % 4 || 1}`,
							...((index + 1) % 4 === index + 1 ? ['endgame 2'] : []),
						],
					})),
				],
				actions: [1, 2, 3].map((count) =>
					signalMove(`take_${count}`, `Takes ${count} from the pile. The opponent then takes some.`, 5),
				),
			}),
		],
		prompt:
			'A pile has {{20+over}} stones: the gold of entity 0. You and an opponent take one, two or three in turn, and you begin. The one that takes the last stone wins. Win, as team 1. Moves: POST /action/take_1 {}, take_2 and take_3. The opponent replies within the move.',
		budget: { calls: 25, bytes: 120_000 },
		moves: ['POST /action/{name}'],
		claims: [{ otherwise: 'Team 1 has not won.', holds: 'winner:1' }],
		solution: { calls: [moveCall('take_{{over}}'), ...Array.from({ length: 5 }, () => moveCall('take_3'))] },
	},
	{
		id: 'coins',
		title: 'Three coins with four keys',
		numbers: { far: [3, 4] },
		start: [
			post('/spawn', { player: true, gold: 0, position: [0, 0, 0], tags: ['hero'] }),
			...[
				['{{far}}', 0],
				['{{far}}', 3],
				[0, 3],
			].map(([x, z]) => post('/spawn', { position: [x, 0, z], tags: ['coin'] })),
			post('/rule/create', {
				name: 'collect',
				when: 'distance:0<0.8',
				filter: 'tag:coin',
				do: ['add_field tag:hero gold 5', 'despawn this'],
			}),
		],
		prompt:
			'You play entity 0 with keys, sent with POST /step: {"ticks":60,"inputs":[{"key":"ArrowRight","ticks":60}]}. ArrowLeft, ArrowUp and ArrowDown are keys too. Collect the three coins (tag "coin") by walking over them, so that entity 0 has 15 gold, before tick 400.',
		budget: { calls: 20, bytes: 100_000 },
		moves: ['POST /step'],
		claims: [
			{
				otherwise: 'Not all coins are collected.',
				calls: [get('/entities/0', 'hero')],
				field: 'hero.gold',
				equals: 15,
			},
			timeClaim(399),
		],
		solution: {
			calls: [
				['ArrowRight', '{{far*12}}'],
				['ArrowDown', 36],
				['ArrowLeft', '{{far*12}}'],
			].map(([key, ticks]) => post('/step', { ticks, inputs: [{ key, ticks }] })),
		},
	},
	{
		id: 'past-the-guard',
		title: 'Past a guard at the right time',
		numbers: { speed: [2.5, 3, 3.5] },
		start: [
			post('/spawn', { player: true, health: 10, team: 1, position: [0, 0, 0], tags: ['hero'] }),
			post('/spawn', {
				position: [4, 0, 0],
				physics_body: 'Kinematic',
				velocity: { linear: [0, 0, '{{speed}}'] },
				tags: ['guard'],
			}),
			...[
				['>6', '-{{speed}}'],
				['<-6', '{{speed}}'],
			].map(([end, speed]) =>
				post('/rule/create', {
					when: `field:position.z${end}`,
					filter: 'tag:guard',
					do: [`set_field this velocity.linear.z ${speed}`],
				}),
			),
			post('/rule/create', {
				name: 'caught',
				when: 'distance:1<2.5',
				filter: 'tag:hero',
				do: ['damage this 100'],
			}),
		],
		prompt:
			'You play the hero, entity 0, with keys, sent with POST /step: {"ticks":60,"inputs":[{"key":"ArrowRight","ticks":60}]}. A guard, entity 1, walks to and fro on the line x = 4 and catches you within 2.5 m. Come to x > 8 alive, before tick 900.',
		budget: { calls: 25, bytes: 120_000 },
		moves: ['POST /step'],
		claims: [
			{
				otherwise: 'The hero is not beyond x = 8, or not alive.',
				holds: 'any tag:hero & alive & field:position.x>8',
			},
			timeClaim(899),
		],
		solution: {
			calls: [
				post('/step', { ticks: 60 }),
				post('/step', { ticks: 200, inputs: [{ key: 'ArrowRight', ticks: 200 }] }),
			],
		},
	},
	{
		id: 'two-towers',
		title: 'Two towers against a column',
		numbers: { z: [2, 4] },
		start: [
			post('/scenario', {
				version: 2,
				entities: Array.from({ length: 8 }, (_, index) => ({
					health: 60,
					team: 2,
					position: [12 + 2 * index, 0, 0],
					combat: true,
					combat_damage: 0,
					combat_speed: 2,
					march: [-1, 0, 0],
					respawns: false,
					tags: ['creep'],
				})),
				actions: [
					{
						name: 'build',
						description: 'Builds a tower with a range of 6 m, if a beam is left.',
						parameters: { at: { type: 'position', description: 'Place of the tower' } },
						requests: [
							{ path: '/item/take', body: { entity_id: 8, item_id: 1 } },
							{
								path: '/spawn',
								body: {
									position: '$at',
									health: 500,
									team: 1,
									combat: true,
									combat_style: 'stationary',
									combat_range: 6,
									combat_damage: 14,
									combat_cooldown: 0.5,
									tags: ['tower'],
								},
							},
						],
					},
				],
			}),
			post('/spawn', { position: [-9, 0, '{{z}}'], tags: ['store'] }),
			post('/item/define', { id: 1, name: 'Beam' }),
			post('/item/give', { entity_id: 8, item_id: 1, count: 2 }),
		],
		prompt:
			'Eight creeps (tag "creep") march in a column along z = 0 towards smaller x. You have beams for two towers, kept by entity 8. Build them so that in the next 20 seconds (1200 ticks) no creep comes to x < -6, and all are dead then. Your move: POST /action/build {"parameters":{"at":[x,0,z]}}. Towers must be at |z| of at least {{z}}. Do not step main; the suite does.',
		budget: { calls: 25, bytes: 150_000 },
		moves: ['POST /action/{name}'],
		claims: [
			{
				otherwise: 'A creep comes through.',
				calls: [post('/probe', { ticks: 1200, until: 'any tag:creep & alive & field:position.x<-6' }, 'run')],
				field: 'run.stopped',
				equals: 'ticks',
			},
			{
				otherwise: 'A tower is too near to the way.',
				holds: 'none tag:tower & field:position.z>-{{z}} & field:position.z<{{z}}',
			},
			{ otherwise: 'A creep lives.', holds: 'count tag:creep+alive max=0' },
		],
		solution: {
			calls: [moveCall('build', { at: [2, 0, '{{z}}'] }), moveCall('build', { at: [-2, 0, '{{z}}'] })],
		},
	},
];
