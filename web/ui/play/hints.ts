/**
 * Hints for a person who plays a game for the first time: what heals, and what the gold buys.
 * Owns: when each is due, its words, and that each is given once in a match. The world's abilities and shop decide both.
 */

import { signal } from '@preact/signals';
import type { Entity } from '../entities/entity.ts';
import { formatNumber } from '../numbers.ts';
import type { ShopItem } from './game-state.ts';
import { effectsText, usefulItem } from './goods.ts';
import { lifeText, type Match } from './match.ts';
import { abilitiesOf, gauge } from './units.ts';

/** Share of the health below which it counts as low. */
const LOW = 0.4;
/** Ticks that a hint is shown. */
const SHOWN_TICKS = 480;

/** Returns the first key of an action. */
type KeyOf = (action: string) => string | undefined;

export interface Hint {
	readonly about: 'healing' | 'health' | 'shop';
	readonly text: string;
}

/** Returns true for an effect that heals, or that contains one. */
const heals = (effect: unknown): boolean =>
	typeof effect === 'object' && effect !== null && ('Heal' in effect || Object.values(effect).some(heals));

/** Returns a sentence about the ability that heals, with its key; null without one. `tick`: it must be ready by then. */
function castText(hero: Entity, tick: number, keyOf: KeyOf): string | null {
	const ability = abilitiesOf(hero).find(({ effect, ready_at }) => ready_at <= tick && heals(effect));
	const key = ability && keyOf(`ability_${ability.slot.toLowerCase()}`);
	return key === undefined ? null : `${key} (${ability!.name}) heals you.`;
}

/** Returns the hint before the first fight: the sentence of the goal about healing, the key, and the only life. */
function healingHint(hero: Entity, { about, match }: Game, keyOf: KeyOf): Hint | null {
	const sentence = about?.split(/(?<=\.)\s+/).find((words) => /\bheals?\b/i.test(words));
	const parts = [sentence, castText(hero, Number.POSITIVE_INFINITY, keyOf), lifeText(hero, match)].filter(
		Boolean,
	);
	return parts.length === 0 ? null : { about: 'healing', text: parts.join(' ') };
}

function healthHint(hero: Entity, tick: number, keyOf: KeyOf): Hint | null {
	const [health, maximum] = gauge(hero.health) ?? [1, 1];
	if (hero.dead === true || health >= LOW * maximum) return null;
	const text = castText(hero, tick, keyOf);
	return text === null ? null : { about: 'health', text: `Your health is low. ${text}` };
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

/** State of the game that hints depend on. */
interface Game {
	/** Description of the goal; null without one. */
	readonly about: string | null;
	readonly match: Match | null;
	readonly items: readonly ShopItem[];
	readonly tick: number;
}

/** Returns the hints that are due for the played unit. With low health, a healing ability is named once it is ready. */
export function dueHints(hero: Entity, game: Game, keyOf: KeyOf): readonly Hint[] {
	return [
		healingHint(hero, game, keyOf),
		healthHint(hero, game.tick, keyOf),
		shopHint(hero, game.items),
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

	/** Shows the first hint that was not given yet, once the one before it has been shown for its time. */
	atTick(tick: number, due: readonly Hint[]): void {
		// The match was started again.
		if (tick < this.#tick) this.forget();
		this.#tick = tick;
		if (this.shown.value !== null && tick >= this.#until) this.shown.value = null;
		const next = due.find(({ about }) => !this.#shownBefore.has(about));
		if (this.shown.value !== null || next === undefined) return;
		this.#shownBefore.add(next.about);
		this.#until = tick + SHOWN_TICKS;
		this.shown.value = next;
	}
}
