/**
 * Answers over HTTP.
 * Owns: writing them, and what becomes of a body that is still on its way when its call is refused.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorResponse } from '../shared/contract/error-response.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { reasonOf } from '../shared/contract/reason.ts';
import { MAX_DOCUMENT_BYTES, type WireResponse } from '../shared/contract/wire.ts';

/**
 * Bytes of a refused body that are still read and dropped, and the milliseconds for it. Many callers read nothing
 * until they have sent all. Cutting them off would turn a plain refusal into a broken connection.
 */
const LEFTOVER_BYTES = 2 * MAX_DOCUMENT_BYTES;
const LEFTOVER_TIME = 10_000;

/** Answers a refusal and ends the connection if there is a body still on its way. */
export function refuse(request: IncomingMessage, response: ServerResponse, error: ApiError): void {
	const answer = errorResponse(error);
	const hasBody =
		!request.complete &&
		(request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined);
	if (!hasBody) {
		give(response, answer);
		return;
	}
	const { socket } = request;
	// Sent whole but not ended: at the end Node cuts the connection, and a caller that still sends would lose the answer.
	const end = give(response, { ...answer, headers: { ...answer.headers, connection: 'close' } }, false);
	const stop = setTimeout(() => socket.destroy(), LEFTOVER_TIME);
	socket.once('close', () => clearTimeout(stop));
	let remaining = LEFTOVER_BYTES;
	request.on('data', (chunk: Buffer) => {
		remaining -= chunk.length;
		// Beyond that only a caller that reads while it sends gets to see why it comes to a halt.
		if (remaining < 0) request.pause();
	});
	request.on('end', end);
}

/** Writes an answer, and ends it unless told to leave that to the function that it returns. */
export function give(response: ServerResponse, answer: WireResponse, ends = true): () => void {
	const end = () => void response.end();
	if (response.destroyed || response.headersSent) return end;
	const { body } = answer;
	const headers: Record<string, string | number> = { ...answer.headers };
	// What a GET would have sent is not known where only the head was asked for.
	if (response.req.method !== 'HEAD' || body.length > 0) headers['content-length'] = body.length;
	headers['x-content-type-options'] = 'nosniff';
	headers['cross-origin-resource-policy'] = 'same-origin';
	headers['cache-control'] ??= 'no-store';
	try {
		response.writeHead(answer.status, headers);
	} catch (thrown) {
		const error = new ApiError(
			'internal',
			`The server could not send the engine's answer: ${reasonOf(thrown)}`,
		);
		const other = errorResponse(error);
		response.writeHead(other.status, other.headers);
		response.end(other.body);
		return end;
	}
	const content = body.length === 0 ? undefined : Buffer.from(body.buffer, body.byteOffset, body.length);
	if (ends) response.end(content);
	else if (content !== undefined) response.write(content);
	return end;
}
