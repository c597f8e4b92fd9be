/**
 * The declaration of a route: the one place where a route's path, shapes, errors and examples stand.
 * Owns: what a declaration holds, and the types derived from it.
 */

import type * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import type { OwnerRule } from './owner-rule.ts';
import type { Access } from './principal.ts';
import { WORLDS_PATH } from './relay-paths.ts';
import type { CreatedThing } from './thing.ts';

export const TAGS = {
	World: 'Status, observe, entities, spawn and despawn, reset',
	Simulation: 'Peek, step, play, pause',
	Rules: 'Register, list and remove gameplay rules (rules as data)',
	Gameplay: 'Matches, damage and heal, tags, heroes and abilities',
	Journal: 'Applied calls, their storage, and undo',
	'Inventory and economy': 'Items, inventories, equipment, the shop',
	'Status effects': 'Timed effects with stat modifiers and ticks: apply, list, cleanse',
	'Discovery and ops': 'Schema, health of the world, events, timing, GPU',
	Worlds: 'Worlds beside main, each with its own journal and engine',
	Forks: 'Counterfactual simulation on cloned worlds',
	'Snapshots and probes': 'Named snapshots to restore, differences, and probes that step and check',
	'Scenes and scenarios': 'Scenario documents, scene and level files',
	'Templates and prefabs': 'Named entity templates and registered prefabs',
	'Assertions and manifest': 'Assertions about the world, and the manifest of the game',
	Batch: 'Many requests as one, all or nothing',
	'Camera and render': 'Camera pose and presets, screenshots',
	'UI and HUD': 'Texts, bars, shapes, pictures and buttons on top of the picture',
	Particles: 'Particle emitters: create, start, burst, stop, list',
	Audio: 'Sounds of entities, their loudness, and the listener',
	Terrain: 'Ground as a grid of heights: create, edit, read',
	Navigation: 'The navigation mesh, paths on it, and entities that walk them',
	Animation: 'Clips of models: load, play, stop, state machines, montages',
	Input: 'Key bindings, and input for the entity that is played',
	Scripts: 'Lua scripts of entities: load, list, enable, unload',
	Assets: 'Models, textures and sounds that worlds use: upload, list, read, generate',
	Auth: 'Sign-in with a key, if the server requires it',
} as const;

export type Tag = keyof typeof TAGS;

/**
 * Effects that a call may have. `read`: nothing changes. `write`: state may change, time does not pass.
 * `step`: time passes by `ticks_advanced`; with `fork: true` only in a copy that is dropped, and nothing changes.
 * `replace`: the world may become another one, with a tick of its own; with `dry_run: true` nothing changes.
 * A call that steps or replaces answers with the `state_digest` it came to.
 * `view`: only what is shown may change; no digest does.
 * `fork`: forks and snapshots come, go or change; the world they were cloned from does not.
 */
export type RouteEffect = 'read' | 'write' | 'step' | 'replace' | 'view' | 'fork';

/** A call that an example makes; paths are literal. */
export interface ExampleCall {
	readonly method?: Method;
	readonly path: string;
	readonly body?: unknown;
}

/** A call that works as written on an empty world, once the calls of `given` were made. */
export interface Example {
	readonly name: string;
	readonly given?: readonly ExampleCall[];
	/** Path with its parameters and query filled in; the route's own path when it has none. */
	readonly path?: string;
	readonly body?: unknown;
	/** Needs something that draws, keeps files or a journal, or stands outside the engine: run only where there is one. */
	readonly needs?: 'view' | 'files' | 'relay';
	/** An answer to it, for readers of an example that runs only with what it needs. */
	readonly answer?: unknown;
}

type Shape = z.ZodObject;
export const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** Returns true if calls with a method have a body. */
export const hasBody = (method: string): boolean => method === 'POST' || method === 'PATCH';

export interface Route<
	P extends Shape = Shape,
	Q extends Shape = Shape,
	B extends z.ZodType = z.ZodType,
	A extends z.ZodType = z.ZodType,
