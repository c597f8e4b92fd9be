/** Targets, filters and actions of rules. */

import { describe, expect, test } from 'vitest';
import { fighter, pay, playing } from '../../support/playing.ts';

const {
	world,
	call,
	post,
	get,
	remove,
	spawn,
	rule,
	step,
	kill,
	ledger,
	entity,
	health,
	gold,
	position,
	events,
} = playing();

/** Creates a rule that performs the actions once, on the next tick. */
const once = (...actions: unknown[]) => rule({ when: 'tick:1', once: true, actions });

describe('targets', () => {
	test('entity, tag, team, nearest and all, in short and typed form', async () => {
		const me = await spawn({ gold: 0, tags: ['me'], position: [0, 0, 0], health: 1 });
		const near = await spawn({ gold: 0, team: 1, position: [1, 0, 0], role: 'hero' });
		const far = await spawn({ gold: 0, team: 1, tags: ['far'], position: [5, 0, 0] });
		const all = async () => [await gold(me), await gold(near), await gold(far)];
		const when = { kind: 'health_below', threshold: 5 };
		const expected: [unknown, number[]][] = [
			['this', [1, 0, 0]],
			['tag:far', [0, 0, 1]],
			[{ tag: 'far' }, [0, 0, 1]],
			['team:1', [0, 1, 1]],
			[{ team: 1 }, [0, 1, 1]],
			[`entity:${far}`, [0, 0, 1]],
			[{ entity: far }, [0, 0, 1]],
			['nearest:any', [0, 1, 0]],
			[{ nearest: 'tag:far' }, [0, 0, 1]],
			['all:any', [1, 1, 1]],
			[{ all: 'role:hero+team:1' }, [0, 1, 0]],
			['source', [0, 0, 0]],
			['entity:999', [0, 0, 0]],
		];
		for (const [target, more] of expected) {
			const before = await all();
			const action = typeof target === 'string' ? `add_field ${target} gold 1` : pay(target);
			const id = await rule({ when, actions: [action] });
			await step();
			expect(await all(), JSON.stringify(target)).toEqual(before.map((amount, i) => amount + more[i]!));
			await call('DELETE', `/rule/${id}`);
		}
	});
});

describe('filters', () => {
	test.each([
		['any', [1, 1, 1]],
		['entity:1', [0, 1, 0]],
		['team:2', [0, 1, 1]],
		['role:hero', [0, 0, 1]],
		['ROLE:Hero', [0, 0, 1]],
		['tag:a', [1, 1, 0]],
		['component:health', [0, 1, 0]],
		['tag:a+team:2', [0, 1, 0]],
		['tag:a + role:hero', [0, 0, 0]],
	])('%s', async (filter, paid) => {
		await spawn({ gold: 0, tags: ['a'] });
		await spawn({ gold: 0, tags: ['a', 'b'], team: 2, health: 5 });
		await spawn({ gold: 0, team: 2, role: 'hero' });
		await rule({ when: { kind: 'field', field: 'gold', op: '==', value: 0 }, filter, actions: [pay()] });
		await step();
		expect([await gold(0), await gold(1), await gold(2)]).toEqual(paid);
	});
});

