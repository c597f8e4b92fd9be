/**
 * Calls to a server over HTTP.
 * Owns: the address of the server, and the error if no server answers.
 */

import type { WireResponse } from '../../shared/contract/wire.ts';
import { createClient, httpHandle, type RawCall } from '../../shared/transport/client.ts';
import { NoServerError, UsageError } from './terminal.ts';

export const DEFAULT_SERVER = 'http://127.0.0.1:3917';

/** Returns the address of the server: the flag, otherwise ORRERY_SERVER, otherwise the default. Throws `UsageError`. */
export function serverOf(
	flag: string | undefined,
	environment: Readonly<Record<string, string | undefined>>,
): string {
	const address = flag ?? (environment.ORRERY_SERVER || DEFAULT_SERVER);
	const url = /^https?:\/\//.test(address) ? address : `http://${address}`;
	if (!URL.canParse(url))
		throw new UsageError(`"${address}" is not a server address. Write it like ${DEFAULT_SERVER}.`);
	return new URL(url).origin;
}

export interface CallOptions {
	/** Media type of the answer, instead of JSON. */
	readonly accept?: string | undefined;
	readonly session?: string | undefined;
	/** Name of the sender in the log of calls. */
	readonly sender?: string;
	/** Cancels the call when it is aborted, also at the engine. */
	readonly signal?: AbortSignal;
}

/** Makes a call. Rejects with `NoServerError` if no server answers. */
export async function sendCall(
	server: string,
	call: RawCall,
	{ accept, session, sender = 'orrery command line', signal }: CallOptions = {},
): Promise<WireResponse> {
	const client = createClient(httpHandle(server), {
		'user-agent': sender,
		...(session === undefined ? {} : { authorization: `Bearer ${session}` }),
	});
	try {
		return await client.send(accept === undefined ? call : { ...call, accept }, signal);
	} catch (error) {
		if (signal?.aborted) throw error;
		const { cause } = error as { cause?: { code?: string; message?: string } };
		const reason = cause?.code ?? cause?.message ?? (error as Error).message;
		throw new NoServerError(
			`Nothing answers at ${server} (${reason}). Start the engine with: npx orrery start --headless`,
		);
	}
}

/** Returns the JSON of an answer. Throws `NoServerError` if it is not JSON, because the server is another program then. */
export function jsonOf(server: string, { body, status }: WireResponse): Record<string, unknown> {
	try {
		return JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>;
	} catch {
		throw new NoServerError(
			`The server at ${server} is not Orrery (status ${status}, no JSON). Give the engine's address with --server.`,
		);
	}
}
