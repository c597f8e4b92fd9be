/** Crowd control: the actions that it forbids, and its end. */

import { beforeEach, describe, expect, test } from 'vitest';
import { fighter, playing } from '../../support/playing.ts';

const { call, post, get, spawn, step, change, entity, health } = playing();

let warlock: number;
beforeEach(async () => {
	warlock = await spawn({ position: [0, 0, 900] });
});

type Cc = string | Record<string, unknown>;

/** Applies crowd control to an entity, which takes one tick. It then lasts for `duration` seconds. */
async function control(target: number, cc_type: Cc, duration: number, dispel = 'BasicDispel'): Promise<void> {
	const effect = { ApplyCc: { cc_type, duration, dispel } };
	await post('/ability/set', {
		entity_id: warlock,
		abilities: [{ slot: 'Q', name: 'Curse', cooldown: 0, mana_cost: 0, effect }],
	});
	expect((await post('/ability/use', { entity_id: warlock, target })).ok).toBe(true);
	await step();
}
const kinds = async (id: number) =>
	(await get(`/effect/list/${id}`)).crowd_control.map(({ kind }: { kind: string }) => kind);

const ability = (effect: object) => ({ slot: 'Q', name: 'It', cooldown: 0, mana_cost: 0, effect });
const HEAL = ability({ Heal: { amount: 1 } });
const DASH = ability({ Dash: { distance: 4 } });

/** Actions of an entity: strike, walk, cast, dash, use items, strike critically. */
const ACTIONS = ['attack', 'move', 'cast', 'dash', 'items', 'crit'] as const;
const FORBIDDEN: Readonly<Record<string, readonly (typeof ACTIONS)[number][]>> = {
	Stun: ['attack', 'move', 'cast', 'dash', 'items', 'crit'],
	Sleep: ['attack', 'move', 'cast', 'dash', 'items', 'crit'],
	Hex: ['attack', 'cast', 'dash', 'items', 'crit'],
	Silence: ['cast', 'dash'],
	Root: ['move', 'dash'],
	Disarm: ['attack', 'crit'],
	Mute: ['items'],
	Break: ['crit'],
};

describe.each(Object.entries(FORBIDDEN))('%s', (kind, forbidden) => {
	const isForbidden = (deed: (typeof ACTIONS)[number]) => forbidden.includes(deed);
	const verb = (deed: (typeof ACTIONS)[number]) => (isForbidden(deed) ? 'forbids' : 'allows');

	test(`${verb('attack')} striking until its 2 s are over, ${verb('crit')} critical blows`, async () => {
		const own = await spawn(fighter(1, 0, { crit: { chance: 1 } }));
		const other = await spawn({ position: [1, 0, 0], team: 2, health: 100 });
		await control(own, kind, 2);
		await step(61);
		expect(await health(other)).toBe(isForbidden('attack') ? 100 : isForbidden('crit') ? 90 : 80);
		await step(59);
		expect(await kinds(own)).toEqual([]);
		await step(2);
		// The second blow falls on the last tick of the control.
		expect(await health(other)).toBe(isForbidden('crit') ? 80 : 60);
	});

	test(`${verb('move')} walking: 3 m/s in a chase, or by a goal`, async () => {
		const own = await spawn(fighter(1, 0));
		await spawn({ position: [10, 0, 0], team: 2, health: 100 });
		const walker = await spawn({ ai_patrol: [[0, 0, 50]] });
		await control(own, kind, 5);
		await control(walker, kind, 5);
		await step();
		const unarmed = isForbidden('attack') && isForbidden('move');
		expect((await entity(own)).velocity.linear).toEqual([unarmed || isForbidden('move') ? 0 : 3, 0, 0]);
		expect((await entity(walker)).velocity.linear).toEqual([0, 0, isForbidden('move') ? 0 : 3]);
	});

	test(`${verb('cast')} casting, ${verb('dash')} dashes`, async () => {
		const [healer, dasher] = [
			await spawn({ health: 9, abilities: [HEAL] }),
			await spawn({ abilities: [DASH] }),
		];
		await control(healer, kind, 5);
		await control(dasher, kind, 5);
		const refused = (isForbidden: boolean) => (isForbidden ? { ok: false, code: 'silenced' } : { ok: true });
		expect(await post('/ability/use', { entity_id: healer })).toMatchObject(refused(isForbidden('cast')));
		expect(await post('/ability/use', { entity_id: dasher })).toMatchObject(refused(isForbidden('dash')));
	});

	test(`${verb('items')} wearing, taking off, buying and selling`, async () => {
		await post('/item/define', { id: 1, name: 'Ring', properties: { cost: 4 } });
		const own = await spawn({ gold: 50, inventory: [{ item_id: 1, count: 3 }], equipment: { head: 1 } });
		await control(own, kind, 1);
		const calls = [
			['/item/equip', { entity_id: own, slot: 'hand', item_id: 1 }],
			['/item/unequip', { entity_id: own, slot: 'head' }],
			['/shop/buy', { entity_id: own, item_id: 1 }],
			['/shop/sell', { entity_id: own, item_id: 1 }],
		] as const;
		for (const [path, body] of calls)
			expect(await post(path, body), path).toMatchObject(
				isForbidden('items') ? { ok: false, code: 'silenced' } : { ok: true },
			);
		await step(60);
		expect((await post('/shop/buy', { entity_id: own, item_id: 1 })).ok).toBe(true);
	});
});

