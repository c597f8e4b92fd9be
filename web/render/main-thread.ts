/**
 * The view on the page's main thread, for browsers that cannot transfer a canvas to a Worker. It is loaded only when needed.
 */

import type { HostToView, ViewOptions, ViewToHost } from './messages.ts';
import { View } from './view.ts';

/** Starts a view on this thread. Returns a function that handles the page's messages. */
export function startOnMainThread(
	canvas: HTMLCanvasElement,
	port: MessagePort,
	options: ViewOptions,
	send: (message: ViewToHost) => void,
): (message: Exclude<HostToView, { type: 'start' }>) => void {
	const view = new View(canvas, port, options, send);
	return (message) => view.handle(message);
}
