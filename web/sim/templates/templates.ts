/**
 * The template registry: spawn documents under names.
 * Owns: the registry. A bare host has none until a scenario brings templates.
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

/** Returns names, sorted. */
export function templateNames(world: World): string[] {
	return Object.keys(templates(world)).sort();
}

/** Stores a template in place of any of its name; false, and nothing stored, when there is no registry. */
export function storeTemplate(world: World, name: string, document: SpawnDocument): boolean {
	if (resource(world, TemplateRegistry) === undefined) return false;
	installTemplates(world, { [name]: document });
	return true;
}

/** Adds templates, replacing those of the same names. Creates the registry when there is none. */
export function installTemplates(world: World, added: Templates): void {
	setResource(world, TemplateRegistry, { ...templates(world), ...added });
}

/** Returns the template of a name, or undefined if there is none. */
export function findTemplate(world: World, name: string): SpawnDocument | undefined {
	const byName = templates(world);
	return Object.hasOwn(byName, name) ? byName[name] : undefined;
}

/** Throws `unknown_template`. */
export function template(world: World, name: string): SpawnDocument {
	const found = findTemplate(world, name);
	if (found !== undefined) return found;
	const fix = suggestion(name, Object.keys(templates(world)));
	throw new ApiError('unknown_template', `There is no template "${name}".`, { fix });
}

/** Throws `unknown_template`. */
export function removeTemplate(world: World, name: string): void {
	template(world, name);
	const { [name]: _, ...rest } = templates(world);
	setResource(world, TemplateRegistry, rest);
}

/** Returns a document with the given fields of another over its own; null and absent ones leave it as it is. */
export function overlay(document: SpawnDocument, over: SpawnDocument): SpawnDocument {
	const given = Object.fromEntries(Object.entries(over).filter(([, value]) => value != null));
	return { ...document, ...given };
}

/** Returns a document without its fields that are null. */
export function compact(document: SpawnDocument): SpawnDocument {
	return Object.fromEntries(Object.entries(document).filter(([, value]) => value != null)) as SpawnDocument;
}
