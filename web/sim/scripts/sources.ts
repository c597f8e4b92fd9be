/**
 * Lua scripts of a world, by name.
 * Owns: their sources. The state of running scripts is in the machine: see scripts.part.ts.
 */

import * as z from 'zod';
import { scriptName } from '../../../shared/components/script.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';
import { MAX_SOURCE_BYTES } from './machine.ts';

/** Maximum number of scripts of one world. */
export const MAX_SCRIPTS = 64;

const sources = z.record(scriptName, z.strictObject({ source: z.string().max(MAX_SOURCE_BYTES) }));

type Sources = z.output<typeof sources>;

export const ScriptSources: Resource<Sources> = {
	name: 'script_sources',
	scope: 'state',
	summary: 'Sources of Lua scripts, by name; stored only if there are any',
	schema: sources,
	entriesOf: (value = {}) => value,
	limits: [{ noun: 'scripts', max: MAX_SCRIPTS }],
	merge: (present, added) => ({ ...present, ...added }),
	initial: () => undefined,
	isEmpty: (value) => Object.keys(value).length === 0,
};

const NONE: Sources = {};

export function sourcesOf(world: World): Sources {
	return resource(world, ScriptSources) ?? NONE;
}

/** Returns the source of a script, or undefined. */
export function sourceOf(world: World, name: string): string | undefined {
	const sources = sourcesOf(world);
	return Object.hasOwn(sources, name) ? sources[name]!.source : undefined;
}

/** Adds or replaces the source of a script. Null removes it. */
export function setSource(world: World, name: string, source: string | null): void {
	const { [name]: _, ...others } = sourcesOf(world);
	setResource(world, ScriptSources, source === null ? others : { ...others, [name]: { source } });
}

/**
 * Returns true if a script may draw random numbers. The function `chance` is only provided to scripts whose source
 * contains that word.
 */
export const canDraw = (source: string): boolean => source.includes('chance');
