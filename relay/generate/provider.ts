/**
 * Providers of models. Owns: the common interface of every provider.
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
	/** Reason that it cannot be used, as what to do; undefined if it can. */
	readonly missing: string | undefined;
	/** Begins a model. Returns the text that `poll` takes as `remote`. Rejects with `ProviderError`. */
	submit(order: ModelOrder, signal: AbortSignal): Promise<string>;
	/** Rejects with `ProviderError`. */
	poll(remote: string, order: ModelOrder, signal: AbortSignal): Promise<TaskProgress>;
	/** True if the same order may be begun again at no cost. */
	readonly free?: true;
}

export type ProviderEnvironment = Readonly<Record<string, string | undefined>>;

/** Refusal of a provider. Its message has no key in it. */
export class ProviderError extends Error {
	/** True if it may pass by itself. */
	readonly passing: boolean;

	constructor(message: string, passing: boolean) {
		super(message);
		this.passing = passing;
	}
}

/** Returns a key of the environment; an empty one is none. */
export const keyOf = (environment: ProviderEnvironment, name: string): string | undefined =>
	environment[name]?.trim() || undefined;

export const missingKey = (key: string | undefined, name: string): string | undefined =>
	key === undefined ? `Set ${name} in the environment of the server.` : undefined;
