/** Handlers of the tag Scenes and scenarios. */

import type * as z from 'zod';
import { Hero } from '../../shared/components/hero.ts';
import { Name } from '../../shared/components/name.ts';
import { Player } from '../../shared/components/player.ts';
import { Role } from '../../shared/components/role.ts';
import { Tags } from '../../shared/components/tags.ts';
import { findAssetNames } from '../../shared/contract/asset-mark.ts';
import { ApiError, catchRefusal, type ErrorCode, tooLargeToSave } from '../../shared/contract/errors.ts';
import { shapeError } from '../../shared/contract/explain-issue.ts';
import { MAX_DOCUMENT_BYTES } from '../../shared/contract/wire.ts';
import * as routes from '../../shared/routes/scenes.ts';
import { writtenRule } from '../../shared/rules/rule.ts';
import {
	type ExactPart,
	exactPart as exactSchema,
	type LevelDocument,
	levelDocument,
	type ScenarioDocument,
	scenarioDocument,
} from '../../shared/rules/scenario.ts';
import { assertions } from '../sim/assertions/assertion.ts';
import { eachEntity } from '../sim/core/entities.ts';
import { availableAssets, hashesIn } from '../sim/core/named-assets.ts';
import type { SlicedWork } from '../sim/core/sliced-work.ts';
import { get, has, type World } from '../sim/core/world.ts';
import { describedIds } from '../sim/documents/entity-entry.ts';
import { exactWork, exactWorld } from '../sim/documents/exact-part.ts';
import {
	type AppliedScenario,
	applyLevel,
	applyScenario,
	levelWork,
	scenarioOf,
	scenarioWork,
	settingsSchema,
} from '../sim/documents/scenario.ts';
import { applyScene, sceneDocument, sceneOf, sceneWork } from '../sim/documents/scene.ts';
import { addUnsetFields, omitUnsetFields } from '../sim/documents/unset-fields.ts';
import { documentOf, ruleIds } from '../sim/rules/rule.ts';
import type { WorldEntry } from '../store/worlds.ts';
import { requireUsable } from './actions.ts';
import { withAssetHashes } from './asset-names.ts';
import type { Host } from './context.ts';
import { kindOf } from './document-kind.ts';
import { findScene } from './find-scene.ts';
import { handler } from './handler.ts';
import {
	documentBytes,
	entriesWithin,
	type FileCode,
	fileWork,
	parsedFile,
	readJson,
	requireDocumentPath,
} from './json-file.ts';
import { meshesOf, withMeshWarnings } from './mesh-files.ts';
import { RawAnswer } from './raw-answer.ts';
import { readOnCopy } from './read-on-copy.ts';
import { warned } from './warnings-field.ts';
import { newWorld } from './world.ts';
import { stampOf } from './world-stamp.ts';

/**
 * Returns the JSON of a file that is to be of a kind, once the saved assets that it names are here. Throws `code` for
 * one of the other kind, or none.
 */
async function jsonFile(host: Host, path: string, code: FileCode): Promise<unknown> {
	const sent = await readJson(host, path, code);
	const otherKind = kindOf(sent);
	if (otherKind !== undefined && otherKind.code !== code)
		throw new ApiError(code, `${path} is ${otherKind.what}.`, { fix: otherKind.fix });
	await host.assets.recall(hashesIn(JSON.stringify(sent)), host.files);
	return sent;
}

/** Reads the content of a file, in its required shape. Throws `code`. */
function parseAs<T extends z.ZodType>(
	schema: T,
	sent: unknown,
	path: string,
	code: FileCode | 'invalid_scenario',
): z.output<T> {
	const parsed = schema.safeParse(sent);
	if (!parsed.success) throw shapeError(code, schema, parsed.error, sent, path);
	return parsed.data;
}

/** Returns a world as the plain document that a reader of this interface sees: what the exact part is tied to. */
function plainScenario(world: World): ScenarioDocument {
	return parsedPlain(scenarioOf(world));
}

function parsedPlain(scenario: ScenarioDocument): ScenarioDocument {
	return omitUnsetFields(scenarioDocument.parse(scenario));
}

/** Refusals of a document that name its part by themselves, and of a world that has no room for it. */
const OWN_CODES: ReadonlySet<ErrorCode> = new Set([
	'invalid_rule',
	'invalid_assertion',
	'unknown_template',
	'world_full',
]);

