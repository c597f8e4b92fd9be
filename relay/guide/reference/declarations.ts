/**
 * Common parts of the reference pages: the schemas of all routes, and links to them.
 * Owns: the choice of the page that explains a named schema.
 */

import { components } from '../../../shared/components/index.ts';
import { type RouteDocument, routeDocument } from '../../../shared/contract/api-documents.ts';
import { type JsonSchema, SchemaDefinitions } from '../../../shared/contract/json-schema.ts';
import type { Route } from '../../../shared/contract/route.ts';
import { withoutReferences } from '../../../shared/contract/schema-references.ts';
import { titleOf } from '../../../shared/contract/title.ts';
import { routes } from '../../../shared/routes/index.ts';
import { ACTIONS } from '../../../shared/verbs/actions/index.ts';
import { CONDITIONS } from '../../../shared/verbs/conditions/index.ts';
import { type CliCommand, commandOf } from '../../cli/commands.ts';
import { propertiesOf } from '../../cli/schema-form.ts';
import { anchorOf } from '../page.ts';

export const PAGES = {
	routes: 'routes',
	access: 'access',
	components: 'reference-components',
	conditions: 'reference-conditions',
	actions: 'reference-actions',
	events: 'reference-events',
	errors: 'reference-errors',
	lua: 'reference-lua',
	types: 'reference-types',
	recipes: 'recipes',
} as const;

/** Returns the name of the page of a tag. */
export const tagPage = (tag: string): string => `${PAGES.routes}-${anchorOf(tag)}`;

export const routeHeading = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;

const link = (text: string, page: string, heading?: string): string =>
	`[${text}](${page}.md${heading === undefined ? '' : `#${anchorOf(heading)}`})`;

export const routeLink = (route: Pick<Route, 'method' | 'path' | 'tag'>): string =>
	link(`\`${routeHeading(route)}\``, tagPage(route.tag), routeHeading(route));

export const errorLink = (code: string): string => link(`\`${code}\``, PAGES.errors, code);

/** Definitions and documents of all routes. Building them takes nearly a second, so it happens once. */
let cachedDeclarations:
	| { definitions: Readonly<Record<string, JsonSchema>>; documents: ReadonlyMap<Route, RouteDocument> }
	| undefined;

export function declarations(): NonNullable<typeof cachedDeclarations> {
	if (cachedDeclarations === undefined) {
		const shared = new SchemaDefinitions('#/definitions/');
		const documents = new Map<Route, RouteDocument>(
			routes.map((route: Route) => [route, routeDocument(route, (schema, io) => shared.schema(schema, io))]),
		);
		cachedDeclarations = { definitions: shared.definitions, documents };
	}
	return cachedDeclarations;
}

/** Returns the command of a route. */
export function commandFor(route: Route): CliCommand {
	return commandOf(route.cli, () => {
		const { definitions, documents } = declarations();
		return withoutReferences(documents.get(route)!, definitions) as unknown as RouteDocument;
	});
}

const COMPONENTS = new Map(components.map(({ title }) => [`Entity${title}`, title]));

/** Returns the name that readers see. A type may have a second definition, for answers, under the same name. */
export const displayName = (name: string): string => name.replace(/(?<=.)Answer$/, '');

/** Returns the definition of a kind of verb, found by the word under its key. */
export function definitionOf(key: string, word: string): JsonSchema {
	const definition = Object.values(declarations().definitions).find(
		(schema) => propertiesOf(schema)[key]?.const === word,
	);
	if (definition === undefined) throw new Error(`No route takes the ${key} "${word}".`);
	return definition;
}

/** Returns the page and heading that explain a named schema. */
function explanationOf(name: string): readonly [page: string, heading?: string] {
	if (name === 'Condition') return [PAGES.conditions];
	if (name === 'Action') return [PAGES.actions];
	if (name === 'Target') return [PAGES.actions, 'Targets'];
	const condition = CONDITIONS.find((kind) => `${titleOf(kind.name)}Condition` === name);
	if (condition !== undefined) return [PAGES.conditions, condition.name];
	const action = ACTIONS.find(({ kind, alias }) =>
		[kind, alias].some((word) => word && `${titleOf(word)}Action` === name),
	);
	if (action !== undefined) return [PAGES.actions, action.kind];
	const component = COMPONENTS.get(name);
	if (component !== undefined) return [PAGES.components, component];
	return [PAGES.types, name];
}

/** Returns a link to the explanation of a named schema. */
export function schemaLink(definition: string): string {
	const name = displayName(definition);
	return link(name, ...explanationOf(name));
}

/** Returns the named schemas that no other page explains. */
export function ownTypes(): string[] {
	const names = new Set(Object.keys(declarations().definitions).map(displayName));
	return [...names].filter((name) => explanationOf(name)[0] === PAGES.types).sort();
}
