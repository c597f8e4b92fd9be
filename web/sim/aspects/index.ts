/**
 * All requirements of a world for its entities.
 * Owns: their order, in which they refuse, warn and begin. To add one, declare it in `<name>.ts` and list it here.
 */

import type { EntityHandle } from '../../../shared/contract/component.ts';
import { each, has, inTick, type World } from '../core/world.ts';
import { animation } from './animation.ts';
import type { Aspect, AspectChange } from './aspect.ts';
import { belongings } from './belongings.ts';
import { building } from './building.ts';
import { collider } from './collider.ts';
import { emitter } from './emitter.ts';
import { fighter } from './fighter.ts';
import { parent } from './parent.ts';
import { room } from './room.ts';
import { scenery } from './scenery.ts';
import { sound } from './sound.ts';
import { surface } from './surface.ts';
import { terrain } from './terrain.ts';
import { vitals } from './vitals.ts';

export const aspects: readonly Aspect[] = [
	parent,
	collider,
	room,
	terrain,
	scenery,
	fighter,
	surface,
	sound,
	emitter,
	building,
	belongings,
	vitals,
	animation,
];

/** Throws an ApiError if the world cannot fulfil a document. It changes nothing. */
export function requirePossible(world: World, change: AspectChange): void {
	const dropsOptional = inTick(world) && change.id === null;
	for (const { require, isOptionalDuringTick: dropped } of aspects)
		if (!(dropsOptional && dropped)) require?.(world, change);
}

/** Returns warnings about fields of a document that have no effect. The entity `id` already has its components. */
export const warningsAbout = (world: World, change: AspectChange, id: number): string[] =>
	aspects.flatMap(({ warn }) => warn?.(world, change, id) ?? []);

/** Applies a document after the entity has its components. Returns warnings. */
export const beginAspects = (world: World, entity: EntityHandle, change: AspectChange): string[] =>
	aspects.flatMap(({ begin }) => begin?.(world, entity, change) ?? []);

/** Throws an ApiError if an entity is in a state that spawning would have refused. */
export function requireValid(world: World, id: number): void {
	for (const { components: of, requireExisting: holds } of aspects)
		if (of?.some((component) => has(world, id, component))) holds?.(world, [id]);
}

/** Throws an ApiError if any entity is in a state that spawning would have refused. */
export function requireAllValid(world: World): void {
	for (const { components: of = [], requireExisting: holds } of aspects) {
		const ids: number[] = [];
		for (const component of of) each(world, [component], (id) => ids.push(id));
		if (ids.length > 0) holds?.(world, ids);
	}
}
