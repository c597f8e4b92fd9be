/**
 * The view on the page's own thread, for browsers that cannot give a canvas to a Worker.
 * Owns: nothing but the passing on of messages; loaded only when needed.
 */

import type { HostToView, ViewOptions, ViewToHost } from './messages.ts';
import { View } from './view.ts';

/** Starts a view on this thread and answers what takes the page's messages. */
export function runHere(
	canvas: HTMLCanvasElement,
	port: MessagePort,
	options: ViewOptions,
	send: (message: ViewToHost) => void,
): (message: Exclude<HostToView, { type: 'start' }>) => void {
	const view = new View(canvas, port, options, send);
	return (message) => view.handle(message);
}
