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
import { assertionsOf } from '../sim/assertions/assertion.ts';
import { eachEntity } from '../sim/core/entities.ts';
import { availableHashesOf, hashesIn } from '../sim/core/named-assets.ts';
import type { SlicedWork } from '../sim/core/sliced-work.ts';
import { get, has, type World } from '../sim/core/world.ts';
import { describedIds } from '../sim/documents/entity-entry.ts';
import { exactPartWork, loadExactWorld } from '../sim/documents/exact-part.ts';
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
import { guessKind } from './document-kind.ts';
import { findScene } from './find-scene.ts';
import { handler } from './handler.ts';
import {
	documentBytes,
	entriesWithin,
	type FileErrorCode,
	fileWork,
	parseFile,
	readJson,
	requireDocumentPath,
} from './json-file.ts';
import { meshesOf, withMeshWarnings } from './mesh-files.ts';
import { RawAnswer } from './raw-answer.ts';
import { readOnCopy } from './read-on-copy.ts';
import { warningsField } from './warnings-field.ts';
import { createEmptyWorld } from './world.ts';
import { stampOf } from './world-stamp.ts';

/**
 * Returns the JSON of a scene or level file, after loading the saved assets that it names. Throws `code` for a file of another kind
 * or for one that is not JSON.
 */
async function readDocument(host: Host, path: string, code: FileErrorCode): Promise<unknown> {
	const sent = await readJson(host, path, code);
	const guess = guessKind(sent);
	if (guess !== undefined && guess.code !== code)
		throw new ApiError(code, `${path} is ${guess.description}.`, { fix: guess.fix });
	await host.assets.recall(hashesIn(JSON.stringify(sent)), host.files);
	return sent;
}

/** Parses the content of a file with a schema. Throws `code`. */
function parseAs<T extends z.ZodType>(
	schema: T,
	sent: unknown,
	path: string,
	code: FileErrorCode | 'invalid_scenario',
): z.output<T> {
	const parsed = schema.safeParse(sent);
	if (!parsed.success) throw shapeError(code, schema, parsed.error, sent, path);
	return parsed.data;
}

/** Returns a world as a scenario without an exact part. An exact part is valid only with this document of its world. */
function plainScenarioOf(world: World): ScenarioDocument {
	return parsePlain(scenarioOf(world));
}

function parsePlain(scenario: ScenarioDocument): ScenarioDocument {
	return omitUnsetFields(scenarioDocument.parse(scenario));
}

/** Codes of refusals that already name the part of the document, or that report a full world. */
const OWN_CODES: ReadonlySet<ErrorCode> = new Set([
	'invalid_rule',
	'invalid_assertion',
	'unknown_template',
	'world_full',
]);

/** Applies a document to a world. Every refusal without a code of its own gets `code`. */
function applyOrRefuse<T>(entry: WorldEntry, code: ErrorCode, apply: (world: World) => T): T {
	try {
		return apply(entry.world);
	} catch (error) {
		if (!(error instanceof ApiError) || OWN_CODES.has(error.code)) throw error;
		const { message, fix, path } = error;
		throw new ApiError(code, message, path === undefined ? { fix } : { fix, path });
	}
}

/** Applies a document that replaces the whole content of a world. */
function applyAsNewWorld<T>(host: Host, entry: WorldEntry, code: ErrorCode, apply: (world: World) => T): T {
	const applied = applyOrRefuse(entry, code, apply);
	host.worlds.afterReplacement(entry);
	return applied;
}

/**
 * Restores the exact part of a document. Returns null, or a warning if the part is ignored. Throws `code` if an asset is missing.
 */
function restoreExact(
	host: Host,
	entry: WorldEntry,
	code: ErrorCode,
	part: ExactPart,
	document: unknown,
	describe: (world: World) => unknown,
): string | null {
	return catchRefusal(
		() => {
			const world = applyOrRefuse(entry, code, (current) =>
				loadExactWorld(part, document, describe, current),
			);
			host.worlds.replace(entry, world);
			return null;
		},
		({ message }) => `the exact part was ignored: ${message}`,
	);
}

/**
 * Returns a document whose settings name textures and sounds by their hashes, as its other parts do. Throws the errors of
 * `withAssetHashes`.
 */
async function withSettingHashes<D extends LevelDocument>(host: Host, world: World, document: D): Promise<D> {
	if (document.resources == null) return document;
	const resources = await withAssetHashes(host.assets, settingsSchema(world), document.resources);
	return { ...document, resources };
}

