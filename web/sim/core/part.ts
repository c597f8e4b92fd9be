/**
 * A part: state of a world that is not columns, such as the physics world or the pending events.
 * Owns: the methods that a part needs, so that forks, digests and saves stay exact.
 */

import type { ComponentScope, EntityHandle } from '../../../shared/contract/component.ts';
import type { World } from './world.ts';

export interface WorldPart<T = unknown> {
	readonly name: string;
	/** A part of scope `derived` is computed from the rest of the world by `derived`. It is neither digested nor saved. */
	readonly scope: ComponentScope;
	/** Loads a library that the part needs. Called before any world is created. */
	loadLibrary?(): Promise<void>;
	create(world: World): T;
	/** Returns a copy that evolves like the original, with the same version. */
	clone(state: T): T;
	/** Called before an entity is despawned, while it still has all its components. */
	beforeDespawn?(state: T, world: World, entity: EntityHandle): void;
	/** Returns a number that changes with every change. While it is the same, cached hashes are valid. */
	version(state: T): number;
	/**
	 * Returns the state to restore after a failed tick. It replaces `clone` if a clone is too slow for every tick. It has
	 * the digest of `state`. If `mayFail` returns true, it also has the same future.
	 */
	keep?(state: T, mayFail: () => boolean): T;
	/** Throws an ApiError if the next tick cannot run. Called before the tick starts. */
	requireTick?(state: T, world: World): void;
	/** Returns true if the state is empty, as in a new world. The digest then omits the part. */
	isEmpty?(state: T): boolean;
	/**
	 * Returns the state beyond the columns that the digest must cover, in a canonical form; empty if there is none.
	 */
	digest(state: T): Uint8Array;
	/** Returns the bytes from which `decode` restores the state. */
	encode(state: T): Uint8Array;
	decode(bytes: Uint8Array, world: World): T;
	/** Reports all objects in memory with their estimated bytes. Worlds that share an object report the same object. */
	weigh?(state: T, report: (object: object, bytes: number) => void): void;
	/** Returns the estimated bytes that its next tick adds. */
	nextTickBytes?(state: T): number;
	/** Frees memory that the garbage collector cannot reach. */
	dispose?(state: T): void;
	readonly derived?: Derived<T>;
}

/** Computation of a derived part from its sources. The part's `encode` and `digest` are never called. */
export interface Derived<T> {
	/** Returns true if the state is no longer valid, because its sources have changed. */
	isStale(state: T, world: World): boolean;
	/**
	 * Computes the state again in slices, without changing the world. The result replaces the old state before the next
	 * tick.
	 */
	rebuild(world: World): Generator<void, T>;
}

/** A part in a world. */
export interface HeldPart {
	readonly part: WorldPart;
	state: unknown;
	/** Cached hashes of its digest and its encoding, with the versions for which they are valid. */
	digested: VersionedHash | null;
	encoded: VersionedHash | null;
}

export interface VersionedHash {
	readonly version: number;
	readonly hash: bigint;
}

export function holdPart(part: WorldPart, state: unknown): HeldPart {
	return { part, state, digested: null, encoded: null };
}
