/** Hints of the view Play: what heals, and what the gold buys. */

import { expect, test } from 'vitest';
import type { Entity } from '../../../../web/ui/entities/entity.ts';
import type { ShopItem } from '../../../../web/ui/play/game-state.ts';
import { usefulItem } from '../../../../web/ui/play/goods.ts';
import { dueHints, Hints } from '../../../../web/ui/play/hints.ts';

const mend = { slot: 'E', name: 'Mend', ready_at: 0, effect: { Chain: [{ Heal: { amount: 140 } }] } };
const hero = {
	id: 1,
	generation: 0,
	team: 1,
	role: 'Hero',
	health: [100, 100],
	gold: 0,
	abilities: [{ slot: 'Q', name: 'Sweep', effect: { AreaDamage: { damage: 9 } } }, mend],
} as unknown as Entity;
const item = (id: number, name: string, more: object): ShopItem =>
	({ id, name, cost: 0, properties: {}, recipe: null, stock: null, teams: null, ...more }) as ShopItem;
const boots = item(1, 'Boots', { cost: 90, properties: { cost: 90, move_speed: 0.8 } });
const blade = item(2, 'Blade', { cost: 140, properties: { cost: 140, attack_damage: 14 } });
const flour = item(3, 'Flour', { cost: 1, properties: { cost: 1 } });
const theirs = item(4, 'Banner', { cost: 5, properties: { cost: 5, armor: 1 }, teams: [2] });
const goods = [flour, boots, blade, theirs];
const KEYS: Record<string, string> = { ability_e: 'E' };
const keyOf = (action: string) => KEYS[action];
const hintsOf = (unit: object, game: Partial<Parameters<typeof dueHints>[1]>) =>
	dueHints(
		{ ...hero, ...unit },
		{ goal: null, match: null, items: goods, units: [], tick: 0, ...game },
		keyOf,
	);
/** Texts of the hints about low health and gold that are due. */
const due = (unit: object, tick = 0) =>
	hintsOf(unit, { tick }).flatMap(({ about, text }) =>
		about === 'health' || about === 'shop' ? [text] : [],
	);

test('before the first fight, a hint names what heals, the key for it, and the only life', () => {
	const first = (unit: object, game: object) => {
		const [hint] = hintsOf(unit, game);
		return hint?.about === 'healing' ? hint.text : null;
	};
	const goal = 'Win. Mend heals, and so does the fountain. Be quick.';
	const cooling = { abilities: [{ ...mend, ready_at: 60 }] };
	expect(first(cooling, { goal })).toBe('Mend heals, and so does the fountain. E (Mend) heals you.');
	const match = { time_limit: 180, respawn_delay: 600 };
	expect(first({ abilities: [] }, { match })).toBe('You have one life.');
	expect(first({ abilities: [], respawns: false }, {})).toBe('You have one life.');
	expect(first({ abilities: [] }, { match: { ...match, respawn_delay: 8 }, goal: 'Win.' })).toBeNull();
	expect(first({ abilities: [] }, { match: { ...match, time_limit: 0 } })).toBeNull();
});

test('low health names the ability that heals, and its key', () => {
	expect(due({ health: [40, 100] })).toEqual([]);
	expect(due({ health: [39, 100] })).toEqual(['Your health is low. E (Mend) heals you.']);
	expect(due({ health: [39, 100], dead: true })).toEqual([]);
	expect(due({ health: [39, 100], abilities: [] })).toEqual([]);
	const cooling = { health: [39, 100], abilities: [{ ...mend, ready_at: 60 }] };
	expect([due(cooling, 59), due(cooling, 60)]).toEqual([[], ['Your health is low. E (Mend) heals you.']]);
});

test('a tower that shoots a lone unit is named at once, and not if a soldier draws its fire', () => {
	const at = (x: number) => ({ transform: { position: [x, 0, 0] } });
	const tower = { id: 8, team: 2, role: 'Tower', health: [9, 9], combat: { range: 6 }, ...at(0) };
	const soldier = { id: 9, team: 1, health: [9, 9], ...at(5) };
	const warned = (x: number, ...units: readonly object[]) =>
		hintsOf(at(x), { units: units as Entity[] }).some(({ about }) => about === 'tower');
	expect([warned(5, tower), warned(7, tower), warned(5, { ...tower, team: 1 })]).toEqual([
		true,
		false,
		false,
	]);
	expect([warned(5, tower, soldier), warned(5, tower, { ...soldier, dead: true })]).toEqual([false, true]);
	const hints = new Hints();
	hints.atTick(1, hintsOf({}, {}));
	expect(hints.shown.value?.about).toBe('healing');
	hints.atTick(2, hintsOf(at(5), { units: [tower] as unknown as Entity[] }));
	expect(hints.shown.value?.about).toBe('tower');
});

test('gold that is enough names the dearest item with an effect', () => {
	expect(due({ gold: 89 })).toEqual([]);
	expect(due({ gold: 90 })).toEqual(['Boots for 90 gold: +0.8 move speed. B opens the shop.']);
	expect(usefulItem({ ...hero, gold: 500 }, goods)).toBe(blade);
	const worn = { equipment: { feet: 1 }, inventory: [{ item_id: 2, count: 1 }] };
	expect(usefulItem({ ...hero, gold: 500, ...worn } as Entity, goods)).toBeNull();
	expect(usefulItem({ ...hero, gold: 500 }, [{ ...blade, stock: 0 }])).toBeNull();
});

test('each is given once in a match, one after the other, and again in the next match', () => {
	const hints = new Hints();
	const all = hintsOf({ health: [1, 100], gold: 90 }, {});
	const seen = [10, 489, 490, 969, 970, 1449, 1450, 1929, 1930].map((tick) => {
		hints.atTick(tick, all);
		return hints.shown.value?.about ?? null;
	});
	expect(seen).toEqual(['healing', 'healing', 'health', 'health', 'shop', 'shop', 'map', 'map', null]);
	hints.atTick(5, all);
	expect(hints.shown.value?.about).toBe('healing');
	hints.atTick(600, []);
	expect(hints.shown.value).toBeNull();
});
