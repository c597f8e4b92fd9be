/**
 * Typed Python client, generated from the declarations: one method per route, in a namespace for the first word of the
 * route's id.
 * Owns: names, parameters and docstrings of the methods. The code in `package/orrery/` sends the calls.
 */

import { type JsonSchema, SchemaDefinitions } from '../../shared/contract/json-schema.ts';
import { acceptsWorld, type Route } from '../../shared/contract/route.ts';
import { docstring, wrap } from './python-text.ts';
import { className, descriptionOf, literal, PythonTypes, pythonName } from './python-types.ts';

/** Namespaces whose routes are methods of the world itself: `world.spawn`, `world.step`. */
const OWN_NAMESPACES: ReadonlySet<string> = new Set(['world', 'simulation']);

/** Media type of a stream of events. The method of its route returns an iterator. */
const EVENT_STREAM = 'text/event-stream';

export interface ClientModules {
	/** `_types.py` */
	readonly types: string;
	/** `_client.py` */
	readonly sync: string;
	/** `_async_client.py` */
	readonly async: string;
}

interface MethodParameter {
	readonly name: string;
	/** Name in the path, the query or the body. */
	readonly apiName: string;
	readonly kind: 'path' | 'query' | 'body';
	readonly type: string;
	readonly isRequired: boolean;
	readonly description: string;
	readonly defaultValue: unknown;
}

interface ClientMethod {
	readonly route: Route;
	readonly namespace: string;
	readonly name: string;
	readonly parameters: readonly MethodParameter[];
	/** Type of a body that has no fields of its own. */
	readonly wholeBody: string | undefined;
	readonly answer: string;
}

/** Returns namespace and name of a route's method, such as `['forks', 'create']`. */
export function methodNames({ id }: Pick<Route, 'id'>): readonly [namespace: string, name: string] {
	const [namespace = '', name = ''] = id.split('.');
	return [namespace, pythonName(name)];
}

export function clientModules(routes: readonly Route[]): ClientModules {
	const shared = new SchemaDefinitions('#/definitions/');
	const types = new PythonTypes(shared.definitions);
	const methods = routes.map((route) => methodOf(route, shared, types));
	const namespaces = Map.groupBy(methods, ({ namespace }) => namespace);
	return {
		types: types.moduleText(
			'"""Records of requests and answers. Generated from the declarations of the routes."""',
		),
		sync: moduleText(namespaces, false),
		async: moduleText(namespaces, true),
	};
}

function methodOf(route: Route, shared: SchemaDefinitions, types: PythonTypes): ClientMethod {
	const [namespace, name] = methodNames(route);
	const base = className(namespace, name);
	const parameters: MethodParameter[] = [];
	const add = (kind: MethodParameter['kind'], schema: JsonSchema): void => {
		const required = new Set((schema.required ?? []) as readonly string[]);
		for (const [apiName, value] of Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)) {
			const parameter = {
				name: pythonName(apiName),
				apiName,
				kind,
				type: types.typeOf(value, className(base, apiName)),
				// No field is required if the body may also be bytes, which replace all fields.
				isRequired: kind === 'path' || (required.has(apiName) && route.accepts === undefined),
				description: descriptionOf(value),
				defaultValue: value.default,
			};
			const isTaken = parameters.some(({ name }) => name === parameter.name);
			if (isTaken || GENERATED_PARAMETERS.has(parameter.name))
				throw new Error(`The parameter ${parameter.name} of ${route.id} has two meanings in Python.`);
			parameters.push(parameter);
		}
	};
	if (route.params !== undefined) add('path', shared.schema(route.params, 'input'));
	if (route.query !== undefined) add('query', shared.schema(route.query, 'input'));
	const body =
		route.body === undefined ? undefined : resolveReference(shared.schema(route.body, 'input'), shared);
	const isRecord = body?.properties !== undefined;
	if (body !== undefined && isRecord) add('body', body);
	const answer = types.typeOf(shared.schema(route.answer, 'output'), `${base}Answer`);
	return {
		route,
		namespace,
		name,
		parameters,
		wholeBody: body === undefined || isRecord ? undefined : types.typeOf(body, `${base}Body`),
		answer,
	};
}

/** Parameters that the generator adds to methods. */
const GENERATED_PARAMETERS: ReadonlySet<string> = new Set([
	'self',
	'world',
	'accept',
	'content',
	'content_type',
]);

function resolveReference(schema: JsonSchema, { definitions }: SchemaDefinitions): JsonSchema {
	return schema.$ref === undefined ? schema : definitions[String(schema.$ref).split('/').at(-1)!]!;
}

function moduleText(namespaces: ReadonlyMap<string, readonly ClientMethod[]>, isAsync: boolean): string {
	const base = isAsync ? 'AsyncCaller' : 'Caller';
	const iterator = isAsync ? 'AsyncIterator' : 'Iterator';
	const world = isAsync ? 'AsyncWorld' : 'World';
	const worldNamespaces = [...namespaces.keys()].filter((name) => OWN_NAMESPACES.has(name));
	const otherNamespaces = [...namespaces.keys()].filter((name) => !OWN_NAMESPACES.has(name));
	const core = isAsync ? '_async_caller' : '_caller';
	const lines = [
		`"""The ${isAsync ? 'asyncio' : 'blocking'} client of every route. Generated from the declarations of the routes."""`,
		'',
		'from __future__ import annotations',
		'',
		`from typing import TYPE_CHECKING, Any, ${iterator}, Literal, Sequence`,
		'',
		`from .${core} import ${base}, ${isAsync ? 'AsyncNamespace' : 'Namespace'}`,
		'from ._values import path_of',
		'',
		'if TYPE_CHECKING:',
		'    from . import _types as t',
		'    from ._events import Event',
		'',
	];
	for (const namespace of [...worldNamespaces, ...otherNamespaces]) {
		const isOwn = OWN_NAMESPACES.has(namespace);
		const parent = isOwn ? base : isAsync ? 'AsyncNamespace' : 'Namespace';
		lines.push('', `class ${className(namespace)}Routes(${parent}):`);
		lines.push(
			`    """${[...new Set(namespaces.get(namespace)!.map(({ route }) => route.tag))].join(', ')}."""`,
		);
		for (const method of namespaces.get(namespace)!) lines.push('', ...methodText(method, isAsync));
		lines.push('');
	}
	lines.push('', `class ${world}(${worldNamespaces.map((name) => `${className(name)}Routes`).join(', ')}):`);
	lines.push('    """A world of a server, with a method for each of its routes."""', '');
	for (const name of otherNamespaces) lines.push(`    ${name}: ${className(name)}Routes`);
	lines.push('', '    def _add_namespaces(self) -> None:');
	for (const name of otherNamespaces) lines.push(`        self.${name} = ${className(name)}Routes(self)`);
	return `${lines.join('\n')}\n`;
}

