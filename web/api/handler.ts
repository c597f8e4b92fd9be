/**
 * A route with the function that answers it.
 * Owns: the types that tie a handler to its declaration.
 */

import type * as z from 'zod';
import type { UploadedFile } from '../../shared/contract/dispatch.ts';
import type { Route } from '../../shared/contract/route.ts';
import type { Context, Host } from './context.ts';
import type { RawAnswer } from './raw-answer.ts';

/** The declared answer without `ok`, which is added to the answers of all routes. */
type HandlerAnswer<A extends z.ZodType> = WithoutOk<z.input<A>>;
type WithoutOk<T> = T extends unknown ? Omit<T, 'ok'> : never;

/** A route with its functions. */
export interface Handler {
	readonly route: Route;
	/** Answers a call. */
	readonly run: (context: Context, input: never) => unknown;
	/** Fetches slow data before the call runs. */
	readonly prepare?: (host: Host, input: never) => Promise<unknown>;
}

/** Arguments of a handler. */
interface HandlerInput<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType> {
	readonly params: z.output<P>;
	readonly query: z.output<Q>;
	readonly body: z.output<B>;
	/** A body of another media type than JSON that the route accepts. `body` is undefined then. */
	readonly upload?: UploadedFile;
}

/**
 * Ties a handler to its route. The declaration gives the types of its input (checked, with defaults) and its answer. `prepare`
 * asks the host for slow data before the call runs. Other writes run meanwhile. `run` asks again, and gets the same data.
 */
export function handler<
	P extends z.ZodObject,
	Q extends z.ZodObject,
	B extends z.ZodType,
	A extends z.ZodType,
>(
	route: Route<P, Q, B, A>,
	run: (
		context: Context,
		input: HandlerInput<P, Q, B>,
	) => HandlerAnswer<A> | RawAnswer | Promise<HandlerAnswer<A> | RawAnswer>,
	prepare?: (host: Host, input: HandlerInput<P, Q, B>) => Promise<unknown>,
): Handler {
	return {
		route: route as unknown as Route,
		run: run as Handler['run'],
		...(prepare && { prepare: prepare as Handler['prepare'] & {} }),
	};
}
