/**
 * What an agent can do over the Model Context Protocol: read the schema, make any call, and look at a picture.
 * Owns: the tools. Never: a list of routes, which the schema of the running server has.
 */

import { routeDocument } from '../../shared/contract/api-documents.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import type { JsonSchema } from '../../shared/contract/json-schema.ts';
import { pathAndQuery } from '../../shared/contract/path-and-query.ts';
import type { WireResponse } from '../../shared/contract/wire.ts';
import { getScreenshot } from '../../shared/routes/camera.ts';
import { getSchema } from '../../shared/routes/operations.ts';
import type { RawCall } from '../../shared/transport/client.ts';
import { isRecord } from './messages.ts';

/** Characters of an answer that an agent gets: more would fill its memory with one call. */
const MOST_CHARACTERS = 100_000;

export interface Tool {
	readonly name: string;
	readonly description: string;
	readonly inputSchema: JsonSchema;
	/** Hints of the protocol. */
	readonly annotations: { readonly readOnlyHint: boolean; readonly openWorldHint: false };
	/** Arguments that work as written, one after the other, in an empty world. The description names them. */
	readonly examples: readonly Record<string, unknown>[];
	/** The call of the API that it makes. Throws an `ApiError` for arguments that it does not take. */
	call(given: Record<string, unknown>): RawCall;
	/** The part of a JSON answer that it shows; all of it unless given. */
	shown?(answer: Record<string, unknown>): unknown;
}

const PICTURE = 'image/png';
const METHODS = ['GET', 'POST', 'DELETE'] as const;
const world = {
	type: 'string',
	description: 'World to use: the name of a fork, or main (the default)',
};
const NO_FIELDS: JsonSchema = { type: 'object', properties: {} };

const CALLS: readonly CallArguments[] = [
	{ method: 'POST', path: '/spawn', body: { mesh: 'cube', position: [0, 5, 0] } },
	{ method: 'POST', path: '/observe', body: {} },
	{ method: 'POST', path: '/peek', body: {} },
	{ method: 'POST', path: '/step', body: { ticks: 60 } },
	{ method: 'POST', path: '/fork', body: { fork_id: 'plan' } },
	{ method: 'POST', path: '/step', world: 'plan' },
	{ method: 'GET', path: '/entities/0' },
	{ method: 'GET', path: '/digest?future=true' },
];

interface CallArguments extends Record<string, unknown> {
	readonly method: string;
	readonly path: string;
}

/** A call as the description writes it. */
const written = ({ method, path, body, world: about }: CallArguments): string =>
	`${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}${about === undefined ? '' : ` with world "${about}"`}`;

