/**
 * Scenarios and levels: a world as a document, and a document as a world.
 * Owns: which sections there are and the order in which they take effect.
 */

import { Fault } from '../../../shared/contract/errors.ts';
import { shapeFault } from '../../../shared/contract/explain-issue.ts';
import { nearest } from '../../../shared/contract/nearest.ts';
import type { LevelDocument, ScenarioDocument } from '../../../shared/documents/scenario.ts';
import { assertionDocuments, createFromDocument } from '../assertions/assertion.ts';
import { CameraPose, camera, moveCamera } from '../camera/camera.ts';
import { canonicalJson, inKeyOrder } from '../core/canonical-json.ts';
import { eachEntity, entityAt, isAlive } from '../core/entities.ts';
import { setResource } from '../core/resource.ts';
import { despawn, type World } from '../core/world.ts';
import { Match, matchDocument, startMatch } from '../match/match.ts';
import { createRule, ruleDocuments } from '../rules/rule.ts';
import { installTemplates, TemplateRegistry, templates } from '../templates/templates.ts';
import { hasReferences, withHandles, withReferences } from './component-values.ts';
import { bareDocuments, enterEntities, entityDocuments, within } from './entity-entry.ts';
import { typedRule } from './rule-entry.ts';

/** Resources that have sections of their own. */
const SECTIONS = new Set([CameraPose.name, Match.name, TemplateRegistry.name]);

export interface Applied {
	readonly entities: number;
	readonly templates: number;
	readonly rules: number;
	readonly assertions: number;
	readonly warnings: readonly string[];
}

/** A world as a plain scenario: everything about its entities, rules, assertions, templates, camera and match settings. */
export function scenarioOf(world: World): ScenarioDocument {
	const bare = world.profile === 'bare';
	const resources = bare ? {} : otherResources(world);
	return {
		...levelOf(world, 2),
		...(Object.keys(resources).length > 0 ? { resources } : {}),
	};
}

/** A world as a level. */
export function levelOf(world: World, version = 1): LevelDocument {
	const { eye, target, up, fov_y, orthographic, ortho_size } = camera(world);
	const entities = world.profile === 'bare' ? bareDocuments(world) : entityDocuments(world);
	const rules = inKeyOrder(ruleDocuments(world)) as NonNullable<LevelDocument['rules']>;
	const assertions = inKeyOrder(assertionDocuments(world));
	const known = inKeyOrder(templates(world));
	const game = matchDocument(world);
	return {
		version,
		camera: { eye: [...eye], target: [...target], up: [...up], fov_y, orthographic, ortho_size },
		...(game === undefined ? {} : { game }),
		...(Object.keys(known).length > 0 ? { templates: { ...known } } : {}),
		...(entities.length > 0 ? { entities } : {}),
		...(rules.length > 0 ? { rules } : {}),
		...(assertions.length > 0 ? { assertions } : {}),
	};
}

/** Resources without a section whose value is not the one a fresh world has. */
function otherResources(world: World): Record<string, unknown> {
	const found: Record<string, unknown> = {};
	for (const name of [...world.resources.keys()].sort()) {
		const { resource, value } = world.resources.get(name)!;
		if (SECTIONS.has(name) || resource.scope === 'derived') continue;
		if (canonicalJson(value) === canonicalJson(resource.initial(world.profile) ?? null)) continue;
		found[name] = inKeyOrder(withReferences(world, value));
	}
	return found;
}

/**
 * Replaces everything in a world by a scenario, its exact part left aside. Throws with the path of what is wrong,
 * possibly halfway: give it a clone.
 */
export function applyScenario(world: World, document: ScenarioDocument): Applied {
	const all: number[] = [];
	eachEntity(world, (id) => all.push(id));
	for (const id of all) despawn(world, id);
	installTemplatesOf(world, document);
	// Entities may carry items, so the registries come first; what refers to entities has to wait for them.
	const settings = Object.entries(document.resources ?? {});
	applyResources(
		world,
		settings.filter(([, value]) => !hasReferences(value)),
	);
	const entered = enterEntities(world, document.entities ?? [], true);
	applyResources(
		world,
		settings.filter(([, value]) => hasReferences(value)),
	);
	return { ...applyRest(world, document), entities: entered.count, warnings: entered.warnings };
}

/** Adds a level to a world. Throws with the path of what is wrong, possibly halfway: give it a clone. */
export function applyLevel(world: World, document: LevelDocument): Applied {
	installTemplatesOf(world, document);
	const entered = enterEntities(world, document.entities ?? [], false);
	return { ...applyRest(world, document), entities: entered.count, warnings: entered.warnings };
}

function installTemplatesOf(world: World, document: LevelDocument): void {
	if (document.templates != null && Object.keys(document.templates).length > 0)
		installTemplates(world, document.templates);
}

function applyRest(world: World, document: LevelDocument): Omit<Applied, 'entities' | 'warnings'> {
	const rules = document.rules ?? [];
	const assertions = document.assertions ?? [];
	rules.forEach((rule, i) => {
		within(`rules[${i}]`, () => createRule(world, typedRule(rule)));
	});
	assertions.forEach((assertion, i) => {
		within(`assertions[${i}]`, () => createFromDocument(world, assertion));
	});
	if (document.camera != null) {
		const given = Object.entries(document.camera).filter(([, value]) => value != null);
		moveCamera(world, Object.fromEntries(given));
	}
	if (document.game != null) startMatch(world, document.game);
	return {
		templates: Object.keys(document.templates ?? {}).length,
		rules: rules.length,
		assertions: assertions.length,
	};
}

function applyResources(world: World, sent: readonly (readonly [string, unknown])[]): void {
	for (const [name, value] of sent) {
		const path = `resources.${name}`;
		const known = world.resources.get(name)?.resource;
		if (known === undefined || SECTIONS.has(name) || known.scope === 'derived') {
			const names = [...world.resources.keys()].filter((other) => !SECTIONS.has(other)).sort();
			const near = nearest(name, names);
			throw new Fault('invalid_scenario', `${path}: there is no such setting.`, {
				fix: near ? `Did you mean "${near}"?` : `Known settings: ${names.join(', ') || 'none'}.`,
				path,
			});
		}
		const handles = withHandles(
			value,
			(id) => (isAlive(world, id) ? entityAt(world, id) : undefined),
			(reason) => {
				throw new Fault('invalid_scenario', `${path}: ${reason}.`, { path });
			},
		);
		const parsed = known.schema.safeParse(handles);
		if (!parsed.success)
			throw within(path, () => shapeFault('invalid_scenario', known.schema, parsed.error, handles));
		setResource(world, known, parsed.data);
	}
}
