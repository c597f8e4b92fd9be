/**
 * Pictures for calls, taken in order.
 * Owns: the second attempt on a new device, if the first one was lost.
 */

import { reasonOf } from '../../shared/contract/reason.ts';
import type { CaptureResult, EngineToView, ViewToEngine } from '../frames/frames.ts';
import { NoGraphicsError } from './backend.ts';
import type { Device } from './device.ts';

type Capture = Extract<EngineToView, { type: 'capture' }>;

export class Captures {
	readonly #device: Device;
	readonly #port: MessagePort;
	#queue: Promise<void> = Promise.resolve();
	#isClosed = false;

	/** Answers go to `port`. */
	constructor(device: Device, port: MessagePort) {
		this.#device = device;
		this.#port = port;
	}

	/** Takes a picture after all earlier ones. */
	take(capture: Capture): void {
		this.#queue = this.#queue.then(() => this.#answer(capture));
	}

	/** Ends taking pictures, because the view is gone. */
	close(): void {
		this.#isClosed = true;
	}

	async #answer({ id, request, blocks }: Capture): Promise<void> {
		let result: CaptureResult = {
			ok: false,
			error: 'The view was closed before the picture was taken. Send the call again.',
		};
		for (let attempt = 0; attempt < 2 && !this.#isClosed; attempt++) {
			try {
				const { capturer, drawing } = await this.#device.ready;
				const failure = drawing.loss.then((reason) => {
					throw new Error(`The graphics device was lost: ${reason}`);
				});
				result = await Promise.race([capturer.take(request, blocks), failure]);
				break;
			} catch (error) {
				result = { ok: false, error: reasonOf(error) };
				if (error instanceof NoGraphicsError) break;
			}
		}
		const message: ViewToEngine = { type: 'captured', id, result };
		this.#port.postMessage(message, result.ok ? [result.bytes.buffer] : []);
	}
}