describe('actions in short form', () => {
	test('damage takes effect one tick later, healing immediately and up to the maximum', async () => {
		const a = await spawn({ health: 100 });
		await once(`damage entity:${a} 30`);
		await step();
		expect((await entity(a)).health).toEqual([100, 100]);
		await step(3);
		expect((await entity(a)).health).toEqual([70, 100]);
		await once(`heal entity:${a} 12.5`);
		await step();
		expect((await entity(a)).health).toEqual([82.5, 100]);
		await once({ action: 'heal', target: { entity: a }, amount: 99 });
		await step();
		expect((await entity(a)).health).toEqual([100, 100]);
	});

	test('despawn, teleport, color', async () => {
		const a = await spawn({ color: 'red', position: [1, 1, 1] });
		const b = await spawn({});
		await once(`teleport entity:${a} 4,5.5,-6`, `color entity:${a} 0.1,0.2,0.3`, `despawn entity:${b}`);
		await step();
		expect(await entity(a)).toMatchObject({
			local_transform: { position: [4, 5.5, -6] },
			color: '0.1,0.2,0.3',
		});
		expect((await call('GET', `/entities/${b}`)).status).toBe(404);
		await step();
		expect((await entity(a)).transform.position).toEqual([4, 5.5, -6]);
	});

	test('score and endgame need a match', async () => {
		const a = await spawn({ team: 1 });
		await once(`score entity:${a} +3`, `score entity:${a} -1`, 'endgame 2');
		await step();
		expect((await get('/game/state')).ok).toBe(false);
		await post('/game/create', {});
		await once(`score entity:${a} +3`, `score entity:${a} -1`, 'endgame 2');
		await step();
		const state = await get('/game/state');
		expect(state).toMatchObject({ phase: 'post_match' });
		expect(state.scores[0]).toMatchObject({ entity: a, score: 2 });
	});

	test('text is the rest of the line; show_text has a position', async () => {
		await once('text You   win', {
			action: 'show_text',
			text: 'here',
			x: 0.2,
			y: 0.9,
			size: 40,
			color: 'red',
		});
		await step();
		const hud = world().resources.get('hud')!.value;
		expect(hud).toMatchObject([
			{ text: 'You   win', x: 0.5, y: 0.1, size: 20, color: 'white' },
			{ text: 'here', x: 0.2, y: 0.9, size: 40, color: 'red' },
		]);
	});

	test('set_field, add_field, give_item, emit, apply_effect', async () => {
		const b = await spawn({ health: 100, gold: 1 });
		await post('/item/define', { id: 4, name: 'apple', properties: {} });
		await once(
			`set_field entity:${b} health.current 40`,
			`add_field entity:${b} gold -3`,
			`add_field entity:${b} x 2.5`,
			`give_item entity:${b} 4 2`,
			'emit horn',
			{
				action: 'apply_effect',
				target: { entity: b },
				tag: 'big',
				duration: 1,
				modifiers: ['max_health:add:50'],
			},
		);
		await step();
		expect(await entity(b)).toMatchObject({
			health: [40, 150],
			gold: -2,
			local_transform: { position: [2.5, 0, 0] },
		});
		expect((await get(`/item/list/${b}`)).inventory).toMatchObject([{ item_id: 4, count: 2 }]);
		expect((await get('/events')).events.some((event: { name?: string }) => event.name === 'horn')).toBe(
			true,
		);
		await step(70);
		expect((await entity(b)).health).toEqual([40, 100]);
	});

	test('spawn takes thirteen words, and - skips one', async () => {
		await once('spawn cube 1,0.5,2 red 80 1 true 0,0,0:5,0,0 4.5 1,2,1 25 30 minion 3');
		await once('spawn sphere 9,0,9 - - - - 9,0,0:9,0,20 2');
		await step();
		const { entities } = await post('/observe');
		const cubes = entities.filter(({ mesh }: { mesh?: string }) => mesh === 'cube');
		expect(
			cubes.map((cube: { local_transform: { position: number[] } }) => cube.local_transform.position),
		).toEqual([
			[1, 0.5, 1],
			[1, 0.5, 2],
			[1, 0.5, 3],
		]);
		for (const cube of cubes)
			expect(cube).toMatchObject({
				color: 'red',
				health: [80, 80],
				team: 1,
				role: 'Minion',
				physics_body: 'Kinematic',
				local_transform: { scale: [1, 2, 1] },
				combat: { speed: 4.5 },
				bounty: { gold: 25, xp: 30 },
			});
		expect(cubes[0].ai).toBeUndefined();
		const walker = entities.find(({ mesh }: { mesh?: string }) => mesh === 'sphere');
		expect(walker.ai).toBe('patrol (2 waypoints)');
		expect(walker.health).toBeUndefined();
		await step(30);
		expect((await entity(walker.id)).local_transform.position).not.toEqual([9, 0, 9]);
	});

	test('the same in typed form', async () => {
		await once({
			action: 'spawn',
			mesh: 'cube',
			position: [1, 0.5, 2],
			color: 'red',
			health: 80,
			team: 1,
			combat: true,
			speed: 4.5,
			scale: [1, 2, 1],
			gold_bounty: 25,
			xp_bounty: 30,
			role: 'hero',
			tags: ['late'],
			count: 2,
		});
		await step();
		const { entities } = await post('/observe');
		const late = entities.filter(({ tags }: { tags?: string[] }) => tags?.includes('late'));
		expect(
			late.map((entity: { local_transform: { position: number[] } }) => entity.local_transform.position[2]),
		).toEqual([1.5, 2.5]);
		expect(late[0]).toMatchObject({ role: 'Hero', health: [80, 80] });
	});

	test('an action on an entity without the needed component does nothing', async () => {
		const a = await spawn({});
		await once(
			`damage entity:${a} 5`,
			`heal entity:${a} 5`,
			`add_field entity:${a} gold 5`,
			`set_field entity:${a} health 5`,
			`give_item entity:${a} 77`,
		);
		await step(2);
		const shown = await entity(a);
		expect(shown.gold).toBeUndefined();
		expect(shown.health).toBeUndefined();
	});
});

