/**
 * The picture of the page: the port between engine and view, and what is known of the drawing.
 * Owns: when the code that draws is loaded: when the page shows the picture, or a call takes one.
 */

import { signal } from '@preact/signals';
import type { EngineToView, GpuInfo, ShownElement } from '../frames/frames.ts';
import type { ViewEvent } from './messages.ts';
import { startView, type ViewHandle } from './view-host.ts';

/** States of the picture. */
export type Picture =
	| { readonly kind: 'starting' }
	/** It is drawn. `reduced`: small and seldom, because a processor draws it. */
	| { readonly kind: 'drawing'; readonly backend: GpuInfo['backend']; readonly reduced: boolean }
	/** It cannot be drawn; `message` says why, for people. */
	| { readonly kind: 'none'; readonly message: string };

export interface PagePictureOptions {
	readonly canvas: () => HTMLCanvasElement;
	/** True if no person looks: pictures are drawn only for calls that take them. */
	readonly isUnseen: boolean;
	/** Called with each event of the view. */
	readonly onEvent: (event: ViewEvent) => void;
	/** The first picture is there. */
	readonly onFirst: () => void;
}

export class PagePicture {
	readonly view = signal<ViewHandle | null>(null);
	readonly state = signal<Picture>({ kind: 'starting' });
	/** World in the picture, from its first picture on; null before the first. */
	readonly shows = signal<{ readonly world: string; readonly line: number } | null>(null);
	/** Texts over the picture. */
	readonly hud = signal<readonly ShownElement[]>([]);
	readonly #options: PagePictureOptions;
	/** The view's end of the port, while no engine has it. */
	#viewPort: MessagePort | undefined;
	/** The engine's end of that port, while no view has it. */
	#enginePort: MessagePort | undefined;
	/** The page shows the picture. */
	#isOpen = false;
	/** Drawing in use, until its first picture is there. */
	#first: Picture | null = null;

	constructor(options: PagePictureOptions) {
		this.#options = options;
	}

	/** The view's end of the port, while no engine has it. */
	get port(): MessagePort | undefined {
		return this.#viewPort;
	}

	/** Makes the port between engine and view. */
	offer(): void {
		if (this.#viewPort !== undefined) return;
		const { port1, port2 } = new MessageChannel();
		this.#viewPort = port2;
		this.#enginePort = port1;
		port1.onmessage = ({ data }: MessageEvent<EngineToView>) => {
			if (data.type === 'needed') this.#start(port1);
		};
		if (this.#isOpen || this.#options.isUnseen) this.#start(port1);
	}

	/** The picture is shown, or is about to be. */
	open(): void {
		this.#isOpen = true;
		if (this.#enginePort !== undefined) this.#start(this.#enginePort);
	}

	/** Hands the view's end of the port to an engine. */
	takePort(): MessagePort | undefined {
		const port = this.#viewPort;
		this.#viewPort = undefined;
		return port;
	}

	#start(port: MessagePort): void {
		port.onmessage = null;
		this.#enginePort = undefined;
		const { canvas, isUnseen } = this.#options;
		const view = startView({ canvas: canvas(), enginePort: port, onEvent: (event) => this.#take(event) });
		if (isUnseen) view.setShown(false);
		this.view.value = view;
	}

	#take(event: ViewEvent): void {
		if (event.type === 'gpu') {
			const { backend } = event.info;
			const drawing: Picture = { kind: 'drawing', backend, reduced: event.reduced };
			if (this.state.value.kind === 'starting') this.#first = drawing;
			else this.state.value = drawing;
		} else if (event.type === 'drawn' && this.#first !== null) {
			this.state.value = this.#first;
			this.#first = null;
			this.#options.onFirst();
		} else if (event.type === 'unavailable') this.state.value = { kind: 'none', message: event.message };
		else if (event.type === 'shows') this.shows.value = { world: event.world, line: event.line };
		else if (event.type === 'hud') this.hud.value = event.elements;
		this.#options.onEvent(event);
	}
}
