/**
 * Things that one call makes and others name: forks, rules, templates.
 * Owns: how a schema says that a value names one, and the links that follow from it in the OpenAPI document.
 */

import * as z from 'zod';
import type { Route } from './route.ts';

export type Thing =
	| 'asset'
	| 'assertion'
	| 'effect'
	| 'element'
	| 'entity'
	| 'feature'
	| 'foliage'
	| 'fork'
	| 'hero'
	| 'item'
	| 'material'
	| 'prefab'
	| 'projectile'
	| 'rule'
	| 'scene'
	| 'script'
	| 'snapshot'
	| 'task'
	| 'template'
	| 'trigger'
	| 'world';

/** Metadata of a schema whose value names such a thing. */
export const names = (thing: Thing) => ({ names: thing });

/** Things that a call makes, and where their names are in its answer. */
export interface CreatedThing {
	readonly thing: Thing;
	/** Runtime expressions of OpenAPI, such as `$response.body#/id`. */
	readonly named: Readonly<Partial<Record<Thing, string>>>;
}

interface OpenApiLink {
	readonly operationId: string;
	readonly description: string;
	readonly parameters?: Readonly<Record<string, string>>;
	/** Fields of the body. An extension, because many readers take only a text as the `requestBody` of a link. */
	readonly 'x-body'?: Readonly<Record<string, string>>;
}

/** A fork is a world that nearly every call can be about. */
const WORLD = [['world', 'fork']] as const;

/** Returns the links of a call that makes something: one to each call that names such a thing. */
export function linksOf({ makes }: Route, routes: readonly Route[]): Record<string, OpenApiLink> {
	if (makes === undefined) return {};
	const links = routes.flatMap((route): [string, OpenApiLink][] => {
		const [params, ownQuery, body] = [route.params, route.query, route.body].map(namesIn);
		const query = [...(ownQuery ?? []), ...(route.world === false ? [] : WORLD)];
		if (![params, query, body].some((named) => named?.some(([, thing]) => thing === makes.thing))) return [];
		const filled = (named: readonly (readonly [string, Thing])[] = [], place = '') =>
			named.flatMap(([field, thing]) => {
				const expression = makes.named[thing];
				return expression === undefined ? [] : [[`${place}${field}`, expression] as const];
			});
		const parameters = [...filled(params, 'path.'), ...filled(query, 'query.')];
		const fields = filled(body);
		const link = {
			operationId: route.id,
			description: `${route.summary} (the created ${makes.thing})`,
			...(parameters.length > 0 ? { parameters: Object.fromEntries(parameters) } : {}),
			...(fields.length > 0 ? { 'x-body': Object.fromEntries(fields) } : {}),
		};
		return [[route.id, link]];
	});
	return Object.fromEntries(links);
}

/** Returns the fields of a record that name things. */
export function namesIn(schema: z.ZodType | undefined): readonly (readonly [field: string, thing: Thing])[] {
	if (!(schema instanceof z.ZodObject)) return [];
	return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([field, member]) => {
		const thing = thingOf(member);
		return thing === undefined ? [] : [[field, thing] as const];
	});
}

/** Returns the kind of thing that a schema's value names; undefined for none. */
export function thingOf(schema: z.ZodType): Thing | undefined {
	const { names: thing } = (schema.meta() ?? {}) as { names?: Thing };
	if (thing !== undefined) return thing;
	if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
		return thingOf(schema.unwrap() as z.ZodType);
	return schema instanceof z.ZodPipe ? thingOf(schema.in as z.ZodType) : undefined;
}
