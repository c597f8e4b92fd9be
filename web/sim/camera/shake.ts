/**
 * Camera shakes. View scope: forked and never digested. Only the picture moves; the pose of the camera does not change.
 * Owns: the current shakes, and the offset of the picture, which depends on them and the tick.
 */

import * as z from 'zod';
import { pastTick } from '../../../shared/contract/tick.ts';
import { shakeFields } from '../../../shared/documents/camera-move.ts';
import { scramble } from '../../../shared/media/particles.ts';
import { type Resource, resource, setResource } from '../core/resource.ts';
import type { World } from '../core/world.ts';

const shake = z.strictObject({ ...shakeFields, start: pastTick('Tick at which the shake began') });
export type Shake = Readonly<z.output<typeof shake>>;

/** Maximum number of shakes. The oldest are dropped. */
const MAX_SHAKES = 16;
/** Ticks from one push to the next. */
const PUSH_TICKS = 3;

export const Shakes: Resource<readonly Shake[]> = {
	name: 'camera_shake',
	scope: 'view',
	transient: true,
	summary: 'Camera shakes in progress',
	schema: z.array(shake).max(MAX_SHAKES),
	isEmpty: (shakes) => shakes.length === 0,
	initial: () => undefined,
};

/** Shakes the picture from the next tick on. The shake becomes weaker until it ends after `ticks`. */
export function shakeCamera(world: World, { strength, ticks }: Omit<Shake, 'start'>): void {
	const current = (resource(world, Shakes) ?? []).filter(
		(candidate) => candidate.start + candidate.ticks > world.tick,
	);
	setResource(world, Shakes, [...current, { strength, ticks, start: world.tick }].slice(-MAX_SHAKES));
}

/** Returns the offset of the shaken picture, to the right and up (m). */
export function shakeOffset(world: World): readonly [number, number] {
	let [x, y] = [0, 0];
	for (const { strength, ticks, start } of resource(world, Shakes) ?? []) {
		const age = world.tick - start;
		if (age < 0 || age >= ticks) continue;
		const remaining = 1 - age / ticks;
		x += strength * remaining * remaining * pushAt(age, start * 2);
		y += strength * remaining * remaining * pushAt(age, start * 2 + 1);
	}
	return [x, y];
}

/** Returns the push at an age (ticks), from -1 to 1. It is 0 at first, and linear between two pushes. */
function pushAt(age: number, series: number): number {
	const push = Math.floor(age / PUSH_TICKS);
	const pushOf = (number: number) =>
		number === 0 ? 0 : (scramble((scramble(series >>> 0) + number) >>> 0) / 0xffffffff) * 2 - 1;
	const [from, to] = [pushOf(push), pushOf(push + 1)];
	return from + (to - from) * (age / PUSH_TICKS - push);
}
