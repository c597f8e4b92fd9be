/**
 * GET /schema?form=compact: the API as short texts for language models, derived from the declarations.
 * Owns: the choice of details that fit into a text. Never: has a second list of routes, fields or types.
 */

import { errorsOf, type RouteDocument, VERSION } from './api-documents.ts';
import {
	type Detail,
	dependencyText,
	fieldTexts,
	MIN_SHARED,
	shortenMeaning,
	type TypeNames,
	typeLines,
	typeText,
} from './compact-type.ts';
import type { Component } from './component.ts';
import type { JsonSchema } from './json-schema.ts';
import { BODY_ERRORS, CHANGE_ERRORS, COMMON_ERRORS, type Example, type Route } from './route.ts';
import { noSuchRoute } from './router.ts';
import {
	componentNamed,
	componentSummary,
	definitionsOf,
	requireDefinition,
	routesAt,
	type SchemaPart,
} from './schema-document.ts';

/** Maximum bytes of the text about one route. The declaration of a route may have another limit. */
export const COMPACT_BYTES = 3 * 1024;
/** Maximum bytes of the list of all routes. */
export const COMPACT_LIST_BYTES = 12 * 1024;

const ADDRESS = 'GET /schema?form=compact';

const LEGEND = `a?: may be omitted or null. 0..9: limits (1e6 and more are not written). = default. [T] 1..9: list and its length. vec3: [x,y,z]. ...T: the fields of T. More of a type: ${ADDRESS}&definition=T`;

/** Levels of detail of a route's text, from the longest to the shortest. */
const DETAILS: readonly (Detail & { readonly answer: 'meaning' | 'types'; readonly examples: number })[] = [
	{ meaning: 200, inner: 200, answer: 'meaning', examples: 3 },
	{ meaning: 160, inner: 100, answer: 'types', examples: 2 },
	{ meaning: 120, inner: 60, answer: 'types', examples: 1 },
	{ meaning: 80, inner: 0, answer: 'types', examples: 1 },
	{ meaning: 60, inner: 0, answer: 'types', examples: 1 },
	{ meaning: 40, inner: 0, answer: 'types', examples: 1 },
	{ meaning: 28, inner: 0, answer: 'types', examples: 1 },
	{ meaning: 22, inner: 0, answer: 'types', examples: 1 },
	{ meaning: 16, inner: 0, answer: 'types', examples: 1 },
	{ meaning: 0, inner: 0, answer: 'types', examples: 0 },
];

/** If the meanings are limited to this many characters, a text may omit types. */
const SHORT_MEANING = 60;
/** Share of a text that its types must have at least. */
const MIN_TYPES_SHARE = 1 / 10;

const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;

/** Error codes that are not listed, because nearly every route has them. */
const UNLISTED_ERRORS = new Set<string>([
	...COMMON_ERRORS,
	...CHANGE_ERRORS,
	...BODY_ERRORS,
	'out_of_room',
	'bad_path',
]);

function namesFor(routes: readonly Route[]): TypeNames {
	const { definitions, bodies } = definitionsOf(routes);
	const isLarge = (name: string) => Object.keys(definitions[name]!.properties ?? {}).length >= MIN_SHARED;
	const bases = [...new Set([...bodies, ...Object.keys(definitions)])].filter(isLarge);
	return { definitions, bases, met: new Set(), unnamed: new Map() };
}

/** Returns the text of an example, such as `POST /spawn {"mesh":"cube"}`. */
function exampleText({ method, path }: Route, example: Example): string {
	const { body } = example;
	return `${method} ${example.path ?? path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`;
}