describe('Sleep', () => {
	test('ends on the tick on which damage is taken; other crowd control does not', async () => {
		const [sleeper, stunned] = [await spawn(fighter(1, 0)), await spawn(fighter(1, 50))];
		await spawn({ position: [10, 0, 0], team: 2, health: 100 });
		await control(sleeper, 'Sleep', 60);
		await control(stunned, 'Stun', 60);
		await step(10);
		expect(await kinds(sleeper)).toEqual(['Sleep']);
		await post('/entity/damage', { entity_id: sleeper, amount: 1 });
		await post('/entity/damage', { entity_id: stunned, amount: 1 });
		expect(await kinds(sleeper)).toEqual(['Sleep']);
		await step();
		expect([await kinds(sleeper), await kinds(stunned)]).toEqual([[], ['Stun']]);
		expect((await entity(sleeper)).velocity.linear).toEqual([3, 0, 0]);
	});

	test('is not broken by damage that armour absorbs', async () => {
		const id = await spawn({ health: 100, magic_resist: 1 });
		await control(id, 'Sleep', 60);
		await post('/entity/damage', { entity_id: id, amount: 50, category: 'magical' });
		await step();
		expect(await kinds(id)).toEqual(['Sleep']);
	});
});

test('Break disables permanent effects, and no others', async () => {
	const id = await spawn({
		health: 100,
		effects: [
			{ tag: 'aura', permanent: true, modifiers: ['armor:add:4'], tick_effect: 'hps:60' },
			{ tag: 'ward', duration: 60, modifiers: ['magic_resist:add:0.5'] },
		],
	});
	await post('/entity/damage', { entity_id: id, amount: 90, category: 'pure' });
	await step();
	await control(id, 'Break', 1);
	const before = await health(id);
	await step(60);
	expect(await health(id)).toBe(before);
	expect((await entity(id)).stats).toEqual({ magic_resist: 0.5 });
	await step();
	expect((await entity(id)).stats).toEqual({ armor: 4, magic_resist: 0.5 });
	expect(await health(id)).toBe(before + 1);
});

describe('Root', () => {
	test('permits strikes at targets in reach', async () => {
		const own = await spawn(fighter(1, 0));
		const other = await spawn({ position: [1, 0, 0], team: 2, health: 100 });
		await control(own, 'Root', 5);
		await step(61);
		expect(await health(other)).toBe(90);
	});
});

