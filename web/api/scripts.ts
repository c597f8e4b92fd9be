/** Handlers of the tag Scripts. */

import { Script } from '../../shared/components/script.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import * as routes from '../../shared/routes/scripts.ts';
import { entityAt, handleOf } from '../sim/core/entities.ts';
import { add, each, get, partState, remove, type World } from '../sim/core/world.ts';
import {
	entitiesWithScript,
	giveScript,
	loadScript,
	requireEngine,
	requireScript,
	scriptOf,
	unloadScript,
} from '../sim/scripts/manage-scripts.ts';
import {
	MAX_CALL_INSTRUCTIONS,
	MAX_SCRIPT_BYTES,
	MAX_SCRIPT_INSTRUCTIONS,
	MAX_TOTAL_INSTRUCTIONS,
} from '../sim/scripts/script.ts';
import { Scripts } from '../sim/scripts/scripts.part.ts';
import { MAX_SCRIPTS, sourcesOf } from '../sim/scripts/sources.ts';
import { handler } from './handler.ts';

interface ScriptEntity {
	readonly entity_id?: number | null | undefined;
	readonly entity_generation?: number | null | undefined;
	readonly generation?: number | null | undefined;
}

/** Returns the entity that a body names, or null if it names none. */
function optionalEntity(world: World, { entity_id, entity_generation, generation }: ScriptEntity) {
	return entity_id == null ? null : entityAt(world, entity_id, entity_generation ?? generation);
}

/** Returns the name of a script from the path of its file. */
function scriptNameOf(path: string): string {
	return path
		.split('/')
		.at(-1)!
		.replace(/[^A-Za-z0-9_. -]/g, '_')
		.slice(0, 50);
}

export const handlers = [
	handler(routes.loadScript, async ({ world, host }, { body }) => {
		const { path, source, script_name, update_fn, enabled } = body;
		const entity = optionalEntity(world, body);
		requireEngine(world);
		const text = path == null ? source! : decodeSource(await host.files.read(path), path);
		const name = script_name ?? (path == null ? 'script' : scriptNameOf(path));
		const replaced = Object.hasOwn(sourcesOf(world), name);
		const { output } = loadScript(world, name, text);
		if (entity !== null) giveScript(world, entity, name, update_fn, enabled);
		const entityText = entity === null ? '' : ` and runs on entity ${entity.id}`;
		return {
			message: `The script "${name}" is loaded${entityText}.`,
			script_name: name,
			entity_id: entity?.id ?? null,
			entity_generation: entity?.generation ?? null,
			update_fn,
			enabled,
			replaced,
			output: [...output],
		};
	}),

	handler(routes.listScripts, ({ world }) => {
		const entities: {
			entity_id: number;
			entity_generation: number;
			script_name: string;
			update_fn: string;
			enabled: boolean;
		}[] = [];
		each(world, [Script], (slot) => {
			const { script, update_fn, enabled } = get(world, slot, Script)!;
			const { id, generation } = handleOf(world, slot);
			entities.push({
				entity_id: id,
				entity_generation: generation,
				script_name: script,
				update_fn,
				enabled: enabled === 1,
			});
		});
		const running = new Map(partState(world, Scripts).scripts.map((script) => [script.name, script]));
		const sources = sourcesOf(world);
		const scripts = Object.keys(sources)
			.sort()
			.map((script_name) => {
				const { source } = sources[script_name]!;
				const runningScript = running.get(script_name);
				const script = runningScript?.source === source ? runningScript : undefined;
				const state =
					script === undefined
						? ('waiting' as const)
						: script.lua === 0
							? ('failed' as const)
							: ('running' as const);
				return {
					script_name,
					source,
					state,
					entities: entitiesWithScript(world, script_name).length,
					failed: script?.failed ?? 0,
					errors: [...(script?.failures ?? [])],
					output: [...(script?.output ?? [])],
					instructions: script?.spent ?? 0,
					memory: script?.held ?? 0,
				};
			});
		const missing = [...new Set(entities.map(({ script_name }) => script_name))]
			.filter((name) => !Object.hasOwn(sources, name))
			.sort();
		return {
			count: entities.length,
			entities,
			scripts,
			missing,
			limits: {
				instructions_per_call: MAX_CALL_INSTRUCTIONS,
				instructions_per_tick: MAX_SCRIPT_INSTRUCTIONS,
				instructions_together: MAX_TOTAL_INSTRUCTIONS,
				memory: MAX_SCRIPT_BYTES,
				scripts: MAX_SCRIPTS,
			},
		};
	}),

	handler(routes.enableScript, ({ world }, { body }) => {
		const { script_name, enabled } = body;
		const entity = optionalEntity(world, body);
		if (entity !== null) scriptOf(world, entity);
		else requireScript(world, script_name!);
		const entities = entity !== null ? [entity.id] : entitiesWithScript(world, script_name!);
		for (const slot of entities) add(world, slot, Script, { enabled: enabled ? 1 : 0 });
		const subject = entity === null ? `The script "${script_name}"` : `The script of entity ${entity.id}`;
		return { message: `${subject} is ${enabled ? 'enabled' : 'disabled'}.`, enabled, entities };
	}),

	handler(routes.unloadScript, ({ world }, { body }) => {
		const { script_name } = body;
		const entity = optionalEntity(world, body);
		if (entity === null)
			return {
				message: `The script "${script_name}" was removed.`,
				entities: unloadScript(world, script_name!),
			};
		const name = scriptOf(world, entity);
		remove(world, entity.id, Script);
		return { message: `Entity ${entity.id} no longer has the script "${name}".`, entities: [entity.id] };
	}),
];

/** Returns the text of a file. Throws `script_failed` if the file is not text. */
function decodeSource(bytes: Uint8Array, path: string): string {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		throw new ApiError('script_failed', `"${path}" is not UTF-8 text. Compiled scripts are refused.`);
	}
}
