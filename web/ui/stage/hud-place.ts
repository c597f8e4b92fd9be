/**
 * The room for a text over the picture.
 * Owns: its arithmetic. Never: measures a text; the page aligns the text within the room.
 */

export interface HudPlace {
	/** Left edge and width as shares of the picture's width. */
	readonly left: number;
	readonly width: number;
	/** Alignment of a text in its room. */
	readonly align: 'start' | 'center' | 'end';
	/** Edge of the picture at which a centred text begins that is wider than its room. */
	readonly side: 'left' | 'right';
}

/**
 * Returns the widest room in the picture for a text at `x` (0 = left edge, 1 = right edge; clamped). `across`
 * is the share of the text to the left of `x`: 0, 0.5 or 1.
 */
export function hudPlace(x: number, across: number): HudPlace {
	const anchorX = Math.min(1, Math.max(0, x));
	if (across === 0) return { left: anchorX, width: 1 - anchorX, align: 'start', side: 'left' };
	if (across === 1) return { left: 0, width: anchorX, align: 'end', side: 'left' };
	return anchorX <= 0.5
		? { left: 0, width: 2 * anchorX, align: 'center', side: 'left' }
		: { left: 2 * anchorX - 1, width: 2 - 2 * anchorX, align: 'center', side: 'right' };
}
