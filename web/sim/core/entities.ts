/**
 * Living entities, and their generations.
 * Owns: slots, generations and the order in which slots are reused (last freed first).
 */

import type { EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError, entityNotFound, staleHandle } from '../../../shared/contract/errors.ts';
import { clearBit, eachBit, hasBit, setBit } from './bits.ts';
import {
	type Column,
	type ColumnData,
	createColumn,
	expandColumn,
	ownColumn,
	shareColumn,
} from './column.ts';
import { spend } from './tick-budget.ts';
import { markChanged } from './version.ts';
import type { World } from './world.ts';

/** Maximum number of entities in a world. */
export const MAX_ENTITIES = 1_000_000;
/** A slot of this generation is not reused. */
export const LAST_GENERATION = 0xffffffff;

export interface Entities {
	alive: Column<Uint32Array>;
	generations: Column<Uint32Array>;
	/** Freed slots; the last one is reused first. */
	free: Column<Uint32Array>;
	freeCount: number;
	/** Number of slots ever used. */
	used: number;
	/** Number of living entities. */
	count: number;
}

export function createEntities(): Entities {
	return {
		alive: createColumn(new Uint32Array(2), 1, 0),
		generations: createColumn(new Uint32Array(64), 1, 0),
		free: createColumn(new Uint32Array(64), 1, 0),
		freeCount: 0,
		used: 0,
		count: 0,
	};
}

export function cloneEntities(entities: Entities): Entities {
	shareColumn(entities.alive);
	shareColumn(entities.generations);
	shareColumn(entities.free);
	return { ...entities };
}

/**
 * Returns the world's own copy of a column, for writing `length` numbers from `index` on. If the world records an
 * undo, the old numbers are saved.
 */
export function ownCells<A extends ColumnData>(
	{ undo }: World,
	column: Column<A>,
	version: number,
	index: number,
	length = 1,
): Column<A> {
	return undo === null ? ownColumn(column, version) : undo.ownCells(column, version, index, length);
}

/** Returns true if no further entity can be spawned. */
export function isFull({ entities }: World): boolean {
	return entities.freeCount === 0 && entities.used >= MAX_ENTITIES;
}

/** Allocates a slot. Throws `world_full` if the world is full, and an Overrun if a tick spawns too many entities. */
export function allocate(world: World): EntityHandle {
	spend(world, 'spawned');
	const entities = world.entities;
	const version = markChanged(world);
	let id: number;
	if (entities.freeCount > 0) {
		id = entities.free.data[--entities.freeCount]!;
	} else {
		if (entities.used >= MAX_ENTITIES)
			throw new ApiError('world_full', `The world is at its limit of ${MAX_ENTITIES} entities.`);
		id = entities.used++;
		if (id >= entities.generations.data.length) {
			const slots = entities.generations.data.length * 2;
			world.undo?.markGrown();
			entities.generations = expandColumn(entities.generations, slots, version);
			entities.alive = expandColumn(entities.alive, slots >>> 5, version);
			entities.free = expandColumn(entities.free, slots, version);
		}
	}
	entities.alive = ownCells(world, entities.alive, version, id >>> 5);
	setBit(entities.alive.data, id);
	entities.count++;
	return { id, generation: entities.generations.data[id]! };
}

/** Frees a slot. A slot that has reached its last generation is never reused. */
export function release(world: World, id: number): void {
	const entities = world.entities;
	const version = markChanged(world);
	entities.alive = ownCells(world, entities.alive, version, id >>> 5);
	entities.generations = ownCells(world, entities.generations, version, id);
	entities.free = ownCells(world, entities.free, version, entities.freeCount);
	clearBit(entities.alive.data, id);
	entities.count--;
	const generation = entities.generations.data[id]!;
	if (generation === LAST_GENERATION) return;
	entities.generations.data[id] = generation + 1;
	entities.free.data[entities.freeCount++] = id;
}

/**
 * Allocates exactly these slots in a world without entities. Returns their handles, in the same order. The other slots
 * are reused lowest first. Throws `world_full` for a slot above the limit, or one that has reached its last generation.
 */
export function allocateSlots(world: World, ids: readonly number[]): EntityHandle[] {
	const entities = world.entities;
	const used = ids.reduce((end, id) => Math.max(end, id + 1), entities.used);
	if (used > MAX_ENTITIES)
		throw new ApiError('world_full', `The id ${used - 1} is above the highest id, ${MAX_ENTITIES - 1}.`);
	const version = markChanged(world);
	let slots = entities.generations.data.length;
	while (slots < used) slots *= 2;
	world.undo?.markGrown();
	entities.generations = expandColumn(entities.generations, slots, version);
	entities.alive = expandColumn(entities.alive, slots >>> 5, version);
	entities.free = expandColumn(entities.free, slots, version);
	entities.used = used;
	const generations = entities.generations.data;
	for (const id of ids) {
		if (generations[id] === LAST_GENERATION)
			throw new ApiError('world_full', `Slot ${id} has no unused generation.`);
		setBit(entities.alive.data, id);
	}
	entities.count = ids.length;
	entities.freeCount = 0;
	for (let id = used - 1; id >= 0; id--)
		if (!hasBit(entities.alive.data, id) && generations[id] !== LAST_GENERATION)
			entities.free.data[entities.freeCount++] = id;
	return ids.map((id) => ({ id, generation: generations[id]! }));
}

export function isAlive(world: World, id: number): boolean {
	return id < world.entities.used && hasBit(world.entities.alive.data, id);
}

/**
 * Returns the handle of the entity that lives in a slot. Throws `entity_not_found`, or `stale_handle` if `generation`
 * is present and differs.
 */
export function entityAt(world: World, id: number, generation?: number | null): EntityHandle {
	if (!isAlive(world, id)) throw entityNotFound(id);
	const current = world.entities.generations.data[id]!;
	if (generation != null && generation !== current) throw staleHandle(id, generation, current);
	return { id, generation: current };
}

/** Returns the handle of the entity in a slot. An entity must live there. */
export function handleOf(world: World, slot: number): EntityHandle {
	return { id: slot, generation: world.entities.generations.data[slot]! };
}

/** Returns the slot of a handle, or -1 if the entity is despawned. */
export function slotOf(world: World, handle: EntityHandle | null): number {
	if (handle === null || !isAlive(world, handle.id)) return -1;
	return world.entities.generations.data[handle.id] === handle.generation ? handle.id : -1;
}

/** Visits every living entity in id order. */
export function eachEntity(world: World, visit: (id: number) => void): void {
	const words = world.entities.alive.data;
	eachBit(words.length, (i) => words[i]!, visit);
}
