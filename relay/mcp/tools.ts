/**
 * Tools over the Model Context Protocol that every world has.
 * Owns: their names and arguments, and the API call of each tool. Their list takes at most 3,000 tokens.
 * Never: lists routes. The schema of the running server has them.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import type { JsonSchema } from '../../shared/contract/json-schema.ts';
import { pathAndQuery } from '../../shared/contract/path-and-query.ts';
import { hasBody, METHODS, type Method } from '../../shared/contract/route.ts';
import type { PathOf } from '../../shared/routes/index.ts';
import type { TOOL_NAMES } from '../../shared/rules/action.ts';
import type { RawCall } from '../../shared/transport/client.ts';
import { isRecord } from './messages.ts';
import { PICTURE_TYPES } from './results.ts';

export type ToolArguments = Record<string, unknown>;

export interface Annotations {
	readonly readOnlyHint: boolean;
	readonly destructiveHint?: boolean;
	readonly idempotentHint?: boolean;
	readonly openWorldHint: false;
}

/** Entry of the list that a client reads. */
export interface ListedTool {
	readonly name: string;
	readonly description: string;
	readonly inputSchema: JsonSchema;
	readonly annotations: Annotations;
}

export interface McpTool extends ListedTool {
	/** Working arguments, to be used in order in the world of the example of POST /action. */
	readonly examples: readonly ToolArguments[];
	/** Advice for an answer that is too long. */
	readonly advice: string;
	/** Returns the API call for arguments. Throws an `ApiError` for invalid arguments. */
	call(toolArguments: ToolArguments): RawCall;
	/** Returns the part of a JSON answer that the tool shows. Without it, the tool shows all. */
	selectPart?(answer: ToolArguments): unknown;
}

/** Annotations of a tool that only reads. */
export const READ_ANNOTATIONS: Annotations = { readOnlyHint: true, openWorldHint: false };
/** Returns the annotations of a tool that writes. `isDestructive`: it may remove or overwrite data. */
export const writeAnnotations = (isDestructive: boolean): Annotations => ({
	readOnlyHint: false,
	destructiveHint: isDestructive,
	idempotentHint: false,
	openWorldHint: false,
});

/** Schema of the argument `world`. */
export const world = { type: 'string', description: 'Name of a fork or world, or NAME/FORK; default main' };
/** Maximum pixels per side of a picture in an answer. A larger picture is a link. */
export const MAX_SIDE = 1024;
/** Default for the maximum tokens of an answer of the tool observe. */
const OBSERVE_BUDGET = 12_000;

const textSchema = (description: string) => ({ type: 'string', description });
const wholeNumberSchema = (description: string, minimum = 0) => ({ type: 'integer', minimum, description });
const inputSchema = (properties: JsonSchema, ...required: string[]): JsonSchema => ({
	type: 'object',
	properties,
	...(required.length > 0 ? { required } : {}),
	additionalProperties: false,
});

/** Returns a path of a route, checked by types only. Loading the declarations of all routes would take a second. */
const pathTo = <M extends Method>(_: M, path: PathOf<M>): string => path;

/** Returns a function that makes a POST call. The body has the arguments except `world`, which is in the query. */
const post =
	(path: PathOf<'POST'>, defaults: ToolArguments = {}) =>
	({ world: worldArgument, ...body }: ToolArguments): RawCall => ({
		method: 'POST',
		path,
		query: queryOf({ world: worldArgument }),
		body: { ...defaults, ...body },
	});

/** Returns true if arguments of the tool picture ask for JSON with pictures in it. */
export const isAlbum = ({ report, cameras }: ToolArguments): boolean =>
	report === true || cameras !== undefined;

