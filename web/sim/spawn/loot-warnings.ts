/** Warnings about loot that currently cannot spawn. Owns: the path in the document that each warning names. */

import type { SpawnDocument } from '../../../shared/documents/spawn.ts';
import { newEntityChange } from '../aspects/aspect.ts';
import { aspects } from '../aspects/index.ts';
import { materialWarnings } from '../aspects/surface.ts';
import { refusalOf } from '../core/refusal-of.ts';
import type { World } from '../core/world.ts';

/**
 * Returns warnings about the entities that a document's loot spawns. Free space is not checked, because it depends on
 * the position of death.
 */
export function lootWarnings(world: World, { loot }: SpawnDocument): string[] {
	if (loot == null) return [];
	return loot.flatMap(({ spawn }, i) =>
		spawn == null ? [] : dropWarnings(world, spawn).map((warning) => `loot[${i}].spawn: ${warning}`),
	);
}

function dropWarnings(world: World, document: SpawnDocument): string[] {
	const entity = newEntityChange(document);
	const warnings: string[] = [];
	for (const { require, needsPosition, isOptionalDuringTick } of aspects) {
		if (require === undefined || needsPosition) continue;
		const refusal = refusalOf(() => require(world, entity));
		if (refusal === null) continue;
		if (!isOptionalDuringTick) return [`currently this spawns nothing: ${refusal.message}`];
		warnings.push(`currently it appears without: ${refusal.message}`);
	}
	return [...warnings, ...materialWarnings(world, document)];
}
