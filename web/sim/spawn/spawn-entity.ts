/**
 * From a spawn document to an entity.
 * Owns: the order in which a document takes effect. The meaning of each field is declared with its component, and what a
 * document demands of the world with its aspect.
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
import { inBounds } from '../space/bounds.ts';
import { lootWarnings } from './loot-warnings.ts';

/** The entity made, and what in the document does nothing or was replaced. */
export interface Spawned {
	readonly handle: EntityHandle;
	readonly warnings: readonly string[];
}

/** Components that spawn documents can say, in order. */
export const spawnable: readonly Component[] = components.filter(({ spawn }) => spawn !== undefined);

/** 1 for those that every document gives, by their place in `spawnable`. */
const ALWAYS = Uint8Array.from(spawnable, ({ spawn }) => (spawn!.row({}, []) === null ? 0 : 1));

/** By field of a document, the places of those that it may give; without one of its fields a document gives no other. */
const GIVEN_BY = new Map<string, number[]>();
spawnable.forEach(({ spawn }, index) => {
	for (const field of [...Object.keys(spawn!.fields), ...(spawn!.otherFields ?? [])])
		GIVEN_BY.set(field, [...(GIVEN_BY.get(field) ?? []), index]);
});

/** 1 for those that a document may give, by their place in `spawnable`; good until the next document. */
function mayGive(document: SpawnDocument): Uint8Array {
	GIVEN.set(ALWAYS);
	for (const field in document) {
		if (document[field as keyof SpawnDocument] == null) continue;
		const places = GIVEN_BY.get(field);
		if (places !== undefined) for (const index of places) GIVEN[index] = 1;
	}
	return GIVEN;
}
const GIVEN = new Uint8Array(spawnable.length);

/**
 * Creates the entity that a document describes, or gives its components to the entity `bare`, which has none. Throws an
 * ApiError, with nothing created, if an aspect refuses the document.
 */
export function spawnEntity(world: World, document: SpawnDocument, bare?: EntityHandle): Spawned {
	const coming = newEntityChange(document);
	requirePossible(world, coming);
	const crowd = cachedCrowd(world);
	const warnings: string[] = [];
	const handle = bare ?? spawn(world);
	const { id } = handle;
	const brought: Companion[] = [];
	const given = mayGive(document);
	for (let index = 0; index < given.length; index++) {
		if (given[index] === 0) continue;
		const component = spawnable[index]!;
		const row = component.spawn!.row(document, warnings);
		if (row === null) continue;
		add(world, id, component, row);
		const companions = component.spawn!.brings?.(row);
		if (companions !== undefined) brought.push(...companions);
	}
	warnings.push(...settle(world, handle, coming, brought));
	updateCrowd(world, crowd, id);
	return { handle, warnings };
}

/** Gives an entity that has its components what follows from them. Returns warnings. */
export function settle(
	world: World,
	entity: EntityHandle,
	coming: AspectChange,
	brought: readonly Companion[],
): string[] {
	// A tick has no caller that reads warnings.
	const idle = inTick(world)
		? []
		: [...warningsAbout(world, coming, entity.id), ...lootWarnings(world, coming.document)];
	return [...idle, ...bring(world, entity.id, brought), ...beginAspects(world, entity, coming)];
}

/**
 * Gives an entity what comes along with its components, if it has none yet. A surface never moves, so a body that comes
 * along with it is Static. Returns a warning then.
 */
export function bring(world: World, id: number, brought: readonly Companion[]): string[] {
	const warnings: string[] = [];
	for (const [component, values] of brought) {
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
 * Returns the same during a tick, which continues when it is refused: the refusal, and nothing made. A place that was
 * worked out and is out of bounds ends at the bounds. `owner`: agent that owns what spawns it; its own things are its
 * owner's too.
 */
export function trySpawn(
	world: World,
	document: SpawnDocument,
	owner: number | undefined,
): Spawned | ApiError {
	const agent = owner ?? document.agent_id ?? undefined;
	const position = inBounds(document.position ?? [0, 0, 0]);
	try {
		return spawnWithinShare(world, agent, () =>
			spawnEntity(world, { ...document, position, agent_id: agent ?? null }),
		);
	} catch (error) {
		if (error instanceof ApiError) return error;
		throw error;
	}
}

/** Adds the parts that walking needs: a velocity, and a body, Kinematic unless it has one. */
export function ensureMovable(world: World, id: number): void {
	bring(world, id, MOVABLE);
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
	const before = has(world, id, Tags) ? read(world, Tags, 'tags')[id]! : [];
	const tags = sortedTags([...before, ...added]).filter((tag) => !removed.includes(tag));
	add(world, id, Tags, { tags });
	return tags;
}