/** Enters a document into a world, whole or not at all. Whatever else is wrong in it is refused with `code`. */
function enter<T>(entry: WorldEntry, code: ErrorCode, apply: (world: World) => T): T {
	try {
		return apply(entry.world);
	} catch (error) {
		if (!(error instanceof ApiError) || OWN_CODES.has(error.code)) throw error;
		const { message, fix, path } = error;
		throw new ApiError(code, message, path === undefined ? { fix } : { fix, path });
	}
}

/** Returns the same for a document that takes the place of all that the world has. */
function enterAnew<T>(host: Host, entry: WorldEntry, code: ErrorCode, apply: (world: World) => T): T {
	const applied = enter(entry, code, apply);
	host.worlds.becameOther(entry);
	return applied;
}

/** Uses the exact part when it counts; says why not otherwise. Throws `code` when an asset that it needs is not here. */
function tryExact(
	host: Host,
	entry: WorldEntry,
	code: ErrorCode,
	part: ExactPart,
	document: unknown,
	describe: (world: World) => unknown,
): string | null {
	return catchRefusal(
		() => {
			const world = enter(entry, code, (now) => exactWorld(part, document, describe, now));
			host.worlds.replace(entry, world);
			return null;
		},
		({ message }) => `the exact part was ignored: ${message}`,
	);
}

/**
 * Returns a document with the textures and sounds in its settings named by their hashes, as those in its other parts
 * are. Throws what that throws.
 */
async function withSettled<D extends LevelDocument>(host: Host, world: World, document: D): Promise<D> {
	if (document.resources == null) return document;
	const resources = await withAssetHashes(host.assets, settingsSchema(world), document.resources);
	return { ...document, resources };
}

/**
 * Returns the model files that a document and the rules made of it name, beyond those of its entities as they are
 * now.
 */
function modelsNamed(
	world: World,
	{ templates, resources }: LevelDocument,
	rules: readonly number[],
): readonly string[] {
	const parts: readonly (readonly [z.ZodType, unknown])[] = [
		[levelDocument.shape.templates, templates],
		[settingsSchema(world), resources],
		...rules.map((id) => [writtenRule, documentOf(world, id)] as const),
	];
	return parts.flatMap(([schema, part]) => [...findAssetNames(schema, part, 'model')]);
}

async function scenarioAnswer(host: Host, entry: WorldEntry, body: ScenarioDocument) {
	const { exact, ...sent } = await withSettled(host, entry.world, body);
	requireUsable(host, sent.actions ?? [], 'invalid_scenario');
	const plain = omitUnsetFields(sent);
	const before = entry.world.entities.count;
	const why = exact == null ? null : tryExact(host, entry, 'invalid_scenario', exact, plain, plainScenario);
	const restored = exact != null && why === null;
	const applied = restored
		? {
				entities: describedIds(entry.world),
				rules: ruleIds(entry.world),
				assertions: assertions(entry.world).map(({ id }) => id),
				templates: Object.keys(plain.templates ?? {}).length,
				warnings: [],
			}
		: enterAnew(host, entry, 'invalid_scenario', (world) => applyScenario(world, plain));
	const emptied = before > 0 && entry.world.entities.count === 0;
	const models = [
		...meshesOf(entry.world, applied.entities),
		...modelsNamed(entry.world, plain, applied.rules),
	];
	return withMeshWarnings(host, models, {
		entities_spawned: applied.entities.length,
		templates: applied.templates,
		rules: applied.rules.length,
		assertions: applied.assertions.length,
		...idsOf(applied),
		exact: restored,
		...stampOf(entry.world),
		...warned([
			...(why === null ? [] : [why]),
			...(emptied ? ['the scenario has neither entities nor rules: the world is now empty'] : []),
			...applied.warnings,
		]),
	});
}

const idsOf = ({
	entities,
	rules,
	assertions: asserted,
}: Pick<AppliedScenario, 'entities' | 'rules' | 'assertions'>) => ({
	entity_ids: [...entities],
	rule_ids: [...rules],
	assertion_ids: [...asserted],
});

/** Returns a world as a scenario, as it is now. */
const exported = (host: Host, world: World, query: ExportQuery): Promise<RawAnswer> =>
	readOnCopy(host, world, (copy) => exportWork(copy, query));

interface ExportQuery {
	readonly exact: boolean;
	readonly unset: boolean;
}

