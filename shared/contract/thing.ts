/**
 * Things that one call creates and others name, such as forks, rules and templates.
 * Owns: the mark of a schema whose value names a thing, and the links between such calls in the OpenAPI document.
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

/** Returns the metadata of a schema whose value names a thing. */
export const namesThing = (thing: Thing) => ({ names: thing });

/** Thing that a call creates, and the position of its name. */
export interface CreatedThing {
	readonly thing: Thing;
	/** Names of the created things: runtime expressions of OpenAPI, such as `$response.body#/id`. */
	readonly named: Readonly<Partial<Record<Thing, string>>>;
}

interface OpenApiLink {
	readonly operationId: string;
	readonly description: string;
	readonly parameters?: Readonly<Record<string, string>>;
	/** Fields of the body. An extension, because many readers take only a text as the `requestBody` of a link. */
	readonly 'x-body'?: Readonly<Record<string, string>>;
}

/** Query parameter in which nearly every call can name a fork. */
const WORLD_PARAMETER = [['world', 'fork']] as const;

/** Returns the links of a call that creates a thing: one to each call that names such a thing. */
export function linksOf({ makes }: Route, routes: readonly Route[]): Record<string, OpenApiLink> {
	if (makes === undefined) return {};
	const links = routes.flatMap((route): [string, OpenApiLink][] => {
		const [params, queryFields, body] = [route.params, route.query, route.body].map(namesIn);
		const query = [...(queryFields ?? []), ...(route.world === false ? [] : WORLD_PARAMETER)];
		if (![params, query, body].some((named) => named?.some(([, thing]) => thing === makes.thing))) return [];
		const withExpressions = (namingFields: readonly (readonly [string, Thing])[] = [], prefix = '') =>
			namingFields.flatMap(([field, thing]) => {
				const expression = makes.named[thing];
				return expression === undefined ? [] : [[`${prefix}${field}`, expression] as const];
			});
		const parameters = [...withExpressions(params, 'path.'), ...withExpressions(query, 'query.')];
		const fields = withExpressions(body);
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
