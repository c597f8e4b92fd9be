/**
 * Room for plates over a picture: no two of them overlap.
 * Owns: the arithmetic, for the page, for pictures that are taken and for names over units.
 */

export interface PlateBox {
	/** Pixels, or any other unit. */
	readonly left: number;
	readonly top: number;
	readonly width: number;
	readonly height: number;
}

/** Between two plates that were moved apart. */
const GAP = 2;

const meet = (a: PlateBox, b: PlateBox): boolean =>
	a.left < b.left + b.width &&
	b.left < a.left + a.width &&
	a.top < b.top + b.height &&
	b.top < a.top + a.height;

/**
 * Returns the tops at which boxes do not overlap: each stands clear of those before it, first in the given direction, then
 * in the other. A box that has no room in the picture of this height stays where it is.
 */
export function topsApart(boxes: readonly PlateBox[], height: number, first: 'down' | 'up'): number[] {
	const placed: PlateBox[] = [];
	for (const box of boxes) {
		const clear = (way: 'down' | 'up'): number | null => {
			let { top } = box;
			for (;;) {
				const other = placed.find((plateBox) => meet(plateBox, { ...box, top }));
				if (other === undefined) return top < 0 || top + box.height > height ? null : top;
				top = way === 'down' ? other.top + other.height + GAP : other.top - box.height - GAP;
			}
		};
		const isFree = placed.every((plateBox) => !meet(plateBox, box));
		const top = isFree ? box.top : (clear(first) ?? clear(first === 'down' ? 'up' : 'down') ?? box.top);
		placed.push({ ...box, top });
	}
	return placed.map(({ top }) => top);
}
