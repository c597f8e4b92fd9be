/**
 * The HUD as it is shown: placeholders replaced by the numbers of the world.
 * Owns: what each number is, and how it is written. Never: changes anything; the numbers are no state.
 */

import type { HudElement } from '../../../../shared/documents/hud.ts';
import {
	defaultFull,
	type Placeholder,
	type PlaceholderQuantity,
	readQuantity,
	type TextPiece,
} from '../../../../shared/verbs/placeholder.ts';
import { TICKS_PER_SECOND } from '../../core/clock.ts';
import { comingTick } from '../../core/coming-tick.ts';
import { slotOf } from '../../core/entities.ts';
import { spend } from '../../core/tick-budget.ts';
import { piecesOf } from '../../hud/sound-element.ts';
import { matchState } from '../../match/match.ts';
import type { ConditionScope } from './condition.ts';
import { measure } from './measure.ts';

/** An element with what it shows now: its text filled in, its bar as full as what it follows. */
export type ShownElement =
	| (Exclude<HudElement, { type: 'bar' }> & {
			/** Of a text or button: its text as it was sent. */
			readonly template?: string;
	  })
	| (Extract<HudElement, { type: 'bar' }> & { readonly fill: number });

/** Parts of a scope with which numbers are read. */
export type HudScope = Pick<ConditionScope, 'world' | 'members' | 'entity'>;

/** Text in place of a number that no entity has. */
const NO_VALUE = '-';

/** Looks every number up once. */
export class HudReading {
	readonly #sight: HudScope;
	readonly #texts = new Map<string, string>();

	constructor(sight: HudScope) {
		this.#sight = sight;
	}

	/** Returns an element as it is shown. */
	shown(element: HudElement): ShownElement {
		if (element.type === 'text' || element.type === 'button')
			return {
				...element,
				text: piecesOf(element.text)
					.map((piece) => this.#words(piece))
					.join(''),
				template: element.text,
			};
		if (element.type !== 'bar') return element;
		const { follow, full, fill } = element;
		return { ...element, fill: follow == null ? (fill ?? 0) : this.#fill(follow, full ?? undefined) };
	}

	#words(piece: TextPiece): string {
		if (typeof piece === 'string') return piece;
		const { source, placeholder } = piece;
		let words = this.#texts.get(source);
		if (words === undefined) {
			words = this.#read(placeholder);
			this.#texts.set(source, words);
		}
		return words;
	}

	#read(placeholder: Placeholder): string {
		const { world } = this.#sight;
		if (placeholder.of === 'time') return clock(comingTick(world));
		if (placeholder.of === 'phase') return matchState(world)?.phase ?? NO_VALUE;
		const value = this.#number(placeholder);
		return value === undefined ? NO_VALUE : numberText(value);
	}

	#number(quantity: PlaceholderQuantity): number | undefined {
		if (quantity.of === 'measure') return this.#measured(quantity);
		if (quantity.of === 'count') return this.#members(quantity.filter).length;
		return quantity.of === 'tick' ? comingTick(this.#sight.world) : this.#score(quantity);
	}

	/** Returns the number of the first entity that has it. */
	#measured({ name, filter }: Extract<PlaceholderQuantity, { of: 'measure' }>): number | undefined {
		const { of } = measure(name);
		for (const id of this.#members(filter)) {
			const value = of(this.#sight.entity(id));
			if (value !== undefined) return value;
		}
		return undefined;
	}

	#members(filter: NonNullable<Extract<PlaceholderQuantity, { of: 'count' }>['filter']>): number[] {
		spend(this.#sight.world, 'searched', this.#sight.world.entities.count);
		return this.#sight.members(filter);
	}

	/** Returns the points of a filter. A team has the points that its entities had when they last scored. */
	#score({ filter }: Extract<PlaceholderQuantity, { of: 'score' }>): number {
		const { world } = this.#sight;
		const scores = matchState(world)?.scores ?? [];
		if (filter === undefined) return scores.reduce((most, { points }) => Math.max(most, points), 0);
		const sum = (rows: typeof scores) => rows.reduce((total, { points }) => total + points, 0);
		if ('team' in filter && 'type' in filter && filter.type === 'team')
			return sum(scores.filter(({ team }) => team === filter.team));
		const members = new Set(this.#members(filter));
		return sum(scores.filter(({ entity }) => members.has(slotOf(world, entity))));
	}

	#fill(follow: string, given: number | string | undefined): number {
		const followed = readQuantity(follow);
		const value = this.#number(followed);
		const full = typeof given === 'string' ? readQuantity(given) : (given ?? defaultFull(followed));
		const most = typeof full === 'object' ? this.#number(full) : full;
		if (value === undefined || most === undefined || most <= 0) return 0;
		return Math.min(1, Math.max(0, value / most));
	}
}

/** Whole numbers as they are, others with two decimals at most. */
function numberText(value: number): string {
	return String(Number.isInteger(value) ? value : Number(value.toFixed(2)));
}

/** `1:05`: minutes and seconds. */
function clock(ticks: number): string {
	const seconds = Math.floor(ticks / TICKS_PER_SECOND);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
