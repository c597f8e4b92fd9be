/** Recipes: chance, forks, checks and scripts. */

import { get, post, type Recipe } from './recipe.ts';

export const ODDS: readonly Recipe[] = [
	{
		name: 'treasure-chest',
		title: 'A chest with exact odds',
		about:
			'A rule with outcomes draws one of them. /peek lists the odds, and /step draws from exactly these.',
		words: 'loot random chance probability gamble weight',
		requests: [
			post('/spawn', { gold: 0, tags: ['hero'] }),
			post('/rule/create', {
				name: 'chest',
				when: 'tick:1',
				outcomes: [
					{ label: 'gold', weight: 1, do: ['add_field tag:hero gold 100'] },
					{ label: 'empty', weight: 3 },
				],
			}),
			post('/peek'),
			post('/step', { ticks: 1 }),
		],
		holds: 'any tag:hero & field:gold>=0',
	},
	{
		name: 'critical-hits',
		title: 'Attacks with critical hits',
		about:
			'A fighter with `crit` draws on each attack. With trace "draws", /step lists only ticks that drew.',
		words: 'crit chance damage combat luck',
		requests: [
			post('/spawn', {
				health: 100,
				team: 1,
				combat: true,
				combat_damage: 5,
				combat_cooldown: 0.5,
				crit: { chance: '1/4', multiplier: 3 },
				tags: ['hero'],
			}),
			post('/spawn', { health: 200, team: 2, position: [1, 0, 0], tags: ['dummy'] }),
			post('/step', { ticks: 120, trace: 'draws' }),
		],
		holds: 'any tag:dummy & field:health<200',
	},
	{
		name: 'loot-drop',
		title: 'An enemy that drops loot',
		about: 'Loot is a distribution too: when its owner dies, one entry is drawn.',
		words: 'drop reward death random item',
		requests: [
			post(
				'/spawn',
				{
					health: 10,
					team: 2,
					loot: [
						{ label: 'coin', weight: 1, spawn: { mesh: 'models/coin.glb', tags: ['loot'] } },
						{ label: 'crown', weight: '1/9', spawn: { mesh: 'models/crown.glb', tags: ['loot'] } },
					],
				},
				'foe',
			),
			post('/entity/damage', { entity_id: '$foe.id', amount: 50 }),
			post('/step', { ticks: 3, trace: 'draws' }),
		],
		holds: 'count tag:loot min=1 max=1',
	},
	{
		name: 'two-dice',
		title: 'Two dice and the chance of a sum',
		about:
			'Each die is a rule with six outcomes. /peek returns the exact probability of a condition after the tick.',
		words: 'dice probability sum exact game board',
		requests: [
			post('/spawn', { gold: 0, tags: ['sum'] }),
			...[1, 2].map((die) =>
				post('/rule/create', {
					name: `die ${die}`,
					when: 'tick:1',
					outcomes: [1, 2, 3, 4, 5, 6].map((eyes) => ({
						label: String(eyes),
						weight: 1,
						do: [`add_field tag:sum gold ${eyes}`],
					})),
				}),
			),
			post('/peek', { merge: true, condition: 'field:gold>=10 & tag:sum' }),
			post('/step'),
		],
		holds: 'any tag:sum & field:gold>=2',
	},
	{
		name: 'try-it-in-a-fork',
		title: 'Two plans compared in forks',
		about:
			'A fork is a copy that evolves as the original would. Each plan gets its own fork, and the world itself does not change.',
		words: 'plan if compare copy counterfactual search',
		requests: [
			post('/spawn', { health: 100, team: 1, tags: ['hero'] }, 'hero'),
			post('/fork', { fork_id: 'heal' }),
			post('/fork', { fork_id: 'hurt' }),
			post('/entity/heal?world=heal', { entity_id: '$hero.id', amount: 10 }),
			post('/entity/damage?world=hurt', { entity_id: '$hero.id', amount: 90 }),
			post('/step?world=heal', { ticks: 60 }),
			post('/step?world=hurt', { ticks: 60 }),
			get('/fork/hurt/diff'),
		],
		holds: 'any tag:hero & field:health==100',
	},
	{
		name: 'smallest-damage-that-wins',
		title: 'The smallest damage with which a tower wins',
		about:
			'/sweep runs variants in throw-away forks and returns a table. With `find` it bisects a range. The world stays as it is.',
		words: 'balance tune optimize search threshold minimum value variants what if sweep grid',
		requests: [
			post('/spawn', { health: 200, team: 1, combat: true, combat_damage: 5, tags: ['tower'] }),
			post('/spawn', {
				health: 300,
				team: 2,
				combat: true,
				combat_damage: 12,
				position: [1, 0, 0],
				tags: ['foe'],
			}),
			post('/sweep', {
				vary: [{ as: 'damage', field: 'combat_damage', of: 'tag:tower', from: 1, to: 100 }],
				until: 'dead & tag:foe',
				ticks: 1200,
				find: 'smallest',
			}),
		],
		holds: 'any tag:foe & field:health==300',
	},
	{
		name: 'fair-price',
		title: 'A fair price over many seeds',
		about:
			'With `seeds`, /sweep runs each variant many times and returns fractions, means and ranges. Requests use the value as "$price".',
		words: 'average mean expected value economy balance monte carlo statistics sweep seeds shop',
		requests: [
			post('/spawn', { gold: 1000, tags: ['seller'] }),
			post('/rule/create', {
				when: 'tick:1',
				outcomes: [
					{ label: 'full', weight: 1, do: ['add_field tag:seller gold -30'] },
					{ label: 'poor', weight: 2, do: ['add_field tag:seller gold -3'] },
				],
			}),
			post('/sweep', {
				vary: [{ as: 'price', values: [10, 12, 14] }],
				requests: [
					{
						path: '/rule/create',
						body: {
							when: 'tick:1',
							do: [{ action: 'add_field', target: { tag: 'seller' }, field: 'gold', value: '$price' }],
						},
					},
				],
				ticks: 10,
				seeds: 40,
				fields: { gold: { field: 'gold', of: 'tag:seller' } },
			}),
		],
		holds: 'any tag:seller & field:gold==1000',
	},
	{
		name: 'many-episodes',
		title: 'Many episodes in one call',
		about:
			'/fork/step creates or resets forks, acts in each, steps all of them, and returns one small row per fork.',
		words: 'fork many parallel environments reset learning loop reinforcement rollout vector seeds',
		requests: [
			post('/spawn', { gold: 0, tags: ['hero'] }),
			post('/rule/create', {
				name: 'bandit',
				when: 'tick:1',
				outcomes: [
					{ label: 'win', weight: 3, do: ['add_field tag:hero gold 1'] },
					{ label: 'lose', weight: 7 },
				],
			}),
			post('/fork/step', {
				steps: [1, 2, 3].map((seed) => ({ fork_id: `episode${seed}`, from: 'main', seed })),
				ticks: 60,
				fields: ['gold'],
				filter: 'tag:hero',
				where: { rich: 'field:gold>=20' },
			}),
			post('/fork/step', {
				steps: [1, 2, 3].map((number) => ({ fork_id: `episode${number}` })),
				ticks: 600,
				until: 'field:gold>=30',
				fields: ['gold'],
			}),
		],
		holds: 'any tag:hero & field:gold==0',
	},
	{
		name: 'save-and-restore',
		title: 'A snapshot, a mistake, and back again',
		about: 'A snapshot stores the whole state. Restoring it gives the same digest.',
		words: 'undo snapshot load save checkpoint',
		requests: [
			post('/spawn', { health: 100, tags: ['hero'] }, 'hero'),
			post('/snapshot', { label: 'before' }),
			post('/despawn', { entity_id: '$hero.id' }),
			post('/snapshot/before/restore'),
		],
		holds: 'count tag:hero min=1',
	},
	{
		name: 'test-of-a-game',
		title: 'A test that a game can be won',
		about: 'Assertions are conditions with a name. /probe with fork steps a copy and evaluates them.',
		words: 'assertion check verify ci quality probe',
		requests: [
			post('/spawn', { health: 100, team: 1, combat: true, combat_damage: 50, tags: ['hero'] }),
			post('/spawn', { health: 60, team: 2, position: [1, 0, 0], tags: ['foe'] }),
			post('/assert/create', { name: 'the hero lives', condition: 'count tag:hero+alive min=1' }),
			post('/probe', { ticks: 300, until: 'count tag:foe+dead min=1', fork: true }),
		],
		holds: 'any tag:foe & alive',
	},
	{
		name: 'pet-in-lua',
		title: 'A pet that follows its owner, in Lua',
		about:
			'A script runs on every tick and can do more than a rule. It is part of the world: forks and saves keep it.',
		words: 'script ai behaviour follow lua code',
		requests: [
			post('/spawn', { position: [6, 0, 0], tags: ['owner'] }),
			post('/spawn', { mesh: 'models/slime.glb', position: [0, 0, 0], tags: ['pet'] }, 'pet'),
			post('/script/load', {
				entity_id: '$pet.id',
				script_name: 'pet',
				source:
					'function on_update(me, dt)\n  local owner = engine.query({ filter = "tag:owner" })[1]\n  local x, y, z = engine.get_position(me)\n  if engine.distance(me, owner) > 1.5 then engine.set_position(me, x + 2 * dt, y, z) end\nend',
			}),
			post('/step', { ticks: 240 }),
		],
		holds: 'any tag:pet & field:position.x>4',
	},
	{
		name: 'what-one-sees',
		title: 'A guard that sees only near entities',
		about: 'A view filter decides which entities an entity sees. /observe with `viewer` shows only these.',
		words: 'fog of war hidden visibility partial observation stealth',
		requests: [
			post('/spawn', { team: 1, tags: ['guard'] }, 'guard'),
			post('/spawn', { team: 2, position: [3, 0, 0], tags: ['near'] }),
			post('/spawn', { team: 2, position: [30, 0, 0], tags: ['far'] }),
			post('/view-filter/set', { entity_id: '$guard.id', rules: ['within:10'] }),
			post('/step', { ticks: 2 }),
			post('/observe?viewer=$guard.id', { fields: ['tags', 'position'] }),
		],
		holds: 'count tag:far min=1',
	},
	{
		name: 'chain-of-events',
		title: 'Dominoes: one event causes the next',
		about: 'A rule sends a signal, and another one waits for it. Signals connect rules without shared state.',
		words: 'signal emit trigger sequence combo quest',
		requests: [
			post('/spawn', { health: 10, team: 2, tags: ['boss'] }, 'boss'),
			post('/rule/create', { when: 'death', filter: 'tag:boss', do: ['emit boss-fell'] }),
			post('/rule/create', {
				when: 'event:signal name==boss-fell',
				do: ['spawn cube 0,0,0 gold', 'text The gate opens'],
			}),
			post('/entity/damage', { entity_id: '$boss.id', amount: 99 }),
			post('/step', { ticks: 5, events: ['signal', 'death'] }),
		],
		holds: 'count component:mesh min=1',
	},
];
