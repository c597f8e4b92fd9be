/**
 * The rows of a long list that are on the page.
 * Owns: the arithmetic of lists whose rows have equal height. Never: touches the page.
 */

export interface RowWindow {
	/** Index of the first row to draw. */
	readonly first: number;
	/** Index after the last row to draw. */
	readonly end: number;
	/** Pixels above the first drawn row. */
	readonly before: number;
	/** Pixels of the whole list. */
	readonly total: number;
}

/** Returns the rows that a viewport shows, and `spare` more on either side. All lengths are in pixels. */
export function rowWindow(
	rows: number,
	rowHeight: number,
	scrollTop: number,
	viewHeight: number,
	spare = 8,
): RowWindow {
	const total = rows * rowHeight;
	const top = Math.min(Math.max(0, scrollTop), Math.max(0, total - viewHeight));
	const first = Math.max(0, Math.floor(top / rowHeight) - spare);
	const end = Math.min(rows, Math.ceil((top + viewHeight) / rowHeight) + spare);
	return { first, end, before: first * rowHeight, total };
}

/** Returns the nearest scroll position that shows row `index`. */
export function scrollToRow(index: number, rowHeight: number, scrollTop: number, viewHeight: number): number {
	const top = index * rowHeight;
	if (top < scrollTop) return top;
	return Math.max(scrollTop, top + rowHeight - viewHeight);
}
