/**
 * Reads the words of a condition such as `count team:2 max=0`, whose fields may be in any order.
 * Owns: the position in the words, and the refusal of repeated fields.
 */

import { Refusal } from '../contract/errors.ts';

export class WordReader {
	readonly text: string;
	readonly fields: Record<string, unknown> = {};
	readonly #words: readonly string[];
	#index = 0;

	constructor(text: string, words: readonly string[]) {
		this.text = text;
		this.#words = words;
	}

	/** The next word; undefined at the end. */
	get next(): string | undefined {
		return this.#words[this.#index];
	}

	/** Returns the next word, and moves past it. */
	take(): string | undefined {
		return this.#words[this.#index++];
	}

	/** Sets a field. Throws a Refusal if it is already set. */
	set(key: string, value: unknown): true {
		if (this.fields[key] !== undefined)
			throw new Refusal(
				`"${this.text}" gives ${key} twice: ${this.fields[key]} and ${value}`,
				key === 'filter'
					? 'Give one filter, its parts joined with +, as in team:2+role:hero.'
					: `Give ${key} once.`,
			);
		this.fields[key] = value;
		return true;
	}

	/** Reads `word=NUMBER` into the field `key`. Returns false if another word is next. */
	takeNumber(word: string, key: string, { whole = true }: { readonly whole?: boolean } = {}): boolean {
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

	/** Reads a number into the field `key`. Returns false if another word is next. */
	takeBareNumber(key: string, { whole = true }: { readonly whole?: boolean } = {}): boolean {
		if (!(whole ? /^\d+$/ : /^\d+(\.\d+)?$/).test(this.next ?? '')) return false;
		return this.set(key, Number(this.take()));
	}
}
