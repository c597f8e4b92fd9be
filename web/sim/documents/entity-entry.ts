/**
 * Entries of entities in documents: writing an entry for an entity, and creating an entity from an entry.
 * Owns: the form of an entry. It is a spawn document, with exact component values only where a spawn document cannot
 * express them.
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
import { overlayFields, requireTemplate } from '../templates/templates.ts';
import { setParent } from '../transform/hierarchy.ts';
import { Tuning } from '../tuning/tuning.ts';
import { atPath } from './at-path.ts';
import {
	type ClaimedEntities,
	entryComponents,
	idInDocument,
	isDescribed,
	type Resolve,
	requireComponent,
	rowFromDocument,
	rowInDocument,
} from './component-values.ts';
import { withOwnIds } from './own-ids.ts';

/** Returns the spawn document that describes an entity best. */
function spawnDocumentOf(world: World, id: number): SpawnDocument {
	const parent = idInDocument(world, get(world, id, Parent)?.entity ?? null);
	return withoutDefaults({ ...describeEntity(world, id), parent: parent >= 0 ? parent : undefined });
}

/** Canonical JSON of default values, which entries omit. */
const DEFAULTS: Readonly<Record<string, string>> = {
	rotation: '[0,0,0,1]',
	scale: '[1,1,1]',
	velocity: '{"angular":[0,0,0],"linear":[0,0,0]}',
};

/** Omits default values and values that a spawn document would refuse. The exact values contain the latter. */
function withoutDefaults(document: SpawnDocument): SpawnDocument {
	return Object.fromEntries(
		Object.entries(document).filter(([key, value]) => {
			if (value == null || (key in DEFAULTS && canonicalJson(value) === DEFAULTS[key])) return false;
			return spawnFields[key as keyof typeof spawnFields].safeParse(value).success;
		}),
	) as SpawnDocument;
}

/** Returns the ids of the entities that have an entry: all except rules and assertions. */
export function describedIds(world: World): number[] {
	const ids: number[] = [];
	eachEntity(world, (id) => {
		if (isDescribed(world, id)) ids.push(id);
	});
	return ids;
}

/**
 * Creates the complete entries of all entities except rules and assertions, in id order. Calls `onEntry` with an entry
 * before it creates the next one.
 */
export function* entityDocuments(
	world: World,
	onEntry?: (document: EntityDocument) => void,
): SlicedWork<EntityDocument[]> {
	const trial = createWorld({ profile: world.profile, assets: world.assets });
	const tuning = resource(world, Tuning);
	if (tuning !== undefined) setResource(trial, Tuning, tuning);
	const entries: EntityDocument[] = [];
	for (const id of describedIds(world)) {
		const document = spawnDocumentOf(world, id);
		const { parent, ...withoutParent } = document;
		const { handle } = spawnEntity(trial, withoutParent);
		const values: Record<string, Record<string, unknown> | null> = {};
		for (const component of entryComponents) {
			if (component === (Parent as Component) && parent !== undefined) continue;
			const row = rowInDocument(world, id, component);
			const trialRow = rowInDocument(trial, handle.id, component);
			if (canonicalJson(row ?? null) !== canonicalJson(trialRow ?? null))
				values[component.name] = row ?? null;
		}
		despawn(trial, handle.id);
		const entry = { id, ...document, ...(Object.keys(values).length > 0 ? { components: values } : {}) };
		onEntry?.(entry);
		entries.push(entry);
		yield;
	}
	return entries;
}

/** Returns the entries of a world on a bare host, which have only a few fields. */
export function bareDocuments(world: World): EntityDocument[] {
	return describedIds(world).map((id) => {
		const { position, scale, health, team } = spawnDocumentOf(world, id);
		return Object.fromEntries(
			Object.entries({ position, scale, health, team }).filter(([, value]) => value !== undefined),
		);
	});
}

/**
 * Allocates an entity for each entry. In an empty world, each gets the id of its entry. In other worlds, those ids only
 * serve for references. Throws `invalid_scenario` if two entries have the same id.
 */
export function claimEntities(world: World, entries: readonly EntityEntry[]): ClaimedEntities {
	const keepsIds = world.entities.count === 0;
	const indexById = new Map<number, number>();
	entries.forEach((entry, index) => {
		if (entry.id == null) return;
		if (indexById.has(entry.id))
			throw new ApiError(
				'invalid_scenario',
				`entities[${index}]: another entry already has the id ${entry.id}.`,
				{
					path: `entities[${index}].id`,
				},
			);
		indexById.set(entry.id, index);
	});
	const handles: EntityHandle[] = [];
	if (keepsIds) {
		const slots = allocateSlots(world, [...indexById.keys()]);
		[...indexById.values()].forEach((index, i) => {
			handles[index] = slots[i]!;
		});
	}
	entries.forEach((_, index) => {
		handles[index] ??= spawn(world);
	});
	const resolve: Resolve = (id) => {
		const index = indexById.get(id);
		if (index !== undefined) return handles[index];
		return !keepsIds && isAlive(world, id) ? entityAt(world, id) : undefined;
	};
	const idOf = (id: number) => (indexById.has(id) ? handles[indexById.get(id)!]!.id : id);
	return { handles, idOf, resolve };
}

/** Applies entries to the entities allocated for them. Returns warnings. Throws with the path of the entry. */
export function enterEntities(
	world: World,
	entries: readonly EntityEntry[],
	claimed: ClaimedEntities,
): readonly string[] {
	const warnings: string[] = [];
	entries.forEach((entry, index) => {
		const path = `entities[${index}]`;
		const entryWarnings = atPath(path, () =>
			applyEntry(world, entry, claimed.handles[index]!, claimed, path),
		);
		warnings.push(...entryWarnings.map((warning) => `${path}: ${warning}`));
	});
	return warnings;
}

function applyEntry(
	world: World,
	entry: EntityEntry,
	handle: EntityHandle,
	{ resolve, idOf }: ClaimedEntities,
	path: string,
): readonly string[] {
	if (entry.template != null) {
		const base = requireTemplate(world, entry.template);
		const positioned = overlayFields(base, { position: entry.position });
		return spawnEntity(
			world,
			overlayFields(positioned, withOwnIds(spawnDocument, entry.overrides ?? {}, idOf)),
			handle,
		).warnings;
	}
	const { id: _, template: __, components, ...document } = entry;
	const { warnings } = spawnEntity(world, withOwnIds(spawnDocument, document, idOf), handle);
	for (const [name, values] of Object.entries(components ?? {})) {
		const componentPath = `${path}.components.${name}`;
		const component = requireComponent(name, componentPath);
		if (values === null) remove(world, handle.id, component);
		else {
			const row = rowFromDocument(component, values, { resolve, idOf }, world.tick, componentPath);
			if (component === (Parent as Component))
				setParentOrGone(world, handle, row.entity as EntityHandle | null, componentPath);
			else add(world, handle.id, component, row);
		}
	}
	requireValid(world, handle.id);
	return warnings;
}

/** Sets the parent of an entity. The parent may no longer exist. Throws `cycle`. */
function setParentOrGone(world: World, child: EntityHandle, parent: EntityHandle | null, path: string): void {
	if (slotOf(world, parent) < 0) add(world, child.id, Parent, { entity: parent });
	else atPath(path, () => setParent(world, child, parent));
}
