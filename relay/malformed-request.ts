/**
 * Answer to a connection that does not speak HTTP, or too slowly.
 * Owns: the refusal for what Node's parser reports, and ending that connection so that the refusal can be read.
 * Never: sees a call that was understood.
 */

import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorResponse } from '../shared/contract/error-response.ts';
import { ApiError } from '../shared/contract/errors.ts';

/** Milliseconds for which what such a connection still sends is taken in and dropped. */
const LEFTOVER_TIME = 2000;

const seen = new WeakSet<Duplex>();

/** Answers a connection whose bytes are no request, unless part of another answer is out on it already. */
export function refuseConnection(error: NodeJS.ErrnoException, stream: Duplex, answering: boolean): void {
	// What follows the first fault is no better.
	if (seen.has(stream)) return;
	seen.add(stream);
	if (answering || !stream.writable || error.code === 'ECONNRESET') {
		stream.destroy();
		return;
	}
	refuseStream(stream, faultOf(error));
}

/** Answers a refusal on a connection that no response belongs to, and ends it. */
export function refuseStream(stream: Duplex, error: ApiError): void {
	const { status, body } = errorResponse(error);
	stream.on('error', () => stream.destroy());
	stream.end(
		`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
			`Content-Length: ${body.length}\r\n\r\n${Buffer.from(body).toString()}`,
	);
	// Cut off at once, a caller that is still sending would lose the answer.
	stream.removeAllListeners('data');
	stream.on('data', () => {});
	const stop = setTimeout(() => stream.destroy(), LEFTOVER_TIME);
	stream.once('end', () => stream.destroy());
	stream.once('close', () => clearTimeout(stop));
}

function faultOf(error: NodeJS.ErrnoException): ApiError {
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
