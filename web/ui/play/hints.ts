/**
 * Hints for a person who plays a game for the first time: what heals, what the gold buys, and where towers shoot.
 * Owns: the words and the time of each hint, once per match. The hints about healing and goods depend on the world's abilities
 * and shop.
 */

import { signal } from '@preact/signals';
import type { Entity } from '../entities/entity.ts';
import { formatNumber } from '../numbers.ts';
import type { ShopItem } from './game-state.ts';
import { effectsText, usefulItem } from './goods.ts';
import { lifeText, type Match } from './match.ts';
import { abilitiesOf, dialState, foesOf, gauge, isInReach, isUnit, type ShownAbility } from './units.ts';

/** Share of the health below which it counts as low. */
const LOW_HEALTH = 0.4;
/** Ticks that a hint is shown. */
const SHOWN_TICKS = 480;

/** Returns the first key of an action. */
type KeyOf = (action: string) => string | undefined;

export interface Hint {
	readonly about: 'tower' | 'healing' | 'health' | 'shop' | 'map';
	readonly text: string;
}

/** Returns true for an effect that heals, or that contains one. */
const heals = (effect: unknown): boolean =>
	typeof effect === 'object' && effect !== null && ('Heal' in effect || Object.values(effect).some(heals));

/** Returns a sentence about a healing ability, with its key; null without one. */
function castText(
	hero: Entity,
	keyOf: KeyOf,
	isUsable: (ability: ShownAbility) => boolean = () => true,
): string | null {
	const ability = abilitiesOf(hero).find((candidate) => heals(candidate.effect) && isUsable(candidate));
	const key = ability && keyOf(`ability_${ability.slot.toLowerCase()}`);
	return key === undefined ? null : `${key} (${ability!.name}) heals you.`;
}

/**
 * Returns the hint for the start of a match. It has the goal's sentence about healing, the key of a healing ability, and a
 * warning if the unit has only one life.
 */
function healingHint(hero: Entity, { goal, match }: Game, keyOf: KeyOf): Hint | null {
	const sentence = goal?.split(/(?<=\.)\s+/).find((words) => /\bheals?\b/i.test(words));
	const parts = [sentence, castText(hero, keyOf), lifeText(hero, match)].filter(Boolean);
	return parts.length === 0 ? null : { about: 'healing', text: parts.join(' ') };
}

function healthHint(hero: Entity, tick: number, keyOf: KeyOf): Hint | null {
	const [health, maximum] = gauge(hero.health) ?? [1, 1];
	if (hero.dead === true || health >= LOW_HEALTH * maximum) return null;
	const mana = gauge(hero.mana)?.[0] ?? null;
	const text = castText(hero, keyOf, (ability) => dialState(ability, tick, mana).kind === 'ready');
	return text === null ? null : { about: 'health', text: `Your health is low. ${text}` };
}

/** Returns a warning if the hero is in the reach of a hostile tower and no other living unit of its team is. */
function towerHint(hero: Entity, { units }: Game): Hint | null {
	if (hero.dead === true) return null;
	const tower = foesOf(hero, units).find((foe) => foe.role === 'Tower' && isInReach(foe, hero));
	const isLivingAlly = (unit: Entity): boolean =>
		unit.id !== hero.id && unit.team === hero.team && unit.dead !== true && isUnit(unit);
	if (tower === undefined || units.some((unit) => isLivingAlly(unit) && isInReach(tower, unit))) return null;
	return { about: 'tower', text: 'A tower shoots at you. Step back, and return with your soldiers.' };
}

function shopHint(hero: Entity, items: readonly ShopItem[]): Hint | null {
	const item = usefulItem(hero, items);
	return (
		item && {
			about: 'shop',
			text: `${item.name} for ${formatNumber(item.cost)} gold: ${effectsText(item)}. B opens the shop.`,
		}
	);
}

/** The map shows what is out of the picture. */
const MAP_HINT: Hint = { about: 'map', text: 'M shows a larger map.' };

/** State of the game that hints depend on. */
interface Game {
	/** Description of the goal; null without one. */
	readonly goal: string | null;
	readonly match: Match | null;
	readonly items: readonly ShopItem[];
	readonly units: readonly Entity[];
	readonly tick: number;
}

/** Returns the hints that are due for the played unit. With low health, a healing ability is named once it can be cast. */
export function dueHints(hero: Entity, game: Game, keyOf: KeyOf): readonly Hint[] {
	return [
		towerHint(hero, game),
		healingHint(hero, game, keyOf),
		healthHint(hero, game.tick, keyOf),
		shopHint(hero, game.items),
		MAP_HINT,
	].filter((hint) => hint !== null);
}

/** Hints of one match. */
export class Hints {
	readonly shown = signal<Hint | null>(null);
	readonly #shownBefore = new Set<Hint['about']>();
	#until = 0;
	#tick = 0;

	forget(): void {
		this.#shownBefore.clear();
		this.shown.value = null;
	}

	/**
	 * Shows the first hint that was not given yet, once the one before it has been shown for its time. A warning of a tower
	 * does not wait.
	 */
	atTick(tick: number, due: readonly Hint[]): void {
		// The match was started again.
		if (tick < this.#tick) this.forget();
		this.#tick = tick;
		if (this.shown.value !== null && tick >= this.#until) this.shown.value = null;
		const next = due.find(({ about }) => !this.#shownBefore.has(about));
		if (next === undefined || (this.shown.value !== null && next.about !== 'tower')) return;
		this.#shownBefore.add(next.about);
		this.#until = tick + SHOWN_TICKS;
		this.shown.value = next;
	}
}
