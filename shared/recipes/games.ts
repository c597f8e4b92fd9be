/** Recipes: goals, fights, items and heroes. */

import { post, type Recipe } from './recipe.ts';

const hero = (fields: object = {}) =>
	post(
		'/spawn',
		{ mesh: 'models/knight.glb', color: 'blue', health: 100, team: 1, tags: ['hero'], ...fields },
		'hero',
	);
const foe = (fields: object = {}) =>
	post('/spawn', { mesh: 'models/goblin.glb', color: 'red', health: 30, team: 2, tags: ['foe'], ...fields });

export const GAMES: readonly Recipe[] = [
	{
		name: 'coins-to-collect',
		title: 'Coins that give gold when the player comes near',
		about:
			'A rule fires for each coin that comes within a distance of the player, pays and removes the coin.',
		words: 'pickup collect treasure item enter distance',
		requests: [
			post('/spawn', { mesh: 'models/knight.glb', player: true, gold: 0, tags: ['hero'] }, 'hero'),
			...[2, 4, 6].map((x) =>
				post('/spawn', { mesh: 'models/coin.glb', position: [x, 0, 0], tags: ['coin'] }),
			),
			post('/rule/create', {
				name: 'collect',
				when: 'distance:${hero.id}<1',
				filter: 'tag:coin',
				do: ['add_field tag:hero gold 5', 'despawn this'],
			}),
			post('/step', { ticks: 120, inputs: [{ key: 'ArrowRight', ticks: 120 }] }),
		],
		holds: 'any tag:hero & field:gold>=10',
	},
	{
		name: 'waves-of-enemies',
		title: 'A wave of enemies every few seconds',
		about: 'A template holds the enemy. A timer spawns it, and a limit stops the waves.',
		words: 'spawner timer horde template',
		requests: [
			post('/template/create', {
				name: 'goblin',
				mesh: 'models/goblin.glb',
				health: 20,
				team: 2,
				tags: ['foe'],
			}),
			post('/rule/create', {
				name: 'wave',
				when: 'timer:2 & count tag:foe max=5',
				do: ['spawn template:goblin 8,0,0'],
			}),
			post('/step', { ticks: 600 }),
		],
		holds: 'count tag:foe min=4 max=6',
	},
	{
		name: 'tower-defence',
		title: 'A tower that shoots marching enemies',
		about:
			'Enemies march in a direction, and do not respawn. A stationary fighter shoots enemies within its range.',
		words: 'turret shoot projectile lane tower defense',
		requests: [
			post('/spawn', {
				mesh: 'models/tower.glb',
				health: 500,
				team: 1,
				combat: true,
				combat_style: 'stationary',
				combat_range: 10,
				combat_damage: 15,
				combat_projectile: { speed: 30 },
				tags: ['tower'],
			}),
			...[10, 12, 14].map((x) =>
				foe({ position: [x, 0, 2], combat: true, combat_speed: 2, march: [-1, 0, 0], respawns: false }),
			),
			post('/step', { ticks: 600 }),
		],
		holds: 'count tag:foe+alive max=0',
	},
	{
		name: 'duel',
		title: 'Two fighters, and who wins',
		about: 'Fighters of different teams attack each other. /probe runs until one is dead.',
		words: 'fight combat battle winner',
		requests: [
			hero({ combat: true, combat_damage: 12, position: [-2, 0, 0] }),
			foe({ combat: true, combat_damage: 8, health: 80, position: [2, 0, 0] }),
			post('/probe', { ticks: 3000, until: 'count dead min=1' }),
		],
		holds: 'any tag:foe & dead',
	},
	{
		name: 'first-to-three',
		title: 'A match that ends at three kills',
		about: 'A match counts kills and ends at its score limit. Rules and HUD texts can read the score.',
		words: 'score win goal limit match game over',
		requests: [
			post('/game/create', { score_limit: 3, time_limit: 60 }),
			hero({ combat: true, combat_damage: 40 }),
			...[2, 3, 4].map((x) => foe({ position: [x, 0, 0] })),
			post('/ui/text', { id: 'score', text: 'Kills {score:team:1}' }),
			post('/step', { ticks: 900, events: ['match', 'score'] }),
		],
		holds: 'phase:post_match',
	},
	{
		name: 'survive-a-minute',
		title: 'A game that is won by surviving',
		about: 'One rule ends the game for the player after a time, another for the enemy if the player dies.',
		words: 'timer win lose time limit survive',
		requests: [
			post('/game/create', { score_limit: 1000, time_limit: 0 }),
			hero(),
			post('/rule/create', { name: 'won', when: 'elapsed:600', do: ['endgame 1'] }),
			post('/rule/create', { name: 'lost', when: 'death', filter: 'tag:hero', do: ['endgame 2'] }),
			post('/step', { ticks: 601 }),
		],
		holds: 'winner:1',
	},
	{
		name: 'health-pack',
		title: 'A health pack that heals and vanishes',
		about: 'A rule on the zone around an entity heals the entity that enters it.',
		words: 'pickup heal enter zone medkit potion',
		requests: [
			post(
				'/spawn',
				{ mesh: 'cube', color: 'green', position: [3, 0, 0], scale: [0.4, 0.4, 0.4], tags: ['pack'] },
				'pack',
			),
			hero({ player: true, position: [0, 0, 0] }),
			post('/entities/$hero.id/components', { transform: { position: [0, 0, 0] } }),
			post('/entity/damage', { entity_id: '$hero.id', amount: 60 }),
			post('/rule/create', {
				when: 'enter:entity:${pack.id}:1',
				filter: 'tag:hero',
				once: true,
				do: ['heal this 50', 'despawn tag:pack'],
			}),
			post('/step', { ticks: 90, inputs: [{ key: 'ArrowRight', ticks: 90 }] }),
		],
		holds: 'any tag:hero & field:health>80',
	},
	{
		name: 'lava',
		title: 'Lava that burns entities inside it',
		about: 'A trigger damages living entities whose origin is inside its box.',
		words: 'zone damage area trap hazard trigger',
		requests: [
			hero({ position: [0, 0.5, 0] }),
			post('/trigger/create', { position: [0, 0, 0], zone: [3, 1, 3], action: 'damage:20', per: 'second' }),
			post('/step', { ticks: 120 }),
		],
		holds: 'any tag:hero & field:health<65',
	},
	{
		name: 'poison',
		title: 'Poison that hurts over time',
		about: 'A status effect damages on every tick and slows. It ends by itself, or by /effect/cleanse.',
		words: 'damage over time dot status effect slow debuff',
		requests: [
			hero(),
			post('/effect/apply', {
				entity_id: '$hero.id',
				tag: 'poison',
				duration: 3,
				tick_effect: 'dps:10',
				modifiers: ['move_speed:multiply:0.5'],
			}),
			post('/step', { ticks: 120 }),
		],
		holds: 'any tag:hero & has-effect:poison & field:health<85',
	},
	{
		name: 'key-and-door',
		title: 'A door that opens with a key',
		about: 'An item is the key. A rule removes the door when an entity with it comes near.',
		words: 'lock unlock item inventory open puzzle',
		requests: [
			post('/item/define', { id: 7, name: 'Key' }),
			post('/spawn', { mesh: 'models/door.glb', position: [3, 0, 0], tags: ['door'] }, 'door'),
			hero({ player: true }),
			post('/item/give', { entity_id: '$hero.id', item_id: 7 }),
			post('/rule/create', {
				when: 'distance:${door.id}<1.5 & has-item:7',
				do: ['despawn tag:door', 'emit opened'],
			}),
			post('/step', { ticks: 60, inputs: [{ key: 'ArrowRight', ticks: 60 }] }),
		],
		holds: 'count tag:door max=0',
	},
	{
		name: 'sword-from-the-shop',
		title: 'A sword that is bought and worn',
		about: 'A property `cost` gives an item its price. A worn item adds its other properties to the stats.',
		words: 'buy equip weapon gold inventory stats',
		requests: [
			post('/item/define', { id: 1, name: 'Sword', properties: { cost: 100, attack_damage: 12 } }),
			hero({ gold: 150, combat: true }),
			post('/shop/buy', { entity_id: '$hero.id', item_id: 1 }),
			post('/item/equip', { entity_id: '$hero.id', slot: 'weapon', item_id: 1 }),
		],
		holds: 'any tag:hero & has-item:1 & field:gold==50',
	},
	{
		name: 'hero-with-a-spell',
		title: 'A hero that casts a spell at an enemy',
		about: 'Abilities have a slot, a cost and an effect. /ability/use aims at an entity or a point.',
		words: 'ability cast mana fireball area damage magic',
		requests: [
			post('/hero/define', {
				name: 'Mage',
				health: 400,
				abilities: [
					{
						slot: 'Q',
						name: 'Blast',
						mana_cost: 50,
						effect: { AreaDamage: { radius: 3, damage: 80, category: 'magical' } },
					},
				],
			}),
			hero({ mesh: 'models/mage.glb' }),
			post('/hero/select', { entity_id: '$hero.id', hero_name: 'Mage' }),
			foe({ position: [5, 0, 0], health: 60 }),
			post('/ability/use', { entity_id: '$hero.id', slot: 'Q', point: [5, 0, 0] }),
			post('/step', { ticks: 5, events: ['cast', 'death'] }),
		],
		holds: 'any tag:foe & dead',
	},
	{
		name: 'arrow',
		title: 'An arrow that hits a target',
		about: 'A projectile damages the first living entity with health that it meets.',
		words: 'projectile bullet shoot missile',
		requests: [
			foe({ position: [8, 0, 0] }),
			post('/projectile/spawn', { from: [0, 0, 0], direction: [1, 0, 0], speed: 20, damage: 25, team: 1 }),
			post('/step', { ticks: 60, events: ['damage'] }),
		],
		holds: 'any tag:foe & field:health<10',
	},
	{
		name: 'respawn',
		title: 'Heroes that respawn at their base',
		about: 'In a match, dead members of a team return at its spawn point after a delay.',
		words: 'death revive spawn point base',
		requests: [
			post('/game/create', { respawn_delay: 1, score_limit: 100 }),
			post('/spawn', { position: [-5, 0, 0], spawn_point: 1 }),
			hero({ role: 'hero', position: [5, 0, 0] }),
			post('/entity/damage', { entity_id: '$hero.id', amount: 500 }),
			post('/step', { ticks: 120 }),
		],
		holds: 'any tag:hero & alive & field:position.x<-4',
	},
	{
		name: 'button-on-the-hud',
		title: 'A button that starts something',
		about: 'Pressing a button sends an event. Clicks in the page and POST /ui/press do the same.',
		words: 'ui hud click menu text bar',
		requests: [
			post('/ui/button', { id: 'start', text: 'Start the wave' }),
			post('/ui/bar', { id: 'health', follow: 'health.current:tag:foe', color: 'red' }),
			post('/rule/create', {
				when: 'event:ui_press button==start',
				do: ['spawn cube 5,0,0 red 30 2', 'clear_text start'],
			}),
			post('/ui/press', { id: 'start' }),
			post('/step', { ticks: 2 }),
		],
		holds: 'count team:2 min=1 max=1',
	},
];