/** Returns the model files that a document and its rules name, except those of its spawned entities. */
function modelFilesOf(
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
	const { exact, ...sent } = await withSettingHashes(host, entry.world, body);
	requireUsable(host, sent.actions ?? [], 'invalid_scenario');
	const plain = omitUnsetFields(sent);
	const countBefore = entry.world.entities.count;
	const ignoredReason =
		exact == null ? null : restoreExact(host, entry, 'invalid_scenario', exact, plain, plainScenarioOf);
	const isRestored = exact != null && ignoredReason === null;
	const applied = isRestored
		? {
				entities: describedIds(entry.world),
				rules: ruleIds(entry.world),
				assertions: assertionsOf(entry.world).map(({ id }) => id),
				templates: Object.keys(plain.templates ?? {}).length,
				warnings: [],
			}
		: applyAsNewWorld(host, entry, 'invalid_scenario', (world) => applyScenario(world, plain));
	const isEmptied = countBefore > 0 && entry.world.entities.count === 0;
	const models = [
		...meshesOf(entry.world, applied.entities),
		...modelFilesOf(entry.world, plain, applied.rules),
	];
	return withMeshWarnings(host, models, {
		entities_spawned: applied.entities.length,
		templates: applied.templates,
		rules: applied.rules.length,
		assertions: applied.assertions.length,
		...idsOf(applied),
		exact: isRestored,
		...stampOf(entry.world),
		...warningsField([
			...(ignoredReason === null ? [] : [ignoredReason]),
			...(isEmptied ? ['the scenario has neither entities nor rules: the world is now empty'] : []),
			...applied.warnings,
		]),
	});
}

const idsOf = ({
	entities,
	rules,
	assertions: assertionIds,
}: Pick<AppliedScenario, 'entities' | 'rules' | 'assertions'>) => ({
	entity_ids: [...entities],
	rule_ids: [...rules],
	assertion_ids: [...assertionIds],
});

/** Returns the current state of a world as a scenario. */
const exportScenario = (host: Host, world: World, query: ExportQuery): Promise<RawAnswer> =>
	readOnCopy(host, world, (copy) => exportWork(copy, query));

interface ExportQuery {
	readonly exact: boolean;
	readonly unset: boolean;
}

function* exportWork(world: World, { exact, unset }: ExportQuery): SlicedWork<RawAnswer> {
	const unsetAdvice = unset ? 'Send ?unset=false to leave out the fields that are not set. ' : '';
	const hasExactPart = exact && world.profile !== 'bare';
	const advice = hasExactPart ? `${unsetAdvice}Send ?exact=false to leave out the exact part. ` : unsetAdvice;
	const countEntry = entriesWithin(MAX_DOCUMENT_BYTES, () => scenarioTooLarge(unsetAdvice));
	const plain = yield* scenarioWork(world, (entity) =>
		countEntry(unset ? addUnsetFields({ entities: [entity] }).entities[0]! : entity),
	);
	const written = unset ? addUnsetFields(plain) : plain;
	if (!hasExactPart) return scenarioBody(written, advice);
	const parsed = parsePlain(plain);
	yield;
	const part = yield* exactPartWork(world, parsed);
	yield;
	return scenarioBody({ ...written, exact: part }, advice);
}

/** Returns the refusal of a scenario that is too large. `advice` begins its fix. */
function scenarioTooLarge(advice: string): ApiError {
	return new ApiError(
		'answer_too_large',
		`The scenario has more than ${MAX_DOCUMENT_BYTES} bytes, so POST /scenario would refuse it.`,
		{ fix: `${advice}To keep a world of any size, use POST /fork or POST /snapshot.` },
	);
}

/** Returns a scenario as an answer that POST /scenario accepts. Throws `answer_too_large`, whose fix begins with `advice`. */
function scenarioBody(document: ScenarioDocument, advice: string): RawAnswer {
	const body = documentBytes(document, MAX_DOCUMENT_BYTES);
	if (body === null) throw scenarioTooLarge(advice);
	return new RawAnswer({ status: 200, headers: { 'content-type': 'application/json' }, body });
}

/** Returns a function that counts the entries of a document to save. It throws `too_large_to_save`. */
const entryCounter = ({ files: { most } }: Host, path: string) =>
	entriesWithin(most, () => tooLargeToSave(path, most));

/** Bytes of a file of a world, and the hashes of the assets that the world uses. */
interface WorldFile {
	readonly bytes: Uint8Array;
	readonly assets: readonly string[];
}

function* sceneFile(host: Host, world: World, path: string): SlicedWork<WorldFile> {
	requireDocumentPath(path);
	const scene = yield* sceneWork(world, entryCounter(host, path));
	yield;
	const exact = world.profile === 'bare' ? {} : { exact: yield* exactPartWork(world, scene) };
	const bytes = yield* fileWork(host, path, { ...scene, ...exact });
	return { bytes, assets: availableHashesOf(world) };
}

