/**
 * Scenarios and levels: writing a world as a document, and applying a document to a world.
 * Owns: the sections, and the order in which they are applied.
 */

import * as z from 'zod';
import { ApiError } from '../../../shared/contract/errors.ts';
import { shapeError } from '../../../shared/contract/explain-issue.ts';
import { suggestion } from '../../../shared/contract/nearest.ts';
import { moveTicksIn } from '../../../shared/contract/tick.ts';
import { spawnDocument } from '../../../shared/documents/spawn.ts';
import { assertionDocument } from '../../../shared/rules/assertion.ts';
import { writtenRule } from '../../../shared/rules/rule.ts';
import {
	type EntityDocument,
	type LevelDocument,
	MAX_RADIANS,
	type ScenarioDocument,
} from '../../../shared/rules/scenario.ts';
import { ActionRegistry, actionsOf, addActions, clearActions } from '../actions/actions.ts';
import { assertionDocumentsOf, createFromDocument, toTypedAssertion } from '../assertions/assertion.ts';
import { CameraPose, moveCamera, stillCamera } from '../camera/camera.ts';
import { CameraMovement } from '../camera/camera-movement.ts';
import { canonicalJson, withSortedKeys } from '../core/canonical-json.ts';
import { eachEntity, entityAt, isAlive } from '../core/entities.ts';
import { clearResource, type Resource, setResource } from '../core/resource.ts';
import { finishWork, type SlicedWork } from '../core/sliced-work.ts';
import { despawn, type World } from '../core/world.ts';
import { declaredEnvironment, Environment, setEnvironment } from '../environment/environment.ts';
import { Hud } from '../hud/hud.ts';
import { MaterialRegistry, requireMaterial, textureWarnings } from '../looks/materials.ts';
import { Match, matchDocument, startMatch } from '../match/match.ts';
import { PrefabRegistry, requirePrefab } from '../prefabs/prefabs.ts';
import { createRule, ruleDocuments } from '../rules/rule.ts';
import { storedDocumentWarnings } from '../spawn/try-spawning.ts';
import { resolveWearers } from '../stats/resolve-stats.ts';
import { installTemplates, requireTemplate, TemplateRegistry, templates } from '../templates/templates.ts';
import { ruleWarnings } from '../warnings/rule-warnings.ts';
import { nameWorld, WorldName, worldName } from '../world-name/world-name.ts';
import { atPath } from './at-path.ts';
import { hasReferences, withHandles, withReferences } from './component-values.ts';
import { bareDocuments, claimEntities, enterEntities, entityDocuments } from './entity-entry.ts';
import { withOwnIds } from './own-ids.ts';
import { parseRule } from './rule-entry.ts';

/** Resources that are not in `resources`, because they have their own sections. */
const SECTIONS = new Set([
	ActionRegistry.name,
	CameraPose.name,
	Environment.name,
	Match.name,
	TemplateRegistry.name,
	WorldName.name,
]);

/** Result of applying a document to a world. Ids are in the order of the document. */
export interface AppliedScenario {
	readonly entities: readonly number[];
	readonly rules: readonly number[];
	readonly assertions: readonly number[];
	readonly templates: number;
	readonly warnings: readonly string[];
}

/**
 * Returns a world as a scenario without an exact part: its entities, rules, assertions, templates, registries, camera and
 * match settings.
 */
export const scenarioOf = (world: World): ScenarioDocument => finishWork(scenarioWork(world));

/**
 * Creates the scenario in slices. Calls `onEntry` with the entry of an entity before it creates the next one, except on
 * a bare host. `onEntry` may throw.
 */
export function* scenarioWork(
	world: World,
	onEntry?: (document: EntityDocument) => void,
): SlicedWork<ScenarioDocument> {
	return { ...(yield* sectionsOf(world, 2, onEntry)), ...resourcesOf(world, () => true) };
}

/** Returns a world as a level, in slices. `onEntry`: see `scenarioWork`. */
export function* levelWork(
	world: World,
	onEntry?: (document: EntityDocument) => void,
): SlicedWork<LevelDocument> {
	const sections = yield* sectionsOf(world, 1, onEntry);
	return { ...sections, ...resourcesOf(world, ({ merge }) => merge !== undefined) };
}

