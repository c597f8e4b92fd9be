/**
 * A page with a whole engine on its own thread and the view that draws its worlds, driven by tests through `window.lab`.
 * Owns: passing calls on, their bodies and answers as JSON, pictures as base64.
 */

import { createEngine } from '../../../../web/host/engine.ts';
import { ViewLink } from '../../../../web/host/view-link.ts';
import { startView, type ViewEvent, type ViewHandle } from '../../../../web/render/view-host.ts';

const query = new URLSearchParams(location.search);
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Lab {
	readonly events: ViewEvent[] = [];
	readonly view: ViewHandle;
	readonly #engine = createEngine();
	readonly #ready: Promise<void>;

	constructor(canvas: HTMLCanvasElement) {
		const { port1, port2 } = new MessageChannel();
		this.#ready = this.#engine.then((engine) => engine.setView(new ViewLink(port1, engine)));
		this.view = startView({
			canvas,
			enginePort: port2,
			forceWebGL: query.has('webgl'),
			onEvent: (event) => this.events.push(event),
		});
	}

	/** Returns the answer's status and text; bytes as base64 when a picture was asked for. */
	async call(
		method: string,
		path: string,
		body?: unknown,
		accept = '',
	): Promise<{ status: number; type: string; text: string }> {
		await this.#ready;
		const [bare = '/', search = ''] = path.split('?', 2);
		const answer = await (await this.#engine).handle({
			method,
			path: bare,
			query: search,
			headers: { 'content-type': 'application/json', accept },
			body: method === 'POST' ? encoder.encode(JSON.stringify(body ?? {})) : new Uint8Array(0),
		});
		const type = answer.headers['content-type'] ?? '';
		if (!type.startsWith('image/')) return { status: answer.status, type, text: decoder.decode(answer.body) };
		let text = '';
		for (const byte of answer.body) text += String.fromCharCode(byte);
		return { status: answer.status, type, text: btoa(text) };
	}
}

declare global {
	interface Window {
		lab: Lab;
	}
}

window.lab = new Lab(document.querySelector('canvas')!);