function* levelFile(host: Host, world: World, path: string): SlicedWork<WorldFile> {
	requireDocumentPath(path);
	const level = yield* levelWork(world, entryCounter(host, path));
	const bytes = yield* fileWork(host, path, level);
	return { bytes, assets: availableHashesOf(world) };
}

/** Replaces the entities of a world by those of a scene file. If the exact part is valid, the result is equal to the bit. */
function loadScene(host: Host, entry: WorldEntry, path: string, sent: unknown) {
	const { exact: sentExact, ...plain } = Object(sent) as Record<string, unknown>;
	const part = sentExact == null ? null : exactSchema.safeParse(sentExact);
	const ignoredReason =
		part === null
			? null
			: part.success
				? restoreExact(host, entry, 'invalid_scene', part.data, plain, sceneOf)
				: 'the exact part was ignored: it does not have the right form';
	const exact = part !== null && ignoredReason === null;
	const applied = exact
		? { count: entry.world.entities.count, warnings: [] }
		: applyAsNewWorld(host, entry, 'invalid_scene', (world) =>
				applyScene(world, parseAs(sceneDocument, sent, path, 'invalid_scene')),
			);
	return {
		count: applied.count,
		exact,
		warnings: [...(ignoredReason === null ? [] : [ignoredReason]), ...applied.warnings],
	};
}

/** Opens a scenario or a level in a new world. */
async function scenarioOfFile(host: Host, entry: WorldEntry, path: string, sent: unknown) {
	const document = await withAssetHashes(
		host.assets,
		scenarioDocument,
		parseAs(scenarioDocument, sent, path, 'invalid_scenario'),
	);
	host.worlds.replace(entry, createEmptyWorld(entry.world, entry.world.seed));
	return scenarioAnswer(host, entry, document);
}

/** Opens a scene that /scene/save wrote. */
async function sceneAnswer(host: Host, entry: WorldEntry, path: string, sent: unknown) {
	parseAs(sceneDocument, sent, path, 'invalid_scene');
	host.worlds.replace(entry, createEmptyWorld(entry.world, entry.world.seed));
	const { exact, warnings } = loadScene(host, entry, path, sent);
	const ids = {
		entities: describedIds(entry.world),
		rules: ruleIds(entry.world),
		assertions: assertionsOf(entry.world).map(({ id }) => id),
	};
	return withMeshWarnings(host, meshesOf(entry.world, ids.entities), {
		entities_spawned: ids.entities.length,
		templates: 0,
		rules: ids.rules.length,
		assertions: ids.assertions.length,
		...idsOf(ids),
		exact,
		...stampOf(entry.world),
		...warningsField(warnings),
	});
}

/** Returns the entities that are heroes or have a player. */
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

	handler(routes.exportScenario, ({ host, world }, { query }) => exportScenario(host, world, query)),

	handler(routes.applyForkScenario, async ({ host }, { params, body }) => {
		const fork = host.worlds.fork(params.id);
		return { fork_id: fork.id, ...(await scenarioAnswer(host, fork, body)) };
	}),

	handler(routes.exportForkScenario, ({ host }, { params, query }) =>
		exportScenario(host, host.worlds.fork(params.id).world, query),
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
		const sent = await readDocument(host, path, 'invalid_scene');
		const { count, exact, warnings } = loadScene(host, entry, path, sent);
		return {
			message: `Loaded ${count} entities from ${path}.`,
			path,
			entity_count: entry.world.entities.count,
			exact,
			...stampOf(entry.world),
			...warningsField(warnings),
		};
	}),

	handler(routes.openScene, async ({ host, entry }, { body }) => {
		const { name, path, bytes } = await findScene(host, body.name.trim());
		requireDocumentPath(path);
		const sent = parseFile(bytes, path, 'invalid_scene');
		await host.assets.recall(hashesIn(JSON.stringify(sent)), host.files);
		const opened =
			guessKind(sent)?.code === 'invalid_scene'
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
							await readDocument(host, body.path, 'invalid_level'),
							body.path,
							'invalid_level',
						),
					);
		requireUsable(host, sent.actions ?? [], 'invalid_level');
		const level = await withSettingHashes(host, entry.world, sent);
		const applied = applyOrRefuse(entry, 'invalid_level', (world) => applyLevel(world, level));
		host.worlds.afterDocument(entry);
		const models = [
			...meshesOf(entry.world, applied.entities),
			...modelFilesOf(entry.world, level, applied.rules),
		];
		return withMeshWarnings(host, models, {
			entities_created: applied.entities.length,
			rules_created: applied.rules.length,
			assertions_created: applied.assertions.length,
			templates: applied.templates,
			...idsOf(applied),
			...stampOf(entry.world),
			...warningsField(applied.warnings),
		});
	}),
];
