/** Routes of the tag Scripts: behaviour of entities, written in Lua. */

import * as z from 'zod';
import { scriptName, UPDATE, updateName } from '../components/script.ts';
import { route } from '../contract/route.ts';
import {
	entityId,
	entityReference,
	generation,
	integer,
	isGiven,
	listLength,
	message,
	optional,
} from '../contract/values.ts';
import { SCRIPT_FUNCTIONS, SCRIPT_LIMITS, signatureOf } from '../documents/script-functions.ts';

const shared = { tag: 'Scripts' } as const;

const failure = z.strictObject({
	message: z.string(),
	line: z.int().nullable().describe('Line of the source; null if unknown'),
	tick: integer('Tick of the error', { unit: 'tick' }),
	during: z.string().describe('Function that was running: load, on_start, on_update, on_event or timer'),
	entity: entityId.nullable().describe('Entity the script ran for; null if none'),
});

const stepError = failure.extend({ script: z.string().describe('Name of the script') });
export type StepScriptError = z.input<typeof stepError>;

/** Fields of an answer that report errors of scripts on the ticks of the call. */
export const scriptErrors = {
	script_errors: z
		.array(stepError)
		.optional()
		.describe('First 5 errors of scripts on these ticks; left out if there were none'),
	script_error_count: z.int().optional().describe('Number of script errors on these ticks, listed or not'),
};

const FOLLOW_SCRIPT = `function on_update(me, dt)
  local x, y, z = engine.get_position(me)
  local ox, oy, oz = engine.get_position(engine.query({ filter = "tag:owner" })[1])
  local dx, dz = ox - x, oz - z
  local far = math.sqrt(dx * dx + dz * dz)
  if far > 2 then engine.set_velocity(me, dx / far * 3, 0, dz / far * 3) else engine.set_velocity(me, 0, 0, 0) end
end`;

const owner = { path: '/spawn', body: { tags: ['owner'], position: [8, 0, 0] } };
const pet = { path: '/spawn', body: { mesh: 'sphere', position: [0, 0, 0] } };
const loadFollow = {
	path: '/script/load',
	body: { script_name: 'follow', source: FOLLOW_SCRIPT, entity_id: 1 },
};

export const loadScript = route({
	...shared,
	id: 'scripts.load',
	method: 'POST',
	path: '/script/load',
	cli: ['script', 'load'],
	summary: 'Loads a Lua script and assigns it to an entity',
	description: [
		'A script is Lua 5.4 with the optional functions `on_start(entity)`, `on_update(entity, dt)` and `on_event(event)`. Several entities may share a script: it is loaded once and called for each. Without entity_id it is only loaded; entities spawned with "script" use it.',
		`The table \`engine\` (also \`euca\`) has: ${SCRIPT_FUNCTIONS.map(signatureOf).join(', ')}.`,
		SCRIPT_LIMITS,
	].join(' '),
	effect: 'write',
	owner: ['entity', 'made'],
	body: z
		.strictObject({
			...entityReference,
			entity_id: optional(entityReference.entity_id).describe(
				'Entity that gets the script; left out: it is only loaded',
			),
			path: optional(z.string().min(1).max(1024).describe('File of the script, below the data folder')),
			source: optional(z.string().max(65536).describe('The script itself, instead of a file')),
			script_name: optional(
				scriptName.describe(
					'Name of the script; left out: the name of the file, or `script`. It replaces a script of the same name',
				),
			),
			update_fn: updateName.default(UPDATE),
			enabled: z.boolean().default(true).describe('true: it runs'),
		})
		.refine(({ path, source }) => (path == null) !== (source == null), {
			message: 'send either "path" or "source"',
			path: ['source'],
		})
		.meta({ allOf: [{ oneOf: [isGiven('path'), isGiven('source')] }] }),
	answer: message.extend({
		script_name: z.string(),
		entity_id: entityId.nullable(),
		entity_generation: generation.nullable(),
		update_fn: z.string(),
		enabled: z.boolean(),
		replaced: z.boolean().describe('true: it replaced a script of this name'),
		output: z.array(z.string()).describe('Its output while it was loaded'),
	}),
	makes: { thing: 'script', named: { script: '$response.body#/script_name' } },
	errors: ['too_many_scripts'],
	inside: [
		'entity_not_found',
		'stale_handle',
		'no_script_engine',
		'script_failed',
		'file_missing',
		'file_refused',
		'file_failed',
	],
	examples: [
		{
			name: 'A pet that follows its owner and stops two metres away',
			given: [owner, pet],
			body: loadFollow.body,
		},
		{ name: 'A script for later', body: { script_name: 'idle', source: 'function on_update(me, dt) end' } },
	],
});

