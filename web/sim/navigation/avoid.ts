/**
 * Collision avoidance of walkers: finds the velocity nearest to the preferred one that avoids others for a while.
 * Owns: optimal reciprocal collision avoidance (van den Berg, Guy, Lin and Manocha, 2011). Each other walker forbids a
 * half-plane of velocities. A linear program in two dimensions (de Berg and others, 2008, chapter 4) finds the best
 * allowed velocity. If there is none, it finds the velocity that violates the constraints least.
 */

import { DT } from '../core/clock.ts';

/** A walker on the ground: position (m), velocity (m/s) and radius (m). */
export interface Walker {
	readonly x: number;
	readonly z: number;
	readonly vx: number;
	readonly vz: number;
	readonly radius: number;
	/** True if it avoids others too, so that each makes half of the change. */
	readonly yields: boolean;
}

/** Constraint in the plane of velocities: those on the left of the line are allowed (larger z for a line along x). */
interface VelocityLine {
	readonly x: number;
	readonly z: number;
	readonly dx: number;
	readonly dz: number;
}

type Velocity = readonly [x: number, z: number];

/** Time for which collisions are avoided in advance (s). */
export const LOOK_AHEAD_SECONDS = 1.5;
/** Time in which overlapping walkers separate (s). */
const SEPARATION_SECONDS = 6 * DT;
const TINY = 1e-9;

const cross = (ax: number, az: number, bx: number, bz: number): number => ax * bz - az * bx;

/** Returns the velocity with which `self` avoids `others`. `maxSpeed` is its maximum speed (m/s). */
export function avoidOthers(
	self: Walker,
	preferred: Velocity,
	maxSpeed: number,
	others: readonly Walker[],
): Velocity {
	const lines = others.map((other) => constraintOf(self, other));
	const [failedLine, best] = findBestVelocity(lines, maxSpeed, preferred, false);
	return failedLine === lines.length ? best : findLeastViolating(lines, failedLine, maxSpeed, best);
}

/** Returns the constraint that another walker puts on the velocity of `self`. */
function constraintOf(self: Walker, other: Walker): VelocityLine {
	const [x, z] = [other.x - self.x, other.z - self.z];
	const [vx, vz] = [self.vx - other.vx, self.vz - other.vz];
	const radius = self.radius + other.radius;
	const square = x * x + z * z;
	const overlaps = square <= radius * radius;
	const time = overlaps ? SEPARATION_SECONDS : LOOK_AHEAD_SECONDS;
	const [wx, wz] = [vx - x / time, vz - z / time];
	const length = Math.sqrt(wx * wx + wz * wz);
	const along = wx * x + wz * z;
	let direction: Velocity;
	let change: Velocity;
	if (overlaps || (along < 0 && along * along > radius * radius * length * length)) {
		// The nearest allowed velocity is on the round end of the forbidden cone. At equal positions, any direction works.
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

/** Returns the distance of a velocity on the forbidden side of a line; negative if it is allowed. */
const violation = ({ x, z, dx, dz }: VelocityLine, [vx, vz]: Velocity): number =>
	cross(dx, dz, x - vx, z - vz);

/** Returns the best velocity on a line that all earlier lines allow, or null. */
function findBestOnLine(
	lines: readonly VelocityLine[],
	index: number,
	maxSpeed: number,
	preferred: Velocity,
	asDirection: boolean,
): Velocity | null {
	const { x, z, dx, dz } = lines[index]!;
	const along = x * dx + z * dz;
	const discriminant = along * along + maxSpeed * maxSpeed - (x * x + z * z);
	if (discriminant < 0) return null;
	const root = Math.sqrt(discriminant);
	let [low, high] = [-along - root, -along + root];
	for (let i = 0; i < index; i++) {
		const other = lines[i]!;
		const sine = cross(dx, dz, other.dx, other.dz);
		const distance = cross(other.dx, other.dz, x - other.x, z - other.z);
		if (Math.abs(sine) <= TINY) {
			if (distance < 0) return null;
			continue;
		}
		const crossing = distance / sine;
		if (sine >= 0) high = Math.min(high, crossing);
		else low = Math.max(low, crossing);
		if (low > high) return null;
	}
	const offset = asDirection
		? preferred[0] * dx + preferred[1] * dz > 0
			? high
			: low
		: Math.min(high, Math.max(low, dx * (preferred[0] - x) + dz * (preferred[1] - z)));
	return [x + offset * dx, z + offset * dz];
}

/**
 * Returns the number of lines that can be satisfied, in order, and the best velocity for them. With `asDirection`, the
 * best velocity is the farthest in the direction of `preferred`; otherwise it is the nearest to it.
 */
function findBestVelocity(
	lines: readonly VelocityLine[],
	maxSpeed: number,
	preferred: Velocity,
	asDirection: boolean,
): readonly [number, Velocity] {
	let best: Velocity = preferred;
	const speed = Math.sqrt(preferred[0] * preferred[0] + preferred[1] * preferred[1]);
	if (asDirection || speed > maxSpeed) {
		const factor = speed < TINY ? 0 : maxSpeed / speed;
		best = [preferred[0] * factor, preferred[1] * factor];
	}
	for (let i = 0; i < lines.length; i++) {
		if (violation(lines[i]!, best) <= 0) continue;
		const next = findBestOnLine(lines, i, maxSpeed, preferred, asDirection);
		if (next === null) return [i, best];
		best = next;
	}
	return [lines.length, best];
}

/** Returns the velocity whose largest violation is smallest. `failedLine` is the first line that cannot be satisfied. */
function findLeastViolating(
	lines: readonly VelocityLine[],
	failedLine: number,
	maxSpeed: number,
	start: Velocity,
): Velocity {
	let best = start;
	let distance = 0;
	for (let i = failedLine; i < lines.length; i++) {
		const line = lines[i]!;
		if (violation(line, best) <= distance) continue;
		const bisectors: VelocityLine[] = [];
		for (let j = 0; j < i; j++) {
			const other = lines[j]!;
			const sine = cross(line.dx, line.dz, other.dx, other.dz);
			let [x, z] = [(line.x + other.x) / 2, (line.z + other.z) / 2];
			if (Math.abs(sine) <= TINY) {
				if (line.dx * other.dx + line.dz * other.dz > 0) continue;
			} else {
				const crossing = cross(other.dx, other.dz, line.x - other.x, line.z - other.z) / sine;
				[x, z] = [line.x + crossing * line.dx, line.z + crossing * line.dz];
			}
			const [dx, dz] = [other.dx - line.dx, other.dz - line.dz];
			const length = Math.sqrt(dx * dx + dz * dz);
			if (length > TINY) bisectors.push({ x, z, dx: dx / length, dz: dz / length });
		}
		const [satisfiedCount, next] = findBestVelocity(bisectors, maxSpeed, [0 - line.dz, line.dx], true);
		if (satisfiedCount === bisectors.length) best = next;
		distance = violation(line, best);
	}
	return best;
}
