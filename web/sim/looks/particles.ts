/**
 * Emitters of particles.
 * Owns: making them, starting and stopping them, and how many a world takes. Never: knows a single particle.
 */

import { Particles } from '../../../shared/components/particles.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import {
	type Emitter,
	type EmitterRun,
	MAX_EMITTERS,
	scramble,
	withBurst,
} from '../../../shared/media/particles.ts';
import { add, count, get, has, type World } from '../core/world.ts';
import { requireTexturesOf } from './materials.ts';

/** Gives an entity an emitter in place of the one it has. Throws `too_many_emitters`. */
export function giveEmitter(world: World, entity: EntityHandle, emitter: Emitter, on: boolean): void {
	if (!has(world, entity.id, Particles)) requireRoom(world);
	add(world, entity.id, Particles, { emitter });
	beginEmitter(world, entity, on);
}

/** Begins the emitter of an entity, with a seed of its own. */
export function beginEmitter(world: World, { id, generation }: EntityHandle, on: boolean): void {
	const seed = scramble(scramble(scramble(world.seed >>> 0) + id) + Math.imul(generation, 977) + world.tick);
	const run: EmitterRun = { seed, since: on ? world.tick : null, until: null, bursts: [], burst_count: 0 };
	add(world, id, Particles, { run });
}

/** Throws `asset_missing` or `asset_refused` unless the picture of an emitter, named by its hash, can be drawn. */
export function requireTexture(
	world: World,
	{ texture }: { readonly texture?: string | null | undefined },
): void {
	if (texture != null) requireTexturesOf(world, { texture });
}

/** Throws when the world has as many emitters as it takes. */
export function requireRoom(world: World): void {
	if (count(world, Particles) < MAX_EMITTERS) return;
	tooMany();
}

/** Throws if the world has more emitters than it takes. */
export function requireFewEmitters(world: World): void {
	if (count(world, Particles) > MAX_EMITTERS) tooMany();
}

function tooMany(): never {
	throw new ApiError('too_many_emitters', `The world is at its limit of ${MAX_EMITTERS} particle emitters.`);
}

/** Returns the emitter of an entity. Throws `no_emitter`. */
export function requireEmitter(world: World, id: number): { emitter: Emitter; run: EmitterRun } {
	const row = get(world, id, Particles);
	if (row === undefined) throw new ApiError('no_emitter', `Entity ${id} has no particle emitter.`);
	return row;
}

/** Lets particles come out from now on, as if for the first time. */
export function start(world: World, id: number): void {
	const { run } = requireEmitter(world, id);
	add(world, id, Particles, { run: { ...run, since: world.tick, until: null } });
}

/** Lets so many come out at once. */
export function burst(world: World, id: number, count: number): void {
	const { emitter, run } = requireEmitter(world, id);
	add(world, id, Particles, { run: withBurst(emitter, run, world.tick, count) });
}

/** No more come out; those that are there stay as long as they last, unless they are cleared. */
export function stop(world: World, id: number, clear: boolean): void {
	const { run } = requireEmitter(world, id);
	const stopped: EmitterRun = clear
		? { ...run, since: null, until: null, bursts: [] }
		: { ...run, until: run.since === null ? null : (run.until ?? world.tick) };
	add(world, id, Particles, { run: stopped });
}
