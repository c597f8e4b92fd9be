/** Splits a list of slots in two by their keys, for building trees. */

/** A column with one or several numbers per slot. */
export interface SlotKeys {
	readonly [slot: number]: number;
}

/**
 * Orders `slots[from..to)` so that no key before `middle` is above one after it (Hoare's selection).
 * The key of a slot is `keys[slot * stride + offset]`.
 */
export function splitSlots(
	slots: Int32Array,
	from: number,
	to: number,
	middle: number,
	keys: SlotKeys,
	stride: number,
	offset: number,
): void {
	let low = from;
	let high = to - 1;
	while (low < high) {
		// A pseudo-random pivot. With one from the middle, some lists, such as a ring of fighters, take quadratic time.
		const pivotIndex = low + ((Math.imul(low + high, 0x9e3779b1) >>> 0) % (high - low + 1));
		const pivot = keys[slots[pivotIndex]! * stride + offset]!;
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
