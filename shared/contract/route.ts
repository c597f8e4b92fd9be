/**
 * Declaration of a route: its path, schemas, errors and examples.
 * Owns: the fields of a declaration, and the types derived from it.
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
	Batch: 'Many requests as one call, applied completely or not at all',
	'Camera and render': 'Camera pose and presets, screenshots',
	'UI and HUD': 'Texts, bars, shapes, pictures and buttons on top of the picture',
	Particles: 'Particle emitters: create, start, burst, stop, list',
	Audio: 'Sounds of entities, their loudness, and the listener',
	Terrain: 'Ground as a grid of heights: create, edit, read',
	Navigation: 'The navigation mesh, paths on it, and entities that walk them',
	Animation: 'Clips of models: load, play, stop, state machines, montages',
	Input: 'Key bindings, and input for the controlled entity',
	Scripts: 'Lua scripts of entities: load, list, enable, unload',
	Assets: 'Models, textures and sounds that worlds use: upload, list, read, generate',
	Auth: 'Sign-in with a key, if the server requires it',
} as const;

export type Tag = keyof typeof TAGS;

/**
 * Effects that a call may have.
 * `read`: nothing changes.
 * `write`: the state may change, but no time passes.
 * `step`: time passes by `ticks_advanced`. With `fork: true` it passes only in a temporary copy, and nothing changes.
 * `replace`: the world may be replaced by another one with its own tick. With `dry_run: true` nothing changes.
 * `view`: only the view may change, and no digest does.
 * `fork`: forks and snapshots may be created, deleted or changed, but not the world from which they were cloned.
 * Calls that step or replace answer with the new `state_digest`.
 */
export type RouteEffect = 'read' | 'write' | 'step' | 'replace' | 'view' | 'fork';

/** A call in an example. Its path has no placeholders. */
export interface ExampleCall {
	readonly method?: Method;
	readonly path: string;
	readonly body?: unknown;
}

/** Example of a call. It works unchanged in an empty world, after the calls of `given`. */
export interface Example {
	readonly name: string;
	readonly given?: readonly ExampleCall[];
	/** Path with parameters and query. The default is the path of the route. */
	readonly path?: string;
	readonly body?: unknown;
	/** Service that the example needs beside the engine. Tests run it only if they have the service. */
	readonly needs?: 'view' | 'files' | 'relay';
	/** Sample answer, for an example that `needs` a service. */
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
	/** Unique id `tag.verb`. It is also the OpenAPI operation id. */
	readonly id: string;
	readonly tag: Tag;
	readonly method: Method;
	/** Path with parameters in braces, such as `/entities/{id}`. */
	readonly path: string;
	/** Words on the command line: `['entity', 'create']`. */
	readonly cli: readonly [group: string, verb?: string];
	readonly summary: string;
	readonly description?: string;
	readonly effect: RouteEffect;
	readonly params?: P;
	readonly query?: Q;
	/** Schema of the body. Without it, only an empty body or an empty object is accepted. */
	readonly body?: B;
	/** Media types of bodies that are accepted undecoded, beside JSON. */
	readonly accepts?: readonly string[];
	/** True if the body may be a whole world, of up to 64 MiB. */
	readonly document?: boolean;
	/**
	 * False for routes about the engine itself, or with a fork in their path. For these, `?world=` only selects the engine,
	 * by any of its worlds.
	 */
	readonly world?: boolean;
	readonly answer: A;
	/** Thing that the call creates and other calls name. */
	readonly makes?: CreatedThing;
	/** True if a call that is cancelled keeps its completed ticks or requests. */
	readonly stepwise?: boolean;
	/** True if the call runs immediately, even during a write. It is for calls that must be able to stop a write. */
	readonly overtakes?: boolean;
	/** Access that callers need. The default is `read` for the effect `read`, and otherwise `write`. */
	readonly access?: Access;
	/** Owner rules, if they do not follow from the things that the route names or creates. See owner-rule.ts. */
	readonly owner?: readonly OwnerRule[];
	/** Fields of the body that need admin access. */
	readonly adminFields?: readonly string[];
	/**
	 * True if POST /batch may contain the call. False if its body is not JSON, or it affects more than worlds. `aside`: only
	 * a list of calls for a temporary fork may contain it.
	 */
	readonly batch?: boolean | 'aside';
	/** Field of the body with a list of calls, or of steps with `requests`. They run in the same world, unless they name another. */
	readonly runs?: string;
	/** Status of success. */
	readonly status?: number;
	/** Media types other than JSON that a success can have, chosen by the Accept header. */
	readonly media?: readonly string[];
	/** Codes of refusals, without those that all routes have. */
	readonly errors: readonly ErrorCode[];
	/** Codes of refusals with status 200, for compatibility with the reference engine. They need not be in `errors` too. */
	readonly inside?: readonly ErrorCode[];
	readonly examples: readonly [Example, ...Example[]];
	/** Maximum bytes of its compact schema. The default is 3 KiB. */
	readonly compact?: number;
}

/** Declares a route. The types of handlers and clients are derived from the declaration. */
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

/** Arguments of a handler. All are checked, and defaults are filled in. */
export interface Input<R extends Route> {
	readonly params: R extends Route<infer P, Shape, z.ZodType, z.ZodType> ? z.output<P> : never;
	readonly query: R extends Route<Shape, infer Q, z.ZodType, z.ZodType> ? z.output<Q> : never;
	readonly body: R extends Route<Shape, Shape, infer B, z.ZodType> ? z.output<B> : never;
}

/** Answer of a handler. */
export type Answer<R extends Route> = R extends Route<Shape, Shape, z.ZodType, infer A> ? z.input<A> : never;

/** Body that a caller may send. */
export type Body<R extends Route> = R extends Route<Shape, Shape, infer B, z.ZodType> ? z.input<B> : never;

/** Returns true if a call may have `?world=`. Only calls about the list of worlds may not, because main's engine answers them. */
export const acceptsWorld = ({ path }: Pick<Route, 'path'>): boolean =>
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

/** Errors that any route with a change can answer with. */
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
export const canBeBatched = ({ batch = true }: Pick<Route, 'batch'>): boolean => batch === true;
