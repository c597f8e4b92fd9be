/** What of a loot table never appears, as things are. Owns: saying so, with its place in the document. */

import { columnsOf } from '../../../shared/contract/collider-shapes.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { SpawnDocument } from '../../../shared/documents/spawn.ts';
import type { World } from '../core/world.ts';
import { materialWarnings, requireSurface } from '../looks/materials.ts';
import { requireParticles } from '../looks/particles.ts';
import { requireCollider } from '../physics/geometry.ts';
import { requireSound } from '../sound/sounds.ts';
import { requireBelongings } from './belongings.ts';

/** Warnings of the entities that a document's loot leaves behind. Whether there is room for them depends on where it dies. */
export function lootWarnings(world: World, { loot }: SpawnDocument): string[] {
	if (loot == null) return [];
	return loot.flatMap(({ spawn }, i) =>
		spawn == null ? [] : dropWarnings(world, spawn).map((warning) => `loot[${i}].spawn: ${warning}`),
	);
}

function dropWarnings(world: World, document: SpawnDocument): string[] {
	const { collider, physics_body } = document;
	const refused = refusal(() => {
		if (collider != null) requireCollider(world, columnsOf(collider), physics_body ?? null);
		requireSurface(world, document);
		requireSound(world, document);
		requireParticles(world, document, null);
	});
	if (refused !== null) return [`currently this spawns nothing: ${refused}`];
	const missing = refusal(() => requireBelongings(world, document));
	return [
		...(missing === null ? [] : [`currently it appears without: ${missing}`]),
		...materialWarnings(world, document),
	];
}

function refusal(check: () => void): string | null {
	try {
		check();
		return null;
	} catch (error) {
		if (error instanceof ApiError) return error.message;
		throw error;
	}
}
