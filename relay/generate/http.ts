/**
 * Calls to providers.
 * Owns: the choice of temporary failures, the maximum times and the size limits. Never: puts a key into a message. Error
 * texts of a provider are quoted without the key.
 */

import { ProviderError } from './provider.ts';
import { openPublic } from './public-download.ts';

/** Maximum time of a call (ms). */
const CALL_MS = 30_000;
/** Maximum time of a download (ms). */
const DOWNLOAD_MS = 300_000;
/** Maximum bytes of a JSON answer. */
const MAX_JSON_BYTES = 1024 * 1024;

export interface HttpRequest {
	readonly url: string;
	readonly method?: 'GET' | 'POST';
	readonly key?: string | undefined;
	readonly body?: unknown;
	readonly signal: AbortSignal;
}

type Json = Readonly<Record<string, unknown>>;

/** Makes a call. Returns the JSON object in the answer. Rejects with `ProviderError`. */
export async function requestJson(request: HttpRequest): Promise<Json> {
	const response = await send(request, CALL_MS);
	const length = Number(response.headers.get('content-length') ?? 0);
	const bytes = await readUpTo(response.body ?? new Blob().stream(), length, MAX_JSON_BYTES);
	let value: unknown;
	try {
		value = JSON.parse(new TextDecoder().decode(bytes));
	} catch {
		// The errors below report it.
	}
	if (!response.ok) throw refusalError(response.status, request.key, value);
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
	throw new ProviderError('The answer of the provider is not a JSON object.', true);
}

/** Server that the operator has set. It may be in a private network, and gets the key. */
export interface OwnServer {
	readonly origin: string;
	readonly key: string | undefined;
}

/** Downloads a file from an address that a provider named. Rejects with `ProviderError`, also for a larger file. */
export async function download(
	url: unknown,
	maxBytes: number,
	signal: AbortSignal,
	own?: OwnServer,
): Promise<Uint8Array> {
	if (typeof url !== 'string' || !URL.canParse(url))
		throw new ProviderError('The provider gave no address for the finished model.', false);
	const authorization: Record<string, string> =
		own?.key === undefined ? {} : { authorization: `Bearer ${own.key}` };
	const anySignal = AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_MS)]);
	try {
		const response = await openPublic({ url, signal: anySignal, own: own?.origin, headers: authorization });
		const { statusCode = 0, headers } = response;
		if (statusCode !== 200) {
			response.destroy();
			throw refusalError(statusCode, own?.key, undefined);
		}
		return await readUpTo(response, Number(headers['content-length'] ?? 0), maxBytes);
	} catch (error) {
		throw asProviderError(error, signal);
	}
}

async function send(
	{ url, method = 'GET', key, body, signal }: HttpRequest,
	timeoutMs: number,
): Promise<Response> {
	try {
		return await fetch(url, {
			method,
			signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
			headers: {
				accept: 'application/json, model/gltf-binary, */*',
				...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
	} catch (error) {
		throw asProviderError(error, signal);
	}
}

function asProviderError(error: unknown, signal: AbortSignal): ProviderError {
	if (error instanceof ProviderError) return error;
	signal.throwIfAborted();
	const { code, cause, name } = error as Error & {
		readonly code?: string;
		readonly cause?: { code?: string };
	};
	return new ProviderError(`The provider could not be reached (${cause?.code ?? code ?? name}).`, true);
}

/** Reads a body. `length`: the length in the header, 0 if there is none. Rejects if either exceeds `maxBytes`. */
async function readUpTo(
	body: AsyncIterable<Uint8Array>,
	length: number,
	maxBytes: number,
): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of body) {
		bytes += chunk.length;
		// Leaving the loop ends the transfer.
		if (Math.max(bytes, length) > maxBytes) throw tooLongError(maxBytes);
		chunks.push(chunk);
	}
	return new Uint8Array(Buffer.concat(chunks));
}

const tooLongError = (maxBytes: number): ProviderError =>
	new ProviderError(`The provider sent more than ${maxBytes} bytes.`, false);

function refusalError(status: number, key: string | undefined, answer: unknown): ProviderError {
	const text = messageIn(answer);
	const words = key === undefined ? text : text.replaceAll(key, '...');
	const isTemporary = status === 408 || status === 425 || status === 429 || status >= 500;
	const hint = status === 401 || status === 403 ? ' Check the key in the environment of the server.' : '';
	return new ProviderError(
		`The provider answered ${status}${words === '' ? '' : `: ${words}`}.${hint}`,
		isTemporary,
	);
}

/** Returns the error text in an answer, cut to 300 characters; empty if there is none. */
export function messageIn(answer: unknown): string {
	if (typeof answer !== 'object' || answer === null) return '';
	const { message, error, detail } = answer as Json;
	const words = [message, error, detail].find((text) => typeof text === 'string');
	if (typeof words === 'string') return words.slice(0, 300);
	return typeof error === 'object' && error !== null ? messageIn(error) : '';
}