describe('spawn', () => {
	const findTagged = async (tag: string) =>
		(await post('/observe')).entities.filter(({ tags }: { tags?: string[] }) => tags?.includes(tag));

	test('takes every field of a spawn document, with the same meaning as POST /spawn', async () => {
		await post('/item/define', { id: 3, name: 'Axe', properties: { attack_damage: 4 } });
		const document = {
			mesh: 'sphere',
			color: 'gold',
			position: [4, 5, 6],
			rotation: [0, 1, 0, 0],
			scale: [2, 2, 2],
			velocity: { linear: [0, 0, 0], angular: [0, 0, 0] },
			collider: { shape: 'Sphere', radius: 0.5 },
			physics_body: 'Kinematic',
			health: 70,
			team: 2,
			tags: ['x'],
			combat: true,
			combat_damage: 12,
			combat_range: 4,
			combat_speed: 2,
			combat_cooldown: 0.5,
			combat_detect_range: 8,
			march: [0, 0, 1],
			crit: { chance: '1/3', multiplier: 2 },
			armor: 3,
			magic_resist: 0.5,
			gold: 9,
			gold_bounty: 5,
			xp_bounty: 6,
			role: 'minion',
			mana: 50,
			base_stats: { luck: 2 },
			abilities: [{ slot: 'Q', name: 'Mend', cooldown: 1, mana_cost: 5, effect: { Heal: { amount: 3 } } }],
			inventory: [{ item_id: 3 }],
			equipment: { hand: 3 },
			effects: [{ tag: 'aura', permanent: true, modifiers: ['armor:add:1'] }],
			loot: [{ label: 'coin', weight: 1, gold: 3 }],
		};
		const twin = await spawn(document);
		await once({ action: 'spawn', ...document });
		await step();
		const [{ id: _, ...first }, { id, ...second }] = await findTagged('x');
		expect(twin).toBe(_);
		// The twin was spawned before the tick, so the tick has already updated these components.
		const volatile = ['transform', 'combat_state', 'velocity', 'local_transform', 'effects', 'abilities'];
		for (const key of volatile) {
			delete first[key];
			delete second[key];
		}
		expect(second).toEqual(first);
		expect((await entity(id)).local_transform.position).toEqual([4, 5, 6]);
	});

	test('of a template, with fields over its own; without the template nothing spawns', async () => {
		await post('/template/create', { name: 'orc', mesh: 'cube', health: 80, team: 2, tags: ['orc'] });
		await rule({
			when: 'tick:1',
			do: [
				{ action: 'spawn', template: 'orc', position: [1, 0, 0], health: 30, count: 2 },
				'spawn template:orc 5,0,0 red',
			],
		});
		await step();
		const orcs = await findTagged('orc');
		expect(
			orcs.map(
				({
					health: [now],
					local_transform,
					color,
				}: {
					health: number[];
					local_transform: { position: number[] };
					color: string;
				}) => [now, local_transform.position, color],
			),
		).toEqual([
			[30, [1, 0, -0.5], undefined],
			[30, [1, 0, 0.5], undefined],
			[80, [5, 0, 0], 'red'],
		]);
		await remove('/template/orc');
		await step();
		expect(await findTagged('orc')).toHaveLength(3);
	});

	test('at entities: one for each, positions are relative, and entities without a position get none', async () => {
		const [a, b] = [
			await spawn({ position: [1, 2, 3], tags: ['here'] }),
			await spawn({ position: [9, 0, 0], tags: ['here'] }),
		];
		await once(
			{ action: 'spawn', mesh: 'cube', tags: ['made'], at: { tag: 'here' }, position: [0, 1, 0] },
			'spawn cone tag:here@0,0,2 blue',
		);
		await step();
		const places = async (mesh: string) =>
			(await post('/observe')).entities
				.filter((entity: { mesh?: string }) => entity.mesh === mesh)
				.map(({ local_transform }: { local_transform: { position: number[] } }) => local_transform.position);
		expect(await places('cube')).toEqual([
			[1, 3, 3],
			[9, 1, 0],
		]);
		expect(await places('cone')).toEqual([
			[1, 2, 5],
			[9, 0, 2],
		]);
		expect([a, b]).toEqual([0, 1]);
	});

	test('at the position of a death', async () => {
		const victim = await spawn({ position: [7, 0, 7], health: 5 });
		await rule({ when: 'death', actions: ['spawn sphere this gold'] });
		await kill(victim);
		await step();
		const grave = (await post('/observe')).entities.find(({ mesh }: { mesh?: string }) => mesh === 'sphere');
		expect(grave.local_transform.position).toEqual([7, 0, 7]);
	});

	test('sends an event with mesh and colour', async () => {
		await once('spawn cube 0,0,0 red');
		await step();
		const [event] = (await events()).filter(({ type }) => type === 'RuleSpawnEvent');
		expect(event).toMatchObject({ mesh: 'cube', color: 'red', tick: 0 });
		expect((await entity(event.entity)).mesh).toBe('cube');
	});

	test('needs a shape and a position, and refuses repeated fields', async () => {
		const position = [0, 0, 0];
		const bad: [object, string][] = [
			[{ position }, 'mesh'],
			[{ mesh: 'cube' }, 'position'],
			[{ mesh: 'cube', position, speed: 1, combat_speed: 1 }, 'speed'],
			[{ mesh: 'cube', position, waypoints: [position], ai_patrol: [position] }, 'waypoints'],
			[{ mesh: 'cube', position, at: { all: 'tema:1' } }, 'at.all'],
		];
		for (const [fields, path] of bad)
			expect(
				await post('/rule/create', { when: 'death', do: [{ action: 'spawn', ...fields }] }),
			).toMatchObject({
				ok: false,
				code: 'invalid_rule',
				path: `do[0].${path}`,
			});
	});

	test('skips spawns without room, and continues', async () => {
		const ball = { physics_body: 'Dynamic', collider: { shape: 'Sphere', radius: 0.5 }, tags: ['ball'] };
		const at = (x: number) => ({ action: 'spawn', mesh: 'sphere', position: [x, 0, 0], ...ball });
		await once(...new Array(190).fill(at(0)));
		await once(...new Array(20).fill(at(0)), at(50));
		await step();
		const xs = (await findTagged('ball')).map(
			({ local_transform }: { local_transform: { position: number[] } }) => local_transform.position[0],
		);
		expect(xs).toEqual([...new Array(200).fill(0), 50]);
	});
});

