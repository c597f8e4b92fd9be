/**
 * System in which fighters choose targets, walk to them, and strike or shoot.
 * Owns: the order of these decisions for one fighter. Positions are those at the start of the system.
 */

import { Combat } from '../../../shared/components/combat.ts';
import { CombatState } from '../../../shared/components/combat-state.ts';
import { LocalTransform } from '../../../shared/components/local-transform.ts';
import { Path } from '../../../shared/components/path.ts';
import { PlayerOrder } from '../../../shared/components/player-order.ts';
import { Shot } from '../../../shared/components/shot.ts';
import { Team } from '../../../shared/components/team.ts';
import { Velocity } from '../../../shared/components/velocity.ts';
import { wordIndex } from '../../../shared/contract/component.ts';
import { FAR } from '../../../shared/contract/values.ts';
import { PLACE_READ, SHARE_READ, type VerbAccess } from '../../../shared/verbs/access.ts';
import { hasBit } from '../core/bits.ts';
import { tickAfter } from '../core/clock.ts';
import { handleOf } from '../core/entities.ts';
import type { Vector } from '../core/math/vector.ts';
import type { System } from '../core/system.ts';
import { maxWithComponent } from '../core/tick-maximum.ts';
import {
	add,
	count,
	each,
	get,
	presence,
	read,
	remove,
	versionOf,
	type World,
	write,
} from '../core/world.ts';
import { can, crowdControlsOf, speedFactor } from '../crowd-control/crowd-control.ts';
import { boundedStat, MAX_SPEED } from '../stats/stat.ts';
import { directionTo, facingOf } from '../transform/facing.ts';
import { CRIT, criticalFactor, critVersion, mayCrit } from './critical-hit.ts';
import { sendDamage } from './damage.ts';
import { type Fight, gatherFight } from './fight.ts';
import { type ProjectileSpec, tryLaunch } from './projectile.ts';
import { chooseTarget, isInvisible, maxChoiceCost, roleAt } from './target-index.ts';

const WALKING = wordIndex(Path, 'state', 'walking');
const STATIONARY = wordIndex(Combat, 'style', 'stationary');
const NO_ORDER = wordIndex(PlayerOrder, 'order', 'none');
const ATTACK = wordIndex(PlayerOrder, 'order', 'attack');

/** Names of the columns that determine the facing of a fighter. */
const FACING_READ = ['local_transform', 'global_transform'].flatMap((pose) => [
	`${pose}.rotation`,
	`${pose}.scale`,
]);

/** Access of a critical hit. It affects only the damage event or the projectile, because damage is applied on the next tick. */
const BLOW: VerbAccess = { writes: ['projectile.damage'], emits: ['damage'] };

export const runFighters: System = {
	name: 'run-fighters',
	needs: [Combat, CombatState],
	access: {
		reads: [
			'ai',
			'building.building_type',
			'combat',
			'combat_state',
			'crowd_control',
			'dead',
			'march',
			'modifiers',
			'path.state',
			'player',
			'player_order',
			'role.role',
			'shot',
			'tuning',
			...SHARE_READ,
		],
		queries: [
			{
				with: ['combat'],
				reads: [...PLACE_READ, ...FACING_READ, 'team.team', 'velocity'],
				writes: ['combat_state', 'velocity'],
			},
			{ with: ['combat_state'], writes: ['combat_state'] },
			{ with: ['health'], reads: [...PLACE_READ, 'team.team'] },
			{ with: ['parent'], reads: PLACE_READ },
		],
		writes: ['entities'],
		spawns: ['agent_id', 'global_transform', 'local_transform', 'projectile', 'spread'],
		emits: ['damage'],
	},
	chance: {
		source: CRIT,
		mayDraw: mayCrit,
		changes: () => BLOW,
		version: critVersion,
		// These names affect walking and shooting, but not the draws.
		irrelevantNames: ['ai', 'march', 'path', 'shot', 'velocity', ...FACING_READ, ...SHARE_READ],
	},
	maximum(world, before) {
		const fighters = maxWithComponent(world, Combat, before);
		return {
			searched: fighters * maxChoiceCost(maxWithComponent(world, Team, before)),
			actions: fighters,
			sent: fighters,
			spawned: maxWithComponent(world, Shot, before),
		};
	},
	run: runCombat,
};

function runCombat(world: World): void {
	updateCombatStates(world);
	if (count(world, Combat) === 0) return;
	const fight = gatherFight(world);
	each(world, [Combat, Team, LocalTransform], (slot) => {
		if (fight.canFight(slot)) updateFighter(world, fight, slot);
	});
	// Projectiles are spawned last, because a spawn may replace the arrays that fighters read.
	for (const launch of fight.shots) tryLaunch(world, launch);
}

