/**
 * A part: state of a world that is not columns, such as the physics world or the pending events.
 * Owns: what a part must be able to do so that forks, digests and saves stay exact.
 */

import type { Handle, Scope } from '../../../shared/contract/component.ts';
import type { World } from './world.ts';

export interface Part<T = unknown> {
	readonly name: string;
	readonly scope: Scope;
	create(world: World): T;
	/** A copy that evolves as the original would. */
	clone(state: T, copy: World): T;
	/** Called while an entity that is about to be removed still has everything. */
	leaving?(state: T, world: World, entity: Handle): void;
	/** What the digest must cover beyond the columns, in a canonical form; empty when there is nothing. */
	digest(state: T): Uint8Array;
	/** Everything `decode` needs. */
	encode(state: T): Uint8Array;
	decode(bytes: Uint8Array, world: World): T;
	/** Frees what the garbage collector cannot. */
	dispose?(state: T): void;
}
