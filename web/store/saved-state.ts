/**
 * All worlds of an engine, as a state of a journal has them.
 * Owns: the shapes; types only.
 */

import type { LastWorld } from '../../shared/transport/link.ts';
import type { KeptCall, KeptKey } from './keys.ts';

export interface SavedWorlds {
	/** Identity in the engine's answers; it is kept with the worlds. */
	readonly identity: string;
	/** End of the world before them. */
	readonly lastWorld?: LastWorld | null;
	readonly worlds: readonly SavedWorld[];
	/** Lines that began or ended so far; 0 unless given. */
	readonly lines?: number;
	/** Those that stand still since a tick of theirs differed in heavy mode. */
	readonly stopped?: readonly StoppedWorld[];
	/** Bytes that the worlds use, with the names that they were uploaded under. */
	readonly assets?: readonly SavedAsset[];
	/** Keys of calls that were applied. */
	readonly keys?: readonly KeptKey[];
	/** Answers that are on their way, by the key of their transport. */
	readonly calls?: readonly KeptCall[];
	/** Each once, however many worlds have it. */
	readonly snapshots: readonly ({ readonly label: string; readonly owner?: number } & SavedBytes)[];
}

/** All of a world, exactly, deflated. */
export interface SavedBytes {
	readonly bytes: Uint8Array;
}

export interface StoppedWorld {
	readonly id: string;
	/** Ticks completed before the one that differed. */
	readonly tick: number;
	readonly message: string;
}

export interface SavedAsset {
	readonly bytes: Uint8Array;
	/** Their SHA-256, where it is known. */
	readonly hash?: string;
	/** Those that it was uploaded under. */
	readonly names: readonly string[];
	/** Paths at which it was last found: a file may be another one by now. */
	readonly paths?: readonly string[];
	/** Number of the agent that owns it, by its hash, and each of its names. */
	readonly owners?: Readonly<Record<string, number>>;
}

export interface SavedWorld extends SavedBytes {
	readonly id: string;
	/** Its number, and the tick at which it began; that of the world itself unless given. */
	readonly line?: { readonly number: number; readonly tick: number };
	readonly playing: boolean;
	/** Speed as a multiple of real time; 1 unless given. */
	readonly speed?: number;
	/** Reason that it stopped playing by itself. */
	readonly halted?: { readonly tick: number; readonly message: string; readonly fix: string };
	/** World from which it was cloned, and when; null for main. */
	readonly origin: {
		readonly parent: string;
		readonly tick: number;
		readonly line?: number;
		readonly gone?: true;
	} | null;
	/** Number of the agent that made the fork; undefined for the operators and for main. */
	readonly maker?: number;
	/** Its snapshots, oldest first, by their place in the list of all. */
	readonly snapshots: readonly number[];
}
