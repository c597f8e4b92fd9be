/**
 * Emitters of particles.
 * Owns: their creation, start and stop, and their number in a world. Never: computes single particles.
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

/** Gives an entity an emitter, which replaces any other. Throws `too_many_emitters`. */
export function giveEmitter(world: World, entity: EntityHandle, emitter: Emitter, isStarted: boolean): void {
	if (!has(world, entity.id, Particles)) requireEmitterRoom(world);
	add(world, entity.id, Particles, { emitter });
	beginEmitter(world, entity, isStarted);
}

/** Resets the run of an entity's emitter, with a new seed. */
export function beginEmitter(world: World, { id, generation }: EntityHandle, isStarted: boolean): void {
	const seed = scramble(scramble(scramble(world.seed >>> 0) + id) + Math.imul(generation, 977) + world.tick);
	const run: EmitterRun = {
		seed,
		since: isStarted ? world.tick : null,
		until: null,
		bursts: [],
		burst_count: 0,
	};
	add(world, id, Particles, { run });
}

/** Throws `asset_missing` or `asset_refused` unless the picture of an emitter, named by its hash, can be drawn. */
export function requireEmitterTexture(
	world: World,
	{ texture }: { readonly texture?: string | null | undefined },
): void {
	if (texture != null) requireTexturesOf(world, { texture });
}

/** Throws `too_many_emitters` if the world has the maximum number of emitters. */
export function requireEmitterRoom(world: World): void {
	if (count(world, Particles) < MAX_EMITTERS) return;
	refuseEmitter();
}

/** Throws `too_many_emitters` if the world has more than the maximum number of emitters. */
export function requireFewEmitters(world: World): void {
	if (count(world, Particles) > MAX_EMITTERS) refuseEmitter();
}

function refuseEmitter(): never {
	throw new ApiError('too_many_emitters', `The world is at its limit of ${MAX_EMITTERS} particle emitters.`);
}

/** Returns the emitter of an entity. Throws `no_emitter`. */
export function requireEmitter(world: World, id: number): { emitter: Emitter; run: EmitterRun } {
	const row = get(world, id, Particles);
	if (row === undefined) throw new ApiError('no_emitter', `Entity ${id} has no particle emitter.`);
	return row;
}

/** Starts an emitter on this tick, as if for the first time. Throws `no_emitter`. */
export function startEmitter(world: World, id: number): void {
	const { run } = requireEmitter(world, id);
	add(world, id, Particles, { run: { ...run, since: world.tick, until: null } });
}

/** Emits `count` particles on this tick. Throws `no_emitter`. */
export function emitBurst(world: World, id: number, count: number): void {
	const { emitter, run } = requireEmitter(world, id);
	add(world, id, Particles, { run: withBurst(emitter, run, world.tick, count) });
}

/** Stops an emitter. `clear`: true to remove its particles; otherwise they live on. Throws `no_emitter`. */
export function stopEmitter(world: World, id: number, clear: boolean): void {
	const { run } = requireEmitter(world, id);
	const stoppedRun: EmitterRun = clear
		? { ...run, since: null, until: null, bursts: [] }
		: { ...run, until: run.since === null ? null : (run.until ?? world.tick) };
	add(world, id, Particles, { run: stoppedRun });
}
