/**
 * All worlds of an engine, as a state of a journal contains them.
 * Owns: the shapes; types only.
 */

import type { LastWorld } from '../../shared/transport/link.ts';
import type { StoredCall, StoredKey } from './keys.ts';

export interface SavedWorlds {
	/** Identity in the engine's answers. */
	readonly identity: string;
	/** Loss of the world before these. */
	readonly lastWorld?: LastWorld | null;
	readonly worlds: readonly SavedWorld[];
	/** Number of lines that began or ended so far; 0 if omitted. */
	readonly lines?: number;
	/** Worlds that were stopped because a tick differed in heavy mode. */
	readonly stopped?: readonly StoppedWorld[];
	/** Assets of the worlds, with their names. */
	readonly assets?: readonly SavedAsset[];
	/** Keys of calls that were applied. */
	readonly keys?: readonly StoredKey[];
	/** Undelivered answers, by the key of their transport. */
	readonly calls?: readonly StoredCall[];
	/** Each snapshot once, even if several worlds have it. */
	readonly snapshots: readonly ({ readonly label: string; readonly owner?: number } & SavedBytes)[];
}

/** Exact content of a world, deflated. */
export interface SavedBytes {
	readonly bytes: Uint8Array;
}

/** A world that stopped because a verified tick differed. */
export interface StoppedWorld {
	readonly id: string;
	/** Number of ticks completed before the tick that differed. */
	readonly tick: number;
	readonly message: string;
}

export interface SavedAsset {
	readonly bytes: Uint8Array;
	/** SHA-256 of the bytes, if known. */
	readonly hash?: string;
	/** Names under which the asset was uploaded. */
	readonly names: readonly string[];
	/** Paths from which the asset was last loaded. The files may have changed since. */
	readonly paths?: readonly string[];
	/** Numbers of the owning agents, by hash for the asset, and by name for each of its names. */
	readonly owners?: Readonly<Record<string, number>>;
}

export interface SavedWorld extends SavedBytes {
	readonly id: string;
	/** Number of its line, and the tick at which the line began; by default 0 and the world's tick. */
	readonly line?: { readonly number: number; readonly tick: number };
	readonly playing: boolean;
	/** Speed as a multiple of real time; 1 if omitted. */
	readonly speed?: number;
	/** Reason why the world stopped playing by itself. */
	readonly halted?: { readonly tick: number; readonly message: string; readonly fix: string };
	/** World from which the fork was cloned, and the tick; null for main. */
	readonly origin: {
		readonly parent: string;
		readonly tick: number;
		readonly line?: number;
		readonly gone?: true;
	} | null;
	/** Number of the agent that made the fork or owns main; undefined for the operators. */
	readonly maker?: number;
	/** Indices of its snapshots in the list of all snapshots, oldest first. */
	readonly snapshots: readonly number[];
}
