/**
 * Whether a row of a frame is dead.
 * Owns: the reading of that bit of `Frame.flags`, whose types alone may be imported here.
 */

import type { FLAG_DEAD } from '../host/frames.ts';

const DEAD: typeof FLAG_DEAD = 1;

/** Whether the entity in this row is dead. */
export function isDead(flags: Uint8Array, row: number): boolean {
	return (flags[row]! & DEAD) !== 0;
}
