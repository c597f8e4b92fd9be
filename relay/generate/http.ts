/**
 * Calls to providers.
 * Owns: temporary failures, waiting times and size limits. Never: lets a key into a message: of what a provider
 * answers only its own words are told, without any that look like the key.
 */

import { ProviderError } from './provider.ts';
import { openPublic } from './public-download.ts';

/** Longest that one call takes, and one download (ms). */
const CALL_MS = 30_000;
const DOWNLOAD_MS = 300_000;
/** Maximum number of bytes of an answer that is JSON. */
const MAX_JSON = 1024 * 1024;

export interface HttpRequest {
	readonly url: string;
	readonly method?: 'GET' | 'POST';
	readonly key?: string | undefined;
	readonly body?: unknown;
	readonly signal: AbortSignal;
}

type Json = Readonly<Record<string, unknown>>;

/** Returns the JSON object that a provider answers. Rejects with `ProviderError`. */
export async function askJson(ask: HttpRequest): Promise<Json> {
	const response = await send(ask, CALL_MS);
	const length = Number(response.headers.get('content-length') ?? 0);
	const bytes = await readUpTo(response.body ?? new Blob().stream(), length, MAX_JSON);
	let value: unknown;
	try {
		value = JSON.parse(new TextDecoder().decode(bytes));
	} catch {
		// What it is not is told below, with the status.
	}
	if (!response.ok) throw refusedWith(response.status, ask.key, value);
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
	throw new ProviderError('The answer of the provider is not a JSON object.', true);
}

/** Address of the operator's choice. It may be in a private network, and gets the key. */
export interface OwnServer {
	readonly origin: string;
	readonly key: string | undefined;
}

/** Returns a file at an address that a provider named, at most this many bytes of it. Rejects with `ProviderError`. */
export async function download(
	url: unknown,
	most: number,
	signal: AbortSignal,
	own?: OwnServer,
): Promise<Uint8Array> {
	if (typeof url !== 'string' || !URL.canParse(url))
		throw new ProviderError('The provider gave no address for the finished model.', false);
	const authorization: Record<string, string> =
		own?.key === undefined ? {} : { authorization: `Bearer ${own.key}` };
	const until = AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_MS)]);
	try {
		const response = await openPublic({ url, signal: until, own: own?.origin, headers: authorization });
		const { statusCode = 0, headers } = response;
		if (statusCode !== 200) {
			response.destroy();
			throw refusedWith(statusCode, own?.key, undefined);
		}
		return await readUpTo(response, Number(headers['content-length'] ?? 0), most);
	} catch (error) {
		throw asProviderError(error, signal);
	}
}

async function send({ url, method = 'GET', key, body, signal }: HttpRequest, ms: number): Promise<Response> {
	try {
		return await fetch(url, {
			method,
			signal: AbortSignal.any([signal, AbortSignal.timeout(ms)]),
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

/** `length`: what the head announces. */
async function readUpTo(body: AsyncIterable<Uint8Array>, length: number, most: number): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of body) {
		bytes += chunk.length;
		// Leaving the loop ends the transfer.
		if (Math.max(bytes, length) > most) throw tooLong(most);
		chunks.push(chunk);
	}
	return new Uint8Array(Buffer.concat(chunks));
}

const tooLong = (most: number): ProviderError =>
	new ProviderError(`The provider sent more than ${most} bytes.`, false);

function refusedWith(status: number, key: string | undefined, answer: unknown): ProviderError {
	const text = messageIn(answer);
	const words = key === undefined ? text : text.replaceAll(key, '...');
	const isTemporary = status === 408 || status === 425 || status === 429 || status >= 500;
	const hint = status === 401 || status === 403 ? ' Check the key in the environment of the server.' : '';
	return new ProviderError(
		`The provider answered ${status}${words === '' ? '' : `: ${words}`}.${hint}`,
		isTemporary,
	);
}

/** Failure that an answer reports, cut to a sentence. */
export function messageIn(answer: unknown): string {
	if (typeof answer !== 'object' || answer === null) return '';
	const { message, error, detail } = answer as Json;
	const words = [message, error, detail].find((text) => typeof text === 'string');
	if (typeof words === 'string') return words.slice(0, 300);
	return typeof error === 'object' && error !== null ? messageIn(error) : '';
}
