/**
 * Refusals of calls.
 * Owns: the closed table of codes, with their status and their remedy.
 * Never: has a code outside the table; branches on the text of a message.
 */

import { suggestion } from './nearest.ts';

/** Codes with their HTTP status and the instruction for the caller. A route may report some codes inside a 200 instead. */
export const ERRORS = {
	content_type: [
		415,
		'Send the header Content-Type: application/json, with {} as the body if there are no fields to send.',
	],
	bad_json: [400, 'Send a JSON object as the body; {} if there are no fields to send.'],
	invalid_body: [
		422,
		'Change the named field; GET /schema?form=compact&path=ROUTE shows each field with its type and range.',
	],
	bad_path: [400, 'Use a whole number from 0 to 4294967295 as the id in the path.'],
	bad_query: [
		400,
		'Change the named query parameter; GET /schema?form=compact&path=ROUTE lists those of a route.',
	],
	too_large: [
		413,
		'Split the work into several calls. A body has at most 2 MiB; a scenario, level or batch has at most 64 MiB.',
	],
	answer_too_large: [
		413,
		'Ask for less: filter or page the list, or split the batch. POST /snapshot and POST /fork keep a world of any size.',
	],
	cancelled: [
		409,
		'Do nothing if this was intended. Otherwise send the rest as a new call, with a new Idempotency-Key: ticks_advanced or results shows what is kept.',
	],
	bad_key: [
		422,
		'Send 1 to 200 visible ASCII characters, such as a UUID. Reuse a key only to repeat the same call.',
	],
	answer_gone: [409, 'Do not send the call again: it was applied. Read the current world.'],
	not_kept: [
		503,
		'Read `applied`. If it is true, do not send the call again; otherwise send it when GET /journal shows that writing works.',
	],
	not_allowed: [
		403,
		'Ask the operator of this engine; GET /schema?form=compact&path=ROUTE shows the access that a route needs.',
	],
	no_auth: [
		503,
		'Start the server with --auth, and list the keys of the agents. Without --auth no call needs a session.',
	],
	login_refused: [
		401,
		'Sign agent_id, domain and the time in Unix seconds, separated by line feeds, with the Ed25519 key listed for the agent. "orrery auth login" does this.',
	],
	not_signed_in: [
		401,
		'POST /auth/login returns a session_token; send it as Authorization: Bearer TOKEN. "orrery auth login" does this.',
	],
	auth_failed: [
		503,
		'Ask the operator to repair the file that the message names, and send the call again. The log of the server has details.',
	],
	too_many_calls: [429, 'Wait for the time in Retry-After and send the call again.'],
	agent_limit: [403, 'Despawn entities or delete forks of your own, or ask the operator for a higher limit.'],
	no_relay: [
		503,
		'Start the engine with its server: npx orrery start. A tab without a server has no keys and no access to other machines.',
	],
	unknown_provider: [404, 'GET /asset/providers lists the providers; procedural needs no key.'],
	no_provider_key: [
		409,
		'Set the environment variable that GET /asset/providers names and restart the server, or use the provider procedural.',
	],
	unknown_task: [404, 'GET /asset/generated lists the tasks.'],
	task_over: [409, 'GET /asset/status/{task_id} shows how it ended.'],
	too_many_tasks: [409, 'Wait until one ends, or cancel one with DELETE /asset/generated/{task_id}.'],
	budget_spent: [
		429,
		'Use the provider procedural, which is free, wait for the time in Retry-After, or ask the operator for a larger budget.',
	],
	journal_cut: [404, 'Ask for a later entry: GET /journal shows the oldest stored one.'],
	journal_unreadable: [
		503,
		'Check what the message names. The journal was not changed, and the world answers as before.',
	],
	nothing_to_undo: [409, 'GET /history?sender=NAME lists the calls of a sender.'],
	depended_on: [409, 'Make the change with a new call, or fork the earlier world: POST /history/fork.'],
	no_moment: [
		404,
		'Send an entry and a world that GET /history lists, and a tick that this world had reached by that entry.',
	],
	no_such_call: [404, 'GET /calls lists the running and waiting calls.'],
	too_slow: [408, 'Send the whole request without long pauses.'],
	bad_http: [400, 'Send a well-formed HTTP/1.1 request.'],
	headers_too_large: [431, 'Send fewer or shorter headers, and put long values into the body.'],
	no_such_route: [404, 'GET /schema?form=compact lists every route.'],
	method_not_allowed: [405, 'Use one of the methods in the Allow header.'],
	diverged: [
		500,
		'This is a fault of the engine: report it with the part of its journal that "orrery record" extracts. The world keeps its state and can no longer step. To get the world before the fault, POST /history/fork with the tick in the message. To run the world in spite of the fault, start without --verify.',
	],
	internal: [500, 'This is a fault of the engine. Report the id in the message; other calls keep working.'],
	entity_not_found: [404, 'POST /observe lists the living entities with their generations.'],
	stale_handle: [404, 'The slot was reused. Read the entity again and send its current generation.'],
	no_emitter: [404, 'GET /particle/list lists the entities with an emitter; POST /particle/create adds one.'],
	too_many_emitters: [
		409,
		'Despawn entities with emitters, or use one emitter several times: POST /particle/emit makes bursts.',
	],
	not_moving: [
		409,
		'Start a movement first: POST /camera/follow, /camera/orbit or /camera/path. GET /camera shows the movement.',
	],
	not_owner: [403, 'Send the agent_id that owns the entity.'],
	no_health: [409, 'Spawn the entity with health.'],
	entity_dead: [409, 'Choose an entity that is alive, or spawn another.'],
	unknown_fork: [404, 'GET /fork/list lists the forks; POST /fork creates one.'],
	unknown_world: [
		404,
		'Use ?world=main, omit it, or name a fork from GET /fork/list or a world from GET /worlds. NAME/FORK is a fork of a named world.',
	],
	world_exists: [
		409,
		'Choose another name. GET /worlds lists the named worlds and GET /fork/list the forks of main.',
	],
	main_stays: [409, 'POST /reset empties main. DELETE /worlds/{name} deletes a named world.'],
	too_many_worlds: [
		409,
		'Delete a world with DELETE /worlds/{name}, or start the server with a larger --worlds.',
	],
	other_world: [
		409,
		'Read the current world, then send its X-Orrery-World, or omit the header. `last_world` of GET / shows whether the former world was lost; otherwise the server was started with another world.',
	],
	fork_exists: [409, 'Choose another fork_id, or DELETE the fork first.'],
	too_many_forks: [409, 'DELETE a fork.'],
	static_only: [422, 'Use physics_body Static, or a shape with a volume, such as ConvexHull.'],
	too_crowded: [409, 'Place the bodies farther apart, so that fewer of them overlap.'],
	too_many_spawned: [
		409,
		'Change the rules so that fewer entities are spawned on one tick. Completed ticks are kept.',
	],
	too_many_actions: [
		409,
		'Narrow the filters and targets of the rules, or let them fire less often. Completed ticks are kept.',
	],
	seed_needs_fresh: [422, 'Send "fresh": true as well, or omit the seed, because a world keeps its seed.'],
	world_full: [409, 'Despawn entities first.'],
	no_terrain: [404, 'POST /terrain/create creates a terrain.'],
	bad_stroke: [
		422,
		'Send a stroke that GET /schema?form=compact&path=/terrain/edit describes, at a position on the terrain.',
	],
	bad_foliage: [422, 'Send a layer that GET /schema?form=compact&path=/foliage/scatter describes.'],
	unknown_mesh: [404, 'Use a mesh that GET /schema?form=compact&path=/foliage/scatter lists.'],
	unknown_foliage: [404, 'GET /foliage/list lists the layers; POST /foliage/scatter adds one.'],
	unknown_clip: [404, 'GET /animation/list lists the clips; POST /animation/load adds those of a model.'],
	not_playing: [409, 'POST /animation/play plays a clip; the field animation of an entity shows it.'],
	bad_animation: [422, 'Change the named field; GET /schema?form=compact&path=/animation shows each field.'],
	unknown_material: [404, 'GET /material/list lists the materials; POST /material/define adds one.'],
	no_sound: [404, 'GET /audio/list lists the entities with a sound; POST /audio/play adds one to an entity.'],
	no_navmesh: [404, 'POST /navmesh/generate creates a navigation mesh.'],
	bad_navmesh: [422, 'Send settings that GET /schema?form=compact&path=/navmesh/generate describes.'],
	no_way: [
		409,
		'Choose another position, or send "partial": true for a path that ends as near as possible. GET /navmesh shows the extent of the mesh.',
	],
	no_path: [404, 'GET /path/list lists the entities with a path; POST /path/set sets one.'],
	cannot_walk: [409, 'Choose an entity with a position and no parent, whose body is not Static.'],
	unbound_key: [
		404,
		'GET /input/list lists the bound keys; POST /input/bind binds one. Or send the "action" itself.',
	],
	no_player: [409, 'Spawn an entity with "player": true, or choose one that has it.'],
	past_tick: [409, 'Omit "tick" for the next tick, or send a later one.'],
	too_many_inputs: [409, 'Step the world so that inputs take effect, or release held inputs.'],
	too_many_bindings: [409, 'Remove bindings with POST /input/unbind.'],
	too_many_contexts: [409, 'Remove the topmost context with POST /input/context/pop.'],
	last_context: [409, 'Add a context first with POST /input/context/push.'],
	asset_missing: [404, 'GET /catalog lists the files that can be used; POST /asset/upload adds one.'],
	asset_refused: [422, 'Send the bytes of the file with the matching media type.'],
	asset_in_use: [
		409,
		'Remove all uses of the asset: entities, templates, prefabs, materials and rules, also in forks and snapshots.',
	],
	out_of_room: [
		409,
		'Delete forks, snapshots or assets. GET /fork/list shows the memory that deleting a fork frees.',
	],
	no_script_engine: [409, 'A bare host runs no scripts; start without --bare.'],
	script_failed: [422, 'Correct the line that the message names. Nothing was loaded.'],
	unknown_script: [404, 'GET /script/list lists the scripts; POST /script/load adds one.'],
	no_script: [404, 'POST /script/load with this entity_id adds a script to it.'],
	too_many_scripts: [409, 'Remove scripts with POST /script/unload.'],
	file_missing: [404, 'Name an existing file below the data folder: GET /catalog lists them.'],
	file_refused: [
		422,
		'Use a relative path below the data folder, without "..", to a regular file, with names of at most 255 bytes.',
	],
	file_failed: [
		409,
		'Fix the cause in the message: the disk may be full, the folder not writable or the file too large.',
	],
	too_large_to_save: [
		413,
		'Despawn entities: a file has at most 64 MiB. POST /fork and POST /snapshot keep worlds of any size.',
	],
	invalid_level: [422, 'Correct the named part of the level. Nothing was loaded.'],
	invalid_rule: [
		422,
		'GET /schema?form=compact&path=/rule/create shows the conditions, actions, filters and targets.',
	],
	rule_not_found: [404, 'GET /rule/list lists the rules.'],
	snapshot_missing: [404, 'GET /snapshot/list lists the snapshots.'],
	no_such_draw: [422, 'Send the choices of one branch, or of factors, as POST /peek lists them now.'],
	only_in_forks: [409, 'Create a fork with POST /fork and step it. Promote it to make it the main world.'],
	no_fork_parent: [404, 'Name an existing world with ?against=, or main.'],
	invalid_assertion: [
		422,
		'GET /schema?form=compact&path=/assert/create shows the conditions, filters, fields and operators.',
	],
	unknown_assertion: [404, 'GET /assert/list lists the assertions; POST /assert/create adds one.'],
	no_manifest: [404, 'POST /manifest sets one.'],
	no_environment: [
		404,
		'Open a scene that declares one, such as arena, or declare it with POST /environment.',
	],
	unknown_feature: [404, 'GET /manifest lists the features; "add": true adds one.'],
	feature_exists: [409, 'Omit "add" to change the feature.'],
	invalid_scenario: [422, 'Correct the named part of the scenario. Nothing was applied.'],
	invalid_scene: [422, 'Load a file that /scene/save wrote. Nothing was loaded.'],
	unknown_template: [404, 'GET /template/list lists the templates; POST /template/create adds one.'],
	unknown_action: [404, 'GET /action/list lists the actions; a scenario declares them.'],
	unknown_prefab: [404, 'GET /prefab/list lists the prefabs; POST /prefab/register adds one.'],
	built_in_prefab: [
		409,
		'Register a prefab of the same name to replace it. Only registered prefabs can be removed.',
	],
	no_registry: [409, 'A bare host has no registries; start without --bare.'],
	unknown_reference: [422, 'Name an earlier request of the batch by its "as", and a field of its answer.'],
	not_in_batch: [422, 'Send this call outside of a batch.'],
	variant_refused: [422, 'Correct the named request or field. Nothing was changed.'],
	too_many_runs: [422, 'Send fewer variants, values or seeds, or split the call.'],
	past_differs: [
		409,
		'Ask about a shorter past. Calls that read files, and calls of agents with other rights, cannot always be re-run.',
	],
	batch_failed: [409, 'Correct the named request and send the batch again. Nothing was changed.'],
	no_match: [404, 'POST /game/create starts a match.'],
	match_running: [409, 'POST /game/create replaces it with another match.'],
	match_over: [409, 'POST /game/create starts another match.'],
	unknown_hero: [404, 'GET /hero/list lists the heroes; POST /hero/define adds one.'],
	no_ability: [404, 'GET /ability/list/{id} lists the abilities of the entity; POST /ability/set adds one.'],
	on_cooldown: [409, 'Step until the ability is ready; GET /ability/list/{id} shows when.'],
	no_mana: [409, 'Step until the entity has enough mana.'],
	silenced: [409, 'Step until the crowd control ends, or POST /effect/cleanse with "dispel".'],
	too_many_effects: [409, 'Nest fewer area effects inside each other. Completed ticks are kept.'],
	bad_aim: [422, 'Aim at an entity that has a position, or at a point.'],
	unknown_effect: [404, 'GET /effect/list/{id} shows the effects of an entity.'],
	no_such_number: [
		422,
		'Set a number that the collider of the entity has (GET /entities/{id} shows them), or give the entity another collider.',
	],
	stack_full: [409, 'Allow more with stack:N, refresh with stack:N:refresh, or POST /effect/cleanse first.'],
	unknown_item: [404, 'GET /item/registry lists the items; POST /item/define adds one.'],
	item_missing: [404, 'GET /item/list/{entity_id} lists the items that the entity carries and wears.'],
	inventory_full: [409, 'Make room with POST /item/take, /item/equip or /shop/sell.'],
	no_inventory: [409, 'POST /item/give creates an inventory; so does spawning with "inventory".'],
	no_price: [409, 'Define the item with a property "cost".'],
	no_gold: [409, 'Spawn the entity with "gold", or POST /hero/select.'],
	not_enough_gold: [409, 'Earn more gold first.'],
	components_missing: [409, 'Buy the named components first; GET /shop/list shows the recipe.'],
	out_of_stock: [409, 'Define the item again with more "stock".'],
	not_for_team: [409, 'Choose a buyer of one of the teams that GET /shop/list shows.'],
	no_trigger: [404, 'GET /trigger/list lists the trigger zones.'],
	no_projectile: [404, 'GET /projectile/list lists the projectiles in flight.'],
	invalid_view_rule: [422, 'Send always, same-team, within:R, tag:NAME, zone:ID or not:RULE.'],
	cycle: [422, 'Choose a parent that is not the entity or one of its descendants.'],
	invalid_ui: [
		422,
		'Use the placeholders {tick}, {time}, {phase}, {score}, {score:team:1}, {count:FILTER} or {FIELD:FILTER}, such as {health.current:tag:hero}; {{ is a brace.',
	],
	unknown_element: [404, 'GET /ui/list lists the elements; POST /ui/text adds one.'],
	not_a_button: [409, 'GET /ui/list shows which elements are buttons; POST /ui/button adds one.'],
	ui_full: [
		409,
		'Remove elements with DELETE /ui/{id} or POST /ui/clear, or update existing ones by their id.',
	],
	no_picture: [
		503,
		'Start the server with npx orrery start --headless, without --bare and --engine node: only a browser can draw.',
	],
	picture_failed: [500, 'Try again; GET /engine/gpu shows the GPU in use.'],
	picture_late: [504, 'Try again with a smaller picture.'],
	no_gpu: [409, 'Start the server with npx orrery start --headless, without --bare and --engine node.'],
	no_camera_view: [404, 'Use one of the named views.'],
	no_engine: [503, 'Open the page in a browser, or start with --headless.'],
	engine_lost: [502, 'Read the world, then decide whether to send the call again.'],
	busy: [503, 'Wait for the time in Retry-After and send the call again.'],
	timeout: [504, 'Read the world before you send the call again: the engine may still be running it.'],
	origin_refused: [403, 'Call from the page itself, or from outside a browser.'],
	host_refused: [403, 'Use http://127.0.0.1 or http://localhost, or allow the name with --allow-host.'],
} as const satisfies Record<string, readonly [status: number, fix: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** Maximum characters of a sentence in a refusal. Longer sentences are shortened; they quote a long text of the caller. */
export const MAX_SENTENCE_LENGTH = 2000;
/** Maximum characters of a path in a refusal. */
export const MAX_PATH_LENGTH = 500;

/** Returns a text of at most `maxLength` characters: of a longer text, the beginning and the end. */
export function shortenMiddle(text: string, maxLength = MAX_SENTENCE_LENGTH): string {
	if (text.length <= maxLength) return text;
	// The end of a sentence is kept, because it often has the reason.
	const keptLength = (maxLength - 5) >> 1;
	return `${text.slice(0, keptLength)} ... ${text.slice(text.length - keptLength)}`;
}

/** Body of every refusal. */
export interface ErrorBody {
	readonly ok: false;
	/** Equal to `message`. */
	readonly error: string;
	readonly message: string;
	readonly code: ErrorCode;
	readonly fix: string;
	/** Position of the fault in the body or query, such as `entities[2].health`. */
	readonly path?: string;
}

/** Refusal of a request, or of a part of it. */
export class Refusal extends Error {
	/** Instruction for a valid request, if the message does not contain it. */
	readonly fix: string | undefined;
	/** Position of the fault, such as `entities[2].health`; undefined for the whole request. */
	readonly path: string | undefined;

	constructor(message: string, fix?: string, path?: string) {
		super(message);
		this.fix = fix;
		this.path = path;
	}
}

/** Refusal with a code of the table. The default of `fix` is that of the table. */
export class ApiError extends Refusal {
	readonly code: ErrorCode;
	declare readonly fix: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Further fields of the body. */
	readonly details: Readonly<Record<string, unknown>>;

	constructor(
		code: ErrorCode,
		message: string,
		options: {
			fix?: string;
			path?: string;
			headers?: Record<string, string>;
			details?: Readonly<Record<string, unknown>>;
		} = {},
	) {
		super(
			shortenMiddle(message),
			shortenMiddle(options.fix ?? ERRORS[code][1]),
			options.path && shortenMiddle(options.path, MAX_PATH_LENGTH),
		);
		this.name = 'ApiError';
		this.code = code;
		this.headers = options.headers ?? {};
		this.details = options.details ?? {};
	}
}

/** Returns the result of `work`. If it throws a refusal without a code, returns the result of `otherwise`. */
export function catchRefusal<T, U = T>(work: () => T, otherwise: (refusal: Refusal) => U): T | U {
	try {
		return work();
	} catch (error) {
		if (error instanceof ApiError || !(error instanceof Refusal)) throw error;
		return otherwise(error);
	}
}

/** Runs `work`. If it throws a refusal, adds `path` in front of the path of the refusal. */
export const withPathPrefix = <T>(path: string, work: () => T): T =>
	catchRefusal(work, ({ message, fix, path: rest }) => {
		throw new Refusal(message, fix, rest === undefined ? path : `${path}.${rest}`);
	});

/** Runs `work` on the value at a path. If it throws a refusal, `refuse` is called with the complete path. */
export const checkAt = <T>(
	path: string,
	work: () => T,
	refuse: (path: string, reason: string, fix?: string) => never,
): T =>
	catchRefusal(
		() => withPathPrefix(path, work),
		({ path: fullPath = path, message, fix }) => refuse(fullPath, message, fix),
	);

/** Returns a refusal as an `ApiError`. If it has no code, it gets `code`. */
export function withCode(refusal: Refusal, code: ErrorCode): ApiError {
	const { message, fix, path } = refusal;
	return refusal instanceof ApiError ? refusal : new ApiError(code, message, { fix, path });
}

/** Returns the body of a refusal. */
export function errorBody(error: ApiError): ErrorBody {
	const body = {
		ok: false,
		error: error.message,
		message: error.message,
		code: error.code,
		fix: error.fix,
		...error.details,
	} as const;
	return error.path === undefined ? body : { ...body, path: error.path };
}

export function entityNotFound(id: number): ApiError {
	return new ApiError('entity_not_found', `There is no entity ${id}.`);
}

export function staleHandle(id: number, requested: number, current: number): ApiError {
	return new ApiError(
		'stale_handle',
		`Entity ${id} of generation ${requested} no longer exists; the entity with this id now has generation ${current}.`,
	);
}

/**
 * Returns the refusal to change a thing that another agent owns. `thing`: its name in the message, such as `Entity 5`. If
 * `owner` is undefined, it belongs to the operators.
 */
export function notOwner(thing: string, owner: number | string | undefined): ApiError {
	return new ApiError(
		'not_owner',
		`${thing} belongs to ${owner === undefined ? 'the operators' : `agent ${owner}`}.`,
		{
			fix: 'Change only your own things, make the change in a fork of your own (POST /fork), or ask the owner. An operator may change everything.',
		},
	);
}

/** Returns the refusal of a call that names a missing world. */
export function unknownWorld(name: string): ApiError {
	return new ApiError('unknown_world', `There is no world "${name.slice(0, 100)}".`);
}

export function unknownFork(id: string, existing: readonly string[]): ApiError {
	if (id === 'main')
		return new ApiError('unknown_fork', 'main is the main world, not a fork.', {
			fix: 'Use the same route without /fork/main: it then acts on main.',
		});
	return new ApiError('unknown_fork', `There is no fork "${id}".`, { fix: suggestion(id, existing) });
}

/** Returns the refusal to write a file that would be too long to be read again. */
export function tooLargeToSave(path: string, maxBytes: number): ApiError {
	return new ApiError(
		'too_large_to_save',
		`"${path}" would be longer than ${maxBytes} bytes and could not be read again. Nothing was written.`,
	);
}
