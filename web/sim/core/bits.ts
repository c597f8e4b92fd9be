/** Sets of slots as bits: bit `slot & 31` of word `slot >> 5`. */

/** Slots beyond the words are not in the set. A load beyond the end of an array is slow, so it is not made. */
export function hasBit(words: Uint32Array, slot: number): boolean {
	const at = slot >>> 5;
	return at < words.length && ((words[at]! >>> (slot & 31)) & 1) === 1;
}

export function setBit(words: Uint32Array, slot: number): void {
	words[slot >>> 5] = words[slot >>> 5]! | (1 << (slot & 31));
}

export function clearBit(words: Uint32Array, slot: number): void {
	words[slot >>> 5] = words[slot >>> 5]! & ~(1 << (slot & 31));
}

/** Calls `visit` for every set slot, ascending. `word(i)` gives the i-th word. */
export function eachBit(
	length: number,
	word: (index: number) => number,
	visit: (slot: number) => void,
): void {
	for (let i = 0; i < length; i++) {
		let bits = word(i);
		while (bits !== 0) {
			const low = bits & -bits;
			visit(i * 32 + (31 - Math.clz32(low)));
			bits ^= low;
		}
	}
}

/** Returns the number of slots that are set. */
export function countBits(words: Uint32Array): number {
	let count = 0;
	for (const word of words) for (let bits = word; bits !== 0; bits &= bits - 1) count++;
	return count;
}

/** Calls `visit(from, to)` for every run of slots that are all set. */
export function eachRun(words: Uint32Array, visit: (from: number, to: number) => void): void {
	let from = -1;
	for (let i = 0; i < words.length; i++) {
		const word = words[i]!;
		if (word === 0xffffffff) {
			if (from < 0) from = i * 32;
			continue;
		}
		if (word === 0) {
			if (from >= 0) visit(from, i * 32);
			from = -1;
			continue;
		}
		for (let bit = 0; bit < 32; bit++) {
			const set = ((word >>> bit) & 1) === 1;
			if (set && from < 0) from = i * 32 + bit;
			else if (!set && from >= 0) {
				visit(from, i * 32 + bit);
				from = -1;
			}
		}
	}
	if (from >= 0) visit(from, words.length * 32);
}
