/** Demands of aspects: not only a spawn, but every way of creating or changing entities refuses to break them. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Collider } from '../../../../shared/components/collider.ts';
import { Material } from '../../../../shared/components/material.ts';
import { Particles } from '../../../../shared/components/particles.ts';
import { Sound } from '../../../../shared/components/sound.ts';
import { Terrain } from '../../../../shared/components/terrain.ts';
import { MAX_WATERS, Water } from '../../../../shared/components/water.ts';
import type { Component } from '../../../../shared/contract/component.ts';
import { ApiError, type ErrorCode, Refusal } from '../../../../shared/contract/errors.ts';
import { jsonSchema } from '../../../../shared/contract/json-schema.ts';
import { type SpawnDocument, spawnDocument, spawnFields } from '../../../../shared/documents/spawn.ts';
import { MAX_EMITTERS } from '../../../../shared/media/particles.ts';
import { flatGround, MAX_POINTS, MAX_TOTAL_POINTS } from '../../../../shared/media/terrain.ts';
import { patchComponents } from '../../../../shared/routes/world.ts';
import { writtenRule } from '../../../../shared/rules/rule.ts';
import { levelDocument, scenarioDocument } from '../../../../shared/rules/scenario.ts';
import { type Aspect, newEntityChange } from '../../../../web/sim/aspects/aspect.ts';
import { belongings } from '../../../../web/sim/aspects/belongings.ts';
import { aspects } from '../../../../web/sim/aspects/index.ts';
import { parent } from '../../../../web/sim/aspects/parent.ts';
import { refusalOf } from '../../../../web/sim/core/refusal-of.ts';
import { add, count, spawn, type World } from '../../../../web/sim/core/world.ts';
import { rowInDocument } from '../../../../web/sim/documents/component-values.ts';
import { createExactPart, loadExactWorld } from '../../../../web/sim/documents/exact-part.ts';
import { parseRule } from '../../../../web/sim/documents/rule-entry.ts';
import { applyLevel, applyScenario } from '../../../../web/sim/documents/scenario.ts';
import { applyScene, sceneDocument } from '../../../../web/sim/documents/scene.ts';
import { MAX_CROWD } from '../../../../web/sim/physics/crowding.ts';
import { createRule } from '../../../../web/sim/rules/rule.ts';
import { changeEntity } from '../../../../web/sim/spawn/change-entity.ts';
import { spawnable, spawnEntity } from '../../../../web/sim/spawn/spawn-entity.ts';
import { step } from '../../../../web/sim/step.ts';
import { valuesOf } from '../../../support/arbitraries.ts';
import { freshWorld } from '../../../support/engine.ts';
import { check } from '../../../support/property.ts';

const HASH = 'ab'.repeat(32);
const POINTS_PER_SIDE = MAX_POINTS;

interface Demand {
	readonly code: ErrorCode;
	/** Spawn document that breaks the demand. */
	readonly document: object;
	/** Component of the document. */
	readonly component: Component;
	/** Number of such entities that breaks the demand. Default: 1. */
	readonly times?: number;
	/** `on each tick` if bodies can break the demand by moving. Then each tick is refused. */
	readonly checked?: 'on each tick';
}

const demands: Readonly<Record<string, Demand>> = {
	'a surface that moves': {
		code: 'static_only',
		document: {
			collider: {
				shape: 'TriMesh',
				points: [
					[0, 0, 0],
					[1, 0, 0],
					[0, 0, 1],
				],
				triangles: [[0, 1, 2]],
			},
			physics_body: 'Dynamic',
		},
		component: Collider,
	},
	'a hull of a missing asset': {
		code: 'asset_missing',
		document: { collider: { shape: 'ConvexHull', asset: HASH }, physics_body: 'Static' },
		component: Collider,
	},
	'bodies on one point': {
		code: 'too_crowded',
		document: { position: [0, 0, 0], collider: { shape: 'Sphere', radius: 0.5 }, physics_body: 'Dynamic' },
		component: Collider,
		times: MAX_CROWD + 1,
		checked: 'on each tick',
	},
	'more ground than the limit of a world': {
		code: 'world_full',
		document: { terrain: flatGround(POINTS_PER_SIDE, POINTS_PER_SIDE, 1) },
		component: Terrain,
		times: MAX_TOTAL_POINTS / POINTS_PER_SIDE / POINTS_PER_SIDE + 1,
	},
	'a texture of a missing asset': {
		code: 'asset_missing',
		document: { material: { texture: HASH } },
		component: Material,
	},
	'a missing sound': { code: 'asset_missing', document: { sound: { clip: HASH } }, component: Sound },
	'particles of a missing texture': {
		code: 'asset_missing',
		document: { particles: { texture: HASH } },
		component: Particles,
	},
	'too many waters': {
		code: 'world_full',
		document: { water: { size: [1, 1] } },
		component: Water,
		times: MAX_WATERS + 1,
	},
	'too many emitters': {
		code: 'too_many_emitters',
		document: { particles: {} },
		component: Particles,
		times: MAX_EMITTERS + 1,
	},
};

/** Returns the components of a document as exact values, without checking demands. */
function exactValues(world: World, document: SpawnDocument): Record<string, Record<string, unknown>> {
	const id = spawnUnchecked(world, document);
	return Object.fromEntries(
		spawnable.flatMap((component) => {
			const row = rowInDocument(world, id, component);
			return row === undefined ? [] : [[component.name, row]];
		}),
	);
}

