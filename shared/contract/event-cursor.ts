/**
 * Ids of the events of a world, in the order of the events.
 * Owns: their form, `line-tick-index`, and their order. A line is the continuous history of a world until the world is
 * replaced.
 */

export interface Cursor {
	/** Number of the line. A later line of the same server has a higher number. */
	readonly line: number;
	/** Tick of the event: the number of ticks completed before it. */
	readonly tick: number;
	/** Position among the events of the tick, from 1. 0 means before all of them. */
	readonly index: number;
}

/** Pattern of an id, or of a tick alone. */
export const CURSOR_PATTERN = /^\d{1,15}(-\d{1,15}-\d{1,15})?$/;

export const cursorText = ({ line, tick, index }: Cursor): string => `${line}-${tick}-${index}`;

/** Reads an id; undefined if the text is not an id. */
export function readCursor(text: string): Cursor | undefined {
	const [line, tick, index] = text.split('-').map(Number);
	return tick === undefined || index === undefined ? undefined : { line: line!, tick, index };
}

/** Returns a negative number if `a` is before `b`, a positive one if it is after, and 0 if they are equal. */
export const compareCursors = (a: Cursor, b: Cursor): number =>
	a.line - b.line || a.tick - b.tick || a.index - b.index;