function* exportWork(world: World, { exact, unset }: ExportQuery): SlicedWork<RawAnswer> {
	const left = unset ? 'Send ?unset=false to leave out the fields that are not set. ' : '';
	const withPart = exact && world.profile !== 'bare';
	const instead = withPart ? `${left}Send ?exact=false to leave out the exact part. ` : left;
	const within = entriesWithin(MAX_DOCUMENT_BYTES, () => scenarioTooLarge(left));
	const plain = yield* scenarioWork(world, (entity) =>
		within(unset ? addUnsetFields({ entities: [entity] }).entities[0]! : entity),
	);
	const written = unset ? addUnsetFields(plain) : plain;
	if (!withPart) return scenarioBody(written, instead);
	const parsed = parsedPlain(plain);
	yield;
	const part = yield* exactWork(world, parsed);
	yield;
	return scenarioBody({ ...written, exact: part }, instead);
}

/** `instead` begins what it advises. */
function scenarioTooLarge(instead: string): ApiError {
	return new ApiError(
		'answer_too_large',
		`The scenario has more than ${MAX_DOCUMENT_BYTES} bytes, so POST /scenario would refuse it.`,
		{ fix: `${instead}To keep a world of any size, use POST /fork or POST /snapshot.` },
	);
}

/**
 * Returns a scenario as an answer that POST /scenario takes. Throws `answer_too_large`; `instead` begins what it
 * advises.
 */
function scenarioBody(document: ScenarioDocument, instead: string): RawAnswer {
	const body = documentBytes(document, MAX_DOCUMENT_BYTES);
	if (body === null) throw scenarioTooLarge(instead);
	return new RawAnswer({ status: 200, headers: { 'content-type': 'application/json' }, body });
}

/** To be told of the entries of a document that is to be saved. Throws `too_large_to_save`. */
const entriesOfFile = ({ files: { most } }: Host, path: string) =>
	entriesWithin(most, () => tooLargeToSave(path, most));

/** A file of a world, with the hashes of the assets that the world uses. */
interface WorldFile {
	readonly bytes: Uint8Array;
	readonly assets: readonly string[];
}

function* sceneFile(host: Host, world: World, path: string): SlicedWork<WorldFile> {
	requireDocumentPath(path);
	const scene = yield* sceneWork(world, entriesOfFile(host, path));
	yield;
	const exact = world.profile === 'bare' ? {} : { exact: yield* exactWork(world, scene) };
	const bytes = yield* fileWork(host, path, { ...scene, ...exact });
	return { bytes, assets: availableAssets(world) };
}

function* levelFile(host: Host, world: World, path: string): SlicedWork<WorldFile> {
	requireDocumentPath(path);
	const level = yield* levelWork(world, entriesOfFile(host, path));
	const bytes = yield* fileWork(host, path, level);
	return { bytes, assets: availableAssets(world) };
}

/** Replaces the entities of a world by those of a scene file, bit for bit if its exact part counts. */
function enterScene(host: Host, entry: WorldEntry, path: string, sent: unknown) {
	const { exact: sentExact, ...plain } = Object(sent) as Record<string, unknown>;
	const part = sentExact == null ? null : exactSchema.safeParse(sentExact);
	const why =
		part === null
			? null
			: part.success
				? tryExact(host, entry, 'invalid_scene', part.data, plain, sceneOf)
				: 'the exact part was ignored: it does not have the right form';
	const exact = part !== null && why === null;
	const applied = exact
		? { count: entry.world.entities.count, warnings: [] }
		: enterAnew(host, entry, 'invalid_scene', (world) =>
				applyScene(world, parseAs(sceneDocument, sent, path, 'invalid_scene')),
			);
	return { count: applied.count, exact, warnings: [...(why === null ? [] : [why]), ...applied.warnings] };
}

/** Opens a scenario or a level in a new world. */
async function scenarioOfFile(host: Host, entry: WorldEntry, path: string, sent: unknown) {
	const document = await withAssetHashes(
		host.assets,
		scenarioDocument,
		parseAs(scenarioDocument, sent, path, 'invalid_scenario'),
	);
	host.worlds.replace(entry, newWorld(entry.world, entry.world.seed));
	return scenarioAnswer(host, entry, document);
}

/** Opens a scene that /scene/save wrote. */
async function sceneAnswer(host: Host, entry: WorldEntry, path: string, sent: unknown) {
	parseAs(sceneDocument, sent, path, 'invalid_scene');
	host.worlds.replace(entry, newWorld(entry.world, entry.world.seed));
	const { exact, warnings } = enterScene(host, entry, path, sent);
	const ids = {
		entities: describedIds(entry.world),
		rules: ruleIds(entry.world),
		assertions: assertions(entry.world).map(({ id }) => id),
	};
	return withMeshWarnings(host, meshesOf(entry.world, ids.entities), {
		entities_spawned: ids.entities.length,
		templates: 0,
		rules: ids.rules.length,
		assertions: ids.assertions.length,
		...idsOf(ids),
		exact,
		...stampOf(entry.world),
		...warned(warnings),
	});
}

