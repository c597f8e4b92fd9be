/**
 * Entry of the view's own Worker, which draws on the page's canvas as an OffscreenCanvas.
 * Owns: passing messages to the view.
 */

import type { HostToView, ViewToHost } from './messages.ts';
import { View } from './view.ts';

/** Scope of a dedicated Worker, as used here. */
interface Scope {
	onmessage: ((event: MessageEvent<HostToView>) => void) | null;
	postMessage(message: ViewToHost): void;
	close(): void;
}

const scope = globalThis as unknown as Scope;
let view: View | null = null;

scope.onmessage = ({ data }) => {
	if (data.type === 'start') {
		view = new View(data.canvas, data.port, data.options, (message) => scope.postMessage(message));
		return;
	}
	view?.handle(data);
	if (data.type === 'dispose') scope.close();
};