function* sectionsOf(
	world: World,
	version: number,
	onEntry?: (document: EntityDocument) => void,
): SlicedWork<LevelDocument> {
	const { eye, target, up, fov_y, orthographic, ortho_size, near, far } = stillCamera(world);
	const entities = world.profile === 'bare' ? bareDocuments(world) : yield* entityDocuments(world, onEntry);
	const rules = withSortedKeys(ruleDocuments(world)) as NonNullable<LevelDocument['rules']>;
	const assertions = withSortedKeys(assertionDocumentsOf(world));
	const templatesByName = withSortedKeys(templates(world));
	const actions = withSortedKeys(actionsOf(world)) as NonNullable<LevelDocument['actions']>;
	const game = matchDocument(world);
	const environment = declaredEnvironment(world);
	const name = worldName(world);
	return {
		version,
		...(name === '' ? {} : { name }),
		camera: { eye: [...eye], target: [...target], up: [...up], fov_y, orthographic, ortho_size, near, far },
		...(game === undefined ? {} : { game }),
		...(environment === undefined ? {} : { environment: withSortedKeys(environment) }),
		...(Object.keys(templatesByName).length > 0 ? { templates: { ...templatesByName } } : {}),
		...(entities.length > 0 ? { entities } : {}),
		...(rules.length > 0 ? { rules } : {}),
		...(assertions.length > 0 ? { assertions } : {}),
		...(actions.length > 0 ? { actions } : {}),
	};
}

/** Returns the resources without a section whose values differ from a new world. Empty for a bare host. */
function resourcesOf(
	world: World,
	isWanted: (resource: Resource) => boolean,
): { resources?: Record<string, unknown> } {
	if (world.profile === 'bare') return {};
	const resources: Record<string, unknown> = {};
	for (const name of [...world.resources.keys()].sort()) {
		const { resource, value } = world.resources.get(name)!;
		if (SECTIONS.has(name) || resource.scope === 'derived' || resource.transient) continue;
		if (!isWanted(resource)) continue;
		if (canonicalJson(value) === canonicalJson(resource.initial(world.profile) ?? null)) continue;
		const relative = moveTicksIn(resource.schema, value, -world.tick, 0);
		resources[name] = withSortedKeys(withReferences(world, resource.schema, relative));
	}
	return Object.keys(resources).length > 0 ? { resources } : {};
}

/**
 * Replaces the entities, actions and name of a world by those of a scenario. Ignores the exact part. Clears the HUD that
 * former rules wrote. Adds the templates to the existing ones. Keeps a match and settings that the scenario does not
 * contain. Throws with the path of the error. May throw after a part of the changes: pass a clone.
 */
export function applyScenario(world: World, document: ScenarioDocument): AppliedScenario {
	const formerIds: number[] = [];
	eachEntity(world, (id) => formerIds.push(id));
	for (const id of formerIds) despawn(world, id);
	setResource(world, Hud, []);
	setEnvironment(world, null);
	clearActions(world);
	nameWorld(world, document.name ?? '');
	return applyDocument(world, document, (resource, value) => {
		const empty = resource.initial(world.profile);
		return resource.merge === undefined || empty === undefined ? value : resource.merge(empty, value);
	});
}

/**
 * Adds a level to a world: entities, templates, actions and entries of registries. A world without a name gets the name
 * of the level. In a world without entities, the ids of the level are kept. Throws with the path of the error. May throw
 * after a part of the changes: pass a clone.
 */
export function applyLevel(world: World, document: LevelDocument): AppliedScenario {
	if (worldName(world) === '') nameWorld(world, document.name ?? '');
	return applyDocument(world, document, (resource, value, path) => {
		if (resource.merge === undefined)
			throw new ApiError(
				'invalid_level',
				`${path}: this is not a registry, and a level can contain only registries.`,
				{
					fix: 'Omit it, or apply the document with POST /scenario.',
					path,
				},
			);
		const present = world.resources.get(resource.name)?.value;
		return present === undefined ? value : resource.merge(present, value);
	});
}

/** Combines the value of a resource with the value in a document. */
type CombineValues = (resource: Resource, value: unknown, path: string) => unknown;