/** Returns the entities that are heroes or that a person plays. */
function heroesOf(world: World) {
	const heroes: { id: number; name: string | null; tags: string[] }[] = [];
	eachEntity(world, (id) => {
		if (get(world, id, Role)?.role !== 'Hero' && !has(world, id, Player)) return;
		heroes.push({
			id,
			name: get(world, id, Name)?.name ?? get(world, id, Hero)?.name ?? null,
			tags: [...(get(world, id, Tags)?.tags ?? [])],
		});
	});
	return heroes;
}

export const handlers = [
	handler(routes.applyScenario, ({ host, entry }, { body }) => scenarioAnswer(host, entry, body)),

	handler(routes.exportScenario, ({ host, world }, { query }) => exported(host, world, query)),

	handler(routes.applyForkScenario, async ({ host }, { params, body }) => {
		const fork = host.worlds.fork(params.id);
		return { fork_id: fork.id, ...(await scenarioAnswer(host, fork, body)) };
	}),

	handler(routes.exportForkScenario, ({ host }, { params, query }) =>
		exported(host, host.worlds.fork(params.id).world, query),
	),

	handler(routes.saveScene, async ({ host, world }, { body: { path } }) => {
		const stamp = stampOf(world);
		const count = world.entities.count;
		const { bytes, assets } = await readOnCopy(host, world, (copy) => sceneFile(host, copy, path));
		await host.assets.save(assets, host.files);
		await host.files.write(path, bytes);
		return { message: `Wrote ${count} entities to ${path}.`, path, entity_count: count, ...stamp };
	}),

	handler(routes.loadScene, async ({ host, entry }, { body: { path } }) => {
		const sent = await jsonFile(host, path, 'invalid_scene');
		const { count, exact, warnings } = enterScene(host, entry, path, sent);
		return {
			message: `Loaded ${count} entities from ${path}.`,
			path,
			entity_count: entry.world.entities.count,
			exact,
			...stampOf(entry.world),
			...warned(warnings),
		};
	}),

	handler(routes.openScene, async ({ host, entry }, { body }) => {
		const { name, path, bytes } = await findScene(host, body.name.trim());
		requireDocumentPath(path);
		const sent = parsedFile(bytes, path, 'invalid_scene');
		await host.assets.recall(hashesIn(JSON.stringify(sent)), host.files);
		const opened =
			kindOf(sent)?.code === 'invalid_scene'
				? await sceneAnswer(host, entry, path, sent)
				: await scenarioOfFile(host, entry, path, sent);
		return { name, path, heroes: heroesOf(entry.world), ...opened };
	}),

	handler(routes.saveLevel, async ({ host, world }, { body: { path } }) => {
		const stamp = stampOf(world);
		const count = world.entities.count;
		const { bytes, assets } = await readOnCopy(host, world, (copy) => levelFile(host, copy, path));
		await host.assets.save(assets, host.files);
		await host.files.write(path, bytes);
		return { message: `Wrote the level to ${path}.`, path, entity_count: count, ...stamp };
	}),

	handler(routes.loadLevel, async ({ host, entry }, { body }) => {
		const sent =
			'level' in body
				? body.level
				: await withAssetHashes(
						host.assets,
						levelDocument,
						parseAs(
							levelDocument,
							await jsonFile(host, body.path, 'invalid_level'),
							body.path,
							'invalid_level',
						),
					);
		requireUsable(host, sent.actions ?? [], 'invalid_level');
		const level = await withSettled(host, entry.world, sent);
		const applied = enter(entry, 'invalid_level', (world) => applyLevel(world, level));
		host.worlds.entered(entry);
		const models = [
			...meshesOf(entry.world, applied.entities),
			...modelsNamed(entry.world, level, applied.rules),
		];
		return withMeshWarnings(host, models, {
			entities_created: applied.entities.length,
			rules_created: applied.rules.length,
			assertions_created: applied.assertions.length,
			templates: applied.templates,
			...idsOf(applied),
			...stampOf(entry.world),
			...warned(applied.warnings),
		});
	}),
];
