/**
 * One call and what became of it, in words for people.
 * Owns: the reading of refusals. Never: hides one.
 */

import { reasonOf } from '../../../shared/contract/reason.ts';
import type { Answer, Method, Route } from '../../../shared/contract/route.ts';
import type { PathOf, RouteAt } from '../../../shared/routes/index.ts';
import { addressOf, type CallInput } from '../../../shared/transport/client.ts';
import type { CallFor, PanelServices } from '../services.ts';

/** Reason that a call was refused, and what to send instead. */
export interface Refusal {
	readonly sentence: string;
	readonly fix: string;
	/** Field of the body at fault, where the engine names one. */
	readonly path?: string;
	readonly code?: string;
}

export type AskOutcome<B = Readonly<Record<string, unknown>>> =
	| { readonly ok: true; readonly body: B }
	| { readonly ok: false; readonly refusal: Refusal };

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the refusal in an answer, or null if it was carried out. */
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

/** Returns the path with `world` chosen by its query; main needs none. */
export function inWorld(path: string, world: string): string {
	if (world === 'main') return path;
	return `${path}${path.includes('?') ? '&' : '?'}world=${encodeURIComponent(world)}`;
}

/** Arguments of a call of a declared route. */
export interface AskInput<R extends Route> extends CallInput<R> {
	/** Cause of the call; a person unless given. */
	readonly on?: CallFor;
}

/** Calls a declared route and reads the outcome. Never rejects: a lost engine is a refusal too. */
export async function ask<M extends Method, P extends PathOf<M>>(
	services: Pick<PanelServices, 'call'>,
	method: M,
	path: P,
	{ on, body, world, ...about }: AskInput<RouteAt<M, P>> = {},
): Promise<AskOutcome<Answer<RouteAt<M, P>>>> {
	const { path: filled, query } = addressOf(path, { ...about, ...(world === 'main' ? {} : { world }) });
	const outcome = await askRaw(services, method, query === '' ? filled : `${filled}?${query}`, body, on);
	// What was carried out has the shape that its route declares: the suite of conformance holds every route to that.
	return outcome as AskOutcome<Answer<RouteAt<M, P>>>;
}

/**
 * Returns the same for a call whose route is known only when it is made, such as one that the engine itself declared.
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
