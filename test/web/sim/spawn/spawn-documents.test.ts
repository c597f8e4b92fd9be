/** Spawn documents: descriptions are inverse to spawns, and changes accept the same fields. */

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { Ai } from '../../../../shared/components/ai.ts';
import { BaseStats } from '../../../../shared/components/base-stats.ts';
import { components } from '../../../../shared/components/index.ts';
import { LocalTransform } from '../../../../shared/components/local-transform.ts';
import { March } from '../../../../shared/components/march.ts';
import type { Component } from '../../../../shared/contract/component.ts';
import { ApiError } from '../../../../shared/contract/errors.ts';
import { type SpawnDocument, spawnDocument, spawnFields } from '../../../../shared/documents/spawn.ts';
import { patchComponents } from '../../../../shared/routes/world.ts';
import { canonicalJson } from '../../../../web/sim/core/canonical-json.ts';
import type { World } from '../../../../web/sim/core/world.ts';
import { entryComponents, rowInDocument } from '../../../../web/sim/documents/component-values.ts';
import { changeEntity } from '../../../../web/sim/spawn/change-entity.ts';
import { describeEntity } from '../../../../web/sim/spawn/describe-entity.ts';
import { spawnable, spawnEntity } from '../../../../web/sim/spawn/spawn-entity.ts';
import { spawnDocuments } from '../../../support/arbitraries.ts';
import { freshWorld } from '../../../support/engine.ts';
import { SEED, times } from '../../../support/property.ts';

const RUNS = times(200);

/** Spawn documents of one entity that depend on no other entity. */
const documents: SpawnDocument[] = fc
	.sample(spawnDocuments, { seed: SEED, numRuns: RUNS })
	.flatMap((sent) => {
		const { parent: _, inventory: __, equipment: ___, ...alone } = sent;
		const parsed = spawnDocument.safeParse(alone);
		return parsed.success ? [parsed.data] : [];
	});

/** A third of the documents, for slow tests. */
const someDocuments = documents.filter((_, i) => i % 3 === 0);

type Rows = Readonly<Record<string, unknown>>;
const rows = (world: World, id: number, of: readonly Component[] = entryComponents): Rows =>
	Object.fromEntries(of.map((component) => [component.name, rowInDocument(world, id, component) ?? null]));

const rounded = (value: unknown) =>
	JSON.parse(JSON.stringify(value), (_, part) =>
		typeof part === 'number' ? Number(Math.fround(part).toPrecision(5)) : part,
	);

test('the documents contain the fields of every component', () => {
	expect(documents.length).toBeGreaterThan(RUNS / 2);
	const names = new Set(
		documents.flatMap((document) => Object.entries(document).flatMap(([key, v]) => (v == null ? [] : [key]))),
	);
	for (const { name, spawn } of spawnable) {
		const keys = Object.keys(spawn!.fields);
		expect(
			keys.filter((key) => names.has(key)),
			name,
		).toEqual(keys);
	}
});

test('no field of a document belongs to two components', () => {
	const keys = spawnable.flatMap(({ spawn }) => Object.keys(spawn!.fields));
	expect(new Set(keys).size).toBe(keys.length);
	expect(Object.keys(spawnFields)).toEqual(expect.arrayContaining(keys));
});

test('a document sets its declared fields, and without those of a component equals an empty document', () => {
	for (const { name, spawn } of spawnable) {
		const decide = new Set([...Object.keys(spawn!.fields), ...(spawn!.otherFields ?? [])]);
		const empty = spawn!.row({}, []);
		for (const document of documents) {
			const others = Object.fromEntries(Object.entries(document).filter(([key]) => !decide.has(key)));
			const warnings: string[] = [];
			expect(spawn!.row(others, warnings), name).toEqual(empty);
			expect(warnings, name).toEqual([]);
		}
	}
});

/** Components whose numbers are rounded by a second spawn. */
const APPROXIMATE: ReadonlySet<Component> = new Set<Component>([LocalTransform, Ai, March]);

/** Returns a document without fields that a description cannot repeat. */
function describable(document: SpawnDocument, withStats: boolean): SpawnDocument {
	const { effects: _, base_stats, building_type, ai_patrol, ...rest } = document;
	return {
		...rest,
		// With stats, a maximum differs from the sent value.
		...(withStats ? { base_stats } : {}),
		// A description omits the default weapon of a building.
		...(document.combat === true ? {} : { building_type }),
		// An empty patrol is omitted.
		...(ai_patrol?.length === 0 ? {} : { ai_patrol }),
	};
}

