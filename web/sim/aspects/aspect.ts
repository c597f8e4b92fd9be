/**
 * An aspect: one requirement of a world for its entities, beyond the schema of a document.
 * Owns: the form of a declaration. Spawning, changes, documents, saved worlds and loot check all aspects in the order of
 * index.ts.
 */

import type { Component, EntityHandle } from '../../../shared/contract/component.ts';
import type { SpawnDocument } from '../../../shared/documents/spawn.ts';
import type { World } from '../core/world.ts';

/** A spawn or change of an entity by a document. */
export interface AspectChange {
	readonly document: SpawnDocument;
	/** The document. For a changed entity, it is merged with the other fields that the entity has. */
	readonly after: SpawnDocument;
	/** Entity that is changed, or null for a new one. */
	readonly id: number | null;
	/** Components that a change removes, by their keys in API answers. */
	readonly removed: readonly string[];
}

export interface Aspect {
	/** Components whose values `requireExisting` checks. */
	readonly components?: readonly Component[];
	/** Throws an ApiError if the world cannot fulfil the document. Called before any change. */
	require?(world: World, change: AspectChange): void;
	/** True if a tick spawns an entity even if `require` would refuse it. `begin` then omits the refused part. */
	readonly isOptionalDuringTick?: true;
	/** True if `require` depends on the position of the entity, which is not known in advance for loot. */
	readonly needsPosition?: true;
	/** Returns warnings about fields of the document that have no effect. The entity `id` already has its components. */
	warn?(world: World, change: AspectChange, id: number): readonly string[];
	/** Applies the document after the entity has its components. Returns warnings. */
	begin?(world: World, entity: EntityHandle, change: AspectChange): readonly string[] | undefined;
	/** Throws an ApiError if existing entities are in a state that `require` would have refused. */
	requireExisting?(world: World, ids: readonly number[]): void;
}

export const newEntityChange = (document: SpawnDocument): AspectChange => ({
	document,
	after: document,
	id: null,
	removed: [],
});
