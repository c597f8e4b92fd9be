/**
 * Placement of plates over a picture, so that no two overlap.
 * Owns: the arithmetic for the page, for captured pictures and for names over units.
 */

export interface PlateBox {
	/** Left edge. All values have the same unit, such as pixels. */
	readonly left: number;
	readonly top: number;
	readonly width: number;
	readonly height: number;
}

/** Distance between two plates after one was moved, in the unit of the boxes. */
const GAP = 2;

const overlaps = (a: PlateBox, b: PlateBox): boolean =>
	a.left < b.left + b.width &&
	b.left < a.left + a.width &&
	a.top < b.top + b.height &&
	b.top < a.top + a.height;

/**
 * Returns tops of the boxes at which they do not overlap. Each box avoids those before it: first it moves in direction
 * `first`, then in the other. A box without room in a picture of this height keeps its top.
 */
export function separateTops(boxes: readonly PlateBox[], height: number, first: 'down' | 'up'): number[] {
	const placed: PlateBox[] = [];
	for (const box of boxes) {
		const topTowards = (direction: 'down' | 'up'): number | null => {
			let { top } = box;
			for (;;) {
				const other = placed.find((plateBox) => overlaps(plateBox, { ...box, top }));
				if (other === undefined) return top < 0 || top + box.height > height ? null : top;
				top = direction === 'down' ? other.top + other.height + GAP : other.top - box.height - GAP;
			}
		};
		const isFree = placed.every((plateBox) => !overlaps(plateBox, box));
		const second = first === 'down' ? 'up' : 'down';
		const top = isFree ? box.top : (topTowards(first) ?? topTowards(second) ?? box.top);
		placed.push({ ...box, top });
	}
	return placed.map(({ top }) => top);
}
