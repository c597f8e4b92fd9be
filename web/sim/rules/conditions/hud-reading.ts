/**
 * Values of HUD elements: placeholders replaced by numbers of the world.
 * Owns: reading and formatting these numbers. It never changes the world; the numbers are not state.
 */

import type { HudElement } from '../../../../shared/documents/hud.ts';
import {
	defaultFullValue,
	type Placeholder,
	type PlaceholderQuantity,
	readQuantity,
	type TextPiece,
} from '../../../../shared/verbs/placeholder.ts';
import { TICKS_PER_SECOND } from '../../core/clock.ts';
import { comingTick } from '../../core/coming-tick.ts';
import { slotOf } from '../../core/entities.ts';
import { spend } from '../../core/tick-budget.ts';
import { piecesOf } from '../../hud/check-element.ts';
import { matchState } from '../../match/match.ts';
import type { ConditionScope } from './condition.ts';
import { measure } from './measure.ts';

/** An element with its current values: text with placeholders replaced, or the fill of a bar. */
export type ShownElement =
	| (Exclude<HudElement, { type: 'bar' }> & {
			/** Sent text of a text or button, with its placeholders. */
			readonly template?: string;
	  })
	| (Extract<HudElement, { type: 'bar' }> & { readonly fill: number });

/** The part of a condition's scope that reading numbers needs. */
export type HudScope = Pick<ConditionScope, 'world' | 'members' | 'entity'>;

/** Text in place of a number that no entity has. */
const NO_VALUE = '-';

/** Reads HUD elements. Each placeholder is read only once. */
export class HudReading {
	readonly #scope: HudScope;
	readonly #texts = new Map<string, string>();

	constructor(scope: HudScope) {
		this.#scope = scope;
	}

	/** Returns an element with its current values. */
	readElement(element: HudElement): ShownElement {
		if (element.type === 'text' || element.type === 'button')
			return {
				...element,
				text: piecesOf(element.text)
					.map((piece) => this.#pieceText(piece))
					.join(''),
				template: element.text,
			};
		if (element.type !== 'bar') return element;
		const { follow, full, fill } = element;
		return { ...element, fill: follow == null ? (fill ?? 0) : this.#fillOf(follow, full ?? undefined) };
	}

	#pieceText(piece: TextPiece): string {
		if (typeof piece === 'string') return piece;
		const { source, placeholder } = piece;
		let text = this.#texts.get(source);
		if (text === undefined) {
			text = this.#readPlaceholder(placeholder);
			this.#texts.set(source, text);
		}
		return text;
	}

	#readPlaceholder(placeholder: Placeholder): string {
		const { world } = this.#scope;
		if (placeholder.of === 'time') return clockText(comingTick(world));
		if (placeholder.of === 'phase') return matchState(world)?.phase ?? NO_VALUE;
		const value = this.#numberOf(placeholder);
		return value === undefined ? NO_VALUE : numberText(value);
	}

	#numberOf(quantity: PlaceholderQuantity): number | undefined {
		if (quantity.of === 'measure') return this.#measureOf(quantity);
		if (quantity.of === 'count') return this.#members(quantity.filter).length;
		return quantity.of === 'tick' ? comingTick(this.#scope.world) : this.#scoreOf(quantity);
	}

	/** Returns the number of the first matching entity that has it. */
	#measureOf({ name, filter }: Extract<PlaceholderQuantity, { of: 'measure' }>): number | undefined {
		const { of } = measure(name);
		for (const id of this.#members(filter)) {
			const value = of(this.#scope.entity(id));
			if (value !== undefined) return value;
		}
		return undefined;
	}

	#members(filter: NonNullable<Extract<PlaceholderQuantity, { of: 'count' }>['filter']>): number[] {
		spend(this.#scope.world, 'searched', this.#scope.world.entities.count);
		return this.#scope.members(filter);
	}

	/**
	 * Returns the sum of the points of matching entities; without a filter, the highest points. For a team, it sums the
	 * entities that were in the team when they last scored.
	 */
	#scoreOf({ filter }: Extract<PlaceholderQuantity, { of: 'score' }>): number {
		const { world } = this.#scope;
		const scores = matchState(world)?.scores ?? [];
		if (filter === undefined) return scores.reduce((highest, { points }) => Math.max(highest, points), 0);
		const sum = (rows: typeof scores) => rows.reduce((total, { points }) => total + points, 0);
		if ('team' in filter && 'type' in filter && filter.type === 'team')
			return sum(scores.filter(({ team }) => team === filter.team));
		const members = new Set(this.#members(filter));
		return sum(scores.filter(({ entity }) => members.has(slotOf(world, entity))));
	}

	#fillOf(follow: string, fullValue: number | string | undefined): number {
		const followed = readQuantity(follow);
		const value = this.#numberOf(followed);
		const full =
			typeof fullValue === 'string' ? readQuantity(fullValue) : (fullValue ?? defaultFullValue(followed));
		const maximum = typeof full === 'object' ? this.#numberOf(full) : full;
		if (value === undefined || maximum === undefined || maximum <= 0) return 0;
		return Math.min(1, Math.max(0, value / maximum));
	}
}

/** Returns whole numbers unchanged, and others with at most two decimals. */
function numberText(value: number): string {
	return String(Number.isInteger(value) ? value : Number(value.toFixed(2)));
}

/** Returns minutes and seconds, such as `1:05`. */
function clockText(ticks: number): string {
	const seconds = Math.floor(ticks / TICKS_PER_SECOND);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
