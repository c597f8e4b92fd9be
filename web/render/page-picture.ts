/**
 * The picture of the page: the port between engine and view, and the state of the drawing.
 * Owns: the time of loading the drawing code: when the page shows the picture, or when a call takes a picture.
 */

import { signal } from '@preact/signals';
import type { EngineToView, GpuInfo, ShownElement } from '../frames/frames.ts';
import type { ViewEvent } from './messages.ts';
import { startView, type ViewHandle } from './view-host.ts';

/** States of the picture. */
export type Picture =
	| { readonly kind: 'starting' }
	/** The picture is drawn. `reduced`: small and rarely, because the CPU draws it. */
	| { readonly kind: 'drawing'; readonly backend: GpuInfo['backend']; readonly reduced: boolean }
	/** The picture cannot be drawn. `message`: the reason, for the person. */
	| { readonly kind: 'none'; readonly message: string };

export interface PagePictureOptions {
	readonly canvas: () => HTMLCanvasElement;
	/** True if no person sees the page. Then pictures are drawn only for calls. */
	readonly isUnwatched: boolean;
	/** Called with each event of the view. */
	readonly onEvent: (event: ViewEvent) => void;
	/** Called after the first picture. */
	readonly onFirst: () => void;
}

export class PagePicture {
	readonly view = signal<ViewHandle | null>(null);
	readonly state = signal<Picture>({ kind: 'starting' });
	/** World in the picture; null before the first picture. */
	readonly shownWorld = signal<{ readonly world: string; readonly line: number } | null>(null);
	/** Texts over the picture. */
	readonly hud = signal<readonly ShownElement[]>([]);
	readonly #options: PagePictureOptions;
	/** Port for the engine, until the engine gets it. */
	#viewPort: MessagePort | undefined;
	/** Port for the view, until the view gets it. */
	#enginePort: MessagePort | undefined;
	/** True if the page shows the picture. */
	#isOpen = false;
	/** State to set when the first picture is drawn; null afterwards. */
	#stateAfterFirst: Picture | null = null;

	constructor(options: PagePictureOptions) {
		this.#options = options;
	}

	/** Port for the engine, until the engine gets it. */
	get port(): MessagePort | undefined {
		return this.#viewPort;
	}

	/** Creates the port between engine and view. */
	createPort(): void {
		if (this.#viewPort !== undefined) return;
		const { port1, port2 } = new MessageChannel();
		this.#viewPort = port2;
		this.#enginePort = port1;
		port1.onmessage = ({ data }: MessageEvent<EngineToView>) => {
			if (data.type === 'needed') this.#start(port1);
		};
		if (this.#isOpen || this.#options.isUnwatched) this.#start(port1);
	}

	/** Starts the view, because the picture is shown, or will be soon. */
	open(): void {
		this.#isOpen = true;
		if (this.#enginePort !== undefined) this.#start(this.#enginePort);
	}

	/** Returns the port for the engine, and releases it here. */
	takePort(): MessagePort | undefined {
		const port = this.#viewPort;
		this.#viewPort = undefined;
		return port;
	}

	#start(port: MessagePort): void {
		port.onmessage = null;
		this.#enginePort = undefined;
		const { canvas, isUnwatched } = this.#options;
		const view = startView({ canvas: canvas(), enginePort: port, onEvent: (event) => this.#handle(event) });
		if (isUnwatched) view.setShown(false);
		this.view.value = view;
	}

	#handle(event: ViewEvent): void {
		if (event.type === 'gpu') {
			const { backend } = event.info;
			const drawing: Picture = { kind: 'drawing', backend, reduced: event.reduced };
			if (this.state.value.kind === 'starting') this.#stateAfterFirst = drawing;
			else this.state.value = drawing;
		} else if (event.type === 'drawn' && this.#stateAfterFirst !== null) {
			this.state.value = this.#stateAfterFirst;
			this.#stateAfterFirst = null;
			this.#options.onFirst();
		} else if (event.type === 'unavailable') this.state.value = { kind: 'none', message: event.message };
		else if (event.type === 'shows') this.shownWorld.value = { world: event.world, line: event.line };
		else if (event.type === 'hud') this.hud.value = event.elements;
		this.#options.onEvent(event);
	}
}