/** Spawns each document, and then the description of the entity. Returns the components of both entities. */
async function spawnTwice(withStats: boolean): Promise<[first: Rows, second: Rows][]> {
	const pairs: [Rows, Rows][] = [];
	for (const document of documents) {
		if (withStats && document.base_stats == null) continue;
		const [first, second] = [await freshWorld(), await freshWorld()];
		const { id } = spawnEntity(first, describable(document, withStats)).handle;
		const handle = spawnEntity(second, spawnDocument.parse(describeEntity(first, id))).handle;
		pairs.push([rows(first, id, spawnable), rows(second, handle.id, spawnable)]);
	}
	return pairs;
}

describe(`a description is the inverse of a spawn (seed ${SEED})`, () => {
	let plain: [Rows, Rows][];
	let withStats: [Rows, Rows][];
	beforeAll(async () => {
		plain = await spawnTwice(false);
		withStats = await spawnTwice(true);
	});

	for (const component of spawnable) {
		test(component.title, () => {
			let entityCount = 0;
			for (const pair of component === BaseStats ? withStats : plain) {
				const [first, second] = pair.map((all) => all[component.name]);
				if (first !== null) entityCount++;
				// A spawn normalizes rotations and directions, and a patrol's speed has more digits than a fighter's.
				if (APPROXIMATE.has(component)) expect(rounded(second)).toEqual(rounded(first));
				else expect(canonicalJson(second)).toBe(canonicalJson(first));
			}
			expect(entityCount, 'entities with the component').toBeGreaterThan(0);
		});
	}
});

describe(`every spawn field can be changed (seed ${SEED})`, () => {
	test('an entity that gets all components later equals one spawned with them', async () => {
		for (const document of someDocuments) {
			const { effects: _, agent_id: __, ...rest } = document;
			const [here, there] = [await freshWorld(), await freshWorld()];
			const { id } = spawnEntity(here, rest).handle;
			const bare = spawnEntity(there, {}).handle;
			changeEntity(there, bare, patchComponents.body!.parse(rest) as never);
			expect(rows(there, bare.id)).toEqual(rows(here, id));
		}
	});

	test('a change of one field leaves all others unchanged, bit for bit', async () => {
		for (const document of someDocuments) {
			const world = await freshWorld();
			const { handle } = spawnEntity(world, document);
			const before = rows(world, handle.id);
			for (const component of spawnable) {
				const [key] = Object.keys(component.spawn!.fields);
				const value = describeEntity(world, handle.id)[key as keyof SpawnDocument];
				if (value == null || key === 'health' || key === 'mana' || key === 'building_type') continue;
				// A change restarts a patrol and normalizes a direction.
				if (key === 'ai_patrol' || key === 'march') continue;
				try {
					changeEntity(world, handle, { [key!]: value } as never);
				} catch (error) {
					if (!(error instanceof ApiError)) throw error;
				}
			}
			expect(rows(world, handle.id)).toEqual(before);
		}
	});
});

test('each number of a fighter or a tower can be changed separately', async () => {
	const world = await freshWorld();
	const fighter = spawnEntity(world, { team: 2, combat: true, combat_range: 4, health: 50 }).handle;
	expect(changeEntity(world, fighter, { combat_damage: 77 })).toEqual([]);
	expect(describeEntity(world, fighter.id)).toMatchObject({ combat_damage: 77, combat_range: 4, health: 50 });
	const tower = spawnEntity(world, { team: 1, building_type: 'tier1_tower' }).handle;
	const oldRow = rowInDocument(world, tower.id, components.find(({ name }) => name === 'combat')!)!;
	expect(changeEntity(world, tower, { combat_damage: 5 })).toEqual([]);
	expect(rows(world, tower.id)).toMatchObject({ combat: { ...oldRow, damage: 5 }, physics_body: null });
	expect(changeEntity(world, fighter, { combat: false })).toEqual([]);
	expect(rows(world, fighter.id)).toMatchObject({ combat: null, march: null, health: { max: 50 } });
	const idle = spawnEntity(world, {}).handle;
	expect(changeEntity(world, idle, { combat_damage: 5 })).toEqual([
		'combat_damage does nothing without combat: true',
	]);
});

test('a velocity without a body has a warning', async () => {
	const world = await freshWorld();
	const velocity: SpawnDocument['velocity'] = { linear: [1, 0, 0], angular: [0, 0, 0] };
	const warning = 'velocity does nothing without physics_body: the entity does not move';
	expect(spawnEntity(world, { velocity }).warnings).toEqual([warning]);
	expect(spawnEntity(world, { velocity, physics_body: 'Kinematic' }).warnings).not.toContain(warning);
});
