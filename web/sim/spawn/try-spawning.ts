/** Spawning tried on a copy of a world. Owns: that nothing of it stays. */

import { ApiError } from '../../../shared/contract/errors.ts';
import type { SpawnDocument } from '../../../shared/documents/spawn.ts';
import { clone, dispose } from '../core/clone.ts';
import type { World } from '../core/world.ts';
import { spawnEntity } from './spawn-entity.ts';

/** What spawning the document that comes of a copy of the world would warn of as things are; its refusal, told in these words. */
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

/** What in a document that is kept for later would do nothing, or keep it from being spawned, as things are. */
export const keptWarnings = (world: World, document: SpawnDocument): readonly string[] =>
	spawningWarnings(
		world,
		() => document,
		(message) => `currently it cannot be spawned: ${message}`,
	);
