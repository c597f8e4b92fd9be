/** Handlers of the tag Scenes and scenarios. */

import type * as z from 'zod';
import { jsonResponse } from '../../shared/contract/dispatch.ts';
import { type ErrorCode, Fault } from '../../shared/contract/errors.ts';
import { shapeFault } from '../../shared/contract/explain-issue.ts';
import {
	type ExactPart,
	exactPart as exactSchema,
	levelDocument,
	type ScenarioDocument,
	scenarioDocument,
} from '../../shared/documents/scenario.ts';
import * as routes from '../../shared/routes/scenes.ts';
import type { Host } from '../host/context.ts';
import type { Held } from '../host/worlds.ts';
import type { World } from '../sim/core/world.ts';
import { ExactPartError, exactPart, exactWorld } from '../sim/documents/exact-part.ts';
import { applyLevel, applyScenario, levelOf, scenarioOf } from '../sim/documents/scenario.ts';
import { applyScene, sceneDocument, sceneOf } from '../sim/documents/scene.ts';
import { handler } from './handler.ts';
import { momentOf } from './moment.ts';
import { RawAnswer } from './raw-answer.ts';

const warned = (warnings: readonly string[]) => (warnings.length > 0 ? { warnings: [...warnings] } : {});

async function jsonFile<T extends z.ZodType>(
	host: Host,
	path: string,
	schema: T,
	code: ErrorCode,
): Promise<{ sent: unknown; document: z.output<T> }> {
	const bytes = await host.files.read(path);
	let sent: unknown;
	try {
		sent = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
	} catch (error) {
		throw new Fault(code, `${path} is not JSON: ${(error as Error).message}.`);
	}
	const parsed = schema.safeParse(sent);
	if (!parsed.success) throw shapeFault(code, schema, parsed.error, sent);
	return { sent, document: parsed.data };
}

function writeJson(host: Host, path: string, value: unknown): Promise<void> {
	return host.files.write(path, new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`));
}

/** A world as the plain document that a reader of this interface sees: what the exact part is tied to. */
function plainScenario(world: World): ScenarioDocument {
	return scenarioDocument.parse(scenarioOf(world));
}

/** Refusals of a document that name its part by themselves, and of a world that has no room for it. */
const OWN_CODES: ReadonlySet<ErrorCode> = new Set([
	'invalid_rule',
	'invalid_assertion',
	'unknown_template',
	'world_full',
]);

/** Enters a document into a world, whole or not at all. Whatever else is wrong in it is refused with `code`. */
function enter<T>(host: Host, held: Held, code: ErrorCode, apply: (world: World) => T): T {
	try {
		return host.worlds.atomically(held, apply);
	} catch (error) {
		if (!(error instanceof Fault) || OWN_CODES.has(error.code)) throw error;
		const { message, fix, path } = error;
		throw new Fault(code, message, path === undefined ? { fix } : { fix, path });
	}
}

/** Uses the exact part when it counts; says why not otherwise. */
function tryExact(
	host: Host,
	held: Held,
	part: ExactPart,
	document: unknown,
	describe: (world: World) => unknown,
): string | null {
	try {
		host.worlds.replace(held, exactWorld(part, document, describe, held.world));
		return null;
	} catch (error) {
		if (!(error instanceof ExactPartError)) throw error;
		return `the exact part was left out: ${error.message}`;
	}
}

function scenarioAnswer(host: Host, held: Held, body: ScenarioDocument) {
	const { exact, ...plain } = body;
	const why = exact == null ? null : tryExact(host, held, exact, plain, plainScenario);
	if (exact != null && why === null)
		return {
			entities_spawned: plain.entities?.length ?? 0,
			templates: Object.keys(plain.templates ?? {}).length,
			rules: plain.rules?.length ?? 0,
			assertions: plain.assertions?.length ?? 0,
			exact: true,
			...momentOf(held.world),
		};
	const applied = enter(host, held, 'invalid_scenario', (world) => applyScenario(world, plain));
	return {
		entities_spawned: applied.entities,
		templates: applied.templates,
		rules: applied.rules,
		assertions: applied.assertions,
		exact: false,
		...momentOf(held.world),
		...warned([...(why === null ? [] : [why]), ...applied.warnings]),
	};
}

function exported(world: World, exact: boolean): RawAnswer {
	const document = scenarioOf(world);
	if (!exact || world.profile === 'bare') return new RawAnswer(jsonResponse(200, document));
	const part = exactPart(world, scenarioDocument.parse(document));
	return new RawAnswer(jsonResponse(200, { ...document, exact: part }));
}

export const handlers = [
	handler(routes.applyScenario, ({ host, held }, { body }) => scenarioAnswer(host, held, body)),

	handler(routes.exportScenario, ({ world }, { query }) => exported(world, query.exact)),

	handler(routes.applyForkScenario, ({ host }, { params, body }) => {
		const fork = host.worlds.fork(params.id);
		return { fork_id: fork.id, ...scenarioAnswer(host, fork, body) };
	}),

	handler(routes.exportForkScenario, ({ host }, { params, query }) =>
		exported(host.worlds.fork(params.id).world, query.exact),
	),

	handler(routes.saveScene, async ({ host, world }, { body: { path } }) => {
		const scene = sceneOf(world);
		const moment = momentOf(world);
		const count = world.entities.count;
		const exact = world.profile === 'bare' ? {} : { exact: exactPart(world, scene) };
		await writeJson(host, path, { ...scene, ...exact });
		return { message: `Wrote ${count} entities to ${path}.`, path, entity_count: count, ...moment };
	}),

	handler(routes.loadScene, async ({ host, held }, { body: { path } }) => {
		const { sent, document } = await jsonFile(host, path, sceneDocument, 'invalid_scene');
		const { exact: sentExact, ...plain } = sent as Record<string, unknown>;
		const part = sentExact == null ? null : exactSchema.safeParse(sentExact);
		const why =
			part === null
				? null
				: part.success
					? tryExact(host, held, part.data, plain, sceneOf)
					: 'the exact part was left out: it has not the right shape';
		const exact = part !== null && why === null;
		const applied = exact
			? { count: held.world.entities.count, warnings: [] }
			: enter(host, held, 'invalid_scene', (world) => applyScene(world, document));
		return {
			message: `Loaded ${applied.count} entities from ${path}.`,
			path,
			entity_count: held.world.entities.count,
			exact,
			...momentOf(held.world),
			...warned([...(why === null ? [] : [why]), ...applied.warnings]),
		};
	}),

	handler(routes.saveLevel, async ({ host, world }, { body: { path } }) => {
		const moment = momentOf(world);
		const count = world.entities.count;
		await writeJson(host, path, levelOf(world));
		return { message: `Wrote the level to ${path}.`, path, entity_count: count, ...moment };
	}),

	handler(routes.loadLevel, async ({ host, held }, { body }) => {
		const level =
			'level' in body
				? body.level
				: (await jsonFile(host, body.path, levelDocument, 'invalid_level')).document;
		const applied = enter(host, held, 'invalid_level', (world) => applyLevel(world, level));
		return {
			entities_created: applied.entities,
			rules_created: applied.rules,
			...warned(applied.warnings),
		};
	}),
];
