/**
 * Requests of the engine to the relay, which alone holds keys: the agent of a session, and models from elsewhere.
 * Owns: the errands, what goes out with each and what comes back. Types only, beside the form of a refusal.
 */

import { ApiError, type ErrorCode } from '../contract/errors.ts';
import type { SignedIn } from '../contract/principal.ts';
import type { DrawOrder } from './draw.ts';

/** Text that an agent signs with its key, and the signature. */
export interface Login {
	readonly agent_id: string;
	readonly domain: string;
	/** Unix seconds. */
	readonly timestamp: number;
	/** Base64 of 64 bytes. */
	readonly signature: string;
	/** Base64 of 32 bytes. */
	readonly public_key: string;
	/** Name of the server, if the signature covers it. */
	readonly server?: string | undefined;
}

/** The caller that orders a model. */
export interface Customer {
	/** Id of its agent; empty without a session. */
	readonly agent: string;
	readonly operator: boolean;
	/** Paid models that the agent may order in a day. */
	readonly paid_models: number;
}

export type TaskStatus = 'pending' | 'complete' | 'failed' | 'cancelled';

/** A model in the making. */
export interface Task {
	readonly task_id: string;
	readonly prompt: string;
	readonly provider: string;
	readonly quality: string;
	readonly status: TaskStatus;
	/** From 0 to 1, while it is pending. */
	readonly progress?: number;
	/** Once it is there: below the data folder. */
	readonly file_path?: string;
	readonly error?: string;
}

export interface ModelSource {
	readonly name: string;
	readonly available: boolean;
	/** Instruction that makes it available. */
	readonly hint?: string;
}

/** A world to create beside main. */
export interface NewWorld {
	readonly name: string;
	readonly profile: 'full' | 'bare';
	readonly seed: number;
	/** Agent that will own it, and the worlds that it may have; null for the operators. */
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
	/** It has an engine. */
	readonly awake: boolean;
	/** Bytes of its journal, if it has an engine. */
	readonly journal_bytes?: number;
}

/** Limits on worlds beside main. */
export interface WorldsLimits {
	readonly worlds: number;
	/** Bytes of memory of one, and of all. */
	readonly world_memory: number;
	readonly worlds_memory: number;
	/** Worlds that may have an engine together. */
	readonly awake: number;
}

/** errand -> what goes out, and what comes back. */
export interface Errands {
	login: [Login, SignedIn & { readonly session_token: string }];
	session: [{ readonly session_token: string }, SignedIn | null];
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
	/** `agent_id`: the agent that may end only its own tasks; undefined for other callers. */
	cancel: [{ readonly task_id: string; readonly agent_id?: string | undefined }, Task];
	providers: [Record<never, never>, readonly ModelSource[]];
	worlds: [Record<never, never>, { readonly worlds: readonly WorldView[]; readonly limits: WorldsLimits }];
	createWorld: [NewWorld, WorldView];
	/** `agent`: number of an agent that may delete only its own worlds; null for other callers. */
	deleteWorld: [{ readonly name: string; readonly agent: number | null }, { readonly deleted: string }];
	/** Rejects with `no_picture` if the engine of main does not draw. */
	drawing: [Record<never, never>, Record<never, never>];
	/** A frame for a picture of a world, which the browser of main's engine takes. Bytes are base64. */
	draw: [DrawOrder & { readonly frame: string }, { readonly bytes: string; readonly type: string }];
	/** An asset of a world beside main, as base64; null if there is none. */
	asset: [{ readonly world: string; readonly hash: string }, { readonly bytes: string | null }];
	/** Paths of the files in the data folder, sorted. */
	files: [Record<never, never>, readonly string[]];
}
export type Errand = keyof Errands;

/** Receiver of the engine's requests to the relay. */
export interface RelayServices {
	/** Name of the server since its last start, which a sign-in may cover; undefined or empty if it has no sign-in. */
	readonly server?: string;
	/** Rejects with an `ApiError`. */
	ask<E extends Errand>(errand: E, sent: Errands[E][0]): Promise<Errands[E][1]>;
}

/** Answer over the wire. */
export type ErrandAnswer<T = unknown> = { readonly answer: T } | { readonly refused: RefusedErrand };

interface RefusedErrand {
	readonly code: ErrorCode;
	readonly message: string;
	readonly fix: string;
	readonly path?: string;
	readonly headers: Readonly<Record<string, string>>;
}

export function refusedOf({ code, message, fix, path, headers }: ApiError): RefusedErrand {
	return { code, message, fix, headers, ...(path === undefined ? {} : { path }) };
}

/** Returns the answer. Throws the `ApiError` of a refusal. */
export function answerOf<T>(answer: ErrandAnswer<T>): T {
	if ('answer' in answer) return answer.answer;
	const { code, message, ...more } = answer.refused;
	throw new ApiError(code, message, more);
}
