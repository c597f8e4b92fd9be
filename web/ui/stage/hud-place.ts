/**
 * Where a text over the picture may spread.
 * Owns: the arithmetic. Never: measures a text; the page aligns it within its room.
 */

export interface HudPlace {
	/** Shares of the picture's width. */
	readonly left: number;
	readonly width: number;
	/** The edge of the picture that bounds the room: a text that is wider than its room begins there. */
	readonly side: 'left' | 'right';
}

/** The widest room in the picture that is centred on `x` (0 = left edge, 1 = right edge; clamped). */
export function hudPlace(x: number): HudPlace {
	const at = Math.min(1, Math.max(0, x));
	return at <= 0.5
		? { left: 0, width: 2 * at, side: 'left' }
		: { left: 2 * at - 1, width: 2 - 2 * at, side: 'right' };
}
