/** A set of slots as bits: bit `slot & 31` of word `slot >> 5`. */

export function hasBit(words: Uint32Array, slot: number): boolean {
	return (((words[slot >>> 5] ?? 0) >>> (slot & 31)) & 1) === 1;
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