/** Returns the call for an album. Color pictures are WebP, which has a quarter of the size of PNG. */
const albumCall = ({ cameras, ...query }: ToolArguments): RawCall => {
	const format = (query.channel ?? 'color') === 'color' ? { format: 'webp' } : {};
	return {
		method: 'POST',
		path: pathTo('POST', '/screenshot'),
		query: queryOf({ width: MAX_SIDE, height: 576, ...format, ...query }),
		body: cameras === undefined ? {} : { cameras },
	};
};

const SHORTEN_ADVICE =
	'Request less, for example with a filter, fields or a limit: the tool describe lists those of the route.';

const EXAMPLE_CALLS: readonly CallArguments[] = [
	{ method: 'POST', path: '/spawn', body: { mesh: 'cube', position: [0, 5, 0] } },
	{ method: 'GET', path: '/fork/plan/diff' },
	{ method: 'POST', path: '/fork/plan/promote' },
	{ method: 'GET', path: '/digest?future=true' },
];

interface CallArguments extends ToolArguments {
	readonly method: string;
	readonly path: string;
}

/** Returns the text of a call for the description. */
const callText = ({ method, path, body }: CallArguments): string =>
	`${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`;

/** Tools, in a fixed order. */
export const TOOLS: readonly (McpTool & { readonly name: (typeof TOOL_NAMES)[number] })[] = [
	{
		name: 'observe',
		description:
			'Reads the exact state of a world. Give a filter and fields to read little. Not for pictures: use picture.',
		inputSchema: inputSchema({
			filter: textSchema('Entities, such as alive+team:1, tag:hero or field:health<50 & !tag:boss'),
			fields: {
				type: 'array',
				items: { type: 'string' },
				description: 'Answer a table with these, such as health, position, tags',
			},
			near: {
				anyOf: [{ type: 'integer' }, { type: 'array', items: { type: 'number' } }],
				description: 'Nearest to this entity id or [x, y, z] first',
			},
			since: wholeNumberSchema('Only entities that changed since this tick'),
			limit: wholeNumberSchema('Maximum entities'),
			cursor: textSchema('`next` of the last answer, for the rest'),
			budget: wholeNumberSchema(`Maximum tokens of the answer; default ${OBSERVE_BUDGET}`, 1),
			world,
		}),
		annotations: READ_ANNOTATIONS,
		examples: [{}, { filter: 'tag:hero', fields: ['health', 'position'] }],
		advice: 'Give a filter, fields, a limit or a smaller budget.',
		call: post('/observe', { budget: OBSERVE_BUDGET }),
	},
	{
		name: 'peek',
		description:
			'Exact probabilities of what the next ticks can bring, without changing anything: every outcome with its fraction and digest. For one certain future, step a fork instead.',
		inputSchema: inputSchema({
			ticks: wholeNumberSchema('Ticks to look ahead; default 1', 1),
			until: textSchema('Condition that ends a branch, such as dead & team:2'),
			merge: { type: 'boolean', description: 'Merges outcomes that lead to the same state' },
			limit: wholeNumberSchema('Maximum outcomes of several ticks; default 100'),
			world,
		}),
		annotations: READ_ANNOTATIONS,
		examples: [{}, { ticks: 3, merge: true }],
		advice: 'Look fewer ticks ahead, or give merge or a limit.',
		call: post('/peek'),
	},
	{
		name: 'step',
		description:
			'Advances a world by ticks of 1/60 s, and reports what chance decided. The only way in which time passes, besides the actions of a game. To try something first, step a fork.',
		inputSchema: inputSchema({
			ticks: wholeNumberSchema('Ticks, at most 10000; default 1'),
			events: {
				type: 'array',
				items: { type: 'string' },
				description: 'Events to list, such as damage, death, or all',
			},
			inputs: {
				type: 'array',
				items: { type: 'object' },
				description: 'Keys to press, as {at, key, entity_id, point}; at: ticks before it',
			},
			choices: {
				type: 'array',
				items: { type: 'object' },
				description: 'Outcomes to force, as peek lists them',
			},
			world,
		}),
		annotations: writeAnnotations(false),
		examples: [{ ticks: 60 }, { ticks: 2, events: ['all'] }],
		advice: 'Step fewer ticks, or list fewer events.',
		call: post('/step'),
	},
	{
		name: 'fork',
		description:
			'Copies a world in microseconds, to try something out. Then give its name as "world" to any tool. Keep it with POST /fork/{id}/promote or drop it with DELETE /fork/{id}, through the tool call.',
		inputSchema: inputSchema(
			{
				fork_id: textSchema('Name of the copy'),
				from: textSchema('World to copy; default main'),
				seed: wholeNumberSchema('Other luck from here on'),
				world,
			},
			'fork_id',
		),
		annotations: writeAnnotations(false),
		examples: [{ fork_id: 'plan' }],
		advice: SHORTEN_ADVICE,
		call: post('/fork'),
	},
	{
		name: 'act',
		description:
			'Makes a move of the game by name, or lists the moves if no action is given. Each move is also a tool of its own. A refused move changes nothing.',
		inputSchema: inputSchema({
			action: textSchema('Name of the move'),
			parameters: { type: 'object', description: 'Its parameters, as the list shows them' },
			world,
		}),
		annotations: writeAnnotations(true),
		examples: [{}, { action: 'drink', parameters: { amount: 20 } }],
		advice: SHORTEN_ADVICE,
		call: ({ action, parameters, world: worldArgument, ...rest }) => {
			requireNone(rest, 'act', 'Put parameters of the move into "parameters".');
			const query = queryOf({ world: worldArgument });
			if (action === undefined) return { method: 'GET', path: pathTo('GET', '/action/list'), query };
			if (typeof action !== 'string')
				throw argumentError('action', 'is not a text', 'Send the name of a move, as act {} lists them.');
			return actionCall(action, recordOf('parameters', parameters ?? {}), query);
		},
	},
	{
		name: 'describe',
		description:
			'Describes the API. Without arguments: every route in one line. With path: one route with fields, units, errors and an example. With q: what these words find. Read a route here before you use call.',
		inputSchema: inputSchema({
			path: textSchema('Route, such as /rule/create'),
			q: textSchema('Words, such as gold for a kill'),
			definition: textSchema('Definition, such as Action'),
			component: textSchema('Component, such as Collider'),
		}),
		annotations: READ_ANNOTATIONS,
		examples: [{}, { path: '/spawn' }, { q: 'kill gold' }],
		advice: 'Name a path, or search with q.',
		call: (toolArguments) => ({
			method: 'GET',
			path: pathTo('GET', '/schema'),
			query: queryOf({ form: 'compact', ...toolArguments }),
		}),
		selectPart: (answer) => (typeof answer.text === 'string' ? answer.text : answer),
	},
	{
		name: 'picture',
		description: `Picture of a world through its camera, with its tick and digest. Exact values come from observe. Up to ${MAX_SIDE} pixels a side it is in the answer; a larger one is a link.`,
		inputSchema: inputSchema({
			width: { type: 'integer', minimum: 16, maximum: 4096, description: `Default ${MAX_SIDE}` },
			height: { type: 'integer', minimum: 16, maximum: 4096, description: 'Default 576' },
			channel: {
				type: 'string',
				enum: ['color', 'segmentation', 'depth'],
				description: 'segmentation: entity ids as colors; depth: distances',
			},
			hud: { type: 'boolean', description: 'Draws texts and bars; default true' },
			annotate: { type: 'boolean', description: 'Draws entity ids and names at their boxes' },
			report: {
				type: 'boolean',
				description: 'Lists the entities in the picture with pixels and box, and what hides the others',
			},
			cameras: {
				type: 'array',
				minItems: 1,
				maxItems: 8,
				items: { type: 'object' },
				description: 'A picture from each, such as {"eye":[0,20,0.1],"target":[0,0,0],"fov":50}',
			},
			world,
		}),
		annotations: READ_ANNOTATIONS,
		examples: [{ width: 320, height: 180 }],
		advice: SHORTEN_ADVICE,
		call: (toolArguments) =>
			isAlbum(toolArguments)
				? albumCall(toolArguments)
				: {
						method: 'GET',
						path: pathTo('GET', '/screenshot'),
						query: queryOf({ width: MAX_SIDE, height: 576, ...toolArguments }),
						accept: PICTURE_TYPES,
					},
	},
	{
		name: 'call',
		description: `Makes any API call and returns its JSON, for what has no tool. If \`ok\` is false, it was refused: \`fix\` says what to send instead. Examples, after fork {"fork_id":"plan"}: ${EXAMPLE_CALLS.map(callText).join('; ')}.`,
		inputSchema: inputSchema(
			{
				method: { type: 'string', enum: [...METHODS] },
				path: textSchema('Path such as /spawn or /entities/0, with its query if it has one'),
				body: {
					type: 'object',
					description: 'Body of a POST or PATCH; default {}',
					additionalProperties: true,
				},
				world,
			},
			'method',
			'path',
		),
		annotations: writeAnnotations(true),
		examples: EXAMPLE_CALLS,
		advice: SHORTEN_ADVICE,
		call: buildCall,
	},
];

