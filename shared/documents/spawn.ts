/**
 * The document that describes an entity: the body of POST /spawn, and an entry of levels.
 * Owns: its fields, which are the same in all uses.
 */

import * as z from 'zod';
import { spawnableFields } from '../components/index.ts';
import { lootTable } from '../components/loot.ts';
import { entityId, keyText, optional, text } from '../contract/values.ts';
import { belongingsFields } from './belongings.ts';

/** Name of a template or a prefab. */
export const registryName = keyText('Name', 100);
export const prefabSummary = text('Description', 500);

/** Fields that components declare. Loot is added below, because it contains spawn documents itself. */
const { loot: _, ...componentFields } = spawnableFields;
const plainFields = {
	...componentFields,
	parent: optional(entityId.describe('Id of the parent entity')),
	...belongingsFields,
};

export const spawnFields = {
	...plainFields,
	loot: optional(lootTable(z.strictObject(plainFields).omit({ parent: true }).meta({ id: 'LootSpawn' }))),
};

export const spawnDocument = z.strictObject(spawnFields).meta({ id: 'Spawn' });
export type SpawnDocument = z.output<typeof spawnDocument>;

/** Returns the labels of the entity that a document spawns, and of the entities in its loot. */
export const labelsOf = ({ tags, loot }: Pick<SpawnDocument, 'tags' | 'loot'>): string[] => [
	...(tags ?? []),
	...(loot ?? []).flatMap(({ spawn }) => spawn?.tags ?? []),
];

/** Returns the names of the entity that a document spawns, and of the entities in its loot. */
export const namesOf = ({ name, loot }: Pick<SpawnDocument, 'name' | 'loot'>): string[] =>
	[name, ...(loot ?? []).map(({ spawn }) => spawn?.name)].filter((candidate) => candidate != null);
