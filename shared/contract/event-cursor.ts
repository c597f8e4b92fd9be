/**
 * Ids of the events of a world, in the order in which they were sent.
 * Owns: their form, `line-tick-index`, and their order. A line is what ticks make of a world until another one takes its place.
 */

export interface Cursor {
	/** Number of the line; a later line of the same server has a higher one. */
	readonly line: number;
	/** Tick of the event: the number of ticks completed before. */
	readonly tick: number;
	/** Place among the events of the tick, from 1. 0 is before them all. */
	readonly index: number;
}

/** An id, or a tick alone. */
export const CURSOR_PATTERN = /^\d{1,15}(-\d{1,15}-\d{1,15})?$/;

export const cursorText = ({ line, tick, index }: Cursor): string => `${line}-${tick}-${index}`;

/** Reads an id; undefined if the text is none. */
export function readCursor(text: string): Cursor | undefined {
	const [line, tick, index] = text.split('-').map(Number);
	return tick === undefined || index === undefined ? undefined : { line: line!, tick, index };
}

/** Negative if `a` is before `b`. */
export const compareCursors = (a: Cursor, b: Cursor): number =>
	a.line - b.line || a.tick - b.tick || a.index - b.index;