export const listScripts = route({
	...shared,
	id: 'scripts.list',
	method: 'GET',
	path: '/script/list',
	cli: ['script', 'list'],
	summary: 'Scripts, the entities that have them, errors, output and resource use',
	effect: 'read',
	answer: z.strictObject({
		ok: z.literal(true),
		count: listLength,
		entities: z
			.array(
				z.strictObject({
					entity_id: entityId,
					entity_generation: generation,
					script_name: z.string(),
					update_fn: z.string(),
					enabled: z.boolean(),
				}),
			)
			.describe('Entities with a script, in id order'),
		scripts: z
			.array(
				z.strictObject({
					script_name: z.string(),
					source: z.string(),
					state: z
						.enum(['waiting', 'running', 'failed'])
						.describe('waiting: it loads with the next tick that needs it'),
					entities: listLength.describe('Number of entities that have the script'),
					failed: z.int().describe('Number of errors'),
					errors: z.array(failure).describe('Latest errors, newest last'),
					output: z.array(z.string()).describe('Latest lines of output'),
					instructions: z.int().describe('Instructions of its last tick'),
					memory: z.int().describe('Bytes it uses'),
				}),
			)
			.describe('Scripts, sorted by name'),
		missing: z.array(z.string()).describe('Scripts that entities have but that do not exist'),
		limits: z.strictObject({
			instructions_per_call: z.int().describe('Largest number of instructions per call'),
			instructions_per_tick: z.int().describe('Largest number of instructions per script and tick'),
			instructions_together: z.int().describe('Largest number of instructions of all scripts per tick'),
			memory: z.int().describe('Largest number of bytes per script'),
			scripts: z.int().describe('Largest number of scripts in a world'),
		}),
	}),
	errors: [],
	examples: [{ name: 'List them', given: [owner, pet, loadFollow] }],
});

const scriptSelection = {
	...entityReference,
	entity_id: optional(entityReference.entity_id).describe('Entity whose script to change'),
	script_name: optional(scriptName.describe('Script to change, on all entities that have it')),
};
const selectionIssue = {
	message: 'send either "entity_id" or "script_name"',
	path: ['entity_id'],
};
const selectionSchema = { allOf: [{ oneOf: [isGiven('entity_id'), isGiven('script_name')] }] };
interface ScriptSelection {
	readonly entity_id?: number | null | undefined;
	readonly script_name?: string | null | undefined;
}
const hasOneSelector = ({ entity_id, script_name }: ScriptSelection): boolean =>
	(entity_id == null) !== (script_name == null);

const selectionErrors = ['entity_not_found', 'stale_handle', 'no_script', 'unknown_script'] as const;

export const enableScript = route({
	...shared,
	id: 'scripts.enable',
	method: 'POST',
	path: '/script/enable',
	cli: ['script', 'enable'],
	summary: 'Enables or disables the script of an entity, or of all entities that have it',
	description: 'A disabled script keeps its state.',
	effect: 'write',
	owner: ['script', 'entity'],
	body: z
		.strictObject({ ...scriptSelection, enabled: z.boolean().default(true).describe('true: it runs') })
		.refine(hasOneSelector, selectionIssue)
		.meta(selectionSchema),
	answer: message.extend({
		enabled: z.boolean(),
		entities: z.array(entityId).describe('Entities affected'),
	}),
	errors: selectionErrors,
	examples: [{ name: 'Disable it', given: [owner, pet, loadFollow], body: { entity_id: 1, enabled: false } }],
});

export const unloadScript = route({
	...shared,
	id: 'scripts.unload',
	method: 'POST',
	path: '/script/unload',
	cli: ['script', 'unload'],
	summary: 'Removes the script from an entity, or from the world and all its entities',
	effect: 'write',
	owner: ['script', 'entity'],
	body: z.strictObject(scriptSelection).refine(hasOneSelector, selectionIssue).meta(selectionSchema),
	answer: message.extend({ entities: z.array(entityId).describe('Entities that had the script') }),
	errors: selectionErrors,
	examples: [
		{ name: 'From one entity', given: [owner, pet, loadFollow], body: { entity_id: 1 } },
		{ name: 'From the world', given: [owner, pet, loadFollow], body: { script_name: 'follow' } },
	],
});
