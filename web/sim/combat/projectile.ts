/** Launches projectiles. */

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
	/** Direction of any length except zero. */
	readonly direction: Vector;
	/** Speed (m/s). */
	readonly speed: number;
	/** Damage (HP). */
	readonly damage: number;
	/** Lifetime (s). */
	readonly lifetime: number;
	/** Distance within which it hits the origin of an entity (m). Default: 0.5. */
	readonly radius?: number;
	readonly category?: DamageCategory;
	/** Entity that gets the credit. It is not hit unless `hits` is `all`. */
	readonly owner?: EntityHandle | null;
	/** Team of the projectile. Default: the owner's team. */
	readonly team?: number | null;
	/** Directions from which chance selects. Without it, the projectile flies straight. */
	readonly spread?: SpreadDocument | null;
	/** Entities that it can hit. Default: `others`. */
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

/** Launches a projectile during a tick. Does nothing if the world, or the share of the shooter's owner, is full. */
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
