/**
 * Answers to connections whose bytes are not a valid HTTP request, or arrive too slowly.
 * Owns: the refusal for each error of Node's parser, and closing the connection only after the caller could read it.
 * Never: sees a valid call.
 */

import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorResponse } from '../shared/contract/error-response.ts';
import { ApiError } from '../shared/contract/errors.ts';

/** Milliseconds for which further bytes of a refused connection are read and dropped. */
const MAX_LEFTOVER_MS = 2000;

const refusedStreams = new WeakSet<Duplex>();

/** Refuses a connection whose bytes are not a request. If part of an answer was already sent on it, it is only closed. */
export function refuseConnection(error: NodeJS.ErrnoException, stream: Duplex, isAnswering: boolean): void {
	// Only the first error of a connection is answered.
	if (refusedStreams.has(stream)) return;
	refusedStreams.add(stream);
	if (isAnswering || !stream.writable || error.code === 'ECONNRESET') {
		stream.destroy();
		return;
	}
	refuseStream(stream, refusalFor(error));
}

/** Answers a connection without a response object with an error, and ends it. */
export function refuseStream(stream: Duplex, error: ApiError): void {
	const { status, body } = errorResponse(error);
	stream.on('error', () => stream.destroy());
	stream.end(
		`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
			`Content-Length: ${body.length}\r\n\r\n${Buffer.from(body).toString()}`,
	);
	// If the connection were closed immediately, a caller that still sends would lose the answer.
	stream.removeAllListeners('data');
	stream.on('data', () => {});
	const timer = setTimeout(() => stream.destroy(), MAX_LEFTOVER_MS);
	stream.once('end', () => stream.destroy());
	stream.once('close', () => clearTimeout(timer));
}

function refusalFor(error: NodeJS.ErrnoException): ApiError {
	switch (error.code) {
		case 'HPE_HEADER_OVERFLOW':
			return new ApiError('headers_too_large', 'The request line and headers have more than 16 KiB.');
		case 'ERR_HTTP_REQUEST_TIMEOUT':
			return new ApiError('too_slow', 'The request did not arrive completely in time.');
		default: {
			const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message;
			return new ApiError('bad_http', `This is not an HTTP/1.1 request: ${reason}.`);
		}
	}
}
