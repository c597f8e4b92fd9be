/**
 * The template registry: spawn documents under names.
 * Owns: the registry. A bare host has no registry until a scenario brings templates.
 */

import * as z from 'zod';
import { ApiError } from '../../../shared/contract/errors.ts';
import { suggestion } from '../../../shared/contract/nearest.ts';
import { registryName, type SpawnDocument, spawnDocument } from '../../../shared/documents/spawn.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';

export type Templates = Readonly<Record<string, SpawnDocument>>;

export const TemplateRegistry: Resource<Templates> = {
	name: 'templates',
	scope: 'state',
	summary: 'Named spawn documents',
	schema: z.record(registryName, spawnDocument) as unknown as z.ZodType<Templates>,
	entriesOf: (templates = {}) => templates,
	initial: (profile) => (profile === 'bare' ? undefined : {}),
};

/** Returns all templates; none without a registry. */
export function templates(world: World): Templates {
	return resource(world, TemplateRegistry) ?? {};
}

/** Returns the sorted names of all templates. */
export function templateNames(world: World): string[] {
	return Object.keys(templates(world)).sort();
}

/** Stores a template, in place of one with the same name. Returns false, and stores nothing, if there is no registry. */
export function storeTemplate(world: World, name: string, document: SpawnDocument): boolean {
	if (resource(world, TemplateRegistry) === undefined) return false;
	installTemplates(world, { [name]: document });
	return true;
}

/** Adds templates, replacing those of the same names. Creates the registry if there is none. */
export function installTemplates(world: World, added: Templates): void {
	setResource(world, TemplateRegistry, { ...templates(world), ...added });
}

/** Returns the template of a name, or undefined if there is none. */
export function findTemplate(world: World, name: string): SpawnDocument | undefined {
	const byName = templates(world);
	return Object.hasOwn(byName, name) ? byName[name] : undefined;
}

/** Returns the template of a name. Throws `unknown_template`. */
export function requireTemplate(world: World, name: string): SpawnDocument {
	const document = findTemplate(world, name);
	if (document !== undefined) return document;
	const fix = suggestion(name, Object.keys(templates(world)));
	throw new ApiError('unknown_template', `There is no template "${name}".`, { fix });
}

/** Removes a template. Throws `unknown_template`. */
export function removeTemplate(world: World, name: string): void {
	requireTemplate(world, name);
	const { [name]: _, ...rest } = templates(world);
	setResource(world, TemplateRegistry, rest);
}

/** Returns a document with the fields of another document in place of its own, except those that are null or missing. */
export function overlayFields(document: SpawnDocument, changes: SpawnDocument): SpawnDocument {
	const newFields = Object.fromEntries(Object.entries(changes).filter(([, value]) => value != null));
	return { ...document, ...newFields };
}

/** Returns a document without its fields that are null. */
export function withoutNulls(document: SpawnDocument): SpawnDocument {
	return Object.fromEntries(Object.entries(document).filter(([, value]) => value != null)) as SpawnDocument;
}
