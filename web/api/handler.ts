/**
 * A route with the function that answers it.
 * Owns: the typing that keeps a handler to its declaration.
 */

import type * as z from 'zod';
import type { Upload } from '../../shared/contract/dispatch.ts';
import type { Route } from '../../shared/contract/route.ts';
import type { Context } from '../host/context.ts';
import type { RawAnswer } from './raw-answer.ts';

/** The declared answer; `ok: true` is put before it for every route alike. */
type Said<A extends z.ZodType> = Omit<z.input<A>, 'ok'>;

export interface Handler {
	readonly route: Route;
	readonly run: (context: Context, input: never) => unknown;
}

/** Ties a handler to its route: input (checked, with defaults) and answer are typed by the declaration. */
export function handler<
	P extends z.ZodObject,
	Q extends z.ZodObject,
	B extends z.ZodType,
	A extends z.ZodType,
>(
	route: Route<P, Q, B, A>,
	run: (
		context: Context,
		input: {
			readonly params: z.output<P>;
			readonly query: z.output<Q>;
			readonly body: z.output<B>;
			/** A body of a media type that the route accepts, instead of JSON; `body` is undefined then. */
			readonly upload?: Upload;
		},
	) => Said<A> | RawAnswer | Promise<Said<A> | RawAnswer>,
): Handler {
	return { route: route as unknown as Route, run: run as Handler['run'] };
}
