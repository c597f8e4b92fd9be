/**
 * Every way a call can be refused.
 * Owns: the closed table of codes, their status and what to do about them.
 * Never: a code that is not in the table; a branch on message text.
 */

import { suggestion } from './nearest.ts';

/** code -> [HTTP status, what the caller should do]. A route may report some codes inside a 200 instead. */
export const ERRORS = {
	content_type: [
		415,
		'Send the header Content-Type: application/json, with {} as the body when there are no fields to send.',
	],
	bad_json: [400, 'Send a JSON object as the body; {} when there are no fields to send.'],
	invalid_body: [
		422,
		'Change the named field; GET /schema?path=ROUTE shows every field with its type and range.',
	],
	bad_path: [400, 'Use a whole number from 0 to 4294967295 as the id in the path.'],
	bad_query: [400, 'Change the named query parameter; GET /schema?path=ROUTE lists those of a route.'],
	too_large: [
		413,
		'Split the work over several calls: a body has at most 2 MiB, or 64 MiB where it is a scenario, a level or a batch.',
	],
	answer_too_large: [
		413,
		'Ask for less: filter, page or limit what is listed, split a batch. To keep a world of any size, POST /snapshot or POST /fork.',
	],
	cancelled: [
		409,
		'Do nothing if this was intended; otherwise send the call again for the part that was not done.',
	],
	bad_key: [422, 'Send 1 to 200 visible ASCII characters, such as a UUID: the same only with the same call.'],
	answer_gone: [
		409,
		'Do not send it again with another key: it was done. GET /journal?key=KEY says where the world stood after it.',
	],
	not_kept: [503, 'Read the message: what was applied is not to be sent again. GET /journal says more.'],
	not_allowed: [
		403,
		'Ask the operator of this engine; GET /schema?path=ROUTE says which access a route needs.',
	],
	no_auth: [
		503,
		'Start the server with --auth, and list the keys of those who may sign in. Without it no call needs a session.',
	],
	login_refused: [
		401,
		'Sign agent_id, domain and the time in Unix seconds, with a line feed between them, with the Ed25519 key that is listed for the agent; "orrery auth login" does so.',
	],
	not_signed_in: [
		401,
		'POST /auth/login answers a session_token; send it as Authorization: Bearer TOKEN. "orrery auth login" does so.',
	],
	auth_failed: [
		503,
		'Have the operator mend the file that the message names, and send the call again: what the server itself printed says more.',
	],
	too_many_calls: [429, 'Wait as long as Retry-After says and send the call again.'],
	agent_limit: [
		403,
		'Despawn entities or delete forks of your own that are no longer needed, or ask the operator for a higher limit.',
	],
	no_relay: [
		503,
		'Start the engine with its server: npm start. A tab by itself has no keys, and reaches no other machine.',
	],
	unknown_provider: [404, 'GET /asset/providers names those there are; procedural needs no key.'],
	no_provider_key: [
		409,
		'Set the environment variable that GET /asset/providers names and start the server again, or use the provider procedural.',
	],
	unknown_task: [404, 'GET /asset/generated lists the tasks.'],
	task_over: [409, 'GET /asset/status/{task_id} says how it ended.'],
	too_many_tasks: [409, 'Wait for one to end, or DELETE /asset/generated/{task_id} cancels one.'],
	no_journal: [
		409,
		'Use a world of npm start, whose data folder can be written to, or start an engine with createEngine({ journal }).',
	],
	journal_cut: [404, 'Ask for a later entry: GET /journal says which is the first.'],
	journal_unreadable: [
		503,
		'What was kept is left as it is. Have a look at what the message names; the world itself answers as before.',
	],
	nothing_to_undo: [409, 'GET /history?sender=NAME lists what a sender has done.'],
	depended_on: [
		409,
		'Change it by a call of your own instead, or fork the world as it was: POST /history/fork.',
	],
	no_moment: [404, 'GET /history lists the moments that are known.'],
	no_such_call: [404, 'GET /calls lists the calls that run and those that wait.'],
	too_slow: [408, 'Send the whole request without long pauses.'],
	bad_http: [400, 'Send a well-formed HTTP/1.1 request.'],
	headers_too_large: [431, 'Send fewer or shorter headers, and put long values in the body.'],
	no_such_route: [404, 'GET /schema?brief=true lists every route.'],
	method_not_allowed: [405, 'Use one of the methods in the Allow header.'],
	diverged: [
		500,
		'This is a fault of the engine: report it with the piece of its journal that "orrery record" cuts out. The world stays as it is and makes no more ticks; POST /history/fork with the tick that the message names makes a fork of it as it was before. Started without --verify, it goes on.',
	],
	internal: [500, 'This is a fault of the engine. Report the id in the message; other calls keep working.'],
	entity_not_found: [404, 'POST /observe lists the entities that live now, with their generations.'],
	stale_handle: [404, 'The slot has been reused. Read the entity again and send its current generation.'],
	no_emitter: [404, 'GET /particle/list names the entities that have one; POST /particle/create gives one.'],
	too_many_emitters: [
		409,
		'Despawn entities with emitters that are no longer needed, or let one emitter do the work of several: POST /particle/emit bursts it.',
	],
	not_moving: [
		409,
		'Let it move first: POST /camera/follow, /camera/orbit or /camera/path. GET /camera tells whether it does.',
	],
	not_owner: [403, 'Send the agent_id that owns the entity.'],
	no_health: [409, 'Give the entity health when it is spawned.'],
	entity_dead: [409, 'Choose an entity that is alive, or spawn another.'],
	unknown_fork: [404, 'GET /fork/list names the forks that exist; POST /fork makes one.'],
	unknown_world: [404, 'Use ?world=main, leave it out, or name a fork from GET /fork/list.'],
	other_world: [
		409,
		'The header names a world that is not held any more. If that was lost, last_world in GET / says when and why; otherwise the server was started with another. Read the current world, then send its X-Orrery-World, or leave the header out.',
	],
	fork_exists: [409, 'Choose another fork_id, or DELETE the fork first.'],
	too_many_forks: [409, 'DELETE a fork that is no longer needed.'],
	static_only: [422, 'Use physics_body Static, or a shape with a volume, such as ConvexHull.'],
	too_crowded: [409, 'Place the bodies farther apart, so that fewer of them overlap.'],
	too_many_spawned: [
		409,
		'Change the rules, so that fewer entities are made at once; what was completed before is kept.',
	],
	too_many_actions: [
		409,
		'Narrow the filters and targets of the rules, or let them fire less often; what was completed before is kept.',
	],
	seed_needs_fresh: [422, 'Send "fresh": true as well, or leave the seed out: a world keeps its seed.'],
	world_full: [409, 'Despawn entities first.'],
	no_terrain: [404, 'POST /terrain/create makes a terrain.'],
	bad_stroke: [422, 'Send a stroke that /schema?path=/terrain/edit describes, at a place on the terrain.'],
	bad_foliage: [422, 'Send a layer that /schema?path=/foliage/scatter describes.'],
	unknown_mesh: [404, 'Name one of the meshes that /schema?path=/foliage/scatter lists.'],
	unknown_foliage: [404, 'GET /foliage/list names the layers; POST /foliage/scatter adds one.'],
	unknown_clip: [404, 'GET /animation/list names the clips; POST /animation/load adds those of a model.'],
	not_playing: [409, 'POST /animation/play plays a clip; entities that play one show it as animation.'],
	bad_animation: [422, 'Change the named field; GET /schema?path=/animation shows every field.'],
	unknown_material: [404, 'GET /material/list names the materials; POST /material/define adds one.'],
	no_sound: [
		404,
		'GET /audio/list names the entities that have a sound; POST /audio/play gives one to an entity.',
	],
	no_navmesh: [404, 'POST /navmesh/generate makes a navigation mesh.'],
	bad_navmesh: [422, 'See GET /schema?path=/navmesh/generate.'],
	no_way: [
		409,
		'Name another place, or send "partial": true to go as near as possible; GET /navmesh says what the mesh covers.',
	],
	no_path: [404, 'GET /path/list names the entities that have one; POST /path/set gives one.'],
	cannot_walk: [409, 'Name an entity with a position and no parent, whose body is not Static.'],
	unbound_key: [
		404,
		'GET /input/list names the keys that are bound; POST /input/bind binds one. Or send the "action" itself.',
	],
	no_player: [409, 'Spawn an entity with "player": true, or name one that has it.'],
	past_tick: [409, 'Leave "tick" out for the coming one, or send one that is not over.'],
	too_many_inputs: [409, 'Advance the world, so that inputs take effect, or release what is held.'],
	too_many_bindings: [409, 'POST /input/unbind takes bindings away that are no longer needed.'],
	too_many_contexts: [409, 'POST /input/context/pop takes the topmost context away.'],
	last_context: [409, 'POST /input/context/push puts another one on top.'],
	asset_missing: [404, 'GET /asset/list names the assets; POST /asset/upload adds one.'],
	asset_refused: [422, 'Send the bytes of the file, with the media type that matches them.'],
	asset_in_use: [
		409,
		'Despawn the entities and delete the templates, prefabs, materials and rules that name the asset, and the forks and snapshots with such.',
	],
	out_of_room: [
		409,
		'Delete what is no longer needed: forks, snapshots, assets. GET /fork/list says how much memory deleting a fork frees.',
	],
	no_script_engine: [409, 'A bare host runs no scripts; start without --bare.'],
	script_failed: [422, 'Correct the line that the message names. Nothing was loaded.'],
	unknown_script: [404, 'GET /script/list names the scripts; POST /script/load adds one.'],
	no_script: [404, 'POST /script/load with this entity_id gives it a script.'],
	too_many_scripts: [409, 'POST /script/unload takes scripts away that are no longer needed.'],
	file_missing: [404, 'Name a file that exists under the data folder.'],
	file_refused: [
		422,
		'Use a relative path below the data folder, without "..", to a regular file, with names of at most 255 bytes.',
	],
	file_failed: [
		409,
		'Fix what the message names: the disk may be full, the folder not writable or the file too large.',
	],
	too_large_to_save: [
		413,
		'Despawn what is not needed: a file has at most 64 MiB. Within one session POST /fork and POST /snapshot keep worlds of any size.',
	],
	invalid_level: [422, 'Correct the named part of the level. Nothing was loaded.'],
	invalid_rule: [422, 'GET /schema?path=/rule/create shows the conditions, actions, filters and targets.'],
	rule_not_found: [404, 'GET /rule/list names the rules that exist.'],
	snapshot_missing: [404, 'GET /snapshot/list names the snapshots that are kept.'],
	no_such_draw: [422, 'Send the choices of one branch, or of factors, as POST /peek lists them now.'],
	only_in_forks: [
		409,
		'POST /fork clones the world; step the clone, and promote it if that is what you want.',
	],
	no_fork_parent: [404, 'Name a world that exists with ?against=, or main.'],
	invalid_assertion: [
		422,
		'GET /schema?path=/assert/create shows the conditions, filters, fields and operators.',
	],
	unknown_assertion: [404, 'GET /assert/list names the assertions; POST /assert/create adds one.'],
	no_manifest: [404, 'POST /manifest sets one.'],
	unknown_feature: [404, 'GET /manifest names the features; "add": true adds one.'],
	feature_exists: [409, 'Leave "add" out to change the feature.'],
	invalid_scenario: [422, 'Correct the named part of the scenario. Nothing was applied.'],
	invalid_scene: [422, 'Load a file that /scene/save wrote. Nothing was loaded.'],
	unknown_template: [404, 'GET /template/list names the templates; POST /template/create adds one.'],
	unknown_prefab: [404, 'GET /prefab/list names the prefabs; POST /prefab/register adds one.'],
	built_in_prefab: [
		409,
		'Only registered prefabs can be removed; register one of the same name to replace it.',
	],
	no_registry: [409, 'A bare host has no registries; start without --bare.'],
	unknown_reference: [422, 'Name an earlier request of the batch with "as", and a field of its answer.'],
	not_in_batch: [422, 'Make this call by itself.'],
	batch_failed: [409, 'Correct the named request and send the batch again. Nothing was changed.'],
	no_match: [404, 'POST /game/create starts a match.'],
	match_running: [409, 'POST /game/create replaces it with another match.'],
	match_over: [409, 'POST /game/create starts another match.'],
	unknown_hero: [404, 'GET /hero/list names the heroes; POST /hero/define adds one.'],
	no_ability: [404, 'GET /ability/list/{id} shows what it can cast; POST /ability/set gives it an ability.'],
	on_cooldown: [409, 'Step until the ability is ready; GET /ability/list/{id} says when.'],
	no_mana: [409, 'Step until enough mana is back.'],
	silenced: [409, 'Step until the crowd control ends, or POST /effect/cleanse with "dispel".'],
	too_many_effects: [409, 'Nest fewer areas in one another; what was completed before is kept.'],
	bad_aim: [422, 'Aim at an entity that has a position, or at a point.'],
	unknown_effect: [404, 'GET /effect/list/{id} shows the effects of an entity.'],
	no_such_number: [
		422,
		'GET /entities/{id} shows the shape of its collider; set a number that this shape has, or give it another collider.',
	],
	stack_full: [409, 'Allow more with stack:N, renew with stack:N:refresh, or POST /effect/cleanse first.'],
	unknown_item: [404, 'GET /item/registry lists the items; POST /item/define adds one.'],
	item_missing: [404, 'GET /item/list/{entity_id} shows what it carries and wears.'],
	inventory_full: [409, 'POST /item/take, /item/equip or /shop/sell makes room.'],
	no_inventory: [409, 'POST /item/give makes an inventory; so does "inventory" when spawning.'],
	no_price: [409, 'Define the item with a property "cost".'],
	no_gold: [409, 'Spawn the entity with "gold", or POST /hero/select.'],
	not_enough_gold: [409, 'Earn more gold first.'],
	components_missing: [409, 'Buy the named components first; GET /shop/list shows the recipe.'],
	out_of_stock: [409, 'Define the item again with more "stock".'],
	not_for_team: [409, 'Only the teams of the item may buy it; GET /shop/list shows them.'],
	no_trigger: [404, 'GET /trigger/list names the trigger zones.'],
	no_projectile: [404, 'GET /projectile/list names the projectiles in flight.'],
	invalid_view_rule: [422, 'Rules are always, same-team, within:R, tag:NAME, zone:ID and not:RULE.'],
	cycle: [422, 'Choose a parent that is not below the entity itself.'],
	invalid_ui: [
		422,
		'Placeholders are {tick}, {time}, {phase}, {score}, {score:team:1}, {count:FILTER} and {FIELD:FILTER} such as {health.current:tag:hero}; {{ is a brace.',
	],
	unknown_element: [404, 'GET /ui/list names the elements; POST /ui/text adds one.'],
	not_a_button: [409, 'GET /ui/list shows which elements are buttons; POST /ui/button adds one.'],
	ui_full: [
		409,
		'Remove elements with DELETE /ui/{id} or POST /ui/clear, or update those there are by their id.',
	],
	no_picture: [
		503,
		'Open the page, or start with --headless and a browser that can draw. A bare host never draws.',
	],
	picture_failed: [500, 'Try again; GET /engine/gpu says what draws.'],
	picture_late: [504, 'Try again with a smaller picture.'],
	no_gpu: [409, 'A bare host has no GPU; start without --bare.'],
	no_camera_view: [404, 'Use one of the named views.'],
	no_engine: [503, 'Open the page in a browser, or start with --headless.'],
	engine_lost: [502, 'Read the world, then decide whether to send the call again.'],
	busy: [503, 'Wait as long as Retry-After says and send the call again.'],
	timeout: [504, 'The engine may still be running the call. Read the world before sending the call again.'],
	origin_refused: [403, 'Call from the page itself or from outside a browser.'],
	host_refused: [403, 'Use http://127.0.0.1 or http://localhost, or list the name with --allow-host.'],
} as const satisfies Record<string, readonly [status: number, fix: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** The longest sentence in a refusal, and the longest path: what is longer, for the text that was sent is in it, is cut. */
export const MAX_SENTENCE_LENGTH = 2000;
export const MAX_PATH_LENGTH = 500;

/** A text of which the middle is left out when it is longer than `most` characters. */
export function shortened(text: string, most = MAX_SENTENCE_LENGTH): string {
	if (text.length <= most) return text;
	// The end tells as much as the beginning: what of all that was wrong.
	const half = (most - 5) >> 1;
	return `${text.slice(0, half)} ... ${text.slice(text.length - half)}`;
}

/** What every refused call answers. */
export interface ErrorBody {
	readonly ok: false;
	readonly error: string;
	readonly message: string;
	readonly code: ErrorCode;
	readonly fix: string;
	/** Where in the body or query the fault lies, such as `entities[2].health`. */
	readonly path?: string;
}

/** A refusal on its way to the caller. `fix` defaults to the table's. */
export class ApiError extends Error {
	readonly code: ErrorCode;
	readonly fix: string;
	readonly path: string | undefined;
	readonly headers: Readonly<Record<string, string>>;
	/** Goes into the body of the refusal as further fields. */
	readonly details: Readonly<Record<string, unknown>>;

	constructor(
		code: ErrorCode,
		message: string,
		more: {
			fix?: string;
			path?: string;
			headers?: Record<string, string>;
			details?: Readonly<Record<string, unknown>>;
		} = {},
	) {
		super(shortened(message));
		this.name = 'ApiError';
		this.code = code;
		this.fix = shortened(more.fix ?? ERRORS[code][1]);
		this.path = more.path === undefined ? undefined : shortened(more.path, MAX_PATH_LENGTH);
		this.headers = more.headers ?? {};
		this.details = more.details ?? {};
	}
}

/** The body of a refusal. */
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

export function staleHandle(id: number, given: number, current: number): ApiError {
	return new ApiError(
		'stale_handle',
		`Entity ${id} of generation ${given} no longer exists; the entity with this id now has generation ${current}.`,
	);
}

export function unknownFork(id: string, existing: readonly string[]): ApiError {
	if (id === 'main')
		return new ApiError('unknown_fork', 'main is the main world, not a fork.', {
			fix: 'Use the same route without /fork/main: it acts on main.',
		});
	return new ApiError('unknown_fork', `There is no fork "${id}".`, { fix: suggestion(id, existing) });
}

/** For a file that would be longer than is read. */
export function tooLargeToSave(path: string, most: number): ApiError {
	return new ApiError(
		'too_large_to_save',
		`"${path}" would have more than ${most} bytes and could not be read again. Nothing was written.`,
	);
}
