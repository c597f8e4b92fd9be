/**
 * Answers with their keys, one after the other in pages of bytes: many small ones take little more than what they say.
 * Owns: the layout of a page: for each answer the lengths of a JSON head and of its body (u32 each, little-endian), the head,
 * the body. All pages but the last never change.
 */

import type { KeptAnswer } from './keys.ts';

/** A page that would become larger is followed by another; a larger answer has one to itself. */
const PAGE_BYTES = 256 * 1024;
const LENGTHS = 8;

interface Page {
	/** With room for more in the last page, and nowhere else. */
	bytes: Uint8Array;
	used: number;
	/** When the newest of its answers was applied (ms since 1970). */
	newest: number;
}

interface Place {
	readonly page: Page;
	readonly at: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class AnswerPages {
	/** Oldest first. */
	readonly #pages: Page[] = [];
	/** The newest answer of each key, in the order of the pages. */
	readonly #places = new Map<string, Place>();
	#bytes = 0;

	/** How many answers there are. */
	get size(): number {
		return this.#places.size;
	}

	/** What all pages take. */
	get bytes(): number {
		return this.#bytes;
	}

	/** When the newest answer of the oldest page was applied; undefined where the last page is the only one. */
	get oldest(): number | undefined {
		return this.#pages.length > 1 ? this.#pages[0]!.newest : undefined;
	}

	/** Adds an answer, in place of an older one with its key. */
	add({ body, ...head }: KeptAnswer): void {
		const said = encoder.encode(JSON.stringify(head));
		const length = LENGTHS + said.length + body.length;
		const last = this.#pages.at(-1);
		const page =
			last !== undefined && last.bytes.length - last.used >= length ? last : this.#begin(last, length);
		const at = page.used;
		const lengths = new DataView(page.bytes.buffer, page.bytes.byteOffset + at);
		lengths.setUint32(0, said.length, true);
		lengths.setUint32(4, body.length, true);
		page.bytes.set(said, at + LENGTHS);
		page.bytes.set(body, at + LENGTHS + said.length);
		page.used += length;
		page.newest = Math.max(page.newest, head.at);
		this.#point(head.key, { page, at });
	}

	/** Another page, of at least so many bytes. The one before is full. */
	#begin(full: Page | undefined, length: number): Page {
		if (full !== undefined && full.used < full.bytes.length) {
			this.#bytes -= full.bytes.length - full.used;
			full.bytes = full.bytes.slice(0, full.used);
		}
		return this.#take(new Uint8Array(Math.max(PAGE_BYTES, length)), 0);
	}

	#take(bytes: Uint8Array, used: number): Page {
		const page = { bytes, used, newest: Number.NEGATIVE_INFINITY };
		this.#pages.push(page);
		this.#bytes += bytes.length;
		return page;
	}

	#point(key: string, place: Place): void {
		this.#places.delete(key);
		this.#places.set(key, place);
	}

	find(key: string): KeptAnswer | undefined {
		const place = this.#places.get(key);
		return place === undefined ? undefined : answerAt(place.page.bytes, place.at).answer;
	}

	/** Drops the oldest page and the answers in it, which are answered. */
	dropOldest(): KeptAnswer[] {
		const page = this.#pages.shift();
		if (page === undefined) return [];
		this.#bytes -= page.bytes.length;
		const dropped: KeptAnswer[] = [];
		for (const [key, place] of this.#places) {
			if (place.page !== page) break;
			dropped.push(answerAt(page.bytes, place.at).answer);
			this.#places.delete(key);
		}
		return dropped;
	}

	/** All pages, oldest first: a copy of the last one, and the others themselves, the same each time. */
	all(): Uint8Array[] {
		const last = this.#pages.length - 1;
		return this.#pages.map(({ bytes, used }, index) => (index === last ? bytes.slice(0, used) : bytes));
	}

	/** Goes on from pages as `all` answered them. Throws a RangeError when one is cut off. */
	restore(pages: readonly Uint8Array[]): void {
		for (const bytes of pages) {
			if (bytes.length === 0) continue;
			const page = this.#take(bytes, bytes.length);
			for (let at = 0; at < bytes.length; ) {
				const { answer, end } = answerAt(bytes, at);
				page.newest = Math.max(page.newest, answer.at);
				this.#point(answer.key, { page, at });
				at = end;
			}
		}
	}
}

/** The answers of a page, oldest first. Throws a RangeError for a page that is cut off. */
export function answersIn(page: Uint8Array): KeptAnswer[] {
	const answers: KeptAnswer[] = [];
	for (let at = 0; at < page.length; ) {
		const { answer, end } = answerAt(page, at);
		answers.push(answer);
		at = end;
	}
	return answers;
}

/** The answer that stands at a place of a page, and where that ends. */
function answerAt(bytes: Uint8Array, at: number): { readonly answer: KeptAnswer; readonly end: number } {
	const lengths = new DataView(bytes.buffer, bytes.byteOffset + at);
	const body = at + LENGTHS + lengths.getUint32(0, true);
	const end = body + lengths.getUint32(4, true);
	if (end > bytes.length) throw new RangeError('a page of answers is cut off');
	const head = JSON.parse(decoder.decode(bytes.subarray(at + LENGTHS, body))) as Omit<KeptAnswer, 'body'>;
	return { answer: { ...head, body: bytes.slice(body, end) }, end };
}
