/**
 * Requests of the engine to the relay, except for the journal: files of its data folder, and errands.
 * Owns: the open requests. A file operation is sent again after a lost socket. An errand is not, because it may have run.
 */

import { ApiError } from '../../shared/contract/errors.ts';
import {
	answerOf,
	type RelayServiceAnswer,
	type RelayServiceCalls,
	type RelayServiceName,
	type RelayServices,
} from '../../shared/transport/errand.ts';
import type { LinkFrame } from '../../shared/transport/link.ts';
import { FileError, type Files } from '../store/files.ts';

interface FileOperation {
	readonly frame: LinkFrame;
	readonly resolve: (bytes: Uint8Array) => void;
	readonly reject: (error: FileError) => void;
	/** Time at which it fails if there is no relay: milliseconds on the monotonic clock. */
	readonly deadline: number;
}

interface RunningErrand {
	readonly settle: (bytes: Uint8Array) => void;
	readonly fail: () => void;
}

export interface RelayRequestsOptions {
	readonly post: (frame: LinkFrame) => void;
	/** Returns true while a relay is connected. */
	readonly isConnected: () => boolean;
	/** Milliseconds after which a file operation fails while there is no relay. */
	readonly fileTimeout: number;
}

export class RelayRequests implements RelayServices {
	readonly files: Files;
	/** Path of the relay's data folder, after the welcome. */
	storage = "the relay's data folder";
	/** Name of the server, after the welcome. */
	server = '';
	readonly #options: RelayRequestsOptions;
	readonly #operations = new Map<number, FileOperation>();
	readonly #errands = new Map<number, RunningErrand>();
	#lastId = 0;
	#closeReason: string | undefined;

	constructor(options: RelayRequestsOptions) {
		this.#options = options;
		const storage = (): string => this.storage;
		this.files = {
			get storage() {
				return storage();
			},
			list: async () => (this.#options.isConnected() ? this.ask('files', {}) : []),
			read: (path) => this.#operate({ kind: 'read', id: this.#nextId(), path }),
			write: async (path, bytes, agent = '') => {
				await this.#operate({ kind: 'write', id: this.#nextId(), path, agent, bytes });
			},
		};
	}

	/** Sends unanswered file operations again. */
	resendOperations(): void {
		for (const { frame } of this.#operations.values()) this.#options.post(frame);
	}

	receive(frame: LinkFrame & { readonly kind: 'file' | 'errand-answer' }): void {
		if (frame.kind === 'errand-answer') {
			this.#errands.get(frame.id)?.settle(frame.bytes);
			this.#errands.delete(frame.id);
			return;
		}
		const operation = this.#operations.get(frame.id);
		this.#operations.delete(frame.id);
		if (frame.outcome === 'done') operation?.resolve(frame.bytes);
		else operation?.reject(new FileError(frame.outcome, new TextDecoder().decode(frame.bytes)));
	}

	/** Rejects file operations that have waited too long for a relay. */
	rejectOverdue(now: number): void {
		for (const [id, operation] of this.#operations) {
			if (now < operation.deadline) continue;
			this.#operations.delete(id);
			operation.reject(
				new FileError('failed', 'The relay is not connected, so its files cannot be reached.'),
			);
		}
	}

	/** Rejects all errands, because the socket is lost. */
	failErrands(): void {
		for (const { fail } of this.#errands.values()) fail();
		this.#errands.clear();
	}

	close(why: string): void {
		this.#closeReason = why;
		for (const operation of this.#operations.values()) operation.reject(new FileError('failed', why));
		this.#operations.clear();
		this.failErrands();
	}

	ask<E extends RelayServiceName>(
		errand: E,
		body: RelayServiceCalls[E][0],
	): Promise<RelayServiceCalls[E][1]> {
		if (!this.#options.isConnected())
			return Promise.reject(noRelay('The server currently cannot be reached.'));
		return new Promise((resolve, reject) => {
			const id = this.#nextId();
			this.#errands.set(id, {
				settle(bytes) {
					try {
						resolve(
							answerOf(
								JSON.parse(new TextDecoder().decode(bytes)) as RelayServiceAnswer<RelayServiceCalls[E][1]>,
							),
						);
					} catch (error) {
						reject(error);
					}
				},
				fail: () => reject(noRelay('The connection to the server was lost before it answered.')),
			});
			const bytes = new TextEncoder().encode(JSON.stringify(body));
			this.#options.post({ kind: 'ask', id, errand, bytes });
		});
	}

	#operate(frame: LinkFrame & { readonly id: number }): Promise<Uint8Array> {
		return new Promise((resolve, reject) => {
			if (this.#closeReason !== undefined) return reject(new FileError('failed', this.#closeReason));
			const deadline = performance.now() + this.#options.fileTimeout;
			this.#operations.set(frame.id, { frame, resolve, reject, deadline });
			this.#options.post(frame);
		});
	}

	#nextId(): number {
		this.#lastId = (this.#lastId + 1) >>> 0;
		return this.#lastId;
	}
}

const noRelay = (message: string): ApiError =>
	new ApiError('no_relay', message, {
		fix: 'Send the call again after a second.',
		headers: { 'retry-after': '1' },
	});
