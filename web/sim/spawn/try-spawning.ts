/** Trial spawns on a copy of a world. Owns: disposing of the copy. */

import { ApiError } from '../../../shared/contract/errors.ts';
import type { SpawnDocument } from '../../../shared/documents/spawn.ts';
import { clone, dispose } from '../core/clone.ts';
import type { World } from '../core/world.ts';
import { spawnEntity } from './spawn-entity.ts';

/**
 * Spawns a document on a copy of the world and returns the warnings. `documentOf` builds the document from the copy.
 * `refusalText` turns a refusal into a warning.
 */
export function trySpawnWarnings(
	world: World,
	documentOf: (copy: World) => SpawnDocument,
	refusalText: (message: string) => string,
): readonly string[] {
	const copy = clone(world);
	try {
		return spawnEntity(copy, documentOf(copy)).warnings;
	} catch (error) {
		if (error instanceof ApiError) return [refusalText(error.message)];
		throw error;
	} finally {
		dispose(copy);
	}
}

/** Returns warnings about fields of a stored document that currently have no effect, or that prevent a spawn. */
export const storedDocumentWarnings = (world: World, document: SpawnDocument): readonly string[] =>
	trySpawnWarnings(
		world,
		() => document,
		(message) => `currently it cannot be spawned: ${message}`,
	);
