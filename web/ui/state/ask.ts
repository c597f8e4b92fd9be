/**
 * One call and its outcome, in words for people.
 * Owns: reading refusals. Never: hides one.
 */

import { reasonOf } from '../../../shared/contract/reason.ts';
import type { Answer, Method, Route } from '../../../shared/contract/route.ts';
import type { PathOf, RouteAt } from '../../../shared/routes/index.ts';
import { addressOf, type CallInput } from '../../../shared/transport/client.ts';
import type { CallFor, PanelServices } from '../services.ts';

/** Reason why a call was refused, and its fix. */
export interface Refusal {
	readonly sentence: string;
	readonly fix: string;
	/** Invalid field of the body, if the engine names one. */
	readonly path?: string;
	readonly code?: string;
}

export type AskOutcome<B = Readonly<Record<string, unknown>>> =
	| { readonly ok: true; readonly body: B }
	| { readonly ok: false; readonly refusal: Refusal };

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the refusal in an answer, or null if the call succeeded. */
export function refusalIn(status: number, body: unknown): Refusal | null {
	if (status < 400 && !(isRecord(body) && body.ok === false)) return null;
	if (!isRecord(body)) return { sentence: `The engine answered ${status}.`, fix: '' };
	const sentence = body.message ?? body.error;
	return {
		sentence: typeof sentence === 'string' ? sentence : `The engine answered ${status}.`,
		fix: typeof body.fix === 'string' ? body.fix : '',
		...(typeof body.path === 'string' ? { path: body.path } : {}),
		...(typeof body.code === 'string' ? { code: body.code } : {}),
	};
}

/** Adds the query `world` to a path, unless the world is `main`. */
export function inWorld(path: string, world: string): string {
	if (world === 'main') return path;
	return `${path}${path.includes('?') ? '&' : '?'}world=${encodeURIComponent(world)}`;
}

/** Arguments of a call of a declared route. */
export interface AskInput<R extends Route> extends CallInput<R> {
	/** Cause of the call. Default: a person. */
	readonly on?: CallFor;
}

/** Calls a declared route and returns the outcome. Never rejects: a lost engine is a refusal, too. */
export async function ask<M extends Method, P extends PathOf<M>>(
	services: Pick<PanelServices, 'call'>,
	method: M,
	path: P,
	{ on, body, world, ...about }: AskInput<RouteAt<M, P>> = {},
): Promise<AskOutcome<Answer<RouteAt<M, P>>>> {
	const { path: filled, query } = addressOf(path, { ...about, ...(world === 'main' ? {} : { world }) });
	const outcome = await askRaw(services, method, query === '' ? filled : `${filled}?${query}`, body, on);
	// The conformance suite checks that each route answers in its declared shape.
	return outcome as AskOutcome<Answer<RouteAt<M, P>>>;
}

/**
 * Does the same for a route that is known only at run time, such as one from GET /schema.
 */
export async function askRaw(
	services: Pick<PanelServices, 'call'>,
	method: string,
	path: string,
	body?: unknown,
	on: CallFor = 'you',
): Promise<AskOutcome> {
	try {
		const answer = await services.call(method, path, body, on);
		const refusal = refusalIn(answer.status, answer.body);
		if (refusal !== null) return { ok: false, refusal };
		return { ok: true, body: isRecord(answer.body) ? answer.body : {} };
	} catch (error) {
		const reason = reasonOf(error);
		return {
			ok: false,
			refusal: { sentence: `The engine did not answer: ${reason}`, fix: 'Reload the page.' },
		};
	}
}
