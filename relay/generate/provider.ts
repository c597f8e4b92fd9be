/**
 * Providers of models. Owns: their common interface.
 */

export type ModelQuality = 'low' | 'medium' | 'high';

export interface ModelOrder {
	readonly prompt: string;
	readonly quality: ModelQuality;
}

/** Progress of a model. */
export type TaskProgress =
	/** From 0 to 1. */
	| { readonly state: 'pending'; readonly progress: number }
	| { readonly state: 'failed'; readonly why: string }
	| { readonly state: 'done'; readonly fetch: (signal: AbortSignal) => Promise<Uint8Array> };

export interface ModelProvider {
	readonly name: string;
	/** Instruction that makes the provider available; undefined if it is available. */
	readonly missing: string | undefined;
	/** Starts a model. Returns the id that `poll` takes as `remote`. Rejects with `ProviderError`. */
	submit(order: ModelOrder, signal: AbortSignal): Promise<string>;
	/** Returns the progress of a model. Rejects with `ProviderError`. */
	poll(remote: string, order: ModelOrder, signal: AbortSignal): Promise<TaskProgress>;
	/** True if its models cost nothing, so an order may be repeated. */
	readonly free?: true;
}

export type ProviderEnvironment = Readonly<Record<string, string | undefined>>;

/** Failure of a provider. Its message contains no key. */
export class ProviderError extends Error {
	/** True if a retry may succeed. */
	readonly isTemporary: boolean;

	constructor(message: string, isTemporary: boolean) {
		super(message);
		this.isTemporary = isTemporary;
	}
}

/** Returns a variable of the environment; undefined if it is empty. */
export const keyOf = (environment: ProviderEnvironment, name: string): string | undefined =>
	environment[name]?.trim() || undefined;

export const missingKey = (key: string | undefined, name: string): string | undefined =>
	key === undefined ? `Set ${name} in the environment of the server.` : undefined;
