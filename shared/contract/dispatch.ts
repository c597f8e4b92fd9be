/**
 * Decodes and checks a call, and encodes an answer.
 * Owns: the order of checks: path, method, path parameters, query, content type, size, JSON, shape.
 */

import * as z from 'zod';
import { ApiError, catchRefusal, ERRORS, type ErrorCode, withCode } from './errors.ts';
import { shapeError } from './explain-issue.ts';
import { nestsDeeper } from './json-depth.ts';
import { parseJson } from './json-text.ts';
import { nearest, shortenName } from './nearest.ts';
import { acceptsWorld, hasBody, type Route } from './route.ts';
import type { RouteMatch } from './router.ts';
import {
	MAX_BODY_BYTES,
	MAX_DEPTH,
	MAX_DOCUMENT_BYTES,
	MAX_DOCUMENT_DEPTH,
	type WireRequest,
	type WireResponse,
} from './wire.ts';

/** Call that has passed all checks for which no world is needed. */
export interface CheckedCall {
	readonly route: Route;
	readonly params: Record<string, unknown>;
	readonly query: Record<string, unknown>;
	readonly body: unknown;
	/** Body that is not JSON, of a media type that the route accepts. */
	readonly upload?: UploadedFile;
	/**
	 * World that the call names, such as `main` or the id of a fork; undefined if it names none. With `world: false` the
	 * route concerns the engine, and the name only selects the engine.
	 */
	readonly world: string | undefined;
}

/** Body that is passed on undecoded. */
export interface UploadedFile {
	readonly bytes: Uint8Array;
	/** Media type in lower case, without parameters. */
	readonly mediaType: string;
}

const NO_BODY = z.strictObject({});

/** Checks a call against its route. Throws an `ApiError`. */
export function checkCall({ route, params: pathParams }: RouteMatch, request: WireRequest): CheckedCall {
	const { world, query } = checkQuery(route, request.query);
	const params = checkParams(route, pathParams);
	if (!hasBody(route.method)) return { route, params, query, world, body: undefined };
	const mediaType = mediaTypeOf(request);
	if (!route.accepts?.includes(mediaType))
		return { route, params, query, world, body: checkBody(route, request, mediaType) };
	checkSize(route, request.body);
	return { route, params, query, world, body: undefined, upload: { bytes: request.body, mediaType } };
}

/** Checks a call whose body is already decoded, such as one in a batch. Throws an `ApiError`. */
export function checkDecodedCall(
	{ route, params }: RouteMatch,
	call: { readonly query: string; readonly body: unknown },
): CheckedCall {
	const { world, query } = checkQuery(route, call.query);
	const usesBody = hasBody(route.method) && (route.body !== undefined || call.body !== undefined);
	if (call.body !== undefined && !usesBody)
		throw new ApiError('invalid_body', `${route.method} ${route.path} takes no body.`, {
			fix: 'Omit "body".',
		});
	// References in a batch can make a body deeper than the caller sent it.
	if (nestsDeeper(call.body, maxDepth(route)))
		throw new ApiError('invalid_body', `The body nests lists and objects deeper than ${maxDepth(route)}.`);
	return {
		route,
		params: checkParams(route, params),
		query,
		world,
		body: usesBody ? checkShape(route, call.body ?? {}) : undefined,
	};
}

/** Returns true if a schema accepts strings, so digits must not become numbers. */
function takesText(schema: z.core.$ZodType | undefined): boolean {
	const def = schema?._zod.def as
		| { type?: string; innerType?: z.core.$ZodType; in?: z.core.$ZodType }
		| undefined;
	if (def?.type === 'string') return true;
	const innerSchema = def?.innerType ?? def?.in;
	return innerSchema !== undefined && takesText(innerSchema);
}

/** Converts a whole number, also in the form `5.0`, to a number. Returns any other text unchanged. */
function toNumber(text: string): unknown {
	return /^-?\d+(\.0+)?$/.test(text) ? Number(text) : text;
}

function checkParams(route: Route, params: Readonly<Record<string, string>>): Record<string, unknown> {
	if (route.params === undefined) return {};
	const values: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(params)) {
		values[name] = takesText(route.params.shape[name]) ? value : toNumber(value);
	}
	const parsed = route.params.safeParse(values);
	if (parsed.success) return parsed.data;
	throw shapeError('bad_path', route.params, parsed.error, values);
}

function checkQuery(
	route: Route,
	text: string,
): { world: string | undefined; query: Record<string, unknown> } {
	if (text === '' && route.query === undefined) return { world: undefined, query: {} };
	const values: Record<string, unknown> = {};
	let world: string | undefined;
	const knownNames = [...Object.keys(route.query?.shape ?? {}), ...(acceptsWorld(route) ? ['world'] : [])];
	const seenNames = new Set<string>();
	for (const [name, value] of queryPairs(text)) {
		if (seenNames.has(name))
			throw new ApiError('bad_query', `The query parameter "${name}" is given more than once.`, {
				fix: `Send "${name}" once.`,
				path: name,
			});
		seenNames.add(name);
		if (!knownNames.includes(name)) throw unknownParameter(route, name, knownNames);
		if (name === 'world') world = value;
		else values[name] = takesText(route.query?.shape[name]) ? value : toNumber(value);
	}
	if (route.query === undefined) return { world, query: {} };
	const parsed = route.query.safeParse(values);
	if (parsed.success) return { world, query: parsed.data };
	throw shapeError('bad_query', route.query, parsed.error, values);
}

/**
 * Returns names and values of a query, in order. Throws `bad_query` for invalid percent-encoding.
 */
