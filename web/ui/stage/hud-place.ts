/**
 * Room in which a text over the picture may spread.
 * Owns: the arithmetic. Never: measures a text; the page aligns it within its room.
 */

export interface HudPlace {
	/** Shares of the picture's width. */
	readonly left: number;
	readonly width: number;
	/** Alignment of a text in its room. */
	readonly align: 'start' | 'center' | 'end';
	/** The edge of the picture that bounds the room: a centred text that is wider than its room begins there. */
	readonly side: 'left' | 'right';
}

/**
 * Returns the widest room in the picture for a text around `x` (0 = left edge, 1 = right edge; clamped). `across`
 * is the share of the text left of `x`: none, half or all of it.
 */
export function hudPlace(x: number, across: number): HudPlace {
	const at = Math.min(1, Math.max(0, x));
	if (across === 0) return { left: at, width: 1 - at, align: 'start', side: 'left' };
	if (across === 1) return { left: 0, width: at, align: 'end', side: 'left' };
	return at <= 0.5
		? { left: 0, width: 2 * at, align: 'center', side: 'left' }
		: { left: 2 * at - 1, width: 2 - 2 * at, align: 'center', side: 'right' };
}
