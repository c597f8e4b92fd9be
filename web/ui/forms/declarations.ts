/**
 * Declarations of the engine's routes, read from GET /schema when a form first needs it, and kept.
 * Owns: asking once for each path and definition, and putting definitions in place. Never: a copy of a declaration.
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
	 * Returns the declaration of a route: all of it, or one field of its body. Rejects, and forgets, when no answer
	 * comes.
	 */
	of(route: RouteName, field?: string): Promise<DeclaredForm>;
	/** Returns the schema of a definition, such as `Condition`. Rejects, and forgets, when no answer comes. */
	definition(name: string): Promise<Schema>;
}

const isSchema = (value: unknown): value is Schema =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const schemasIn = (holder: unknown, key: string): Readonly<Record<string, Schema>> =>
	isSchema(holder) && isSchema(holder[key]) ? (holder[key] as Readonly<Record<string, Schema>>) : {};

/** Returns the names of the definitions that a part refers to by their address, because there was no room for them. */
function elsewhere(part: unknown): readonly string[] {
	const text = JSON.stringify(part);
	return [...new Set([...text.matchAll(/\/schema\?definition=(\w+)#/g)].map(([, name]) => name!))];
}

export function createDeclarations(services: Pick<PanelServices, 'call'>): Declarations {
	const cache = new Map<string, Promise<Schema>>();
	const read = (query: string): Promise<Schema> => {
		const before = cache.get(query);
		if (before !== undefined) return before;
		const asked = askRaw(services, 'GET', `/schema?${query}`, undefined, 'panels').then((outcome) => {
			if (outcome.ok) return outcome.body;
			cache.delete(query);
			throw new Error(outcome.refusal.sentence);
		});
		cache.set(query, asked);
		return asked;
	};
	const whole = async (part: Schema, near: Readonly<Record<string, Schema>>): Promise<Schema> => {
		let definitions = near;
		const asked = new Set<string>();
		for (let missing = elsewhere(part); missing.length > 0; ) {
			for (const name of missing) asked.add(name);
			const more = await Promise.all(missing.map((name) => read(`definition=${name}`)));
			for (const schema of more) definitions = { ...schemasIn(schema, 'definitions'), ...definitions };
			missing = elsewhere(more).filter((name) => !asked.has(name) && !(name in definitions));
		}
		return withoutReferences(part, definitions);
	};
	return {
		definition: (name) => whole({ $ref: `/schema?definition=${name}#/definitions/${name}` }, {}),
		async of(name, only) {
			const [method, path = ''] = name.split(' ', 2);
			const body = await read(`path=${encodeURIComponent(path)}`);
			const routes = Array.isArray(body.routes) ? body.routes.filter(isSchema) : [];
			const route = routes.find((route) => route.method === method && route.path === path);
			if (route === undefined) throw new Error(`GET /schema does not describe ${name}.`);
			const sent = isSchema(route.body) ? route.body : isSchema(route.query) ? route.query : {};
			const properties = schemasIn(sent, 'properties');
			const part =
				only === undefined
					? sent
					: { ...sent, properties: only in properties ? { [only]: properties[only] } : {} };
			return {
				summary: String(route.summary),
				fields: fieldsOf(await whole(part, schemasIn(body, 'definitions'))),
				nullable: new Set(
					Object.entries(schemasIn(route.answer, 'properties')).flatMap(([key, part]) =>
						allowsNull(part) ? [key] : [],
					),
				),
			};
		},
	};
}