function queryPairs(text: string): [name: string, value: string][] {
	return text
		.split('&')
		.filter((pair) => pair !== '')
		.map((pair) => {
			const separator = pair.indexOf('=');
			if (separator < 0) return [queryText(pair), ''];
			return [queryText(pair.slice(0, separator)), queryText(pair.slice(separator + 1))];
		});
}

function queryText(encoded: string): string {
	try {
		return decodeURIComponent(encoded.replaceAll('+', ' '));
	} catch {
		throw new ApiError('bad_query', `"${shortenName(encoded)}" is not valid percent-encoding.`, {
			fix: 'Percent-encode the query: write a character that is not allowed in it as %XX for each of its bytes in UTF-8, and "%" as %25.',
		});
	}
}

function unknownParameter(route: Route, name: string, knownNames: readonly string[]): ApiError {
	const message = `${route.path} has no query parameter "${shortenName(name)}".`;
	if (name === 'world') {
		const fix = 'Omit "world": the route is not about one world.';
		return new ApiError('bad_query', message, { fix, path: name });
	}
	const near = nearest(name, knownNames);
	const fix = near ? `Did you mean "${near}"?` : `Known parameters: ${knownNames.join(', ') || 'none'}.`;
	return new ApiError('bad_query', message, { fix, path: name });
}

/** Content type of most calls with a body. */
const JSON_TYPE = 'application/json';

/** Throws for a compressed body, or one in another charset than UTF-8. */
function requirePlain({ headers }: WireRequest): void {
	const coding = headers['content-encoding']?.trim().toLowerCase();
	if (coding !== undefined && coding !== '' && coding !== 'identity')
		throw new ApiError(
			'content_type',
			`Content-Encoding is ${coding}; only uncompressed bodies are accepted.`,
			{
				fix: 'Send the body uncompressed, without Content-Encoding.',
			},
		);
	if (headers['content-type'] === JSON_TYPE) return;
	const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase();
	if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii')
		throw new ApiError('content_type', `Content-Type has charset=${charset}; JSON is UTF-8.`, {
			fix: 'Send the body in UTF-8, with Content-Type: application/json.',
		});
}

function mediaTypeOf({ headers }: WireRequest): string {
	const contentType = headers['content-type'] ?? '';
	return contentType === JSON_TYPE ? contentType : contentType.split(';', 1)[0]!.trim().toLowerCase();
}

function isJson(mediaType: string): boolean {
	return mediaType === JSON_TYPE || /^application\/(?:[\w.-]+\+)?json$/.test(mediaType);
}

function checkSize(route: Route, body: Uint8Array): void {
	const maxBytes = route.document === true ? MAX_DOCUMENT_BYTES : MAX_BODY_BYTES;
	if (body.length > maxBytes)
		throw new ApiError(
			'too_large',
			`The body has ${body.length} bytes; ${route.path} takes at most ${maxBytes}.`,
		);
}

function checkBody(route: Route, request: WireRequest, mediaType: string): unknown {
	if (request.body.length === 0) {
		const emptyBody = (route.body ?? z.undefined()).safeParse(undefined);
		if (emptyBody.success) return emptyBody.data;
	}
	requirePlain(request);
	if (!isJson(mediaType)) {
		const contentType = request.headers['content-type'];
		const others = route.accepts === undefined ? '' : ` or one of ${route.accepts.join(', ')}`;
		throw new ApiError(
			'content_type',
			contentType === undefined
				? `The header Content-Type is missing; a ${route.method} needs Content-Type: application/json.`
				: `Content-Type is ${contentType}, expected application/json${others}.`,
		);
	}
	checkSize(route, request.body);
	return checkShape(route, bodyValue(route, request.body));
}

function checkShape(route: Route, value: unknown): unknown {
	const schema = route.body ?? NO_BODY;
	const parsed = schema.safeParse(value);
	if (!parsed.success) throw shapeError('invalid_body', schema, parsed.error, value);
	return route.body === undefined ? undefined : parsed.data;
}

/** Returns the maximum nesting of a body of a route. */
function maxDepth(route: Route): number {
	return route.document === true ? MAX_DOCUMENT_DEPTH : MAX_DEPTH;
}

function bodyValue(route: Route, body: Uint8Array): unknown {
	if (body.length === 0)
		throw new ApiError('bad_json', 'The body is empty.', { fix: 'Send {} as the body.' });
	return catchRefusal(
		() => parseJson(body, 'The body', maxDepth(route)),
		(refusal) => {
			// Only a refusal of valid JSON has a `fix`.
			throw withCode(refusal, refusal.fix === undefined ? 'bad_json' : 'invalid_body');
		},
	);
}

const encoder = new TextEncoder();

export function jsonResponse(
	status: number,
	value: unknown,
	headers: Record<string, string> = {},
): WireResponse {
	return { status, headers: { 'content-type': 'application/json', ...headers }, body: jsonBytes(value) };
}

/** Returns the JSON of an answer. Throws `answer_too_large` if the JSON exceeds the maximum string length. */
function jsonBytes(value: unknown): Uint8Array {
	let text: string;
	try {
		text = JSON.stringify(value);
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		throw new ApiError(
			'answer_too_large',
			`The answer would be far longer than ${MAX_DOCUMENT_BYTES} bytes.`,
		);
	}
	return encoder.encode(text);
}

/** Returns the status of a refusal: 200 if the route reports the code inside a 200, otherwise that of the table. */
export function statusOf(code: ErrorCode, route?: Route): number {
	return route?.inside?.includes(code) ? 200 : ERRORS[code][0];
}
