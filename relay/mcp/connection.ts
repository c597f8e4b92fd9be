/** Parts that a transport gives to a request: a way to the engine, and a way to say how far it is. Types and small helpers only. */

import { ApiError } from '../../shared/contract/errors.ts';
import type { WireResponse } from '../../shared/contract/wire.ts';
import type { RawCall } from '../../shared/transport/client.ts';
import type { Era } from './messages.ts';
import type { ToolChanges } from './tool-changes.ts';

export interface Connection {
	readonly era: Era;
	/** Version of the protocol that the request is of; undefined if it does not say, which older clients do not. */
	readonly version: string | undefined;
	/** Aborted when the client does not want the answer any more. */
	readonly signal: AbortSignal;
	/** Makes a call as the client. Rejects when `signal` is aborted before the answer, and with `NoServer` if nothing answers. */
	send(call: RawCall, signal: AbortSignal): Promise<WireResponse>;
	/** Sends a notification that belongs to the request, before its answer; undefined if the transport cannot. */
	readonly notify: ((method: string, params: object) => void) | undefined;
	readonly changes: ToolChanges;
}

/** A JSON value from the engine. */
export interface ToolAnswer {
	readonly text: string;
	readonly value: Readonly<Record<string, unknown>>;
	readonly refused: boolean;
}

/** Returns the JSON of an answer. Throws an `Error` if it is none: something else answers there. */
export function jsonOf({ status, body }: WireResponse): ToolAnswer {
	const text = new TextDecoder().decode(body);
	let value: ToolAnswer['value'];
	try {
		value = JSON.parse(text) as ToolAnswer['value'];
	} catch {
		throw new Error(`The answer with status ${status} is not JSON. Is the server Orrery?`);
	}
	return { text, value, refused: status >= 400 || value.ok === false };
}

/** Reads the actions of the main world as text, as a panel does: lists of calls leave it out. */
export async function readActions(send: Connection['send']): Promise<string> {
	const { signal } = new AbortController();
	const { value } = await read({ send, signal }, '/action/list');
	return JSON.stringify(value.actions);
}

/** Reads JSON from the engine. Throws an `ApiError` with the refusal. */
export async function read(
	{ send, signal }: Pick<Connection, 'send' | 'signal'>,
	path: string,
	query = '',
	body?: object,
): Promise<ToolAnswer> {
	const answer = jsonOf(
		await send({ method: body === undefined ? 'GET' : 'POST', path, query, body }, signal),
	);
	if (!answer.refused) return answer;
	const { code, error, fix } = answer.value as { code: ApiError['code']; error: string; fix: string };
	throw new ApiError(code, error, { fix });
}
