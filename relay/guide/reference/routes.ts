/** Reference pages of the routes: an overview, and one page per tag. */

import { openApiDocument } from '../../../shared/contract/api-documents.ts';
import type { JsonSchema } from '../../../shared/contract/json-schema.ts';
import { pathAndQuery } from '../../../shared/contract/path-and-query.ts';
import {
	acceptsWorld,
	CHANGE_ERRORS,
	COMMON_ERRORS,
	type Example,
	type ExampleCall,
	hasBody,
	type Route,
	TAGS,
	type Tag,
} from '../../../shared/contract/route.ts';
import { routes } from '../../../shared/routes/index.ts';
import type { CliCommand } from '../../cli/commands.ts';
import { exampleLine } from '../../cli/example-line.ts';
import type { GuidePage } from '../page.ts';
import {
	commandFor,
	declarations,
	errorLink,
	PAGES,
	routeHeading,
	routeLink,
	schemaLink,
	tagPage,
} from './declarations.ts';
import { fieldTables, plainText, table } from './schema-rows.ts';

const SERVER = 'http://127.0.0.1:3917';

const EFFECTS: Readonly<Record<Route['effect'], string>> = {
	read: 'Changes nothing',
	write: 'Changes the world; no time passes',
	step: 'Time passes',
	replace: 'Replaces the world',
	view: 'Changes only what is shown',
	fork: 'Changes forks and snapshots, not the world they were cloned from',
};

const routesOf = (tag: Tag): readonly Route[] =>
	(routes as readonly Route[]).filter((route) => route.tag === tag);

/** Returns the overview, then the page of each tag. */
export function routePages(): GuidePage[] {
	return [
		{
			name: PAGES.routes,
			title: 'Routes',
			summary: `All ${routes.length} routes, and what every call has in common`,
			markdown: overview,
		},
		...(Object.entries(TAGS) as [Tag, string][]).map(([tag, summary]) => ({
			name: tagPage(tag),
			title: `Routes: ${tag}`,
			summary,
			group: { title: 'Routes by tag', label: tag },
			markdown: () => tagText(tag, summary),
		})),
	];
}

function overview(): string {
	const { components } = openApiDocument(routes) as unknown as {
		readonly components: { readonly parameters: Readonly<Record<string, JsonSchema>> };
	};
	const parameters = Object.values(components.parameters).map((parameter) => [
		`\`${parameter.name}\``,
		String(parameter.in),
		plainText(String(parameter.description)),
	]);
	return [
		'# Routes',
		'',
		'Bodies and answers are JSON. The answer of a refused call has `ok: false`, `error`, `code` and `fix`.',
		'',
		'## Every call',
		'',
		...table(['name', 'in', 'meaning'], parameters),
		`Any call may be refused with ${COMMON_ERRORS.map(errorLink).join(', ')}.`,
		'',
		`Calls that change something may also be refused with ${CHANGE_ERRORS.map(errorLink).join(', ')}.`,
		'',
		...Object.entries(TAGS).flatMap(([tag, summary]) => [
			`## ${tag}`,
			'',
			`${plainText(summary)}.`,
			'',
			...routeTable(routesOf(tag as Tag)),
		]),
	].join('\n');
}

const routeTable = (listed: readonly Route[]): string[] =>
	table(
		['route', 'does'],
		listed.map((route) => [routeLink(route), plainText(route.summary)]),
	);

function tagText(tag: Tag, summary: string): string {
	const tagRoutes = routesOf(tag);
	return [
		`# Routes: ${tag}`,
		'',
		`${plainText(summary)}. All routes may be refused for [common reasons](${PAGES.routes}.md#every-call).`,
		'',
		...routeTable(tagRoutes),
		...tagRoutes.flatMap(routeText),
	].join('\n');
}

function routeText(route: Route): string[] {
	const { definitions, documents } = declarations();
	const document = documents.get(route)!;
	const section = (title: string, schema: JsonSchema | undefined, io: 'input' | 'output') => {
		const lines = schema === undefined ? [] : fieldTables(schema, io, schemaLink, definitions);
		return lines.length === 0 ? [] : [`**${title}**`, '', ...lines];
	};
	const codes = [...new Set([...route.errors, ...(route.inside ?? [])])];
	const facts = [
		`${EFFECTS[route.effect]}.`,
		...(acceptsWorld(route)
			? [route.world === false ? 'Takes `?world=` of any world of the same engine.' : 'Takes `?world=`.']
			: []),
		...(route.status === undefined ? [] : [`Status ${route.status}.`]),
		...(route.accepts === undefined
			? []
			: [`Also takes ${route.accepts.map((type) => `\`${type}\``).join(', ')}.`]),
		...(route.media === undefined
			? []
			: [`Can answer ${route.media.map((type) => `\`${type}\``).join(', ')}.`]),
	];
	const command = commandFor(route);
	return [
		`## ${routeHeading(route)}`,
		'',
		`${plainText(route.summary)}.${route.description ? ` ${plainText(route.description)}` : ''}`,
		'',
		`${facts.join(' ')} Command: \`orrery ${route.cli.filter((word) => word !== undefined).join(' ')}\`.`,
		'',
		...section('In the path', document.params, 'input'),
		...section('In the query', document.query, 'input'),
		...section('Body', document.body, 'input'),
		...section('Answer', document.answer, 'output'),
		...(codes.length > 0 ? [`Refused with ${codes.map(errorLink).join(', ')}.`, ''] : []),
		...route.examples.flatMap((example) => exampleText(route, command, example)),
	];
}

function exampleText(route: Route, command: CliCommand, example: Example): string[] {
	const call = { method: route.method, path: example.path ?? route.path, body: example.body };
	return [
		`**Example:** ${plainText(example.name)}`,
		'',
		'```sh',
		...[...(example.given ?? []), call].map(curlLine),
		'```',
		'',
		'```sh',
		exampleLine(command, example),
		'```',
		'',
	];
}

const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function curlLine({ method, path, body }: ExampleCall): string {
	const verb = method ?? 'POST';
	const { query } = pathAndQuery(path);
	const address = query === '' && !path.includes('{') ? SERVER + path : quoteForShell(SERVER + path);
	return [
		'curl',
		...(verb === 'GET' ? [] : [`-X ${verb}`]),
		address,
		...(hasBody(verb)
			? [`-H 'Content-Type: application/json' -d ${quoteForShell(JSON.stringify(body ?? {}))}`]
			: []),
	].join(' ');
}
