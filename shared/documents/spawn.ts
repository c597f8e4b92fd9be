/**
 * The document that describes an entity: the body of POST /spawn, and an entry of levels.
 * Owns: its fields, the same wherever it is used.
 */

import * as z from 'zod';
import { spawnableFields } from '../components/index.ts';
import { lootTable } from '../components/loot.ts';
import { entityId, keyText, optional, text } from '../contract/values.ts';
import { belongingsFields } from './belongings.ts';

/** Name of a template or a prefab. */
export const registryName = keyText('Name', 100);
export const prefabSummary = text('Description', 500);

/** Most fields are declared with their component; the others need more of the world than one row. */
const { loot: _, ...ofComponents } = spawnableFields;
const plainFields = {
	...ofComponents,
	parent: optional(entityId.describe('Id of the parent entity')),
	...belongingsFields,
};

export const spawnFields = {
	...plainFields,
	loot: optional(lootTable(z.strictObject(plainFields).omit({ parent: true }).meta({ id: 'LootSpawn' }))),
};

export const spawnDocument = z.strictObject(spawnFields).meta({ id: 'Spawn' });
export type SpawnDocument = z.output<typeof spawnDocument>;

/** Returns the labels of an entity that a document spawns, and of what its loot spawns. */
export const labelsOf = ({ tags, loot }: Pick<SpawnDocument, 'tags' | 'loot'>): string[] => [
	...(tags ?? []),
	...(loot ?? []).flatMap(({ spawn }) => spawn?.tags ?? []),
];

/** Returns the names of an entity that a document spawns, and of what its loot spawns. */
export const namesOf = ({ name, loot }: Pick<SpawnDocument, 'name' | 'loot'>): string[] =>
	[name, ...(loot ?? []).map(({ spawn }) => spawn?.name)].filter((candidate) => candidate != null);
