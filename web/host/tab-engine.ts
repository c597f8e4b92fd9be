/**
 * The engine of this tab, in its Worker.
 * Owns: the Worker, and the lock that shows other tabs that it is alive.
 */

import type { CallHandler } from '../../shared/contract/wire.ts';
import { portHandle } from '../../shared/transport/call-port.ts';
import type { EngineOptions, EngineToPage, GpuInfo, PageToEngine } from '../frames/frames.ts';
import { beginLife, type EngineLife } from './engine-life.ts';

export interface TabEngineOptions {
	readonly onMessage: (message: EngineToPage) => void;
	/** Called with the reason if the engine did not load. */
	readonly onFailure: (why: string) => void;
	/** Called when this tab loses its engine, so that ports are requested again. */
	readonly onChanged: () => void;
}

export class TabEngine {
	readonly #options: TabEngineOptions;
	#worker: Worker | undefined;
	/** Lock that shows that the Worker is alive; undefined without a Worker. */
	#life: EngineLife | undefined;

	constructor(options: TabEngineOptions) {
		this.#options = options;
	}

	/** True if this tab has an engine. */
	get isRunning(): boolean {
		return this.#worker !== undefined;
	}

	/** Starts an engine, which loads the world of its journal. */
	start(options: EngineOptions, relay?: Extract<PageToEngine, { type: 'start' }>['relay']): void {
		this.#life = beginLife();
		this.#worker = new Worker(new URL('./engine.worker.ts', import.meta.url), {
			type: 'module',
			name: 'engine',
		});
		this.#worker.onmessage = ({ data }: MessageEvent<EngineToPage>) => this.#options.onMessage(data);
		this.#worker.onerror = ({ message }) => this.#options.onFailure(message || 'The engine did not load.');
		this.send({ type: 'start', options, ...(relay === undefined ? {} : { relay }) });
	}

	/** Sends a message to the engine, if there is one. */
	send(message: PageToEngine, transfer: Transferable[] = []): void {
		this.#worker?.postMessage(message, transfer);
	}

	/** Sends the engine the port of the view and, if known, the view's GPU. */
	sendViewPort(port: MessagePort, gpu: GpuInfo | undefined): void {
		this.send({ type: 'view', port, ...(gpu === undefined ? {} : { gpu }) }, [port]);
	}

	/** Returns a handler that sends calls of this page to the engine. */
	pageHandle(): CallHandler {
		return portHandle(this.#callPort('page'));
	}

	/** Returns a port for the service worker, and the lock of the engine's life; undefined while there is no engine. */
	async workerPort(): Promise<{ readonly port: MessagePort; readonly life: string } | undefined> {
		const life = this.#life;
		const lock = await life?.lock;
		// The engine may have ended meanwhile.
		return lock === undefined || life !== this.#life
			? undefined
			: { port: this.#callPort('worker'), life: lock };
	}

	/** Terminates the engine. */
	stop(): void {
		this.#worker?.terminate();
		this.#worker = undefined;
		this.endLife();
	}

	/** Releases the engine's lock. Waiting calls of other tabs are then refused, and no more come. */
	endLife(): void {
		this.#life?.end();
		this.#life = undefined;
		this.#options.onChanged();
	}

	/** Returns a new port to the engine, for calls that come through `door`. */
	#callPort(door: 'page' | 'worker'): MessagePort {
		const { port1, port2 } = new MessageChannel();
		this.send({ type: 'calls', door, port: port2 }, [port2]);
		return port1;
	}
}