export const TOOLS: readonly Tool[] = [
	{
		name: 'schema',
		description:
			'Lists the API. Without arguments: every route in one line. With `path`: one route with fields, units, errors and an example. With `q`: whatever these words find. Read a route here before you call it for the first time.',
		inputSchema: routeDocument(getSchema).query ?? NO_FIELDS,
		examples: [{}, { path: '/spawn' }, { q: 'kill gold' }],
		annotations: { readOnlyHint: true, openWorldHint: false },
		call: (given) => ({
			method: 'GET',
			path: getSchema.path,
			query: queryOf(given.brief === undefined ? { form: 'compact', ...given } : given),
		}),
		shown: (answer) => (typeof answer.text === 'string' ? answer.text : answer),
	},
	{
		name: 'call',
		description: `Makes one API call and returns its JSON. If \`ok\` is false, the call was refused: \`error\` says why, and \`fix\` what to send instead. Such an answer may have \`ticks_advanced\` or \`committed\`: that part is kept. Examples: ${CALLS.map(written).join('; ')}.`,
		inputSchema: {
			type: 'object',
			properties: {
				method: { enum: [...METHODS], description: 'HTTP method of the route, as in the schema' },
				path: {
					type: 'string',
					description:
						'Path such as /spawn or /entities/0. It may end with a query, such as /digest?future=true',
				},
				body: { type: 'object', description: 'Body of a POST; {} if omitted', additionalProperties: true },
				world,
			},
			required: ['method', 'path'],
			additionalProperties: false,
		},
		annotations: { readOnlyHint: false, openWorldHint: false },
		examples: CALLS,
		call: ({ method, path, body, world, ...rest }) => {
			none(rest, 'call');
			if (!METHODS.some((known) => known === method))
				throw bad(
					'method',
					'is missing or is not an HTTP method of the API',
					`Send "method" as one of ${METHODS.join(', ')}.`,
				);
			if (typeof path !== 'string' || !path.startsWith('/'))
				throw bad(
					'path',
					'is missing or is not a path',
					'Send "path" as a path of the API, such as /observe. The tool "schema" lists them.',
				);
			const sent = recordOf('body', body ?? {});
			if (method !== 'POST' && !isEmpty(sent))
				throw bad('body', `is not allowed with ${method}`, 'Omit "body", or send the call as a POST.');
			const { path: bare, query } = pathAndQuery(path);
			const about = world === undefined ? '' : queryOf({ world });
			return {
				method: method as string,
				path: bare,
				query: [query, about].filter((part) => part !== '').join('&'),
				...(method === 'POST' ? { body: sent } : {}),
			};
		},
	},
	{
		name: 'picture',
		description: `Takes a picture of the world from a camera. ${routeDocument(getScreenshot).description ?? ''}`,
		inputSchema: withWorld(routeDocument(getScreenshot).query ?? NO_FIELDS),
		annotations: { readOnlyHint: true, openWorldHint: false },
		examples: [{ width: 320, height: 180 }],
		call: (given) => ({ method: 'GET', path: getScreenshot.path, query: queryOf(given), accept: PICTURE }),
	},
];

/** The picture of an answer, as an agent gets to see it; undefined where it is none. */
export function pictureOf({ headers, body }: WireResponse) {
	if (headers['content-type'] !== PICTURE) return undefined;
	const at = `Tick ${headers['x-orrery-tick']}, state digest ${headers['x-orrery-digest']}`;
	const data = Buffer.from(body).toString('base64');
	return { content: [{ type: 'image', data, mimeType: PICTURE }, textOf(at)] };
}

/** The JSON of an answer, as an agent gets to see it. */
export function jsonContentOf(text: string, refused: boolean) {
	const rest =
		text.length <= MOST_CHARACTERS
			? []
			: [
					textOf(
						`The answer has ${text.length} characters; the first ${MOST_CHARACTERS} are above. Request less, for example with a filter, fields or a limit: the schema of the route lists them.`,
					),
				];
	return {
		content: [textOf(text.slice(0, MOST_CHARACTERS)), ...rest],
		...(refused ? { isError: true } : {}),
	};
}

export const textOf = (text: string) => ({ type: 'text', text });

const isEmpty = (given: object): boolean => Object.keys(given).length === 0;

function queryOf(given: Record<string, unknown>): string {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(given))
		if (value !== null && value !== undefined)
			query.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
	return query.toString();
}

function none(rest: object, tool: string): void {
	const [unknown] = Object.keys(rest);
	if (unknown !== undefined)
		throw bad(
			unknown,
			`is not an argument of the tool "${tool}"`,
			'Put fields of the call into "body", or into the query of "path".',
		);
}

/** The refusal of arguments. It has the form of a refused call, so that the model can read it. */
function bad(name: string, why: string, fix: string): ApiError {
	return new ApiError('invalid_body', `"${name}" ${why}.`, { fix, path: name });
}

/** An object, which some clients send as its JSON text. Throws an `ApiError` for anything else. */
export function recordOf(name: string, given: unknown): Record<string, unknown> {
	const value = typeof given === 'string' ? parsed(given) : given;
	if (isRecord(value)) return value;
	throw bad(name, 'is not an object', `Send "${name}" as an object, such as {}.`);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function withWorld(schema: JsonSchema): JsonSchema {
	return { ...schema, properties: { ...(schema.properties as object), world } };
}
