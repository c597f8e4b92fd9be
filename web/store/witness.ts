/** Interface for observers of a call's changes to worlds. */

import type { Agent } from '../../shared/contract/principal.ts';
import type { WorldEntry } from './worlds.ts';

/** Observes worlds from a savepoint to its end. */
export interface Witness {
	/** Owner of new forks and snapshots; undefined for the operators. */
	readonly agent?: Agent | undefined;
	/** Called before a call gets a world that it may write to. */
	beforeWrite(entry: WorldEntry): void;
	/** Called after a document was applied to a world. */
	afterDocument(entry: WorldEntry): void;
}

/** Observer that does nothing. */
export const NO_WITNESS: Witness = { beforeWrite() {}, afterDocument() {} };