function applyDocument(world: World, document: LevelDocument, combine: CombineValues): AppliedScenario {
	const entries = document.entities ?? [];
	const claimed = claimEntities(world, entries);
	const { handles, idOf } = claimed;
	if (document.templates != null && Object.keys(document.templates).length > 0)
		installTemplates(world, withOwnIds(z.record(z.string(), spawnDocument), document.templates, idOf));
	// Registries come before entities, which may have items of them. Settings that refer to entities come after these.
	const settings = Object.entries(document.resources ?? {}).map(
		([name, value]) => [name, withOwnIds(settingSchema(world, name), value, idOf)] as const,
	);
	const [independentSettings, referringSettings] = [
		settings.filter(([, value]) => !hasReferences(value)),
		settings.filter(([, value]) => hasReferences(value)),
	];
	applyResources(world, independentSettings, combine);
	resolveWearers(world);
	const warnings = enterEntities(world, entries, claimed);
	applyResources(world, referringSettings, combine);
	const rules = (document.rules ?? []).map((rule, i) =>
		atPath(`rules[${i}]`, () => createRule(world, withOwnIds(writtenRule, parseRule(rule), idOf)).id),
	);
	const assertions = (document.assertions ?? []).map((assertion, i) =>
		atPath(
			`assertions[${i}]`,
			() => createFromDocument(world, withOwnIds(assertionDocument, toTypedAssertion(assertion), idOf)).id,
		),
	);
	addActions(world, document.actions ?? []);
	const { environment } = document;
	if (environment != null) atPath('environment', () => setEnvironment(world, environment));
	const unitWarnings: string[] = [];
	if (document.camera != null) {
		const change = Object.fromEntries(Object.entries(document.camera).filter(([, value]) => value != null));
		const { fov_y } = document.camera;
		if (fov_y != null && fov_y > MAX_RADIANS) {
			change.fov_y = (fov_y * Math.PI) / 180;
			unitWarnings.push(`camera.fov_y: ${fov_y} is read as degrees; the unit is radians`);
		}
		moveCamera(world, change);
		if (document.resources?.[CameraMovement.name] === undefined) clearResource(world, CameraMovement);
	}
	if (document.game != null) startMatch(world, document.game);
	const warningsOfRules = rules.flatMap((id, i) =>
		ruleWarnings(world, id).map((warning) => `rules[${i}].${warning}`),
	);
	const entities = handles.map(({ id }) => id);
	return {
		entities,
		rules,
		assertions,
		templates: Object.keys(document.templates ?? {}).length,
		warnings: [...warnings, ...registryWarnings(world, document), ...warningsOfRules, ...unitWarnings],
	};
}

/** Returns warnings about templates, prefabs and materials of a document that have no effect now, with their paths. */
function registryWarnings(world: World, { templates: sent, resources }: LevelDocument): string[] {
	const withPath = (path: string, warnings: readonly string[]) =>
		warnings.map((warning) => `${path}: ${warning}`);
	const inTemplates = Object.keys(sent ?? {}).flatMap((name) =>
		withPath(`templates.${name}`, storedDocumentWarnings(world, requireTemplate(world, name))),
	);
	const inPrefabs = Object.keys(resources?.[PrefabRegistry.name] ?? {}).flatMap((name) =>
		withPath(`resources.prefabs.${name}`, storedDocumentWarnings(world, requirePrefab(world, name).document)),
	);
	const inMaterials = Object.keys(resources?.[MaterialRegistry.name] ?? {}).flatMap((name) =>
		withPath(`resources.materials.${name}`, textureWarnings(world, requireMaterial(world, name))),
	);
	return [...inTemplates, ...inPrefabs, ...inMaterials];
}

/** Returns the schema of the settings in a document. It accepts any value of an unknown setting. */
export const settingsSchema = (world: World): z.ZodType =>
	z.looseObject(Object.fromEntries(world.declared.map(({ name, schema }) => [name, schema])));

/** Returns the schema of a setting's value; any value for an unknown setting. */
function settingSchema(world: World, name: string): z.ZodType {
	return world.declared.find((resource) => resource.name === name)?.schema ?? z.unknown();
}

function applyResources(
	world: World,
	sent: readonly (readonly [string, unknown])[],
	combine: CombineValues,
): void {
	for (const [name, value] of sent) {
		const path = `resources.${name}`;
		const declaration = world.declared.find((resource) => resource.name === name);
		if (declaration === undefined || SECTIONS.has(name) || declaration.scope === 'derived') {
			const names = world.declared.map((resource) => resource.name).filter((name) => !SECTIONS.has(name));
			const fix = suggestion(name, names);
			throw new ApiError('invalid_scenario', `${path}: there is no such setting.`, { fix, path });
		}
		const handles = withHandles(
			value,
			(id) => (isAlive(world, id) ? entityAt(world, id) : undefined),
			(reason) => {
				throw new ApiError('invalid_scenario', `${path}: ${reason}.`, { path });
			},
		);
		const parsedValue = atPath(path, () => {
			const shifted = moveTicksIn(declaration.schema, handles, world.tick, world.tick);
			const parsed = declaration.schema.safeParse(shifted);
			if (parsed.success) return parsed.data;
			throw shapeError('invalid_scenario', declaration.schema, parsed.error, handles, 'it');
		});
		setResource(world, declaration, combine(declaration, parsedValue, path));
	}
}
