/**
 * Reading `count team:2 max=0`: a short word and its fields, in any order.
 * Owns: the refusal of repeated fields.
 */

import { Refusal } from '../contract/errors.ts';

export class WordReader {
	readonly text: string;
	readonly given: Record<string, unknown> = {};
	readonly #words: readonly string[];
	#at = 0;

	constructor(text: string, words: readonly string[]) {
		this.text = text;
		this.#words = words;
	}

	/** The word that comes next, or undefined at the end. */
	get next(): string | undefined {
		return this.#words[this.#at];
	}

	/** Takes the word that comes next. */
	take(): string | undefined {
		return this.#words[this.#at++];
	}

	/** Sets a field. Throws a Refusal when it has been set. */
	set(key: string, value: unknown): true {
		if (this.given[key] !== undefined)
			throw new Refusal(
				`"${this.text}" gives ${key} twice: ${this.given[key]} and ${value}`,
				key === 'filter'
					? 'Give one filter, its parts joined with +, as in team:2+role:hero.'
					: `Give ${key} once.`,
			);
		this.given[key] = value;
		return true;
	}

	/** Takes `word=NUMBER` if that comes next. */
	number(word: string, key: string, { whole = true }: { readonly whole?: boolean } = {}): boolean {
		const [, value] = new RegExp(`^${word}=(.*)$`).exec(this.next ?? '') ?? [];
		if (value === undefined) return false;
		const fits = whole ? /^\d+$/ : /^\d+(\.\d+)?$/;
		if (!fits.test(value))
			throw new Refusal(
				`"${this.next}": ${word} must be ${whole ? 'a whole number' : 'a number'}, 0 or more`,
			);
		this.take();
		return this.set(key, Number(value));
	}

	/** Takes a bare number if one comes next. */
	bare(key: string, { whole = true }: { readonly whole?: boolean } = {}): boolean {
		if (!(whole ? /^\d+$/ : /^\d+(\.\d+)?$/).test(this.next ?? '')) return false;
		return this.set(key, Number(this.take()));
	}
}
