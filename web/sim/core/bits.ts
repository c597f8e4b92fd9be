/** Sets of slots as bits: bit `slot & 31` of word `slot >> 5`. */

/** Returns true if a slot is in the set. It checks the length first, because reading beyond the end of an array is slow. */
export function hasBit(words: Uint32Array, slot: number): boolean {
	const index = slot >>> 5;
	return index < words.length && ((words[index]! >>> (slot & 31)) & 1) === 1;
}

export function setBit(words: Uint32Array, slot: number): void {
	words[slot >>> 5] = words[slot >>> 5]! | (1 << (slot & 31));
}

export function clearBit(words: Uint32Array, slot: number): void {
	words[slot >>> 5] = words[slot >>> 5]! & ~(1 << (slot & 31));
}

/** Visits every slot of the set, ascending. `word(i)` returns the i-th word. */
export function eachBit(
	length: number,
	word: (index: number) => number,
	visit: (slot: number) => void,
): void {
	for (let i = 0; i < length; i++) {
		let bits = word(i);
		while (bits !== 0) {
			const lowestBit = bits & -bits;
			visit(i * 32 + (31 - Math.clz32(lowestBit)));
			bits ^= lowestBit;
		}
	}
}

/** Returns the number of slots in the set. */
export function countBits(words: Uint32Array): number {
	let count = 0;
	for (const word of words) for (let bits = word; bits !== 0; bits &= bits - 1) count++;
	return count;
}

/** Calls `visit(from, to)` for every run of consecutive slots in the set; `to` is exclusive. */
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
			const isSet = ((word >>> bit) & 1) === 1;
			if (isSet && from < 0) from = i * 32 + bit;
			else if (!isSet && from >= 0) {
				visit(from, i * 32 + bit);
				from = -1;
			}
		}
	}
	if (from >= 0) visit(from, words.length * 32);
}
