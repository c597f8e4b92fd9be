/**
 * An aspect: one demand that a world makes on its entities.
 * Owns: the form of a declaration. Spawning, changing, documents, saved worlds and loot ask all of them, in the order of index.ts.
 */

import type { Component, EntityHandle } from '../../../shared/contract/component.ts';
import type { SpawnDocument } from '../../../shared/documents/spawn.ts';
import type { World } from '../core/world.ts';

/** An entity as a document will make it or leave it. */
export interface AspectChange {
	readonly document: SpawnDocument;
	/** The document and, for an entity that is changed, the rest of what it is. */
	readonly after: SpawnDocument;
	/** Entity that is changed, or null for a new one. */
	readonly id: number | null;
	/** Components that a change removes, by their keys in a read-out. */
	readonly removed: readonly string[];
}

export interface Aspect {
	/** Components whose values `holds` checks. */
	readonly of?: readonly Component[];
	/** Throws an ApiError if the document asks for what the world cannot have. Nothing has changed yet. */
	require?(world: World, coming: AspectChange): void;
	/** True if a tick, which has no caller to answer, makes a new entity without what `require` refuses. `begin` leaves it out. */
	readonly dropped?: true;
	/** True if `require` depends on where the entity is, which loot does not know in advance. */
	readonly placed?: true;
	/** Returns warnings about fields of the document that have no effect. `id`: the entity, with its components. */
	warn?(world: World, coming: AspectChange, id: number): readonly string[];
	/** Starts what the document asks for, once the entity has its components. Returns warnings. */
	begin?(world: World, entity: EntityHandle, coming: AspectChange): readonly string[] | undefined;
	/** Throws an ApiError if an entity is what `require` would have refused, however it came to be so. */
	holds?(world: World, ids: readonly number[]): void;
}

export const newcomer = (document: SpawnDocument): AspectChange => ({
	document,
	after: document,
	id: null,
	removed: [],
});
