/** Connection of a request: calls to the engine, and notifications to the client. */

import { ApiError } from '../../shared/contract/errors.ts';
import type { WireResponse } from '../../shared/contract/wire.ts';
import type { RawCall } from '../../shared/transport/client.ts';
import type { Era } from './messages.ts';
import type { ToolChanges } from './tool-changes.ts';

export interface Connection {
	readonly era: Era;
	/** Version of the protocol in the request; undefined if an older client does not send it. */
	readonly version: string | undefined;
	/** Aborted when the client cancels the request or disconnects. */
	readonly signal: AbortSignal;
	/**
	 * Makes a call in the name of the client. Rejects if `signal` is aborted before the answer, and with `NoServerError` if
	 * no server answers.
	 */
	send(call: RawCall, signal: AbortSignal): Promise<WireResponse>;
	/** Sends a notification for the request before its answer; undefined if the transport cannot send any. */
	readonly notify: ((method: string, params: object) => void) | undefined;
	readonly changes: ToolChanges;
}

/** JSON answer of the engine. */
export interface ToolAnswer {
	readonly text: string;
	readonly value: Readonly<Record<string, unknown>>;
	readonly isRefused: boolean;
}

/** Returns the JSON of an answer. Throws if it is not JSON, because the server is another program then. */
export function jsonOf({ status, body }: WireResponse): ToolAnswer {
	const text = new TextDecoder().decode(body);
	let value: ToolAnswer['value'];
	try {
		value = JSON.parse(text) as ToolAnswer['value'];
	} catch {
		throw new Error(`The answer with status ${status} is not JSON. Is the server Orrery?`);
	}
	return { text, value, isRefused: status >= 400 || value.ok === false };
}

/** Reads the actions of the main world as text. */
export async function readActions(send: Connection['send']): Promise<string> {
	const { signal } = new AbortController();
	const { value } = await readEngine({ send, signal }, '/action/list');
	return JSON.stringify(value.actions);
}

/** Reads JSON from the engine. Rejects with an `ApiError` if the call is refused. */
export async function readEngine(
	{ send, signal }: Pick<Connection, 'send' | 'signal'>,
	path: string,
	query = '',
	body?: object,
): Promise<ToolAnswer> {
	const answer = jsonOf(
		await send({ method: body === undefined ? 'GET' : 'POST', path, query, body }, signal),
	);
	if (!answer.isRefused) return answer;
	const { code, error, fix } = answer.value as { code: ApiError['code']; error: string; fix: string };
	throw new ApiError(code, error, { fix });
}
