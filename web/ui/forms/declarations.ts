/**
 * Declarations of the engine's routes, read from GET /schema when a form first needs them.
 * Owns: reading each path and definition once, and resolving references. Never: a second copy of a declaration.
 */

import type { Method } from '../../../shared/contract/route.ts';
import { withoutReferences } from '../../../shared/contract/schema-references.ts';
import type { PanelServices } from '../services.ts';
import { askRaw } from '../state/ask.ts';
import { allowsNull, type FormField, fieldsOf, type Schema } from './control.ts';

/** A route by its method and path, such as `POST /sky/settings`. */
export type RouteName = `${Method} /${string}`;

export interface DeclaredForm {
	readonly summary: string;
	/** Fields of its body, or of its query if it takes no body. */
	readonly fields: readonly FormField[];
	/** Keys of its answer that can be null. */
	readonly nullable: ReadonlySet<string>;
}

export interface Declarations {
	/**
	 * Returns the declaration of a route, or of one field of its body. If no answer comes, it rejects, and the next
	 * call asks again.
	 */
	of(route: RouteName, field?: string): Promise<DeclaredForm>;
	/** Returns the schema of a definition, such as `Condition`. Rejects like `of`. */
	definition(name: string): Promise<Schema>;
}

const isSchema = (value: unknown): value is Schema =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const schemasIn = (holder: unknown, key: string): Readonly<Record<string, Schema>> =>
	isSchema(holder) && isSchema(holder[key]) ? (holder[key] as Readonly<Record<string, Schema>>) : {};

/** Returns the names of definitions that the answer left out for size, and refers to by address. */
function missingDefinitions(part: unknown): readonly string[] {
	const text = JSON.stringify(part);
	return [...new Set([...text.matchAll(/\/schema\?definition=(\w+)#/g)].map(([, name]) => name!))];
}

export function createDeclarations(services: Pick<PanelServices, 'call'>): Declarations {
	const cache = new Map<string, Promise<Schema>>();
	const read = (query: string): Promise<Schema> => {
		const cached = cache.get(query);
		if (cached !== undefined) return cached;
		const pending = askRaw(services, 'GET', `/schema?${query}`, undefined, 'panels').then((outcome) => {
			if (outcome.ok) return outcome.body;
			cache.delete(query);
			throw new Error(outcome.refusal.sentence);
		});
		cache.set(query, pending);
		return pending;
	};
	const resolve = async (part: Schema, near: Readonly<Record<string, Schema>>): Promise<Schema> => {
		let definitions = near;
		const requested = new Set<string>();
		for (let missing = missingDefinitions(part); missing.length > 0; ) {
			for (const name of missing) requested.add(name);
			const more = await Promise.all(missing.map((name) => read(`definition=${name}`)));
			for (const schema of more) definitions = { ...schemasIn(schema, 'definitions'), ...definitions };
			missing = missingDefinitions(more).filter((name) => !requested.has(name) && !(name in definitions));
		}
		return withoutReferences(part, definitions);
	};
	return {
		definition: (name) => resolve({ $ref: `/schema?definition=${name}#/definitions/${name}` }, {}),
		async of(name, field) {
			const [method, path = ''] = name.split(' ', 2);
			const body = await read(`path=${encodeURIComponent(path)}`);
			const routes = Array.isArray(body.routes) ? body.routes.filter(isSchema) : [];
			const route = routes.find((route) => route.method === method && route.path === path);
			if (route === undefined) throw new Error(`GET /schema does not describe ${name}.`);
			const sent = isSchema(route.body) ? route.body : isSchema(route.query) ? route.query : {};
			const properties = schemasIn(sent, 'properties');
			const part =
				field === undefined
					? sent
					: { ...sent, properties: field in properties ? { [field]: properties[field] } : {} };
			return {
				summary: String(route.summary),
				fields: fieldsOf(await resolve(part, schemasIn(body, 'definitions'))),
				nullable: new Set(
					Object.entries(schemasIn(route.answer, 'properties')).flatMap(([key, part]) =>
						allowsNull(part) ? [key] : [],
					),
				),
			};
		},
	};
}