/** Returns a text in which long types that occur more than once have a name, such as `Op = less|equal`. */
function withNames(text: string, { unnamed, definitions }: TypeNames): string {
	const named: string[] = [];
	let shorter = text;
	for (const [type, field] of [...unnamed].sort(([a], [b]) => b.length - a.length)) {
		const name = field.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
		if (name in definitions || named.some((line) => line.startsWith(`${name} = `))) continue;
		if (shorter.split(type).length <= 2) continue;
		shorter = shorter.replaceAll(type, name);
		named.push(`${name} = ${type}`);
	}
	return [shorter, ...named].join('\n');
}

/** Returns the types that a text refers to, nearest first, until the room is used up. The others are only named. */
function typesText(names: TypeNames, detail: Detail, room: number): { lines: string[]; complete: boolean } {
	const lines: string[] = [];
	const omitted: string[] = [];
	let size = 0;
	// Types to which only an omitted type refers are not mentioned.
	const pending = [...names.met];
	const visited = new Set(pending);
	for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
		const namesInType: TypeNames = { ...names, met: new Set() };
		const text = typeLines(name, names.definitions[name]!, namesInType, detail).join('\n');
		if (size + text.length >= room) {
			omitted.push(name);
			continue;
		}
		size += text.length + 1;
		lines.push(text);
		for (const next of namesInType.met)
			if (!visited.has(next)) {
				visited.add(next);
				pending.push(next);
			}
	}
	if (omitted.length > 0) lines.push(`Other types: ${omitted.join(' ')}`);
	return { lines, complete: omitted.length === 0 };
}

/** Returns the lines about a route without its types. */
function headLines(
	route: Route,
	document: RouteDocument,
	names: TypeNames,
	detail: (typeof DETAILS)[number],
): string[] {
	const lines = [`${route.method} ${route.path} # ${route.summary}`];
	if (route.description !== undefined) lines.push(shortenMeaning(route.description, detail.meaning * 3));
	const section = (title: string, schema: JsonSchema | undefined): void => {
		if (schema === undefined) return;
		const root = schema.$ref === undefined ? schema : names.definitions[nameOf(schema)]!;
		// A body may have one of several forms.
		const form = root.properties === undefined ? typeText(root, names, detail) : dependencyText(root);
		lines.push(`${title}: ${form}`.trim());
		lines.push(...fieldTexts(root, names, detail, schema.$ref === undefined));
	};
	section('PATH', document.params);
	section('QUERY', document.query);
	section('BODY', document.body);
	const requestTypes = [...names.met];
	if (detail.answer === 'meaning') section('ANSWER', document.answer);
	else {
		const bare = { meaning: 0, inner: 0 };
		lines.push(`ANSWER: ${fieldTexts(document.answer, names, bare).join(', ') || 'any'}`);
		// Types of the answer are omitted. They have their own address.
		names.met.clear();
		for (const name of requestTypes) names.met.add(name);
	}
	const listedErrors = Object.keys(errorsOf(route)).filter((code) => !UNLISTED_ERRORS.has(code));
	if (listedErrors.length > 0) lines.push(`ERRORS: ${listedErrors.join(' ')}`);
	for (const example of route.examples.slice(0, detail.examples))
		lines.push(`EXAMPLE: ${exampleText(route, example)}`);
	return [...lines.filter((line) => line !== ''), LEGEND];
}

/** Bytes for the names of omitted types. */
const OMITTED_NAMES_BYTES = 120;

/** Assumed numbers of bytes that names for repeated types may save. They are tried in order. */
const ASSUMED_SAVINGS = [1600, 1200, 800, 500, 300, 200, 100, 0];

/** Returns the text about a route with the most details that fit into `maxBytes`. */
function routeText(route: Route, routes: readonly Route[], maxBytes: number): string {
	const document = definitionsOf(routes).documents[routes.indexOf(route)]!;
	let text = '';
	for (const detail of DETAILS)
		for (const savedBytes of ASSUMED_SAVINGS) {
			const names = namesFor(routes);
			const head = headLines(route, document, names, detail);
			const room = maxBytes - bytesOf(head.join('\n')) + savedBytes - OMITTED_NAMES_BYTES;
			const { lines, complete } = typesText(names, detail, room);
			text = withNames([...head, ...lines].join('\n'), names);
			if (bytesOf(text) > maxBytes) continue;
			const hasEnoughTypes = bytesOf(lines.join('\n')) >= maxBytes * MIN_TYPES_SHARE;
			if (complete || detail.meaning <= (hasEnoughTypes ? SHORT_MEANING : 0)) return text;
			break;
		}
	return text;
}