> {
	/** `tag.verb`, unique; the OpenAPI operation id. */
	readonly id: string;
	readonly tag: Tag;
	readonly method: Method;
	/** With parameters in braces: `/entities/{id}`. */
	readonly path: string;
	/** Words on the command line: `['entity', 'create']`. */
	readonly cli: readonly [group: string, verb?: string];
	readonly summary: string;
	readonly description?: string;
	readonly effect: RouteEffect;
	readonly params?: P;
	readonly query?: Q;
	/** Shape of the body; without one the route takes none (an empty object is accepted). */
	readonly body?: B;
	/** Media types of bodies that are taken as they are, besides JSON. */
	readonly accepts?: readonly string[];
	/** True if the body may be a whole world, and so up to 64 MiB. */
	readonly document?: boolean;
	/**
	 * False for routes about the engine itself, or with a fork in their path. There `?world=` chooses only the
	 * engine, by any of its worlds.
	 */
	readonly world?: boolean;
	readonly answer: A;
	/** Thing that the call makes and that other calls name. */
	readonly makes?: CreatedThing;
	/** True if a call that ends early keeps what it has done: each of its ticks or requests is complete by itself. */
	readonly stepwise?: boolean;
	/** True if it runs immediately, even during a write: for calls that must stop one. */
	readonly overtakes?: boolean;
	/** Rights that callers need. Default: `read` for the effect `read`, else `write`. */
	readonly access?: Access;
	/** Rule of ownership, if it does not follow from what the route names or makes: see owner-rule.ts. */
	readonly owner?: readonly OwnerRule[];
	/** Fields of the body that need admin access. */
	readonly adminFields?: readonly string[];
	/**
	 * True if POST /batch may contain it, false if it is not JSON or reaches beyond the worlds. `aside`: only a
	 * throw-away fork may run it among other requests.
	 */
	readonly batch?: boolean | 'aside';
	/** Field of the body that lists calls which this one makes, in its own world unless they name another, or steps with such `requests`. */
	readonly runs?: string;
	/** Status of success. */
	readonly status?: number;
	/** Media types other than JSON that a success can have, chosen by the Accept header. */
	readonly media?: readonly string[];
	/** Codes of its refusals beyond those of every route. Each has the status of the table of errors. */
	readonly errors: readonly ErrorCode[];
	/** Codes of refusals that it reports inside a 200, as the reference engine does. They need not be in `errors` too. */
	readonly inside?: readonly ErrorCode[];
	readonly examples: readonly [Example, ...Example[]];
	/** Maximum number of bytes of its compact schema; 3 KiB unless given. */
	readonly compact?: number;
}

/** Declares a route. Its derived types give the handler its input and output, and callers the same by method and path. */
export function route<
	A extends z.ZodType,
	P extends Shape = z.ZodObject<Record<never, never>>,
	Q extends Shape = z.ZodObject<Record<never, never>>,
	B extends z.ZodType = z.ZodUndefined,
	M extends Method = Method,
	const T extends string = string,
>(
	declaration: Route<P, Q, B, A> & { readonly method: M; readonly path: T },
): Route<P, Q, B, A> & { readonly method: M; readonly path: T } {
	return declaration;
}

/** Arguments of a handler: all checked, with defaults filled in. */
export interface Input<R extends Route> {
	readonly params: R extends Route<infer P, Shape, z.ZodType, z.ZodType> ? z.output<P> : never;
	readonly query: R extends Route<Shape, infer Q, z.ZodType, z.ZodType> ? z.output<Q> : never;
	readonly body: R extends Route<Shape, Shape, infer B, z.ZodType> ? z.output<B> : never;
}

/** Answer of a handler. */
export type Answer<R extends Route> = R extends Route<Shape, Shape, z.ZodType, infer A> ? z.input<A> : never;

/** Body that a caller may send. */
export type Body<R extends Route> = R extends Route<Shape, Shape, infer B, z.ZodType> ? z.input<B> : never;

/** Returns true if a call may have `?world=`: all but those about the list of worlds, which main's engine answers. */
export const takesWorld = ({ path }: Pick<Route, 'path'>): boolean =>
	path !== WORLDS_PATH && !path.startsWith(`${WORLDS_PATH}/`);

/** Errors that any route can answer with. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
	'internal',
	'bad_query',
	'headers_too_large',
	'unknown_world',
	'other_world',
	'answer_too_large',
	'cancelled',
	'not_allowed',
	'not_signed_in',
	'auth_failed',
	'too_many_calls',
	'no_engine',
	'busy',
	'engine_lost',
	'timeout',
];

/** Errors that any route which changes something can answer with. */
export const CHANGE_ERRORS: readonly ErrorCode[] = [
	'not_owner',
	'agent_limit',
	'bad_key',
	'answer_gone',
	'not_kept',
];

/** Errors that any route with a body can answer with. */
export const BODY_ERRORS: readonly ErrorCode[] = ['content_type', 'bad_json', 'invalid_body', 'too_large'];

/** Returns true if POST /batch may contain calls of a route. */
export const mayBeBatched = ({ batch = true }: Pick<Route, 'batch'>): boolean => batch === true;
