/**
 * A part: state of a world that is not columns, such as the physics world or the pending events.
 * Owns: the methods that a part needs, so that forks, digests and saves stay exact.
 */

import type { ComponentScope, EntityHandle } from '../../../shared/contract/component.ts';
import type { World } from './world.ts';

export interface WorldPart<T = unknown> {
	readonly name: string;
	/** `derived`: worked out from the rest of the world, neither digested nor saved; it says how in `derived`. */
	readonly scope: ComponentScope;
	/** Loads what the part stands on, such as a library. Done before any world is made. */
	load?(): Promise<void>;
	create(world: World): T;
	/** Returns a copy that evolves as the original would, with its version. */
	clone(state: T): T;
	/** Called while an entity that is about to be removed still has everything. */
	leaving?(state: T, world: World, entity: EntityHandle): void;
	/** Another number after every change: while it is the same, nothing is digested or encoded again for a digest. */
	version(state: T): number;
	/**
	 * Returns the state that a failed tick goes back to, in place of a clone that would cost a tick too much. It has
	 * the digest of `state`, and the same future too if `mayFail` returns true.
	 */
	keep?(state: T, mayFail: () => boolean): T;
	/** Throws an ApiError when the next tick cannot be made. Asked before anything of it is done. */
	requireTick?(state: T, world: World): void;
	/** Returns true if the state is empty, as in a world that has never had any: the digest then omits it. */
	isNone?(state: T): boolean;
	/**
	 * Returns the state beyond the columns that the digest must cover, in a canonical form; empty if there is none.
	 */
	digest(state: T): Uint8Array;
	/** Returns everything `decode` needs. */
	encode(state: T): Uint8Array;
	decode(bytes: Uint8Array, world: World): T;
	/** Tells all that it holds in memory, with estimated bytes. Worlds that hold the same thing tell the same object. */
	weigh?(state: T, tell: (thing: object, bytes: number) => void): void;
	/** Returns bytes thought to be taken by its next tick beyond what it holds now. */
	nextTickBytes?(state: T): number;
	/** Frees what the garbage collector cannot. */
	dispose?(state: T): void;
	readonly derived?: Derived<T>;
}

/** Dependence of a derived part on its sources. Its `encode` and `digest` are never asked. */
export interface Derived<T> {
	/** Returns true if the rest of the world has changed so that the state no longer holds. */
	stale(state: T, world: World): boolean;
	/**
	 * Works the state out again, bit by bit, without changing the world. It takes its place at the edge of the next
	 * tick.
	 */
	rebuild(world: World): Generator<void, T>;
}

/** A part in a world. */
export interface HeldPart {
	readonly part: WorldPart;
	state: unknown;
	/** Hashes of what it digests and encodes, and the versions they were taken at. */
	digested: Hashed | null;
	encoded: Hashed | null;
}

export interface Hashed {
	readonly version: number;
	readonly hash: bigint;
}

export function holdPart(part: WorldPart, state: unknown): HeldPart {
	return { part, state, digested: null, encoded: null };
}
