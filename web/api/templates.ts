/** Handlers of the tag Templates and prefabs. */

import type { SpawnDocument } from '../../shared/documents/spawn.ts';
import * as routes from '../../shared/routes/templates.ts';
import type { World } from '../sim/core/world.ts';
import * as prefabs from '../sim/prefabs/prefabs.ts';
import { spawnEntity } from '../sim/spawn/spawn-entity.ts';
import { storedDocumentWarnings } from '../sim/spawn/try-spawning.ts';
import * as templates from '../sim/templates/templates.ts';
import { handler } from './handler.ts';
import { meshesOf, withMeshWarnings } from './mesh-files.ts';
import { warningsField } from './warnings-field.ts';

/** Spawns a document with the position and overrides that a caller sent. */
function spawnDocument(
	world: World,
	document: SpawnDocument,
	{ position, overrides }: { position?: SpawnDocument['position']; overrides?: SpawnDocument | null },
) {
	const placedDocument = templates.overlayFields(document, { position });
	const { handle, warnings } = spawnEntity(world, templates.overlayFields(placedDocument, overrides ?? {}));
	return {
		...handle,
		entity_id: handle.id,
		entity_generation: handle.generation,
		...warningsField(warnings),
	};
}

export const handlers = [
	handler(routes.createTemplate, ({ host, world }, { body: { name, entity_name, ...document } }) => {
		const compacted = templates.withoutNulls({ ...document, name: entity_name });
		const replaced = templates.templateNames(world).includes(name);
		const stored = templates.storeTemplate(world, name, compacted);
		const noRegistryWarnings = ['this host has no template registry, so nothing was stored'];
		const answer = {
			template: name,
			stored,
			replaced,
			...warningsField(stored ? storedDocumentWarnings(world, compacted) : noRegistryWarnings),
		};
		return withMeshWarnings(host, [compacted.mesh], answer);
	}),

	handler(routes.spawnTemplate, ({ host, world }, { body: { name, ...changes } }) => {
		const spawned = spawnDocument(world, templates.requireTemplate(world, name), changes);
		return withMeshWarnings(host, meshesOf(world, [spawned.id]), { ...spawned, template: name });
	}),

	handler(routes.listTemplates, ({ world }) => {
		const names = templates.templateNames(world);
		return { templates: names, count: names.length };
	}),

	handler(routes.getTemplate, ({ world }, { params: { name } }) => ({
		name,
		template: templates.requireTemplate(world, name),
	})),

	handler(routes.deleteTemplate, ({ world }, { params: { name } }) => {
		templates.removeTemplate(world, name);
		return { deleted: name };
	}),

	handler(routes.spawnPrefab, ({ host, world }, { body: { name, ...changes } }) => {
		const spawned = spawnDocument(world, prefabs.requirePrefab(world, name).document, changes);
		return withMeshWarnings(host, meshesOf(world, [spawned.id]), { ...spawned, name });
	}),

	handler(routes.getPrefab, ({ world }, { params: { name } }) => {
		const { built_in, prefab } = prefabs.requirePrefabEntry(world, name);
		return { name, built_in, summary: prefab.summary, document: prefab.document };
	}),

	handler(routes.listPrefabs, ({ world }) => {
		const all = prefabs.listPrefabs(world);
		return {
			count: all.length,
			prefabs: all.map(({ name }) => name),
			details: all.map(({ name, built_in, prefab: { summary, document } }) => ({
				name,
				summary,
				built_in,
				document,
			})),
		};
	}),

	handler(routes.registerPrefab, ({ host, world }, { body: { name, entity_name, summary, ...document } }) => {
		const compacted = templates.withoutNulls({ ...document, name: entity_name });
		const replaced = prefabs.registerPrefab(world, name, { summary, document: compacted });
		return withMeshWarnings(host, [compacted.mesh], {
			name,
			replaced,
			...warningsField(storedDocumentWarnings(world, compacted)),
		});
	}),

	handler(routes.deletePrefab, ({ world }, { params: { name } }) => {
		prefabs.removePrefab(world, name);
		return { deleted: name };
	}),
];