describe('damage', () => {
	test('has a category, and is credited to the source that the rule names', async () => {
		const own = await spawn({ team: 1, health: 5, gold: 0 });
		const other = await spawn({ team: 2, health: 100, magic_resist: 0.5, gold_bounty: 8 });
		await post('/game/create');
		await rule({
			when: 'event:damage amount==1',
			do: [{ action: 'damage', target: 'this', amount: 40, category: 'magical', by: 'source' }],
		});
		await post('/entity/damage', { entity_id: other, amount: 1, source: own, category: 'pure' });
		await step();
		expect(await health(other)).toBe(99);
		await step();
		expect(await health(other)).toBe(79);
		await once({ action: 'damage', target: { entity: other }, amount: 900 });
		await step(2);
		expect((await get('/game/state')).scores).toMatchObject([{ entity: own, score: 1 }]);
		expect(await gold(own)).toBe(8);
	});
});

describe('items', () => {
	const carried = async (id: number) =>
		(await get(`/item/list/${id}`)).inventory.map((item: { item_id: number; count: number }) => [
			item.item_id,
			item.count,
		]);

	test('take_item takes all or none', async () => {
		await post('/item/define', { id: 1, name: 'Apple' });
		const [rich, poor] = [
			await spawn({ inventory: [{ item_id: 1, count: 5 }] }),
			await spawn({ inventory: [{ item_id: 1, count: 1 }] }),
		];
		await once(`take_item entity:${rich} 1 2`, {
			action: 'take_item',
			target: { entity: poor },
			item_id: 1,
			count: 2,
		});
		await step();
		expect([await carried(rich), await carried(poor)]).toEqual([[[1, 3]], [[1, 1]]]);
	});

	test('equip wears a carried item, and its stats apply on the next tick', async () => {
		await post('/item/define', { id: 2, name: 'Sword', properties: { attack_damage: 30 } });
		const own = await spawn(fighter(1, 0));
		const other = await spawn({ position: [1, 0, 0], team: 2, health: 100 });
		await once(`equip entity:${own} 2`, `give_item entity:${own} 2`, `equip entity:${own} 2 hand`);
		await step();
		expect((await entity(own)).equipment).toEqual({ hand: 2 });
		await step(61);
		expect(await health(other)).toBe(60);
	});

	test('buy pays the price, or changes nothing', async () => {
		await post('/item/define', { id: 3, name: 'Bread', properties: { cost: 4 }, stock: 2 });
		const own = await spawn({ gold: 11 });
		await rule({ when: 'tick:1', actions: [`buy entity:${own} 3`] });
		expect(await ledger(own, 4)).toEqual([7, 3, 3, 3]);
		expect(await carried(own)).toEqual([[3, 2]]);
		expect((await get('/shop/list')).items[0].stock).toBe(0);
	});
});

