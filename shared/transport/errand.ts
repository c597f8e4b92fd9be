/**
 * Requests of the engine that only the relay can do, since the relay alone holds keys. Examples are sessions of
 * agents, generated models, worlds beside main and files.
 * Owns: the types of the inputs and answers, and the form of a refusal.
 */

import { ApiError, type ErrorCode } from '../contract/errors.ts';
import type { AgentSession } from '../contract/principal.ts';
import type { DrawOrder } from './draw.ts';

/** A sign-in: the text that an agent signs with its key, and the signature. */
export interface Login {
	readonly agent_id: string;
	readonly domain: string;
	/** Time of the signature (Unix seconds). */
	readonly timestamp: number;
	/** Base64 of 64 bytes. */
	readonly signature: string;
	/** Base64 of 32 bytes. */
	readonly public_key: string;
	/** Name of the server, if the signed text contains it. */
	readonly server?: string | undefined;
}

/** The caller that orders a model. */
export interface Customer {
	/** Id of the agent; empty without a session. */
	readonly agent: string;
	/** True for an operator. */
	readonly operator: boolean;
	/** Paid models that the agent may order in a day. */
	readonly paid_models: number;
}

export type TaskStatus = 'pending' | 'complete' | 'failed' | 'cancelled';

/** A task that generates a model. */
export interface Task {
	readonly task_id: string;
	readonly prompt: string;
	readonly provider: string;
	readonly quality: string;
	readonly status: TaskStatus;
	/** From 0 to 1, while the task is pending. */
	readonly progress?: number;
	/** Path of the model below the data folder, once the task is complete. */
	readonly file_path?: string;
	readonly error?: string;
}

export interface ModelSource {
	readonly name: string;
	readonly available: boolean;
	/** Instruction that makes it available. */
	readonly hint?: string;
}

/** Order to create a world beside main. */
export interface NewWorld {
	readonly name: string;
	readonly profile: 'full' | 'bare';
	readonly seed: number;
	/** Agent that will own the world, and its limit of worlds; null for the operators. */
	readonly by: { readonly id: string; readonly number: number; readonly worlds: number } | null;
}

/** A world beside main, as callers see it. */
export interface WorldView {
	readonly name: string;
	/** Id of the agent that owns it; null for the operators. */
	readonly owner: string | null;
	/** Time at which it was created, in ISO 8601. */
	readonly created: string;
	readonly profile: 'full' | 'bare';
	readonly seed: number;
	/** True if it has an engine. */
	readonly awake: boolean;
	/** Bytes of its journal, if it has an engine. */
	readonly journal_bytes?: number;
}

/** Limits on worlds beside main. `worlds`: maximum number of worlds. */
export interface WorldsLimits {
	readonly worlds: number;
	/** Limit on the memory of one world in bytes. */
	readonly world_memory: number;
	/** Limit on the memory of all worlds in bytes. */
	readonly worlds_memory: number;
	/** Maximum number of worlds with an engine at the same time. */
	readonly awake: number;
}

/** Input and answer of each request, by its name. */
export interface RelayServiceCalls {
	login: [Login, AgentSession & { readonly session_token: string }];
	session: [{ readonly session_token: string }, AgentSession | null];
	logout: [{ readonly session_token: string }, { readonly ended: boolean }];
	generate: [
		{
			readonly prompt: string;
			readonly provider: string;
			readonly quality: string;
			readonly by: Customer;
		},
		Task,
	];
	task: [{ readonly task_id: string }, Task];
	tasks: [Record<never, never>, readonly Task[]];
	/** `agent_id`: an agent that may cancel only its own tasks; undefined for other callers. */
	cancel: [{ readonly task_id: string; readonly agent_id?: string | undefined }, Task];
	providers: [Record<never, never>, readonly ModelSource[]];
	worlds: [Record<never, never>, { readonly worlds: readonly WorldView[]; readonly limits: WorldsLimits }];
	createWorld: [NewWorld, WorldView];
	/** `agent`: number of an agent that may delete only its own worlds; null for other callers. */
	deleteWorld: [{ readonly name: string; readonly agent: number | null }, { readonly deleted: string }];
	/** Rejects with `no_picture` if the engine of main does not draw. */
	drawing: [Record<never, never>, Record<never, never>];
	/** A frame of a world, which the browser of main's engine draws. Bytes are base64. */
	draw: [DrawOrder & { readonly frame: string }, { readonly bytes: string; readonly type: string }];
	/** An asset of a world beside main, as base64; null if there is none. */
	asset: [{ readonly world: string; readonly hash: string }, { readonly bytes: string | null }];
	/** Paths of the files in the data folder, sorted. */
	files: [Record<never, never>, readonly string[]];
}
export type RelayServiceName = keyof RelayServiceCalls;

/** Receiver of the engine's requests to the relay. */
export interface RelayServices {
	/** Name of the server since its last start, which a sign-in may contain. It is missing or empty without sign-in. */
	readonly server?: string;
	/** Rejects with an `ApiError`. */
	ask<E extends RelayServiceName>(name: E, input: RelayServiceCalls[E][0]): Promise<RelayServiceCalls[E][1]>;
}

/** Answer to a request, as it is sent to the engine. */
export type RelayServiceAnswer<T = unknown> = { readonly answer: T } | { readonly refused: RefusedRequest };

interface RefusedRequest {
	readonly code: ErrorCode;
	readonly message: string;
	readonly fix: string;
	readonly path?: string;
	readonly headers: Readonly<Record<string, string>>;
}

/** Returns a refusal in the form in which it is sent to the engine. */
export function refusedOf({ code, message, fix, path, headers }: ApiError): RefusedRequest {
	return { code, message, fix, headers, ...(path === undefined ? {} : { path }) };
}

/** Returns the answer. Throws the `ApiError` of a refusal. */
export function answerOf<T>(answer: RelayServiceAnswer<T>): T {
	if ('answer' in answer) return answer.answer;
	const { code, message, ...more } = answer.refused;
	throw new ApiError(code, message, more);
}
