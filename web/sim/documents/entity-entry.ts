/**
 * Entities in documents: from an entity to the entry that describes it, and back.
 * Owns: an entry that is a spawn document, with exact component values only where a spawn document cannot express them.
 */

import { Parent } from '../../../shared/components/parent.ts';
import type { Component, EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { type SpawnDocument, spawnDocument, spawnFields } from '../../../shared/documents/spawn.ts';
import type { EntityDocument, EntityEntry } from '../../../shared/rules/scenario.ts';
import { requireValid } from '../aspects/index.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { allocateSlots, eachEntity, entityAt, isAlive, slotOf } from '../core/entities.ts';
import { resource, setResource } from '../core/resource.ts';
import type { SlicedWork } from '../core/sliced-work.ts';
import { add, despawn, get, remove, spawn, type World } from '../core/world.ts';
import { createWorld } from '../create-world.ts';
import { describeEntity } from '../spawn/describe-entity.ts';
import { spawnEntity } from '../spawn/spawn-entity.ts';
import { overlay, template } from '../templates/templates.ts';
import { setParent } from '../transform/hierarchy.ts';
import { Tuning } from '../tuning/tuning.ts';
import { atPath } from './at-path.ts';
import {
	type Claimed,
	carried,
	isDescribed,
	namedComponent,
	placeInDocument,
	type Resolve,
	rowFromDocument,
	rowInDocument,
} from './component-values.ts';
import { withOwnIds } from './own-ids.ts';

/** Returns the spawn document that comes nearest to an entity. */
function spawnDocumentOf(world: World, id: number): SpawnDocument {
	const parent = placeInDocument(world, get(world, id, Parent)?.entity ?? null);
	return withoutDefaults({ ...describeEntity(world, id), parent: parent >= 0 ? parent : undefined });
}

const IDLE: Readonly<Record<string, string>> = {
	rotation: '[0,0,0,1]',
	scale: '[1,1,1]',
	velocity: '{"angular":[0,0,0],"linear":[0,0,0]}',
};

/** Leaves out what says nothing, and what a spawn document would refuse: the exact values hold that. */
function withoutDefaults(document: SpawnDocument): SpawnDocument {
	return Object.fromEntries(
		Object.entries(document).filter(([key, value]) => {
			if (value == null || (key in IDLE && canonicalJson(value) === IDLE[key])) return false;
			return spawnFields[key as keyof typeof spawnFields].safeParse(value).success;
		}),
	) as SpawnDocument;
}

/** Returns the ids of the entities that entries describe: all but rules and assertions. */
export function describedIds(world: World): number[] {
	const ids: number[] = [];
	eachEntity(world, (id) => {
		if (isDescribed(world, id)) ids.push(id);
	});
	return ids;
}

/**
 * Entries for all entities but rules and assertions, in id order. They say everything about them. `each` is told of an
 * entry before the next is made.
 */
export function* entityDocuments(
	world: World,
	each?: (document: EntityDocument) => void,
): SlicedWork<EntityDocument[]> {
	const trial = createWorld({ profile: world.profile, assets: world.assets });
	const tuned = resource(world, Tuning);
	if (tuned !== undefined) setResource(trial, Tuning, tuned);
	const entries: EntityDocument[] = [];
	for (const id of describedIds(world)) {
		const document = spawnDocumentOf(world, id);
		const { parent, ...alone } = document;
		const { handle } = spawnEntity(trial, alone);
		const values: Record<string, Record<string, unknown> | null> = {};
		for (const component of carried) {
			if (component === (Parent as Component) && parent !== undefined) continue;
			const meant = rowInDocument(world, id, component);
			const trialRow = rowInDocument(trial, handle.id, component);
			if (canonicalJson(meant ?? null) !== canonicalJson(trialRow ?? null))
				values[component.name] = meant ?? null;
		}
		despawn(trial, handle.id);
		const entry = { id, ...document, ...(Object.keys(values).length > 0 ? { components: values } : {}) };
		each?.(entry);
		entries.push(entry);
		yield;
	}
	return entries;
}

/** Returns a bare host's export of its entities. */
export function bareDocuments(world: World): EntityDocument[] {
	return describedIds(world).map((id) => {
		const { position, scale, health, team } = spawnDocumentOf(world, id);
		return Object.fromEntries(
			Object.entries({ position, scale, health, team }).filter(([, value]) => value !== undefined),
		);
	});
}

/**
 * Makes the entities for entries. In a world without entities each gets the id that its entry names; elsewhere those
 * ids only say which entry is meant. Throws for an id that two entries name.
 */
export function claimEntities(world: World, entries: readonly EntityEntry[]): Claimed {
	const keepIds = world.entities.count === 0;
	const named = new Map<number, number>();
	entries.forEach((entry, index) => {
		if (entry.id == null) return;
		if (named.has(entry.id))
			throw new ApiError(
				'invalid_scenario',
				`entities[${index}]: another entry already has the id ${entry.id}.`,
				{
					path: `entities[${index}].id`,
				},
			);
		named.set(entry.id, index);
	});
	const handles: EntityHandle[] = [];
	if (keepIds) {
		const claimed = allocateSlots(world, [...named.keys()]);
		[...named.values()].forEach((index, i) => {
			handles[index] = claimed[i]!;
		});
	}
	entries.forEach((_, index) => {
		handles[index] ??= spawn(world);
	});
	const resolve: Resolve = (id) => {
		const index = named.get(id);
		if (index !== undefined) return handles[index];
		return !keepIds && isAlive(world, id) ? entityAt(world, id) : undefined;
	};
	const idOf = (id: number) => (named.has(id) ? handles[named.get(id)!]!.id : id);
	return { handles, idOf, resolve };
}

/** Gives claimed entities what their entries describe, and answers with warnings. Throws with the path of the entry. */
export function enterEntities(
	world: World,
	entries: readonly EntityEntry[],
	claimed: Claimed,
): readonly string[] {
	const warnings: string[] = [];
	entries.forEach((entry, index) => {
		const path = `entities[${index}]`;
		const found = atPath(path, () => enter(world, entry, claimed.handles[index]!, claimed, path));
		warnings.push(...found.map((warning) => `${path}: ${warning}`));
	});
	return warnings;
}

function enter(
	world: World,
	entry: EntityEntry,
	handle: EntityHandle,
	{ resolve, idOf }: Claimed,
	path: string,
): readonly string[] {
	if (entry.template != null) {
		const base = template(world, entry.template);
		const placed = overlay(base, { position: entry.position });
		return spawnEntity(world, overlay(placed, withOwnIds(spawnDocument, entry.overrides ?? {}, idOf)), handle)
			.warnings;
	}
	const { id: _, template: __, components, ...document } = entry;
	const { warnings } = spawnEntity(world, withOwnIds(spawnDocument, document, idOf), handle);
	for (const [name, values] of Object.entries(components ?? {})) {
		const at = `${path}.components.${name}`;
		const component = namedComponent(name, at);
		if (values === null) remove(world, handle.id, component);
		else {
			const row = rowFromDocument(component, values, { resolve, idOf }, world.tick, at);
			if (component === (Parent as Component)) hang(world, handle, row.entity as EntityHandle | null, at);
			else add(world, handle.id, component, row);
		}
	}
	requireValid(world, handle.id);
	return warnings;
}

/** Hangs an entity on a parent that may be gone already. Throws `cycle`. */
function hang(world: World, child: EntityHandle, parent: EntityHandle | null, path: string): void {
	if (slotOf(world, parent) < 0) add(world, child.id, Parent, { entity: parent });
	else atPath(path, () => setParent(world, child, parent));
}
