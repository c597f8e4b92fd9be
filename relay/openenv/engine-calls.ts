/** Calls to the engine for one caller of OpenEnv, with its rights. */

import type { WireRequest, WireResponse } from '../../shared/contract/wire.ts';
import { rawRequest } from '../../shared/transport/client.ts';
import { type CallerKey, canWrite } from '../caller.ts';
import { OpenEnvError } from './requests.ts';

export type Json = Record<string, unknown>;

export class EngineCalls {
	readonly #send: (request: WireRequest) => Promise<WireResponse>;
	readonly #headers: Readonly<Record<string, string>>;

	/** True if the caller may play tasks, which run outside the engine. */
	readonly canPlay: boolean;

	/** `headers`: headers of the caller that each call gets, such as its session. */
	constructor(
		send: (request: WireRequest) => Promise<WireResponse>,
		headers: Readonly<Record<string, string>>,
		caller: CallerKey,
	) {
		this.#send = send;
		this.#headers = headers;
		this.canPlay = canWrite(caller);
	}

	/** Session of the caller; undefined without one. */
	get session(): string | undefined {
		return this.#headers.authorization;
	}

	/** Returns the bytes of an answer as base64. */
	async readBase64(path: string): Promise<string> {
		const request = rawRequest({ method: 'GET', path, accept: 'application/octet-stream' });
		const response = await this.#send({ ...request, headers: { ...this.#headers, ...request.headers } });
		return Buffer.from(response.body).toString('base64');
	}

	/** Makes a call. Returns the status and the JSON of the answer. `path`: may have a query. */
	async request(method: string, path: string, body?: Json): Promise<{ status: number; body: Json }> {
		const [pathname = '', query = ''] = path.split('?', 2);
		const content = method === 'POST' ? { body: body ?? {} } : {};
		const request = rawRequest({ method, path: pathname, query, ...content });
		const response = await this.#send({ ...request, headers: { ...this.#headers, ...request.headers } });
		return { status: response.status, body: JSON.parse(new TextDecoder().decode(response.body)) as Json };
	}

	/** Makes a call that must succeed. Returns the JSON of the answer. Rejects with an `OpenEnvError`. */
	async requireSuccess(method: string, path: string, body?: Json): Promise<Json> {
		const answer = await this.request(method, path, body);
		if (answer.status >= 400 || answer.body.ok === false) throw refusalOf(answer.body);
		return answer.body;
	}
}

/** Returns the error of the standard for a refusal of the engine. */
export function refusalOf(body: Json): OpenEnvError {
	const code =
		body.code === 'not_allowed' || body.code === 'not_signed_in' ? 'SESSION_ERROR' : 'EXECUTION_ERROR';
	const results = (body.results ?? []) as { readonly body?: Json }[];
	const failedResult = results.find(({ body: result }) => result?.ok === false)?.body ?? body;
	return new OpenEnvError(
		code,
		String(failedResult.message ?? failedResult.error),
		String(failedResult.fix ?? ''),
		409,
	);
}

/** Returns tick and digests of a world. */
export async function digestsOf(
	calls: EngineCalls,
	world: string,
): Promise<{ readonly tick: number; readonly state_digest: string; readonly future_digest: string }> {
	const { tick, state_digest, future_digest } = await calls.requireSuccess(
		'GET',
		`/digest?world=${world}&future=true`,
	);
	return {
		tick: tick as number,
		state_digest: state_digest as string,
		future_digest: future_digest as string,
	};
}