describe('cast', () => {
	const bolt = {
		slot: 'Q',
		name: 'Bolt',
		cooldown: 1,
		mana_cost: 20,
		effect: { Damage: { amount: 30, category: 'pure' } },
	};

	test('runs on the same tick, costs mana, starts the cooldown, and is aimed', async () => {
		const mage = await spawn({ mana: 50, mana_regen: 0, abilities: [bolt] });
		const other = await spawn({ health: 100, position: [3, 0, 0], tags: ['foe'] });
		await rule({ when: 'tick:1', actions: [`cast entity:${mage} Q tag:foe`] });
		await step();
		expect((await entity(mage)).mana[0]).toBe(30);
		expect((await get(`/ability/list/${mage}`)).abilities[0].ready_at).toBe(60);
		await step();
		expect(await health(other)).toBe(70);
		expect((await events()).filter(({ type }) => type === 'CastFailedEvent')).toMatchObject([
			{ entity: mage, slot: 'Q', reason: 'on_cooldown' },
		]);
		await step(60);
		expect(await health(other)).toBe(40);
		await step(60);
		expect(await health(other), 'no mana is left').toBe(40);
	});

	test('may be aimed at a position, and without a target does not run', async () => {
		const dasher = await spawn({ abilities: [{ ...bolt, effect: { Dash: { distance: 3 } } }] });
		await once(`cast entity:${dasher} q 0,0,2`);
		await step();
		expect(await position(dasher)).toEqual([0, 0, 2]);
		await step(60);
		await once({ action: 'cast', target: { entity: dasher }, slot: 'Q', at: { tag: 'nobody' } });
		await step();
		expect(await position(dasher)).toEqual([0, 0, 2]);
		expect(
			await post('/rule/create', {
				when: 'death',
				do: [{ action: 'cast', target: 'this', slot: 'Q', at: 'source', point: [0, 0, 0] }],
			}),
		).toMatchObject({ ok: false, path: 'do[0].point' });
	});
});

