/** Splitting a row of slots in two by a number that each has, for trees that are halved again and again. */

/** A number of each slot, or several in a row. */
export interface BySlot {
	readonly [slot: number]: number;
}

/**
 * Orders `slots[from..to)` so that no key before `middle` is above one after it (Hoare's selection).
 * The key of a slot is `keys[slot * stride + offset]`.
 */
export function split(
	slots: Int32Array,
	from: number,
	to: number,
	middle: number,
	keys: BySlot,
	stride: number,
	offset: number,
): void {
	let low = from;
	let high = to - 1;
	while (low < high) {
		// From anywhere in the row: with one from the middle, some rows, such as a ring of fighters, would take quadratic time.
		const anywhere = low + ((Math.imul(low + high, 0x9e3779b1) >>> 0) % (high - low + 1));
		const pivot = keys[slots[anywhere]! * stride + offset]!;
		let i = low;
		let j = high;
		while (i <= j) {
			while (keys[slots[i]! * stride + offset]! < pivot) i++;
			while (keys[slots[j]! * stride + offset]! > pivot) j--;
			if (i > j) break;
			const slot = slots[i]!;
			slots[i++] = slots[j]!;
			slots[j--] = slot;
		}
		if (middle <= j) high = j;
		else if (middle >= i) low = i;
		else return;
	}
}
