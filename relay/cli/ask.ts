/**
 * Speaks to the engine over HTTP.
 * Owns: the address of the server, and the error if no server answers.
 */

import type { WireResponse } from '../../shared/contract/wire.ts';
import { createClient, httpHandle, type RawCall } from '../../shared/transport/client.ts';
import { NoServerError, UsageError } from './terminal.ts';

export const DEFAULT_SERVER = 'http://127.0.0.1:3917';

/** Returns the server to speak to: the flag, else ORRERY_SERVER, else the usual one. Throws `UsageError`. */
export function serverOf(
	flag: string | undefined,
	environment: Readonly<Record<string, string | undefined>>,
): string {
	const given = flag ?? (environment.ORRERY_SERVER || DEFAULT_SERVER);
	const url = /^https?:\/\//.test(given) ? given : `http://${given}`;
	if (!URL.canParse(url))
		throw new UsageError(`"${given}" is not a server address. Write it like ${DEFAULT_SERVER}.`);
	return new URL(url).origin;
}

export interface AskOptions {
	/** Media type that is wanted in place of JSON. */
	readonly accept?: string | undefined;
	readonly session?: string | undefined;
	/** Sender, for the log of calls. */
	readonly sender?: string;
	/** Gives the call up, and has the engine end it, when it is aborted. */
	readonly signal?: AbortSignal;
}

/** Makes a call, with a session if one is given. Rejects with `NoServerError` when nothing answers. */
export async function ask(
	server: string,
	call: RawCall,
	{ accept, session, sender = 'orrery command line', signal }: AskOptions = {},
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
		const why = cause?.code ?? cause?.message ?? (error as Error).message;
		throw new NoServerError(
			`Nothing answers at ${server} (${why}). Start the engine with: npx orrery start --headless`,
		);
	}
}

/** Returns the JSON of an answer. Rejects with `NoServerError` when it is not JSON: something else listens there. */
export function jsonOf(server: string, { body, status }: WireResponse): Record<string, unknown> {
	try {
		return JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>;
	} catch {
		throw new NoServerError(
			`The server at ${server} is not Orrery (status ${status}, no JSON). Give the engine's address with --server.`,
		);
	}
}