/** Adds a combat state to new fighters, which first wait for their cooldown, and removes it from other entities. */
function updateCombatStates(world: World): void {
	const version = () => Math.max(versionOf(world, Combat), versionOf(world, CombatState));
	if (world.processedVersions.get('equip fighters') === version()) return;
	const cooldown = read(world, Combat, 'cooldown');
	const fighters = presence(world, Combat);
	each(world, [CombatState], (slot) => {
		if (!hasBit(fighters, slot)) remove(world, slot, CombatState);
	});
	const withState = presence(world, CombatState).slice();
	each(world, [Combat], (slot) => {
		if (!hasBit(withState, slot))
			add(world, slot, CombatState, { ready_at: tickAfter(world.tick, cooldown[slot]!) });
	});
	world.processedVersions.set('equip fighters', version());
}

function updateFighter(world: World, fight: Fight, slot: number): void {
	const isSpecial = hasBit(fight.special, slot);
	if (isSpecial && hasBit(fight.dead, slot)) {
		stopDeadFighter(world, fight, slot);
		return;
	}
	const order = isSpecial ? orderOf(fight, slot) : null;
	if (order === NO_ORDER) return;
	const isControlled = isSpecial && hasBit(fight.crowdControlled, slot);
	const canAttack = !isControlled || can(world, slot, 'attack');
	const canMove = !isControlled || can(world, slot, 'move');
	if (!canAttack && !canMove) {
		setHorizontal(fight, slot, 0, 0);
		return;
	}
	const isModified = isSpecial && hasBit(fight.modified, slot);
	const range = isModified
		? boundedStat(world, slot, 'attack_range', fight.range[slot]!, FAR)
		: Math.max(0, fight.range[slot]!);
	if (order === ATTACK) {
		const target = canAttack ? targetOf(world, fight, slot, range, true, isControlled) : -1;
		if (target >= 0 && squaredDistance(fight.positions, slot, target) <= range * range)
			strike(world, fight, slot, target, isModified);
		return;
	}
	const isStationary = fight.style[slot] === STATIONARY;
	const target = targetOf(world, fight, slot, range, isStationary, isControlled);
	if (target < 0) {
		moveWithoutTarget(world, fight, slot, isStationary || !canMove);
		return;
	}
	const dx = fight.positions[target * 3]! - fight.positions[slot * 3]!;
	const dy = fight.positions[target * 3 + 1]! - fight.positions[slot * 3 + 1]!;
	const dz = fight.positions[target * 3 + 2]! - fight.positions[slot * 3 + 2]!;
	const square = dx * dx + dy * dy + dz * dz;
	if (square <= range * range) {
		if (canAttack) strike(world, fight, slot, target, isModified);
		setHorizontal(fight, slot, 0, 0);
	} else if (isStationary || !canMove) setHorizontal(fight, slot, 0, 0);
	else {
		const pace = paceOf(world, fight, slot) / Math.sqrt(square);
		setHorizontal(fight, slot, dx * pace, dz * pace);
	}
}

/** Returns the order of a player's fighter; null for other fighters, which act on their own. */
function orderOf(fight: Fight, slot: number): number | null {
	if (!hasBit(fight.players, slot)) return null;
	return hasBit(fight.withOrder, slot) ? fight.order[slot]! : NO_ORDER;
}

function squaredDistance(positions: Float32Array, from: number, to: number): number {
	const dx = positions[to * 3]! - positions[from * 3]!;
	const dy = positions[to * 3 + 1]! - positions[from * 3 + 1]!;
	const dz = positions[to * 3 + 2]! - positions[from * 3 + 2]!;
	return dx * dx + dy * dy + dz * dz;
}

/** Returns the target of a fighter on this tick, or -1. Stores the choice. */
function targetOf(
	world: World,
	fight: Fight,
	slot: number,
	range: number,
	isStationary: boolean,
	isControlled: boolean,
): number {
	const taunter = isControlled ? taunterOf(world, fight, slot) : -1;
	if (taunter >= 0) return taunter;
	const override = referencedSlot(fight, fight.override, slot);
	if (override >= 0 && override !== slot && squaredDistance(fight.positions, slot, override) <= range * range)
		if (!isHidden(world, fight, override)) return storeTarget(fight, slot, override);
	const reach = isStationary ? range : Math.max(fight.detectRange[slot]!, range);
	const team = fight.team[slot]!;
	const current = referencedSlot(fight, fight.targets(), slot);
	if (current >= 0 && hasBit(fight.teams, current) && fight.team[current] !== team) {
		const square = squaredDistance(fight.positions, slot, current);
		const isNear = isStationary ? square <= reach * reach : square < reach * reach;
		if (isNear && !isHidden(world, fight, current)) return current;
	}
	const role = roleAt(world, slot, fight.roles, fight.role);
	const target = chooseTarget(world, fight.index(), role, team, fight.positions, slot, reach, isStationary);
	return storeTarget(fight, slot, target);
}

function isHidden(world: World, fight: Fight, slot: number): boolean {
	return hasBit(fight.crowdControlled, slot) && isInvisible(world, slot);
}