describe('Slow', () => {
	test('reduces the speed by its share, and several multiply', async () => {
		const own = await spawn(fighter(1, 0));
		await spawn({ position: [15, 0, 0], team: 2, health: 100 });
		await control(own, { Slow: 0.5 }, 5);
		await step();
		expect((await entity(own)).velocity.linear).toEqual([1.5, 0, 0]);
		await control(own, { Slow: 0.5 }, 5);
		await step();
		expect((await entity(own)).velocity.linear).toEqual([0.75, 0, 0]);
	});
});

describe('Taunt', () => {
	test('makes a fighter attack the taunter at any distance, and prevents casts', async () => {
		const own = await spawn(fighter(1, 0, { abilities: [HEAL] }));
		await spawn({ position: [1, 0, 0], team: 2, health: 100 });
		const taunter = await spawn({ position: [-1, 0, 0], team: 2, health: 100 });
		await step();
		await control(own, { Taunt: { target_entity: taunter } }, 5);
		await step(60);
		expect(await health(taunter)).toBe(90);
		expect(await post('/ability/use', { entity_id: own })).toMatchObject({ ok: false, code: 'silenced' });
		await change(taunter, { transform: { position: [-500, 0, 0] } });
		await step();
		expect((await entity(own)).velocity.linear).toEqual([-3, 0, 0]);
	});
});

describe('Invisibility', () => {
	test('after it has faded, the entity is no target, and other observers do not see it', async () => {
		const own = await spawn(fighter(1, 0));
		const hidden = await spawn({ position: [5, 0, 0], team: 2, health: 100 });
		await post('/view-filter/set', { entity_id: own, rules: ['always'] });
		await step();
		expect((await entity(own)).combat_state.target.id).toBe(hidden);
		await control(hidden, { Invisibility: { fade_time: 0.5 } }, 5);
		await step(30);
		expect((await entity(own)).combat_state.target.id).toBe(hidden);
		await step();
		expect((await entity(own)).combat_state.target).toBeNull();
		expect((await entity(hidden)).visible_to).toEqual([]);
		const ally = await spawn({ team: 2 });
		await post('/view-filter/set', { entity_id: ally, rules: ['always'] });
		await step();
		expect((await entity(hidden)).visible_to, 'friends see it').toEqual([ally]);
	});
});

describe('dispelling', () => {
	test.each([
		['BasicDispel', ['Root', 'Stun']],
		['StrongDispel', ['Stun']],
	] as const)('%s takes off what it is strong enough for', async (dispel, remaining) => {
		const id = await spawn({ health: 9 });
		await control(id, 'Silence', 60, 'BasicDispel');
		await control(id, 'Root', 60, 'StrongDispel');
		await control(id, 'Stun', 60, 'Undispellable');
		await post('/effect/cleanse', { entity_id: id, dispel });
		expect(await kinds(id)).toEqual(remaining);
	});

	test('crowd control that no kind knows is refused', async () => {
		const effect = { ApplyCc: { cc_type: 'Stnu', duration: 1 } };
		const { status, body } = await call('POST', '/ability/set', {
			entity_id: warlock,
			abilities: [ability(effect)],
		});
		expect(status).toBe(422);
		expect(`${body.error} ${body.fix}`).toContain('Stun');
	});

	test('after it has faded, towers that it provoked release their target too', async () => {
		const tower = await spawn({ building_type: 'tier1_tower', team: 5, position: [100, 0, 0] });
		const friend = await spawn({ position: [103, 0, 0], team: 5, health: 1000, role: 'hero' });
		const hide = ability({ ApplyCc: { cc_type: { Invisibility: { fade_time: 0 } }, duration: 60 } });
		const hero = { position: [105, 0, 0], team: 6, health: 1000, role: 'hero', abilities: [hide] };
		const enemy = await spawn(hero);
		await post('/entity/damage', { entity_id: friend, amount: 1, source: enemy });
		await post('/ability/use', { entity_id: enemy, slot: 'Q' });
		await step(3);
		expect((await entity(tower)).combat_state).toMatchObject({ target: null, override: { id: enemy } });
		await step(120);
		expect(await health(enemy)).toBe(1000);
	});
});
