/** Learning what a call does to worlds. Owns: the interface. */

import type { Agent } from '../../shared/contract/principal.ts';
import type { WorldEntry } from './worlds.ts';

/** Learns what happens to worlds between a savepoint and its end. */
export interface Witness {
	/** Owner of forks and snapshots that are made; undefined for the operators. */
	readonly agent?: Agent | undefined;
	/** A world is about to be handed to a call that may write to it. */
	seen(entry: WorldEntry): void;
	/** A document was entered into a world. */
	entered(entry: WorldEntry): void;
}

export const NO_WITNESS: Witness = { seen() {}, entered() {} };
