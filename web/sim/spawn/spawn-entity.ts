/**
 * From a spawn document to an entity.
 * Owns: the order in which a document takes effect. What each field means stands with its component; here is what needs
 * more of the world than that: parents, buildings, items, abilities and effects.
 */

import { Backdoor } from '../../../shared/components/backdoor.ts';
import { Collider } from '../../../shared/components/collider.ts';
import { Color, colorOf } from '../../../shared/components/color.ts';
import { Combat, MOVABLE } from '../../../shared/components/combat.ts';
import { Health } from '../../../shared/components/health.ts';
import { components } from '../../../shared/components/index.ts';
import { unit } from '../../../shared/components/local-transform.ts';
import { Mesh, meshOf } from '../../../shared/components/mesh.ts';
import { PhysicsBody } from '../../../shared/components/physics-body.ts';
import { Shot } from '../../../shared/components/shot.ts';
import { sortedTags, Tags } from '../../../shared/components/tags.ts';
import { Team } from '../../../shared/components/team.ts';
import { columnsOf } from '../../../shared/contract/collider-shapes.ts';
import type { Brought, Component, EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { SpawnDocument } from '../../../shared/documents/spawn.ts';
import { entityAt } from '../core/entities.ts';
import { add, get, has, read, remove, spawn, type World } from '../core/world.ts';
import { materialWarnings, requireSurface } from '../looks/materials.ts';
import { beginIfRoom, requireParticles } from '../looks/particles.ts';
import { keepCount, knownCrowd, requireRoom } from '../physics/crowding.ts';
import { isSurface, requireCollider } from '../physics/geometry.ts';
import { requireSound, startSound } from '../sound/sounds.ts';
import { inBounds } from '../space/bounds.ts';
import { requirePoints } from '../terrain/terrain.ts';
import { setParent } from '../transform/hierarchy.ts';
import { tuning } from '../tuning/tuning.ts';
import { giveBelongings, requireBelongings } from './belongings.ts';
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
spawnable.forEach(({ spawn }, place) => {
	for (const field of [...Object.keys(spawn!.fields), ...(spawn!.also ?? [])])
		GIVEN_BY.set(field, [...(GIVEN_BY.get(field) ?? []), place]);
});

/** 1 for those that a document may give, by their place in `spawnable`; good until the next document. */
function mayGive(document: SpawnDocument): Uint8Array {
	GIVEN.set(ALWAYS);
	for (const field in document) {
		if (document[field as keyof SpawnDocument] == null) continue;
		const places = GIVEN_BY.get(field);
		if (places !== undefined) for (const place of places) GIVEN[place] = 1;
	}
	return GIVEN;
}
const GIVEN = new Uint8Array(spawnable.length);

/** Creates the entity that a document describes, or gives its components to the entity `bare` that has none. Throws `entity_not_found` for a parent that does not live, `too_crowded`, `world_full`, `unknown_item`, `inventory_full`, and for its collider `static_only`, `asset_missing`, `asset_refused`. */
export function spawnEntity(world: World, document: SpawnDocument, bare?: EntityHandle): Spawned {
	const parent = document.parent == null ? null : entityAt(world, document.parent);
	const { collider } = document;
	if (collider != null) {
		const columns = columnsOf(collider);
		requireCollider(world, columns, document.physics_body ?? null);
		if (document.physics_body === 'Dynamic')
			requireRoom(world, {
				position: document.position ?? [0, 0, 0],
				rotation: unit(document.rotation ?? [0, 0, 0, 1]),
				...columns,
			});
	}
	if (document.terrain != null) requirePoints(world, document.terrain.width, document.terrain.height);
	requireSurface(world, document);
	requireSound(world, document);
	// A tick does not go by what only shows the world: without room for an emitter it makes the entity without one.
	if (world.chance === null) requireParticles(world, document, null);
	requireBelongings(world, document);
	const crowd = knownCrowd(world);
	const warnings: string[] = [];
	const handle = bare ?? spawn(world);
	const { id } = handle;
	const brought: Brought[] = [];
	const given = mayGive(document);
	for (let place = 0; place < given.length; place++) {
		if (given[place] === 0) continue;
		const component = spawnable[place]!;
		const row = component.spawn!.row(document, warnings);
		if (row === null) continue;
		add(world, id, component, row);
		const along = component.spawn!.brings?.(row);
		if (along !== undefined) brought.push(...along);
	}
	warnings.push(...idleFields(world, document));
	if (document.combat === true)
		warnings.push(...fighterWarnings(world, id).map((warning) => `combat: the entity ${warning}`));
	// A tick has nobody to tell, and does not go by what only shows the world.
	if (world.chance === null)
		warnings.push(...materialWarnings(world, document), ...lootWarnings(world, document));
	warnings.push(...bring(world, id, brought));
	if (document.sound != null && document.sound.playing !== false) startSound(world, id);
	if (document.particles != null) beginIfRoom(world, handle, document.particles.start !== false);
	if (parent !== null) setParent(world, handle, parent);
	if (document.building_type != null) furnishBuilding(world, id, document);
	giveBelongings(world, handle, document, warnings);
	keepCount(world, crowd, id);
	return { handle, warnings };
}

/**
 * Gives an entity what comes along with its components, if it has none yet. A surface never moves, so a body that comes
 * along with it is Static. Returns a warning then.
 */
export function bring(world: World, id: number, brought: readonly Brought[]): string[] {
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
 * The same during a tick, which goes on when it is refused: the refusal, and nothing made. A place that was worked out and
 * is out of bounds ends at the bounds.
 */
export function trySpawn(world: World, document: SpawnDocument): Spawned | ApiError {
	try {
		return spawnEntity(world, { ...document, position: inBounds(document.position ?? [0, 0, 0]) });
	} catch (error) {
		if (error instanceof ApiError) return error;
		throw error;
	}
}

/** What only those who fight have a use for. */
const OF_FIGHTERS = [
	...Object.keys(Combat.spawn!.fields).filter((key) => key !== 'combat' && key !== 'combat_speed'),
	'combat_projectile',
	'march',
] as readonly (keyof SpawnDocument)[];
/** Of this what a building with a weapon of its own has a use for, too. */
const OF_ARMED: readonly string[] = ['crit', 'combat_projectile'];

/** What a document says to no effect without more. */
export function idleFields(world: World, document: SpawnDocument): string[] {
	const warnings: string[] = [];
	if (document.combat === true) return warnings;
	const type = document.building_type;
	const armed = type != null && tuning(world).buildings[type].weapon !== null;
	for (const key of OF_FIGHTERS)
		if (document[key] != null && !(armed && OF_ARMED.includes(key)))
			warnings.push(`${key} does nothing without combat: true`);
	if (document.combat_speed != null && document.ai_patrol == null)
		warnings.push('combat_speed does nothing without combat: true or ai_patrol');
	return warnings;
}

/** Warnings about components that a fighter needs and does not have. */
export function fighterWarnings(world: World, id: number): string[] {
	return [
		...(has(world, id, Team) ? [] : ['fights without a team, so it has no enemies']),
		...(has(world, id, Health) ? [] : ['fights without health, so nothing attacks it']),
	];
}

/** What walks needs a velocity and a body: Kinematic unless it has one. */
export function ensureMovable(world: World, id: number): void {
	bring(world, id, MOVABLE);
}

/** Gives a building what its type comes with. */
export function furnishBuilding(world: World, id: number, document: SpawnDocument): void {
	const { health, weapon, backdoor } = tuning(world).buildings[document.building_type!];
	if (health !== null && document.health == null) add(world, id, Health, { current: health, max: health });
	if (backdoor !== null) add(world, id, Backdoor, { restore_to: document.health ?? health ?? 0 });
	if (weapon !== null)
		add(world, id, Combat, {
			...weapon,
			speed: 0,
			detect_range: weapon.range,
			style: 'stationary',
			crit: document.crit ?? null,
		});
	else if (document.combat !== true) remove(world, id, Shot);
}

export function setMesh(world: World, id: number, mesh: string, warnings: string[]): void {
	add(world, id, Mesh, { mesh: meshOf(mesh, warnings) });
}

export function setColor(world: World, id: number, color: string, warnings: string[]): void {
	add(world, id, Color, { color: colorOf(color, warnings) });
}

/** Adds labels to an entity, then takes labels away; what it has then. */
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
