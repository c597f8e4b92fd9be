/**
 * Answers over HTTP.
 * Owns: writing them, and dropping the rest of a body that still arrives when its call is refused.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorResponse } from '../shared/contract/error-response.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { reasonOf } from '../shared/contract/reason.ts';
import { MAX_DOCUMENT_BYTES, type WireResponse } from '../shared/contract/wire.ts';

/**
 * Maximum bytes and milliseconds for which a refused body is still read and dropped. Many callers read nothing until
 * they have sent all. For them, closing the connection would turn the refusal into a broken connection.
 */
const MAX_LEFTOVER_BYTES = 2 * MAX_DOCUMENT_BYTES;
const MAX_LEFTOVER_MS = 10_000;

/** Answers with an error. If a body still arrives, the connection ends afterwards. */
export function refuse(request: IncomingMessage, response: ServerResponse, error: ApiError): void {
	const answer = errorResponse(error);
	const hasBody =
		!request.complete &&
		(request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined);
	if (!hasBody) {
		sendAnswer(response, answer);
		return;
	}
	const { socket } = request;
	// The answer is sent but not ended. Ending it closes the connection, and a caller that still sends would lose the answer.
	const end = sendAnswer(response, { ...answer, headers: { ...answer.headers, connection: 'close' } }, false);
	const timer = setTimeout(() => socket.destroy(), MAX_LEFTOVER_MS);
	socket.once('close', () => clearTimeout(timer));
	let remaining = MAX_LEFTOVER_BYTES;
	request.on('data', (chunk: Buffer) => {
		remaining -= chunk.length;
		// Beyond the limit, a caller gets the answer only if it reads while it sends.
		if (remaining < 0) request.pause();
	});
	request.on('end', end);
}

/** Writes an answer. Without `shouldEnd`, the caller must end it with the returned function. */
export function sendAnswer(response: ServerResponse, answer: WireResponse, shouldEnd = true): () => void {
	const end = () => void response.end();
	if (response.destroyed || response.headersSent) return end;
	const { body } = answer;
	const headers: Record<string, string | number> = { ...answer.headers };
	// An empty answer to a HEAD does not contain the length of the GET answer.
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
		const fallback = errorResponse(error);
		response.writeHead(fallback.status, fallback.headers);
		response.end(fallback.body);
		return end;
	}
	const content = body.length === 0 ? undefined : Buffer.from(body.buffer, body.byteOffset, body.length);
	if (shouldEnd) response.end(content);
	else if (content !== undefined) response.write(content);
	return end;
}
