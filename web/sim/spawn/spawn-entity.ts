/**
 * Creates entities from spawn documents.
 * Owns: the order in which a document takes effect. Components declare the meaning of each field, and aspects the demands
 * of a document on the world.
 */

import { Collider } from '../../../shared/components/collider.ts';
import { Color, colorOf } from '../../../shared/components/color.ts';
import { MOVABLE } from '../../../shared/components/combat.ts';
import { components } from '../../../shared/components/index.ts';
import { Mesh, meshOf } from '../../../shared/components/mesh.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { sortedTags, Tags } from '../../../shared/components/tags.ts';
import type { Companion, Component, EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { SpawnDocument } from '../../../shared/documents/spawn.ts';
import { type AspectChange, newEntityChange } from '../aspects/aspect.ts';
import { beginAspects, requirePossible, warningsAbout } from '../aspects/index.ts';
import { add, get, has, inTick, read, spawn, type World } from '../core/world.ts';
import { spawnWithinShare } from '../owners/shares.ts';
import { cachedCrowd, updateCrowd } from '../physics/crowding.ts';
import { isSurface } from '../physics/geometry.ts';
import { clampPosition } from '../space/bounds.ts';
import { lootWarnings } from './loot-warnings.ts';

/** A spawned entity, with warnings about fields of the document that had no effect or were replaced. */
export interface SpawnResult {
	readonly handle: EntityHandle;
	readonly warnings: readonly string[];
}

/** Components that spawn documents can set, in order. */
export const spawnable: readonly Component[] = components.filter(({ spawn }) => spawn !== undefined);

/** By index in `spawnable`: 1 for components that every document sets. */
const ALWAYS_SET = Uint8Array.from(spawnable, ({ spawn }) => (spawn!.row({}, []) === null ? 0 : 1));

/** For each field of a document, the indices in `spawnable` of the components that it may set. */
const COMPONENTS_BY_FIELD = new Map<string, number[]>();
spawnable.forEach(({ spawn }, index) => {
	for (const field of [...Object.keys(spawn!.fields), ...(spawn!.otherFields ?? [])])
		COMPONENTS_BY_FIELD.set(field, [...(COMPONENTS_BY_FIELD.get(field) ?? []), index]);
});

/** Returns 1 for each component that a document may set, by index in `spawnable`. Valid until the next document. */
function componentsSetBy(document: SpawnDocument): Uint8Array {
	areSet.set(ALWAYS_SET);
	for (const field in document) {
		if (document[field as keyof SpawnDocument] == null) continue;
		const indices = COMPONENTS_BY_FIELD.get(field);
		if (indices !== undefined) for (const index of indices) areSet[index] = 1;
	}
	return areSet;
}
const areSet = new Uint8Array(spawnable.length);

/**
 * Creates the entity that a document describes, or gives its components to the entity `bare`, which has none. Throws an
 * ApiError, with nothing created, if an aspect refuses the document.
 */
export function spawnEntity(world: World, document: SpawnDocument, bare?: EntityHandle): SpawnResult {
	const change = newEntityChange(document);
	requirePossible(world, change);
	const crowd = cachedCrowd(world);
	const warnings: string[] = [];
	const handle = bare ?? spawn(world);
	const { id } = handle;
	const companions: Companion[] = [];
	const isSet = componentsSetBy(document);
	for (let index = 0; index < isSet.length; index++) {
		if (isSet[index] === 0) continue;
		const component = spawnable[index]!;
		const row = component.spawn!.row(document, warnings);
		if (row === null) continue;
		add(world, id, component, row);
		const brought = component.spawn!.brings?.(row);
		if (brought !== undefined) companions.push(...brought);
	}
	warnings.push(...completeEntity(world, handle, change, companions));
	updateCrowd(world, crowd, id);
	return { handle, warnings };
}

/** Completes an entity after its components were set: adds companions, and starts aspects. Returns warnings. */
export function completeEntity(
	world: World,
	entity: EntityHandle,
	change: AspectChange,
	companions: readonly Companion[],
): string[] {
	// A tick has no caller that reads warnings.
	const aspectWarnings = inTick(world)
		? []
		: [...warningsAbout(world, change, entity.id), ...lootWarnings(world, change.document)];
	return [
		...aspectWarnings,
		...addCompanions(world, entity.id, companions),
		...beginAspects(world, entity, change),
	];
}

/**
 * Adds the companions of an entity's components, if it has no such component yet. A surface never moves, so the body that
 * comes with it is Static. Returns a warning then.
 */
export function addCompanions(world: World, id: number, companions: readonly Companion[]): string[] {
	const warnings: string[] = [];
	for (const [component, values] of companions) {
		if (has(world, id, component)) continue;
		const shape = component === PhysicsBody ? get(world, id, Collider)?.shape : undefined;
		if (shape === undefined || !isSurface(shape)) add(world, id, component, values);
		else {
			add(world, id, PhysicsBody, { kind: 'Static' });
			warnings.push(`physics_body is Static: a ${shape} cannot move`);
		}
	}
	return warnings;
}

/**
 * Spawns an entity during a tick. Returns a refusal instead of throwing it; then nothing is created. A position out of
 * bounds is clamped. `owner`: agent that owns the cause, and the entity. Without it, the document names the agent.
 */
export function trySpawn(
	world: World,
	document: SpawnDocument,
	owner: number | undefined,
): SpawnResult | ApiError {
	const agent = owner ?? document.agent_id ?? undefined;
	const position = clampPosition(document.position ?? [0, 0, 0]);
	try {
		return spawnWithinShare(world, agent, () =>
			spawnEntity(world, { ...document, position, agent_id: agent ?? null }),
		);
	} catch (error) {
		if (error instanceof ApiError) return error;
		throw error;
	}
}

/** Adds the components that walking needs: a velocity, and a Kinematic body if the entity has no body. */
export function ensureMovable(world: World, id: number): void {
	addCompanions(world, id, MOVABLE);
}

export function setMesh(world: World, id: number, mesh: string, warnings: string[]): void {
	add(world, id, Mesh, { mesh: meshOf(mesh, warnings) });
}

export function setColor(world: World, id: number, color: string, warnings: string[]): void {
	add(world, id, Color, { color: colorOf(color, warnings) });
}

/** Adds labels to an entity, then removes labels. Returns the labels that it has then. */
export function changeTags(
	world: World,
	id: number,
	added: readonly string[],
	removed: readonly string[],
): string[] {
	const oldTags = has(world, id, Tags) ? read(world, Tags, 'tags')[id]! : [];
	const tags = sortedTags([...oldTags, ...added]).filter((tag) => !removed.includes(tag));
	add(world, id, Tags, { tags });
	return tags;
}
