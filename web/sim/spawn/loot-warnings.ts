/** Loot that currently never appears. Owns: warning of it, with its position in the document. */

import type { SpawnDocument } from '../../../shared/documents/spawn.ts';
import { newcomer } from '../aspects/aspect.ts';
import { aspects } from '../aspects/index.ts';
import { materialWarnings } from '../aspects/surface.ts';
import { refusalOf } from '../core/refusal-of.ts';
import type { World } from '../core/world.ts';

/** Returns warnings about the entities that a document's loot spawns. Whether there is room for them depends on where it dies. */
export function lootWarnings(world: World, { loot }: SpawnDocument): string[] {
	if (loot == null) return [];
	return loot.flatMap(({ spawn }, i) =>
		spawn == null ? [] : dropWarnings(world, spawn).map((warning) => `loot[${i}].spawn: ${warning}`),
	);
}

function dropWarnings(world: World, document: SpawnDocument): string[] {
	const coming = newcomer(document);
	const warnings: string[] = [];
	for (const { require, placed, dropped } of aspects) {
		if (require === undefined || placed) continue;
		const refused = refusalOf(() => require(world, coming));
		if (refused === null) continue;
		if (!dropped) return [`currently this spawns nothing: ${refused.message}`];
		warnings.push(`currently it appears without: ${refused.message}`);
	}
	return [...warnings, ...materialWarnings(world, document)];
}