describe('effects', () => {
	test('apply_effect in words, with everything an effect has; it is credited', async () => {
		const own = await spawn({ team: 1 });
		const other = await spawn({ team: 2, health: 60 });
		await once(
			`apply_effect entity:${other} slow 2 move_speed:mul:0.5,armor:add:2 - stack:2`,
			`apply_effect entity:${other} mark`,
		);
		await rule({
			when: 'event:damage source.id==0',
			do: [
				{
					action: 'apply_effect',
					target: 'this',
					tag: 'burn',
					permanent: true,
					tick_effect: 'dps:60',
					by: 'source',
				},
			],
		});
		await step();
		expect((await get(`/effect/list/${other}`)).effects).toMatchObject([
			{
				tag: 'slow',
				duration: 2,
				modifiers: ['move_speed:multiply:0.5', 'armor:add:2'],
				stack_policy: 'stack:2',
			},
			{ tag: 'mark', duration: 5, modifiers: [] },
		]);
		await post('/entity/damage', { entity_id: other, amount: 1, source: own });
		await step();
		expect((await get(`/effect/list/${other}`)).effects[2]).toMatchObject({
			tag: 'burn',
			duration: null,
			source: own,
		});
	});

	test('cleanse removes effects by a part of their tag, and crowd control on request', async () => {
		const stun = { ApplyCc: { cc_type: 'Stun', duration: 60, dispel: 'StrongDispel' } };
		const id = await spawn({
			health: 10,
			effects: [{ tag: 'fire' }, { tag: 'fire 2' }, { tag: 'ice' }],
			abilities: [{ slot: 'Q', name: 'Oops', cooldown: 0, mana_cost: 0, effect: stun }],
		});
		await post('/ability/use', { entity_id: id });
		await step();
		const remaining = async () => {
			const { effects, crowd_control } = await get(`/effect/list/${id}`);
			return [effects.map(({ tag }: { tag: string }) => tag), crowd_control.length];
		};
		await once(`cleanse entity:${id} fire`);
		await step();
		expect(await remaining()).toEqual([['ice'], 1]);
		await once(`cleanse entity:${id}`);
		await step();
		expect(await remaining()).toEqual([[], 1]);
		await once({ action: 'cleanse', target: { entity: id }, dispel: 'StrongDispel' });
		await step();
		expect(await remaining()).toEqual([[], 0]);
	});
});

describe('labels and signals', () => {
	test('tag adds and removes labels', async () => {
		const id = await spawn({ tags: ['a', 'b'] });
		const bare = await spawn();
		await once(`tag entity:${id} +c -a`, {
			action: 'tag',
			target: { entity: bare },
			add: ['x', 'y'],
			remove: ['y'],
		});
		await step();
		expect([(await entity(id)).tags, (await entity(bare)).tags]).toEqual([['b', 'c'], ['x']]);
		expect(await post('/rule/create', { when: 'death', actions: ['tag this red'] })).toMatchObject({
			ok: false,
		});
	});

	test('a signal can name entities, and rules that wait for it run once for each as this', async () => {
		const [a, b] = [await spawn({ gold: 0, team: 1 }), await spawn({ gold: 0, team: 1 })];
		const c = await spawn({ gold: 0, team: 2 });
		await rule({
			when: 'event:signal name==ping',
			filter: 'team:1',
			actions: [pay(), 'add_field source gold 100'],
		});
		await once({ action: 'emit', name: 'ping', about: { all: 'component:gold' } }, `emit ping entity:${a}`);
		await step(2);
		expect([await gold(a), await gold(b), await gold(c)]).toEqual([2, 1, 0]);
		await post('/events', { type: 'SignalEvent', name: 'ping', entity: b, source: c });
		await step();
		expect([await gold(b), await gold(c)]).toEqual([2, 100]);
		await post('/effect/apply', { entity_id: a, duration: 0.05, tick_effect: 'custom:ping' });
		await step(5);
		expect(await gold(a)).toBe(5);
	});
});