/** Returns the slot of the entity that a column refers to, if it lives and has a pose; otherwise -1. */
function referencedSlot(fight: Fight, column: ArrayLike<number>, slot: number): number {
	const id = column[slot * 2]! - 1;
	if (id < 0 || fight.generations[id] !== column[slot * 2 + 1] || !hasBit(fight.alive, id)) return -1;
	return fight.isLiving(id) && hasBit(fight.withPose, id) ? id : -1;
}

function storeTarget(fight: Fight, slot: number, target: number): number {
	const generation = target < 0 ? 0 : fight.generations[target]!;
	const current = fight.targets();
	if (current[slot * 2] === target + 1 && current[slot * 2 + 1] === generation) return target;
	const writable = fight.writableTargets();
	writable[slot * 2] = target + 1;
	writable[slot * 2 + 1] = generation;
	return target;
}

/** Returns the entity that a taunted fighter must attack, or -1. */
function taunterOf(world: World, fight: Fight, slot: number): number {
	for (const { kind, target } of crowdControlsOf(world, slot)) {
		if (kind !== 'Taunt' || target === undefined || target.id === slot) continue;
		const isAlive = hasBit(fight.alive, target.id) && fight.generations[target.id] === target.generation;
		if (isAlive && fight.isLiving(target.id) && hasBit(fight.withPose, target.id)) return target.id;
	}
	return -1;
}

function strike(world: World, fight: Fight, slot: number, target: number, isModified: boolean): void {
	if (world.tick < fight.readyAt()[slot]!) return;
	const speed = isModified ? Math.max(0.01, boundedStat(world, slot, 'attack_speed', 1, 1e6)) : 1;
	fight.writableReadyAt()[slot] = Math.max(
		world.tick + 1,
		tickAfter(world.tick, fight.cooldown[slot]! / speed),
	);
	const base = isModified
		? boundedStat(world, slot, 'attack_damage', fight.damage[slot]!, 1e9)
		: Math.max(0, fight.damage[slot]!);
	const damage = base * criticalFactor(world, slot);
	if (hasBit(fight.shooters, slot)) fight.shots.push(shotAt(world, fight, slot, target, damage));
	else sendDamage(world, handleOf(world, target), damage, handleOf(world, slot), 'physical');
}

/** Returns the projectile of a fighter at its target's current position. */
function shotAt(
	world: World,
	{ positions: at }: Fight,
	slot: number,
	target: number,
	damage: number,
): ProjectileSpec {
	const positionOf = (entity: number): Vector => [at[entity * 3]!, at[entity * 3 + 1]!, at[entity * 3 + 2]!];
	const from = positionOf(slot);
	const direction = directionTo(from, positionOf(target)) ?? facingOf(world, slot);
	return { ...get(world, slot, Shot)!, from, direction, damage, owner: handleOf(world, slot) };
}

/** Moves a fighter without a target. If it has no path and no AI, it marches. */
function moveWithoutTarget(world: World, fight: Fight, slot: number, mustStay: boolean): void {
	if (mustStay) setHorizontal(fight, slot, 0, 0);
	else if (hasBit(fight.withAiOrPath, slot)) {
		// A fighter that does not walk along its path stops.
		if (hasBit(fight.withPath, slot) && fight.pathState[slot] !== WALKING) setHorizontal(fight, slot, 0, 0);
	} else if (hasBit(fight.marching, slot) && !hasBit(fight.players, slot)) {
		const pace = paceOf(world, fight, slot);
		setHorizontal(fight, slot, fight.direction[slot * 3]! * pace, fight.direction[slot * 3 + 2]! * pace);
	} else setHorizontal(fight, slot, 0, 0);
}

/** Returns the walking speed with effects (m/s). */
function paceOf(world: World, fight: Fight, slot: number): number {
	let speed = fight.speed[slot]!;
	if (!hasBit(fight.special, slot)) return speed;
	if (hasBit(fight.modified, slot)) speed = boundedStat(world, slot, 'move_speed', speed, MAX_SPEED);
	return hasBit(fight.crowdControlled, slot) ? speed * speedFactor(world, slot) : speed;
}

function setHorizontal(fight: Fight, slot: number, x: number, z: number): void {
	if (!hasBit(fight.moving, slot)) return;
	const linear = fight.linear();
	if (linear[slot * 3] === Math.fround(x) && linear[slot * 3 + 2] === Math.fround(z)) return;
	const writable = fight.writableLinear();
	writable[slot * 3] = x;
	writable[slot * 3 + 2] = z;
}

/** Stops a dead fighter. */
function stopDeadFighter(world: World, fight: Fight, slot: number): void {
	if (!hasBit(fight.moving, slot)) return;
	const linear = fight.linear();
	if (linear[slot * 3] !== 0 || linear[slot * 3 + 1] !== 0 || linear[slot * 3 + 2] !== 0)
		fight.writableLinear().fill(0, slot * 3, slot * 3 + 3);
	const angular = read(world, Velocity, 'angular');
	if (angular[slot * 3] !== 0 || angular[slot * 3 + 1] !== 0 || angular[slot * 3 + 2] !== 0)
		write(world, Velocity, 'angular').fill(0, slot * 3, slot * 3 + 3);
}