/** Spawns an entity without checking demands. */
function spawnUnchecked(world: World, document: SpawnDocument): number {
	const { id } = spawn(world);
	for (const component of spawnable) {
		const row = component.spawn!.row(document, []);
		if (row !== null) add(world, id, component, row);
	}
	return id;
}

/** Creates or changes entities of a world. Returns another world if it replaces the world. */
type ChangeMethod = (world: World, sent: readonly object[]) => Promise<World | undefined> | World | undefined;

const SCENE_FIELDS = ['collider', 'physics_body', 'team', 'velocity', 'role', 'tags', 'mesh', 'color'];

/** Returns entries with the exact values of documents. */
async function exactEntries(sent: readonly object[]): Promise<{ components: object }[]> {
	const world = await freshWorld();
	return sent.map((item) => ({ components: exactValues(world, spawnDocument.parse(item)) }));
}

const METHODS: Readonly<Record<string, ChangeMethod>> = {
	spawning: (world, sent) => {
		for (const item of sent) spawnEntity(world, spawnDocument.parse(item));
	},
	'a change': (world, sent) => {
		for (const item of sent) {
			const entity = spawnEntity(world, {}).handle;
			changeEntity(world, entity, patchComponents.body!.parse(item) as never);
		}
	},
	'a template': (world, sent) => {
		const templates = Object.fromEntries(sent.map((item, i) => [`t${i}`, item]));
		const entities = sent.map((_, i) => ({ template: `t${i}` }));
		applyLevel(world, levelDocument.parse({ version: 1, templates, entities }));
	},
	'a level': (world, sent) => {
		applyLevel(world, levelDocument.parse({ version: 1, entities: sent }));
	},
	'a scenario': (world, sent) => {
		applyScenario(world, scenarioDocument.parse({ version: 2, entities: sent }));
	},
	'exact values in a level': async (world, sent) => {
		applyLevel(world, levelDocument.parse({ version: 1, entities: await exactEntries(sent) }));
	},
	'exact values in a scenario': async (world, sent) => {
		applyScenario(world, scenarioDocument.parse({ version: 2, entities: await exactEntries(sent) }));
	},
	'a scene': (world, sent) => {
		const entities = sent.map((item) =>
			Object.fromEntries(Object.entries(item).filter(([field]) => SCENE_FIELDS.includes(field))),
		);
		applyScene(world, sceneDocument.parse({ entities }));
	},
	'a rule': (world, sent) => {
		for (const item of sent) {
			const spawnAction = { action: 'spawn', mesh: 'cube', position: [0, 0, 0], ...item };
			createRule(world, parseRule(writtenRule.parse({ when: 'tick:1', do: [spawnAction] })));
		}
		step(world);
		step(world);
	},
	loot: (world, sent) => {
		for (const item of sent)
			spawnEntity(
				world,
				spawnDocument.parse({
					health: 0,
					loot: [{ label: 'it', weight: 1, spawn: { mesh: 'cube', ...item } }],
				}),
			);
		for (let i = 0; i < 3; i++) step(world);
	},
	'a saved world': (world, sent) => {
		for (const item of sent) spawnUnchecked(world, spawnDocument.parse(item));
		return loadExactWorld(createExactPart(world, {}), {}, () => ({}), world);
	},
};

/** Tries a method. Returns its refusal, or the changed world. */
async function applyMethod(method: ChangeMethod, sent: readonly object[]): Promise<World | Refusal> {
	const world = await freshWorld();
	try {
		return (await method(world, sent)) ?? world;
	} catch (error) {
		if (error instanceof Refusal) return error;
		throw error;
	}
}

/** Other fields of a document, which do not affect the demands. */
const otherFields = fc.record(
	Object.fromEntries(
		['health', 'team', 'mana', 'tags', 'role', 'gold', 'base_stats', 'light', 'effects', 'xp_bounty'].map(
			(field) => [
				field,
				valuesOf(jsonSchema(spawnFields[field as keyof typeof spawnFields], 'input'), field),
			],
		),
	),
	{ requiredKeys: [] },
);

describe.each(Object.entries(demands))('%s', (_, { code, document: sent, component, times = 1, checked }) => {
	test.each(Object.entries(METHODS))('cannot result from %s', (__, method) =>
		check(times === 1 ? 2 : 1, [otherFields], async (fields) => {
			const world = await applyMethod(method, new Array(times).fill({ ...fields, ...sent }));
			if (world instanceof ApiError) expect(world.code).toBe(code);
			else if (world instanceof Refusal) expect(world.message).toContain('damaged');
			else if (checked !== undefined && count(world, component) === times)
				expect(() => step(world)).toThrow(expect.objectContaining({ code }));
			else expect(count(world, component)).toBeLessThan(times);
		}),
	);
});

/** Aspects without a demand on documents, because entities may have items and parents that no longer exist. */
const EXEMPT_ASPECTS: ReadonlySet<Aspect> = new Set([belongings, parent]);

test('every refusing aspect has a test in this file', async () => {
	const untestedAspects = new Set(
		aspects.filter((aspect) => aspect.require !== undefined && !EXEMPT_ASPECTS.has(aspect)),
	);
	for (const { document: sent, times = 1 } of Object.values(demands)) {
		const world = await freshWorld();
		const document = spawnDocument.parse(sent);
		for (let i = 1; i < times; i++) spawnEntity(world, document);
		for (const aspect of untestedAspects)
			if (refusalOf(() => aspect.require!(world, newEntityChange(document))) !== null)
				untestedAspects.delete(aspect);
	}
	expect(untestedAspects).toEqual(new Set());
});