describe('each action in words is the typed one, on every route that takes rules', () => {
	const effect = {
		action: 'apply_effect',
		target: 'this',
		duration: 5,
		modifiers: [],
		stack_policy: 'replace',
	};
	const shown = { x: 0.5, y: 0.1, size: 20, color: 'white' };
	test.each<[string, object]>([
		['spawn cube 1,2,3', { action: 'spawn', mesh: 'cube', position: [1, 2, 3] }],
		[
			'SPAWN cone 0,1e1,+2 0.1,0.2,0.3 80 2 TRUE - 4 - 5 6 tower 3',
			{
				action: 'spawn',
				mesh: 'cone',
				position: [0, 10, 2],
				color: '0.1,0.2,0.3',
				health: 80,
				team: 2,
				combat: true,
				speed: 4,
				gold_bounty: 5,
				xp_bounty: 6,
				role: 'tower',
				count: 3,
			},
		],
		[
			'spawn sphere 0,0,0 - - - false 1,0,0:2,0,0 - 1,2,1',
			{
				action: 'spawn',
				mesh: 'sphere',
				position: [0, 0, 0],
				combat: false,
				waypoints: [
					[1, 0, 0],
					[2, 0, 0],
				],
				scale: [1, 2, 1],
			},
		],
		[
			'spawn template:orc source@0,1,0',
			{ action: 'spawn', template: 'orc', at: 'source', position: [0, 1, 0] },
		],
		['damage this 10', { action: 'damage', target: 'this', amount: 10 }],
		['heal source +2.5', { action: 'heal', target: 'source', amount: 2.5 }],
		['score entity:4 -3', { action: 'score', target: { entity: 4 }, points: -3 }],
		['despawn nearest:team:2+tag:a', { action: 'despawn', target: { nearest: 'team:2+tag:a' } }],
		['teleport tag:boss 1,2,-3', { action: 'teleport', target: { tag: 'boss' }, position: [1, 2, -3] }],
		['color team:1 red', { action: 'color', target: { team: 1 }, color: 'red' }],
		['set_color this gold', { action: 'color', target: 'this', color: 'gold' }],
		['text You  win!', { action: 'text', text: 'You  win!', ...shown }],
		['show_text a b', { action: 'text', text: 'a b', ...shown }],
		['endgame 2', { action: 'endgame', winner_team: 2 }],
		['set_field this health 5', { action: 'set_field', target: 'this', field: 'health', value: 5 }],
		['add_field all:any x -1', { action: 'add_field', target: { all: 'any' }, field: 'x', value: -1 }],
		['apply_effect this burn', { ...effect, tag: 'burn' }],
		[
			'apply_effect this burn 3 armor:add:-2,luck:set:1 dps:4 stack:2',
			{
				...effect,
				tag: 'burn',
				duration: 3,
				modifiers: ['armor:add:-2', 'luck:set:1'],
				tick_effect: 'dps:4',
				stack_policy: 'stack:2',
			},
		],
		['cleanse this fire', { action: 'cleanse', target: 'this', filter: 'fire' }],
		['give_item source 3', { action: 'give_item', target: 'source', item_id: 3, count: 1 }],
		['take_item source 3 2', { action: 'take_item', target: 'source', item_id: 3, count: 2 }],
		['equip this 3', { action: 'equip', target: 'this', item_id: 3, slot: 'weapon' }],
		['equip this 3 head', { action: 'equip', target: 'this', item_id: 3, slot: 'head' }],
		['buy this 3', { action: 'buy', target: 'this', item_id: 3 }],
		['cast this q', { action: 'cast', target: 'this', slot: 'Q' }],
		['cast this W source', { action: 'cast', target: 'this', slot: 'W', at: 'source' }],
		['cast this E 1,0,2', { action: 'cast', target: 'this', slot: 'E', point: [1, 0, 2] }],
		['tag this +a -b', { action: 'tag', target: 'this', add: ['a'], remove: ['b'] }],
		['emit horn', { action: 'emit', name: 'horn', data: null }],
		['emit horn source', { action: 'emit', name: 'horn', data: null, about: 'source' }],
	])('%s', async (text, typed) => {
		const kept = async () => (await get('/rule/list')).rules.map((rule: { do: unknown }) => rule.do);
		await rule({ when: 'death', actions: [text] });
		await rule({ when: { kind: 'death' }, do: [typed] });
		expect(await kept()).toEqual([[typed], [typed]]);
		const rules = [
			{ when: 'death', do: [text] },
			{ when: { kind: 'death' }, actions: [typed] },
		];
		expect((await post('/scenario', { rules })).ok).toBe(true);
		expect(await kept()).toEqual([[typed], [typed]]);
		await post('/reset', {});
		expect((await post('/level/load', { level: { rules } })).ok).toBe(true);
		expect(await kept()).toEqual([[typed], [typed]]);
		const exported = (await get('/scenario?exact=false')).rules;
		expect(exported.map((item: { actions: unknown }) => item.actions)).toEqual([[typed], [typed]]);
	});
});

describe('a spawn', () => {
	test('of a template that only resembles an existing one does nothing', async () => {
		await once({ action: 'spawn', template: 'constructor', position: [0, 0, 0] });
		const before = (await get('/')).entity_count;
		await step();
		expect((await get('/')).entity_count).toBe(before);
	});

	test('beyond the bounds of the world ends at them', async () => {
		const edge = await spawn({ position: [1e6, 0, -1e6] });
		await once({ action: 'spawn', mesh: 'cube', at: { entity: edge }, position: [5, 5, -5] });
		await step();
		const { entities } = await post('/observe');
		expect(entities.at(-1).local_transform.position).toEqual([1e6, 5, -1e6]);
	});
});