/** Returns a type in which the names of records have their module as a prefix. */
const withModule = (type: string): string =>
	type.replaceAll(/"(?:[^"\\]|\\.)*"|\b[A-Z]\w*/g, (name) =>
		name.startsWith('"') || BUILT_IN_NAMES.has(name) ? name : `t.${name}`,
	);
/** Names of types and values that need no module. */
const BUILT_IN_NAMES: ReadonlySet<string> = new Set(['Any', 'Literal', 'None', 'True', 'False']);

/** Returns the type of a parameter. `list` is replaced, because in a class with a method `list` it means the method. */
const inputType = (type: string): string => withModule(type).replaceAll(/\blist\[/g, 'Sequence[');

function methodText(
	{ route, name, parameters, wholeBody, answer }: ClientMethod,
	isAsync: boolean,
): string[] {
	const isStream = route.media?.includes(EVENT_STREAM) === true;
	const ofKind = (kind: MethodParameter['kind']) => parameters.filter((parameter) => parameter.kind === kind);
	const positional = [
		...ofKind('path').map((parameter) => `${parameter.name}: ${inputType(parameter.type)}`),
		...(wholeBody === undefined ? [] : [`body: ${inputType(wholeBody)}`]),
	];
	const keywords = [...ofKind('query'), ...ofKind('body')]
		.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired))
		.map(({ name, type, isRequired }) =>
			isRequired
				? `${name}: ${inputType(type)}`
				: `${name}: ${type === 'Any' ? 'Any' : `${inputType(withoutNone(type))} | None`} = None`,
		);
	if (route.accepts !== undefined)
		keywords.push('content: bytes | None = None', 'content_type: str = "application/octet-stream"');
	if (route.media !== undefined && !isStream) keywords.push('accept: str | None = None');
	if (acceptsWorld(route)) keywords.push('world: str | None = None');
	const head = ['self', ...positional, ...(keywords.length > 0 ? ['*', ...keywords] : [])];
	const answerType =
		route.media !== undefined ? 'Any' : withModule(answer).replaceAll(/\blist\[/g, 'Sequence[');
	const result = isStream ? `${isAsync ? 'AsyncIterator' : 'Iterator'}[Event]` : answerType;
	const record = (kind: MethodParameter['kind']) =>
		`{${ofKind(kind)
			.map((parameter) => `${JSON.stringify(parameter.apiName)}: ${parameter.name}`)
			.join(', ')}}`;
	const path =
		ofKind('path').length === 0
			? JSON.stringify(route.path)
			: `path_of(${JSON.stringify(route.path)}, ${record('path')})`;
	const callArguments = [
		...(isStream ? [] : [JSON.stringify(route.method)]),
		path,
		...(ofKind('query').length > 0 ? [`query=${record('query')}`] : []),
		...(ofKind('body').length > 0
			? [`body=${record('body')}`]
			: wholeBody === undefined
				? []
				: ['body=body']),
		...(route.accepts === undefined ? [] : ['content=content', 'content_type=content_type']),
		...(route.media === undefined || isStream ? [] : ['accept=accept']),
		...(acceptsWorld(route) ? ['world=world'] : ['world=""']),
	];
	const call = `self.${isStream ? '_stream' : '_send'}(${callArguments.join(', ')})`;
	const body = isStream ? `return ${call}` : `return ${isAsync ? 'await ' : ''}${call}`;
	return [
		`    ${isAsync && !isStream ? 'async ' : ''}def ${name}(`,
		`        ${head.join(',\n        ')},`,
		`    ) -> ${result}:`,
		...docstring(docstringParts(route, parameters), '        '),
		`        ${body}`,
	];
}

const withoutNone = (type: string): string => type.replace(/ \| None$/, '');

/** Returns a text with a full stop. */
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function docstringParts(route: Route, parameters: readonly MethodParameter[]): string[][] {
	const indent = '        ';
	const describedParameters = parameters.filter(
		({ description, defaultValue }) => description !== '' || defaultValue !== undefined,
	);
	const args = describedParameters.flatMap(({ name, description, defaultValue }) => {
		const isPlain = defaultValue !== undefined && defaultValue !== null && typeof defaultValue !== 'object';
		const sentences = [description, isPlain ? `Default ${literal(defaultValue)}` : ''].filter(
			(text) => text !== '',
		);
		return wrap(sentences.map(sentence).join(' '), `${indent}    `, `${name}: `);
	});
	return [
		wrap(sentence(route.summary), indent),
		route.description === undefined ? [] : wrap(sentence(route.description), indent),
		args.length === 0 ? [] : [`${indent}Args:`, ...args],
		[`${indent}Route: ${route.method} ${route.path}`],
	];
}
