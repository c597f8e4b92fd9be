/** Handlers of the tag Templates and prefabs. */

import * as routes from '../../shared/routes/templates.ts';
import * as prefabs from '../sim/prefabs/prefabs.ts';
import { spawnEntity } from '../sim/spawn/spawn-entity.ts';
import * as templates from '../sim/templates/templates.ts';
import { handler } from './handler.ts';

const warned = (warnings: readonly string[]) => (warnings.length > 0 ? { warnings: [...warnings] } : {});

export const handlers = [
	handler(routes.createTemplate, ({ world }, { body: { name, ...document } }) => {
		const stored = templates.storeTemplate(world, name, templates.compact(document));
		return {
			template: name,
			stored,
			...warned(stored ? [] : ['this host has no template registry, so nothing was stored']),
		};
	}),

	handler(routes.spawnTemplate, ({ world }, { body }) => {
		const base = templates.template(world, body.name);
		const placed = templates.overlay(base, { position: body.position });
		const { handle, warnings } = spawnEntity(world, templates.overlay(placed, body.overrides ?? {}));
		return {
			entity_id: handle.id,
			entity_generation: handle.generation,
			template: body.name,
			...warned(warnings),
		};
	}),

	handler(routes.listTemplates, ({ world }) => {
		const names = templates.templateNames(world);
		return { templates: names, count: names.length };
	}),

	handler(routes.getTemplate, ({ world }, { params: { name } }) => ({
		name,
		template: templates.template(world, name),
	})),

	handler(routes.deleteTemplate, ({ world }, { params: { name } }) => {
		templates.removeTemplate(world, name);
		return { deleted: name };
	}),

	handler(routes.spawnPrefab, ({ world }, { body: { name, position } }) => {
		const { document } = prefabs.prefab(world, name);
		const { handle, warnings } = spawnEntity(world, templates.overlay(document, { position }));
		return { entity_id: handle.id, entity_generation: handle.generation, name, ...warned(warnings) };
	}),

	handler(routes.listPrefabs, ({ world }) => {
		const all = prefabs.prefabs(world);
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

	handler(routes.registerPrefab, ({ world }, { body: { name, summary, ...document } }) => {
		prefabs.registerPrefab(world, name, { summary, document: templates.compact(document) });
		return { name };
	}),

	handler(routes.deletePrefab, ({ world }, { params: { name } }) => {
		prefabs.removePrefab(world, name);
		return { deleted: name };
	}),
];
