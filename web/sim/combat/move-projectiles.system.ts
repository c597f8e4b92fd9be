/**
 * System that moves projectiles. Each hits the first entity on its path.
 * Owns: the sweep along the whole path of a tick, so that fast projectiles do not pass through entities.
 */

import { Dead } from '../../../shared/components/dead.ts';
import { Health } from '../../../shared/components/health.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { NO_TEAM, Projectile } from '../../../shared/components/projectile.ts';
import { Team } from '../../../shared/components/team.ts';
import { FAR } from '../../../shared/contract/values.ts';
import { PLACE_READ } from '../../../shared/verbs/access.ts';
import { hasBit } from '../core/bits.ts';
import { DT } from '../core/clock.ts';
import { handleOf, slotOf } from '../core/entities.ts';
import type { Vector } from '../core/math/vector.ts';
import type { System } from '../core/system.ts';
import { spend } from '../core/tick-budget.ts';
import { maxWithComponent } from '../core/tick-maximum.ts';
import { count, despawn, each, get, presence, read, type World, write } from '../core/world.ts';
import { globalPositions } from '../space/global-position.ts';
import { buildGrid, eachIn, type PointGrid } from '../space/grid.ts';
import { sendDamage } from './damage.ts';

export const moveProjectiles: System = {
	name: 'move-projectiles',
	needs: [Projectile],
	access: {
		reads: ['dead', 'projectile'],
		queries: [
			{ with: ['parent'], reads: PLACE_READ },
			{ with: ['projectile'], reads: ['local_transform'], writes: ['local_transform.position', 'entities'] },
			{ with: ['health'], reads: [...PLACE_READ, 'team.team'] },
		],
		emits: ['damage'],
	},
	maximum(world, before) {
		const projectiles = count(world, Projectile);
		return { searched: projectiles * maxWithComponent(world, Health, before), sent: projectiles };
	},
	run: moveAllProjectiles,
};

function moveAllProjectiles(world: World): void {
	const targets = livingTargets(world);
	const endsAt = read(world, Projectile, 'ends_at');
	const removed: number[] = [];
	each(world, [Projectile, LocalTransform], (slot) => {
		if (world.tick + 1 >= endsAt[slot]! || !moveProjectile(world, slot, targets)) removed.push(slot);
	});
	for (const slot of removed) despawn(world, slot);
}

function livingTargets(world: World): PointGrid {
	const dead = presence(world, Dead);
	const slots: number[] = [];
	each(world, [Health, LocalTransform], (slot) => {
		if (!hasBit(dead, slot)) slots.push(slot);
	});
	return buildGrid(slots, slots.length, globalPositions(world));
}

/** Moves one projectile by a tick. Returns false if it hit something or left the world. */
function moveProjectile(world: World, slot: number, targets: PointGrid): boolean {
	const { direction, speed, damage, radius, hits, team, owner, category } = get(world, slot, Projectile)!;
	const { position } = get(world, slot, LocalTransform)!;
	const distance = speed * DT;
	const excluded = hits === 'all' ? -1 : slotOf(world, owner);
	const accepts = (candidate: number) =>
		candidate !== slot && candidate !== excluded && (hits !== 'enemies' || isEnemy(world, candidate, team));
	const hit = firstHit(world, targets, position, direction, distance, radius, accepts);
	if (hit >= 0) {
		sendDamage(world, handleOf(world, hit), damage, slotOf(world, owner) < 0 ? null : owner, category);
		return false;
	}
	const next = position.map((part, i) => part + direction[i]! * distance);
	if (next.some((part) => Math.abs(part) > FAR)) return false;
	write(world, LocalTransform, 'position').set(next, slot * 3);
	return true;
}

function isEnemy(world: World, slot: number, team: number): boolean {
	const targetTeam = get(world, slot, Team)?.team;
	return targetTeam !== undefined && (team === NO_TEAM || targetTeam !== team);
}

/**
 * Returns the first entity whose origin is within `radius` of a straight path, or -1. Of equally early hits, it returns the
 * lowest slot.
 */
function firstHit(
	world: World,
	grid: PointGrid,
	from: Vector,
	direction: Vector,
	distance: number,
	radius: number,
	accepts: (slot: number) => boolean,
): number {
	const [x, , z] = from;
	const [toX, toZ] = [x + direction[0] * distance, z + direction[2] * distance];
	let best = -1;
	let earliest = Number.POSITIVE_INFINITY;
	let looks = 0;
	eachIn(
		grid,
		Math.min(x, toX) - radius,
		Math.min(z, toZ) - radius,
		Math.max(x, toX) + radius,
		Math.max(z, toZ) + radius,
		(entry) => {
			looks++;
			const reached = entryDistance(grid, entry, from, direction, distance, radius);
			if (reached === null || reached > earliest) return;
			const slot = grid.slots[entry]!;
			if (reached === earliest && slot > best) return;
			if (!accepts(slot)) return;
			best = slot;
			earliest = reached;
		},
	);
	spend(world, 'searched', looks);
	return best;
}

/** Returns the distance along the path (m) at which it enters a sphere; null if it does not. */
function entryDistance(
	grid: PointGrid,
	entry: number,
	[x, y, z]: Vector,
	[ux, uy, uz]: Vector,
	distance: number,
	radius: number,
): number | null {
	const [cx, cy, cz] = [grid.x[entry]! - x, grid.y[entry]! - y, grid.z[entry]! - z];
	const outside = cx * cx + cy * cy + cz * cz - radius * radius;
	if (outside < 0) return 0;
	const projection = cx * ux + cy * uy + cz * uz;
	const root = projection * projection - outside;
	if (projection <= 0 || root <= 0) return null;
	const entered = projection - Math.sqrt(root);
	return entered < distance ? entered : null;
}
