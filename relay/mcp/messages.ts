/**
 * Messages of the Model Context Protocol: JSON-RPC 2.0, in two eras of the protocol.
 * Owns: reading a message, the versions, and the client's data in a request.
 * Source: modelcontextprotocol.io, Base Protocol of 2025-11-25 and 2026-07-28; www.jsonrpc.org/specification.
 */
import { reasonOf } from '../../shared/contract/reason.ts';

/** Versions of the stateless era. Each request contains its version and its client. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];
/** Versions of the older era, newest first. A client starts with `initialize`. All messages here mean the same in each version. */
export const LEGACY_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

export type Era = 'modern' | 'legacy';

export const NOT_JSON = -32700;
export const NO_REQUEST = -32600;
export const NO_METHOD = -32601;
export const BAD_PARAMS = -32602;
export const FAULT = -32603;
export const NO_RESOURCE = -32002;
export const HEADER_MISMATCH = -32020;
export const NO_VERSION = -32022;

/** Refusal of a request. The message contains the correction. */
export class ProtocolError extends Error {
	readonly code: number;
	readonly data: object | undefined;

	constructor(message: string, code = BAD_PARAMS, data?: object) {
		super(message);
		this.code = code;
		this.data = data;
	}
}

export type Id = string | number;

/** A message that needs an answer. */
export interface McpRequest {
	readonly id: Id;
	readonly method: string;
	readonly params: Readonly<Record<string, unknown>>;
}

export type McpMessage =
	| ({ readonly kind: 'request' } & McpRequest)
	| { readonly kind: 'notification'; readonly method: string; readonly params: McpRequest['params'] }
	/** An answer. It is ignored, because this server sends no requests. */
	| { readonly kind: 'response' };

export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads one message. Throws a `ProtocolError`. */
export function messageOf(value: unknown): McpMessage {
	if (!isRecord(value)) throw new ProtocolError('A message must be a JSON object.', NO_REQUEST);
	const { id, method } = value;
	if (typeof method !== 'string') {
		if ('result' in value || 'error' in value) return { kind: 'response' };
		throw new ProtocolError('The message is not a request: it has no "method".', NO_REQUEST);
	}
	const params = isRecord(value.params) ? value.params : {};
	if (id === undefined || id === null) return { kind: 'notification', method, params };
	if (typeof id === 'string' || typeof id === 'number') return { kind: 'request', id, method, params };
	throw new ProtocolError('"id" must be a text or a number.', NO_REQUEST);
}

/** Returns the id of a broken message, if it has one. */
export const idOf = (value: unknown): Id | null => {
	const id = isRecord(value) ? value.id : undefined;
	return typeof id === 'string' || typeof id === 'number' ? id : null;
};

const META = 'io.modelcontextprotocol/';

/** Method by which a client of the stateless era listens for changes. Its answer is a stream. */
export const LISTEN = 'subscriptions/listen';
export const TOOLS_CHANGED = 'notifications/tools/list_changed';

/** Returns the part of each message of a subscription that names the subscription: the id of its request. */
export const subscriptionMeta = (id: Id) => ({ _meta: { [`${META}subscriptionId`]: id } });

export const metaOf = ({ params }: Pick<McpRequest, 'params'>): Readonly<Record<string, unknown>> =>
	isRecord(params._meta) ? params._meta : {};

/** Returns the version in a request of the stateless era; undefined for a request of the older era. */
export function versionIn(request: Pick<McpRequest, 'params'>): string | undefined {
	const version = metaOf(request)[`${META}protocolVersion`];
	return typeof version === 'string' ? version : undefined;
}

/** Throws a `ProtocolError` unless the version of the stateless era is supported. */
export function requireModern(version: string): void {
	if (MODERN_VERSIONS.includes(version)) return;
	throw new ProtocolError(`Version ${version} of the protocol is not supported.`, NO_VERSION, {
		supported: [...MODERN_VERSIONS, ...LEGACY_VERSIONS],
		requested: version,
	});
}

/** Returns the name of the client for the log of calls; undefined if the request does not contain it. */
export function clientIn(request: McpRequest): string | undefined {
	const info =
		request.method === 'initialize' ? request.params.clientInfo : metaOf(request)[`${META}clientInfo`];
	const name = isRecord(info) ? info.name : undefined;
	return typeof name === 'string' ? name.replace(/[^\x20-\x7e]/g, '?').slice(0, 100) : undefined;
}

/** User-Agent of the calls that are made for a client. */
export const senderOf = (client: string | undefined): string =>
	client === undefined ? 'mcp' : `mcp ${client}`;

export const resultMessage = (id: Id, result: object): object => ({ jsonrpc: '2.0', id, result });

export function errorMessage(id: Id | null, error: unknown): object {
	if (!(error instanceof ProtocolError)) {
		const message = reasonOf(error);
		return { jsonrpc: '2.0', id, error: { code: FAULT, message } };
	}
	const { code, message, data } = error;
	return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}
