/**
 * Routes that GET /openapi.json describes, as the reference shows them.
 * Owns: the reading of the document. Never: has its own list of routes, tags or errors.
 */

import type { Isolatable } from '../../shared/contract/isolation.ts';
import { type PathMatch, pathMatcher } from '../../shared/contract/path-matcher.ts';
import type { Example, Method } from '../../shared/contract/route.ts';

export type JsonSchema = { readonly [key: string]: unknown };
export type Schemas = Readonly<Record<string, JsonSchema>>;

export interface DocParameter {
	readonly name: string;
	readonly in: 'path' | 'query' | 'header';
	readonly required: boolean;
	readonly description: string;
	readonly schema: JsonSchema;
}

export interface DocRoute extends Isolatable {
	readonly id: string;
	readonly tag: string;
	/** Part after the `#` of its address, such as `post-spawn`. */
	readonly anchor: string;
	readonly summary: string;
	readonly description: string;
	/** Command of the command line, without `orrery`. */
	readonly cli: string;
	readonly parameters: readonly DocParameter[];
	/** Schema of the body; undefined if it has no fields. */
	readonly body: JsonSchema | undefined;
	readonly bodyRequired: boolean;
	/** Media types of bodies other than JSON. */
	readonly accepts: readonly string[];
	readonly status: number;
	readonly answer: JsonSchema | undefined;
	/** Media types of answers other than JSON. */
	readonly media: readonly string[];
	/** Error codes of refusals, with their statuses. */
	readonly codes: readonly (readonly [code: string, status: number])[];
	readonly examples: readonly Example[];
}

export interface DocTag {
	readonly name: string;
	readonly description: string;
	readonly routes: readonly DocRoute[];
}

export interface ApiDocument {
	readonly version: string;
	readonly tags: readonly DocTag[];
	readonly routes: readonly DocRoute[];
	readonly schemas: Schemas;
	readonly find: (path: string) => PathMatch<DocRoute> | undefined;
}

interface DocumentedReply {
	readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>>;
	readonly 'x-codes'?: readonly string[];
}

interface Operation {
	readonly operationId: string;
	readonly tags: readonly string[];
	readonly summary?: string;
	readonly description?: string;
	readonly parameters?: readonly (DocParameter | { readonly $ref: string })[];
	readonly requestBody?: DocumentedReply & { readonly required?: boolean };
	readonly responses: Readonly<Record<string, DocumentedReply>>;
	readonly 'x-effect': DocRoute['effect'];
	readonly 'x-world'?: false;
	readonly 'x-batch'?: false;
	readonly 'x-access'?: DocRoute['access'];
	readonly 'x-makes'?: DocRoute['makes'];
	readonly 'x-runs'?: string;
	readonly 'x-cli'?: string;
	readonly 'x-examples'?: readonly Example[];
}

interface OpenApi {
	readonly info: { readonly version: string };
	readonly tags: readonly { readonly name: string; readonly description: string }[];
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components: {
		readonly schemas: Schemas;
		readonly parameters: Readonly<Record<string, DocParameter>>;
	};
}

const JSON_TYPE = 'application/json';

const anchorOf = (method: string, path: string): string =>
	[method, ...path.split(/[^\w-]+/)]
		.filter((word) => word !== '')
		.join('-')
		.toLowerCase();

const lastSegment = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

/** Reads an OpenAPI document. Throws for any other value. */
export function readDocument(value: unknown): ApiDocument {
	const document = value as OpenApi;
	if (typeof document?.paths !== 'object') throw new Error('This server has no API document.');
	const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]) =>
			readRoute(document, method.toUpperCase() as Method, path, operation),
		),
	);
	const tags = document.tags.map((tag) => ({
		...tag,
		routes: routes.filter((route) => route.tag === tag.name),
	}));
	return {
		version: document.info.version,
		tags: tags.filter((tag) => tag.routes.length > 0),
		routes,
		schemas: document.components.schemas,
		find: pathMatcher(routes),
	};
}

function readRoute(document: OpenApi, method: Method, path: string, operation: Operation): DocRoute {
	const success = Object.keys(operation.responses)
		.map(Number)
		.find((status) => status < 300);
	const content = operation.responses[String(success)]?.content ?? {};
	const requestContent = operation.requestBody?.content ?? {};
	const body = requestContent[JSON_TYPE]?.schema;
	const hasNoFields = typeof body?.$ref === 'string' && lastSegment(body.$ref) === 'NoFields';
	return {
		id: operation.operationId,
		tag: operation.tags[0] ?? '',
		anchor: anchorOf(method, path),
		method,
		path,
		summary: operation.summary ?? '',
		description: operation.description ?? '',
		cli: operation['x-cli'] ?? '',
		parameters: (operation.parameters ?? []).map((parameter) =>
			'$ref' in parameter ? document.components.parameters[lastSegment(parameter.$ref)]! : parameter,
		),
		body: hasNoFields ? undefined : body,
		bodyRequired: operation.requestBody?.required === true,
		accepts: Object.keys(requestContent).filter((media) => media !== JSON_TYPE),
		status: success ?? 200,
		answer: withoutRefusal(content[JSON_TYPE]?.schema, document.components.schemas),
		media: Object.keys(content).filter((media) => media !== JSON_TYPE),
		codes: Object.entries(operation.responses).flatMap(([status, { 'x-codes': codes = [] }]) =>
			codes.map((code) => [code, Number(status)] as const),
		),
		examples: operation['x-examples'] ?? [],
		effect: operation['x-effect'],
		...(operation['x-world'] === false ? { world: false } : {}),
		...(operation['x-batch'] === false ? { batch: false } : {}),
		...(operation['x-access'] ? { access: operation['x-access'] } : {}),
		...(operation['x-makes'] ? { makes: operation['x-makes'] } : {}),
		...(operation['x-runs'] ? { runs: operation['x-runs'] } : {}),
	};
}

/** Returns the schema of an answer without the alternative of a refusal, which is equal for all routes. */
function withoutRefusal(schema: JsonSchema | undefined, schemas: Schemas): JsonSchema | undefined {
	const resolved = typeof schema?.$ref === 'string' ? schemas[lastSegment(schema.$ref)] : schema;
	const parts = resolved?.anyOf as readonly JsonSchema[] | undefined;
	const isRefusal = (part: JsonSchema) =>
		typeof part.$ref === 'string' && lastSegment(part.$ref) === 'ErrorBody';
	return parts?.length === 2 && parts.some(isRefusal) ? parts.find((part) => !isRefusal(part)) : schema;
}
