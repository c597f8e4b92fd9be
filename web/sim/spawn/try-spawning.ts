/** Spawning tried on a copy of a world. Owns: that nothing of it stays. */

import { ApiError } from '../../../shared/contract/errors.ts';
import type { SpawnDocument } from '../../../shared/documents/spawn.ts';
import { clone, dispose } from '../core/clone.ts';
import type { World } from '../core/world.ts';
import { spawnEntity } from './spawn-entity.ts';

/**
 * Returns the warnings that spawning the document made from a copy of the world would currently give. `refused` words
 * a refusal.
 */
export function spawningWarnings(
	world: World,
	documentOf: (copy: World) => SpawnDocument,
	refused: (message: string) => string,
): readonly string[] {
	const copy = clone(world);
	try {
		return spawnEntity(copy, documentOf(copy)).warnings;
	} catch (error) {
		if (error instanceof ApiError) return [refused(error.message)];
		throw error;
	} finally {
		dispose(copy);
	}
}

/** Returns warnings of parts of a kept document that currently do nothing, or prevent it from being spawned. */
export const keptWarnings = (world: World, document: SpawnDocument): readonly string[] =>
	spawningWarnings(
		world,
		() => document,
		(message) => `currently it cannot be spawned: ${message}`,
	);
