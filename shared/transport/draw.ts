/**
 * The call that draws a picture of a world beside main. Its frame goes to main's engine, whose browser draws it.
 * Owns: the form of that call. Its method is not an HTTP method, so only the relay can send it.
 */

import { EMPTY_BODY, type WireRequest } from '../contract/wire.ts';

export const DRAW_METHOD = 'DRAW';

/** A frame to draw. */
export interface DrawOrder {
	/** Name of the world. */
	readonly world: string;
	/** Size and content of the picture, as JSON. */
	readonly picture: string;
}

/** Returns the call that draws a frame. Without an order, the call asks if the engine can draw. */
export const drawRequest = (order?: DrawOrder, frame = EMPTY_BODY): WireRequest => ({
	method: DRAW_METHOD,
	path: '/frame',
	query: order === undefined ? '' : new URLSearchParams({ ...order }).toString(),
	headers: {},
	body: frame,
});

/** Reads the order in a call from `drawRequest`. */
export function readDrawOrder({ query }: WireRequest): DrawOrder {
	const fields = new URLSearchParams(query);
	return { world: fields.get('world') ?? '', picture: fields.get('picture') ?? '{}' };
}