const nameOf = ({ $ref }: JsonSchema): string => String($ref).slice(String($ref).lastIndexOf('/') + 1);

/** Limits on the characters of meanings in the text of a definition. The first that fits is used. */
const MEANING_LIMITS = [2000, 400, 160, 80, 40, 0];

function definitionText(name: string, routes: readonly Route[]): string {
	let text = '';
	for (const inner of MEANING_LIMITS) {
		const names = namesFor(routes);
		const schema = names.definitions[name]!;
		const detail = { meaning: inner, inner };
		const lines =
			schema.properties === undefined
				? typeLines(name, schema, names, detail)
				: [`${name}: ${dependencyText(schema)}`.trim(), ...fieldTexts(schema, names, detail)];
		names.met.delete(name);
		const others = [...names.met];
		if (others.length > 0) lines.push(`Other types: ${others.join(' ')}`);
		text = withNames([...lines, LEGEND].join('\n'), names);
		if (bytesOf(text) <= COMPACT_BYTES * 2) break;
	}
	return text;
}

/** Returns the text about a component: its fields, and its forms if it has several. */
function componentText(component: Component): string {
	const { fields, variants } = componentSummary(component);
	const forms = Array.isArray(variants) ? { values: variants.join('|') } : (variants ?? {});
	const form = ([name, value]: [string, unknown]): string =>
		`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
	return [
		`${component.title} # ${component.summary}`,
		...Object.entries(fields).map(([name, text]) => `${name}: ${text}`),
		...Object.entries(forms).map(form),
	].join('\n');
}

/** Returns the list of all routes, one per line. Summaries are shortened to fit. */
function listText(routes: readonly Route[], components: readonly Component[], maxBytes: number): string {
	const titles = components.map(({ title }) => title).join(' ');
	const end = components.length > 0 ? [`Components (${ADDRESS}&component=NAME): ${titles}`] : [];
	const head = [
		`Orrery ${VERSION}. POST a JSON body; an answer with "ok": false was refused, and its "fix" says what to send.`,
		`One route in full: ${ADDRESS}&path=/spawn. Search: GET /schema?q=words. ?world=NAME sends a call to a fork or another world.`,
	];
	for (let room = 120; ; room -= 4) {
		const lines = routes.map(({ method, path, summary }) => {
			const short = shortenMeaning(summary, room);
			return `${method} ${path}${short === '' ? '' : ` # ${short}`}`;
		});
		const text = [...head, ...lines, ...end].join('\n');
		if (bytesOf(text) <= maxBytes || room < 8) return text;
	}
}

/** Returns the text about a path, a definition or a component. Without any, it is the list of all routes. */
export function compactSchema(
	all: readonly Route[],
	components: readonly Component[],
	{ path, definition, component }: SchemaPart = {},
): string {
	if (component !== undefined) return componentText(componentNamed(components, component));
	if (definition !== undefined) return definitionText(requireDefinition(all, definition), all);
	if (path === undefined) return listText(all, components, COMPACT_LIST_BYTES);
	const routes = routesAt(all, path);
	if (routes.length === 0) throw noSuchRoute(path, all);
	if (routes.some((route) => route.path !== routes[0]!.path)) return listText(routes, [], COMPACT_LIST_BYTES);
	const maxBytes = Math.max(...routes.map((route) => route.compact ?? COMPACT_BYTES));
	return routes.map((route) => routeText(route, all, Math.floor(maxBytes / routes.length))).join('\n\n');
}