/** Returns the call that makes a move of the game. */
export const actionCall = (action: string, parameters: ToolArguments, query: string): RawCall => ({
	method: 'POST',
	path: pathTo('POST', '/action/{name}').replace('{name}', encodeURIComponent(action)),
	query,
	body: { parameters },
});

function buildCall({
	method: methodArgument,
	path,
	body,
	world: worldArgument,
	...rest
}: ToolArguments): RawCall {
	requireNone(rest, 'call', 'Put fields of the call into "body", or into the query of "path".');
	const method = typeof methodArgument === 'string' ? methodArgument.toUpperCase() : methodArgument;
	const knownMethod = METHODS.find((candidate) => candidate === method);
	if (knownMethod === undefined)
		throw argumentError(
			'method',
			'is missing or is not an HTTP method of the API',
			`Send "method" as one of ${METHODS.join(', ')}.`,
		);
	if (typeof path !== 'string' || !path.startsWith('/'))
		throw argumentError(
			'path',
			'is missing or is not a path',
			'Send "path" as a path of the API, such as /observe. The tool "describe" lists them.',
		);
	const fields = recordOf('body', body ?? {});
	if (!hasBody(knownMethod) && Object.keys(fields).length > 0)
		throw argumentError('body', `is not allowed with ${method}`, 'Omit "body", or send the call as a POST.');
	const { path: pathname, query } = pathAndQuery(path);
	return {
		method: method as string,
		path: pathname,
		query: [query, queryOf({ world: worldArgument })].filter((part) => part !== '').join('&'),
		...(hasBody(knownMethod) ? { body: fields } : {}),
	};
}

export function queryOf(parameters: ToolArguments): string {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters))
		if (value !== null && value !== undefined)
			query.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
	return query.toString();
}

function requireNone(rest: object, tool: string, fix: string): void {
	const [unknown] = Object.keys(rest);
	if (unknown !== undefined) throw argumentError(unknown, `is not an argument of the tool "${tool}"`, fix);
}

/** Returns the refusal of an argument. It has the form of a refused call, so that the model can read it. */
function argumentError(name: string, problem: string, fix: string): ApiError {
	return new ApiError('invalid_body', `"${name}" ${problem}.`, { fix, path: name });
}

/** Returns an object argument. Some clients send its JSON text instead. Throws an `ApiError` for any other value. */
export function recordOf(name: string, argument: unknown): ToolArguments {
	const value = typeof argument === 'string' ? parseJson(argument) : argument;
	if (isRecord(value)) return value;
	throw argumentError(name, 'is not an object', `Send "${name}" as an object, such as {}.`);
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
