/** Launching projectiles. */

import type { DamageCategory } from '../../../shared/components/defense.ts';
import { GlobalTransform } from '../../../shared/components/global-transform.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Owner } from '../../../shared/components/owner.ts';
import { NO_TEAM, type PROJECTILE_HITS, Projectile } from '../../../shared/components/projectile.ts';
import { Spread, type SpreadDocument } from '../../../shared/components/spread.ts';
import { Team } from '../../../shared/components/team.ts';
import type { EntityHandle } from '../../../shared/contract/component.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { tickAfter } from '../core/clock.ts';
import { comingTick } from '../core/coming-tick.ts';
import { isFull } from '../core/entities.ts';
import type { Vector } from '../core/math/vector.ts';
import { add, get, spawn, type World } from '../core/world.ts';
import { ownerAt, spawnWithinShare } from '../owners/shares.ts';

export interface ProjectileSpec {
	/** Position of its start (m). */
	readonly from: Vector;
	/** Any length but zero. */
	readonly direction: Vector;
	/** m/s. */
	readonly speed: number;
	/** HP. */
	readonly damage: number;
	/** Seconds. */
	readonly lifetime: number;
	/** Distance within which the origin of an entity must be (m); default 0.5. */
	readonly radius?: number;
	readonly category?: DamageCategory;
	/** Entity that is credited; it is not hit unless `hits` is all. */
	readonly owner?: EntityHandle | null;
	/** Team it belongs to; the owner's when left out. */
	readonly team?: number | null;
	/** Ways that chance may send it; none: straight on. */
	readonly spread?: SpreadDocument | null;
	/** Default others. */
	readonly hits?: (typeof PROJECTILE_HITS)[number];
}

/** Launches a projectile. It first moves in the next tick. Throws a RangeError for a direction without length. */
export function spawnProjectile(world: World, launch: ProjectileSpec): EntityHandle {
	const { from, direction, owner = null } = launch;
	const [x, y, z] = direction;
	const length = Math.sqrt(x * x + y * y + z * z);
	if (!(length > 0)) throw new RangeError('a projectile needs a direction');
	const handle = spawn(world);
	add(world, handle.id, LocalTransform, { position: from });
	add(world, handle.id, GlobalTransform, { position: from });
	add(world, handle.id, Projectile, {
		direction: [x / length, y / length, z / length],
		speed: launch.speed,
		damage: launch.damage,
		category: launch.category ?? 'physical',
		radius: launch.radius ?? 0.5,
		hits: launch.hits ?? 'others',
		team: launch.team ?? (owner === null ? undefined : get(world, owner.id, Team)?.team) ?? NO_TEAM,
		owner,
		ends_at: tickAfter(comingTick(world), launch.lifetime),
	});
	if (launch.spread != null) add(world, handle.id, Spread, { ways: launch.spread });
	return handle;
}

/** The same during a tick, which has no caller: nothing is launched if the world or the share of the shooter's owner is full. */
export function tryLaunch(world: World, launch: ProjectileSpec): void {
	if (isFull(world)) return;
	const agent = launch.owner == null ? undefined : ownerAt(world, launch.owner.id);
	try {
		const { id } = spawnWithinShare(world, agent, () => spawnProjectile(world, launch));
		if (agent !== undefined) add(world, id, Owner, { agent });
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
	}
}
