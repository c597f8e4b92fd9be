/**
 * Keeping clear of others while walking: the velocity nearest to the one wished for with which it meets no other for
 * a while.
 * Owns: optimal reciprocal collision avoidance (van den Berg, Guy, Lin and Manocha, 2011): each other forbids a half-plane
 * of velocities, and a linear program in two dimensions (de Berg and others, 2008, chapter 4) finds the best one left.
 * Where none is left, it takes the one that is forbidden by least.
 */

import { DT } from '../core/clock.ts';

/** A walker on the ground: where (m), how fast (m/s), how wide (m). */
export interface Body {
	readonly x: number;
	readonly z: number;
	readonly vx: number;
	readonly vz: number;
	readonly radius: number;
	/** True if it keeps clear of others too, so that each does half of it. */
	readonly yields: boolean;
}

/** Allowed is what lies left of a line: where z grows for a line along x. */
interface Line {
	readonly x: number;
	readonly z: number;
	readonly dx: number;
	readonly dz: number;
}

type Velocity = readonly [x: number, z: number];

/** Time ahead for which others are seen (s). */
export const AHEAD = 1.5;
/** Time in which overlapping walkers part (s). */
const PART = 6 * DT;
const TINY = 1e-9;

const cross = (ax: number, az: number, bx: number, bz: number): number => ax * bz - az * bx;

/** Returns the velocity with which `self` keeps clear of `others`; `most` is the fastest that it can go (m/s). */
export function keepClear(
	self: Body,
	[wishX, wishZ]: Velocity,
	most: number,
	others: readonly Body[],
): Velocity {
	const lines = others.map((other) => forbids(self, other));
	const [failed, found] = best(lines, most, [wishX, wishZ], false);
	return failed === lines.length ? found : leastForbidden(lines, failed, most, found);
}

function forbids(self: Body, other: Body): Line {
	const [x, z] = [other.x - self.x, other.z - self.z];
	const [vx, vz] = [self.vx - other.vx, self.vz - other.vz];
	const radius = self.radius + other.radius;
	const square = x * x + z * z;
	const overlaps = square <= radius * radius;
	const time = overlaps ? PART : AHEAD;
	const [wx, wz] = [vx - x / time, vz - z / time];
	const length = Math.sqrt(wx * wx + wz * wz);
	const along = wx * x + wz * z;
	let direction: Velocity;
	let change: Velocity;
	if (overlaps || (along < 0 && along * along > radius * radius * length * length)) {
		// Away from the round end of what would lead to a meeting; from the very same spot any way is as good.
		const [ux, uz] = length < TINY ? [1, 0] : [wx / length, wz / length];
		direction = [uz, 0 - ux];
		change = [(radius / time - length) * ux, (radius / time - length) * uz];
	} else {
		const leg = Math.sqrt(square - radius * radius);
		direction =
			cross(x, z, wx, wz) > 0
				? [(x * leg - z * radius) / square, (x * radius + z * leg) / square]
				: [0 - (x * leg + z * radius) / square, (x * radius - z * leg) / square];
		const onLeg = vx * direction[0] + vz * direction[1];
		change = [onLeg * direction[0] - vx, onLeg * direction[1] - vz];
	}
	const share = other.yields ? 0.5 : 1;
	return {
		x: self.vx + share * change[0],
		z: self.vz + share * change[1],
		dx: direction[0],
		dz: direction[1],
	};
}

/** Returns by how much a line forbids a velocity (above 0 if it does). */
const overstep = ({ x, z, dx, dz }: Line, [vx, vz]: Velocity): number => cross(dx, dz, x - vx, z - vz);

/** Returns the best velocity along a line that the earlier ones allow, or null. */
function bestOn(
	lines: readonly Line[],
	at: number,
	most: number,
	wish: Velocity,
	farthest: boolean,
): Velocity | null {
	const { x, z, dx, dz } = lines[at]!;
	const along = x * dx + z * dz;
	const room = along * along + most * most - (x * x + z * z);
	if (room < 0) return null;
	const root = Math.sqrt(room);
	let [low, high] = [-along - root, -along + root];
	for (let i = 0; i < at; i++) {
		const other = lines[i]!;
		const steep = cross(dx, dz, other.dx, other.dz);
		const distance = cross(other.dx, other.dz, x - other.x, z - other.z);
		if (Math.abs(steep) <= TINY) {
			if (distance < 0) return null;
			continue;
		}
		const meet = distance / steep;
		if (steep >= 0) high = Math.min(high, meet);
		else low = Math.max(low, meet);
		if (low > high) return null;
	}
	const wanted = farthest
		? wish[0] * dx + wish[1] * dz > 0
			? high
			: low
		: Math.min(high, Math.max(low, dx * (wish[0] - x) + dz * (wish[1] - z)));
	return [x + wanted * dx, z + wanted * dz];
}

/** Returns the best velocity, and the first line with which there is none: then the best without that. */
function best(
	lines: readonly Line[],
	most: number,
	wish: Velocity,
	farthest: boolean,
): readonly [number, Velocity] {
	let found: Velocity = wish;
	const size = Math.sqrt(wish[0] * wish[0] + wish[1] * wish[1]);
	if (farthest || size > most) {
		const by = size < TINY ? 0 : most / size;
		found = [wish[0] * by, wish[1] * by];
	}
	for (let i = 0; i < lines.length; i++) {
		if (overstep(lines[i]!, found) <= 0) continue;
		const next = bestOn(lines, i, most, wish, farthest);
		if (next === null) return [i, found];
		found = next;
	}
	return [lines.length, found];
}

/** From the first line on with which there was no velocity: the one that oversteps the worst line by least. */
function leastForbidden(lines: readonly Line[], from: number, most: number, start: Velocity): Velocity {
	let found = start;
	let distance = 0;
	for (let i = from; i < lines.length; i++) {
		const line = lines[i]!;
		if (overstep(line, found) <= distance) continue;
		const between: Line[] = [];
		for (let j = 0; j < i; j++) {
			const other = lines[j]!;
			const steep = cross(line.dx, line.dz, other.dx, other.dz);
			let [x, z] = [(line.x + other.x) / 2, (line.z + other.z) / 2];
			if (Math.abs(steep) <= TINY) {
				if (line.dx * other.dx + line.dz * other.dz > 0) continue;
			} else {
				const meet = cross(other.dx, other.dz, line.x - other.x, line.z - other.z) / steep;
				[x, z] = [line.x + meet * line.dx, line.z + meet * line.dz];
			}
			const [dx, dz] = [other.dx - line.dx, other.dz - line.dz];
			const length = Math.sqrt(dx * dx + dz * dz);
			if (length > TINY) between.push({ x, z, dx: dx / length, dz: dz / length });
		}
		const [failed, next] = best(between, most, [0 - line.dz, line.dx], true);
		if (failed === between.length) found = next;
		distance = overstep(line, found);
	}
	return found;
}
